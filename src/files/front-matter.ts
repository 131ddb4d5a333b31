// Front matter of Markdown files, read and edited without a YAML library: only flat `key: value` properties are
// understood, the way Obsidian writes them. Everything else (comments, nested maps, anchors, tags) is never evaluated and
// kept byte for byte, so that an edit changes the lines of its key and no other, and no file can make the reader run or grow.

export type Scalar = string | number | boolean | null;
export type PropertyValue = Scalar | Scalar[];

/** One piece of the front matter: the lines of a key, or lines that belong to none. */
type Segment = {
  key?: string;
  /** The lines as they are, each with its own line ending. */
  raw: string;
  /** What they say; `undefined` if it is nothing that we understand. */
  value?: PropertyValue;
};

const MAX_FRONT_MATTER = 64 * 1024;
const MAX_ITEMS = 1_000;

export class FrontMatter {
  readonly #before: string;
  readonly #segments: Segment[];
  readonly #after: string;
  readonly #newline: string;
  /** Everything behind the closing line. */
  body: string;
  /** What is wrong with it, in words; the file is then treated as one without properties. */
  readonly problem: string | undefined;

  private constructor(parts: {
    before: string;
    segments: Segment[];
    after: string;
    body: string;
    newline: string;
    problem?: string;
  }) {
    this.#before = parts.before;
    this.#segments = parts.segments;
    this.#after = parts.after;
    this.#newline = parts.newline;
    this.body = parts.body;
    this.problem = parts.problem;
  }

  static parse(text: string): FrontMatter {
    const newline = /\r\n/.test(text.slice(0, 4_096)) ? '\r\n' : '\n';
    const bare = { before: '', segments: [], after: '', body: text, newline };
    const opening = /^\uFEFF?---[ \t]*(\S*)[ \t]*\r?\n/.exec(text);
    if (!opening) return new FrontMatter(bare);
    if (opening[1])
      return new FrontMatter({
        ...bare,
        problem: `its front matter is of the kind "${opening[1]}"; only plain properties are read`,
      });
    const rest = text.slice(opening[0].length, opening[0].length + MAX_FRONT_MATTER);
    const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(rest);
    if (!closing) return new FrontMatter({ ...bare, problem: 'its front matter does not end' });
    const lines = rest.slice(0, closing.index).match(/[^\n]*\n|[^\n]+$/g) ?? [];
    const bodyAt = opening[0].length + closing.index + closing[0].length;
    return new FrontMatter({
      before: opening[0],
      segments: segmentsOf(lines),
      after: closing[0],
      body: text.slice(bodyAt),
      newline,
    });
  }

  /** A file that has none yet. */
  static empty(body: string): FrontMatter {
    return new FrontMatter({ before: '---\n', segments: [], after: '---\n', body, newline: '\n' });
  }

  get exists(): boolean {
    return this.#before !== '';
  }

  get keys(): string[] {
    return this.#segments.flatMap((segment) => segment.key ?? []);
  }

  get(key: string): PropertyValue | undefined {
    return this.#segments.find((segment) => segment.key === key)?.value;
  }

  /** The text of a property; numbers and booleans as they were written. */
  text(key: string): string | undefined {
    const value = this.get(key);
    return value === undefined || value === null || Array.isArray(value) ? undefined : String(value);
  }

  /** A list, also where only one value stands. */
  list(key: string): string[] {
    const value = this.get(key);
    if (value === undefined || value === null) return [];
    return (Array.isArray(value) ? value : [value]).filter((item) => item !== null).map(String);
  }

  set(key: string, value: PropertyValue): void {
    const raw = renderProperty(key, value, this.#newline);
    const at = this.#segments.findIndex((segment) => segment.key === key);
    if (at === -1) this.#segments.push({ key, raw, value });
    else this.#segments[at] = { key, raw, value };
  }

  remove(key: string): void {
    const at = this.#segments.findIndex((segment) => segment.key === key);
    if (at !== -1) this.#segments.splice(at, 1);
  }

  toString(): string {
    if (!this.exists && this.#segments.length > 0) {
      return `---${this.#newline}${this.#joined()}---${this.#newline}${this.body}`;
    }
    return this.#before + this.#joined() + this.#after + this.body;
  }

  #joined(): string {
    return this.#segments
      .map((segment) => (segment.raw.endsWith('\n') ? segment.raw : segment.raw + this.#newline))
      .join('');
  }
}

const KEY = /^([A-Za-z_][\w.-]*|"[^"\n]+"|'[^'\n]+')[ \t]*:(?:[ \t]+([^\n]*))?$/;

const NONE: readonly string[] = [];
const unquoted = (key: string): string => (/^["']/.test(key) ? key.slice(1, -1) : key);

function segmentsOf(lines: readonly string[]): Segment[] {
  const segments: Segment[] = [];
  for (let at = 0; at < lines.length; ) {
    const match = KEY.exec(lines[at]!.trimEnd());
    if (!match) {
      segments.push({ raw: lines[at]! });
      at++;
      continue;
    }
    let end = at + 1;
    while (end < lines.length && continues(lines, end)) end++;
    const more = end === at + 1 ? NONE : lines.slice(at + 1, end).map((line) => line.trimEnd());
    const value = propertyOf((match[2] ?? '').trim(), more);
    const segment: Segment = {
      key: unquoted(match[1]!),
      raw: end === at + 1 ? lines[at]! : lines.slice(at, end).join(''),
    };
    if (value !== undefined) segment.value = value;
    segments.push(segment);
    at = end;
  }
  return segments;
}

/** Indented lines and list items belong to the key above; so does a blank line that is followed by one. */
function continues(lines: readonly string[], at: number): boolean {
  const line = lines[at]!;
  if (/^(?:[ \t]+\S|-[ \t]|-\r?\n?$)/.test(line)) return true;
  return line.trim() === '' && at + 1 < lines.length && /^[ \t]+\S/.test(lines[at + 1]!);
}

function propertyOf(first: string, more: readonly string[]): PropertyValue | undefined {
  const whole = more.length === 0 ? first : [first, ...more].join('\n');
  if (first.startsWith('[[')) return wikiLinks(whole) ?? flowList(whole);
  if (first.startsWith('[')) return flowList(whole);
  if (/^[|>][+-]?\d?$/.test(first)) return blockText(first, more);
  if (first === '' || first.startsWith('#')) {
    const items = more.filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
    if (items.length === 0) return null;
    return items.every((line) => /^\s*-(?:\s|$)/.test(line)) ? blockList(items) : undefined;
  }
  if (more.some((line) => line.trim() !== '' && !/^\s*#/.test(line))) return undefined; // a value over several lines: kept, not read
  return scalarOf(first);
}

/** `[[a]], [[b|text]]`: not YAML, but what people and earlier tools write. */
function wikiLinks(text: string): string[] | undefined {
  const rest = text.replace(/\[\[[^[\]\n]+\]\]/g, '').replace(/#.*$/m, '');
  if (/[^\s,]/.test(rest)) return undefined;
  return [...text.matchAll(/\[\[([^[\]\n]+)\]\]/g)].slice(0, MAX_ITEMS).map((match) => match[1]!.trim());
}

/** `[a, "b, c", [[d]], [e]]`: brackets around an item are dropped, because there they mean a link. */
function flowList(text: string): Scalar[] | undefined {
  const closed = /^\[([\s\S]*)\][ \t]*(?:#[^\n]*)?$/.exec(text.trim());
  if (!closed) return undefined;
  const items: Scalar[] = [];
  for (const match of closed[1]!.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?<!\[)\[*[^,"'[\]\s][^,[\]\n]*\]*/g)) {
    const item = match[0]
      .trim()
      .replace(/^\[+|\]+$/g, '')
      .trim();
    const value = item === '' ? undefined : scalarOf(item);
    if (value !== undefined && items.length < MAX_ITEMS) items.push(value);
  }
  return items;
}

function blockList(lines: readonly string[]): Scalar[] | undefined {
  const items: Scalar[] = [];
  for (const line of lines.slice(0, MAX_ITEMS)) {
    const item = line.replace(/^\s*-\s*/, '').trim();
    const link = /^\[\[([^[\]\n]+)\]\]$/.exec(item);
    const value = link ? link[1]! : scalarOf(item);
    if (value === undefined) return undefined;
    items.push(value);
  }
  return items;
}

function blockText(style: string, lines: readonly string[]): string {
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)![0].length));
  const text = lines.map((line) => line.slice(Number.isFinite(indent) ? indent : 0));
  return text.join(style.startsWith('>') ? ' ' : '\n').trim();
}

/** Most values: they begin with a letter, are none of the words below, and hold nothing that could be a comment. */
const PLAIN_WORDS = /^[a-eg-mo-su-z][^#]*[^#\s]$/i;

function scalarOf(written: string): Scalar | undefined {
  if (written.startsWith('"') || written.startsWith("'")) return quotedOf(written);
  if (PLAIN_WORDS.test(written)) return written;
  if (/^[&*!{}|>%@`]/.test(written)) return undefined; // anchors, aliases, tags, maps: kept, never evaluated
  const plain = written.includes('#') ? written.replace(/\s#.*$/, '').trim() : written.trim();
  if (plain === '' || plain === '~' || /^null$/i.test(plain)) return null;
  if (/^(?:true|false)$/i.test(plain)) return /^true$/i.test(plain);
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(plain) ? Number(plain) : plain;
}

/** Open quotes are nothing that we understand. */
function quotedOf(written: string): string | undefined {
  const double = /^"((?:[^"\\]|\\.)*)"(?:\s+#.*)?$/.exec(written);
  if (double) return unescapeDouble(double[1]!);
  const single = /^'((?:[^']|'')*)'(?:\s+#.*)?$/.exec(written);
  return single ? single[1]!.replaceAll("''", "'") : undefined;
}

function unescapeDouble(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text.replace(/\\(.)/g, '$1'); // YAML knows escapes that JSON does not
  }
}

function renderProperty(key: string, value: PropertyValue, newline: string): string {
  const name = /^[A-Za-z_][\w.-]*$/.test(key) ? key : JSON.stringify(key);
  if (!Array.isArray(value)) return `${name}: ${renderScalar(value)}${newline}`;
  const simple = value.every((item) => typeof item !== 'string' || /^[\w./@+-]+$/.test(item));
  if (simple && value.length <= 20) return `${name}: [${value.map(renderScalar).join(', ')}]${newline}`;
  return `${name}:${newline}${value.map((item) => `  - ${renderScalar(item)}${newline}`).join('')}`;
}

/** Some readers end a line at these; JSON leaves them as they are. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u0085\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function renderScalar(value: Scalar): string {
  if (typeof value !== 'string') return String(value);
  const unmistakable =
    /^[\p{L}\p{N}_/.~][^\n\r\t:#[\]{},&*!|>'"%@`]*$/u.test(value) &&
    scalarOf(value) === value &&
    value === value.trim();
  return unmistakable || /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value) ? value : quoted(value);
}
