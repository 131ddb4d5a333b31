// What is known about a file that a question names: its summary and what else was written down about it, decisions that name it, the exchanges that
// changed it, its commits. Found by what they are about, not by words: a path shares its words with half of the project.

import { foldFile } from '../extraction/entities/fold-name.ts';
import type { Document, Filter, Store } from '../store/store.ts';
import type { Analysis } from './analyse.ts';
import type { RecallQuery } from './answer.ts';
import type { Candidate } from './candidate.ts';
import type { Weights } from './weights.ts';

export type AboutFile = { readonly document: Document; readonly score: number };

/** Files that one written name may mean, and documents that are looked through to find them. */
const [MOST_FILES, LOOKED] = [3, 60];

export async function aboutPaths(
  store: Store,
  query: RecallQuery,
  { analysis, filter, weights }: { analysis: Analysis; filter: Filter; weights: Weights },
): Promise<AboutFile[]> {
  if (query.unasked || analysis.paths.length === 0) return [];
  const focus = isOnlyPath(analysis) ? 1 : weights.path.beside;
  const found = new Map<Document, number>();
  const about = async (written: string): Promise<AboutFile[][]> =>
    Promise.all((await filesMeant(store, written, filter)).map((file) => aboutFile(store, file, { filter, weights })));
  const known = await Promise.all(analysis.paths.slice(0, MOST_FILES).map(about));
  for (const { document, score } of known.flat(2))
    found.set(document, Math.max(found.get(document) ?? 0, score * focus));
  return [...found].map(([document, score]) => ({ document, score })).sort((a, b) => b.score - a.score);
}

/** Beside other words, a path has far fewer points than this. */
const ALL_THAT_IS_ASKED = 0.3;

/** It is known about a file, and nothing but that file was asked for. */
export const isAboutFile = ({ proposals }: Candidate): boolean =>
  (proposals.get('path')?.score ?? 0) >= ALL_THAT_IS_ASKED;

/** "src/a.ts", "what do we know about a.ts": nothing else is asked for. */
function isOnlyPath({ words, paths }: Analysis): boolean {
  const named = paths.map((path) => path.toLowerCase());
  const isPart = (word: string): boolean => named.some((path) => path.includes(word.toLowerCase()));
  return words.every(({ surface, documents }) => documents === 0 || isPart(surface));
}

/** A bare or shortened name means the paths that end with it. */
async function filesMeant(store: Store, written: string, filter: Filter): Promise<string[]> {
  const file = foldFile(written).replace(/^\.\//, '');
  const ending = `/${file}`;
  const scope = filter.projects ? { projects: filter.projects } : {};
  const [known, hits] = await Promise.all([
    store.entities({ names: [file], kinds: ['file'], ...scope, limit: 1 }),
    store.search({
      terms: [{ text: written }],
      filter: { ...scope, kinds: ['span', 'file-summary', 'commit'] },
      limit: LOOKED,
      documents: true,
    }),
  ]);
  const longer = new Set<string>();
  for (const { document } of hits) for (const name of namesIn(document)) if (name.endsWith(ending)) longer.add(name);
  return [...known.map(({ name }) => name), ...[...longer].sort((a, b) => a.length - b.length)].slice(0, MOST_FILES);
}

function namesIn(document: Document | undefined): string[] {
  const { files, changed } = document?.meta ?? {};
  const listed = [files, changed].flatMap((each) => (Array.isArray(each) ? each : []));
  const named = listed.flatMap((each): string[] =>
    typeof each === 'string'
      ? [each]
      : typeof (each as { path?: unknown } | null)?.path === 'string'
        ? [(each as { path: string }).path]
        : [],
  );
  return [...named, ...(document?.context?.split('\n') ?? [])].map(foldFile);
}

async function aboutFile(
  store: Store,
  file: string,
  { filter, weights }: { filter: Filter; weights: Weights },
): Promise<AboutFile[]> {
  const { path: points, pool } = weights;
  const list = async (more: Filter, score: number, isOne: (document: Document) => boolean = () => true) => {
    const kinds = more.kinds ? { kinds: filter.kinds?.filter((kind) => more.kinds?.includes(kind)) ?? more.kinds } : {};
    const layers = { layers: filter.layers?.filter((layer) => more.layers?.includes(layer)) ?? more.layers ?? [] };
    const wanted = { ...filter, entities: [file], ...layers, ...kinds };
    const { documents } = await store.list({ filter: wanted, order: 'newest', limit: LOOKED });
    // The newest first, by so little that it orders nothing else.
    return documents
      .filter(isOne)
      .slice(0, pool.path)
      .map((document, at) => ({ document, score: score * (1 - at / 1_000) }));
  };
  const isSummary = ({ kind }: Document): boolean => kind === 'file-summary';
  const changed = ({ meta }: Document): boolean =>
    meta?.level === 'exchange' &&
    Array.isArray(meta.files) &&
    namesIn({ meta } as Document).some((name) => isSame(name, file));
  return (
    await Promise.all([
      list({ layers: ['note'], kinds: ['file-summary'] }, points.summary, isSummary),
      list({ layers: ['record', 'note'] }, points.written, (document) => !isSummary(document)),
      list({ layers: ['trace'], kinds: ['decision'] }, points.decided, ({ meta }) => meta?.search_only !== true),
      list({ layers: ['trace'], kinds: ['span'] }, points.changed, changed),
      list({ layers: ['commit'] }, points.committed),
    ])
  ).flat();
}

const isSame = (name: string, file: string): boolean => name === file || name.endsWith(`/${file}`);
