// Walks over the bytes of one JSON value without building it. Most lines of a transcript are told apart by one or two short
// fields; parsing megabytes of tool output to find out that nobody needs it would be most of the work of an index.
// Only the outline is checked (quotes, brackets, commas): what is behind it is left to JSON.parse. BROKEN means "not JSON, or
// not plain enough to tell", and the caller parses then.

export const BROKEN = -1;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
/** In longer strings the end is looked for by the machine's own search: three times as fast there, slower in short ones. */
const SHORT_STRING = 24;
const MOST_PLAIN = 64;
/** Where one quote follows soon upon another, as in code, the plainer search finds it before Buffer's has begun. */
const NEAR = 256;
const nextOf = Uint8Array.prototype.indexOf;

/** Gets the field's place among those that were asked for and where its value begins; gives where the value ends. */
export type VisitField = (field: number, at: number) => number;

/** The place behind the object that begins at `at`; only the `fields` asked for are visited. */
export function overObject(bytes: Buffer, at: number, fields: readonly string[], visit: VisitField): number {
  if (bytes[at] !== OPEN_OBJECT) return BROKEN;
  let place = overBlanks(bytes, at + 1);
  if (bytes[place] === CLOSE_OBJECT) return place + 1;
  for (;;) {
    if (bytes[place] !== QUOTE) return BROKEN;
    const nameEnd = overString(bytes, place);
    const field = nameEnd === BROKEN ? BROKEN : fieldAt(bytes, place + 1, nameEnd - 1, fields);
    if (field === BROKEN) return BROKEN;
    place = overBlanks(bytes, nameEnd);
    if (bytes[place] !== COLON) return BROKEN;
    place = overBlanks(bytes, place + 1);
    place = field < fields.length ? visit(field, place) : overValue(bytes, place);
    if (place === BROKEN) return BROKEN;
    place = overBlanks(bytes, place);
    if (bytes[place] === CLOSE_OBJECT) return place + 1;
    if (bytes[place] !== COMMA) return BROKEN;
    place = overBlanks(bytes, place + 1);
  }
}

/** The place behind the list that begins at `at`. */
export function overList(bytes: Buffer, at: number, visit: (at: number) => number): number {
  if (bytes[at] !== OPEN_LIST) return BROKEN;
  let place = overBlanks(bytes, at + 1);
  if (bytes[place] === CLOSE_LIST) return place + 1;
  for (;;) {
    place = visit(place);
    if (place === BROKEN) return BROKEN;
    place = overBlanks(bytes, place);
    if (bytes[place] === CLOSE_LIST) return place + 1;
    if (bytes[place] !== COMMA) return BROKEN;
    place = overBlanks(bytes, place + 1);
  }
}

/** The place behind any value. */
export function overValue(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return overString(bytes, at);
  if (first === OPEN_OBJECT || first === OPEN_LIST) return overNested(bytes, at);
  let place = at;
  while (place < bytes.length && !endsPlainValue(bytes[place]!)) place += 1;
  return place > at ? place : BROKEN;
}

/** The text of the string at `at`: `undefined` if there is none, if it is long, or if anything in it is not a plain letter. */
export function shortString(bytes: Buffer, at: number): string | undefined {
  if (bytes[at] !== QUOTE) return undefined;
  const last = Math.min(bytes.length, at + MOST_PLAIN + 2);
  for (let place = at + 1; place < last; place += 1) {
    const byte = bytes[place]!;
    if (byte === QUOTE) return bytes.toString('latin1', at + 1, place);
    if (byte === BACKSLASH || byte > 0x7e) return undefined;
  }
  return undefined;
}

/** Does the string at `at` begin with these letters? `undefined` if that is hidden behind an escape. */
export function beginsWith(bytes: Buffer, at: number, letters: string): boolean | undefined {
  for (let index = 0; index < letters.length; index += 1) {
    const byte = bytes[at + 1 + index];
    if (byte === BACKSLASH) return undefined;
    if (byte !== letters.charCodeAt(index)) return false;
  }
  return true;
}

export const isString = (bytes: Buffer, at: number): boolean => bytes[at] === QUOTE;
export const isObject = (bytes: Buffer, at: number): boolean => bytes[at] === OPEN_OBJECT;
export const isList = (bytes: Buffer, at: number): boolean => bytes[at] === OPEN_LIST;

export function overBlanks(bytes: Buffer, at: number): number {
  let place = at;
  while (bytes[place] === 0x20 || bytes[place] === 0x09 || bytes[place] === 0x0d || bytes[place] === 0x0a) place += 1;
  return place;
}

/** The same bytes with the methods of a Buffer. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Which of the fields this name is; their number if none; BROKEN if it is written with escapes and could be any. */
function fieldAt(bytes: Buffer, from: number, to: number, fields: readonly string[]): number {
  for (let place = from; place < to; place += 1) if (bytes[place] === BACKSLASH) return BROKEN;
  let field = 0;
  while (field < fields.length && !isName(bytes, from, to, fields[field]!)) field += 1;
  return field;
}

function isName(bytes: Buffer, from: number, to: number, name: string): boolean {
  if (to - from !== name.length) return false;
  for (let index = 0; index < name.length; index += 1) if (bytes[from + index] !== name.charCodeAt(index)) return false;
  return true;
}

/** `at` is the opening quote. */
function overString(bytes: Buffer, at: number): number {
  const { length } = bytes;
  let place = at + 1;
  const soon = Math.min(length, place + SHORT_STRING);
  while (place < soon) {
    const byte = bytes[place]!;
    if (byte === QUOTE) return place + 1;
    place += byte === BACKSLASH ? 2 : 1;
  }
  let from = place;
  for (let quote = bytes.indexOf(QUOTE, from); quote !== -1; ) {
    let before = quote;
    while (before > place && bytes[before - 1] === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
    const isNear = quote - from < NEAR;
    from = quote + 1;
    quote = isNear ? nextOf.call(bytes, QUOTE, from) : bytes.indexOf(QUOTE, from);
  }
  return BROKEN;
}

function overNested(bytes: Buffer, at: number): number {
  const { length } = bytes;
  let depth = 0;
  let place = at;
  while (place < length) {
    const byte = bytes[place]!;
    if (byte === QUOTE) {
      place = overString(bytes, place);
      if (place === BROKEN) return BROKEN;
      continue;
    }
    place += 1;
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return place;
    }
  }
  return BROKEN;
}

const endsPlainValue = (byte: number): boolean =>
  byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST || byte <= 0x20 || byte === QUOTE;
