// `match_strategy: "hybrid"`: what the recall engine finds for a prompt, as a block of lines. Left out: what is not about the
// prompt, what this conversation has said or been told already, what the client knows anyway, what the user called wrong.

import path from 'node:path';
import { type PromptEntry, promptContext, promptLine } from '../../inject/prompt-context.ts';
import { memoryKey, type Shown } from '../../learning/already-shown.ts';
import { learnedAbout } from '../../learning/feedback.ts';
import type { InjectedEntry } from '../../learning/injection-log.ts';
import { shortHash } from '../../model/hash.ts';
import { isSaid, originText } from '../../model/provenance.ts';
import { topicOutcome } from '../../model/topic-outcome.ts';
import type { RecallResult } from '../../recall/answer.ts';
import { isRelevantEnough } from '../../recall/relevance.ts';
import { withoutQuotations } from '../../safety/quotations.ts';
import type { PromptMemory } from '../prompt-memory.ts';

/** What a prompt asks of a memory; the running server may give its own. */
export type PromptRecall = Pick<PromptMemory, 'config' | 'feedback' | 'refresh' | 'ask' | 'close'>;

export type PromptQuestion = {
  readonly prompt: string;
  /** Of the client; empty if it sent none. */
  readonly session: string;
  readonly shown: Shown;
  readonly maxTokens: number;
};

/** What goes into a prompt, whatever found it. */
export type Injected = {
  readonly text: string;
  readonly tokens: number;
  readonly entries: readonly InjectedEntry[];
  /** What the conversation has been told now, besides what it was told before. */
  readonly lines: { readonly [memory: string]: string };
};

export const NOTHING_INJECTED: Injected = { text: '', tokens: 0, entries: [], lines: {} };

/** Some of the best are left out, so more are looked at than are wanted. */
const LOOKED_AT = 2;

export async function recallForPrompt(memory: PromptRecall, question: PromptQuestion): Promise<Injected> {
  const { settings } = memory.config;
  const max = settings.retrieval.max_inject;
  const answer = await memory.ask(question.prompt, LOOKED_AT * max);
  const chosen = choose(answer.results, memory, question).slice(0, max);
  const news = chosen
    .map((result) => ({ result, entry: entryOf(result), key: memoryKey(result) }))
    .map((each) => ({ ...each, hash: shortHash(promptLine(each.entry) ?? '') }))
    .filter(({ key, hash }) => question.shown.lines[key] !== hash);
  const context = promptContext(
    news.map(({ entry }) => entry),
    { maxEntries: max, maxTokens: question.maxTokens },
  );
  const told = context.shown.map(({ at, tokens }) => ({ ...news[at]!, tokens }));
  return {
    text: context.text,
    tokens: context.tokens,
    entries: told.map(({ result: { ref, project, score, relevance, why }, tokens }) => ({
      ref,
      project,
      score,
      relevance,
      why,
      tokens,
    })),
    lines: Object.fromEntries(told.map(({ key, hash }) => [key, hash])),
  };
}

function choose(results: readonly RecallResult[], memory: PromptRecall, question: PromptQuestion): RecallResult[] {
  const relevant = results.filter(
    (result) =>
      isRelevantEnough(result) &&
      isOwnWord(result) &&
      !isKnownToClient(result) &&
      !isInConversation(result, question) &&
      learnedAbout(memory.feedback, result.project, result.ref)?.verdict !== 'wrong',
  );
  const found = new Set(relevant.map(memoryKey));
  const current = relevant.filter(
    ({ project, chain }) =>
      !chain.some(({ relation, ref }) => relation === 'superseded_by' && found.has(memoryKey({ project, ref }))),
  );
  return limitNotes(current, memory.config.settings.injection.max_nodes_per_query);
}

/** Whatever came from outside, or was only quoted, may be written to be obeyed: it is found when asked for, and never told unasked. */
const isOwnWord = ({ provenance }: RecallResult): boolean => provenance === null || isSaid({ provenance });

/** The client gives these to every prompt itself. */
const isKnownToClient = ({ kind, source }: RecallResult): boolean =>
  kind === 'instructions' || (kind === 'auto-memory' && path.basename(source?.file ?? '') === 'MEMORY.md');

/** Said in this conversation, and not summed up since. */
const isInConversation = (result: RecallResult, { session, shown }: PromptQuestion): boolean =>
  session !== '' && result.session === session && Date.parse(result.created_at) >= (shown.compactedAt ?? 0);

function limitNotes(results: readonly RecallResult[], max: number): RecallResult[] {
  let notes = 0;
  return results.filter(({ layer }) => layer !== 'note' || ++notes <= max);
}

function entryOf(result: RecallResult): PromptEntry {
  const { ref, kind, layer, title, text, gist, created_at, speaker, provenance } = result;
  const said =
    layer === 'trace' && kind !== 'span' ? withoutQuotations(text) : withText(title, topicOutcome(gist ?? text));
  const by = speaker && provenance ? { by: originText({ speaker, provenance }) } : {};
  return { ref, kind: kind === 'span' ? 'topic' : kind, text: said, date: created_at, ...by, marks: marksOf(result) };
}

const withText = (title: string, text: string): string =>
  text === '' || title === '' || text.startsWith(title) ? text || title : `${title}: ${text}`;

function marksOf({ status, chain, files }: RecallResult): string[] {
  const successors = chain.filter(({ relation }) => relation === 'superseded_by').map(({ ref }) => ref);
  const against = chain.filter(({ relation }) => relation === 'contradicts').map(({ ref }) => ref);
  return [
    ...(successors.length > 0 ? [`superseded by ${successors[0]}`] : []),
    ...(successors.length === 0 && status !== 'active' ? [status.replaceAll('_', ' ')] : []),
    ...(against.length > 0 ? [`contradicted by ${against[0]}`] : []),
    ...(files === 'changed' ? ['its files changed since'] : []),
    ...(files === 'gone' ? ['its files are gone'] : []),
  ];
}
