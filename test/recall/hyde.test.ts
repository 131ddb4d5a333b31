// `--hyde`: a language model makes up an answer, and what is like it is found. The model is a script on loopback; the vectors are
// made by hand, so that a test can say what is near to what.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RecallAnswer, RecallMemory } from '../../src/app/recall-memory.ts';
import type { Embedder } from '../../src/embed/embedder.ts';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { readLedger, useOn } from '../../src/llm/ledger.ts';
import { localDay } from '../../src/model/timestamp.ts';
import { apiForTest, type ScriptedApi, type Step } from '../llm/scripted-api.ts';
import { idea } from './memories.ts';

const SUBJECTS = ['redis', 'invoice', 'colour'];
const unitOf = (text: string): Float32Array => {
  const parts = SUBJECTS.map((word) => (text.toLowerCase().includes(word) ? 1 : 0));
  const vector = [...parts, parts.includes(1) ? 0 : 1];
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
};

let folder: string;
let embedded: string[];
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-hyde-')));
  embedded = [];
});
afterEach(() => removeBusyFolder(folder));

const embedder: Embedder = {
  model: 'by-hand',
  dimensions: 4,
  embed: async (texts) => {
    embedded.push(...texts);
    return texts.map(unitOf);
  },
  close: async () => {},
};

async function open(api: ScriptedApi, more: NodeJS.ProcessEnv = {}): Promise<RecallMemory> {
  const env = {
    HOME: folder,
    CAIRN_HOME: path.join(folder, 'home'),
    CAIRN_LLM_PROVIDER: 'openai',
    CAIRN_LLM_BASE_URL: `${api.url}/v1`,
    CAIRN_LLM_MODEL: 'scripted',
    OPENAI_API_KEY: 'not-a-key',
    ...more,
  };
  return RecallMemory.open({ env, cwd: folder, model: async () => embedder });
}

const TEXTS = {
  redis: 'Redis expires them by itself',
  invoice: 'An invoice has one schema',
  colour: 'The colour is blue',
};

async function fill(memory: RecallMemory, withVectors = true): Promise<void> {
  await memory.store.apply(Object.entries(TEXTS).map(([ref, text]) => idea(ref, text)));
  const vectors = Object.entries(TEXTS).map(([ref, text]) => ({
    hash: `hash-${ref}`,
    model: 'by-hand',
    vector: unitOf(text),
  }));
  if (withVectors) await memory.store.apply([{ op: 'vectors', vectors }]);
}

const QUESTION = 'where do logged-in people live between two requests';
const GUESS = 'Sessions of users are kept in Redis.';

async function ask(
  script: readonly Step[],
  hyde = true,
): Promise<{ api: ScriptedApi; answer: RecallAnswer; problems: string[] }> {
  const api = await apiForTest(script);
  const memory = await open(api);
  try {
    await fill(memory);
    const answer = await memory.ask({ query: QUESTION, allProjects: true, explain: true, ...(hyde ? { hyde } : {}) });
    return { api, answer, problems: memory.problems };
  } finally {
    await memory.close();
  }
}

const use = () => useOn(readLedger(path.join(folder, 'home', 'ledger.json')), localDay(new Date()));

describe('a made-up answer', () => {
  it('brings what is like it to the top, says so, and is counted', async () => {
    const { api, answer, problems } = await ask([{ say: GUESS, usage: { prompt_tokens: 70, completion_tokens: 9 } }]);
    const first = answer.results[0]!;
    expect(first.ref).toBe('idea:redis');
    expect(first.why).toContainEqual({ strategy: 'hyde', rank: 1 });
    expect(first.explain).toContainEqual({ name: 'hyde', points: 0.2 });
    expect(embedded).toContain(GUESS);
    expect(api.requests).toHaveLength(1);
    expect(JSON.stringify(api.requests[0]!.body)).toContain(QUESTION);
    expect(use()).toMatchObject({ calls: 1, failures: 0, tokensIn: 70, tokensOut: 9 });
    expect(problems).toEqual([]);
  });

  it('is not asked for without --hyde', async () => {
    const { api, answer } = await ask([{ say: GUESS }], false);
    expect(api.requests).toEqual([]);
    expect(answer.results.flatMap(({ why }) => why.map(({ strategy }) => strategy))).not.toContain('hyde');
    expect(use().calls).toBe(0);
  });

  it.each([
    ['refuses', [{ status: 400, message: 'no such model' }]],
    ['sends rubbish', [{ raw: 'not JSON' }]],
    ['hangs up', [{ drop: '{"choices":' }]],
  ] as const)(
    'is done without when the model %s, and the answer says so',
    async (_, script) => {
      const { answer, problems } = await ask(script as readonly Step[]);
      expect(answer.results.flatMap(({ why }) => why.map(({ strategy }) => strategy))).not.toContain('hyde');
      expect(problems).toEqual([expect.stringMatching(/^Searched without a made-up answer: /)]);
      const { calls, failures } = use();
      expect(calls).toBeGreaterThan(0);
      expect(failures).toBe(calls);
    },
    60_000,
  );

  it('is not asked for past the ceiling of the day', async () => {
    const api = await apiForTest([{ say: GUESS }]);
    const memory = await open(api, { CAIRN_LLM_DAILY_CALLS: '1' });
    try {
      await fill(memory);
      await memory.ask({ query: QUESTION, allProjects: true, hyde: true });
      await memory.ask({ query: QUESTION, allProjects: true, hyde: true });
      expect(api.requests).toHaveLength(1);
      expect(memory.problems).toEqual([expect.stringContaining('Searched without a made-up answer')]);
    } finally {
      await memory.close();
    }
  });

  it('says that it needs vectors where there are none, and costs nothing then', async () => {
    const api = await apiForTest([{ say: GUESS }]);
    const memory = await open(api);
    try {
      await fill(memory, false);
      const answer = await memory.ask({ query: 'redis', allProjects: true, hyde: true });
      expect(answer.results[0]?.ref).toBe('idea:redis');
      expect(api.requests).toEqual([]);
      expect(memory.problems).toEqual([expect.stringContaining('no vectors')]);
    } finally {
      await memory.close();
    }
  });
});
