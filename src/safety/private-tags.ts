// Removes what a person marked as `<private>…</private>`: such text is never stored, indexed or injected.
// In doubt it removes more, not less: an element that is never closed reaches to the end of the text.

const TAG = /<(?:\s*(\/)\s*)?private(?:[\s/][^>]*)?(?:>|$)/gi;
const EMPTY = /^<private\s*\/\s*>$/i;

// Removing an element can join two halves of a new tag. People never write that, so a few rounds are plenty.
const MAX_ROUNDS = 8;

/** The text without its private elements: any case, attributes, nested; `<private/>` is an empty element. */
export function removePrivate(text: string): string {
  let current = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = openPart(current, 0).text;
    if (next === current) return current;
    current = next;
  }
  const start = current.search(TAG);
  return start === -1 ? current : current.slice(0, start);
}

/** What is outside of private elements, `depth` of which are open before the text, and how many are open behind it. */
export function openPart(text: string, before: number): { text: string; depth: number } {
  let kept = '';
  let depth = before;
  let from = 0;
  for (const tag of text.matchAll(TAG)) {
    const closes = tag[1] === '/';
    if (depth === 0) kept += text.slice(from, tag.index);
    if (closes) depth = Math.max(0, depth - 1);
    else if (!EMPTY.test(tag[0])) depth += 1;
    from = tag.index + tag[0].length;
  }
  return { text: depth === 0 ? kept + text.slice(from) : kept, depth };
}
