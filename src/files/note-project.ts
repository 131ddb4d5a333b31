// Looks closely at a project and notes what it is: the remote as git sees it, else the first commit; whether a place that claims to be
// a known project is one. Commands and workers do it before they read or write conversations; hooks only read what was noted.

import fs from 'node:fs';
import path from 'node:path';
import { commitsAmong, firstCommit, remoteAddress } from './ask-git.ts';
import { chosenRemote, commitIds, hasOwnObjects, isShallow } from './git-files.ts';
import { type ProjectFacts, projectFacts } from './project-identity.ts';
import {
  claims,
  commitsOf,
  type KnownPlace,
  type KnownProject,
  ownPlace,
  type Project,
  type Recognised,
  type Registry,
  recognise,
  sharesCommit,
  unique,
  unknownProject,
} from './project-registry.ts';
import { normaliseRemote } from './remote-url.ts';

/** So long what was seen of a place counts without another look. */
const FRESH_MS = 24 * 3_600_000;
/** A place that could not show what it claims may be able to soon: somebody pulls, or fetches. */
const APART_MS = 10 * 60_000;
const MOST_ASKED = 400;

export type Noted = { readonly registry: Registry; readonly project: Project; readonly isNew: boolean };

/** The registry with this directory in it, the same object if it had nothing to learn. */
export function noteProject(registry: Registry, directory: string, now: Date): Noted {
  const facts = projectFacts(directory);
  if (!facts.isHere)
    return { registry, project: recognise(registry, facts)?.project ?? unknownProject(facts), isNew: false };
  const own = ownPlace(registry, facts);
  if (own?.place && isFresh(own.place, facts, now)) return { registry, project: own.project, isNew: false };
  const closer = lookClosely(facts, own?.place, now);
  const projects = placed(registry, facts, closer, own);
  const found = projects.find(({ places }) => places.some((each) => each.path === facts.place))!;
  const project = { ...found, memories: unique([...found.memories, ...usualMemory(facts.place)]) };
  return { registry: { projects: projects.map((each) => (each === found ? project : each)) }, project, isNew: !own };
}

/** Where a project's memory lies unless somebody has moved it; one that leads elsewhere may be anybody's. */
function usualMemory(place: string): string[] {
  const root = path.join(place, '.claude', 'memory');
  try {
    return fs.realpathSync.native(root) === root ? [root] : [];
  } catch {
    return [];
  }
}

function isFresh(place: KnownPlace, facts: ProjectFacts, now: Date): boolean {
  if (place.path !== facts.place || place.remote !== facts.remote || place.stamp !== facts.stamp) return false;
  const age = now.getTime() - (Date.parse(place.seen) || 0);
  if (age < 0 || age > (place.apart ? APART_MS : FRESH_MS)) return false;
  // A first commit is made once: until then there is something to look for.
  return (
    facts.common === undefined || facts.remote !== undefined || place.first !== undefined || !hasCommits(facts.common)
  );
}

const hasCommits = (common: string): boolean =>
  !isShallow(common) && hasOwnObjects(common) && commitIds(common).length > 0;

type Closer = { readonly id: string; readonly place: KnownPlace };

function lookClosely(
  { place, stamp, common, remote }: ProjectFacts,
  before: KnownPlace | undefined,
  now: Date,
): Closer {
  const seen = { path: place, ...(stamp === undefined ? {} : { stamp }), seen: now.toISOString() };
  if (common === undefined) return { id: place, place: { ...seen, commits: [] } };
  const commits = commitIds(common);
  const named = remote === undefined ? undefined : effectiveRemote(common, remote);
  // Of borrowed objects the first commit may be anybody's.
  const isWhole = named === undefined && !isShallow(common) && hasOwnObjects(common);
  const first = isWhole ? firstCommit(common) : undefined;
  return {
    id: named ?? (first === undefined ? place : `git:${first}`),
    place: {
      ...seen,
      ...(remote === undefined ? {} : { remote }),
      ...(first === undefined ? {} : { first }),
      commits: unique([...commits, ...(before?.commits ?? [])]),
    },
  };
}

function effectiveRemote(common: string, otherwise: string): string {
  const chosen = chosenRemote(common);
  const address = chosen && remoteAddress(common, chosen.name);
  return (address && normaliseRemote(address)) ?? otherwise;
}

/** All projects, with the place where it belongs. */
function placed(
  { projects }: Registry,
  facts: ProjectFacts,
  { id, place }: Closer,
  own: Recognised | undefined,
): KnownProject[] {
  const without = projects.map((each) => withoutPlace(each, own?.place?.path, facts.place));
  const before = own && without.find((each) => each.id === own.project.id);
  const claimed = without.find((each) => each.id === id || claims(each, id));
  const isShown = claimed === undefined || claimed === before || isSame(claimed, facts, id);
  const names = ownNames(without, facts, before);
  if (claimed && isShown) {
    // What it was called before is the same project; unless others still go by that name.
    const merged = claimed === before ? undefined : before;
    const joined = joinedTo(claimed, place, [...names, ...(merged?.scopes ?? [])], merged?.memories ?? []);
    return [...without.filter((each) => each !== claimed && (each !== merged || merged.places.length > 0)), joined];
  }
  if (claimed) {
    const apart = { ...place, apart: true as const };
    if (before && before.id !== id)
      return [...without.filter((each) => each !== before), joinedTo(before, apart, names, [])];
    return [...without, { id: facts.place, scopes: unique([facts.place, ...names]), memories: [], places: [apart] }];
  }
  if (!before) return [...without, { id, scopes: unique([id, ...names]), memories: [], places: [place] }];
  const renamed = { ...joinedTo(before, place, names, []), id, scopes: unique([id, ...before.scopes, ...names]) };
  if (before.places.length === 0) return [...without.filter((each) => each !== before), renamed];
  return [...without, { ...renamed, places: [place] }]; // other clones keep the old name, and this one still finds it
}

function joinedTo(
  project: KnownProject,
  place: KnownPlace,
  scopes: readonly string[],
  memories: readonly string[],
): KnownProject {
  return {
    id: project.id,
    scopes: unique([...project.scopes, ...scopes]),
    memories: unique([...project.memories, ...memories]),
    places: [...project.places, place],
  };
}

function withoutPlace(project: KnownProject, ...paths: (string | undefined)[]): KnownProject {
  const places = project.places.filter((each) => !paths.includes(each.path));
  return places.length === project.places.length ? project : { ...project, places };
}

/** Its path, and what older versions called it; unless that is another project's name, which was there before. */
function ownNames(
  projects: readonly KnownProject[],
  { place, oldName }: ProjectFacts,
  before: KnownProject | undefined,
): string[] {
  return unique([place, oldName]).filter(
    (name) => !projects.some((each) => each !== before && each.scopes.includes(name)),
  );
}

/** Whether a place is of the project that its remote names: it has a commit that a known clone has, or the other way round. */
function isSame(project: KnownProject, { common }: ProjectFacts, id: string): boolean {
  if (id.startsWith('git:') || project.places.length === 0 || common === undefined) return true;
  const ids = commitIds(common);
  if (sharesCommit(project, ids)) return true;
  // Borrowed or linked objects would vouch for any repository on this disk.
  if (hasOwnObjects(common) && commitsAmong(common, commitsOf(project).slice(0, MOST_ASKED)).length > 0) return true;
  return project.places.some(({ path: at, stamp, apart }) => {
    const other = projectFacts(at);
    const isThere = !apart && other.common !== undefined && other.place === at && other.stamp === stamp;
    return isThere && commitsAmong(other.common!, ids.slice(0, 1)).length > 0;
  });
}
