// The store that prompts are answered from, kept open between them. It is the same that a command hook opens for each prompt, with
// the model besides as soon as that is open; it is opened anew when the settings, the database or what was learned changed, and let go when idle.

import fs from 'node:fs';
import path from 'node:path';
import type { WarmModel } from '../../app/embedding-model.ts';
import type { HookContext } from '../../app/hooks/hook.ts';
import type { PromptRecall } from '../../app/hooks/recall-for-prompt.ts';
import { PromptMemory, type PromptOptions } from '../../app/prompt-memory.ts';
import type { Config } from '../../config/load.ts';

const IDLE_MS = 5 * 60_000;
/** The first prompt of a conversation may wait so long for the model, which was begun to open when the server started. */
const MODEL_WAIT_MS = 500;

const isLocal = ({ settings }: Config): boolean => settings.embeddings.provider === 'local';

export class WarmPrompts {
  readonly #idleMs: number;
  readonly #model: WarmModel | undefined;
  #open: { readonly memory: PromptMemory; readonly mark: string } | undefined;
  #inUse = false;
  #isBroken = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(idleMs: number = IDLE_MS, model?: WarmModel) {
    this.#idleMs = idleMs;
    this.#model = model;
  }

  /** As a hook's `openRecall`: whoever gets it closes it, and then it rests here. `undefined` where there is no store yet. */
  async openRecall({ config, now, problem }: HookContext): Promise<PromptRecall | undefined> {
    const options: PromptOptions = {
      now,
      problem,
      // Only the one on this machine: a prompt does not wait for a network.
      model: async (own) => (isLocal(own) ? this.#model?.soon(own, MODEL_WAIT_MS) : undefined),
    };
    if (this.#inUse) return PromptMemory.open(config, options); // two prompts at once: one is cold
    this.#inUse = true;
    clearTimeout(this.#idle);
    try {
      const mark = markOf(config);
      if (this.#open?.mark !== mark) {
        await this.release();
        const memory = await PromptMemory.open(config, options);
        this.#open = memory && { memory, mark };
      }
      if (!this.#open) this.#inUse = false;
      return this.#open && this.#lent(this.#open.memory);
    } catch (error) {
      this.#inUse = false;
      throw error;
    }
  }

  #lent(memory: PromptMemory): PromptRecall {
    const watched = <T>(work: Promise<T>): Promise<T> =>
      work.catch((error: unknown) => {
        this.#isBroken = true; // the next prompt opens it anew
        throw error;
      });
    return {
      config: memory.config,
      feedback: memory.feedback,
      effort: memory.effort,
      get scopes() {
        return memory.scopes;
      },
      refresh: () => watched(memory.refresh()),
      ordinary: () => watched(memory.ordinary()),
      ask: (part, options) => watched(memory.ask(part, options)),
      leftToDo: () => watched(memory.leftToDo()),
      isLeftOpen: (todo) => watched(memory.isLeftOpen(todo)),
      close: async () => {
        this.#inUse = false;
        if (this.#isBroken) await this.release();
        else this.#idle = setTimeout(() => void this.release(), this.#idleMs).unref();
      },
    };
  }

  async release(): Promise<void> {
    clearTimeout(this.#idle);
    const open = this.#open;
    this.#open = undefined;
    this.#isBroken = false;
    await open?.memory.close();
  }
}

/** Equal for two prompts if what the first opened may answer the second. */
function markOf({ settings, paths, trust }: Config): string {
  const [store, learned] = ['memory.db', 'feedback.json'].map((name) =>
    fs.statSync(path.join(paths.userRoot, name), { throwIfNoEntry: false }),
  );
  return JSON.stringify([
    settings,
    paths,
    trust,
    store?.dev,
    store?.ino,
    learned?.mtimeMs,
    learned?.ino,
    learned?.size,
  ]);
}
