// What speaks for or against a memory besides its words: who said it, when, how sure, whether it still holds. Every factor is
// noted where it is applied; that note is what `--explain` prints.

import { lazy } from '../model/lazy.ts';
import { namesWork } from '../model/logged-work.ts';
import { isSaid, originOf } from '../model/provenance.ts';
import type { Document } from '../store/store.ts';
import type { Analysis } from './analyse.ts';
import type { Checked } from './answer.ts';
import type { Ranked } from './fuse.ts';
import { isAboutFile } from './paths.ts';
import { isStanding } from './question-words.ts';
import type { Weights } from './weights.ts';

export type World = {
  readonly now: number;
  readonly branch?: string | undefined;
  readonly feedback?: ((ref: string, project: string) => number) | undefined;
  /** Refs (with their project) that something newer replaces, and questions that have an answer. */
  readonly superseded: ReadonlySet<string>;
  readonly answered: ReadonlySet<string>;
  /** Words that the query begins with a capital letter: who it may speak of. */
  readonly names: ReadonlySet<string>;
  /** What was found is a written-down talk of people. */
  readonly isTalk: boolean;
  /** Somebody asked, and no prompt did in passing. */
  readonly isAsked: boolean;
  readonly keyOf: (document: Document) => string;
  readonly check: (document: Document) => Checked | undefined;
};

const DAY = 86_400_000;
/** What kinds of the other layers a kind of statement stands for. */
const LIKE: { readonly [intent: string]: readonly string[] } = {
  decision: ['constraint', 'preference'],
  problem: ['error', 'tech_debt'],
  solution: ['runbook', 'error'],
  todo: ['task', 'tech_debt'],
  conclusion: ['discovery', 'session_summary'],
  question: [],
  preference: [],
};

/** Whoever asks for tasks asks for those that are left. */
const DONE = new Set(['done', 'completed', 'cancelled', 'resolved']);
export const isOver = ({ status }: Document, { asking }: Analysis): boolean =>
  DONE.has(status) && asking.intents.includes('todo');

/** These kinds of statements, and what stands for them in the other layers. */
export const kindsOf = (intents: readonly string[]): string[] => [
  ...new Set(intents.flatMap((intent) => [intent, ...(LIKE[intent] ?? [])])),
];

export function weigh(ranked: Ranked, analysis: Analysis, world: World, weights: Weights): void {
  const { document } = ranked;
  if (world.names.size > 0) nameSpeaker(ranked, world.names, weights);
  const apply = (name: string, factor: number): void => {
    if (factor === 1) return;
    ranked.score *= factor;
    ranked.details.push({ name, factor });
  };
  // Whoever asks about a file asks for what changed it: then it is no echo of words.
  if (document.meta?.level === 'exchange')
    apply('exchange', isAboutFile(ranked.candidate) ? 1 : weights.exchangeItself);
  else if (document.kind === 'span') apply('span', weights.span);
  else if (document.layer === 'commit') apply('commit', weights.commit);
  speakers(document, analysis, weights, apply);
  intents(document, analysis, { world, weights, apply });
  times(document, analysis, { world, weights, apply });
  states(document, { world, weights, apply });
}

/** In a written-down talk: "Ines: We sail on Monday". */
// Made when they are needed, which a prompt seldom does: classes of all scripts take half a millisecond.
const spokenBy = lazy(() => /^([\p{Lu}][\p{L}'’-]{1,30}):\s/u);
const capitalised = lazy(() => /(?<![\p{L}\p{N}])[\p{Lu}][\p{L}'’-]{1,30}/gu);

/** With its genitive as the name itself: "Ines's". */
export const namesIn = (query: string): ReadonlySet<string> =>
  new Set((query.match(capitalised()) ?? []).map((name) => name.replace(/['’]s$/, '')));

function nameSpeaker(ranked: Ranked, names: ReadonlySet<string>, { speaker }: Weights): void {
  const { layer, text } = ranked.document;
  const name = layer === 'trace' ? spokenBy().exec(text)?.[1] : undefined;
  if (name === undefined || !names.has(name)) return;
  ranked.score += speaker.named;
  ranked.details.push({ name: 'speaker by name', points: speaker.named });
}

/** Most statements begin with who says them. “Problem: …” and “Frontend: …”, which begin some of any project, are no names. */
export function isTalk(ranked: readonly Ranked[]): boolean {
  const said = ranked.filter(({ document: { layer, kind } }) => layer === 'trace' && kind !== 'span');
  return said.filter(({ document }) => spokenBy().test(document.text)).length * 2 > said.length;
}

type Apply = (name: string, factor: number) => void;
type Place = { readonly world: World; readonly weights: Weights; readonly apply: Apply };

function speakers(document: Document, { asking }: Analysis, weights: Weights, apply: Apply): void {
  const role = document.meta?.role;
  if (typeof role !== 'string' || !isSaid(originOf(document.meta))) return;
  if (asking.speaker === role) apply('speaker', weights.speaker.same);
  if (role === 'user' && (asking.speaker === 'user' || asking.request) && isStanding(document.text))
    apply('standing', weights.standing);
}

function intents(document: Document, analysis: Analysis, { world, weights, apply }: Place): void {
  const { asking } = analysis;
  const asked = asking.intents.some((intent) => intent === document.kind || LIKE[intent]?.includes(document.kind));
  if (asked) apply('intent', weights.intent.asked);
  else if (answersNothing(document, analysis, world, weights)) apply('no answer', weights.noAnswer);
  if (asking.open && world.answered.has(world.keyOf(document))) apply('answered', weights.intent.openAnswered);
  if (isOver(document, analysis)) apply('done', weights.intent.openAnswered);
}

const WANTS = new Set(['problem', 'todo']);

/**
 * A question stands below its answer, whoever looks for it. Where something is asked, so do what is to be done, what went wrong, the name of a
 * commit and the talk between the steps of work; that talk also where a few words are looked for, which nobody has copied from it. But not in
 * written-down talks of people, and not where the words of whoever said it are asked for.
 */
function answersNothing(
  { layer, kind, meta, text }: Document,
  { asking: { speaker, question }, words }: Analysis,
  world: World,
  { learn }: Weights,
): boolean {
  if (layer !== 'trace' || kind === 'span' || (speaker !== undefined && speaker === meta?.role)) return false;
  if (kind === 'question') return true;
  if (world.isTalk || !world.isAsked) return false;
  if (meta?.search_only === true) return question || words.length <= learn.longestQuery;
  return question && (WANTS.has(kind) || namesWork(text));
}

function times(document: Document, { asking, since, until }: Analysis, { world, weights, apply }: Place): void {
  const { createdAt } = document;
  const named = since !== undefined || until !== undefined;
  if (named && createdAt >= (since ?? Number.NEGATIVE_INFINITY) && createdAt < (until ?? Number.POSITIVE_INFINITY))
    apply('time', weights.window.inside);
  if (!asking.latest) return;
  const age = Math.max(0, world.now - createdAt) / DAY;
  const { floor, halfLifeDays } = weights.recency;
  apply('recent', floor + (1 - floor) * 2 ** (-age / halfLifeDays));
}

function states(document: Document, { world, weights, apply }: Place): void {
  const { status, confidence, meta, ref, project } = document;
  apply('confidence', weights.confidence.floor + (1 - weights.confidence.floor) * clamp(confidence, 0, 1));
  const worth = meta?.worth;
  if (typeof worth === 'number') apply('worth', weights.worth.floor + (1 - weights.worth.floor) * clamp(worth, 0, 1));
  const replaced =
    status === 'superseded' || (world.superseded.size > 0 && world.superseded.has(world.keyOf(document)));
  if (replaced) apply('superseded', weights.status.superseded);
  if (status === 'archived') apply('archived', weights.status.archived);
  const { least, most } = weights.feedback;
  if (world.feedback) apply('feedback', clamp(world.feedback(ref, project), least, most));
  const branch = meta?.branch;
  if (world.branch !== undefined && typeof branch === 'string' && branch !== world.branch)
    apply('branch', weights.branch.other);
  const files = world.check(document);
  if (files === 'changed') apply('files changed', weights.files.changed);
  if (files === 'gone') apply('files gone', weights.files.gone);
}

const clamp = (value: number, least: number, most: number): number =>
  Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : 1;
