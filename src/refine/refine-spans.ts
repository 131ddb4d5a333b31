// Better names, summaries, ideas and relations for finished topics, by a model, where the user has one: one bounded question per
// topic, the answer checked, kept in a file, and put into the store. Whatever goes wrong, the rows that were made without a model
// stay: a ceiling that is reached or a service that is down only leaves topics for next time.

import { CairnError } from '../errors.ts';
import { topicWords } from '../extraction/topic-words.ts';
import type { LinesOf, SourceLine } from '../indexing/transcripts/span-lines.ts';
import { type Llm, LlmError, type LlmFailure } from '../llm/llm.ts';
import { isSaid, originOf } from '../model/provenance.ts';
import type { Document, Store } from '../store/store.ts';
import { applyRefinement, ideasIn, isRefined, refinedIdeaRef } from './apply-refinement.ts';
import { type CheckedAnswer, checkAnswer } from './refine-answer.ts';
import { cleanLines, MAX_ANSWER_TOKENS, type RefineQuestion, refineQuestion, sourceHash } from './refine-prompt.ts';
import {
  type Refinement,
  type RefinementAnswer,
  readRefinement,
  refinementFile,
  refinementFiles,
  writeRefinement,
} from './refinement-file.ts';

export type RefineOptions = {
  readonly linesOf: LinesOf;
  /** `~/.cairn/refinements`. */
  readonly refinementsDir: string;
  /** Only topics of this project. */
  readonly project?: string;
  /** Scope → all that mean the same: an answer that was kept under an older name of its project still counts. */
  readonly same?: (scope: string) => readonly string[];
  /** Looked at before each topic: stop here, what is done is kept. */
  readonly stopped?: () => boolean;
  /** Ends a call that is under way. */
  readonly signal?: AbortSignal;
  /** After each topic, with how many are done of how many. */
  readonly onProgress?: (done: number, all: number) => void;
  /** At most so many calls. */
  readonly limit?: number;
  readonly now?: () => Date;
};

export type RefineReport = {
  /** Topics that are better now. */
  refined: number;
  /** Of these: by an answer that was kept from before, at no cost. */
  replayed: number;
  /** Statements of the model that the lines do not support. */
  refused: number;
  /** Topics whose answer could not be used. */
  failed: number;
  /** Topics for next time. */
  left: number;
  /** Why it ended early: the ceiling, a service that is down, a key that is missing. */
  halted?: CairnError;
};

const PAGE = 500;
/** A pause after which the next prompt begins a new topic anyway. */
const QUIET_MS = 3 * 3_600_000;
const MOST_FAILURES = 3;
const EARLIER = 8;
const TELLING_WORDS = 10;
/** The question is at fault, or this answer; the next question may fare better. */
const ABOUT_THE_QUESTION: readonly LlmFailure[] = ['timeout', 'rejected', 'refused', 'cut', 'garbage'];

export async function refineSpans(store: Store, llm: Llm, options: RefineOptions): Promise<RefineReport> {
  const report: RefineReport = { refined: 0, replayed: 0, refused: 0, failed: 0, left: 0 };
  const waiting = await finishedSpans(store, options);
  let calls = 0;
  for (const [at, { span, failures }] of waiting.entries()) {
    const enough = options.limit !== undefined && calls >= options.limit;
    if (enough || report.halted || options.stopped?.() || options.signal?.aborted) {
      report.left += waiting.length - at;
      break;
    }
    const outcome = await refineOne(store, llm, { span, failures, options });
    if (outcome.asked) calls += 1;
    count(report, outcome);
    options.onProgress?.(at + 1, waiting.length);
  }
  return report;
}

type Outcome = {
  readonly state: 'refined' | 'replayed' | 'failed' | 'left';
  readonly asked: boolean;
  readonly refused?: number;
  readonly halted?: CairnError;
};

function count(report: RefineReport, { state, refused, halted }: Outcome): void {
  if (state === 'failed') report.failed += 1;
  else if (state === 'left') report.left += 1;
  else report.refined += 1;
  if (state === 'replayed') report.replayed += 1;
  report.refused += refused ?? 0;
  if (halted) report.halted = halted;
}

type Waiting = { readonly span: Document; readonly failures: number };

async function refineOne(
  store: Store,
  llm: Llm,
  { span, options }: Waiting & { options: RefineOptions },
): Promise<Outcome> {
  const all = cleanLines((await options.linesOf(span)) ?? []);
  if (all.length === 0) return { state: 'left', asked: false };
  const source = sourceHash(all);
  const kept = readRefinement(keptFile(options, span));
  const known = kept?.source === source ? kept : undefined;
  if (known?.answer) {
    const done = await applyRefinement(store, span, { model: known.model, answer: known.answer });
    return { state: done ? 'replayed' : 'left', asked: false };
  }
  const question = await questionFor(store, span, all);
  if (question.lines.size === 0) return { state: 'left', asked: false };
  const base: Refinement = {
    version: '1',
    project: span.project,
    span: span.ref,
    extent: extentOf(span),
    source,
    model: llm.name,
    at: (options.now?.() ?? new Date()).toISOString(),
    failures: known?.failures ?? 0,
  };
  const fail = (refused = 0): Outcome => {
    writeRefinement(options.refinementsDir, { ...base, failures: base.failures + 1 });
    return { state: 'failed', asked: true, refused };
  };
  try {
    const { system, prompt } = question;
    const signal = options.signal ? { signal: options.signal } : {};
    const reply = await llm.complete({ system, prompt, maxTokens: MAX_ANSWER_TOKENS, ...signal });
    const checked = checkAnswer(reply.text, question);
    if (!checked) return fail();
    if (!checked.name && !checked.summary && checked.ideas.length + checked.judged.length === 0)
      return fail(checked.refused);
    const answer = answerOf(checked, question, span);
    // First the file: what has been paid for is not lost, whatever becomes of the store.
    writeRefinement(options.refinementsDir, { ...base, answer });
    const done = await applyRefinement(store, span, { model: llm.name, answer });
    return { state: done ? 'refined' : 'left', asked: true, refused: checked.refused };
  } catch (error) {
    if (error instanceof LlmError && ABOUT_THE_QUESTION.includes(error.failure)) return fail();
    // No model for now (or a ledger that cannot be read): the rows without a model stand.
    if (error instanceof LlmError || isLedgerError(error)) return { state: 'left', asked: false, halted: error };
    throw error;
  }
}

const extentOf = ({ meta }: Document): string => `${meta?.start}-${meta?.end}, ${meta?.turns} turns`;

const isLedgerError = (error: unknown): error is CairnError =>
  error instanceof CairnError && (error.code === 'READ_ERROR' || error.code === 'LOCK_ERROR');

async function questionFor(store: Store, span: Document, all: readonly SourceLine[]): Promise<RefineQuestion> {
  const inside = (await ideasIn(store, span)).filter((idea) => idea.meta?.by === undefined && wasSaid(idea));
  const parts = span.meta?.depth === 0 ? await partsOf(store, span) : [];
  const isInPart = ({ line }: SourceLine): boolean =>
    parts.some((part) => line >= Number(part.meta?.start) && line <= Number(part.meta?.end));
  const lines = all.filter((line) => !isInPart(line));
  const earlier = await earlierThan(store, span, inside);
  return refineQuestion({ span, lines, ideas: inside, parts, earlier });
}

async function partsOf(store: Store, span: Document): Promise<readonly Document[]> {
  const filter = { projects: [span.project], layers: ['trace'], kinds: ['span'], spans: [span.ref] };
  return (await store.list({ filter, order: 'oldest', limit: PAGE })).documents;
}

/** What other topics of the project have settled or left open about the same things. */
async function earlierThan(store: Store, span: Document, ideas: readonly Document[]): Promise<Document[]> {
  const telling = ideas.filter((idea) => idea.kind !== 'context').map((idea) => idea.text);
  const words = [...new Set(topicWords([span.title, ...telling].join('\n').slice(0, 4_000)))].slice(0, TELLING_WORDS);
  if (words.length === 0) return [];
  const kinds = ['decision', 'conclusion', 'question', 'problem', 'solution', 'todo'];
  const filter = { projects: [span.project], layers: ['trace'], kinds, until: span.createdAt };
  const hits = await store.search({ terms: words.map((text) => ({ text })), filter, limit: EARLIER * 3 });
  const found = await store.get({ refs: hits.map((hit) => hit.ref), projects: [span.project] });
  return found.filter((idea) => idea.span !== span.ref && wasSaid(idea)).slice(0, EARLIER);
}

/** What was quoted, pasted or printed is not shown to the model: it has nothing to say about it. */
const wasSaid = ({ meta }: Document): boolean => isSaid(originOf(meta));

/** With names that hold in every store, in place of the ids that were used with the model. */
function answerOf(checked: CheckedAnswer, question: RefineQuestion, span: Document): RefinementAnswer {
  const ideas = checked.ideas.map((idea) => ({
    ...idea,
    ref: refinedIdeaRef(span.ref, idea.text),
    by: question.lines.get(idea.line)?.who === 'user' ? ('user' as const) : ('assistant' as const),
  }));
  const unique = [...new Map(ideas.map((idea) => [idea.ref, idea])).values()];
  const refOf = (id: string): string =>
    id.startsWith('n') ? ideas[Number(id.slice(1)) - 1]!.ref : question.known.get(id)!.ref;
  const relations = checked.relations
    .map(({ from, to, relation }) => ({ from: refOf(from), to: refOf(to), relation }))
    .filter(({ from, to }) => from !== to);
  return {
    ...(checked.name ? { name: checked.name } : {}),
    ...(checked.summary ? { summary: checked.summary } : {}),
    ideas: unique,
    judged: checked.judged.map(({ id, intent, confidence }) => ({ ref: refOf(id), intent, confidence })),
    relations,
  };
}

/** The answer about a topic, under the name that its project has or had. */
function keptFile(
  { refinementsDir, same }: Pick<RefineOptions, 'refinementsDir' | 'same'>,
  { project, ref }: Document,
  isThere: (file: string) => boolean = (file) => readRefinement(file) !== undefined,
): string {
  const files = [project, ...(same?.(project) ?? [])].map((each) =>
    refinementFile(refinementsDir, { project: each, span: ref }),
  );
  return files.find(isThere) ?? files[0]!;
}

/** Topics that have ended and were not refined: those that never failed first, parts before the whole, the newest first. */
async function finishedSpans(store: Store, options: RefineOptions): Promise<Waiting[]> {
  const spans = await allSpans(store, options.project);
  const last = new Map<string, number>();
  const placeOf = (span: Document): string => `${span.project}\n${span.source?.file}\n${span.span ?? ''}`;
  const startOf = (span: Document): number => Number(span.meta?.start ?? 0);
  for (const span of spans) last.set(placeOf(span), Math.max(last.get(placeOf(span)) ?? 0, startOf(span)));
  const now = (options.now?.() ?? new Date()).getTime();
  const byRef = new Map(spans.map((span) => [`${span.project}\n${span.ref}`, span]));
  const isFinished = (span: Document): boolean => {
    if (now - span.updatedAt > QUIET_MS || startOf(span) < last.get(placeOf(span))!) return true;
    const whole = span.span === undefined ? undefined : byRef.get(`${span.project}\n${span.span}`);
    return whole !== undefined && isFinished(whole);
  };
  const files = new Set(refinementFiles(options.refinementsDir));
  const failuresOf = (span: Document): number => {
    const file = keptFile(options, span, (each) => files.has(each));
    const kept = files.has(file) ? readRefinement(file) : undefined;
    return kept && !kept.answer && kept.extent === extentOf(span) ? kept.failures : 0;
  };
  return spans
    .filter((span) => !isRefined(span) && isFinished(span))
    .map((span) => ({ span, failures: failuresOf(span) }))
    .filter(({ failures }) => failures < MOST_FAILURES)
    .sort(
      (a, b) =>
        a.failures - b.failures ||
        Number(b.span.meta?.depth ?? 0) - Number(a.span.meta?.depth ?? 0) ||
        b.span.updatedAt - a.span.updatedAt ||
        (a.span.ref < b.span.ref ? -1 : 1),
    );
}

async function allSpans(store: Store, project: string | undefined): Promise<Document[]> {
  const filter = { layers: ['trace'], kinds: ['span'], ...(project === undefined ? {} : { projects: [project] }) };
  const spans: Document[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ filter, order: 'ref', limit: PAGE, ...(cursor ? { cursor } : {}) });
    spans.push(...page.documents);
    cursor = page.next;
  } while (cursor !== undefined);
  return spans;
}

export type ReplayOptions = Pick<RefineOptions, 'linesOf' | 'project' | 'stopped' | 'same'>;
export type ReplayReport = {
  applied: number;
  /** The lines are others now, or the topic is: asking again would help, this answer does not. */
  stale: number;
};

/** Puts all kept answers into a store that was built anew. Costs no tokens and needs no model. */
export async function applyRefinements(
  store: Store,
  refinementsDir: string,
  options: ReplayOptions,
): Promise<ReplayReport> {
  const report: ReplayReport = { applied: 0, stale: 0 };
  for (const file of refinementFiles(refinementsDir)) {
    if (options.stopped?.()) break;
    const kept = readRefinement(file);
    if (!kept?.answer || (options.project !== undefined && kept.project !== options.project)) continue;
    const [span] = await store.get({ refs: [kept.span], projects: options.same?.(kept.project) ?? [kept.project] });
    if (span && isRefined(span)) continue;
    const lines = span && cleanLines((await options.linesOf(span)) ?? []);
    const fits = lines !== undefined && sourceHash(lines) === kept.source;
    const { model, answer } = kept;
    if (span && fits && (await applyRefinement(store, span, { model, answer }))) report.applied += 1;
    else report.stale += 1;
  }
  return report;
}
