// Takes code out of one message: words in code are not what was said. Fenced blocks first, then inline code, each in
// one pass, so that no message, however hostile, takes longer than its length. A fence or a backtick without a partner
// stays as it is and hides nothing.

const BLANK_LINE = /\n[^\S\n]*\n/g;
/** At the start of a line, behind the marks of quotes and lists. What follows the backticks names the language. */
const FENCE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,})([^`]*)$/;

export function stripCode(text: string): string {
  return text.includes('`') ? stripSpans(text.includes('```') ? stripFences(text) : text) : text;
}

type Fence = { readonly line: number; readonly ticks: number; readonly mayClose: boolean };

/** A fence reaches to the next that is at least as long and names no language. */
function stripFences(text: string): string {
  const lines = text.split('\n');
  const fences = lines.flatMap((line, number): Fence[] => {
    const fence = line.includes('```') ? FENCE.exec(line) : null;
    return fence ? [{ line: number, ticks: fence[1]!.length, mayClose: fence[2]!.trim() === '' }] : [];
  });
  const closes = closingFences(fences);
  const kept: string[] = [];
  let from = 0;
  for (let i = 0; i < fences.length; i++) {
    const close = closes[i];
    if (close === undefined) continue;
    for (let line = from; line < fences[i]!.line; line++) kept.push(lines[line]!);
    kept.push('');
    from = fences[close]!.line + 1;
    i = close;
  }
  return kept.concat(lines.slice(from)).join('\n');
}

/**
 * From the end, with a stack of those that could still close an earlier one: the nearest on top, and below it only
 * longer ones. So looking through it costs a fence no more than its own length.
 */
function closingFences(fences: readonly Fence[]): (number | undefined)[] {
  const closes: (number | undefined)[] = new Array(fences.length);
  const candidates: number[] = [];
  const ticksAt = (place: number): number => fences[candidates[place]!]!.ticks;
  for (let i = fences.length - 1; i >= 0; i--) {
    const { ticks, mayClose } = fences[i]!;
    let place = candidates.length - 1;
    while (place >= 0 && ticksAt(place) < ticks) place--;
    closes[i] = candidates[place];
    if (!mayClose) continue;
    while (candidates.length > 0 && ticksAt(candidates.length - 1) <= ticks) candidates.pop();
    candidates.push(i);
  }
  return closes;
}

/** Inline code: a run of backticks and the next run of the same length, in the same paragraph. */
function stripSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: run }) => ({ start: index, end: index + run.length }));
  const closes: (number | undefined)[] = new Array(runs.length);
  const paragraphEnds = [...text.matchAll(BLANK_LINE)].map((match) => match.index);
  const next = new Map<number, number>();
  let paragraph = paragraphEnds.length;
  for (let i = runs.length - 1; i >= 0; i--) {
    const { start, end } = runs[i]!;
    while (paragraph > 0 && paragraphEnds[paragraph - 1]! >= end) paragraph--;
    const close = next.get(end - start);
    if (close !== undefined && runs[close]!.start <= (paragraphEnds[paragraph] ?? text.length)) closes[i] = close;
    next.set(end - start, i);
  }
  let kept = '';
  let from = 0;
  for (let i = 0; i < runs.length; i++) {
    const close = closes[i];
    if (close === undefined) continue;
    kept += text.slice(from, runs[i]!.start);
    from = runs[close]!.end;
    i = close;
  }
  return kept + text.slice(from);
}
