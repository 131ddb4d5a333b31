// Puts what a model said about a topic into the store: a better name and summary, further ideas, relations. The rows that were
// made without a model stay, and the words of the old summary can still be found. If the topic has changed meanwhile, nothing is
// written: the indexer's rows are the newer truth.

import { CairnError } from '../errors.ts';
import { entitiesOf } from '../extraction/entities/entities-of.ts';
import { stateKey } from '../indexing/transcripts/index-transcript.ts';
import { nameOf, rowHash } from '../indexing/transcripts/trace-rows.ts';
import { isSaid, originOf } from '../model/provenance.ts';
import { cutCodePoints } from '../model/text.ts';
import { INTENTS } from '../model/trace.ts';
import type { Change, Document, Link, Store } from '../store/store.ts';
import type { RefinementAnswer, RefinementIdea } from './refinement-file.ts';

const PAGE = 200;
const TRIES = 5;
const TITLE_LENGTH = 120;
const RELATION_CONFIDENCE = 0.7;
const SPAN_CONFIDENCE = 0.7;
const RULE = 'model';

/** The name of an idea that a model found: the same statement in the same topic is the same idea. */
export const refinedIdeaRef = (span: string, text: string): string => `idea:${nameOf(`${span} refined ${text}`)}`;

/** False: the topic is gone, or is no longer the one that the model was asked about. */
export async function applyRefinement(
  store: Store,
  span: Document,
  { model, answer }: { model: string; answer: RefinementAnswer },
): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const key = stateKey(span.source?.file ?? '');
    const value = (await store.state({ keys: [key] }))[0]?.value ?? null;
    const [now] = await store.get({ refs: [span.ref], projects: [span.project] });
    if (!now || !isSame(now, span)) return false;
    const inside = await ideasIn(store, now);
    const changes = await changesFor(store, now, { model, answer, inside });
    try {
      await store.apply([{ op: 'expect', key, value }, ...changes]);
      return true;
    } catch (error) {
      // The indexer has gone on in this transcript; most likely not in this topic. Look again.
      if (!(error instanceof CairnError && error.code === 'OCC_CONFLICT')) throw error;
    }
  }
  return false;
}

export const isRefined = (span: Document): boolean => span.meta?.refined !== undefined;

const isSame = (now: Document, then: Document): boolean =>
  ['start', 'end', 'turns', 'depth'].every((name) => now.meta?.[name] === then.meta?.[name]);

export async function ideasIn(store: Store, span: Document): Promise<Document[]> {
  const found: Document[] = [];
  const filter = { projects: [span.project], layers: ['trace'], kinds: INTENTS, spans: [span.ref] };
  let cursor: string | undefined;
  do {
    const page = await store.list({ filter, order: 'oldest', limit: PAGE, ...(cursor ? { cursor } : {}) });
    found.push(...page.documents);
    cursor = page.next;
  } while (cursor !== undefined);
  return found.sort((a, b) => (a.source?.line ?? 0) - (b.source?.line ?? 0) || (a.ref < b.ref ? -1 : 1));
}

type Making = { model: string; answer: RefinementAnswer; inside: readonly Document[] };

async function changesFor(store: Store, span: Document, { model, answer, inside }: Making): Promise<Change[]> {
  const old = inside.filter((idea) => idea.meta?.by !== undefined).map((idea) => idea.ref);
  const ideas = answer.ideas.map((idea) => ideaRow(idea, span, { model, inside }));
  const own = new Set(ideas.map((idea) => idea.ref));
  const links = await linksOf(store, span, { answer, own });
  const linksFrom = (ref: string) => links.filter((link) => link.from === ref);
  const rows = ideas.map((document): Change => {
    const mentions = entitiesOf(document.text).map(({ name, kind, count }) => ({ entity: name, kind, count }));
    return {
      op: 'put',
      document,
      mentions,
      links: linksFrom(document.ref).map(({ project: _, from: __, ...link }) => link),
    };
  });
  const judged = answer.judged.flatMap(({ ref, intent, confidence }): Change[] => {
    const idea = inside.find((each) => each.ref === ref && each.meta?.by === undefined);
    // No answer, new or kept, makes a decision of what somebody only quoted.
    if (!idea || !isSaid(originOf(idea.meta))) return [];
    return [{ op: 'put', document: { ...idea, kind: intent, confidence, meta: { ...idea.meta, judged: model } } }];
  });
  const others = links.filter((link) => !own.has(link.from));
  return [
    ...(old.length > 0 ? [{ op: 'delete', where: { projects: [span.project], refs: old } } as const] : []),
    { op: 'put', document: spanRow(span, model, answer) },
    ...rows,
    ...judged,
    ...(others.length > 0 ? [{ op: 'link', links: others } as const] : []),
  ];
}

function spanRow(span: Document, model: string, { name, summary }: RefinementAnswer): Document {
  const title = name ?? span.title;
  const text = summary ?? span.text;
  return {
    ...span,
    title,
    text,
    // What the old summary said can still be found.
    ...(summary ? { context: [span.title, span.text].join('\n') } : {}),
    confidence: SPAN_CONFIDENCE,
    hash: rowHash(`${title}\n${text}`),
    meta: { ...span.meta, refined: model },
  };
}

function ideaRow(idea: RefinementIdea, span: Document, { model, inside }: Pick<Making, 'model' | 'inside'>): Document {
  const beside = inside.find((each) => each.source?.line === idea.line);
  const time = beside?.createdAt ?? span.createdAt;
  const points = cutCodePoints(idea.text, TITLE_LENGTH);
  return {
    ref: idea.ref,
    project: span.project,
    layer: 'trace',
    kind: idea.intent,
    status: 'active',
    title: points === idea.text ? points : `${cutCodePoints(idea.text, TITLE_LENGTH - 1)}…`,
    text: idea.text,
    ...(beside?.context ? { context: beside.context } : {}),
    tags: [],
    confidence: idea.confidence,
    createdAt: time,
    updatedAt: time,
    ...(span.session ? { session: span.session } : {}),
    span: span.ref,
    ...(span.source ? { source: { file: span.source.file, line: idea.line } } : {}),
    hash: rowHash(idea.text),
    meta: {
      role: idea.by,
      speaker: idea.by === 'assistant' && span.meta?.agent !== undefined ? 'subagent' : idea.by,
      provenance: 'said', // the model is shown nothing else
      stance: 'stated',
      by: model,
      ...(span.meta?.agent === undefined ? {} : { agent: span.meta.agent }),
    },
  };
}

/** Only between what exists: a rebuilt store may lack an idea that was there when the model was asked. */
async function linksOf(
  store: Store,
  span: Document,
  { answer, own }: { answer: RefinementAnswer; own: ReadonlySet<string> },
): Promise<Link[]> {
  const named = [...new Set(answer.relations.flatMap(({ from, to }) => [from, to]))].filter((ref) => !own.has(ref));
  const there = new Set((await store.get({ refs: named, projects: [span.project] })).map((document) => document.ref));
  const exists = (ref: string): boolean => own.has(ref) || there.has(ref);
  return answer.relations
    .filter(({ from, to }) => exists(from) && exists(to))
    .map(({ from, to, relation }) => ({
      project: span.project,
      from,
      to,
      relation,
      confidence: RELATION_CONFIDENCE,
      rule: RULE,
    }));
}
