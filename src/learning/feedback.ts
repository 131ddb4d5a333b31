// What was learned about single memories: what the user said of them, and how often an answer built on them after they were
// injected. One file in the user's own folder, bounded, changed under a lock, read by every prompt. A factor made of it moves a
// memory's rank a little; it never hides what was asked for.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { MAX_JSON_BYTES, parseJsonObject, readText } from '../files/json-file.ts';
import { withLock } from '../files/lock.ts';
import { readRegistry, sameScopes } from '../files/project-registry.ts';
import { isObject, type JsonObject } from '../model/json.ts';

export const VERDICTS = ['useful', 'wrong', 'stale'] as const;
export type Verdict = (typeof VERDICTS)[number];

export type Learned = {
  /** The last word of the user. */
  verdict?: Verdict;
  verdictAt?: string;
  /** How often it was injected and looked at afterwards, and how often the answer built on it. */
  injected: number;
  used: number;
  /** When it last changed. */
  at: string;
};

export type FeedbackData = {
  memories: Map<string, Map<string, Learned>>;
  /** Conversation → time of the last injection whose answer was looked at. */
  judged: Map<string, string>;
  /** Scope → all that mean the same project: what was learned at another place, or under an older name, counts here. */
  same?: (scope: string) => readonly string[];
};

/** Verdicts, and how far use moves a rank: from `rare` (often injected, never used) to `often`. */
const FEEDBACK_FACTORS = {
  verdict: { useful: 1.25, stale: 0.7, wrong: 0.5 },
  /** Use is believed slowly: as if it had been injected four times before, and used once. */
  use: { strength: 0.4, usual: 0.25, before: 4, rare: 0.9, often: 1.2 },
  least: 0.5,
  most: 1.5,
} as const;

const MAX_MEMORIES = 5_000;
const MAX_JUDGED = 200;

export const feedbackFile = (userRoot: string): string => path.join(userRoot, 'feedback.json');

export type FactorPart = { readonly name: string; readonly factor: number };

/** What the factor is made of; nothing where nothing is known. */
export function factorParts({ verdict, injected, used }: Learned): FactorPart[] {
  const parts: FactorPart[] = [];
  if (verdict !== undefined) parts.push({ name: verdict, factor: FEEDBACK_FACTORS.verdict[verdict] });
  const { strength, usual, before, rare, often } = FEEDBACK_FACTORS.use;
  const share = (used + usual * before) / (injected + before);
  const factor = round(clamp(1 + strength * (share - usual), rare, often));
  if (factor !== 1) parts.push({ name: `used ${used} of ${injected} times`, factor });
  return parts;
}

/** 1 where nothing is known. */
export function factorOf(learned: Learned | undefined): number {
  if (!learned) return 1;
  const product = factorParts(learned).reduce((all, { factor }) => all * factor, 1);
  return round(clamp(product, FEEDBACK_FACTORS.least, FEEDBACK_FACTORS.most));
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
const round = (value: number): number => Math.round(value * 1e4) / 1e4;

/** Throws a CairnError where the file cannot be read. */
export function readFeedback(userRoot: string): FeedbackData {
  const file = feedbackFile(userRoot);
  const text = readText(file, MAX_JSON_BYTES);
  const data: JsonObject = text === undefined ? {} : parseJsonObject(text, file);
  const memories: FeedbackData['memories'] = new Map();
  for (const [project, refs] of Object.entries(isObject(data.memories) ? data.memories : {})) {
    const known = Object.entries(isObject(refs) ? refs : {}).flatMap(([ref, value]): [string, Learned][] =>
      isObject(value) ? [[ref, learnedOf(value)]] : [],
    );
    memories.set(project, new Map(known));
  }
  const judged = Object.entries(isObject(data.judged) ? data.judged : {});
  return {
    memories,
    judged: new Map(judged.filter((each): each is [string, string] => typeof each[1] === 'string')),
    ...(memories.size === 0 ? {} : { same: sameScopes(readRegistry(userRoot)) }),
  };
}

function learnedOf(value: JsonObject): Learned {
  const { verdict, verdictAt, injected, used, at } = value;
  const times = countOf(injected);
  return {
    ...(VERDICTS.includes(verdict as Verdict) ? { verdict: verdict as Verdict } : {}),
    ...(typeof verdictAt === 'string' ? { verdictAt } : {}),
    injected: times,
    used: Math.min(times, countOf(used)),
    at: typeof at === 'string' ? at : '',
  };
}

const countOf = (value: unknown): number =>
  typeof value === 'number' && value >= 0 && Number.isFinite(value) ? Math.floor(value) : 0;

export function learnedAbout(data: FeedbackData, project: string, ref: string): Learned | undefined {
  const found = scopesLike(data, project).flatMap((scope) => data.memories.get(scope)?.get(ref) ?? []);
  return found.length < 2 ? found[0] : found.reduce(together);
}

const scopesLike = ({ same }: FeedbackData, project: string): readonly string[] => same?.(project) ?? [project];

/** Of the same memory at two places: the last word, and all counts. */
function together(one: Learned, other: Learned): Learned {
  const word = (other.verdictAt ?? '') > (one.verdictAt ?? '') ? other : one;
  const { verdict, verdictAt } = word.verdict === undefined ? (word === one ? other : one) : word;
  return {
    ...(verdict === undefined ? {} : { verdict }),
    ...(verdictAt === undefined ? {} : { verdictAt }),
    injected: one.injected + other.injected,
    used: one.used + other.used,
    at: [one.at, other.at].sort().at(-1) ?? one.at,
  };
}

/** A function for the ranking: ref and project → factor. */
export function feedbackFactors(data: FeedbackData): (ref: string, project: string) => number {
  return (ref, project) => factorOf(learnedAbout(data, project, ref));
}

/** The entry of a memory, made if there is none. */
export function learn(data: FeedbackData, { project, ref, at }: { project: string; ref: string; at: string }): Learned {
  const refs = data.memories.get(project) ?? new Map<string, Learned>();
  const learned = refs.get(ref) ?? { injected: 0, used: 0, at };
  learned.at = at;
  refs.set(ref, learned);
  data.memories.set(project, refs);
  return learned;
}

/** Returns whether there was anything to forget. */
export function unlearn(data: FeedbackData, project: string, ref: string): boolean {
  return scopesLike(data, project)
    .map((scope) => data.memories.get(scope)?.delete(ref) ?? false)
    .includes(true);
}

/** Reads, changes and writes under the lock of the file. A file that cannot be read stops the change: it is the user's to repair. */
export async function changeFeedback<T>(userRoot: string, change: (data: FeedbackData) => T): Promise<T> {
  const file = feedbackFile(userRoot);
  fs.mkdirSync(userRoot, { recursive: true, mode: 0o700 });
  return withLock(`${file}.lock`, (lock) => {
    const data = readFeedback(userRoot);
    const result = change(data);
    atomicWrite(file, textOf(data), { mode: 0o600, beforeCommit: () => lock.assertHeld() });
    return result;
  });
}

/** How much is known of these memories and conversations; with `apply` it is no more. */
export async function forgetLearned(
  userRoot: string,
  gone: { readonly sessions: ReadonlySet<string>; readonly refs: ReadonlySet<string> },
  apply: boolean,
): Promise<number> {
  const take = (data: FeedbackData): number => {
    let count = 0;
    for (const refs of data.memories.values())
      for (const ref of [...refs.keys()]) if (gone.refs.has(ref) && refs.delete(ref)) count++;
    for (const session of gone.sessions) if (data.judged.delete(session)) count++;
    return count;
  };
  const count = fs.existsSync(feedbackFile(userRoot)) ? take(readFeedback(userRoot)) : 0;
  return apply && count > 0 ? changeFeedback(userRoot, take) : count;
}

/** For a file that is damaged, too: everything that was learned is gone. */
export async function forgetFeedback(userRoot: string): Promise<void> {
  const file = feedbackFile(userRoot);
  fs.mkdirSync(userRoot, { recursive: true, mode: 0o700 });
  await withLock(`${file}.lock`, (lock) => {
    lock.assertHeld();
    fs.rmSync(file, { force: true });
  });
}

function textOf(data: FeedbackData): string {
  const kept = newest(data);
  const memories: { [project: string]: { [ref: string]: Learned } } = {};
  for (const [project, refs] of data.memories) {
    const own = [...refs].filter(([, learned]) => kept.has(learned));
    if (own.length > 0) define(memories, project, Object.fromEntries(own));
  }
  const judged = [...data.judged].sort(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, MAX_JUDGED);
  const text = `${JSON.stringify({ version: 1, memories, judged: Object.fromEntries(judged) }, null, 1)}\n`;
  if (Buffer.byteLength(text) <= MAX_JSON_BYTES) return text;
  throw new CairnError('LIMIT_ERROR', 'What was learned has become too large to be kept.', {
    fix: 'Forget it and begin anew: cairn feedback --reset-all',
  });
}

/** A name such as `__proto__` is a name like any other. */
function define<T>(target: { [key: string]: T }, key: string, value: T): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** What a person said stays longest; of what was only counted, the newest. */
function newest(data: FeedbackData): ReadonlySet<Learned> {
  const all = [...data.memories.values()].flatMap((refs) => [...refs.values()]);
  if (all.length <= MAX_MEMORIES) return new Set(all);
  const rank = ({ verdict, at }: Learned): string => (verdict === undefined ? '0' : '1') + at;
  return new Set(all.sort((a, b) => (rank(a) < rank(b) ? 1 : -1)).slice(0, MAX_MEMORIES));
}
