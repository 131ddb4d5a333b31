// Carries the rows of one store to another, in batches that are each whole: after a break it goes on where it was, because what is there
// already and equal is not written again. Then both are read side by side: every document, its links, mentions and vectors, and the states.

import { createHash } from 'node:crypto';
import type { Change, Document, Link, Mention, Store } from '../store/store.ts';

const PAGE = 500;
/** Where a copy was when it was interrupted, kept in the store that is written. */
const PROGRESS = 'copy:cursor';

export type CopyProgress = { readonly done: number; readonly total: number; readonly step: 'copying' | 'comparing' };
export type CopyOptions = {
  readonly onProgress?: (progress: CopyProgress) => void;
  readonly stopped?: () => boolean;
};
export type CopyReport = {
  readonly documents: number;
  readonly links: number;
  readonly mentions: number;
  readonly vectors: number;
  readonly states: number;
  /** Rows that are not the same in both; a copy that went well has none. */
  readonly different: readonly string[];
  readonly stopped: boolean;
};

const SHOWN = 10;

export async function copyStore(from: Store, to: Store, options: CopyOptions = {}): Promise<CopyReport> {
  const { documents, vectors } = await from.stats();
  const total = documents.reduce((sum, { count }) => sum + count, 0);
  const models = vectors.map(({ model }) => model);
  let done = 0;
  let cursor = (await to.state({ keys: [PROGRESS] }))[0]?.value;
  let stopped = false;
  for await (const page of pagesOf(from, cursor)) {
    await to.apply([...(await changesOf(from, page.own, models)), ...progressTo(page.next)]);
    cursor = page.next;
    done += page.own.length;
    options.onProgress?.({ step: 'copying', done, total });
    stopped = options.stopped?.() === true;
    if (stopped) break;
  }
  if (stopped) return { ...NOTHING, documents: done, stopped };
  const states = (await from.state({})).filter(({ key }) => key !== PROGRESS);
  await to.apply([
    ...states.map(({ key, value }): Change => ({ op: 'state', key, value })),
    { op: 'state', key: PROGRESS, value: null },
  ]);
  const compared = await compare(from, to, models, options, total);
  const there = new Map((await to.state({})).map(({ key, value }) => [key, value]));
  const missing = states.filter(({ key, value }) => there.get(key) !== value).map(({ key }) => key);
  return {
    ...compared,
    different: [...compared.different, ...missing].slice(0, SHOWN),
    states: states.length,
  };
}

const NOTHING = { documents: 0, links: 0, mentions: 0, vectors: 0, states: 0, different: [] };

const progressTo = (next: string | undefined): Change[] =>
  next === undefined ? [] : [{ op: 'state', key: PROGRESS, value: next }];

type Part = { readonly own: readonly Document[]; readonly next: string | undefined };

/** What is the reader's own; what others share stays theirs. */
async function* pagesOf(store: Store, start?: string): AsyncGenerator<Part> {
  let cursor = start;
  do {
    const page = await store.list({ order: 'ref', limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    cursor = page.next;
    yield { own: page.documents.filter(({ author }) => author === undefined), next: cursor };
  } while (cursor !== undefined);
}

type Rows = { readonly links: readonly Link[]; readonly mentions: readonly Mention[] };

async function rowsOf(store: Store, documents: readonly Document[]): Promise<Rows> {
  const refs = [...new Set(documents.map(({ ref }) => ref))];
  const projects = [...new Set(documents.map(({ project }) => project))];
  if (refs.length === 0) return { links: [], mentions: [] };
  const [links, mentions] = await Promise.all([
    store.links({ refs, projects, direction: 'out' }),
    store.mentions({ refs, projects }),
  ]);
  return { links, mentions };
}

/** Documents with all that hangs on them, as changes that put them. */
export async function changesOf(
  store: Store,
  documents: readonly Document[],
  models: readonly string[],
): Promise<Change[]> {
  const { links, mentions } = await rowsOf(store, documents);
  const linksOf = grouped(links, ({ project, from }) => `${project}\0${from}`);
  const mentionsOf = grouped(mentions, ({ project, ref }) => `${project}\0${ref}`);
  const puts = documents.map((document): Change => {
    const key = `${document.project}\0${document.ref}`;
    return { op: 'put', document, links: linksOf.get(key) ?? [], mentions: mentionsOf.get(key) ?? [] };
  });
  const vectors: Change[] = [];
  for (const model of models) {
    const hashes = [...new Set(documents.map(({ hash }) => hash))];
    const found = await store.vectors({ model, hashes });
    const tokens = await store.tokens?.({ model, hashes });
    const whole = found.map((each) => ({ ...each, ...withTokens(tokens?.get(each.hash)) }));
    if (whole.length > 0) vectors.push({ op: 'vectors', vectors: whole });
  }
  return [...puts, ...vectors];
}

const withTokens = (tokens: Uint8Array | undefined) => (tokens === undefined ? {} : { tokens });

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

async function compare(
  from: Store,
  to: Store,
  models: readonly string[],
  { onProgress, stopped }: CopyOptions,
  total: number,
): Promise<Omit<CopyReport, 'states'>> {
  const sums = { documents: 0, links: 0, mentions: 0, vectors: 0 };
  const different: string[] = [];
  for await (const { own } of pagesOf(from)) {
    const there = await summed(from, own, models);
    const here = await summed(
      to,
      await to.get({ refs: own.map(({ ref }) => ref), projects: [...new Set(own.map(({ project }) => project))] }),
      models,
    );
    for (const [key, sum] of there.byDocument)
      if (here.byDocument.get(key) !== sum) different.push(key.split('\0')[1] ?? key);
    sums.documents += own.length;
    sums.links += there.links;
    sums.mentions += there.mentions;
    sums.vectors += there.vectors;
    onProgress?.({ step: 'comparing', done: sums.documents, total });
    if (stopped?.() === true) return { ...sums, different: different.slice(0, SHOWN), stopped: true };
  }
  return { ...sums, different: different.slice(0, SHOWN), stopped: false };
}

/** One hash for each document with all that hangs on it. */
async function summed(store: Store, documents: readonly Document[], models: readonly string[]) {
  const { links, mentions } = await rowsOf(store, documents);
  const linksOf = grouped(links, ({ project, from }) => `${project}\0${from}`);
  const mentionsOf = grouped(mentions, ({ project, ref }) => `${project}\0${ref}`);
  const vectorsOf = new Map<string, string[]>();
  let vectors = 0;
  for (const model of models) {
    for (const { hash, vector } of await store.vectors({
      model,
      hashes: [...new Set(documents.map((each) => each.hash))],
    })) {
      const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
      vectorsOf.set(hash, [...(vectorsOf.get(hash) ?? []), model, createHash('sha256').update(bytes).digest('base64')]);
      vectors++;
    }
  }
  const byDocument = new Map(
    documents.map((document) => {
      const key = `${document.project}\0${document.ref}`;
      const rows = [
        Object.entries(document).sort(([a], [b]) => (a < b ? -1 : 1)),
        linksOf.get(key) ?? [],
        (mentionsOf.get(key) ?? []).map(({ entity, kind, count }) => [entity, kind, count]).sort(),
        vectorsOf.get(document.hash) ?? [],
      ];
      return [key, createHash('sha256').update(JSON.stringify(rows)).digest('base64')] as const;
    }),
  );
  return { byDocument, links: links.length, mentions: mentions.length, vectors };
}
