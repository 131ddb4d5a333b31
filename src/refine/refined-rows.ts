// The rows of a topic as they are once a model's answer counts: ideas under their verdicts, new ideas, exchanges with their outcome,
// the topic with its title. Every row keeps what it was before in `meta.before`, so that another answer, or none, can take its place.

import { nameOf, rowHash } from '../indexing/transcripts/row-names.ts';
import { cutCodePoints } from '../model/text.ts';
import type { Document, Json } from '../store/store.ts';
import { isSearchOnly, SEARCH_ONLY_CONFIDENCE } from './refine-pages.ts';
import type { RefinementAnswer, RefinementIdea } from './refinement-file.ts';

type Meta = { readonly [key: string]: Json };
type Verdict = RefinementAnswer['verdicts'][number]['verdict'];

const TITLE_LENGTH = 120;
const SPAN_CONFIDENCE = 0.7;
/** Of a label that a model has given or confirmed. */
const JUDGED_CONFIDENCE = 0.8;
const KEPT_WORTH = 0.6;
const DROPPED_WORTH = 0.1;
const NEW_WORTH = 0.8;

/** The name of an idea that a model found: the same statement in the same topic is the same idea. */
export const refinedIdeaRef = (span: string, text: string): string => `idea:${nameOf(`${span} refined ${text}`)}`;

export const isModelMade = ({ meta }: Document): boolean => meta?.by !== undefined;

/** Fields of a row that an answer may change, and fields of its `meta`. */
const CHANGED = ['kind', 'status', 'confidence', 'title', 'text', 'hash'] as const;
const CHANGED_META = ['search_only', 'worth', 'outcome', 'decided', 'left'] as const;

const isMeta = (value: unknown): value is Meta => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The row as it was made without a model; the same object where no model has changed it. */
export function asBefore(row: Document): Document {
  const before = row.meta?.before;
  if (!isMeta(before)) return row;
  const { before: _, judged: __, ...rest } = row.meta ?? {};
  const meta: { [key: string]: Json } = { ...rest };
  for (const field of CHANGED_META) {
    delete meta[field];
    const value = before[field];
    if (value !== undefined) meta[field] = value;
  }
  const fields = Object.fromEntries(
    CHANGED.flatMap((field) => (before[field] === undefined ? [] : [[field, before[field]]])),
  );
  return { ...row, ...fields, meta };
}

/** `row` in place of `original`, with what it needs to become that again. */
function changed(original: Document, row: Document, model: string): Document {
  const fields = CHANGED.flatMap((field) => (row[field] === original[field] ? [] : [[field, original[field]]]));
  const meta = CHANGED_META.flatMap((field) => {
    const value = original.meta?.[field];
    return value === undefined ? [] : [[field, value]];
  });
  return { ...row, meta: { ...row.meta, before: Object.fromEntries([...fields, ...meta]), judged: model } };
}

/** An idea under a verdict on it; `original` is what was found without a model. */
export function judgedRow(original: Document, verdicts: readonly Verdict[], model: string): Document {
  const row = verdicts.reduce((so, verdict) => withVerdict(so, verdict), original);
  return row === original ? original : changed(original, row, model);
}

function withVerdict(row: Document, verdict: Verdict): Document {
  const { search_only: _, ...meta } = row.meta ?? {};
  const worth = (to: (value: number) => number): Meta =>
    typeof meta.worth === 'number' ? { worth: to(meta.worth) } : {};
  switch (verdict) {
    case 'settled':
      return { ...row, status: 'done' };
    case 'drop':
      return {
        ...{ ...row, kind: 'context', confidence: Math.min(row.confidence, SEARCH_ONLY_CONFIDENCE) },
        meta: { ...meta, search_only: true, ...worth((value) => Math.min(value, DROPPED_WORTH)) },
      };
    case 'keep':
      // What is kept for search only has no label that could be right.
      if (isSearchOnly(row)) return row;
      return {
        ...{ ...row, confidence: Math.max(row.confidence, JUDGED_CONFIDENCE) },
        meta: { ...meta, ...worth((value) => Math.max(value, KEPT_WORTH)) },
      };
    default:
      return {
        ...{ ...row, kind: verdict, confidence: JUDGED_CONFIDENCE },
        meta: { ...meta, ...worth((value) => Math.max(value, KEPT_WORTH)) },
      };
  }
}

export function topicRow(
  span: Document,
  model: string,
  { title: named, summary, borders }: RefinementAnswer,
): Document {
  const title = named ?? span.title;
  const text = summary ?? span.text;
  return {
    ...span,
    title,
    text,
    // What the old summary said can still be found.
    ...(summary ? { context: [span.title, span.text].join('\n') } : {}),
    confidence: SPAN_CONFIDENCE,
    hash: rowHash(`${title}\n${text}`),
    meta: { ...span.meta, refined: model, ...(borders.length > 0 ? { doubtful_borders: borders } : {}) },
  };
}

export type ExchangeChanges = {
  readonly model: string;
  readonly title?: string | null | undefined;
  readonly outcome?: string | null | undefined;
  /** Texts of ideas that are no longer what the exchange lists them as. */
  readonly undone: ReadonlySet<string>;
  /** New ideas of its lines. */
  readonly ideas: readonly RefinementIdea[];
};

/** The same object where nothing changes. */
export function exchangeRow(original: Document, { model, title, outcome, undone, ideas }: ExchangeChanges): Document {
  const meta: { [key: string]: Json } = { ...original.meta };
  if (outcome) meta.outcome = outcome;
  const lists = { decided: ['decision'], left: ['todo', 'question'] };
  for (const [field, intents] of Object.entries(lists)) {
    const now = meta[field];
    const before: readonly Json[] = Array.isArray(now) ? now : [];
    const added = ideas.filter(({ intent }) => intents.includes(intent)).map(({ text }) => text);
    const kept = before.filter((each) => typeof each !== 'string' || !undone.has(each));
    if (added.length > 0 || kept.length < before.length) meta[field] = [...kept, ...added];
  }
  const text = outcome ? withOutcome(original, outcome) : original.text;
  const row = { ...original, title: title ?? original.title, text, meta };
  if (row.title === original.title && text === original.text && JSON.stringify(meta) === JSON.stringify(original.meta))
    return original;
  return changed(original, { ...row, hash: rowHash(`${row.title}\n${text}`) }, model);
}

function withOutcome({ text, meta }: Document, outcome: string): string {
  const before = meta?.outcome;
  if (typeof before === 'string' && before !== '' && text.includes(before)) return text.replace(before, () => outcome);
  return text.includes(outcome) ? text : [text, outcome].filter((part) => part !== '').join('\n');
}

/** `beside`: an idea of the same line that was found without a model; `exchange`: the one that holds the line. */
export function newIdeaRow(
  idea: RefinementIdea,
  span: Document,
  { model, beside, exchange }: { model: string; beside: Document | undefined; exchange: Document | undefined },
): Document {
  const time = beside?.createdAt ?? span.createdAt;
  const cut = cutCodePoints(idea.text, TITLE_LENGTH);
  return {
    ref: idea.ref,
    project: span.project,
    layer: 'trace',
    kind: idea.intent,
    status: 'active',
    title: cut === idea.text ? cut : `${cutCodePoints(idea.text, TITLE_LENGTH - 1)}…`,
    text: idea.text,
    ...(beside?.context ? { context: beside.context } : {}),
    tags: [],
    confidence: idea.confidence,
    createdAt: time,
    updatedAt: time,
    ...(span.session ? { session: span.session } : {}),
    span: exchange?.ref ?? beside?.span ?? span.ref,
    ...(span.source ? { source: { file: span.source.file, line: idea.line } } : {}),
    hash: rowHash(idea.text),
    meta: {
      role: idea.by,
      speaker: idea.by === 'assistant' && span.meta?.agent !== undefined ? 'subagent' : idea.by,
      provenance: 'said', // the model is shown nothing else
      stance: 'stated',
      worth: NEW_WORTH,
      by: model,
      ...(idea.lines ? { lines: idea.lines } : {}),
      ...(span.meta?.agent === undefined ? {} : { agent: span.meta.agent }),
      ...(span.meta?.generation === undefined ? {} : { generation: span.meta.generation }),
    },
  };
}
