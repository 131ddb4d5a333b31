// What a user has settled by hand (`cairn done`, `cairn drop`, `cairn inbox keep`): settled.json in the user root. Open items are rows that can be deleted and made
// anew, so that they are settled cannot live in them: it is kept here, by the ref and the words of each, written under a lock as one file.

import fs from 'node:fs';
import path from 'node:path';
import { isObject, type JsonObject } from '../model/json.ts';
import { cutCodePoints } from '../model/text.ts';
import { atomicWrite } from './atomic-write.ts';
import { MAX_JSON_BYTES, parseJsonObject, readText } from './json-file.ts';
import { withLock } from './lock.ts';

export const SETTLED_STATES = ['done', 'dropped'] as const;
export type SettledState = (typeof SETTLED_STATES)[number];

export type Settlement = {
  readonly ref: string;
  readonly project: string;
  readonly state: SettledState;
  /** The words of the item, as the store had them: a new version may give its ref to another statement. */
  readonly text: string;
  readonly session?: string;
  readonly because?: string;
  /** ISO 8601. */
  readonly at: string;
  /** Of a note or a record, whose own status says that it is settled: what it was before. */
  readonly before?: string;
};

/**
 * That memories may stay as they are: two that say the same or contradict each other, or one whose files changed (`b` is missing then). It holds
 * while neither has changed: `mark` names what was looked at.
 */
export type Kept = {
  readonly a: string;
  readonly b?: string;
  readonly project: string;
  readonly mark: string;
  readonly at: string;
};

type Data = { readonly items: readonly Settlement[]; readonly kept: readonly Kept[] };

/** So much of a text names it. */
export const SETTLED_TEXT = 500;
const BECAUSE_MAX = 300;
/** Open items are of the last weeks: the oldest of so many have long been of no use. */
const MOST = 4_000;

export const settledFile = (userRoot: string): string => path.join(userRoot, 'settled.json');

function readData(userRoot: string): Data {
  const file = settledFile(userRoot);
  const text = readText(file, MAX_JSON_BYTES);
  if (text === undefined) return { items: [], kept: [] };
  const { items, kept } = parseJsonObject(text, file);
  return {
    items: (Array.isArray(items) ? items : []).flatMap((each) => settlementOf(each) ?? []),
    kept: (Array.isArray(kept) ? kept : []).flatMap((each) => keptOf(each) ?? []),
  };
}

/** Throws a CairnError where the file cannot be read, like the next. */
export const readSettled = (userRoot: string): readonly Settlement[] => readData(userRoot).items;
export const readKept = (userRoot: string): readonly Kept[] => readData(userRoot).kept;

export function keptOf(value: unknown): Kept | undefined {
  if (!isObject(value)) return undefined;
  const { a, b, project, mark, at } = value;
  if (typeof a !== 'string' || typeof project !== 'string' || typeof mark !== 'string' || typeof at !== 'string')
    return undefined;
  return { a, ...(typeof b === 'string' ? { b } : {}), project, mark, at };
}

/** Whatever is no settlement is none. */
export function settlementOf(value: unknown): Settlement | undefined {
  if (!isObject(value)) return undefined;
  const { ref, project, text, at } = value;
  const state = SETTLED_STATES.find((each) => each === value.state);
  if (state === undefined || typeof at !== 'string' || Number.isNaN(Date.parse(at))) return undefined;
  if (typeof ref !== 'string' || typeof project !== 'string' || typeof text !== 'string' || ref === '')
    return undefined;
  return {
    ...{ ref, project, state, text: cutCodePoints(text, SETTLED_TEXT), at },
    ...textField(value, 'session'),
    ...textField(value, 'because'),
    ...textField(value, 'before'),
  };
}

function textField<K extends string>(value: JsonObject, key: K): { [key in K]?: string } {
  const text = value[key];
  return typeof text === 'string' && text !== ''
    ? ({ [key]: cutCodePoints(text, BECAUSE_MAX) } as { [key in K]?: string })
    : {};
}

/** Reads, changes and writes under the lock of the file. A file that cannot be read stops the change: it is the user's to repair. */
async function changeData(userRoot: string, change: (data: Data) => Data): Promise<void> {
  const file = settledFile(userRoot);
  fs.mkdirSync(userRoot, { recursive: true, mode: 0o700 });
  await withLock(`${file}.lock`, (lock) => {
    const { items, kept } = change(readData(userRoot));
    const text = JSON.stringify({ version: 1, items: newest(items), kept: newest(kept) }, null, 1);
    atomicWrite(file, `${text}\n`, { mode: 0o600, beforeCommit: () => lock.assertHeld() });
  });
}

const newest = <T extends { readonly at: string }>(all: readonly T[]): T[] =>
  [...all].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, MOST);

export const changeSettled = (
  userRoot: string,
  change: (known: readonly Settlement[]) => readonly Settlement[],
): Promise<void> => changeData(userRoot, ({ items, kept }) => ({ items: change(items), kept }));

export const changeKept = (userRoot: string, change: (known: readonly Kept[]) => readonly Kept[]): Promise<void> =>
  changeData(userRoot, ({ items, kept }) => ({ items, kept: change(kept) }));

/** Those about the same memories give way. */
export const addKept = (userRoot: string, added: Kept): Promise<void> =>
  changeData(userRoot, ({ items, kept }) => ({
    items,
    kept: [...kept.filter(({ a, b, project }) => a !== added.a || b !== added.b || project !== added.project), added],
  }));

/** How much was settled of these memories and conversations; with `apply` it is no more. */
export async function forgetSettled(
  userRoot: string,
  gone: { readonly sessions: ReadonlySet<string>; readonly refs: ReadonlySet<string> },
  apply: boolean,
): Promise<number> {
  const stays = ({ ref, session }: Settlement): boolean =>
    !gone.refs.has(ref) && (session === undefined || !gone.sessions.has(session));
  const isKept = ({ a, b }: Kept): boolean => !gone.refs.has(a) && (b === undefined || !gone.refs.has(b));
  if (!fs.existsSync(settledFile(userRoot))) return 0;
  const { items, kept } = readData(userRoot);
  const left = { items: items.filter(stays), kept: kept.filter(isKept) };
  const count = items.length + kept.length - left.items.length - left.kept.length;
  if (apply && count > 0)
    await changeData(userRoot, (data) => ({ items: data.items.filter(stays), kept: data.kept.filter(isKept) }));
  return count;
}
