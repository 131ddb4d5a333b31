// Finds fenced code in Markdown: which lines open a fence and which line closes it. A fence without a partner hides
// nothing, so that a message that was cut off in the middle of its code still says what it said.

const TICK = 96;
const TILDE = 126;

type Fence = {
  readonly start: number;
  readonly end: number;
  readonly mark: number;
  readonly length: number;
  readonly mayClose: boolean;
};

/** Code from the start of the line that opens it to the end of the line that closes it. */
export type CodeRange = {
  readonly start: number;
  readonly end: number;
  readonly inner: number;
  readonly innerEnd: number;
};

/** In the order of the text. */
export function fencedCode(text: string): CodeRange[] {
  if (!text.includes('```') && !text.includes('~~~')) return [];
  const fences = fenceLines(text);
  const closes = closingFences(fences);
  const ranges: CodeRange[] = [];
  for (let i = 0; i < fences.length; i += 1) {
    const close = closes[i];
    if (close === undefined) continue;
    const [open, last] = [fences[i]!, fences[close]!];
    ranges.push({ start: open.start, end: last.end, inner: open.end, innerEnd: last.start });
    i = close;
  }
  return ranges;
}

function fenceLines(text: string): Fence[] {
  const fences: Fence[] = [];
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    const fence = fenceOf(text, start, end);
    if (fence) fences.push(fence);
    start = end + 1;
  }
  return fences;
}

/** At the start of a line, behind the marks of quotes and lists. What follows the backticks names the language. */
function fenceOf(text: string, start: number, end: number): Fence | undefined {
  let i = start;
  while (i < end && ' \t>-*+.)0123456789'.includes(text[i]!)) i += 1;
  const mark = text.charCodeAt(i);
  if (i + 3 > end || (mark !== TICK && mark !== TILDE)) return undefined;
  let length = 1;
  while (i + length < end && text.charCodeAt(i + length) === mark) length += 1;
  if (length < 3) return undefined;
  const rest = text.slice(i + length, end);
  if (mark === TICK && rest.includes('`')) return undefined; // code inside a line
  return { start, end, mark, length, mayClose: rest.trim() === '' };
}

/**
 * A fence reaches to the next of its kind that is at least as long and names no language. From the end, with a stack of
 * those that could still close an earlier one: the nearest on top, and below it only longer ones. So looking through it
 * costs a fence no more than its own length.
 */
function closingFences(fences: readonly Fence[]): (number | undefined)[] {
  const closes: (number | undefined)[] = new Array(fences.length);
  const stacks: { [mark: number]: number[] } = { [TICK]: [], [TILDE]: [] };
  for (let i = fences.length - 1; i >= 0; i -= 1) {
    const { mark, length, mayClose } = fences[i]!;
    const stack = stacks[mark]!;
    let place = stack.length - 1;
    while (place >= 0 && fences[stack[place]!]!.length < length) place -= 1;
    closes[i] = stack[place];
    if (!mayClose) continue;
    while (stack.length > 0 && fences[stack.at(-1)!]!.length <= length) stack.pop();
    stack.push(i);
  }
  return closes;
}
