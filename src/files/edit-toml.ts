// Adds and removes one table of a TOML file as text, everything else byte for byte: Codex keeps its settings in such a file, and
// people keep their notes in it. Before and after are parsed with `smol-toml` and must say the same but for that table; if they
// would not, the file is left as it is and the user is told what to do by hand.

import { isDeepStrictEqual } from 'node:util';
import { parse, type TomlTable, type TomlValue } from 'smol-toml';
import { messageOf } from '../errors.ts';
import { scanToml, type TomlStatement } from './scan-toml.ts';

export type TomlEntry = { readonly [key: string]: string | readonly string[] };
/** Of bare keys: `['mcp_servers', 'cairn']`. */
export type TomlPath = readonly [section: string, name: string];

/** A file that is not edited, and why. */
export class TomlRefusal extends Error {}

/**
 * The table with these keys: in the one of that name, whose other keys are the user's, or else at the end. A file without a line
 * ending at its end keeps none, so that taking the table out again gives the very same bytes.
 */
export function setTable(text: string, name: TomlPath, entry: TomlEntry): string {
  const before = parsed(text);
  const old = at(before, name);
  if (isObject(old) && Object.keys(entry).every((key) => isDeepStrictEqual(old[key], plain(entry[key]!)))) return text;
  const after = old === undefined ? text + newTable(text, name, entry) : withKeys(text, name, entry);
  const wanted = {
    ...(isObject(old) ? old : {}),
    ...Object.fromEntries(Object.keys(entry).map((key) => [key, plain(entry[key]!)])),
  };
  return checked(text, after, { before, name, wanted });
}

/** Without the table and what is below it; comments between its lines stay. */
export function removeTable(text: string, name: TomlPath): string {
  const before = parsed(text);
  if (at(before, name) === undefined) return text;
  const statements = scanToml(text);
  const ours = ownStatements(statements, name);
  const cuts = ours.map(({ start, end }) => ({ start, end }));
  const [first, last] = [ours[0], ours.at(-1)];
  // The empty line, or the missing line ending, that came with it.
  const above = first && statements[statements.indexOf(first) - 1];
  if (above?.kind === 'other' && text.slice(above.start, above.end).trim() === '') cuts.unshift(above);
  const isOpen = last !== undefined && last.end === text.length && !text.endsWith('\n');
  const left = cuts.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
  return checked(text, isOpen ? left.replace(/\r?\n$/, '') : left, { before, name, wanted: undefined });
}

export const hasTable = (text: string, name: TomlPath): boolean => at(parsed(text), name) !== undefined;

/** What to add by hand. */
export const tableText = (name: TomlPath, entry: TomlEntry, newline = '\n'): string =>
  [`[${name.join('.')}]`, ...Object.entries(entry).map(([key, value]) => `${key} = ${valueText(value)}`)].join(newline);

function newTable(text: string, name: TomlPath, entry: TomlEntry): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const table = tableText(name, entry, newline);
  if (text.replace('\uFEFF', '') === '') return table + newline;
  return text.endsWith('\n') ? newline + table + newline : newline + newline + table;
}

/** In the table that is there: what it says of these keys is replaced, what it does not say comes below its header. */
function withKeys(text: string, name: TomlPath, entry: TomlEntry): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const statements = scanToml(text);
  const head = statements.find(({ kind, path }) => kind === 'table' && isDeepStrictEqual(path, [...name]));
  if (!head) throw besides(text, statements, name);
  const own = statements.slice(statements.indexOf(head) + 1);
  const next = own.findIndex(({ kind }) => kind === 'table' || kind === 'tables');
  const keys = next === -1 ? own : own.slice(0, next);
  const edits = Object.entries(entry).map(([key, value]) => {
    const known = keys.find(({ kind, path }) => kind === 'key' && path.length === 1 && path[0] === key);
    if (known?.value) return { ...known.value, by: valueText(value) };
    const open = text.slice(0, head.end).endsWith('\n') ? '' : newline;
    return { start: head.end, end: head.end, by: `${open}${key} = ${valueText(value)}${open ? '' : newline}` };
  });
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end, by }) => rest.slice(0, start) + by + rest.slice(end), text);
}

/** The tables of that name and below it, with their keys and the empty lines between them. */
function ownStatements(statements: readonly TomlStatement[], name: TomlPath): TomlStatement[] {
  const found: TomlStatement[] = [];
  let isOurs = false;
  for (const statement of statements) {
    if (statement.kind === 'table' || statement.kind === 'tables')
      isOurs = name.every((part, index) => statement.path[index] === part);
    if (isOurs && statement.kind !== 'other') found.push(statement);
  }
  return found;
}

/** Both must say the same, but for our table. */
function checked(
  text: string,
  after: string,
  { before, name, wanted }: { before: TomlTable; name: TomlPath; wanted: unknown },
): string {
  let now: TomlTable;
  try {
    now = parse(after, OPTIONS);
  } catch {
    throw besides(text, scanToml(text), name);
  }
  if (
    isDeepStrictEqual(without(now, name), without(before, name)) &&
    isDeepStrictEqual(plain(at(now, name)), plain(wanted))
  )
    return after;
  throw besides(text, scanToml(text), name);
}

/** `mcp_servers = {…}` is closed, and `cairn.command = …` is the same table: a header beside either makes the file invalid. */
function besides(text: string, statements: readonly TomlStatement[], name: TomlPath): TomlRefusal {
  let table: readonly string[] = [];
  for (const { kind, path, start } of statements) {
    if (kind === 'table' || kind === 'tables') table = path;
    const full = kind === 'key' ? [...table, ...path] : path;
    const isBeside = kind === 'key' && full.every((part, index) => name[index] === undefined || name[index] === part);
    if (isBeside || (kind === 'tables' && isDeepStrictEqual(full, [...name])))
      return new TomlRefusal(
        `a table [${name.join('.')}] would not go together with its line ${text.slice(0, start).split('\n').length}`,
      );
  }
  return new TomlRefusal(`the table [${name.join('.')}] cannot be changed without changing something else`);
}

const OPTIONS = { integersAsBigInt: true } as const;

function parsed(text: string): TomlTable {
  try {
    return parse(text, OPTIONS);
  } catch (error) {
    throw new TomlRefusal(
      `it is no valid TOML: ${messageOf(error)
        .split('\n')[0]!
        .replace(/^Invalid TOML document: /, '')}`,
    );
  }
}

/** Strings as JSON: a TOML basic string takes the same escapes. DEL alone it does not take as it is. */
const valueText = (value: string | readonly string[]): string =>
  typeof value === 'string'
    ? JSON.stringify(value).replaceAll('\u007f', '\\u007f')
    : `[${value.map((each) => valueText(each)).join(', ')}]`;

const isObject = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const at = (table: TomlTable, [section, name]: TomlPath): TomlValue | undefined => {
  const inner = table[section];
  return isObject(inner) ? (inner as TomlTable)[name] : undefined;
};

/** A section that holds nothing else counts as none: the parser makes it for the sake of our table. */
function without(table: TomlTable, [section, name]: TomlPath): unknown {
  const inner = table[section];
  if (!isObject(inner)) return plain(table);
  const { [name]: _, ...others } = inner;
  const { [section]: __, ...rest } = table;
  return plain(Object.keys(others).length === 0 ? rest : { ...rest, [section]: others });
}

/** As ordinary objects, dates with their own text. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return `date ${value.toISOString()}`;
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}
