// Reads values of unknown shape: lines of a transcript come from many versions of other programs, and nothing in them may
// be taken for granted.

export type Fields = { readonly [name: string]: unknown };

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The object that a line of JSON holds; `undefined` where it holds something else, or half of one. */
export function fieldsIn(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that says something. */
export function wordsOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The text of a message or a result: a string, or the text blocks among others. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .flatMap((block) => {
      const { type, text } = fieldsOf(block) ?? {};
      return typeof text === 'string' && typeof type === 'string' && /text$/.test(type) ? [text] : [];
    })
    .join('\n\n');
}

/** Milliseconds since 1970. */
export function timeOf(stamp: unknown): number | undefined {
  const time = typeof stamp === 'string' ? Date.parse(stamp) : typeof stamp === 'number' ? stamp : Number.NaN;
  return Number.isFinite(time) ? time : undefined;
}
