// Asks a model about one finished topic, page by page, and makes one answer of what was checked. What has been paid for is written
// down after every page: a ceiling, a stop or a service that fails in between costs nothing twice.

import { topicWords } from '../extraction/topic-words.ts';
import type { SourceLine } from '../indexing/transcripts/span-lines.ts';
import type { Llm } from '../llm/llm.ts';
import { contentHash } from '../model/hash.ts';
import { isSaid, originOf } from '../model/provenance.ts';
import type { Document, Store } from '../store/store.ts';
import { exchangesOf, ideasIn, partsOf } from './apply-refinement.ts';
import { type CheckedAnswer, checkAnswer } from './refine-answer.ts';
import { promptLines } from './refine-lines.ts';
import { pagesOf, type RefinePage } from './refine-pages.ts';
import { MAX_ANSWER_TOKENS, type RefineQuestion, refineQuestion, SUMMARY_LENGTH } from './refine-prompt.ts';
import { asBefore, isModelMade, refinedIdeaRef } from './refined-rows.ts';
import { type AnsweredPage, EMPTY_ANSWER, type RefinementAnswer } from './refinement-file.ts';

const EARLIER = 8;
const TELLING_WORDS = 10;
const OPEN_KINDS: readonly string[] = ['question', 'problem', 'todo'];

/** What is known of a topic before anybody is asked about it. */
export type TopicMaterial = {
  readonly span: Document;
  readonly lines: readonly SourceLine[];
  readonly pages: readonly RefinePage[];
  readonly exchanges: readonly Document[];
  readonly parts: readonly Document[];
  readonly earlier: readonly Document[];
  readonly topicBefore: string | undefined;
};

/** `all`: its lines, cleaned. Those of its parts are asked about with them. */
export async function materialOf(
  store: Store,
  span: Document,
  { all, topicBefore }: { all: readonly SourceLine[]; topicBefore: string | undefined },
): Promise<TopicMaterial> {
  const [exchanges, parts] = [await exchangesOf(store, span), await partsOf(store, span)];
  const ideas = (await ideasIn(store, span, exchanges))
    .filter((idea) => !isModelMade(idea) && wasSaid(idea))
    .map(asBefore);
  const isInPart = ({ line }: SourceLine): boolean =>
    parts.some((part) => line >= Number(part.meta?.start) && line <= Number(part.meta?.end));
  const lines = all.filter((line) => !isInPart(line));
  const starts = exchanges.length > 0 ? exchanges.map(({ meta }) => Number(meta?.start)) : promptLines(lines);
  const earlier = await earlierThan(store, span, ideas);
  return { span, lines, pages: pagesOf(lines, ideas, starts), exchanges, parts, earlier, topicBefore };
}

/** What is shown on a page, as far as its answer hangs on it. */
export const pageKey = ({ lines, ideas }: RefinePage): string =>
  contentHash(JSON.stringify([lines.map(({ line }) => line), ideas.map(({ ref, hash }) => [ref, hash])])).slice(0, 32);

export type PageReply = {
  /** `undefined`: what came back cannot be used. */
  readonly answer: RefinementAnswer | undefined;
  readonly refused: number;
};

/** Throws what the model throws. `done`: the pages before this one. */
export async function askAboutPage(
  llm: Llm,
  material: TopicMaterial,
  { page, done, signal }: { page: RefinePage; done: readonly AnsweredPage[]; signal: AbortSignal | undefined },
): Promise<PageReply> {
  const question = refineQuestion({
    ...material,
    page,
    ...(done.length > 0 ? { before: beforeOf(material, done) } : {}),
  });
  const { system, prompt } = question;
  const reply = await llm.complete({ system, prompt, maxTokens: MAX_ANSWER_TOKENS, ...(signal ? { signal } : {}) });
  const checked = checkAnswer(reply.text, question);
  if (!checked) return { answer: undefined, refused: 0 };
  const answer = isEmpty(checked) ? undefined : answerOf(checked, question, material.span);
  return { answer, refused: checked.refused };
}

const isEmpty = ({ title, summary, ideas, verdicts, outcomes, entities }: CheckedAnswer): boolean =>
  !title && !summary && ideas.length + verdicts.length + outcomes.length + entities.length === 0;

const STILL_OPEN: ReadonlySet<string> = new Set(['active', 'open']);

/** What the pages before have said, and which of their statements are still open. */
function beforeOf({ pages }: TopicMaterial, done: readonly AnsweredPage[]): { summaries: string[]; open: Document[] } {
  const verdicts = done.flatMap(({ answer }) => answer.verdicts);
  const verdictsOn = (idea: Document) => verdicts.filter(({ ref }) => ref === idea.ref).map(({ verdict }) => verdict);
  const isOpen = (idea: Document): boolean => {
    const said = verdictsOn(idea);
    if (said.includes('drop') || said.includes('settled') || !STILL_OPEN.has(idea.status)) return false;
    return OPEN_KINDS.includes(said.find((verdict) => verdict !== 'keep') ?? idea.kind);
  };
  return {
    summaries: done.flatMap(({ answer: { summary } }) => (summary ? [summary] : [])),
    open: pages.slice(0, done.length).flatMap(({ ideas }) => ideas.filter(isOpen)),
  };
}

/** With names that hold in every store, in place of the ids that were used with the model. */
function answerOf(checked: CheckedAnswer, question: RefineQuestion, span: Document): RefinementAnswer {
  const ideas = checked.ideas.map((idea) => ({
    ...{ ...idea, lines: [...idea.lines] },
    ref: refinedIdeaRef(span.ref, idea.text),
    by: question.lines.get(idea.line)?.who === 'user' ? ('user' as const) : ('assistant' as const),
  }));
  const refs = new Map([
    ...ideas.map(({ ref }, at) => [`n${at + 1}`, ref] as const),
    ...[...question.known.values()].map(({ id, ref }) => [id, ref] as const),
  ]);
  const refOf = (id: string | undefined): string => refs.get(id ?? '') ?? '';
  const verdicts = checked.verdicts.map(({ id, verdict, by }) => ({
    ...{ ref: refOf(id), verdict },
    ...(by === undefined ? {} : { by: refOf(by) }),
  }));
  const relations = checked.relations
    .map(({ from, to, relation }) => ({ from: refOf(from), to: refOf(to), relation }))
    .filter(({ from, to }) => from !== to);
  const outcomes = checked.outcomes.flatMap(({ id, ...said }) => {
    const section = question.sections.get(id);
    return section ? [{ ref: section.ref, ...said }] : [];
  });
  const named = new Set([
    ...verdicts.flatMap(({ ref, by }) => [ref, by]),
    ...relations.flatMap(({ from, to }) => [from, to]),
  ]);
  const known = [...question.known.values()]
    .filter(({ ref }) => named.has(ref))
    .map(({ ref, hash }) => ({ ref, hash }));
  return {
    ...(checked.title ? { title: checked.title } : {}),
    ...(checked.summary ? { summary: checked.summary } : {}),
    ideas: unique(ideas, ({ ref }) => ref),
    verdicts,
    outcomes,
    entities: [...checked.entities],
    borders: [...checked.borders],
    relations,
    known,
  };
}

/** One answer of those to all pages. */
export function joinedAnswer(pages: readonly AnsweredPage[]): RefinementAnswer {
  const answers = pages.map(({ answer }) => answer);
  // The last page was told what the others say: it knows best what all of it is about.
  const title = answers.findLast((answer) => answer.title)?.title;
  let summary = '';
  for (const { summary: next } of answers) {
    const longer = [summary, next ?? ''].filter((part) => part !== '').join(' ');
    if ([...longer].length <= SUMMARY_LENGTH) summary = longer;
  }
  const all = <T>(of: (answer: RefinementAnswer) => readonly T[]): T[] => answers.flatMap((answer) => [...of(answer)]);
  return {
    ...EMPTY_ANSWER,
    ...(title ? { title } : {}),
    ...(summary ? { summary } : {}),
    ideas: unique(
      all(({ ideas }) => ideas),
      ({ ref }) => ref,
    ),
    verdicts: all(({ verdicts }) => verdicts),
    outcomes: unique(
      all(({ outcomes }) => outcomes),
      ({ ref }) => ref,
    ),
    entities: unique(
      all(({ entities }) => entities),
      ({ name, kind }) => `${kind} ${name}`,
    ),
    borders: unique(
      all(({ borders }) => borders),
      ({ line }) => String(line),
    ),
    relations: all(({ relations }) => relations),
    known: unique(
      all(({ known }) => known),
      ({ ref }) => ref,
    ),
  };
}

/** The last of each. */
const unique = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
];

/** What other topics of the project have settled or left open about the same things. */
async function earlierThan(store: Store, span: Document, ideas: readonly Document[]): Promise<Document[]> {
  const telling = ideas.filter((idea) => idea.kind !== 'context').map((idea) => idea.text);
  const words = [...new Set(topicWords([span.title, ...telling].join('\n').slice(0, 4_000)))].slice(0, TELLING_WORDS);
  if (words.length === 0) return [];
  const kinds = ['decision', 'conclusion', 'question', 'problem', 'solution', 'todo'];
  const filter = { projects: [span.project], layers: ['trace'], kinds, until: span.createdAt };
  const hits = await store.search({ terms: words.map((text) => ({ text })), filter, limit: EARLIER * 3 });
  const found = await store.get({ refs: hits.map((hit) => hit.ref), projects: [span.project] });
  const own = new Set(ideas.map(({ ref }) => ref));
  return found.filter((idea) => idea.span !== span.ref && !own.has(idea.ref) && wasSaid(idea)).slice(0, EARLIER);
}

/** What was quoted, pasted or printed is not shown to the model: it has nothing to say about it. */
const wasSaid = ({ meta }: Document): boolean => isSaid(originOf(meta));
