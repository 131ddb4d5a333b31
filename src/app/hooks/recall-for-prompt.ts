// `match_strategy: "hybrid"`: what the recall engine finds for a prompt, as a block of lines. Left out: what is not about the
// prompt, what this conversation has said or been told already, what the client knows anyway, what the user called wrong.

import path from 'node:path';
import { type Choice, chooseTold, type Finds, type Told } from '../../inject/choose-told.ts';
import { mayNameTodo, namedTodo } from '../../inject/named-todo.ts';
import { isTelling } from '../../inject/ordinary-words.ts';
import { type PromptEntry, promptContext, promptLine } from '../../inject/prompt-context.ts';
import { type PromptParts, promptParts } from '../../inject/prompt-parts.ts';
import { isSaidBy } from '../../inject/told-candidate.ts';
import { TOLD } from '../../inject/told-table.ts';
import { memoryKey, type Shown } from '../../learning/already-shown.ts';
import { learnedAbout } from '../../learning/feedback.ts';
import type { InjectedEntry } from '../../learning/injection-log.ts';
import { toldShift, useInAll } from '../../learning/told-shift.ts';
import { shortHash } from '../../model/hash.ts';
import { isSaid, originText } from '../../model/provenance.ts';
import { readable, readableOutcome } from '../../model/readable.ts';
import { stanceWords } from '../../model/stance-words.ts';
import { topicOutcome } from '../../model/topic-outcome.ts';
import type { RecallResult } from '../../recall/answer.ts';
import { storedFields } from '../../recall/stored-fields.ts';
import { withoutQuotations } from '../../safety/quotations.ts';
import type { Document } from '../../store/store.ts';
import type { PromptMemory } from '../prompt-memory.ts';

/** What a prompt asks of a memory; the running server may give its own. */
export type PromptRecall = Pick<
  PromptMemory,
  'config' | 'feedback' | 'effort' | 'refresh' | 'ordinary' | 'scopes' | 'ask' | 'leftToDo' | 'isLeftOpen' | 'close'
>;

export type PromptQuestion = {
  readonly prompt: string;
  /** Of the client; empty if it sent none. */
  readonly session: string;
  readonly shown: Shown;
  readonly maxTokens: number;
  /** Of this project: a line of another one says so. */
  readonly scopes?: readonly string[];
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

/** Named files that are asked for: a plan may name dozens. */
const MOST_FILES = 2;
const FILE_RESULTS = 8;

export async function recallForPrompt(memory: PromptRecall, prompt: PromptQuestion): Promise<Injected> {
  const { retrieval, injection } = memory.config.settings;
  const question = injection.other_projects ? { ...prompt, scopes: memory.scopes } : prompt;
  const { asked, learned } = await readPrompt(memory, question.prompt);
  if (isEmpty(asked)) return NOTHING_INJECTED;
  const tells = (word: string): boolean => isTelling(word, learned);
  const all = useInAll(memory.feedback);
  const choice = {
    prompt: question.prompt,
    asked,
    isTelling: tells,
    isLeftOut: (result: RecallResult) => isLeftOut(result, question),
    shift: ({ project, ref }: { project: string; ref: string }) =>
      toldShift(learnedAbout(memory.feedback, project, ref), all),
    maxLines: retrieval.max_inject,
    maxNotes: injection.max_nodes_per_query,
  };
  const chosen = chooseTold(await findsFor(memory, asked, tells), choice);
  const todo = await todoFor(memory, question, { asked, tells });
  const here = withTodo(chosen, todo, retrieval.max_inject);
  const told = here.length > 0 || !injection.other_projects ? here : await fromElsewhere(memory, choice);
  return render(told, question, retrieval.max_inject);
}

/** The best line of another project, where nothing here is about the prompt: it must be likely, as no first line of this one has to be. */
async function fromElsewhere(memory: PromptRecall, choice: Choice): Promise<Told[]> {
  const finds = await findsFor(memory, { ...choice.asked, files: [] }, choice.isTelling, true);
  const { scopes } = memory;
  const isHere = ({ project }: RecallResult): boolean => scopes.includes(project);
  const told = chooseTold(finds, {
    ...choice,
    isLeftOut: (result) => isHere(result) || choice.isLeftOut(result),
    maxLines: 1,
  });
  return told.filter(({ likelihood }) => likelihood >= TOLD.likely);
}

type Telling = { readonly asked: PromptParts; tells(word: string): boolean };

/** What is left to do and the prompt names, if that is still so. */
async function todoFor(
  memory: PromptRecall,
  question: PromptQuestion,
  { asked, tells }: Telling,
): Promise<Told | undefined> {
  const todo = mayNameTodo(asked) ? namedTodo(await memory.leftToDo(), asked, tells) : undefined;
  if (!todo) return undefined;
  const result = resultOf(todo);
  const shift = toldShift(learnedAbout(memory.feedback, result.project, result.ref), useInAll(memory.feedback));
  if (isLeftOut(result, question) || shift > 0) return undefined;
  return (await memory.isLeftOpen(todo)) ? { result, likelihood: SURE } : undefined;
}
const SURE = 1;

/** Before what conversations say, behind what somebody wrote down; once, whatever else says it. */
function withTodo(told: readonly Told[], todo: Told | undefined, most: number): readonly Told[] {
  if (!todo || told.some(({ result }) => result.ref === todo.result.ref)) return told;
  const curated = told.filter(({ result }) => result.layer !== 'trace');
  const said = told.filter(({ result }) => result.layer === 'trace');
  const others = said.filter(({ result }) => !isSaidBy(todo.result.text, result.text));
  return [...curated, todo, ...others].slice(0, Math.max(most, curated.length + 1));
}

/** As recall would give it, with nothing around it. */
function resultOf(todo: Document): RecallResult {
  const { ref, layer, kind, title, text } = todo;
  return {
    ref,
    layer,
    kind,
    title,
    text,
    score: SURE,
    relevance: SURE,
    ...storedFields(todo),
    why: [{ strategy: 'keyword', rank: 1 }],
    chain: [],
    span: null,
    exchange: null,
  };
}

/** For reasons that have nothing to do with the prompt. */
export const isLeftOut = (result: RecallResult, question: PromptQuestion): boolean =>
  !isOwnWord(result) || isKnownToClient(result) || isInConversation(result, question) || isTold(result, question);

/** Known before anything is opened: nothing but words that every prompt has. */
export const asksForNothing = (prompt: string): boolean => isEmpty(promptParts(prompt, NO_WORDS));

const isEmpty = ({ telling, files }: PromptParts): boolean => telling.length === 0 && files.length === 0;
const NO_WORDS: ReadonlySet<string> = new Set();

type ReadPrompt = { readonly asked: PromptParts; readonly learned: ReadonlySet<string> };

/** A prompt that says much says it whatever the user's habits are; for a short one they are looked up. */
export async function readPrompt(memory: PromptRecall, prompt: string): Promise<ReadPrompt> {
  const asked = promptParts(prompt, NO_WORDS);
  if (asked.telling.length > FEW_WORDS) return { asked, learned: NO_WORDS };
  const learned = await memory.ordinary();
  return { asked: learned.size === 0 ? asked : promptParts(prompt, learned), learned };
}
const FEW_WORDS = 8;

export async function findsFor(
  memory: PromptRecall,
  asked: PromptParts,
  tells: (word: string) => boolean,
  everywhere = false,
): Promise<Finds> {
  const ask = async (query: string, limit: number): Promise<readonly RecallResult[]> =>
    (await memory.ask(query, { limit, isTelling: tells, everywhere })).results;
  const parts: (readonly RecallResult[])[] = [];
  const { parts: most, results } = memory.effort;
  for (const part of asked.parts.slice(0, most)) parts.push(await ask(part, results));
  const files: Finds['files'][number][] = [];
  for (const file of asked.files.slice(0, MOST_FILES)) files.push({ file, results: await ask(file, FILE_RESULTS) });
  return { parts, files };
}

function render(told: readonly Told[], question: PromptQuestion, maxEntries: number): Injected {
  const lines = told.map(({ result, likelihood }) => ({ result, likelihood, entry: entryOf(result, question) }));
  const context = promptContext(
    lines.map(({ entry }) => entry),
    { maxEntries, maxTokens: question.maxTokens },
  );
  const shown = context.shown.flatMap(({ at, tokens, line }) => {
    const each = lines[at];
    return each ? [{ ...each, tokens, line }] : [];
  });
  return {
    text: context.text,
    tokens: context.tokens,
    entries: shown.map(({ result: { ref, project, score, why }, likelihood, tokens, line }) => ({
      ref,
      project,
      score,
      relevance: Math.round(likelihood * 1_000) / 1_000,
      why,
      tokens,
      line: line.trimEnd(),
    })),
    lines: Object.fromEntries(shown.map(({ result, line }) => [memoryKey(result), shortHash(line)])),
  };
}

/** In these very words. */
const isTold = (result: RecallResult, question: PromptQuestion): boolean => {
  const hash = question.shown.lines[memoryKey(result)];
  return hash !== undefined && hash === shortHash(promptLine(entryOf(result, question)) ?? '');
};

/** Whatever came from outside, or was only quoted, may be written to be obeyed: it is found when asked for, and never told unasked. */
const isOwnWord = ({ provenance }: RecallResult): boolean => provenance === null || isSaid({ provenance });

/** The client gives these to every prompt itself. */
const isKnownToClient = ({ kind, source }: RecallResult): boolean =>
  kind === 'instructions' || (kind === 'auto-memory' && path.basename(source?.file ?? '') === 'MEMORY.md');

/** Said in this conversation, and not summed up since. */
const isInConversation = (result: RecallResult, { session, shown }: PromptQuestion): boolean =>
  session !== '' && result.session === session && Date.parse(result.created_at) >= (shown.compactedAt ?? 0);

function entryOf(result: RecallResult, { scopes }: PromptQuestion): PromptEntry {
  const { ref, created_at, speaker, provenance, author, project } = result;
  const by = speaker && provenance ? { by: originText({ speaker, provenance }, author) } : {};
  const from = !scopes || scopes.includes(project) ? [] : [`in the project ${path.basename(project)}`];
  return { ref, ...saidBy(result), date: created_at, ...by, marks: [...from, ...marksOf(result)] };
}

/** Of an exchange what came out: its prompt is nobody's answer. */
function saidBy({ ref, kind, layer, title, text, gist, exchange }: RecallResult): Pick<PromptEntry, 'kind' | 'text'> {
  if (layer === 'trace' && kind !== 'span') return { kind, text: readable(withoutQuotations(text)) };
  if (exchange?.ref === ref) return { kind: 'exchange', text: withText(title, readableOutcome(exchange.outcome)) };
  return { kind: kind === 'span' ? 'topic' : kind, text: withText(title, topicOutcome(gist ?? text)) };
}

const withText = (title: string, text: string): string =>
  text === '' || title === '' || text.startsWith(title) ? text || title : `${title}: ${text}`;

function marksOf({ status, chain, files, stance }: RecallResult): string[] {
  const sureness = stanceWords(stance);
  const successors = chain.filter(({ relation }) => relation === 'superseded_by').map(({ ref }) => ref);
  const against = chain.filter(({ relation }) => relation === 'contradicts').map(({ ref }) => ref);
  return [
    ...(sureness === undefined ? [] : [sureness]),
    ...(successors.length > 0 ? [`superseded by ${successors[0]}`] : []),
    ...(successors.length === 0 && status !== 'active' ? [status.replaceAll('_', ' ')] : []),
    ...(against.length > 0 ? [`contradicted by ${against[0]}`] : []),
    ...(files === 'changed' ? ['its files changed since'] : []),
    ...(files === 'gone' ? ['its files are gone'] : []),
  ];
}
