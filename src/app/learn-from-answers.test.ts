import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { appendInjection } from '../learning/injection-log.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Document, Store } from '../store/store.ts';
import { promptHash } from '../transcripts/answer.ts';
import { factorOf, judgeMemory, learnedOf, namedMemory, recordUse } from './learn-from-answers.ts';

let base: string;
let project: string;
let config: Config;

beforeEach(() => {
  base = temporaryFolder();
  project = path.join(base, 'project');
  put(path.join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  config = loadConfig({ cwd: project, env: { HOME: base, CAIRN_HOME: path.join(base, 'home') } });
});

const USED = 'We rotate refresh tokens in redis with a sliding window of fourteen days.';
const UNUSED = 'The landing page has a carousel with seven badgers and a walrus.';
const PROMPT = 'How long does a login last?';
const ANSWER = 'A login lasts fourteen days: the refresh tokens rotate in redis, by a sliding window.';

const idea = (ref: string, text: string): Document => ({
  ref,
  project,
  layer: 'trace',
  kind: 'decision',
  status: 'active',
  title: text.slice(0, 60),
  text,
  tags: [],
  confidence: 0.8,
  createdAt: 0,
  updatedAt: 0,
  hash: ref,
});

async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openSqliteStore(path.join(base, 'home', 'memory.db'));
  try {
    const noise = Array.from({ length: 80 }, (_, at) =>
      idea(`idea:n${at}`, `The build number ${at} is green and the page is up.`),
    );
    const documents = [idea('idea:1', USED), idea('idea:2', UNUSED), ...noise];
    await store.apply(documents.map((document) => ({ op: 'put', document })));
    return await work(store);
  } finally {
    await store.close();
  }
}

function inject(time: string, prompt = PROMPT): void {
  const entry = (ref: string) => ({ ref, project, score: 1, relevance: 1, why: [], tokens: 9 });
  appendInjection(config.paths.userRoot, {
    time,
    event: 'UserPromptSubmit',
    session: 's',
    project,
    prompt: { hash: promptHash(prompt), start: '' },
    entries: [entry('idea:1'), entry('idea:2'), entry('idea:gone')],
    tokens: 40,
  });
}

function transcript(...turns: readonly (readonly [prompt: string, answer: string])[]): string {
  const line = (role: string, text: string) =>
    JSON.stringify({ type: role, message: { role, content: [{ type: 'text', text }] } });
  const lines = turns.flatMap(([prompt, answer]) => [
    line('user', prompt),
    ...(answer ? [line('assistant', answer)] : []),
  ]);
  return put(path.join(base, 't.jsonl'), `${lines.join('\n')}\n`);
}

const learned = (ref: string) => learnedOf(config, { ref, project });

describe('after a turn', () => {
  it('the memories that the answer built on count as used, the others as injected, each injection once', async () => {
    inject('2026-05-01T10:00:00.000Z');
    const turn = { session: 's', transcript: transcript([PROMPT, ANSWER]), now: new Date() };
    await withStore(async (store) => {
      expect(await recordUse(store, config, turn)).toEqual({ judged: 2, used: 1 });
      expect(await recordUse(store, config, turn)).toEqual({ judged: 0, used: 0 });
      expect(await recordUse(store, config, { ...turn, session: 'other' })).toEqual({ judged: 0, used: 0 });
    });
    expect(learned('idea:1')).toMatchObject({ injected: 1, used: 1 });
    expect(learned('idea:2')).toMatchObject({ injected: 1, used: 0 });
    expect(factorOf(learned('idea:1'))).toBeGreaterThan(1);
    expect(factorOf(learned('idea:2'))).toBeLessThan(1);
    expect(learned('idea:gone')).toBeUndefined();
  });

  it('a prompt without an answer waits for it', async () => {
    inject('2026-05-01T10:00:00.000Z');
    await withStore(async (store) => {
      const turn = { session: 's', transcript: transcript([PROMPT, '']), now: new Date() };
      expect(await recordUse(store, config, turn)).toEqual({ judged: 0, used: 0 });
      transcript([PROMPT, ANSWER], ['And the page?', 'It is up.']);
      expect(await recordUse(store, config, turn)).toEqual({ judged: 2, used: 1 });
      inject('2026-05-01T10:05:00.000Z', 'And the page?');
      expect(await recordUse(store, config, turn)).toEqual({ judged: 2, used: 0 });
    });
    expect(learned('idea:1')).toMatchObject({ injected: 2, used: 1 });
  });
});

describe('a verdict', () => {
  it('is kept beside what was counted, and asks for a memory that exists', async () => {
    await withStore(async (store) => {
      const named = await namedMemory(store, config, 'idea:1');
      expect(named).toMatchObject({ ref: 'idea:1', project });
      expect(await judgeMemory(config, named, 'stale', new Date())).toMatchObject({ verdict: 'stale', injected: 0 });
      await expect(namedMemory(store, config, 'idea:none')).rejects.toThrow('no memory');
    });
    expect(factorOf(learned('idea:1'))).toBe(0.7);
  });
});
