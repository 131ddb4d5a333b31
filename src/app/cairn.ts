// The public API: a memory for programs that are not Claude Code. A thin layer over the other composition roots, with types of its
// own, so that what is inside may change.

import fs from 'node:fs';
import { type Config, environment, loadConfig } from '../config/load.ts';
import { CairnError } from '../errors.ts';
import { Memory } from './memory.ts';
import { RecallMemory } from './recall-memory.ts';
import { TraceMemory } from './trace-memory.ts';

export type OpenOptions = {
  /** Any folder of the project; the working directory if left out. */
  readonly directory?: string;
  /** The memory root, where it is not `<project>/.claude/memory`. */
  readonly memoryRoot?: string;
  /** Instead of the environment of this process: `CAIRN_HOME`, settings such as `CAIRN_EMBEDDINGS_PROVIDER`, keys. */
  readonly env?: { readonly [name: string]: string | undefined };
};

/** `record`: curated JSON. `note`: linked Markdown. `trace`: what was said in a conversation. `commit`: of the repository's own log. */
export type Layer = 'record' | 'note' | 'trace' | 'commit';

export type RememberOptions = {
  /** At most so many; 10 if left out. */
  readonly limit?: number;
  readonly since?: Date;
  readonly until?: Date;
  readonly layers?: readonly Layer[];
  /** Look in all projects that are indexed, not only in this one. */
  readonly allProjects?: boolean;
  readonly includeArchived?: boolean;
};

export type Remembered = {
  /** Names the memory, for `get` and the command line. */
  readonly ref: string;
  readonly layer: Layer;
  /** `decision`, `runbook`, `question` … */
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  /** 0 to 1: how likely it is about the question. The list is in the order of rank, which weighs more than this. */
  readonly relevance: number;
  readonly status: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Where it comes from: a file, and for a conversation the line in it. */
  readonly source: { readonly file: string; readonly line?: number } | null;
  /** It came with a repository, and the user has not agreed to it (`cairn trust`): show it with care, inject it nowhere. */
  readonly untrusted: boolean;
};

export type SaveOptions = {
  /** Made from the text if left out. */
  readonly title?: string;
  readonly tags?: readonly string[];
  /** Files of the project that it is about. */
  readonly relatedFiles?: readonly string[];
  /** 0 to 1. */
  readonly confidence?: number;
  /** Fields of the category by name; what is left out is read from the text, or marked as not stated. */
  readonly fields?: { readonly [name: string]: readonly string[] };
};

export type Saved = {
  readonly ref: string;
  /** The file of the record. */
  readonly file: string;
  readonly title: string;
  /** Fields that neither the options nor the text said. */
  readonly notStated: readonly string[];
};

export type Got = {
  readonly ref: string;
  readonly layer: Layer;
  readonly title: string;
  /** Of a record its JSON, of a note its Markdown, of a conversation what was said. */
  readonly text: string;
  readonly source: { readonly file: string; readonly line?: number } | null;
  readonly untrusted: boolean;
};

/** The memory of one project. Close it when you are done. */
export type Cairn = {
  /** What is remembered about a question, the best first: records, notes and conversations together. */
  remember(question: string, options?: RememberOptions): Promise<Remembered[]>;
  /**
   * Saves one thing as a record of a category (`decision`, `runbook`, `constraint`, `tech_debt`, `preference`, `session_summary`, or one
   * of the project's own). Always a new one: remember first if there may be one already.
   */
  save(category: string, text: string, options?: SaveOptions): Promise<Saved>;
  /** One memory whole, by its ref. Throws `NOT_FOUND` if there is none. */
  get(ref: string): Promise<Got>;
  /** Lets go of the database. The memory can be asked again; it is opened anew then. */
  close(): Promise<void>;
};

/** Opens the memory of a project. Nothing is written before something is saved or remembered. */
export function openCairn(options: OpenOptions = {}): Cairn {
  return new ProjectCairn({
    env: { ...(options.env ?? environment()) },
    ...(options.directory === undefined ? {} : { cwd: options.directory }),
    ...(options.memoryRoot === undefined ? {} : { memoryRoot: options.memoryRoot }),
  });
}

type Where = { readonly env: NodeJS.ProcessEnv; readonly cwd?: string; readonly memoryRoot?: string };

class ProjectCairn implements Cairn {
  readonly #where: Where;
  #recall: Promise<RecallMemory> | undefined;

  constructor(where: Where) {
    this.#where = where;
  }

  async remember(question: string, options: RememberOptions = {}): Promise<Remembered[]> {
    const { since, until, layers, limit, allProjects, includeArchived } = options;
    this.#recall ??= RecallMemory.open(this.#where);
    const memory = await this.#recall;
    await memory.refresh();
    const { results } = await memory.ask({
      query: question,
      ...(limit === undefined ? {} : { limit }),
      ...(since === undefined ? {} : { since: since.getTime() }),
      ...(until === undefined ? {} : { until: until.getTime() }),
      ...(layers === undefined ? {} : { layers }),
      ...(allProjects ? { allProjects } : {}),
      ...(includeArchived ? { includeArchived } : {}),
    });
    return results.map(({ ref, layer, kind, title, text, relevance, status, created_at, source, untrusted }) => ({
      ref,
      layer: layer as Layer,
      kind,
      title,
      text,
      relevance,
      status,
      createdAt: created_at,
      source,
      untrusted: untrusted === true,
    }));
  }

  async save(category: string, text: string, options: SaveOptions = {}): Promise<Saved> {
    const memory = new Memory(this.#config());
    const kind = memory.category(category);
    const { result, plan } = await memory.save({ category: kind, text, ...options });
    const found = memory.find(`${kind.folder}/${String(result.id)}`);
    const ref = `record:${kind.folder}/${found.slug}`;
    return { ref, file: found.file, title: found.title, notStated: plan.assumed };
  }

  async get(ref: string): Promise<Got> {
    if (/^(?:idea|span|commit):/.test(ref)) return this.#trace(ref);
    const config = this.#config();
    const memory = new Memory(config);
    const untrusted = config.trust.state === 'untrusted';
    if (!ref.startsWith('note:')) {
      const { file, slug, category, title, record } = memory.find(ref);
      const own = `record:${category.folder}/${slug}`;
      return { ref: own, layer: 'record', title, text: JSON.stringify(record, null, 2), source: { file }, untrusted };
    }
    const note = memory.findNote(ref);
    if (!note) throw new CairnError('NOT_FOUND', `There is no note ${JSON.stringify(ref)}.`);
    const { id, file, title } = note;
    return {
      ref: `note:${id}`,
      layer: 'note',
      title,
      text: fs.readFileSync(file, 'utf8'),
      source: { file },
      untrusted,
    };
  }

  async close(): Promise<void> {
    const recall = this.#recall;
    this.#recall = undefined;
    await (await recall?.catch(() => undefined))?.close();
  }

  async #trace(ref: string): Promise<Got> {
    const memory = await TraceMemory.open(this.#config());
    try {
      const { document } = await memory.show(ref, { before: 0, after: 0 });
      const { title, text, source, layer } = document;
      return {
        ref: document.ref,
        layer: layer as Layer,
        title,
        text,
        source: source ?? null,
        untrusted: layer === 'commit' && this.#config().trust.state === 'untrusted',
      };
    } finally {
      await memory.close();
    }
  }

  /** Read anew each time: people change settings while a program runs. */
  #config(): Config {
    return loadConfig(this.#where);
  }
}
