// The property test: any sequence of batches leaves a store that answers like a simple model in memory, and like a
// second store that was filled at once with the outcome ("incremental equals rebuild").

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText } from '../../../src/store/check-changes.ts';
import { compareText } from '../../../src/store/compare-text.ts';
import { indexWords } from '../../../src/store/index-words.ts';
import type { Change, Document, Filter, Hit, Link, Mention, Store } from '../../../src/store/store.ts';
import type { Bench } from '../contract.ts';
import { sample } from './sample.ts';

type Kept = { document: Document; links: Map<string, Link>; mentions: Mention[] };

const keyOf = ({ project, ref }: { project: string; ref: string }): string => `${project}\n${ref}`;
const byKey = (a: { project: string; ref: string }, b: { project: string; ref: string }): number =>
  compareText(a.project, b.project) || compareText(a.ref, b.ref);

/** What the interface promises, in the fewest words. */
class Model {
  documents = new Map<string, Kept>();
  vectors = new Map<string, Float32Array>();
  state = new Map<string, string>();

  /** Works on a copy that becomes the model only if all went well. */
  apply(changes: readonly Change[]): Model {
    const next = new Model();
    for (const [key, kept] of this.documents) next.documents.set(key, { ...kept, links: new Map(kept.links) });
    next.vectors = new Map(this.vectors);
    next.state = new Map(this.state);
    for (const change of changes) next.#applyOne(change);
    return next;
  }

  #applyOne(change: Change): void {
    if (change.op === 'put') this.#put(change);
    if (change.op === 'delete')
      for (const { document } of this.where(change.where)) this.documents.delete(keyOf(document));
    if (change.op === 'link') for (const link of change.links) this.#link(link);
    if (change.op === 'vectors') for (const { hash, vector } of change.vectors) this.vectors.set(hash, vector);
    if (change.op === 'clear') {
      this.documents.clear();
      this.state.clear();
    }
    if (change.op === 'prune') {
      const used = new Set([...this.documents.values()].map(({ document }) => document.hash));
      for (const hash of this.vectors.keys()) if (!used.has(hash)) this.vectors.delete(hash);
    }
    if (change.op === 'expect' && (this.state.get(change.key) ?? null) !== change.value) throw new Error('conflict');
    if (change.op === 'state') {
      if (change.value === null) this.state.delete(change.key);
      else this.state.set(change.key, change.value);
    }
  }

  #put({ document, links, mentions }: Change & { op: 'put' }): void {
    const { project, ref } = document;
    const old = this.documents.get(keyOf(document));
    const clean = { ...document, title: cleanText(document.title), text: cleanText(document.text) };
    const kept: Kept = { document: clean, links: old?.links ?? new Map(), mentions: old?.mentions ?? [] };
    this.documents.set(keyOf(document), kept);
    if (links) kept.links = new Map();
    for (const link of links ?? []) this.#link({ ...link, project, from: ref });
    if (mentions) kept.mentions = mentions.map((mention) => ({ ...mention, project, ref }));
  }

  #link(link: Link): void {
    const owner = this.documents.get(keyOf({ project: link.project, ref: link.from }));
    if (!owner) throw new Error('no owner');
    owner.links.set(`${link.to}\n${link.relation}`, link);
  }

  where(filter: Filter): Kept[] {
    const among = (list: readonly string[] | undefined, value: string | undefined): boolean =>
      list === undefined || (value !== undefined && list.includes(value));
    return [...this.documents.values()]
      .filter(
        ({ document, mentions }) =>
          among(filter.projects, document.project) &&
          among(filter.refs, document.ref) &&
          among(filter.kinds, document.kind) &&
          among(filter.statuses, document.status) &&
          among(filter.files, document.source?.file) &&
          (filter.tags === undefined || filter.tags.some((tag) => document.tags.includes(tag))) &&
          (filter.entities === undefined || mentions.some(({ entity }) => among(filter.entities, entity))) &&
          (filter.unembedded === undefined || !this.vectors.has(document.hash)) &&
          document.createdAt >= (filter.since ?? Number.NEGATIVE_INFINITY),
      )
      .sort((a, b) => byKey(a.document, b.document));
  }

  search(words: readonly string[], filter: Filter): string[] {
    const wanted = words.flatMap(indexWords);
    const hits = this.where(filter).filter(({ document }) => {
      const { title, text, tags, context } = document;
      const own = new Set([title, text, tags.join(' '), context ?? ''].flatMap(indexWords));
      return wanted.some((word) => own.has(word));
    });
    return hits.map(({ document }) => keyOf(document));
  }

  nearest(vector: Float32Array, filter: Filter): Hit[] {
    const hits = this.where(filter).flatMap(({ document: { project, ref, hash } }) => {
      const other = this.vectors.get(hash);
      return other ? [{ project, ref, score: cosine(other, vector) }] : [];
    });
    return hits.sort((a, b) => b.score - a.score || byKey(a, b));
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0];
  a.forEach((x, at) => {
    dot += x * b[at]!;
    aa += x * x;
    bb += b[at]! * b[at]!;
  });
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}

const pick = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const refs = pick('a', 'b', 'c', 'ä', '日', '\u{1F600}', 'record:x/y');
const projects = pick('apollo', 'zeus');
const hashes = pick('h1', 'h2', 'h3', 'h4');
const words = pick('walrus', 'seals', 'getUserName', 'get_user', '数据库', 'ci', 'Café', '"', 'OR', '\0', '\uD800');
const text = fc
  .array(fc.oneof({ weight: 8, arbitrary: words }, fc.string({ unit: 'binary' })), { maxLength: 6 })
  .map((all) => all.join(' '));

const document: fc.Arbitrary<Document> = fc
  .record({
    ref: refs,
    project: projects,
    kind: pick('decision', 'todo', 'span'),
    status: pick('active', 'retired'),
    title: text,
    text,
    tags: fc.array(pick('x', 'y', 'walrus'), { maxLength: 3 }),
    createdAt: fc.integer({ min: 0, max: 5 }),
    hash: hashes,
    file: pick(undefined, '/one', '/two'),
    meta: pick(undefined, { a: 1 }, { b: ['\0', null] }),
  })
  .map(({ ref, file, meta, ...parts }) =>
    sample(ref, { ...parts, ...(file ? { source: { file, line: parts.createdAt } } : {}), ...(meta ? { meta } : {}) }),
  );

const link = fc.record({
  project: projects,
  from: refs,
  to: refs,
  relation: pick('answers', 'builds_on'),
  confidence: pick(0, 0.5, 1),
});

const filter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ refs: fc.array(refs, { maxLength: 3 }) }),
  fc.record({ projects: fc.array(projects, { maxLength: 2 }) }),
  fc.record({ files: pick(['/one'], ['/two']) }),
  fc.record({ kinds: fc.array(pick('decision', 'todo', 'nothing'), { maxLength: 2 }), statuses: pick(['active']) }),
  fc.record({ tags: pick(['x'], ['y', 'walrus']) }),
  fc.record({ entities: pick(['redis'], ['auth', 'redis']) }),
  fc.record({ since: fc.integer({ min: 0, max: 6 }), unembedded: pick('m') }),
);

const mentions = fc.uniqueArray(
  fc.record({ entity: pick('redis', 'auth'), kind: pick('technology', 'file'), count: fc.integer({ min: 1, max: 3 }) }),
  { maxLength: 3, selector: ({ entity, kind }) => `${entity} ${kind}` },
);

const change = fc.oneof(
  { weight: 8, arbitrary: document.map((it): Change => ({ op: 'put', document: it })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(document, fc.array(link, { maxLength: 2 }), mentions)
      .map(([it, links, all]): Change => ({ op: 'put', document: it, links, mentions: all })),
  },
  { weight: 2, arbitrary: filter.map((where): Change => ({ op: 'delete', where })) },
  { weight: 2, arbitrary: link.map((it): Change => ({ op: 'link', links: [it] })) },
  {
    weight: 3,
    arbitrary: fc.tuple(hashes, fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 3, maxLength: 3 })).map(
      ([hash, numbers]): Change => ({
        op: 'vectors',
        vectors: [{ hash, model: 'm', vector: Float32Array.from(numbers) }],
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ key: pick('k1', 'k2'), value: pick('1', '2', null) })
      .map((it): Change => ({ op: 'state', ...it })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ key: pick('k1', 'k2'), value: pick('1', null) })
      .map((it): Change => ({ op: 'expect', ...it })),
  },
  { weight: 1, arbitrary: pick<Change>({ op: 'clear' }, { op: 'prune', vectors: 'unused' }) },
);

const QUERY = Float32Array.of(1, -1, 0.5);
const FILTERS: readonly Filter[] = [
  {},
  { projects: ['apollo'] },
  { kinds: ['todo', 'span'], statuses: ['active'] },
  { since: 3 },
];
const WORDS = [['walrus'], ['seal', 'ci'], ['user', 'database', 'cafe'], ['nowhere']];

async function expectSame(store: Store, model: Model): Promise<void> {
  const kept = model.where({});
  expect((await store.list({ order: 'ref', limit: 1_000 })).documents).toEqual(kept.map((it) => it.document));
  const links = kept.flatMap((it) => [...it.links.values()]);
  expect(await store.links({ refs: [...new Set(links.map(({ from }) => from))], direction: 'out' })).toEqual(
    links.sort(
      (a, b) =>
        byKey({ ...a, ref: a.from }, { ...b, ref: b.from }) ||
        compareText(a.to, b.to) ||
        compareText(a.relation, b.relation),
    ),
  );
  const order = (all: readonly Mention[]) => all.map((it) => JSON.stringify(Object.entries(it).sort())).sort();
  expect(order(await store.mentions({}))).toEqual(order(kept.flatMap((it) => it.mentions)));
  expect(await store.state({})).toEqual(
    [...model.state].map(([key, value]) => ({ key, value })).sort((a, b) => compareText(a.key, b.key)),
  );
  for (const filter of FILTERS) {
    const listed = (await store.list({ filter, order: 'ref', limit: 1_000 })).documents;
    expect(listed).toEqual(model.where(filter).map((it) => it.document));
    for (const terms of WORDS) {
      const hits = await store.search({ terms: terms.map((it) => ({ text: it })), filter, limit: 1_000 });
      expect(hits.map(keyOf).sort()).toEqual(model.search(terms, filter).sort());
    }
    const limit = 1_000;
    expect(await store.nearest({ model: 'm', vector: QUERY, filter, limit })).toEqual(model.nearest(QUERY, filter));
  }
}

async function answers(store: Store): Promise<unknown> {
  const searches = WORDS.flatMap((terms) =>
    FILTERS.map((filter) => store.search({ terms: terms.map((it) => ({ text: it })), filter, limit: 3 })),
  );
  return Promise.all([
    ...searches,
    store.stats().then(({ documents, links, entities }) => ({ documents, links, entities })),
  ]);
}

export function modelContract({ makeHarness, runs }: Bench): void {
  describe('any sequence of batches', () => {
    it('leaves what a model in memory says, and what filling a store at once would leave', {
      timeout: 240_000,
    }, async () => {
      const batches = fc.array(fc.array(change, { maxLength: 8 }), { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(batches, async (all) => {
          const [harness, other] = [await makeHarness(), await makeHarness()];
          const [store, rebuilt] = [await harness.open(), await other.open()];
          try {
            let model = new Model();
            for (const batch of all) model = await applyBoth(store, model, batch);
            await expectSame(store, model);
            await rebuilt.apply([...model.documents.values()].reverse().map(putAgain));
            expect(await answers(store)).toEqual(await answers(rebuilt));
          } finally {
            await store.close();
            await rebuilt.close();
            await harness.remove();
            await other.remove();
          }
        }),
        { numRuns: runs },
      );
    });
  });
}

async function applyBoth(store: Store, model: Model, batch: readonly Change[]): Promise<Model> {
  let next: Model;
  try {
    next = model.apply(batch);
  } catch {
    await expect(store.apply(batch)).rejects.toMatchObject({ name: 'CairnError' });
    return model;
  }
  await store.apply(batch);
  return next;
}

function putAgain({ document: it, links, mentions: all }: Kept): Change {
  return { op: 'put', document: it, links: [...links.values()], mentions: all };
}
