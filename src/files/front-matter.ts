// Front matter of Markdown files: where it begins and ends, what its properties say, and how one of them is changed. What Cairn wrote
// itself is read and written line by line; anything else is read so where that is certain, and else, and for every change, with the
// `yaml` package (edit-yaml.ts), so that nothing that another YAML reader accepts is broken or lost. Nothing is ever evaluated.

import { CairnError } from '../errors.ts';
import { editYaml } from './edit-yaml.ts';
import { type KeyLines, type LineReading, type Property, readLines } from './property-lines.ts';
import { type PropertyChange, type PropertyValue, renderProperty, type Scalar } from './property-text.ts';
import { readYaml } from './read-yaml.ts';

export type { PropertyValue } from './property-text.ts';

const MAX_FRONT_MATTER = 64 * 1024;
/** Lines end with \n and nothing else: `^` would also take what stands behind a lone \r or U+2028 for a new one. */
const CLOSING = /(?<=^|\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

export class FrontMatter {
  #before: string;
  #source: string;
  #after: string;
  readonly #newline: string;
  #reading: ReadonlyMap<string, Property | undefined> | undefined;
  /** Everything behind the closing line. */
  body: string;
  /** What is wrong with it, in words; the file is then treated as one without properties. */
  readonly problem: string | undefined;

  private constructor(parts: {
    before: string;
    source: string;
    after: string;
    body: string;
    newline: string;
    problem?: string;
  }) {
    this.#before = parts.before;
    this.#source = parts.source;
    this.#after = parts.after;
    this.#newline = parts.newline;
    this.body = parts.body;
    this.problem = parts.problem;
  }

  static parse(text: string): FrontMatter {
    const opening = /^\uFEFF?---[ \t]*(?:(\S+)[ \t]*)?\r?\n/.exec(text);
    const first = opening?.[0] ?? text.slice(0, text.indexOf('\n') + 1);
    const newline = first.endsWith('\r\n') ? '\r\n' : '\n';
    const bare = { before: '', source: '', after: '', body: text, newline };
    if (!opening) return new FrontMatter(bare);
    if (opening[1])
      return new FrontMatter({
        ...bare,
        problem: `its front matter is of the kind "${opening[1]}"; only plain properties are read`,
      });
    const rest = text.slice(opening[0].length, opening[0].length + MAX_FRONT_MATTER);
    const closing = CLOSING.exec(rest);
    if (!closing) return new FrontMatter({ ...bare, problem: 'its front matter does not end' });
    return new FrontMatter({
      before: opening[0],
      source: rest.slice(0, closing.index),
      after: closing[0],
      body: text.slice(opening[0].length + closing.index + closing[0].length),
      newline,
    });
  }

  /** A file that has none yet. */
  static empty(body: string): FrontMatter {
    return new FrontMatter({ before: '---\n', source: '', after: '---\n', body, newline: '\n' });
  }

  get exists(): boolean {
    return this.#before !== '';
  }

  get keys(): string[] {
    return [...this.#properties().keys()];
  }

  get(key: string): PropertyValue | undefined {
    return this.#properties().get(key)?.value;
  }

  /** The text of a property; numbers and booleans as they were written. */
  text(key: string): string | undefined {
    const property = this.#properties().get(key);
    return property === undefined || property.value === null || typeof property.text !== 'string'
      ? undefined
      : property.text;
  }

  /** A list, also where only one value stands; each item as it was written. */
  list(key: string): string[] {
    const property = this.#properties().get(key);
    if (property === undefined || property.value === null) return [];
    if (typeof property.text === 'string') return [property.text];
    return property.text.filter((_, at) => (property.value as unknown[])[at] !== null);
  }

  /** A property that has this value already stays as it was written. */
  set(key: string, value: PropertyValue): void {
    const old = this.#properties().get(key);
    if (old === undefined || old.nested || !isEqual(old.value, value)) this.#change({ key, value });
  }

  /** A list of these texts; an item that is there already stays as it was written. */
  setList(key: string, texts: readonly string[]): void {
    const old = this.#properties().get(key);
    if (!Array.isArray(old?.text) || !isEqual(old.text, texts)) this.#change({ key, texts });
  }

  remove(key: string): void {
    if (this.#properties().has(key)) this.#change({ key, value: undefined });
  }

  toString(): string {
    return this.#before + this.#source + this.#after + this.body;
  }

  /** Last wins where a key is there twice, as with other readers. */
  #properties(): ReadonlyMap<string, Property | undefined> {
    if (this.#reading) return this.#reading;
    const lines = readLines(this.#source);
    const whole = lines.sure ? undefined : readYaml(this.#source);
    this.#reading =
      whole instanceof Map ? whole : new Map(lines.keys.map(({ key, property }) => [key, property] as const));
    return this.#reading;
  }

  #change(change: PropertyChange): void {
    if (this.problem !== undefined)
      throw new CairnError('UPDATE_ERROR', `The note was left as it is: ${this.problem}.`, {
        fix: 'Correct its front matter in an editor, then try again.',
      });
    const lines = readLines(this.#source);
    this.#source = isOwn(lines, this.#newline)
      ? changedLines(lines.keys, change, this.#newline)
      : editYaml(this.#source, change, this.#newline);
    this.#reading = undefined;
    if (!this.exists) this.#open();
  }

  /** A byte order mark stays the first of the file. */
  #open(): void {
    const mark = this.body.startsWith('\uFEFF') ? '\uFEFF' : '';
    this.body = this.body.slice(mark.length);
    this.#before = `${mark}---${this.#newline}`;
    this.#after = `---${this.#newline}`;
  }
}

const isEqual = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b)
    ? a.length === b.length && a.every((each, at) => Object.is(each, b[at]))
    : Object.is(a, b);

/** Nothing but what Cairn writes, as Cairn writes it: then it may be changed line by line. */
const isOwn = ({ sure, onlyKeys, keys }: LineReading, newline: string): boolean =>
  sure &&
  onlyKeys &&
  keys.every(({ key, raw, property }) => property && raw === renderProperty(key, property.value, newline));

function changedLines(keys: readonly KeyLines[], change: PropertyChange, newline: string): string {
  const old = keys.find(({ key }) => key === change.key)?.property;
  const wanted = change.texts ? change.texts.map((text) => itemOf(old, text)) : change.value;
  const raw = wanted === undefined ? '' : renderProperty(change.key, wanted, newline);
  const known = keys.some(({ key }) => key === change.key);
  return keys.map((each) => (each.key === change.key ? raw : each.raw)).join('') + (known ? '' : raw);
}

/** The item that is written so already: it may be a number. */
function itemOf(property: Property | undefined, text: string): Scalar {
  const at = Array.isArray(property?.text) ? property.text.indexOf(text) : -1;
  return at === -1 ? text : (property!.value as Scalar[])[at]!;
}
