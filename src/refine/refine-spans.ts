// Verdicts on what is known of finished topics, and what they lack, by a model, where the user has one: bounded questions, answers that
// are checked, kept in a file, and put into the store. Whatever goes wrong, the rows that were made without a model stay: a ceiling
// that is reached or a service that is down only leaves topics for next time.

import { CairnError } from '../errors.ts';
import type { LinesOf } from '../indexing/transcripts/span-lines.ts';
import { type Llm, LlmError, type LlmFailure } from '../llm/llm.ts';
import type { Document, Store } from '../store/store.ts';
import { applyRefinement, isExchange, isRefined, undoRefinement } from './apply-refinement.ts';
import { cleanLines, sourceHash } from './refine-lines.ts';
import { askAboutPage, joinedAnswer, materialOf, pageKey, type TopicMaterial } from './refine-topic.ts';
import {
  type AnsweredPage,
  type Refinement,
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
/** The question is at fault, or this answer; the next question may fare better. */
const ABOUT_THE_QUESTION: readonly LlmFailure[] = ['timeout', 'rejected', 'refused', 'cut', 'garbage'];

export async function refineSpans(store: Store, llm: Llm, options: RefineOptions): Promise<RefineReport> {
  const report: RefineReport = { refined: 0, replayed: 0, refused: 0, failed: 0, left: 0 };
  const waiting = await finishedSpans(store, options);
  let calls = 0;
  for (const [at, each] of waiting.entries()) {
    const mostCalls = (options.limit ?? Number.POSITIVE_INFINITY) - calls;
    if (mostCalls <= 0 || report.halted || options.stopped?.() || options.signal?.aborted) {
      report.left += waiting.length - at;
      break;
    }
    const outcome = await refineOne(store, llm, { ...each, options, mostCalls });
    calls += outcome.calls;
    count(report, outcome);
    options.onProgress?.(at + 1, waiting.length);
  }
  return report;
}

type Outcome = {
  readonly state: 'refined' | 'replayed' | 'failed' | 'left';
  /** That were made and answered in some way. */
  readonly calls: number;
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

type Waiting = { readonly span: Document; readonly failures: number; readonly topicBefore: string | undefined };
type Asking = Waiting & { readonly options: RefineOptions; readonly mostCalls: number };

async function refineOne(store: Store, llm: Llm, { span, topicBefore, options, mostCalls }: Asking): Promise<Outcome> {
  const all = cleanLines((await options.linesOf(span)) ?? []);
  if (all.length === 0) return { state: 'left', calls: 0 };
  const source = sourceHash(all);
  const kept = readRefinement(keptFile(options, span));
  const known = kept?.source === source ? kept : undefined;
  if (known?.answer) {
    const done = await applyRefinement(store, span, { model: known.model, answer: known.answer });
    return { state: done ? 'replayed' : 'left', calls: 0 };
  }
  const material = await materialOf(store, span, { all, topicBefore });
  if (material.pages.length === 0) return { state: 'left', calls: 0 };
  const head: Refinement = {
    version: '2',
    project: span.project,
    span: span.ref,
    extent: extentOf(span),
    source,
    model: llm.name,
    at: (options.now?.() ?? new Date()).toISOString(),
    failures: known?.failures ?? 0,
  };
  const asked = await askPages(llm, material, { head, paid: known?.pages ?? [], options, mostCalls });
  if (!asked.isDone) return asked.outcome;
  const { state: _, ...counts } = asked.outcome;
  const answer = joinedAnswer(asked.pages);
  // First the file: what has been paid for is not lost, whatever becomes of the store.
  writeRefinement(options.refinementsDir, { ...head, answer });
  const done = await applyRefinement(store, span, { model: llm.name, answer });
  return { ...counts, state: done ? 'refined' : 'left' };
}

type Asked = { readonly isDone: boolean; readonly pages: readonly AnsweredPage[]; readonly outcome: Outcome };
type AskOptions = {
  readonly head: Refinement;
  /** Pages that were answered earlier. */
  readonly paid: readonly AnsweredPage[];
  readonly options: RefineOptions;
  readonly mostCalls: number;
};

async function askPages(
  llm: Llm,
  material: TopicMaterial,
  { head, paid, options, mostCalls }: AskOptions,
): Promise<Asked> {
  const { refinementsDir, signal } = options;
  const pages: AnsweredPage[] = [];
  let [calls, refused] = [0, 0];
  const ends = (state: Outcome['state'], halted?: CairnError): Asked => ({
    isDone: false,
    pages,
    outcome: { state, calls, refused, ...(halted ? { halted } : {}) },
  });
  const fail = (): Asked => {
    const failures = head.failures + 1;
    // Given up here: what the other pages said still counts.
    if (failures >= MOST_FAILURES && pages.length > 0) return { ...ends('refined'), isDone: true };
    writeRefinement(refinementsDir, { ...head, failures, ...(pages.length > 0 ? { pages } : {}) });
    return ends('failed');
  };
  for (const page of material.pages) {
    const key = pageKey(page);
    const known = paid.find((each) => each.key === key);
    if (known) {
      pages.push(known);
      continue;
    }
    if (calls >= mostCalls || (calls > 0 && (options.stopped?.() || signal?.aborted))) return ends('left');
    calls += 1;
    try {
      const reply = await askAboutPage(llm, material, { page, done: pages, signal });
      refused += reply.refused;
      if (!reply.answer) return fail();
      pages.push({ key, answer: reply.answer });
    } catch (error) {
      if (error instanceof LlmError && ABOUT_THE_QUESTION.includes(error.failure)) return fail();
      // No model for now (or a ledger that cannot be read): the rows without a model stand.
      calls -= 1;
      if (error instanceof LlmError || isLedgerError(error)) return ends('left', error);
      throw error;
    }
    if (pages.length < material.pages.length) writeRefinement(refinementsDir, { ...head, pages });
  }
  return { ...ends('refined'), isDone: true };
}

const extentOf = ({ meta }: Document): string => `${meta?.start}-${meta?.end}, ${meta?.turns} turns`;

const isLedgerError = (error: unknown): error is CairnError =>
  error instanceof CairnError && (error.code === 'READ_ERROR' || error.code === 'LOCK_ERROR');

/** The answer about a topic, under the name that its project has or had. */
function keptFile(
  { refinementsDir, same }: Pick<RefineOptions, 'refinementsDir' | 'same'>,
  { project, ref }: Document,
  isThere: (file: string) => boolean = (file) => readRefinement(file) !== undefined,
): string {
  const files = [project, ...(same?.(project) ?? [])].map((each) =>
    refinementFile(refinementsDir, { project: each, span: ref }),
  );
  return files.find(isThere) ?? refinementFile(refinementsDir, { project, span: ref });
}

/** Topics that have ended and were not refined: those that never failed first, parts before the whole, the newest first. */
async function finishedSpans(store: Store, options: RefineOptions): Promise<Waiting[]> {
  const spans = (await allSpans(store, options.project)).filter((span) => !isExchange(span));
  const last = new Map<string, number>();
  const placeOf = (span: Document): string => `${span.project}\n${span.source?.file}\n${span.span ?? ''}`;
  const startOf = (span: Document): number => Number(span.meta?.start ?? 0);
  for (const span of spans) last.set(placeOf(span), Math.max(last.get(placeOf(span)) ?? 0, startOf(span)));
  const titleBefore = new Map<Document, string>();
  const newest = new Map<string, Document>();
  for (const span of [...spans].sort((a, b) => startOf(a) - startOf(b))) {
    const before = newest.get(placeOf(span));
    if (before) titleBefore.set(span, before.title);
    newest.set(placeOf(span), span);
  }
  const now = (options.now?.() ?? new Date()).getTime();
  const byRef = new Map(spans.map((span) => [`${span.project}\n${span.ref}`, span]));
  const isFinished = (span: Document): boolean => {
    if (now - span.updatedAt > QUIET_MS || startOf(span) < (last.get(placeOf(span)) ?? 0)) return true;
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
    .map((span) => ({ span, failures: failuresOf(span), topicBefore: titleBefore.get(span) }))
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
    else {
      report.stale += 1;
      // The topic went on, and what the answer said of its rows no longer counts.
      if (span && lines && lines.length > 0) await undoRefinement(store, span);
    }
  }
  return report;
}
