// Says what the files that a memory is about looked like when it was written: as it was kept, as the store still knows it, or, for a
// memory that is new or was changed, as the files are now.

import type { Document, Json, Store } from '../../store/store.ts';
import { type FileVersion, fileVersion } from './check-related-files.ts';
import type { FileRow } from './file-rows.ts';
import { readFileVersions, type Seen, saveFileVersions } from './file-versions-log.ts';

export type RelatedFileVersions = {
  /** The row's document with its files in `meta.files`. */
  withFiles(row: FileRow): Document;
  /** The memory is gone. */
  forget(ref: string): void;
  save(): Promise<void>;
};

type VersionsPlace = {
  readonly project: string;
  readonly projectRoot: string;
  readonly kept?: string;
  /** The store has all memories: one that it does not have is new, and nothing was kept of it. */
  readonly complete: boolean;
};

const PAGE = 500;

export async function openRelatedFileVersions(
  store: Store,
  place: VersionsPlace,
  rows: readonly FileRow[],
): Promise<RelatedFileVersions> {
  const refs = rows.filter((row) => row.files.length > 0).map((row) => row.document.ref);
  const stored = await storedFiles(store, place.project, refs);
  const kept =
    place.kept === undefined || place.complete ? new Map<string, Seen>() : readFileVersions(place.kept, place.project);
  const changes = new Map<string, Seen | undefined>();
  const looked = new Map<string, FileVersion>();
  const look = (file: string): FileVersion => {
    const seen = looked.get(file) ?? fileVersion(place.projectRoot, file);
    looked.set(file, seen);
    return seen;
  };
  return {
    withFiles({ document, entry, files }) {
      const { ref } = document;
      if (files.length === 0) return document;
      const known = [kept.get(ref), stored.get(ref)].find((seen) => seen?.hash === entry.hash);
      const seen = files.map((file) => known?.files.find(({ path }) => path === file) ?? look(file));
      if (!known) changes.set(ref, { hash: entry.hash, files: seen });
      return { ...document, meta: { ...document.meta, files: seen as unknown as Json, version: entry.hash } };
    },
    forget: (ref) => void changes.set(ref, undefined),
    save: async () => {
      if (place.kept !== undefined) await saveFileVersions(place.kept, place.project, changes);
    },
  };
}

async function storedFiles(store: Store, project: string, refs: readonly string[]): Promise<Map<string, Seen>> {
  const stored = new Map<string, Seen>();
  for (let from = 0; from < refs.length; from += PAGE) {
    for (const { ref, meta } of await store.get({ refs: refs.slice(from, from + PAGE), projects: [project] })) {
      if (typeof meta?.version === 'string' && Array.isArray(meta.files))
        stored.set(ref, { hash: meta.version, files: meta.files as unknown as FileVersion[] });
    }
  }
  return stored;
}
