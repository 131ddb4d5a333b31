import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/load.ts';
import { removeBusyFolder } from '../../files/remove-busy-folder.ts';
import type { JsonObject } from '../../model/json.ts';
import { notePending, overdueCapture, pendingFile } from '../pending-conversations.ts';
import { TraceMemory } from '../trace-memory.ts';
import type { HookContext } from './hook.ts';
import { indexWorker } from './index-worker.ts';
import { preCompact } from './pre-compact.ts';
import { stop } from './stop.ts';

const SESSION = '11111111-2222-4333-8444-555555555555';
let base: string;
let project: string;
let transcript: string;
let problems: unknown[];
let started: [string, JsonObject][];

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-worker-')));
  project = path.join(base, 'project');
  fs.mkdirSync(project);
  transcript = path.join(base, 'home', '.claude', 'projects', 'p', `${SESSION}.jsonl`);
  fs.mkdirSync(path.dirname(transcript), { recursive: true });
  problems = [];
  started = [];
});
afterEach(() => removeBusyFolder(base));

const env = () => ({
  HOME: path.join(base, 'home'),
  CLAUDE_PROJECT_DIR: project,
  CAIRN_EMBEDDINGS_PROVIDER: 'none',
});
const config = () => loadConfig({ cwd: project, env: env() });
const context = (): HookContext => ({
  env: env(),
  now: () => new Date(),
  config: config(),
  problem: (cause) => void problems.push(cause),
  start: async (event, payload) => void started.push([event, payload]),
});
const payload = (event: string): JsonObject => ({
  session_id: SESSION,
  transcript_path: transcript,
  cwd: project,
  hook_event_name: event,
});

function said(text: string, more: { file?: string; line?: object } = {}): void {
  const line = {
    type: 'user',
    sessionId: SESSION,
    cwd: project,
    timestamp: '2026-05-01T10:00:00.000Z',
    message: { role: 'user', content: text },
    ...more.line,
  };
  fs.mkdirSync(path.dirname(more.file ?? transcript), { recursive: true });
  fs.appendFileSync(more.file ?? transcript, `${JSON.stringify(line)}\n`);
}

async function texts(): Promise<string[]> {
  const memory = await TraceMemory.open(config());
  try {
    const { documents } = await memory.store.list({ filter: { layers: ['trace'] }, order: 'oldest', limit: 100 });
    return documents.filter(({ kind }) => kind !== 'span').map(({ text }) => text);
  } finally {
    await memory.close();
  }
}

describe('indexing after a turn', () => {
  it('tells that there was something new, so that what it compiled is worth keeping', async () => {
    fs.writeFileSync(transcript, '');
    let hasIndexed = false;
    const worked = (): void => {
      hasIndexed = true;
    };
    const hearing = { ...context(), worked };
    await indexWorker(payload('PreCompact'), hearing);
    expect(hasIndexed).toBe(false);
    said('We decided to keep the invoices in PostgreSQL.');
    await indexWorker(payload('PreCompact'), hearing);
    expect(hasIndexed).toBe(true);
  });

  it('is started by the end of a turn and before a compaction, and noted until it is done', async () => {
    said('We decided to use Postgres for the ledger.');
    await stop(payload('Stop'), context());
    expect(started).toEqual([['index-worker', expect.objectContaining({ transcript_path: transcript })]]);
    expect(fs.existsSync(pendingFile(config().paths.userRoot, project))).toBe(true);
    await preCompact(payload('PreCompact'), context());
    expect(started).toHaveLength(2);
    await indexWorker(started[0]![1], context());
    expect(fs.existsSync(pendingFile(config().paths.userRoot, project))).toBe(false);
    expect(await texts()).toEqual(['We decided to use Postgres for the ledger.']);
    expect(problems).toEqual([]);
  });

  it('leaves its lines in the archive to be packed when the conversation ends', async () => {
    const archived = async (): Promise<{ tail: boolean; lines: number }> => {
      const memory = await TraceMemory.open(config());
      const entry = memory.archive.entryFor(transcript)!;
      await memory.close();
      return { tail: entry.tail !== undefined, lines: [...memory.archive.lines(entry)].length };
    };
    for (const [turn, text] of ['We use Postgres for the ledger.', 'The ledger is partitioned by month.'].entries()) {
      said(text);
      await indexWorker(payload('PreCompact'), context());
      expect(await archived()).toEqual({ tail: true, lines: turn + 1 });
    }
    await indexWorker(payload('SessionEnd'), context());
    expect(await archived()).toEqual({ tail: false, lines: 2 });
  });

  it('reads the transcripts of subagents with the conversation', async () => {
    said('Please look at the cache of the gateway.');
    const file = path.join(transcript.replace('.jsonl', ''), 'subagents', 'agent-a1.jsonl');
    said('The cache of the gateway is never emptied.', { file, line: { isSidechain: true, agentId: 'a1' } });
    await indexWorker(payload('Stop'), context());
    expect((await texts()).sort()).toEqual([
      'Please look at the cache of the gateway.',
      'The cache of the gateway is never emptied.',
    ]);
  });

  it('catches up with other conversations of the project when one begins', async () => {
    said('The release needs a signed tag.', { file: path.join(path.dirname(transcript), 'other.jsonl') });
    await indexWorker({ ...payload('SessionStart'), transcript_path: path.join(base, 'not-there.jsonl') }, context());
    expect(await texts()).toEqual(['The release needs a signed tag.']);
  });

  it('brings back from the archive what was in a database that is gone, when a conversation begins', async () => {
    said('The release needs a signed tag.');
    await indexWorker(payload('PreCompact'), context());
    fs.rmSync(transcript);
    fs.rmSync(path.join(base, 'home', '.cairn', 'memory.db'));
    await indexWorker({ ...payload('SessionStart'), transcript_path: path.join(base, 'not-there.jsonl') }, context());
    expect(await texts()).toEqual(['The release needs a signed tag.']);
    expect(problems).toEqual([]);
  });

  it('does nothing when traces are switched off', async () => {
    said('We decided to use Postgres for the ledger.');
    const off = {
      ...context(),
      config: loadConfig({ cwd: project, env: { ...env(), CAIRN_TRACES_ENABLED: 'false' } }),
    };
    await stop(payload('Stop'), off);
    await indexWorker(payload('Stop'), off);
    expect(started).toEqual([]);
    expect(fs.existsSync(path.join(config().paths.userRoot, 'memory.db'))).toBe(false);
  });

  it('that fails leaves its note, and a session is told after a day', async () => {
    said('We decided to use Postgres for the ledger.');
    const { userRoot } = config().paths;
    fs.mkdirSync(path.join(userRoot, 'memory.db'), { recursive: true }); // nothing can be opened there
    await stop(payload('Stop'), context());
    await expect(indexWorker(payload('Stop'), context())).rejects.toThrow();
    const now = Date.now();
    expect(overdueCapture(userRoot, project, new Date(now))).toBeUndefined();
    expect(overdueCapture(userRoot, project, new Date(now + 25 * 3_600_000))).toMatch(
      /has not captured .* since \d{4}-/,
    );
    fs.rmdirSync(path.join(userRoot, 'memory.db'));
    await indexWorker(payload('Stop'), context());
    expect(overdueCapture(userRoot, project, new Date(now + 25 * 3_600_000))).toBeUndefined();
  });

  it('by two workers at once indexes everything once', async () => {
    for (let at = 0; at < 40; at++) said(`We decided on option ${at} for the storage of part ${at}.`);
    await Promise.all([indexWorker(payload('Stop'), context()), indexWorker(payload('Stop'), context())]);
    expect(await texts()).toHaveLength(40);
    expect(problems).toEqual([]);
  });

  it('does the work that another conversation noted meanwhile and left to it', async () => {
    const { userRoot } = config().paths;
    said('We decided to use Postgres for the ledger.');
    let noted = false;
    const now = (): Date => {
      if (!noted && fs.existsSync(path.join(userRoot, 'archive'))) {
        noted = true;
        const file = path.join(path.dirname(transcript), 'other.jsonl');
        said('The release needs a signed tag.', { file, line: { sessionId: 'other' } });
        notePending(userRoot, project);
      }
      return new Date();
    };
    await indexWorker(payload('Stop'), { ...context(), now });
    expect((await texts()).sort()).toEqual([
      'The release needs a signed tag.',
      'We decided to use Postgres for the ledger.',
    ]);
    expect(fs.existsSync(pendingFile(userRoot, project))).toBe(false);
  });

  it.each(['relative.jsonl', '/no/such.jsonl', '', 7, null, 'a\0b.jsonl'])(
    'is not misled by the path %j',
    async (path) => {
      await indexWorker({ ...payload('Stop'), transcript_path: path }, context());
      expect(await texts()).toEqual([]);
    },
  );
});

describe('sync', () => {
  const setUp = (): void => {
    fs.mkdirSync(path.join(base, 'home', '.cairn', 'sync'), { recursive: true });
    fs.writeFileSync(path.join(base, 'home', '.cairn', 'sync', 'config.json'), '{}');
  };

  it('is started when a conversation begins or ends, after it was indexed, and only where it is set up', async () => {
    said('We decided to keep sessions in Redis.');
    await indexWorker(payload('SessionEnd'), context());
    expect(started).toEqual([]);
    setUp();
    await indexWorker(payload('SessionEnd'), context());
    await indexWorker(payload('SessionStart'), context());
    expect(started).toEqual([
      ['sync-worker', {}],
      ['sync-worker', {}],
    ]);
  });

  it('costs a turn nothing', async () => {
    said('We decided to keep sessions in Redis.');
    setUp();
    await indexWorker(payload('Stop'), context());
    expect(started).toEqual([]);
  });
});
