// The model that makes vectors, for a process that lives long: opened when it is first wanted, shared by everything that asks,
// dropped when nobody has asked for a while. What it could not open it does not try again until the settings change.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/load.ts';
import type { Embedder } from '../embed/embedder.ts';
import { cacheFolder } from './user-files.ts';

export type { Embedder };

type Open = { readonly mark: string; readonly embedder: Promise<Embedder | undefined>; ready?: Embedder | undefined };

/** Opening it again costs the next prompt half a second, keeping it some hundred megabytes: people come back within the hour. */
const IDLE_MS = 60 * 60_000;

export async function openModel(config: Config, env: NodeJS.ProcessEnv): Promise<Embedder | undefined> {
  const { openEmbedder } = await import('../embed/open-embedder.ts');
  return openEmbedder(config.settings.embeddings, { cacheDir: cacheFolder(config), env });
}

export class WarmModel {
  readonly #env: NodeJS.ProcessEnv;
  readonly #idleMs: number;
  #open: Open | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(env: NodeJS.ProcessEnv, idleMs: number = IDLE_MS) {
    this.#env = env;
    this.#idleMs = idleMs;
  }

  /** Closing what it returns does nothing: others use it, too. */
  async get(config: Config): Promise<Embedder | undefined> {
    return shared(await this.#opened(config).embedder);
  }

  /**
   * What is open already; opens it for the next time where it is not. Whoever cannot wait asks so. A model that was never used on
   * this machine is not opened for them: making it ready keeps the process from everything else for a second, on a busy machine
   * for longer than a hook may wait. The worker that makes the first vectors does it.
   */
  ready(config: Config): Embedder | undefined {
    if (!this.#open && !isMadeReady(config)) return undefined;
    const open = this.#opened(config);
    open.embedder.catch(() => undefined); // whoever waits for it is told why
    return shared(open.ready);
  }

  /** The same, for whoever can wait a little while it is being opened. */
  async soon(config: Config, mostMs: number): Promise<Embedder | undefined> {
    const ready = this.ready(config);
    const open = this.#open;
    if (ready || !open) return ready;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), mostMs);
    });
    const embedder = await Promise.race([open.embedder.catch(() => undefined), late]);
    clearTimeout(timer);
    return shared(embedder);
  }

  #opened(config: Config): Open {
    this.#rest();
    const mark = JSON.stringify(config.settings.embeddings);
    if (this.#open?.mark === mark) return this.#open;
    void this.release();
    const open: Open = { mark, embedder: openModel(config, this.#env) };
    open.embedder.then(
      (embedder) => {
        open.ready = embedder;
      },
      () => undefined,
    );
    this.#open = open;
    return open;
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.release(), this.#idleMs).unref();
  }

  async release(): Promise<void> {
    clearTimeout(this.#idle);
    const open = this.#open;
    this.#open = undefined;
    const embedder = await open?.embedder.catch(() => undefined);
    await embedder?.close();
  }
}

/** Another model than the one that comes with Cairn needs no making. */
function isMadeReady(config: Config): boolean {
  if (config.settings.embeddings.model !== '') return true;
  try {
    return fs.readdirSync(path.join(cacheFolder(config), 'models')).some((name) => name.endsWith('.onnx'));
  } catch {
    return false; // not there yet
  }
}

const shared = (embedder: Embedder | undefined): Embedder | undefined =>
  embedder && { ...embedder, close: async () => {} };
