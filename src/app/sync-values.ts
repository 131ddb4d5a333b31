// What lies in files of the user root and is the same on every machine of a person: verdicts and use of memories, what was settled or
// kept, settings. Projects go by their names, which are the same everywhere; a memory root goes by the project that it is of.

import { portableSettings, setPortable } from '../config/edit.ts';
import type { Config } from '../config/load.ts';
import { type KnownProject, readRegistry } from '../files/project-registry.ts';
import {
  changeKept,
  changeSettled,
  type Kept,
  keptOf,
  readKept,
  readSettled,
  type Settlement,
  settlementOf,
} from '../files/settled.ts';
import { changeFeedback, learn, readFeedback, VERDICTS, type Verdict } from '../learning/feedback.ts';
import { shortHash } from '../model/hash.ts';
import { isObject } from '../model/json.ts';
import { canonical, partsOf, type SharedValue, type SharedValues, sharedKey } from '../sync/shared-values.ts';

const LONG_AGO = '1970-01-01T00:00:00.000Z';

/** Names of projects and of their memories, from here to everywhere and back. */
class Scopes {
  readonly #projects: readonly KnownProject[];

  constructor(userRoot: string) {
    this.#projects = readRegistry(userRoot).projects;
  }

  portable(scope: string): string {
    const named =
      this.#projects.find(({ id }) => id === scope) ?? this.#projects.find(({ scopes }) => scopes.includes(scope));
    if (named) return `project ${named.id}`;
    const owner = this.#projects.find(({ memories }) => memories.includes(scope));
    return owner ? `memory ${owner.id}` : `project ${scope}`;
  }

  /** `undefined`: a memory of a project that has none here. */
  local(portable: string): string | undefined {
    const [, kind, name] = /^(project|memory) (.+)$/s.exec(portable) ?? [];
    if (name === undefined) return undefined;
    const known =
      this.#projects.find(({ id }) => id === name) ?? this.#projects.find(({ scopes }) => scopes.includes(name));
    return kind === 'memory' ? known?.memories.at(-1) : (known?.id ?? name);
  }
}

/** What the files of this machine say. `settingsAt`: when settings count as made that nobody has seen before. */
export function valuesHere(config: Config, settingsAt: string = LONG_AGO): Map<string, SharedValue> {
  const { userRoot } = config.paths;
  const scopes = new Scopes(userRoot);
  const values = new Map<string, SharedValue>();
  const set = (key: string, value: SharedValue): void => {
    if ((values.get(key)?.at ?? '') <= value.at) values.set(key, value);
  };
  for (const [project, refs] of readFeedback(userRoot).memories)
    for (const [ref, { verdict, verdictAt, injected, used, at }] of refs) {
      const scope = scopes.portable(project);
      if (verdict !== undefined) set(sharedKey('verdict', scope, ref), { at: verdictAt ?? at, value: verdict });
      if (injected > 0) set(sharedKey('use', scope, ref), { at, value: { injected, used } });
    }
  for (const { project, ...item } of readSettled(userRoot))
    set(sharedKey('settled', scopes.portable(project), item.ref, shortHash(item.text)), { at: item.at, value: item });
  for (const { project, ...kept } of readKept(userRoot))
    set(sharedKey('kept', scopes.portable(project), kept.a, kept.b ?? ''), { at: kept.at, value: kept });
  for (const [name, value] of portableSettings(config)) set(sharedKey('setting', name), { at: settingsAt, value });
  return values;
}

/** Whether this machine could hold such a value: what it cannot hold it has not taken back. */
export function holderHere({ paths }: Config): (key: string) => boolean {
  const scopes = new Scopes(paths.userRoot);
  return (key) => {
    const [kind, scope = ''] = partsOf(key);
    return kind === 'setting' || scopes.local(scope) !== undefined;
  };
}

/** Brings the files of this machine to what is agreed; returns how many values changed. */
export async function applyValues(config: Config, agreed: SharedValues): Promise<number> {
  const { userRoot } = config.paths;
  const now = valuesHere(config);
  const scopes = new Scopes(userRoot);
  const changes = [...agreed].flatMap(([key, value]) => {
    if (canonical(now.get(key)?.value ?? null) === canonical(value.value)) return [];
    const [kind = '', scope = '', ...rest] = partsOf(key);
    const project = kind === 'setting' ? scope : scopes.local(scope);
    return project === undefined ? [] : [{ kind, project, rest, value: value.value, at: value.at, scope }];
  });
  const of = (...kinds: string[]): Change[] => changes.filter(({ kind }) => kinds.includes(kind));
  await applyLearned(userRoot, of('verdict', 'use'));
  await applySettled(userRoot, of('settled'), (project) => scopes.portable(project));
  await applyKept(userRoot, of('kept'), (project) => scopes.portable(project));
  let settings = 0;
  for (const { project: name, value } of of('setting'))
    if (await setPortable(config, name, value === null ? undefined : value)) settings++;
  return changes.length - of('setting').length + settings;
}

type Change = {
  readonly kind: string;
  /** Here; of a setting its name. */
  readonly project: string;
  readonly scope: string;
  readonly rest: readonly string[];
  readonly value: unknown;
  readonly at: string;
};

async function applyLearned(userRoot: string, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  await changeFeedback(userRoot, (data) => {
    for (const { kind, project, rest, value, at } of changes) {
      const ref = rest[0] ?? '';
      const known = data.memories.get(project)?.get(ref);
      if (value === null && !known) continue;
      const learned = learn(data, { project, ref, at: known && known.at > at ? known.at : at });
      if (kind === 'verdict') {
        const verdict = VERDICTS.find((each) => each === value);
        if (verdict === undefined) withoutVerdict(learned);
        else Object.assign(learned, { verdict: verdict satisfies Verdict, verdictAt: at });
      } else {
        const { injected, used } = isObject(value) ? value : {};
        learned.injected = countOf(injected);
        learned.used = Math.min(learned.injected, countOf(used));
      }
      if (learned.verdict === undefined && learned.injected === 0) data.memories.get(project)?.delete(ref);
    }
  });
}

function withoutVerdict(learned: { verdict?: Verdict; verdictAt?: string }): void {
  delete learned.verdict;
  delete learned.verdictAt;
}

const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;

async function applySettled(
  userRoot: string,
  changes: readonly Change[],
  portable: (project: string) => string,
): Promise<void> {
  if (changes.length === 0) return;
  const keyOf = (scope: string, { ref, text }: Pick<Settlement, 'ref' | 'text'>): string =>
    sharedKey(scope, ref, shortHash(text));
  const gone = new Set(changes.map(({ scope, rest }) => sharedKey(scope, rest[0] ?? '', rest[1] ?? '')));
  const added = changes.flatMap(({ value, project }) =>
    isObject(value) ? (settlementOf({ ...value, project }) ?? []) : [],
  );
  await changeSettled(userRoot, (all) => [
    ...all.filter((each) => !gone.has(keyOf(portable(each.project), each))),
    ...added,
  ]);
}

async function applyKept(
  userRoot: string,
  changes: readonly Change[],
  portable: (project: string) => string,
): Promise<void> {
  if (changes.length === 0) return;
  const gone = new Set(changes.map(({ scope, rest }) => sharedKey(scope, rest[0] ?? '', rest[1] ?? '')));
  const added = changes.flatMap(({ value, project }) => (isObject(value) ? (keptOf({ ...value, project }) ?? []) : []));
  await changeKept(userRoot, (all: readonly Kept[]) => [
    ...all.filter(({ project, a, b }) => !gone.has(sharedKey(portable(project), a, b ?? ''))),
    ...added,
  ]);
}
