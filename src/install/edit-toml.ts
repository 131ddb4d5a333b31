// Adds and removes one table of a TOML file as text, everything else byte for byte: Codex keeps its settings in such a file, and
// people keep their notes in it. It does not parse TOML; it finds table headers, outside of multi-line strings.

export type TomlEntry = { readonly [key: string]: string | readonly string[] };

const HEADER = /^[ \t]*\[([^[\]\n]{1,300})\][ \t]*(?:#[^\n]*)?$/;

/** The table in place of the one of that name and of its sub-tables, or at the end. `name`: dotted, of bare keys. */
export function setTable(text: string, name: string, entry: TomlEntry): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const table = [`[${name}]`, ...Object.entries(entry).map(([key, value]) => `${key} = ${valueText(value)}`), ''].join(
    newline,
  );
  const found = spanOf(text, name);
  if (found) {
    const gap = text.slice(found.start, found.end).match(/(?:\r?\n)(\s*)$/)?.[1] ?? '';
    return text.slice(0, found.start) + table + gap + text.slice(found.end);
  }
  const space = text === '' ? '' : text.endsWith('\n') ? newline : newline + newline;
  return text + space + table;
}

export function removeTable(text: string, name: string): string {
  const found = spanOf(text, name);
  if (!found) return text;
  const before = text.slice(0, found.start);
  const after = text.slice(found.end);
  return after === '' ? before.replace(/(\r?\n)(?:\r?\n)+$/, '$1') : before + after;
}

export const hasTable = (text: string, name: string): boolean => spanOf(text, name) !== undefined;

/**
 * The line that says the same in another way: `mcp_servers = {…}` is closed, and `cairn.command = …` is the same table. A header
 * beside either makes the whole file invalid. From 1; `undefined` if there is none.
 */
export function otherwiseSaid(text: string, name: string): number | undefined {
  let [table, inside]: [string, string | undefined] = ['', undefined];
  for (const [index, line] of text.split('\n').entries()) {
    if (inside === undefined) {
      const header = HEADER.exec(line.replace(/\r$/, ''))?.[1] ?? arrayHeader(line);
      if (header !== undefined) table = `${plainKey(header)}.`;
      const key = header === undefined && !table.startsWith(`${name}.`) ? KEY.exec(line)?.[1] : undefined;
      const full = key === undefined ? '' : `${table}${plainKey(key)}`;
      if (full !== '' && (`${name}.`.startsWith(`${full}.`) || full.startsWith(`${name}.`))) return index + 1;
    }
    inside = openString(line, inside);
  }
  return undefined;
}

const KEY = /^[ \t]*([\w"'.\t -]{1,300}?)[ \t]*=/;

/** Strings as JSON: a TOML basic string takes the same escapes. */
const valueText = (value: string | readonly string[]): string =>
  typeof value === 'string' ? JSON.stringify(value) : `[${value.map((each) => JSON.stringify(each)).join(', ')}]`;

/** From the header to where the next table that is not below it begins. */
function spanOf(text: string, name: string): { start: number; end: number } | undefined {
  let [start, at]: [number | undefined, number] = [undefined, 0];
  let inside: string | undefined; // the quotes of a multi-line string that is open
  for (const line of text.split('\n')) {
    const header = inside === undefined ? (HEADER.exec(line.replace(/\r$/, ''))?.[1] ?? arrayHeader(line)) : undefined;
    if (header !== undefined) {
      const key = plainKey(header);
      const ours = key === name || key.startsWith(`${name}.`);
      if (start === undefined && ours) start = at;
      else if (start !== undefined && !ours) return { start, end: at };
    }
    inside = openString(line, inside);
    at += line.length + 1;
  }
  return start === undefined ? undefined : { start, end: text.length };
}

const arrayHeader = (line: string): string | undefined => /^[ \t]*\[\[([^[\]\n]{1,300})\]\]/.exec(line)?.[1];

/** ` mcp_servers . "cairn" ` → `mcp_servers.cairn`. */
const plainKey = (header: string): string =>
  header
    .split('.')
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .join('.');

function openString(line: string, inside: string | undefined): string | undefined {
  let open = inside;
  for (let at = 0; at < line.length; at++) {
    if (open !== undefined) {
      const end = line.indexOf(open, at);
      if (end < 0) return open;
      at = end + 2;
      open = undefined;
    } else if (line.startsWith('"""', at) || line.startsWith("'''", at)) {
      open = line.slice(at, at + 3);
      at += 2;
    } else if (line[at] === '"' || line[at] === "'") {
      const quote = line[at]!;
      for (at++; at < line.length && line[at] !== quote; at++) if (quote === '"' && line[at] === '\\') at++;
    } else if (line[at] === '#') return undefined;
  }
  return open;
}
