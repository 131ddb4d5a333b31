// Puts what a model said about a topic into the store. Nothing that was found without a model is deleted: rows change their label,
// their status or their place in what is told, and can be changed back. If the topic has changed meanwhile, nothing is written: the
// indexer's rows are the newer truth.

import { CairnError } from '../errors.ts';
import { entitiesOf } from '../extraction/entities/entities-of.ts';
import { stateKey } from '../indexing/transcripts/index-transcript.ts';
import { isSaid, originOf } from '../model/provenance.ts';
import { INTENTS } from '../model/trace.ts';
import type { Change, Document, Link, Mention, Store } from '../store/store.ts';
import { asBefore, exchangeRow, isModelMade, judgedRow, newIdeaRow, topicRow } from './refined-rows.ts';
import type { RefinementAnswer } from './refinement-file.ts';

const PAGE = 200;
const MOST_MENTIONS = 1_000;
const TRIES = 5;
const RELATION_CONFIDENCE = 0.7;
const RULE = 'model';

export const isRefined = (span: Document): boolean => span.meta?.refined !== undefined;
export const isExchange = (span: Document): boolean => span.meta?.level === 'exchange';

type Refining = { readonly model: string; readonly answer: RefinementAnswer };

/** False: the topic is gone, or is no longer the one that the model was asked about. */
export async function applyRefinement(store: Store, span: Document, refining: Refining): Promise<boolean> {
  return changeTopic(store, span, (topic) => refinedChanges(store, topic, refining));
}

/** What an answer changed that no longer counts: the topic went on, and its row was drawn anew. */
export async function undoRefinement(store: Store, span: Document): Promise<void> {
  await changeTopic(store, span, async (topic) => undoing(store, topic));
}

/** A topic with all that lies in it. */
type Topic = {
  readonly span: Document;
  readonly exchanges: readonly Document[];
  /** As they are in the store. */
  readonly ideas: readonly Document[];
};

async function changeTopic(
  store: Store,
  span: Document,
  changesFor: (topic: Topic) => Promise<readonly Change[]>,
): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const key = stateKey(span.source?.file ?? '');
    const value = (await store.state({ keys: [key] }))[0]?.value ?? null;
    const [now] = await store.get({ refs: [span.ref], projects: [span.project] });
    if (!now || !isSame(now, span)) return false;
    const exchanges = await exchangesOf(store, now);
    const changes = await changesFor({ span: now, exchanges, ideas: await ideasIn(store, now, exchanges) });
    if (changes.length === 0) return true;
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

const isSame = (now: Document, then: Document): boolean =>
  ['start', 'end', 'turns', 'depth'].every((name) => now.meta?.[name] === then.meta?.[name]);

/** The exchanges of a topic that have rows of their own, the oldest first. */
export async function exchangesOf(store: Store, span: Document): Promise<Document[]> {
  return (await spansIn(store, span)).filter(isExchange);
}

/** Topics inside a topic, which are asked about on their own. */
export async function partsOf(store: Store, span: Document): Promise<Document[]> {
  return (await spansIn(store, span)).filter((part) => !isExchange(part));
}

const spansIn = (store: Store, { project, ref }: Document): Promise<Document[]> =>
  listed(store, { projects: [project], layers: ['trace'], kinds: ['span'], spans: [ref] });

/** By line; of the topic itself and of its exchanges. */
export async function ideasIn(store: Store, span: Document, exchanges: readonly Document[]): Promise<Document[]> {
  const spans = [span.ref, ...exchanges.map(({ ref }) => ref)];
  return listed(store, { projects: [span.project], layers: ['trace'], kinds: INTENTS, spans });
}

async function listed(store: Store, filter: Parameters<Store['list']>[0]['filter']): Promise<Document[]> {
  const found: Document[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({
      ...(filter ? { filter } : {}),
      order: 'oldest',
      limit: PAGE,
      ...(cursor ? { cursor } : {}),
    });
    found.push(...page.documents);
    cursor = page.next;
  } while (cursor !== undefined);
  return found.sort((a, b) => (a.source?.line ?? 0) - (b.source?.line ?? 0) || (a.ref < b.ref ? -1 : 1));
}

async function undoing(store: Store, topic: Topic): Promise<Change[]> {
  const linked = await modelLinks(store, topic);
  return [
    ...withoutModelMade(topic),
    ...[...topic.exchanges, ...topic.ideas.filter((idea) => !isModelMade(idea))].flatMap((row) =>
      putIfChanged(row, asBefore(row), linked),
    ),
  ];
}

function withoutModelMade({ span, ideas }: Topic): Change[] {
  const refs = ideas.filter(isModelMade).map(({ ref }) => ref);
  return refs.length > 0 ? [{ op: 'delete', where: { projects: [span.project], refs } }] : [];
}

type OwnLinks = ReadonlyMap<string, readonly Omit<Link, 'project' | 'from'>[]>;

/** Of each idea that an earlier answer related to others: its links without those. */
async function modelLinks(store: Store, { span, ideas }: Topic): Promise<OwnLinks> {
  const refs = ideas.filter((idea) => !isModelMade(idea)).map(({ ref }) => ref);
  const links = refs.length === 0 ? [] : await store.links({ refs, projects: [span.project], direction: 'out' });
  const touched = new Set(links.filter(({ rule }) => rule === RULE).map(({ from }) => from));
  return new Map(
    [...touched].map((from) => [
      from,
      links.filter((link) => link.from === from && link.rule !== RULE).map(({ project: _, from: __, ...link }) => link),
    ]),
  );
}

const putIfChanged = (stored: Document, row: Document, linked: OwnLinks): Change[] => {
  const links = linked.get(row.ref);
  return row === stored && !links ? [] : [{ op: 'put', document: row, ...(links ? { links } : {}) }];
};

async function refinedChanges(store: Store, topic: Topic, { model, answer }: Refining): Promise<Change[]> {
  const { span, exchanges, ideas } = topic;
  const found = ideas.filter((idea) => !isModelMade(idea));
  const refOf = await resolved(store, topic, answer);
  const judged = found.map((stored) => {
    const original = asBefore(stored);
    const verdicts = answer.verdicts.filter(({ ref }) => refOf(ref) === stored.ref).map(({ verdict }) => verdict);
    // No answer, new or kept, makes a decision of what somebody only quoted.
    const row = isSaid(originOf(original.meta)) ? judgedRow(original, verdicts, model) : original;
    return { stored, original, row };
  });
  const links = linksOf(span, answer, refOf);
  const own = new Set(answer.ideas.map(({ ref }) => ref));
  const made = answer.ideas.map((idea): Change => {
    const beside = found.find((each) => each.source?.line === idea.line);
    const exchange = exchanges.find((each) => holds(each, idea));
    const mentions = entitiesOf(idea.text).map(({ name, kind, count }) => ({ entity: name, kind, count }));
    const ownLinks = links.filter(({ from }) => from === idea.ref).map(({ project: _, from: __, ...link }) => link);
    return { op: 'put', document: newIdeaRow(idea, span, { model, beside, exchange }), mentions, links: ownLinks };
  });
  const others = links.filter(({ from }) => !own.has(from));
  const linked = await modelLinks(store, topic);
  return [
    ...withoutModelMade(topic),
    await topicChange(store, span, { model, answer }),
    ...judged.flatMap(({ stored, row }) => putIfChanged(stored, row, linked)),
    ...exchangeChanges(topic, judged, { model, answer }),
    ...made,
    ...(others.length > 0 ? [{ op: 'link', links: others } as const] : []),
  ];
}

const holds = ({ meta }: Document, { line }: { line: number }): boolean =>
  line >= Number(meta?.start) && line <= Number(meta?.end);

type Judged = { readonly original: Document; readonly row: Document };

function exchangeChanges({ exchanges }: Topic, judged: readonly Judged[], { model, answer }: Refining): Change[] {
  const isOther = ({ original, row }: Judged): boolean => row.kind !== original.kind || row.status !== original.status;
  const undone = new Set(judged.filter(isOther).map(({ original }) => original.text));
  return exchanges.flatMap((stored) => {
    const ideas = answer.ideas.filter((idea) => holds(stored, idea));
    const said = answer.outcomes.find(({ ref }) => ref === stored.ref);
    const row = exchangeRow(asBefore(stored), { model, title: said?.title, outcome: said?.outcome, undone, ideas });
    return row === stored ? [] : [{ op: 'put', document: row } as const];
  });
}

async function topicChange(store: Store, span: Document, { model, answer }: Refining): Promise<Change> {
  const document = topicRow(span, model, answer);
  if (answer.entities.length === 0) return { op: 'put', document };
  const { ref, project } = span;
  const known = await store.mentions({ refs: [ref], projects: [project], limit: MOST_MENTIONS });
  const mentions = new Map<string, Omit<Mention, 'project' | 'ref'>>(
    known.map(({ entity, kind, count }) => [`${kind} ${entity}`, { entity, kind, count }]),
  );
  for (const { name, kind } of answer.entities) {
    const entity = entitiesOf(name).find((each) => each.kind === kind)?.name ?? name;
    if (!mentions.has(`${kind} ${entity}`)) mentions.set(`${kind} ${entity}`, { entity, kind, count: 1 });
  }
  return { op: 'put', document, mentions: [...mentions.values()] };
}

/**
 * What the idea is called today that an answer names: another build may have given its name to another statement, or another name to
 * it. `undefined`: it is no longer there.
 */
async function resolved(
  store: Store,
  { span, ideas }: Topic,
  answer: RefinementAnswer,
): Promise<(ref: string) => string | undefined> {
  const own = new Set(answer.ideas.map(({ ref }) => ref));
  const named = answer.verdicts.flatMap(({ ref, by }) => (by ? [ref, by] : [ref]));
  const refs = new Set([...named, ...answer.relations.flatMap(({ from, to }) => [from, to])]);
  const found = ideas.filter((idea) => !isModelMade(idea));
  const inside = new Map(found.map((idea) => [idea.ref, idea]));
  const elsewhere = [...refs].filter((ref) => !own.has(ref) && !inside.has(ref));
  const there = new Map(
    (await store.get({ refs: elsewhere, projects: [span.project] })).map((document) => [document.ref, document]),
  );
  const hashes = new Map(answer.known.map(({ ref, hash }) => [ref, hash]));
  return (ref) => {
    if (own.has(ref)) return ref;
    const hash = hashes.get(ref);
    const named = inside.get(ref) ?? there.get(ref);
    if (named && (hash === undefined || named.hash === hash)) return ref;
    return hash === undefined ? undefined : found.find((idea) => idea.hash === hash)?.ref;
  };
}

/** Only between what exists: a rebuilt store may lack an idea that was there when the model was asked. */
function linksOf(span: Document, answer: RefinementAnswer, refOf: (ref: string) => string | undefined): Link[] {
  const settled = answer.verdicts.flatMap(({ ref, by }) =>
    by ? [{ from: by, to: ref, relation: 'answers' as const }] : [],
  );
  const links = new Map<string, Link>();
  for (const { from, to, relation } of [...answer.relations, ...settled]) {
    const ends = { from: refOf(from), to: refOf(to) };
    if (ends.from === undefined || ends.to === undefined || ends.from === ends.to) continue;
    const { project } = span;
    const link = { project, from: ends.from, to: ends.to, relation, confidence: RELATION_CONFIDENCE, rule: RULE };
    links.set(`${link.from} ${link.to} ${relation}`, link);
  }
  return [...links.values()];
}
