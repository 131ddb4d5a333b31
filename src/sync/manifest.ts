// What a machine has put at the place: a small head that it alone replaces, and objects that the head names. Pages list its
// conversations, so that a push writes anew only those pages that changed. Everything here was read from outside: it is checked.

import { contentHash } from '../model/hash.ts';
import { any, fits, type Infer, integer, list, map, omittable, openObject, parseAs, text } from '../model/schema.ts';

const VERSION = 1;
const PAGE_RECORDS = 64;
const MOST_CHUNKS = 100_000;
const HASH = { source: '^[0-9a-f]{64}$', says: 'the name of an object' };

const hash = text({ pattern: HASH });
const plain = text({ maxLength: 8_192 });

/** Some lines of a conversation: the object that holds them, the last of their numbers, and the running sum of all lines to there. */
const CHUNK = openObject({
  object: hash,
  to: integer({ min: 1 }),
  sum: text({ pattern: { source: '^[0-9a-f]{16}$', says: 'a sum' } }),
});
export type Chunk = Infer<typeof CHUNK>;

/** A conversation as it was archived; one that was rewritten has had several. */
const GENERATION = openObject({
  forks: list(openObject({ from: integer({ min: 1 }), generation: integer({ min: 2 }) }), { maxItems: 10_000 }),
  offset: integer({ min: 0 }),
  line: integer({ min: 1 }),
  mark: plain,
  chunks: list(CHUNK, { minItems: 1, maxItems: MOST_CHUNKS }),
});
export type Generation = Infer<typeof GENERATION>;

const RECORD = openObject({
  source: plain,
  session: plain,
  reader: plain,
  project: plain,
  /** Where it went to besides: folder → project. */
  projects: map(plain, { maxItems: 1_000 }),
  cwd: omittable(plain),
  branch: omittable(plain),
  updatedAt: plain,
  /** The oldest first. */
  generations: list(GENERATION, { minItems: 1, maxItems: 10_000 }),
});
export type ConversationRecord = Infer<typeof RECORD>;

const MANIFEST = openObject({
  v: integer({ min: 1 }),
  machine: text({ pattern: { source: '^[0-9a-f]{16,64}$', says: 'the name of a machine' } }),
  label: text({ maxLength: 200 }),
  /** Grows with every push. */
  counter: integer({ min: 1 }),
  /** Another one for every push: who finds one that it has not written is not alone under its name. */
  nonce: plain,
  at: plain,
  app: plain,
  pages: list(hash, { maxItems: 65_536 }),
  shared: omittable(hash),
  forgotten: omittable(hash),
  /** Files of memories that lie in no repository (memory-files.ts). */
  memories: omittable(hash),
});
export type Manifest = Infer<typeof MANIFEST>;

export const manifestText = (manifest: Omit<Manifest, 'v'>): string => JSON.stringify({ v: VERSION, ...manifest });

export type ReadManifest = { readonly manifest: Manifest } | { readonly newer: number } | undefined;

/** `undefined` where it is none. */
export function readManifest(content: string): ReadManifest {
  const head = parseAs(openObject({ v: integer() }), content);
  if (head && head.v > VERSION) return { newer: head.v };
  const manifest = parseAs(MANIFEST, content);
  return manifest && { manifest };
}

/** By what they are of, so that one that changes moves no other to another page. */
export function pagesOf(records: readonly ConversationRecord[]): string[] {
  let count = 1;
  while (count * PAGE_RECORDS < records.length) count *= 2;
  const pages: ConversationRecord[][] = Array.from({ length: count }, () => []);
  for (const record of records)
    pages[Number.parseInt(contentHash(record.source).slice(0, 6), 16) % count]!.push(record);
  return pages
    .filter((page) => page.length > 0)
    .map((page) => JSON.stringify(page.sort((a, b) => (a.source < b.source ? -1 : 1))));
}

/** What is no record is left out: a newer Cairn may know more. */
export function recordsIn(page: string): ConversationRecord[] {
  return (parseAs(list(any(), { maxItems: 100_000 }), page) ?? []).filter((each) => fits(RECORD, each));
}

export const objectsOf = ({ generations }: ConversationRecord): string[] =>
  generations.flatMap(({ chunks }) => chunks.map(({ object }) => object));
