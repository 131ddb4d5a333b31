// What would be told to a prompt, without telling it: the same way as the hook goes, with nothing recorded, and what just missed with why.

import type { Config } from '../config/load.ts';
import type { Embedder } from '../embed/embedder.ts';
import { isTelling } from '../inject/ordinary-words.ts';
import { promptParts } from '../inject/prompt-parts.ts';
import { whyNotTold } from '../inject/why-not-told.ts';
import type { RecallResult } from '../recall/answer.ts';
import { asksForNothing, findsFor, isLeftOut, readPrompt, recallForPrompt } from './hooks/recall-for-prompt.ts';
import { PromptMemory } from './prompt-memory.ts';

export type Rehearsal = {
  /** As the model would see it; empty: nothing. */
  readonly text: string;
  readonly tokens: number;
  readonly told: readonly {
    readonly ref: string;
    readonly project: string;
    readonly likelihood: number;
    readonly tokens: number;
  }[];
  /** The nearest that were not told, the likeliest first. */
  readonly missed: readonly {
    readonly result: RecallResult;
    readonly why: string;
    readonly likelihood: number | null;
  }[];
  /** Why nothing was looked for, where nothing was. */
  readonly silent: string | null;
};

const MISSED = 8;
const NEW = { tokens: 0, lines: {} };

export async function rehearsePrompt(
  config: Config,
  prompt: string,
  options: { readonly now: () => Date; readonly model?: (config: Config) => Promise<Embedder | undefined> },
): Promise<Rehearsal> {
  const { retrieval, injection } = config.settings;
  const nothing = (silent: string): Rehearsal => ({ text: '', tokens: 0, told: [], missed: [], silent });
  if (!retrieval.enabled || retrieval.max_inject <= 0)
    return nothing('Injection is switched off (retrieval.enabled, retrieval.max_inject).');
  if (asksForNothing(prompt)) return nothing('The prompt asks for nothing that a memory could answer.');
  const memory = await PromptMemory.open(config, { ...options, problem: () => undefined });
  if (!memory) return nothing('There is no database yet: cairn backfill makes it.');
  try {
    await memory.refresh();
    const question = { prompt, session: '', shown: NEW, maxTokens: injection.prompt_max_tokens };
    const injected = await recallForPrompt(memory, question);
    const { asked, learned } = await readPrompt(memory, prompt);
    const finds = await findsFor(memory, asked, (word) => isTelling(word, learned));
    const told = new Set(injected.entries.map(({ project, ref }) => `${project}\0${ref}`));
    const words = promptParts(prompt, learned).telling.length;
    const all = [...finds.parts.flat(), ...finds.files.flatMap(({ results }) => results)];
    const missed = [...new Map(all.map((result) => [`${result.project}\0${result.ref}`, result])).entries()]
      .filter(([key]) => !told.has(key))
      .map(([, result]) => ({
        result,
        ...(isLeftOut(result, question)
          ? { why: 'The client tells it itself, or it came from outside.', likelihood: null }
          : whyNotTold(result, prompt, words)),
      }))
      .sort((a, b) => (b.likelihood ?? 0) - (a.likelihood ?? 0) || b.result.relevance - a.result.relevance);
    return {
      text: injected.text,
      tokens: injected.tokens,
      told: injected.entries.map(({ ref, project, relevance, tokens }) => ({
        ref,
        project,
        likelihood: relevance,
        tokens,
      })),
      missed: missed.slice(0, MISSED),
      silent: null,
    };
  } finally {
    await memory.close();
  }
}
