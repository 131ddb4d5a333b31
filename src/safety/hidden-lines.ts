// What must not be kept of a text that comes line by line: private passages and key blocks that begin in one line and end in a later
// one. Each line alone looks harmless.

import { openPart } from './private-tags.ts';
import { FRAME_BEGIN, FRAME_END } from './secrets/private-key-blocks.ts';

/** What is still open at the end of a line: nested private elements, a key. */
export type Hidden = { readonly depth: number; readonly key: boolean };

export const NOTHING_HIDDEN: Hidden = { depth: 0, key: false };

const MASK = '[redacted:private-key:…]';
const PUTTY = /^private-lines:[ \t]{0,4}\d{1,4}\s*$/i;
/** Of a key: base64, a header of it, or nothing, perhaps quoted or indented. */
const KEY_LINE =
  /^[\s>|#*+"',]{0,64}(?:[A-Za-z0-9+/=]{1,65536}|(?:Proc-Type|DEK-Info|Version|Comment|Subject|Hash|Charset|MessageID):.{0,200})?[\s"',+\\]{0,16}$/;

/** The line as it may be kept, and what it leaves open. Comes back as it is where nothing is hidden. */
export function withoutHidden(hidden: Hidden, line: string): { text: string; hidden: Hidden } {
  const { text, depth } = openPart(line, hidden.depth);
  const key = hidden.key ? insideKey(text) : beforeKey(text);
  if (depth === hidden.depth && key.key === hidden.key && key.text === line) return { text: line, hidden };
  return { text: key.text, hidden: { depth, key: key.key } };
}

type Read = { text: string; key: boolean };

function beforeKey(text: string): Read {
  if (PUTTY.test(text.trim())) return { text, key: true };
  if (!text.includes('PRIVATE KEY')) return { text, key: false };
  const begin = FRAME_BEGIN.exec(text);
  // A whole block in one line is found by its pattern; a frame that is spoken of is followed by words.
  if (!begin || !KEY_LINE.test(text.slice(begin.index + begin[0].length))) return { text, key: false };
  return { text: text.slice(0, begin.index) + MASK, key: true };
}

function insideKey(text: string): Read {
  const end = FRAME_END.exec(text);
  if (end) return { text: text.slice(end.index + end[0].length), key: false };
  return KEY_LINE.test(text) ? { text: '', key: true } : beforeKey(text); // a key that was cut off
}
