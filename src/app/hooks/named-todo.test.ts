// A prompt that begins with something that was left to do is told so, by a server that lives on; while it is open, and once.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { sampleIdea } from '../../../test/fixtures/sample-idea.ts';
import { temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { loadConfig } from '../../config/load.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Change, Document } from '../../store/store.ts';
import { PromptMemory } from '../prompt-memory.ts';
import { userPromptSubmit } from './user-prompt-submit.ts';

const NOW = new Date('2026-05-01T12:00:00Z');
const PROMPT = 'bring your own mooring buoy';
let project = '';
let home: string;
beforeEach(() => {
  const base = temporaryFolder();
  project = path.join(base, 'project');
  home = path.join(base, 'home');
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
});

const todo = (more: Partial<Document> = {}): Document =>
  sampleIdea(project, 'idea:1', 'Pending: Add bring-your-own mooring buoy support (todos/pending/buoy.md)', {
    kind: 'todo',
    status: 'open',
    confidence: 0.9,
    createdAt: Date.parse('2026-04-20T10:00:00Z'),
    meta: { role: 'assistant', speaker: 'assistant', provenance: 'said', stance: 'stated', worth: 0.9 },
    ...more,
  });

async function fill(...changes: readonly (Document | Change)[]): Promise<void> {
  const store = await openSqliteStore(path.join(home, 'memory.db'));
  await store.apply(changes.map((each): Change => ('op' in each ? each : { op: 'put', document: each })));
  await store.close();
}

async function ask(prompt: string, session = 'now', isServer = true): Promise<string> {
  const env = { HOME: home, CAIRN_HOME: home, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  const config = loadConfig({ cwd: project, env });
  const problem = (cause: unknown): void => {
    throw cause;
  };
  const options = { now: () => NOW, problem, model: async () => undefined };
  const { stdout = '' } = await userPromptSubmit(
    { cwd: project, prompt, hook_event_name: 'UserPromptSubmit', session_id: session },
    {
      env,
      now: () => NOW,
      config,
      problem,
      start: async () => {},
      ...(isServer ? { openRecall: () => PromptMemory.open(config, options) } : {}),
    },
  );
  return stdout;
}

it('is told what was put off, when, and that it is open, once in a conversation', async () => {
  await fill(todo());
  expect(await ask(PROMPT)).toMatch(/- \[TODO\] .*mooring buoy support.*open.*-> idea:1\n/);
  expect(await ask(PROMPT)).toBe('');
});

it('is told nothing where it names something else, or a process answers this one prompt alone', async () => {
  await fill(todo());
  expect(await ask('why does the crane jam in the frost?')).toBe('');
  expect(await ask(PROMPT, 'cold', false)).toBe('');
});

it.each([
  ['done', [todo({ status: 'done' })]],
  ['quoted from elsewhere', [todo({ meta: { ...todo().meta, provenance: 'outside' } })]],
  ['worth little', [todo({ meta: { ...todo().meta, worth: 0.2 } })]],
  [
    'answered since',
    [
      todo(),
      sampleIdea('', 'idea:2', 'The berths are done', { kind: 'solution' }),
      {
        op: 'link' as const,
        links: [{ project: '', from: 'idea:2', to: 'idea:1', relation: 'answers', confidence: 1 }],
      },
    ],
  ],
] satisfies [string, (Document | Change)[]][])('is not told what is %s', async (_name, changes) => {
  const own = (each: Document | Change): Document | Change =>
    'op' in each && each.op === 'link'
      ? { ...each, links: each.links.map((link) => ({ ...link, project })) }
      : 'op' in each
        ? each
        : { ...each, project };
  await fill(...changes.map(own));
  expect(await ask(PROMPT)).toBe('');
});
