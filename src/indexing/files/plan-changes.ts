// From the files that changed to the changes of the store: which documents come, go or are written again. A note with the id of
// another gives none until that one is gone; a file whose links now lead elsewhere is written with what moved them.

import type { GraphEntry } from '../../graph/graph-node.ts';
import { isRecordKey, nameOf, refOf } from '../../graph/graph-node.ts';
import { GraphText } from '../../graph/graph-text.ts';
import { LinkNames } from '../../graph/link-names.ts';
import { resolveLinks } from '../../graph/resolve-links.ts';
import type { Change, Link, Store } from '../../store/store.ts';
import type { FileRow } from './file-rows.ts';
import type { FileProblem, FileSeen, FolderFiles, Head } from './file-state.ts';
import { type Found, type FoundFile, readNamed } from './find-changed-files.ts';
import type { Folder, LookPlace } from './folder-times.ts';
import { openRelatedFileVersions, type RelatedFileVersions } from './related-file-versions.ts';

export type Step = {
  /** From the memory root. */
  readonly path: string;
  /** What to remember of the file; `undefined` if it is gone. */
  readonly seen: FileSeen | undefined;
  readonly changes: readonly Change[];
};

export type Plan = {
  /** Documents of files that did not change. They go first: a run that is killed then finds the cause again. */
  readonly touched: readonly Change[];
  readonly steps: readonly Step[];
  readonly puts: number;
  readonly removals: number;
  readonly problems: readonly FileProblem[];
  /** How many documents there are in the end. */
  readonly count: number;
};

export type PlanInput = {
  readonly store: Store;
  readonly place: LookPlace & { readonly kept?: string };
  readonly folders: readonly Folder[];
  readonly head: Head;
  readonly before: ReadonlyMap<string, FolderFiles>;
  readonly found: Found;
};

/** Files by path, and which of them own each id: the first by path. */
type RecordStore = { readonly files: ReadonlyMap<string, FileSeen>; readonly owners: ReadonlyMap<string, string> };

export async function planChanges({ store, place, folders, head, before, found }: PlanInput): Promise<Plan> {
  if (found.size === 0)
    return { touched: [], steps: [], puts: 0, removals: 0, problems: head.problems, count: head.count };
  const old = shelfOf(filesBefore(before));
  const now = shelfOf(filesAfter(old.files, found));
  const moved = movedKeys(old, now, found);
  const touched = touchedFiles(now, found, moved).flatMap((path) => reread(place, folders, path));
  const changed = [...found.values()].flatMap((file) => file?.row ?? []);
  const versions = await openRelatedFileVersions(store, { ...place, complete: head.complete }, [
    ...touched,
    ...changed,
  ]);
  const names = namesFor([...touched, ...changed], now);
  const put = (row: FileRow): Change => ({
    op: 'put',
    document: versions.withFiles(row),
    links: linksOf(row.entry, names),
    mentions: row.mentions,
  });
  const early = [...moved.displaced.map((key) => removal(place, versions, key)), ...touched.map(put)];
  const steps = [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, file]): Step => {
      const changes: Change[] = [];
      const key = old.files.get(path)?.key;
      if (key !== undefined && isOwner(old, path) && ownerKey(now, key) !== key)
        changes.push(removal(place, versions, key));
      if (file?.row && isOwner(now, path)) changes.push(put(file.row));
      return { path, seen: now.files.get(path), changes };
    });
  await versions.save();
  const changes = [...early, ...steps.flatMap((step) => step.changes)];
  return {
    touched: early,
    steps,
    puts: changes.filter((change) => change.op === 'put').length,
    removals: changes.filter((change) => change.op === 'delete').length,
    problems: problemsOf(now),
    count: now.owners.size,
  };
}

function reread(place: LookPlace, folders: readonly Folder[], path: string): FileRow[] {
  const folder = folders.find((each) => each.name === path.slice(0, path.lastIndexOf('/')));
  const row = folder && readNamed(place, folder, path).now?.row;
  return row ? [row] : []; // gone since: the next look finds that
}

function removal(place: LookPlace, versions: RelatedFileVersions, key: string): Change {
  versions.forget(refOf(key));
  return { op: 'delete', where: { projects: [place.project], refs: [refOf(key)] } };
}

function filesBefore(before: ReadonlyMap<string, FolderFiles>): Map<string, FileSeen> {
  const files = new Map<string, FileSeen>();
  for (const [folder, each] of before) {
    for (const [name, seen] of Object.entries(each)) files.set(`${folder}/${name}`, seen);
  }
  return files;
}

function filesAfter(before: ReadonlyMap<string, FileSeen>, found: Found): Map<string, FileSeen> {
  const files = new Map(before);
  for (const [path, file] of found) {
    if (file) files.set(path, seenOf(file));
    else files.delete(path);
  }
  return files;
}

function seenOf(file: FoundFile): FileSeen {
  const { mtime, size, hash } = file;
  if ('same' in file) return { ...file.same, mtime, size };
  if (!file.row) return { mtime, size, hash, problem: file.problem };
  const { key, type, links, updated, created } = file.row.entry;
  const names = [...new Set(links.map((link) => link.to.toLowerCase()))];
  const undated = Number.isNaN(Date.parse(updated || created));
  return {
    mtime,
    size,
    hash,
    key,
    type,
    ...(names.length > 0 ? { links: names } : {}),
    ...(undated ? { undated } : {}),
  };
}

function shelfOf(files: ReadonlyMap<string, FileSeen>): RecordStore {
  const owners = new Map<string, string>();
  for (const [path, { key }] of files) {
    if (key === undefined) continue;
    const owner = owners.get(claimOf(key));
    if (owner === undefined || path < owner) owners.set(claimOf(key), path);
  }
  return { files, owners };
}

/** Notes whose ids differ in case only are rivals; records are named by their files, and those are two. */
const claimOf = (key: string): string => (isRecordKey(key) ? key : key.toLowerCase());

function isOwner({ files, owners }: RecordStore, path: string): boolean {
  const key = files.get(path)?.key;
  return key !== undefined && owners.get(claimOf(key)) === path;
}

function ownerKey({ files, owners }: RecordStore, key: string): string | undefined {
  const path = owners.get(claimOf(key));
  return path === undefined ? undefined : files.get(path)?.key;
}

type Moved = {
  /** Names that mean something else than before, in lower case. */
  readonly names: ReadonlySet<string>;
  /** Files that own an id which another file had. */
  readonly heirs: ReadonlySet<string>;
  /** Keys of files that did not change, but lost their id to another that spells it differently. */
  readonly displaced: readonly string[];
};

function movedKeys(old: RecordStore, now: RecordStore, found: Found): Moved {
  const names = new Set<string>();
  const heirs = new Set<string>();
  const displaced = new Set<string>();
  for (const path of found.keys()) {
    for (const key of [old.files.get(path)?.key, now.files.get(path)?.key]) {
      if (key === undefined) continue;
      const [was, is] = [old, now].map((recordStore) => recordStore.owners.get(claimOf(key)));
      const before = was === undefined ? undefined : old.files.get(was);
      const after = is === undefined ? undefined : now.files.get(is);
      if (is !== undefined && was !== is) heirs.add(is);
      if (before?.key === after?.key && before?.type === after?.type) continue;
      names.add(nameOf(key));
      if (was !== undefined && !found.has(was) && before!.key !== after?.key) displaced.add(before!.key!);
    }
  }
  return { names, heirs, displaced: [...displaced].sort() };
}

/** Files that did not change themselves, but whose documents do. */
function touchedFiles(now: RecordStore, found: Found, { names, heirs }: Moved): string[] {
  const isPut = (path: string): boolean => found.get(path)?.row !== undefined;
  const touched = new Set([...heirs].filter((path) => !isPut(path)));
  if (names.size > 0) {
    for (const [path, { links }] of now.files) {
      if (links?.some((name) => names.has(name)) && isOwner(now, path) && !isPut(path)) touched.add(path);
    }
  }
  return [...touched].sort();
}

/** Only of what is linked to: a register of all names would cost a small change more than the change itself. */
function namesFor(rows: readonly FileRow[], { files, owners }: RecordStore): LinkNames {
  const wanted = new Set(rows.flatMap((row) => row.entry.links.map((link) => link.to.toLowerCase())));
  const names = new LinkNames(GraphText.empty());
  if (wanted.size === 0) return names;
  for (const path of owners.values()) {
    const { key, type } = files.get(path)!;
    if (wanted.has(nameOf(key!))) names.add(key!, type!);
  }
  return names;
}

function linksOf(entry: GraphEntry, names: LinkNames): Omit<Link, 'project' | 'from'>[] {
  if (entry.links.length === 0) return [];
  const { linksTo, edges } = resolveLinks(entry.key, entry, names);
  const relations = new Map(
    Object.entries(edges ?? {}).flatMap(([relation, keys]) => keys.map((key) => [key, relation])),
  );
  return linksTo.map((key) => ({
    to: refOf(key),
    relation: relations.get(key) ?? 'links_to',
    confidence: 1,
    rule: 'written',
  }));
}

/** They are remembered in the row that every prompt reads. */
const MAX_PROBLEMS = 200;

function problemsOf(now: RecordStore): { path: string; message: string }[] {
  const problems: { path: string; message: string }[] = [];
  for (const [path, { key, problem }] of now.files) {
    if (problem !== undefined) problems.push({ path, message: problem });
    else if (key !== undefined && !isOwner(now, path))
      problems.push({ path, message: `its id ${key} is also that of ${now.owners.get(claimOf(key))}` });
  }
  return problems.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MAX_PROBLEMS);
}
