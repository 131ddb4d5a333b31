// Masks secrets on every write path. A mask keeps the kind and the last four characters, enough to recognise the
// secret one meant and too little to use it. Redacting twice changes nothing.
import { CairnError } from '../../errors.ts';
import { isSecretField, isSecretName } from './assignments.ts';
import { findMentions, findSecrets, MASK } from './find-secrets.ts';
import { KnownValues } from './known-values.ts';
import { holdsNamed, maskNamed, NAMED_KIND } from './named-texts.ts';

export type Redaction = { kind: string; count: number };
export type FieldRedaction = Redaction & { path: string };

// Below this length four characters would be too much of the secret.
const MIN_LENGTH_FOR_TAIL = 12;
const SAFE_TAIL = /^[A-Za-z0-9_+/=.~!%-]{4}$/;
// A mask can free its neighbour from a letter that hid it, so the search is repeated until it finds nothing.
const MAX_ROUNDS = 4;
const MAX_DEPTH = 500;
// No secret is shorter: the password of a URL needs its `://`, a named one eight characters.
const SHORTEST = 5;

const HEADER = /^(?:proxy-)?authorization$|-(?:key|token)$/i;

/**
 * The text with every recognised secret masked, wherever its value stands in it, and how many of each kind were found. `known`: values from
 * elsewhere in the conversation, which are masked too; those of this text are added to them. What the user named is masked besides.
 */
export function redact(whole: string, known?: KnownValues): { text: string; found: Redaction[] } {
  const text = maskNamed(whole);
  const { text: clean, found } = redactSecrets(text, known);
  return { text: clean, found: text === whole ? found : [{ kind: NAMED_KIND, count: 1 }, ...found] };
}

function redactSecrets(text: string, known?: KnownValues): { text: string; found: Redaction[] } {
  if (known === undefined && findSecrets(text).length === 0) return { text, found: [] };
  const values = known ?? new KnownValues();
  let secrets = findMentions(text, values);
  const counts = new Map<string, number>();
  let current = text;
  for (let round = 0; round < MAX_ROUNDS && secrets.length > 0; round += 1) {
    const parts: string[] = [];
    let from = 0;
    for (const { start, end, tail, kind } of secrets) {
      parts.push(current.slice(from, start), mask(kind, end - start, tail));
      from = end;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    current = parts.join('') + current.slice(from);
    if (round + 1 < MAX_ROUNDS) secrets = findMentions(current, values);
  }
  return { text: current, found: toFound(counts) };
}

/** The text without the masks that redact wrote: file names and tags are made from what is left. */
export const withoutMasks = (text: string): string => text.replace(MASK, ' ');

/**
 * The same for every string in a JSON-like value, keys included. Names count: the value of a field called `password`
 * is judged as `password = "…"` would be. Without a find the value itself is returned, not a copy.
 */
export function redactDeep<T>(value: T, known?: KnownValues): { value: T; found: FieldRedaction[] } {
  if (!holdsSecret(value, '', 0, known)) return { value, found: [] };
  const values = known ?? new KnownValues();
  learnDeep(value, '', 0, values); // all of it first: a value may stand bare before its name does
  const found: FieldRedaction[] = [];
  const root: { value: unknown } = { value };
  // A stack of our own: a million brackets must not end the process.
  const pending: Visit[] = [{ holder: root, key: 'value', name: '', path: '', depth: 0 }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    visitField(visit, pending, { found, values });
  }
  found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { value: (found.length === 0 ? value : root.value) as T, found };
}

/** Whether redactDeep would change anything. */
export const holdsSecrets = (value: unknown): boolean => holdsSecret(value, '', 0, undefined);

/**
 * Would the walk below find something? Most values hold nothing; they are answered without making a copy, nor anything else: every line of a
 * transcript comes here. Too deep a value is left to the walk, which refuses it.
 */
function holdsSecret(value: unknown, name: string, depth: number, known: KnownValues | undefined): boolean {
  if (typeof value === 'string') return mayChange(name, value, known);
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= MAX_DEPTH) return true;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    for (let index = 0; index < list.length; index += 1)
      if (holdsSecret(list[index], nameInList(list, index, name), depth + 1, known)) return true;
    return false;
  }
  if (!isPlain(value)) return false;
  const fields = value as Holder;
  for (const field of Object.keys(fields)) {
    if (!roleOf(field).clean || holdsNamed(field) || known?.isIn(field) === true) return true;
    if (holdsSecret(fields[field], nameInObject(fields, field), depth + 1, known)) return true;
  }
  return false;
}

/** Most strings of a line hold nothing, also where the line does: they are not taken apart. */
const mayChange = (name: string, value: string, known: KnownValues | undefined): boolean =>
  (value.length >= SHORTEST && isFound(name, value, known)) || holdsNamed(value);

function isFound(name: string, value: string, known: KnownValues | undefined): boolean {
  const role = roleOf(name);
  if (role.last !== value) {
    if (findSecrets(value).length > 0) return true;
    if ((role.header || role.secret) && redactField(name, value, new KnownValues()).found.length > 0) return true;
    if (value.length <= LONGEST_LAST) role.last = value;
  }
  return known !== undefined && known.find(value).length > 0;
}

function learnDeep(value: unknown, name: string, depth: number, values: KnownValues): void {
  if (typeof value === 'string') {
    if (mayChange(name, value, values)) redactField(name, value, values);
    return;
  }
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    for (let index = 0; index < list.length; index += 1)
      learnDeep(list[index], nameInList(list, index, name), depth + 1, values);
    return;
  }
  if (!isPlain(value)) return;
  const fields = value as Holder;
  for (const field of Object.keys(fields)) learnDeep(fields[field], nameInObject(fields, field), depth + 1, values);
}

/** Arguments of a command come as a list: what follows `--password` is its value. */
function nameInList(list: readonly unknown[], index: number, otherwise: string): string {
  const before = index > 0 ? list[index - 1] : undefined;
  return typeof before === 'string' && /^--?[\w-]{3,64}$/.test(before) && roleOf(before).secret ? before : otherwise;
}

const PAIR_NAMES = ['name', 'key', 'Name', 'Key', 'field', 'variable'];
const PAIR_VALUES: ReadonlySet<string> = new Set(['value', 'val', 'default', 'defaultValue', 'Value']);

/** `{"name": "DB_PASSWORD", "value": "…"}`: the value is called what the name says. */
function nameInObject(holder: Holder, field: string): string {
  if (!PAIR_VALUES.has(field)) return field;
  for (const each of PAIR_NAMES) {
    const name = holder[each];
    if (typeof name === 'string' && name.length <= 100 && roleOf(name).secret) return name;
  }
  return field;
}

/** `last`: the value that was looked at last and holds nothing. Folder, session, version and model stand in every line of a transcript. */
type NameRole = { readonly clean: boolean; readonly header: boolean; readonly secret: boolean; last: string };

const roles = new Map<string, NameRole>();
const MAX_ROLES = 2_000;
const LONGEST_LAST = 400;

/** What a field's name says; the same few names come again and again. */
function roleOf(name: string): NameRole {
  let role = roles.get(name);
  if (role === undefined) {
    if (roles.size >= MAX_ROLES) roles.clear();
    role = {
      clean: findSecrets(name).length === 0,
      header: HEADER.test(name),
      secret: isSecretName(name),
      last: '',
    };
    if (name.length <= 100) roles.set(name, role);
  }
  return role;
}

type Holder = Record<string | number, unknown>;
type Visit = { holder: Holder; key: string | number; name: string; path: string; depth: number };

type Walk = { found: FieldRedaction[]; values: KnownValues };

function visitField({ holder, key, name, path, depth }: Visit, pending: Visit[], { found, values }: Walk): void {
  const value = holder[key];
  if (typeof value === 'string') {
    if (!mayChange(name, value, values)) return;
    const result = redactField(name, value, values);
    found.push(...result.found.map((one) => ({ ...one, path })));
    if (result.text !== value) define(holder, key, result.text);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) {
    throw new CairnError('LIMIT_ERROR', `The value is nested deeper than ${MAX_DEPTH} levels`, {
      fix: 'Flatten the value, or store it as text',
      details: [['field', path.slice(0, 80)]],
    });
  }
  if (Array.isArray(value)) {
    const copy: unknown[] = [...value];
    define(holder, key, copy);
    const list = copy as unknown as Holder;
    for (let i = 0; i < copy.length; i += 1)
      pending.push({
        holder: list,
        key: i,
        name: nameInList(value, i, name),
        path: `${path}[${i}]`,
        depth: depth + 1,
      });
    return;
  }
  if (!isPlain(value)) return;
  const copy: Holder = {};
  define(holder, key, copy);
  for (const [field, inner] of Object.entries(value)) {
    const clean = redact(field, values);
    const safeField = freeName(copy, clean.text);
    const at = path === '' ? safeField : `${path}.${safeField}`;
    found.push(...clean.found.map((one) => ({ ...one, path: at })));
    define(copy, safeField, inner);
    const called = nameInObject(value as Holder, field);
    pending.push({ holder: copy, key: safeField, name: called, path: at, depth: depth + 1 });
  }
}

function redactField(name: string, value: string, values: KnownValues): { text: string; found: Redaction[] } {
  // A kind that the value itself shows is a better name than the field's.
  const plain = redact(value, values);
  if (name === '' || plain.found.length > 0) return plain;
  if (roleOf(name).header) {
    const lead = `${name}: `;
    const { text, found } = redact(lead + value, values);
    if (found.length > 0 && text.startsWith(lead)) return { text: text.slice(lead.length), found };
  }
  if (!roleOf(name).secret || !isSecretField(name, value)) return plain;
  values.learn(value, 'assigned-secret');
  return {
    text: mask('assigned-secret', value.length, value.slice(-4)),
    found: [{ kind: 'assigned-secret', count: 1 }],
  };
}

/** Two keys can have the same mask; the second then gets a number instead of taking the first one's place. */
function freeName(holder: Holder, name: string): string {
  let free = name;
  for (let n = 2; Object.hasOwn(holder, free); n += 1) free = `${name}#${n}`;
  return free;
}

/** Dates, maps and the like are not JSON; taking them apart would lose them. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Plain assignment would run the setter of `__proto__`. */
function define(holder: Holder, key: string | number, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

function mask(kind: string, length: number, tail: string): string {
  const shown = length >= MIN_LENGTH_FOR_TAIL && SAFE_TAIL.test(tail) ? tail : '';
  return `[redacted:${kind}:…${shown}]`;
}

function toFound(counts: Map<string, number>): Redaction[] {
  return Array.from(counts, ([kind, count]) => ({ kind, count }));
}
