// `cairn inbox`: what waits for somebody to decide. Drafts that triage prepared and nobody saved, memories that say the same twice or
// contradict each other (records and notes, and later statements against them), and memories whose files are gone or changed.

import { realPath } from '../files/paths.ts';
import { type Kept, readKept } from '../files/settled.ts';
import { checkFile, fileVersion } from '../indexing/files/check-related-files.ts';
import { shortHash } from '../model/hash.ts';
import { isObject } from '../model/json.ts';
import { isSaid, originOf } from '../model/provenance.ts';
import type { Document, Store } from '../store/store.ts';
import { type Draft, listDrafts } from './drafts.ts';
import { isKept } from './kept-pairs.ts';
import { Memory } from './memory.ts';
import { type Judgement, type Pair, pairsAmong } from './memory-pairs.ts';
import { isOfSubagent } from './open-items.ts';
import type { RecallMemory } from './recall-memory.ts';
import { isDecided, worthOf } from './session-story.ts';

export type InboxEntry = Pick<Document, 'ref' | 'layer' | 'kind' | 'title' | 'text'> & {
  /** ISO 8601. */
  readonly at: string;
  readonly source: Document['source'] | null;
};

/** The newer one first. */
export type InboxPair = Judgement & { readonly a: InboxEntry; readonly b: InboxEntry };
export type InboxStale = InboxEntry & {
  readonly files: readonly { readonly path: string; readonly is: 'gone' | 'changed' }[];
};

export type Inbox = {
  readonly drafts: readonly Draft[];
  readonly pairs: readonly InboxPair[];
  readonly stale: readonly InboxStale[];
};

const MOST = 2_000;
const MOST_IDEAS = 400;
const RULES = ['decision', 'preference', 'constraint'];
/** These are made anew by themselves, or are not Cairn's to settle. */
const LEFT_ALONE = new Set(['session', 'session_summary', 'file-summary', 'auto-memory', 'instructions']);
/** A statement that speaks against a record is worth being looked at. */
const WORTH = 0.5;
const SURE = 0.6;

export async function inboxOf(memory: RecallMemory): Promise<Inbox> {
  const { store, config } = memory;
  const curated = await curatedIn(memory);
  const ideas = await decisionsIn(memory);
  const rules = curated.filter(({ kind }) => RULES.includes(kind));
  const later = pairsAmong(rules, ideas).filter(
    ({ kind, a, b }) => kind === 'contradiction' && b.createdAt > a.updatedAt,
  );
  const kept = readKept(config.paths.userRoot);
  const open = await unsettled(store, [...pairsAmong(curated), ...later], kept);
  return {
    drafts: listDrafts(new Memory(config, () => memory.now), memory.now),
    pairs: open.map(newerFirst).sort((one, other) => rank(one) - rank(other)),
    stale: staleIn(memory, curated, kept),
  };
}

/** Contradictions before doubles. */
const rank = ({ kind }: Judgement): number => (kind === 'contradiction' ? 0 : 1);

/** The active records and notes at hand. */
async function curatedIn({ store, config }: RecallMemory): Promise<Document[]> {
  const { documents } = await store.list({
    filter: { projects: [realPath(config.paths.memoryRoot)], layers: ['record', 'note'], statuses: ['active'] },
    order: 'newest',
    limit: MOST,
  });
  return documents.filter(({ kind, meta }) => !LEFT_ALONE.has(kind) && meta?.state !== 'resolved');
}

/** What was decided in conversations, in words that stand alone. */
async function decisionsIn(memory: RecallMemory): Promise<Document[]> {
  const { documents } = await memory.store.list({
    filter: { projects: memory.scopesOf(), layers: ['trace'], kinds: ['decision'], statuses: ['active'] },
    order: 'newest',
    limit: MOST_IDEAS,
  });
  return documents.filter(
    (each) =>
      isDecided(each) &&
      worthOf(each) >= WORTH &&
      each.confidence >= SURE &&
      each.meta?.search_only !== true &&
      !isOfSubagent(each) &&
      isSaid(originOf(each.meta)),
  );
}

/** Without those that one replaces the other by a link, and those that somebody has looked at. */
async function unsettled(store: Store, pairs: readonly Pair[], kept: readonly Kept[]): Promise<Pair[]> {
  if (pairs.length === 0) return [];
  const refs = [...new Set(pairs.flatMap(({ a, b }) => [a.ref, b.ref]))];
  const links = await store.links({ refs, relations: ['supersedes'] });
  const replaced = new Set(links.flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]));
  return pairs.filter(({ a, b }) => !replaced.has(`${a.ref} ${b.ref}`) && !isKept(kept, a, b));
}

const newerFirst = ({ a, b, kind, why }: Pair): InboxPair => {
  const [first, second] = b.updatedAt > a.updatedAt ? [b, a] : [a, b];
  return { kind, why, a: entryOf(first), b: entryOf(second) };
};

export const entryOf = ({ ref, layer, kind, title, text, updatedAt, source }: Document): InboxEntry => ({
  ...{ ref, layer, kind, title, text },
  at: new Date(updatedAt).toISOString(),
  source: source ?? null,
});

function staleIn({ config }: RecallMemory, curated: readonly Document[], kept: readonly Kept[]): InboxStale[] {
  const { projectRoot } = config.paths;
  return curated.flatMap((document) => {
    const files = filesOf(document).flatMap((file) => {
      const is = checkFile(projectRoot, file);
      return is === 'gone' || is === 'changed' ? [{ path: file.path, is } as const] : [];
    });
    if (files.length === 0) return [];
    const mark = staleMark(projectRoot, document);
    return kept.some(({ a, b, mark: seen }) => a === document.ref && b === undefined && seen === mark)
      ? []
      : [{ ...entryOf(document), files }];
  });
}

/** Names what a memory says and what its files are now: when one of them changes once more, it is told once more. */
export const staleMark = (projectRoot: string, document: Document): string =>
  shortHash(JSON.stringify([document.hash, filesOf(document).map(({ path }) => fileVersion(projectRoot, path).blob)]));

type File = { readonly path: string; readonly blob?: string | null; readonly size?: number | null };

function filesOf({ meta }: Document): File[] {
  return (Array.isArray(meta?.files) ? meta.files : []).flatMap((each: unknown): File[] => {
    if (!isObject(each) || typeof each.path !== 'string') return [];
    return [
      {
        path: each.path,
        ...(typeof each.blob === 'string' ? { blob: each.blob } : {}),
        ...(typeof each.size === 'number' ? { size: each.size } : {}),
      },
    ];
  });
}
