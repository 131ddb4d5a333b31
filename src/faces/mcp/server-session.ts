// Where the server works: which project, which configuration, and the one thing that is kept warm, the store with its model.
// Everything is opened when it is first wanted and let go when nobody has wanted it for a while; a process that starts in its
// place would open the same.

import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WarmModel } from '../../app/embedding-model.ts';
import type { GraphMemory } from '../../app/graph-memory.ts';
import type { Memory } from '../../app/memory.ts';
import type { RecallMemory } from '../../app/recall-memory.ts';
import type { TraceMemory } from '../../app/trace-memory.ts';
import { storeFile } from '../../app/user-files.ts';
import { type Config, loadConfig } from '../../config/load.ts';
import { CairnError } from '../../errors.ts';
import { isObject } from '../../model/json.ts';

export type ServerSurroundings = {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: () => Date;
  /** Asks the client for its folders; the answer of `roots/list`. */
  askRoots?(): Promise<unknown>;
  /** How long the store is kept without use. */
  readonly idleMs?: number;
  readonly model?: WarmModel;
};

type Warm = { readonly memory: RecallMemory; readonly mark: string };

const IDLE_MS = 5 * 60_000;

export class ServerSession {
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => Date;
  readonly #surroundings: ServerSurroundings;
  #directory: Promise<string> | undefined;
  #warm: Warm | undefined;
  /** One question at a time: the store is one connection, and each question has its own list of problems. */
  #turn: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(surroundings: ServerSurroundings) {
    this.#surroundings = surroundings;
    this.env = surroundings.env;
    this.now = surroundings.now;
  }

  /** The client's folders changed, or are first known now. */
  forgetRoots(): void {
    this.#directory = undefined;
  }

  /** Read anew for each call: it is cheap, and people change settings during a conversation. */
  async config(): Promise<Config> {
    this.#directory ??= this.#findDirectory();
    return loadConfig({ cwd: await this.#directory, env: this.env });
  }

  /** What Claude Code says in the environment, else the first folder that the client names, else where we were started. */
  async #findDirectory(): Promise<string> {
    const { env, cwd, askRoots } = this.#surroundings;
    if (env.CLAUDE_PROJECT_DIR || !askRoots) return cwd;
    return folderOf(await askRoots()) ?? cwd;
  }

  async memory(): Promise<Memory> {
    const { Memory: Opened } = await import('../../app/memory.ts');
    return new Opened(await this.config(), this.now);
  }

  async graph(): Promise<GraphMemory> {
    const { GraphMemory: Opened } = await import('../../app/graph-memory.ts');
    return new Opened(await this.config(), this.now);
  }

  async traces<T>(work: (memory: TraceMemory) => Promise<T>): Promise<T> {
    const { TraceMemory: Opened } = await import('../../app/trace-memory.ts');
    const memory = await Opened.open(await this.config(), this.now);
    try {
      return await work(memory);
    } finally {
      await memory.close();
    }
  }

  /** A question to the warm store; `problems` is what it had to be answered without. */
  recall<T>(work: (memory: RecallMemory) => Promise<T>): Promise<{ value: T; problems: string[] }> {
    const turn = this.#turn.then(async () => {
      clearTimeout(this.#idle);
      try {
        const memory = await this.#warmMemory();
        memory.problems.length = 0;
        const value = await work(memory);
        return { value, problems: [...memory.problems] };
      } catch (error) {
        // A damaged or replaced database is opened anew next time.
        if (error instanceof CairnError && error.code === 'STORE_ERROR') await this.#letGo();
        throw error;
      } finally {
        this.#idle = setTimeout(() => void this.release(), this.#surroundings.idleMs ?? IDLE_MS).unref();
      }
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Closes what is warm, after the questions that were asked before. */
  release(): Promise<void> {
    const turn = this.#turn.then(() => this.#letGo());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  get isWarm(): boolean {
    return this.#warm !== undefined;
  }

  async #warmMemory(): Promise<RecallMemory> {
    const config = await this.config();
    if (this.#warm && this.#warm.mark === markOf(config)) return this.#warm.memory;
    await this.#letGo();
    const { RecallMemory: Opened } = await import('../../app/recall-memory.ts');
    const { model } = this.#surroundings;
    const memory = await Opened.open({
      cwd: config.paths.projectRoot,
      env: this.env,
      now: this.now,
      ...(model ? { model: (own: Config) => model.get(own) } : {}),
    });
    this.#warm = { memory, mark: markOf(memory.config) };
    return memory;
  }

  async #letGo(): Promise<void> {
    clearTimeout(this.#idle);
    const warm = this.#warm;
    this.#warm = undefined;
    await warm?.memory.close();
  }
}

/** Equal for two moments if what is open at the first may be used at the second: same settings, same places, same database file. */
function markOf({ settings, paths, trust }: Config): string {
  const stat = fs.statSync(storeFile({ paths }), { throwIfNoEntry: false });
  return JSON.stringify([settings, paths, trust, stat?.dev, stat?.ino]);
}

function folderOf(answer: unknown): string | undefined {
  const roots = isObject(answer) && Array.isArray(answer.roots) ? answer.roots : [];
  for (const root of roots) {
    if (!isObject(root) || typeof root.uri !== 'string' || !root.uri.startsWith('file://')) continue;
    try {
      return fileURLToPath(root.uri);
    } catch {
      // not a path of this machine: the next
    }
  }
  return undefined;
}
