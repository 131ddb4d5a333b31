// With `injection.other_projects`, a prompt that nothing here is about is told the best line that was said in another project, and where. Without it, nothing.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { sampleIdea } from '../../../test/fixtures/sample-idea.ts';
import { temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { loadConfig } from '../../config/load.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Document } from '../../store/store.ts';
import { userPromptSubmit } from './user-prompt-submit.ts';

const THERE = '/elsewhere/harbour';
const PROMPT = 'where do we keep the ledger of the bookkeeping?';
const SAID = 'We decided to keep the ledger of the bookkeeping in Postgres, because it needs transactions.';
let project: string;
let home: string;
beforeEach(() => {
  const base = temporaryFolder();
  project = path.join(base, 'project');
  home = path.join(base, 'home');
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
});

async function fill(...documents: readonly Document[]): Promise<void> {
  const store = await openSqliteStore(path.join(home, 'memory.db'));
  const noise = Array.from({ length: 40 }, (_, at) =>
    sampleIdea(THERE, `idea:9${at}`, `The crane of pier ${at} was greased.`, { kind: 'context', session: `n${at}` }),
  );
  await store.apply([...noise, ...documents].map((document) => ({ op: 'put' as const, document })));
  await store.close();
}

async function ask(isOn: boolean, session = 'now'): Promise<string> {
  const env = {
    HOME: home,
    CAIRN_HOME: home,
    CAIRN_EMBEDDINGS_PROVIDER: 'none',
    ...(isOn ? { CAIRN_INJECTION_OTHER_PROJECTS: 'true' } : {}),
  };
  const problem = (cause: unknown): void => {
    throw cause;
  };
  const config = loadConfig({ cwd: project, env });
  const { stdout = '' } = await userPromptSubmit(
    { cwd: project, prompt: PROMPT, hook_event_name: 'UserPromptSubmit', session_id: session },
    { env, now: () => new Date('2026-05-01T12:00:00Z'), config, problem, start: async () => {} },
  );
  return stdout;
}

it('tells one line of another project, and which, only where that was asked for', async () => {
  await fill(sampleIdea(THERE, 'idea:1', SAID));
  expect(await ask(false)).toBe('');
  expect(await ask(true)).toMatch(
    /- \[DECISION\] We decided to keep the ledger .*in the project harbour.* -> idea:1\n/,
  );
  expect(await ask(true), 'told already').toBe('');
});

it('tells what was said here, and then nothing of elsewhere', async () => {
  await fill(
    sampleIdea(THERE, 'idea:1', SAID),
    sampleIdea(project, 'idea:2', SAID.replace('Postgres', 'a file on the shelf')),
  );
  const told = await ask(true);
  expect(told).toContain('-> idea:2\n');
  expect(told).not.toContain('harbour');
});

it('never tells a record of another project, which may be anybody’s', async () => {
  await fill(
    sampleIdea(THERE, 'record:decisions/ledger', SAID, { layer: 'record', title: 'The ledger of the bookkeeping' }),
  );
  expect(await ask(true)).toBe('');
});
