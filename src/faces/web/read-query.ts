// From what a request says to what a route takes: every value is checked and bounded here, and what is wrong is named.

import { CairnError } from '../../errors.ts';
import { isObject } from '../../model/json.ts';
import { parseTimestamp } from '../../model/schema.ts';

const MAX_TEXT = 4_000;
const MAX_LIST = 100;

export class Query {
  readonly #values: URLSearchParams;

  constructor(values: URLSearchParams) {
    this.#values = values;
  }

  text(name: string, max = MAX_TEXT): string | undefined {
    const value = this.#values.get(name) ?? undefined;
    if (value === undefined || value === '') return undefined;
    if (value.length > max) throw wrong(name, `at most ${max} characters`);
    return value;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw wrong(name, 'a value');
    return value;
  }

  list(name: string): string[] | undefined {
    const values = this.#values
      .getAll(name)
      .flatMap((each) => each.split(','))
      .map((each) => each.trim())
      .filter((each) => each !== '');
    if (values.length > MAX_LIST) throw wrong(name, `at most ${MAX_LIST} values`);
    return values.length === 0 ? undefined : values;
  }

  oneOf<const T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const found = choices.find((each) => each === value);
    if (found === undefined) throw wrong(name, `one of ${choices.join(', ')}`);
    return found;
  }

  /** A whole number; what lies outside the range is moved into it, because a slider may overshoot. */
  number(name: string, { least, most, usual }: { least: number; most: number; usual: number }): number {
    return Math.min(most, Math.max(least, this.maybeNumber(name) ?? usual));
  }

  maybeNumber(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (!Number.isFinite(number)) throw wrong(name, 'a number');
    return Math.floor(number);
  }

  isSet(name: string): boolean {
    return ['true', '1'].includes(this.text(name) ?? '');
  }

  /** Milliseconds, from milliseconds or an ISO date. */
  time(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const time = /^-?\d{1,15}$/.test(value) ? Number(value) : parseTimestamp(value);
    if (time === undefined) throw wrong(name, 'milliseconds or a date such as 2026-01-31');
    return time;
  }
}

/** Leaves out what is undefined: an absent field and an undefined one are two things to the types. */
export function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** The fields of a JSON body, each asked for by its type. */
export class Body {
  readonly #fields: { readonly [name: string]: unknown };
  readonly #within: string;

  constructor(value: unknown, within = '') {
    if (!isObject(value)) throw wrong(within || 'the body', 'a JSON object');
    this.#fields = value;
    this.#within = within;
  }

  raw(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  maybeText(name: string): string | undefined {
    const value = this.raw(name);
    if (value === undefined || typeof value === 'string') return value;
    throw wrong(this.#name(name), 'text');
  }

  text(name: string): string {
    const value = this.maybeText(name);
    if (value === undefined || value === '') throw wrong(this.#name(name), 'text');
    return value;
  }

  texts(name: string): string[] | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value as string[];
    throw wrong(this.#name(name), 'a list of texts');
  }

  number(name: string): number | null | undefined {
    const value = this.raw(name);
    if (value === undefined || value === null || typeof value === 'number') return value;
    throw wrong(this.#name(name), 'a number');
  }

  object(name: string): Body {
    return new Body(this.raw(name), this.#name(name));
  }

  entries(): [string, unknown][] {
    return Object.entries(this.#fields);
  }

  #name(name: string): string {
    return this.#within === '' ? name : `${this.#within}.${name}`;
  }
}

const wrong = (name: string, expected: string): CairnError =>
  new CairnError('INPUT_ERROR', `${name} must be ${expected}.`, { fix: 'Correct it and ask again.' });
