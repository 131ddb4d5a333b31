// Vectors by several processes at once, one for each core that has nothing else to do: an embedder like any other to whoever uses it.
// Processes, because one text keeps one core busy, and two threads of the runtime wait for each other (docs/EMBEDDINGS.md).

import type { ChildProcess } from 'node:child_process';
import os from 'node:os';
import type { Settings } from '../config/settings/settings.ts';
import type { Embedded, Embedder } from '../embed/embedder.ts';
import { CairnError, type ErrorCode } from '../errors.ts';
import type { FromHelper, Made, ToHelper } from './embed-helper.ts';

/** Starts a process that runs `helpEmbedding`, with a channel to it. */
export type StartHelper = () => ChildProcess;

/** Each holds the model: some 150 MB. */
const MOST_HELPERS = 4;
/** So many texts go to a helper at once: few, so that all end at the same time. */
const PART = 8;
const LOOK_MS = 200;

/** Cores that did nothing for a moment; at least one. */
export async function idleCores(): Promise<number> {
  const before = os.cpus();
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const idle = os.cpus().reduce((sum, { times }, at) => {
    const then = before[at]?.times ?? times;
    const all = Object.values(times).reduce((total, each) => total + each, 0);
    const allThen = Object.values(then).reduce((total, each) => total + each, 0);
    return sum + (all > allThen ? (times.idle - then.idle) / (all - allThen) : 1);
  }, 0);
  return Math.max(1, Math.min(MOST_HELPERS, Math.round(idle)));
}

type Opened = Extract<FromHelper, { model: string }>;

type Part = {
  readonly texts: readonly string[];
  readonly done: (made: readonly Made[]) => void;
  readonly failed: (error: unknown) => void;
};

/** Throws where none of them can open the model. */
export async function openHelpers(
  start: StartHelper,
  count: number,
  model: { readonly settings: Settings['embeddings']; readonly cacheDir: string | undefined },
): Promise<Embedder> {
  const helpers = new Helpers(start);
  try {
    const {
      model: name,
      dimensions,
      givesTokens,
    } = await helpers.open(count, {
      open: model.settings,
      cacheDir: model.cacheDir,
    });
    return {
      model: name,
      dimensions,
      embed: async (texts) => (await helpers.make(texts)).map(({ vector }) => vector),
      ...(givesTokens ? { embedTokens: async (texts) => (await helpers.make(texts)) as readonly Embedded[] } : {}),
      close: async () => helpers.close(),
    };
  } catch (error) {
    helpers.close();
    throw error;
  }
}

class Helpers {
  readonly #start: StartHelper;
  readonly #all = new Set<ChildProcess>();
  readonly #idle: ChildProcess[] = [];
  readonly #waiting: Part[] = [];
  readonly #atWork = new Map<ChildProcess, { readonly id: number; readonly part: Part }>();
  #lastId = 0;
  #isClosed = false;

  constructor(start: StartHelper) {
    this.#start = start;
  }

  /** Ready as soon as one is; the others join. */
  async open(count: number, told: ToHelper): Promise<Opened> {
    const opening = Array.from({ length: count }, () => this.#openOne(told));
    for (const each of opening) each.catch(() => undefined); // one that cannot is not missed while another can
    try {
      return await Promise.any(opening);
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error;
    }
  }

  #openOne(told: ToHelper): Promise<Opened> {
    const helper = this.#start();
    this.#all.add(helper);
    return new Promise((resolve, reject) => {
      helper.on('error', (error) => this.#lose(helper, error, reject));
      helper.on('exit', () =>
        this.#lose(helper, new CairnError('IO_ERROR', 'A process that makes vectors ended.'), reject),
      );
      helper.on('message', (message: FromHelper) => {
        if ('model' in message) {
          resolve(message);
          this.#idle.push(helper);
          this.#next();
        } else if (message.id === undefined) this.#lose(helper, errorOf(message), reject);
        else this.#answered(helper, message as FromHelper & { id: number });
      });
      this.#tell(helper, told);
    });
  }

  #tell(helper: ChildProcess, message: ToHelper): void {
    // What cannot be told to one that is ending comes back when it has ended.
    helper.send(message, () => undefined);
  }

  #answered(helper: ChildProcess, message: FromHelper & { id: number }): void {
    const work = this.#atWork.get(helper);
    if (work?.id !== message.id) return;
    this.#atWork.delete(helper);
    this.#idle.push(helper);
    if ('made' in message) work.part.done(message.made);
    else if ('failed' in message) work.part.failed(errorOf(message));
    this.#next();
  }

  /** What it was at goes to another; where there is none, it has failed. */
  #lose(helper: ChildProcess, error: unknown, reject: (error: unknown) => void): void {
    reject(error);
    if (!this.#all.delete(helper)) return;
    const place = this.#idle.indexOf(helper);
    if (place >= 0) this.#idle.splice(place, 1);
    const work = this.#atWork.get(helper);
    this.#atWork.delete(helper);
    if (work) this.#waiting.unshift(work.part);
    if (helper.connected) helper.disconnect();
    if (this.#all.size > 0) this.#next();
    else for (const part of this.#waiting.splice(0)) part.failed(error);
  }

  #next(): void {
    for (;;) {
      const [helper, part] = [this.#idle[0], this.#waiting[0]];
      if (!helper || !part) return;
      this.#idle.shift();
      this.#waiting.shift();
      const id = ++this.#lastId;
      this.#atWork.set(helper, { id, part });
      this.#tell(helper, { id, texts: part.texts });
    }
  }

  async make(texts: readonly string[]): Promise<Made[]> {
    const parts: Promise<readonly Made[]>[] = [];
    for (let from = 0; from < texts.length; from += PART) parts.push(this.#part(texts.slice(from, from + PART)));
    return (await Promise.all(parts)).flat();
  }

  #part(texts: readonly string[]): Promise<readonly Made[]> {
    return new Promise((done, failed) => {
      if (this.#isClosed || this.#all.size === 0) {
        failed(new CairnError('IO_ERROR', 'There is no process left that makes vectors.', { fix: 'Run it again.' }));
        return;
      }
      this.#waiting.push({ texts, done, failed });
      this.#next();
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const helper of this.#all) if (helper.connected) helper.disconnect();
    this.#all.clear();
  }
}

function errorOf(message: FromHelper): CairnError {
  const {
    code,
    message: text,
    fix,
  } = 'failed' in message ? message.failed : { code: 'IO_ERROR', message: '', fix: undefined };
  return new CairnError(code as ErrorCode, text, fix === undefined ? {} : { fix });
}
