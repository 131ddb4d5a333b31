// The project that a configuration is for, with all names that its conversations are stored under. Hooks take what is known;
// commands and workers look closely first, note what they find, and look for conversations that older versions stored under a
// path: see files/project-registry.ts for what a project is.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/load.ts';
import { CairnError, isSystemError } from '../errors.ts';
import { isInside, realPath } from '../files/paths.ts';
import { projectFacts } from '../files/project-identity.ts';
import {
  changeRegistry,
  type KnownProject,
  type Project,
  projectAt,
  type Registry,
  readRegistry,
  sameScopes,
  unique,
} from '../files/project-registry.ts';
import type { Store } from '../store/store.ts';

export type { Project } from '../files/project-registry.ts';

type Places = Pick<Config, 'paths'>;

/** What is known of it already: files are read, no process is started. */
export const currentProject = ({ paths }: Places): Project => projectAt(paths.userRoot, paths.projectRoot);

/** Conversations by all names of the project, and the memory at hand. */
export const currentScopes = ({ paths }: Places): string[] =>
  unique([...currentProject({ paths }).scopes, realPath(paths.memoryRoot)]);

/** Scope → all that mean the same. */
export const sameScopesIn = ({ paths }: Places): ((scope: string) => readonly string[]) =>
  sameScopes(readRegistry(paths.userRoot));

/** Of a conversation that came from another machine, under the name that it has here: what lies at its path here may be something else. */
export function projectElsewhere(config: Places, name: string): Project {
  const scopes = sameScopesIn(config)(name);
  return { id: scopes[0] ?? name, scopes, memories: [] };
}

/** The project at hand, looked at closely where that is due. What cannot be noted counts for now and is looked at again. */
export async function settleProject(config: Config, store: Store, now: Date): Promise<Project> {
  const { project, isChanged } = await lookAt(config, store, now);
  const { trust, paths } = config;
  if (isChanged || trust.state === 'untrusted') {
    const { followTrust } = await import('../trust/trust-follow.ts');
    followTrust({ userRoot: paths.userRoot, trust, project, now });
  }
  return project;
}

async function lookAt(config: Places, store: Store, now: Date): Promise<{ project: Project; isChanged: boolean }> {
  const { userRoot, projectRoot } = config.paths;
  const before = readRegistry(userRoot);
  const { noteProject } = await import('../files/note-project.ts');
  const noted = noteProject(before, projectRoot, now);
  const withOwn = (registry: Registry, { id }: Project): Registry => withMemory(registry, id, memoryOf(config));
  if (withOwn(noted.registry, noted.project) === before) return { project: noted.project, isChanged: false };
  const note = (registry: Registry): Registry => {
    const again = noteProject(registry, projectRoot, now);
    return withOwn(again.registry, again.project);
  };
  const project = await quietly(
    async () => {
      await changeRegistry(userRoot, note);
      if (noted.isNew) await findOlder(config, store, now);
      return currentProject(config);
    },
    () => noted.project,
  );
  return { project, isChanged: true };
}

/** A home that cannot be written to, or is being written to: nothing is lost but a name. */
async function quietly<T>(work: () => Promise<T>, otherwise: () => T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CairnError || isSystemError(error))) throw error;
    return otherwise();
  }
}

/** Only a memory in the project is the project's: one that the user keeps elsewhere may serve many. */
function memoryOf({ paths }: Places): string | undefined {
  try {
    const root = realPath(paths.memoryRoot);
    return isInside(realPath(paths.projectRoot), root) ? root : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function withMemory(registry: Registry, id: string, memory: string | undefined): Registry {
  const project = registry.projects.find((each) => each.id === id);
  if (!project || memory === undefined || project.memories.includes(memory)) return registry;
  return withProject(registry, { ...project, memories: [...project.memories, memory] });
}

const withProject = ({ projects }: Registry, project: KnownProject): Registry => ({
  projects: projects.map((each) => (each.id === project.id ? project : each)),
});

/** The names in the store that no project has yet. Those whose folders are here are looked at; the others need a sign. */
export async function findOlder(config: Places, store: Store, now: Date): Promise<void> {
  const { userRoot, projectRoot, memoryRoot } = config.paths;
  const names = unique(
    (await store.stats()).documents.filter((each) => each.layer === 'trace').map((each) => each.project),
  );
  const known = new Set(readRegistry(userRoot).projects.flatMap(({ scopes }) => scopes));
  const unknown = names.filter((name) => !known.has(name) && isPath(name));
  if (unknown.length === 0) return;
  const { noteProject } = await import('../files/note-project.ts');
  const here = unknown.filter((name) => projectFacts(name).isHere && projectFacts(name).place === name);
  if (here.length > 0)
    await changeRegistry(userRoot, (registry) =>
      here.reduce((noted, name) => noteProject(noted, name, now).registry, registry),
    );
  const gone = unknown.filter((name) => !here.includes(name));
  if (gone.length === 0) return;
  const { signOf } = await import('./older-scopes.ts');
  const facts = projectFacts(projectRoot);
  const found: string[] = [];
  for (const scope of gone) if (await signOf(store, scope, { facts, memoryRoot })) found.push(scope);
  if (found.length === 0) return;
  await changeRegistry(userRoot, (registry) => withOlder(registry, projectAt(userRoot, projectRoot).id, found));
}

function withOlder(registry: Registry, id: string, scopes: readonly string[]): Registry {
  const project = registry.projects.find((each) => each.id === id);
  if (!project) return registry;
  const memories = scopes.flatMap((scope) => ['/', '\\'].map((slash) => [scope, '.claude', 'memory'].join(slash)));
  return withProject(registry, {
    ...project,
    scopes: unique([...project.scopes, ...scopes]),
    memories: unique([...memories, ...project.memories]),
  });
}

const isPath = (name: string): boolean => /^(?:[\\/]|[A-Za-z]:[\\/])/.test(name);

/** Older names whose rows are this project's alone: they may be brought under its name of today. */
export function ownOlderScopes(config: Places): { readonly from: string[]; readonly to: string } {
  const { projects } = readRegistry(config.paths.userRoot);
  const { id, scopes } = currentProject(config);
  const others = new Set(projects.filter((each) => each.id !== id).flatMap((each) => each.scopes));
  return { from: scopes.filter((name) => name !== id && !others.has(name)), to: id };
}

/** Records and notes of a folder that was moved away: they are read where they are now, and nothing is left of them there. */
export async function forgetMovedMemories(config: Places, store: Store): Promise<void> {
  const own = realPath(config.paths.memoryRoot);
  const gone = currentProject(config).memories.filter((root) => root !== own && !fs.existsSync(path.dirname(root)));
  for (const root of gone) {
    const keys = (await store.state({ prefix: `files:${root}` })).map(({ key }) => key);
    const mine = keys.filter((key) => key === `files:${root}` || key.startsWith(`files:${root}|`));
    if (mine.length === 0) continue;
    await store.apply([
      { op: 'delete', where: { projects: [root] } },
      ...mine.map((key) => ({ op: 'state', key, value: null }) as const),
    ]);
  }
}
