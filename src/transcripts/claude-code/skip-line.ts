// Tells from the bytes of a line of Claude Code whether anything can follow from reading it. Exact where it says no; where
// it is not sure (an escape in a field that matters, a field that stands there twice, a broken line) it says nothing, and
// the line is parsed.

import {
  BROKEN,
  beginsWith,
  isList,
  isObject,
  isString,
  overBlanks,
  overList,
  overObject,
  overValue,
  shortString,
} from '../json-bytes.ts';

/** How a tool result begins that carries words of the user. */
export const REFUSAL = "The user doesn't want to ";

export type LineLook =
  /** Nothing that is read. */
  | { readonly kind: 'noise' }
  /** Results of these tool calls and nothing else: of interest to whoever waits for one of them. */
  | { readonly kind: 'results'; readonly calls: readonly string[] }
  | { readonly kind: 'unsure' };

const NOISE: LineLook = { kind: 'noise' };
const UNSURE: LineLook = { kind: 'unsure' };
const RESULT = 'tool_result';
const LINE = ['type', 'subtype', 'message', 'attachment'];
const MESSAGE = ['content'];
const ATTACHMENT = ['type'];
const BLOCK = ['type', 'tool_use_id', 'content', 'is_error'];
const FALSE = 'false';

type Seen = {
  /** `null` until the field was there. */
  type: string | null;
  subtype: string | undefined | null;
  message: boolean;
  attachment: string | undefined | null;
  calls: readonly string[] | undefined;
};

export function lookAtLine(bytes: Buffer): LineLook {
  const seen: Seen = { type: null, subtype: null, message: false, attachment: null, calls: undefined };
  const end = overObject(bytes, overBlanks(bytes, 0), LINE, (field, at) => lookAtField(bytes, field, at, seen));
  if (end === BROKEN || overBlanks(bytes, end) !== bytes.length) return UNSURE;
  switch (seen.type) {
    case null:
    case 'queue-operation':
      return UNSURE;
    case 'user':
    case 'human':
      return seen.calls ? { kind: 'results', calls: seen.calls } : UNSURE;
    case 'system':
      return seen.subtype === 'compact_boundary' ? UNSURE : NOISE;
    case 'attachment':
      return seen.attachment === 'queued_command' ? UNSURE : NOISE;
    default:
      return NOISE;
  }
}

const maySpeak = (type: string | null): boolean => type === null || type === 'user' || type === 'human';

function lookAtField(bytes: Buffer, field: number, at: number, seen: Seen): number {
  switch (LINE[field]) {
    case 'type': {
      const type = shortString(bytes, at);
      if (seen.type !== null || type === undefined || type === 'assistant') return BROKEN;
      seen.type = type;
      return overValue(bytes, at);
    }
    case 'subtype': {
      const subtype = shortString(bytes, at);
      if (seen.subtype !== null || (subtype === undefined && isString(bytes, at))) return BROKEN;
      seen.subtype = subtype;
      return overValue(bytes, at);
    }
    case 'message':
      if (seen.message) return BROKEN;
      seen.message = true;
      return isObject(bytes, at) && maySpeak(seen.type) ? lookAtMessage(bytes, at, seen) : overValue(bytes, at);
    default:
      if (seen.attachment !== null) return BROKEN;
      seen.attachment = undefined;
      return isObject(bytes, at) ? lookAtAttachment(bytes, at, seen) : overValue(bytes, at);
  }
}

function lookAtAttachment(bytes: Buffer, at: number, seen: Seen): number {
  let times = 0;
  return overObject(bytes, at, ATTACHMENT, (_, place) => {
    times += 1;
    seen.attachment = shortString(bytes, place);
    if (times > 1 || (seen.attachment === undefined && isString(bytes, place))) return BROKEN;
    return overValue(bytes, place);
  });
}

/** Of a line that may be speech: as soon as there is more in it than results, the rest need not be looked at twice. */
function lookAtMessage(bytes: Buffer, at: number, seen: Seen): number {
  let times = 0;
  return overObject(bytes, at, MESSAGE, (_, place) => {
    times += 1;
    if (times > 1 || !isList(bytes, place)) return BROKEN;
    const calls: string[] = [];
    let blocks = 0;
    const end = overList(bytes, place, (block) => {
      blocks += 1;
      const found: Block = { type: null, call: null, content: false };
      const after = overObject(bytes, block, BLOCK, (field, value) => lookAtBlock(bytes, field, value, found));
      if (found.type !== RESULT) return BROKEN;
      if (found.call !== null) calls.push(found.call);
      return after;
    });
    if (blocks > 0) seen.calls = calls;
    return end;
  });
}

type Block = { type: string | null; call: string | null; content: boolean };

function lookAtBlock(bytes: Buffer, field: number, at: number, block: Block): number {
  const name = BLOCK[field];
  if (name === 'content') {
    if (block.content) return BROKEN;
    block.content = true;
    return isString(bytes, at) && beginsWith(bytes, at, REFUSAL) !== false ? BROKEN : overValue(bytes, at);
  }
  // What failed is told, whoever waits for it or not.
  if (name === 'is_error')
    return bytes.toString('latin1', at, at + FALSE.length) === FALSE ? overValue(bytes, at) : BROKEN;
  const text = shortString(bytes, at) ?? (isString(bytes, at) ? undefined : '');
  if (text === undefined) return BROKEN;
  if (name === 'type') {
    if (block.type !== null || text !== RESULT) return BROKEN;
    block.type = text;
  } else {
    if (block.call !== null) return BROKEN;
    block.call = text;
  }
  return overValue(bytes, at);
}
