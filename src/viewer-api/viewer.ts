// The composition root of the viewer: one open store for as long as the page is looked at, brought up to date before it is asked.
// What the pages show is made by the other files of this folder; each gets a View, which holds for one question.

import fs from 'node:fs';
import { usesServer } from '../app/open-store.ts';
import { currentProject } from '../app/project-scopes.ts';
import { RecallMemory, type RecallOptions } from '../app/recall-memory.ts';
import { storeFile } from '../app/user-files.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { CairnError } from '../errors.ts';
import { realPath } from '../files/paths.ts';
import { readRegistry } from '../files/project-registry.ts';
import { originOf, originText } from '../model/provenance.ts';
import type { Document, Stats, Store } from '../store/store.ts';

export type ViewerOptions = Pick<RecallOptions, 'cwd' | 'env' | 'model'> & { readonly now?: () => Date };

/** What one question is answered from. */
export type View = {
  readonly config: Config;
  readonly recall: RecallMemory;
  readonly store: Store;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => Date;
  /** Changes whenever somebody writes to the store: what was made from it may be kept as long. */
  readonly mark: string;
};

type Opened = { readonly recall: RecallMemory; readonly mark: string; users: number; retired: boolean };

/** Files are looked at no more often than this; an action that this process takes is followed at once. */
const FRESH_MS = 2_000;

export class Viewer {
  readonly #options: ViewerOptions;
  readonly #now: () => Date;
  #opened: Opened | undefined;
  #opening: Promise<Opened> | undefined;
  #freshAt = 0;
  #refreshing: Promise<void> | undefined;
  #closed = false;

  constructor(options: ViewerOptions = {}) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  /** Read anew each time: it is cheap, and people change settings while they look. */
  config(): Config {
    const { cwd, env } = this.#options;
    return loadConfig({ ...(cwd === undefined ? {} : { cwd }), ...(env === undefined ? {} : { env }) });
  }

  async use<T>(work: (view: View) => Promise<T>): Promise<T> {
    if (this.#closed) throw new CairnError('STORE_ERROR', 'The viewer is closed.');
    const opened = await this.#open();
    opened.users++;
    try {
      await this.#refresh(opened.recall);
      const { config, store } = opened.recall;
      return await work({
        config,
        store,
        recall: opened.recall,
        env: this.#options.env ?? {},
        now: this.#now,
        mark: storeMark(config),
      });
    } catch (error) {
      // A damaged or replaced database is opened anew next time.
      if (error instanceof CairnError && error.code === 'STORE_ERROR') this.#letGo(opened);
      throw error;
    } finally {
      opened.users--;
      await closeUnused(opened);
    }
  }

  /** The files changed: the next question looks at them, however soon it comes. */
  touch(): void {
    this.#freshAt = 0;
  }

  /** Opens what takes a moment, so that the first question does not wait for it. */
  async warm(): Promise<void> {
    await this.use(async ({ recall }) => void (await recall.ask({ query: 'warm', limit: 1 })));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const opened = await this.#opening?.catch(() => undefined);
    if (opened) this.#letGo(opened);
    if (opened) await closeUnused(opened);
  }

  async #open(): Promise<Opened> {
    const mark = openMark(this.config());
    if (this.#opened && this.#opened.mark !== mark) {
      const old = this.#opened;
      this.#letGo(old);
      await closeUnused(old);
    }
    this.#opening ??= this.#openNow();
    try {
      return await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  async #openNow(): Promise<Opened> {
    const recall = await RecallMemory.open({ ...this.#options, now: this.#now });
    this.#opened = { recall, mark: openMark(recall.config), users: 0, retired: false };
    this.#freshAt = 0;
    return this.#opened;
  }

  #letGo(opened: Opened): void {
    opened.retired = true;
    if (this.#opened !== opened) return;
    this.#opened = undefined;
    this.#opening = undefined;
  }

  /** Records and notes as they are on disk now. */
  async #refresh(recall: RecallMemory): Promise<void> {
    if (this.#refreshing) return this.#refreshing;
    if (Date.now() - this.#freshAt < FRESH_MS) return;
    this.#refreshing = recall.refresh().finally(() => {
      this.#refreshing = undefined;
      this.#freshAt = Date.now();
    });
    return this.#refreshing;
  }
}

async function closeUnused(opened: Opened): Promise<void> {
  if (opened.retired && opened.users === 0) await opened.recall.close();
}

/** Equal for two moments if what is open at the first may be used at the second. */
function openMark({ settings, paths, trust }: Config): string {
  const stat = fs.statSync(storeFile({ paths }), { throwIfNoEntry: false });
  return JSON.stringify([settings, paths, trust.state, stat?.dev, stat?.ino]);
}

/** A server tells nobody that something was written: what was made from it is good for some seconds. */
const SERVER_MARK_MS = 3_000;

export function storeMark({ paths, settings }: Pick<Config, 'paths' | 'settings'>): string {
  if (usesServer({ settings })) return `server ${Math.floor(Date.now() / SERVER_MARK_MS)}`;
  const file = storeFile({ paths });
  return [file, `${file}-wal`]
    .map((each) => fs.statSync(each, { throwIfNoEntry: false }))
    .map((stat) => (stat ? `${stat.ino}:${stat.mtimeMs}:${stat.size}` : '-'))
    .join(' ');
}

// ---- What was made from the store, kept as long as nobody writes to it

const kept = new WeakMap<Store, Map<string, { readonly mark: string; readonly value: unknown }>>();

/** `make` is called again only when the store has changed. */
export async function remembered<T>({ store, mark }: View, name: string, make: () => Promise<T>): Promise<T> {
  const known = kept.get(store) ?? new Map<string, { mark: string; value: unknown }>();
  kept.set(store, known);
  const last = known.get(name);
  if (last?.mark === mark) return last.value as T;
  const value = await make();
  known.set(name, { mark, value });
  return value;
}

export const statsOf = (view: View): Promise<Stats> => remembered(view, 'stats', () => view.store.stats());

// ---- Projects: conversations belong to a repository, records and notes to a memory root; people mean both by one name.

export type ProjectRow = { id: string; name: string; current: boolean; memories: number };

const MEMORY_ROOT = /^(.+)[\\/]\.claude[\\/]memory$/;

/** The project that each scope of the store belongs to. */
export function projectNames(config: Config): (scope: string) => string {
  const { projects } = readRegistry(config.paths.userRoot);
  const [own, current] = [realPath(config.paths.memoryRoot), currentProject(config).id];
  return (scope) => {
    if (scope === own) return current;
    const known = projects.find(({ scopes, memories }) => scopes.includes(scope) || memories.includes(scope));
    return known?.id ?? MEMORY_ROOT.exec(scope)?.[1] ?? scope;
  };
}

/** For people: the last part of its remote, or the name of a folder that it lies in. */
export function shortName(config: Config, id: string): string {
  const place = readRegistry(config.paths.userRoot)
    .projects.find((each) => each.id === id)
    ?.places.at(-1)?.path;
  const named = /^git:[0-9a-f]+$/.test(id) ? (place ?? id) : id;
  return named.split(/[\\/]/).filter(Boolean).at(-1) ?? named;
}

/** The scopes that `this`, `all` or the id of a project stand for; `undefined`: all. */
export async function scopesOf(view: View, project = 'this'): Promise<readonly string[] | undefined> {
  if (project === 'all') return undefined;
  if (project === 'this') return view.recall.scopesOf();
  const { documents } = await statsOf(view);
  const known = [...new Set(documents.map((each) => each.project))];
  const nameOf = projectNames(view.config);
  const scopes = known.filter((scope) => nameOf(scope) === project || scope === project);
  if (scopes.length > 0) return scopes;
  if (currentProject(view.config).scopes.includes(project)) return view.recall.scopesOf();
  throw new CairnError('NOT_FOUND', `Nothing is known of the project ${JSON.stringify(project)}.`, {
    fix: 'Choose one of the projects that the page lists.',
  });
}

/** This one first, then by size. */
export async function projectsOf(view: View): Promise<ProjectRow[]> {
  const current = currentProject(view.config).id;
  const nameOf = projectNames(view.config);
  const counts = new Map<string, number>([[current, 0]]);
  for (const { project, count } of (await statsOf(view)).documents) {
    const id = nameOf(project);
    counts.set(id, (counts.get(id) ?? 0) + count);
  }
  return [...counts]
    .map(([id, memories]) => ({ id, name: shortName(view.config, id), current: id === current, memories }))
    .sort((a, b) => Number(b.current) - Number(a.current) || b.memories - a.memories || (a.id < b.id ? -1 : 1));
}

// ---- Memories, as all pages list and find them

/** Of a statement; nobody in particular said a record, a note or a topic. */
export function shownOrigin({ meta }: Document) {
  const origin = originOf(meta);
  return origin ? { ...origin, text: originText(origin) } : null;
}

export const briefOf = ({
  ref,
  project,
  layer,
  kind,
  status,
  title,
  text,
  createdAt,
  updatedAt,
  session,
}: Document) => ({
  ref,
  project,
  layer,
  kind,
  status,
  title: title || text.slice(0, 120),
  createdAt,
  updatedAt,
  session: session ?? null,
});

export const sourceOf = ({ source }: Document) => (source ? { file: source.file, line: source.line ?? null } : null);

/** The memory that a ref means: of the project named, else of this one, else the only one that there is. */
export async function findMemory(view: View, ref: string, project?: string): Promise<Document> {
  const found = await view.store.get({ refs: [ref], ...(project === undefined ? {} : { projects: [project] }) });
  const own = view.recall.scopesOf();
  const mine = found.filter((each) => own.includes(each.project));
  const chosen = mine.length > 0 ? mine : found;
  if (chosen.length === 1) return chosen[0]!;
  throw new CairnError(
    'NOT_FOUND',
    chosen.length === 0
      ? `There is no memory ${JSON.stringify(ref)}.`
      : `${JSON.stringify(ref)} is in several projects.`,
    { fix: chosen.length === 0 ? 'It may have been removed since; search for it.' : 'Say which project is meant.' },
  );
}
