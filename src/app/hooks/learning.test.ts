// From prompt to prompt: what was told three times and never used is told less, what is used stays, what the user says counts at once, and
// the user can ask why.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sampleIdea } from '../../../test/fixtures/sample-idea.ts';
import { put, temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { loadConfig } from '../../config/load.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { judgeMemory, type Verdict } from '../learn-from-answers.ts';
import type { HookContext } from './hook.ts';
import { indexWorker } from './index-worker.ts';
import { userPromptSubmit } from './user-prompt-submit.ts';

const MEMORY = 'The nightly export locks the ledger table, because the vacuum of Postgres runs beside it.';
const PROMPT =
  'look at the nightly export of the ledger, it is slow in Bremen since monday and the warehouse waits for it';
const [UNUSED, USED] = [
  'I changed the page of the shipping labels.',
  'It is the vacuum again: beside the nightly export, Postgres locks the table of the ledger.',
];

class Conversations {
  readonly #base = temporaryFolder();
  readonly project = path.join(this.#base, 'project');
  readonly #home = path.join(this.#base, 'home');
  #count = 0;

  readonly #env = { HOME: this.#home, CLAUDE_PROJECT_DIR: this.project, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  get config() {
    return loadConfig({ cwd: this.project, env: this.#env });
  }

  async begin(): Promise<this> {
    fs.mkdirSync(path.join(this.project, '.git'), { recursive: true });
    fs.mkdirSync(path.join(this.#home, '.cairn'), { recursive: true });
    const others = Array.from({ length: 40 }, (_, at) =>
      sampleIdea(this.project, `idea:other${at}`, `Number ${at} of the shelves was painted with another colour.`),
    );
    const memory = sampleIdea(this.project, 'idea:1', MEMORY, { kind: 'conclusion', meta: { worth: 0.95 } });
    const store = await openSqliteStore(path.join(this.#home, '.cairn', 'memory.db'));
    await store.apply([memory, ...others].map((document) => ({ op: 'put', document })));
    await store.close();
    return this;
  }

  /** A new conversation is asked, answered and indexed; says whether it was told. */
  async isTold(answer: string): Promise<boolean> {
    const session = `00000000-0000-4000-8000-00000000000${++this.#count}`;
    const at = (minute: number): string => `2026-05-0${this.#count}T10:0${minute}:00.000Z`;
    const transcript = path.join(this.#home, '.claude', 'projects', 'p', `${session}.jsonl`);
    const payload = { session_id: session, transcript_path: transcript, cwd: this.project };
    const context: HookContext = {
      env: this.#env,
      now: () => new Date(at(0)),
      config: this.config,
      problem: (cause) => expect.unreachable(String(cause)),
      start: async () => {},
    };
    const said = (type: string, minute: number, content: unknown): string =>
      `${JSON.stringify({ type, sessionId: session, cwd: this.project, timestamp: at(minute), message: { id: session, role: type, content } })}\n`;
    put(transcript, said('user', 0, 'hello') + said('assistant', 0, [{ type: 'text', text: 'Hello.' }]));
    const { stdout = '' } = await userPromptSubmit({ ...payload, prompt: PROMPT }, context);
    fs.appendFileSync(
      transcript,
      said('user', 1, PROMPT) + said('assistant', 2, [{ type: 'text', text: `${answer} (${session})` }]),
    );
    await indexWorker({ ...payload, hook_event_name: 'PreCompact' }, context);
    return stdout.includes('-> idea:1\n');
  }

  async judge(verdict: Verdict): Promise<void> {
    const memory = { ref: 'idea:1', project: this.project, title: '' };
    await judgeMemory(this.config, memory, verdict, new Date('2026-05-09T10:00:00Z'));
  }
}

it('tells less what was told three times and never used, until the user calls it useful', async () => {
  const talk = await new Conversations().begin();
  for (let time = 1; time <= 3; time++) expect(await talk.isTold(UNUSED), `time ${time}`).toBe(true);
  expect(await talk.isTold(UNUSED)).toBe(false);
  await talk.judge('useful');
  expect(await talk.isTold(UNUSED)).toBe(true);
  await talk.judge('wrong');
  expect(await talk.isTold(UNUSED)).toBe(false);
});

it('goes on telling what answers build on', async () => {
  const talk = await new Conversations().begin();
  for (let time = 1; time <= 5; time++) expect(await talk.isTold(USED), `time ${time}`).toBe(true);
});
