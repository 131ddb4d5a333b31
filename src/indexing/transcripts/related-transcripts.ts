// Transcripts with the same lines: forks, and what they were made of. Each notes in the store the lines that a copy may begin with: one that
// is no fork finds by one look that it is alone. Whoever was read under another assumption is marked, in the very transaction that makes
// the assumption wrong, and is read anew.

import type { Change, Store } from '../../store/store.ts';
import { type Age, isOlder } from './lineage.ts';
import { type FileState, sessionOf, stateKey } from './transcript-state.ts';

export type Relative = { readonly file: string; readonly state: FileState; readonly value: string };

/** `nameToday`: what a project is called today. */
export type Kin = {
  readonly file: string;
  readonly state: FileState;
  readonly nameToday: (project: string) => string;
};

const PREFIX = 'begins:';
const keyOf = (begin: string, file: string): string => `${PREFIX}${begin} ${file}`;

export const ageOf = (state: FileState, file: string): Age => ({
  born: state.lineage?.born,
  session: sessionOf(state, file),
});

/** Notes that a transcript has these lines. */
export const noteBeginnings = (file: string, begins: readonly string[]): Change[] =>
  begins.map((begin) => ({ op: 'state', key: keyOf(begin, file), value: '' }));

export const dropBeginnings = (file: string, begins: readonly string[]): Change[] =>
  begins.map((begin) => ({ op: 'state', key: keyOf(begin, file), value: null }));

/** What a transcript has noted, by what the database knows of it. */
export const beginningsIn = (file: string, value: string): Change[] =>
  noteBeginnings(file, (JSON.parse(value) as Partial<FileState>).lineage?.begins ?? []);

/** Transcripts of other sessions of the project that have one of these lines. */
export async function relativesOf(store: Store, begins: readonly string[], own: Kin): Promise<Relative[]> {
  const session = sessionOf(own.state, own.file);
  const project = own.nameToday(own.state.project);
  return (await having(store, begins, own.file)).filter(
    ({ file, state }) => sessionOf(state, file) !== session && own.nameToday(state.project) === project,
  );
}

/** All others that have one of these lines. */
async function having(store: Store, begins: readonly string[], own: string): Promise<Relative[]> {
  const files = new Set<string>();
  for (const begin of begins) {
    const prefix = keyOf(begin, '');
    for (const { key } of await store.state({ prefix })) files.add(key.slice(prefix.length));
  }
  files.delete(own);
  return knownOf(store, files);
}

/** What the store knows of these transcripts; those that it does not know are left out. */
export async function knownOf(store: Store, files: Iterable<string>): Promise<Relative[]> {
  const wanted = [...files];
  if (wanted.length === 0) return [];
  const states = new Map((await store.state({ keys: wanted.map(stateKey) })).map(({ key, value }) => [key, value]));
  return wanted.flatMap((file) => {
    const value = states.get(stateKey(file));
    return value === undefined ? [] : [{ file, value, state: JSON.parse(value) as FileState }];
  });
}

/** Whether a transcript was read as if the other were older, or not, and it is the other way round. */
export function isMistaken(own: Pick<Relative, 'file' | 'state'>, other: Pick<Relative, 'file' | 'state'>): boolean {
  const isFirst = isOlder(ageOf(other.state, other.file), ageOf(own.state, own.file));
  return isFirst !== isCopyOf(own.state, other.file);
}

export const isCopyOf = ({ lineage }: FileState, file: string): boolean => lineage?.of?.includes(file) === true;

/** To be read from its start by whoever comes next. */
export const markStale = ({ file, state, value }: Relative): Change[] => [
  { op: 'expect', key: stateKey(file), value },
  { op: 'state', key: stateKey(file), value: JSON.stringify({ ...state, anew: true }) },
];

/** What has to change when transcripts go, and those that have copies of their lines, which now are nobody else's. */
export async function withoutRelatives(
  store: Store,
  files: readonly string[],
): Promise<{ changes: Change[]; forks: string[] }> {
  const going = new Set(files);
  const changes: Change[] = [];
  const forks = new Map<string, Relative>();
  for (const { file, state } of await knownOf(store, going)) {
    const begins = state.lineage?.begins ?? [];
    changes.push(...dropBeginnings(file, begins));
    for (const other of await having(store, begins, file))
      if (!going.has(other.file) && isCopyOf(other.state, file)) forks.set(other.file, other);
  }
  return { changes: [...changes, ...[...forks.values()].flatMap(markStale)], forks: [...forks.keys()] };
}
