// The projects that this user has been seen in: their names over time, where their clones lie, which memories are theirs. One small
// file in the user's own folder, read by hooks, written by note-project.ts. A project is known again by its folder (after `mv`), by its
// place, or by its remote together with a commit that a known clone has, too: an address alone anybody can claim.
// Lost, it is made again from what is on disk; only what lay at places that are gone by then is not found any more.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { atomicWrite } from './atomic-write.ts';
import { commitIds } from './git-files.ts';
import { readText } from './json-file.ts';
import { withLock } from './lock.ts';
import { type ProjectFacts, projectFacts } from './project-identity.ts';

/** A folder that a project was seen in. */
export type KnownPlace = {
  readonly path: string;
  readonly stamp?: string;
  /** As the repository says it, normalised. */
  readonly remote?: string;
  /** The id of the first commit, where there is no remote. */
  readonly first?: string;
  /** Some ids that its branches and tags stood at: they tell whether another clone is of the same repository. */
  readonly commits: readonly string[];
  /** What it says it is could not be shown: it is a project by itself. */
  readonly apart?: true;
  /** ISO; when it was last looked at closely. */
  readonly seen: string;
};

export type KnownProject = {
  /** The remote, `git:` and the first commit, or the path: what conversations are stored under. */
  readonly id: string;
  /** All names that its conversations are or were stored under, the id among them. */
  readonly scopes: readonly string[];
  /** Memory roots of its places, also of former ones: what was learned about a record holds in all of them. */
  readonly memories: readonly string[];
  readonly places: readonly KnownPlace[];
};

export type Registry = { readonly projects: readonly KnownProject[] };

/** A project as everybody else asks for it. */
export type Project = Pick<KnownProject, 'id' | 'scopes' | 'memories'>;

export const NO_PROJECTS: Registry = { projects: [] };
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_PROJECTS = 2_000;
const MAX_NAMES = 100;
/** Hooks read all of it; of a place that is still there its own files tell more. */
const MAX_COMMITS = 6;

export const registryFile = (userRoot: string): string => path.join(userRoot, 'projects.json');

/** One that cannot be read counts as none: projects then go by their paths. */
export function readRegistry(userRoot: string): Registry {
  const file = registryFile(userRoot);
  try {
    const text = readText(file, MAX_BYTES);
    // Our own file, read by every hook: no more is checked than is used.
    const data: unknown = text === undefined ? {} : JSON.parse(text);
    if (!isObject(data)) return NO_PROJECTS;
    return { projects: (Array.isArray(data.projects) ? data.projects : []).flatMap(projectIn) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof CairnError || isSystemError(error)) return NO_PROJECTS;
    throw error;
  }
}

function projectIn(value: unknown): KnownProject[] {
  if (!isObject(value) || typeof value.id !== 'string' || value.id === '') return [];
  const places = (Array.isArray(value.places) ? value.places : []).flatMap(placeIn);
  return [
    { id: value.id, scopes: unique([value.id, ...texts(value.scopes)]), memories: texts(value.memories), places },
  ];
}

function placeIn(value: unknown): KnownPlace[] {
  if (!isObject(value) || typeof value.path !== 'string') return [];
  const text = (key: string): JsonObject => (typeof value[key] === 'string' ? { [key]: value[key] } : {});
  return [
    {
      path: value.path,
      ...text('stamp'),
      ...text('remote'),
      ...text('first'),
      commits: texts(value.commits),
      ...(value.apart === true ? { apart: true } : {}),
      seen: typeof value.seen === 'string' ? value.seen : '',
    },
  ];
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** `change` returns the same registry where there is nothing to write. */
export async function changeRegistry(userRoot: string, change: (registry: Registry) => Registry): Promise<Registry> {
  const file = registryFile(userRoot);
  fs.mkdirSync(userRoot, { recursive: true, mode: 0o700 });
  return withLock(`${file}.lock`, (lock) => {
    const before = readRegistry(userRoot);
    const after = change(before);
    if (after === before) return before;
    const projects = after.projects.map(bounded).sort(newestFirst).slice(0, MAX_PROJECTS);
    // One project to a line: small for hooks, and still to be read by a person.
    const lines = projects.map((each) => JSON.stringify(each)).join(',\n');
    const text = `{"version":1,"projects":[\n${lines}\n]}\n`;
    atomicWrite(file, text, { mode: 0o600, beforeCommit: () => lock.assertHeld() });
    return { projects };
  });
}

const bounded = ({ id, scopes, memories, places }: KnownProject): KnownProject => ({
  id,
  scopes: unique([id, ...scopes]).slice(0, MAX_NAMES),
  memories: unique(memories).slice(-MAX_NAMES),
  places: places.slice(-MAX_NAMES).map((place) => ({ ...place, commits: place.commits.slice(0, MAX_COMMITS) })),
});

const lastSeen = ({ places }: KnownProject): string =>
  places
    .map(({ seen }) => seen)
    .sort()
    .at(-1) ?? '';
const newestFirst = (a: KnownProject, b: KnownProject): number => (lastSeen(a) < lastSeen(b) ? 1 : -1);

/** The project of a directory, as far as that is known without looking closely. */
export function projectAt(userRoot: string, directory: string): Project {
  const facts = projectFacts(directory);
  const registry = readRegistry(userRoot);
  return recognise(registry, facts)?.project ?? newProject(registry, facts);
}

/**
 * What note-project.ts will make of one that nobody has looked at yet, so that its first prompt is told what others share of it:
 * a remote that no known project has is its name. One that claims the remote of a known project has to show that it is that one first.
 */
function newProject({ projects }: Registry, facts: ProjectFacts): Project {
  const { remote } = facts;
  const unknown = unknownProject(facts);
  if (remote === undefined || projects.some((each) => claims(each, remote))) return unknown;
  return { ...unknown, id: remote, scopes: unique([remote, ...unknown.scopes]) };
}

/** One of which nothing else is known goes by its path, as all did once. */
export const unknownProject = ({ place, oldName }: ProjectFacts): Project => ({
  id: place,
  scopes: unique([place, oldName]),
  memories: [],
});

export type Recognised = {
  readonly project: KnownProject;
  readonly place?: KnownPlace;
  readonly by: 'place' | 'clone' | 'path';
};

/** Without starting a process. `undefined`: it has to be looked at closely first. */
export function recognise(registry: Registry, facts: ProjectFacts): Recognised | undefined {
  const own = ownPlace(registry, facts);
  if (own) return own;
  if (facts.remote !== undefined && facts.common !== undefined) {
    const project = registry.projects.find((each) => claims(each, facts.remote!));
    if (project && sharesCommit(project, commitIds(facts.common))) return { project, by: 'clone' };
  }
  return facts.isHere ? undefined : knownPath(registry, facts.place);
}

/** The same folder as before, wherever it lies now; or at the same place the same repository. */
export function ownPlace(registry: Registry, facts: ProjectFacts): Recognised | undefined {
  const isSameFolder = ({ stamp }: KnownPlace): boolean => stamp !== undefined && stamp === facts.stamp;
  const found = placeWhere(registry, isSameFolder);
  if (found) return found;
  const there = placeWhere(registry, ({ path: known }) => known === facts.place);
  if (!there || !facts.isHere) return undefined;
  const { place } = there;
  if (place.remote !== facts.remote) return undefined;
  if (facts.common === undefined || place.stamp === undefined || facts.stamp === undefined) return there;
  const ids = new Set(commitIds(facts.common));
  return place.commits.some((id) => ids.has(id)) ? there : undefined;
}

function placeWhere(
  { projects }: Registry,
  test: (place: KnownPlace) => boolean,
): { project: KnownProject; place: KnownPlace; by: 'place' } | undefined {
  for (const project of projects) {
    const place = project.places.find(test);
    if (place) return { project, place, by: 'place' };
  }
  return undefined;
}

/** A place that could not show what it claims does not speak for the project. */
export const claims = ({ id, places }: KnownProject, remote: string): boolean =>
  id === remote || places.some((place) => place.remote === remote && !place.apart);

export function sharesCommit(project: KnownProject, ids: readonly string[]): boolean {
  const wanted = new Set(ids);
  return commitsOf(project).some((id) => wanted.has(id));
}

/** Those that were noted, and those that its clones on this machine have now. */
export function commitsOf({ places }: KnownProject): string[] {
  return unique(
    places.flatMap(({ path: at, commits, stamp }) => {
      const now = projectFacts(at);
      return now.common !== undefined && now.place === at && now.stamp === stamp
        ? [...commitIds(now.common), ...commits]
        : commits;
    }),
  );
}

/** A path that is gone: of the project that was there, by the longest name that it begins with. */
function knownPath({ projects }: Registry, wanted: string): Recognised | undefined {
  let best: { project: KnownProject; length: number } | undefined;
  for (const project of projects)
    for (const name of [...project.scopes, ...project.places.map((place) => place.path)])
      if (isAtOrBelow(name, wanted) && name.length > (best?.length ?? 0)) best = { project, length: name.length };
  return best && { project: best.project, by: 'path' };
}

/** For the paths of any system. */
const isAtOrBelow = (folder: string, file: string): boolean =>
  /[\\/]/.test(folder[0] ?? '') || /^[A-Za-z]:/.test(folder)
    ? file === folder || (file.startsWith(folder) && /[\\/]/.test(file[folder.length] ?? ''))
    : false;

/** Scope → all scopes that mean the same: what was learned under one counts for the others. */
export function sameScopes({ projects }: Registry): (scope: string) => readonly string[] {
  return (scope) => {
    // A name may also be read by a clone that goes by another one now; it stays its own project's.
    const project =
      projects.find(({ id }) => id === scope) ??
      projects.find(({ scopes, memories }) => scopes.includes(scope) || memories.includes(scope));
    if (!project) return [scope];
    return project.scopes.includes(scope) ? project.scopes : project.memories;
  };
}

export const unique = (names: readonly string[]): string[] => [...new Set(names)];
