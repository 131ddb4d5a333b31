// What is learned from conversations, after the fact: of the memories that were put into prompts, which did the answer build on?
// Runs in the background once a turn is indexed; what the user says of a memory himself comes in here too.

import type { Config } from '../config/load.ts';
import { pruneShown } from '../learning/already-shown.ts';
import {
  changeFeedback,
  type Learned,
  learn,
  learnedAbout,
  readFeedback,
  unlearn,
  type Verdict,
} from '../learning/feedback.ts';
import { type InjectedEntry, type Injection, pruneInjections, readInjections } from '../learning/injection-log.ts';
import { shiftText, useInAll } from '../learning/told-shift.ts';
import { isUsedInAnswer } from '../learning/used-in-answer.ts';
import { indexWords } from '../store/index-words.ts';
import type { Document, Store } from '../store/store.ts';
import { answerTo } from '../transcripts/answer.ts';
import { namedDocument } from './named-memory.ts';
import { sameScopesIn } from './project-scopes.ts';

export type { Learned, Verdict } from '../learning/feedback.ts';
export {
  factorOf,
  factorParts,
  forgetFeedback,
  readFeedback,
  VERDICTS,
} from '../learning/feedback.ts';
export { type DayOfTokens, type Injection, readInjections, tokensByDay } from '../learning/injection-log.ts';
export { shiftText, toldShift, type Use, useInAll } from '../learning/told-shift.ts';

export type TurnEnd = { readonly session: string; readonly transcript: string; readonly now: Date };
export type UseReport = { readonly judged: number; readonly used: number };

/** Injections of other conversations stand between ours: so far back is looked for them. */
const LOOKED_AT = 500;
const MAX_JUDGED = 20;
const MEMORY_TEXT = 4_000;

/** Looks at the injections of a conversation that have an answer by now, once each. */
export async function recordUse(store: Store, { paths }: Config, turn: TurnEnd): Promise<UseReport> {
  const { userRoot } = paths;
  const since = readFeedback(userRoot).judged.get(turn.session) ?? '';
  const judged: { injection: Injection; entry: InjectedEntry; used: boolean }[] = [];
  const same = sameScopesIn({ paths });
  for (const injection of pendingOf(userRoot, turn.session, since)) {
    const answer = answerTo(turn.transcript, injection.prompt.hash);
    if (!answer) continue;
    for (const { entry, used } of await judge(store, injection, { ...answer, same }))
      judged.push({ injection, entry, used });
  }
  if (judged.length === 0) return { judged: 0, used: 0 };
  await changeFeedback(userRoot, (data) => {
    // Another worker may have been quicker.
    if ((data.judged.get(turn.session) ?? '') !== since) return;
    for (const { injection, entry, used } of judged) {
      const learned = learn(data, { project: entry.project, ref: entry.ref, at: injection.time });
      learned.injected++;
      if (used) learned.used++;
    }
    const times = judged.map(({ injection }) => injection.time).sort();
    data.judged.set(turn.session, times.at(-1) ?? since);
  });
  return { judged: judged.length, used: judged.filter(({ used }) => used).length };
}

/** Oldest first. */
function pendingOf(userRoot: string, session: string, since: string): Injection[] {
  const pending: Injection[] = [];
  let looked = 0;
  for (const injection of readInjections(userRoot)) {
    if (++looked > LOOKED_AT || pending.length >= MAX_JUDGED) break;
    if (injection.session !== session) continue;
    if (injection.time <= since) break;
    pending.unshift(injection);
  }
  return pending;
}

async function judge(
  store: Store,
  { entries }: Injection,
  answer: { readonly prompt: string; readonly text: string; readonly same: (scope: string) => readonly string[] },
): Promise<{ entry: InjectedEntry; used: boolean }[]> {
  const projects = [...new Set(entries.flatMap(({ project }) => answer.same(project)))];
  if (projects.length === 0) return [];
  const documents = await store.get({ refs: entries.map(({ ref }) => ref), projects });
  const prompt = new Set(indexWords(answer.prompt));
  const said = new Set(indexWords(answer.text));
  const judged: { entry: InjectedEntry; used: boolean }[] = [];
  for (const entry of entries) {
    const document = documents.find(
      ({ project, ref }) => ref === entry.ref && answer.same(entry.project).includes(project),
    );
    if (!document) continue; // gone since: nothing is to be learned about it
    const words = [...new Set(indexWords(`${document.title}\n${document.text}`.slice(0, MEMORY_TEXT)))];
    const { documents: all, counts } = await store.counts({ words });
    const having = new Map(words.map((word, at) => [word, counts[at] ?? 0]));
    const used = isUsedInAnswer({
      ref: entry.ref,
      memory: words,
      prompt,
      answer: said,
      answerText: answer.text,
      documentsWith: (word) => having.get(word) ?? 0,
      documents: all,
    });
    judged.push({ entry, used });
  }
  return judged;
}

/** What has become too old to be of use: the log of more than a year ago, what conversations of last month were told. */
export function tidyInjections({ paths }: Config, now: Date): void {
  pruneInjections(paths.userRoot, now);
  pruneShown(paths.userRoot, now);
}

export type Named = { readonly ref: string; readonly project: string; readonly title: string };

/** The memory that somebody names, in this project before others. Throws where there is none. */
export const namedMemory = async (store: Store, config: Pick<Config, 'paths'>, ref: string): Promise<Named> =>
  nameOf(await namedDocument(store, config, ref));

const nameOf = ({ ref, project, title, text }: Document): Named => ({
  ref,
  project,
  title: title || text.slice(0, 120),
});

export function judgeMemory({ paths }: Config, { ref, project }: Named, verdict: Verdict, now: Date): Promise<Learned> {
  return changeFeedback(paths.userRoot, (data) => {
    const at = now.toISOString();
    const learned = learn(data, { project, ref, at });
    learned.verdict = verdict;
    learned.verdictAt = at;
    return { ...learned };
  });
}

/** Returns whether anything was known. */
export function forgetMemory({ paths }: Config, { ref, project }: Pick<Named, 'ref' | 'project'>): Promise<boolean> {
  return changeFeedback(paths.userRoot, (data) => unlearn(data, project, ref));
}

/** What was learned of memories moves what is told of them unasked; in words, empty where it does not. */
export function toldTexts({ paths }: Config): (memory: Pick<Named, 'ref' | 'project'>) => string {
  const data = readFeedback(paths.userRoot);
  const all = useInAll(data);
  return ({ ref, project }) => shiftText(learnedAbout(data, project, ref), all);
}

export const learnedOf = ({ paths }: Config, { ref, project }: Pick<Named, 'ref' | 'project'>): Learned | undefined =>
  learnedAbout(readFeedback(paths.userRoot), project, ref);
