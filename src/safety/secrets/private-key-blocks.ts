// Finds private key blocks. The frame is easy; the work is in blocks that were cut off, quoted, indented or written as
// one string with literal `\n`, and in telling a key from code that merely names the frame.
import type { Span } from './pattern.ts';

export const FRAME_BEGIN = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/;
export const FRAME_END = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/;
const FRAME = new RegExp(FRAME_BEGIN, 'y');
const END = new RegExp(FRAME_END, 'y');

// One line of a block: quoting or indentation, then base64 or a header, up to a real or a literal line break.
const BREAK = String.raw`(?:\\{1,4}r)?(?:\\{1,4}n|\r?\n|\r)`;
const LINE =
  /[\s>|#*+"',]{0,64}-?\s{0,16}(?:(?<body>[A-Za-z0-9+/=]{1,65536})|(?:Proc-Type|DEK-Info|Version|Comment|Subject|Hash|Charset|MessageID)[^\n\\]{0,200})?[ \t"',+]{0,8}/dy;
// Blocks that lost their line breaks go on after a blank, if what follows is long enough to be no word.
const LINE_BREAK = new RegExp(`${BREAK}|(?=[A-Za-z0-9+/=]{40})|$`, 'y');
const MIN_BODY = 16;

export function findPrivateKey(text: string, at: number): Span | undefined {
  let start = at;
  while (start > 0 && at - start < 5 && text[start - 1] === '-') start -= 1;
  FRAME.lastIndex = start;
  if (!FRAME.test(text)) return undefined;
  const from = FRAME.lastIndex;
  const body = readBody(text, from);

  // The next dashes are this block's end, or another block; either way the search never runs past them.
  const dashes = text.indexOf('----', from);
  END.lastIndex = dashes;
  const isClosed = dashes !== -1 && END.test(text);
  if (!isClosed) return body.length >= MIN_BODY * 2 ? { start, end: body.end, tail: body.tail } : undefined;
  const end = END.lastIndex;
  const inside = text.slice(from, dashes);
  const isKey = /[a-z]/.test(inside) && /[A-Z]/.test(inside) && (body.length >= MIN_BODY || longestRun(inside) >= 40);
  return isKey
    ? {
        start,
        end,
        tail:
          inside
            .match(/[A-Za-z0-9+/=]{4,}/g)
            ?.at(-1)
            ?.slice(-4) ?? '',
      }
    : undefined;
}

export function findPuttyKey(text: string, at: number): Span | undefined {
  const header = /private-lines:[ \t]{0,4}\d{1,4}/iy;
  header.lastIndex = at;
  if (!header.test(text)) return undefined;
  const body = readBody(text, header.lastIndex);
  return body.length >= MIN_BODY * 2 ? { start: body.start, end: body.end, tail: body.tail } : undefined;
}

/** Reads lines of base64 from `from` on. `length` counts base64 characters only. */
function readBody(text: string, from: number): { start: number; end: number; length: number; tail: string } {
  const read = { start: from, end: from, length: 0, tail: '' };
  let at = from;
  while (at < text.length) {
    LINE_BREAK.lastIndex = at;
    if (LINE_BREAK.test(text)) at = LINE_BREAK.lastIndex;
    LINE.lastIndex = at;
    const line = LINE.exec(text);
    if (line === null || LINE.lastIndex === at) break;
    const body = line.indices!.groups?.body;
    at = LINE.lastIndex;
    LINE_BREAK.lastIndex = at;
    const isWhole = LINE_BREAK.test(text);
    if (body !== undefined) {
      // A short run is the last line of a key, never its first, and fills its line: anything else is prose.
      if (body[1] - body[0] < MIN_BODY && (read.length === 0 || !isWhole)) break;
      if (read.length === 0) read.start = body[0];
      read.length += body[1] - body[0];
      read.end = body[1];
      read.tail = text.slice(Math.max(body[0], body[1] - 4), body[1]);
    }
    if (!isWhole) break;
  }
  return read;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.matchAll(/[A-Za-z0-9+/=]+/g)) longest = Math.max(longest, run[0].length);
  return longest;
}
