// `cairn mcp` as a process: the handshake, every tool, what it makes of garbage, and how it ends.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TOOLS } from '../../src/faces/mcp/tools.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { problemsOf } from '../../src/model/schema.ts';
import { writeDraft } from '../../src/records/drafts.ts';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { put } from '../fixtures/temporary.ts';
import { makePlace, type Place, ServerProcess } from './server-process.ts';

let program: Bundle;
let place: Place;
beforeAll(async () => {
  program = await bundle('src/faces/launcher/main.ts');
});
afterAll(() => program?.remove());
beforeEach(() => {
  place = makePlace();
  put(path.join(place.home, '.cairn/config.json'), { embeddings: { provider: 'none' } });
});

const start = (more?: { env?: { [name: string]: string }; cwd?: string }): ServerProcess =>
  new ServerProcess(program.file, place, more);
const DECISION = { category: 'decision', text: 'Use SQLite because it needs no server', tags: ['storage'] };
const DRAFT = {
  category: 'decision',
  title: 'Keep logs for a week',
  tags: ['logs'],
  content: { status: 'accepted', context: 'Disks.', decision: 'Keep logs for a week', rationale: ['Enough.'] },
  related_files: [],
  confidence: 0.8,
  session: 's',
};
const marks = (): string[] => fs.readdirSync(path.join(place.home, '.cairn/run'));

describe('the handshake', () => {
  it('takes the version that the client asks for if it knows it, else offers its newest', async () => {
    const server = start();
    for (const [asked, given] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-06-18', '2025-06-18'],
      ['2031-01-01', '2025-11-25'],
    ])
      expect(await server.start({ protocolVersion: asked! })).toMatchObject({ protocolVersion: given });
    expect((await server.request('ping')).result).toEqual({});
  });

  it('answers unknown methods, garbage and messages that are none, and goes on', async () => {
    const server = start();
    expect((await server.request('server/discover')).error?.code).toBe(-32601);
    server.send('this is not JSON\n\n[]\n"x"\n{"jsonrpc":"2.0","id":{}, "method":"ping"}\n{"id":"a"}\n');
    server.send('{"jsonrpc":"2.0","method":"notifications/of/nothing"}\n');
    await server.start();
    expect(server.unasked.map(({ error }) => error?.code)).toEqual([-32700, -32600, -32600, -32600, -32600]);
    expect((await server.request('tools/call', { name: 'nonsense' })).error?.code).toBe(-32602);
  });

  it('shows each tool with exact schemas and what it does to memory', async () => {
    const server = start();
    await server.start({ clientInfo: { name: 'another', version: '1' } });
    const tools = (await server.request('tools/list')).result!.tools as JsonObject[];
    expect(tools.map(({ name }) => name).sort()).toEqual(
      'archive blame candidates feedback forget get inbox overview recall related restore retire save save_draft settle status topics update'.split(
        ' ',
      ),
    );
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(String(tool.description).length).toBeLessThan(300);
    }
    const loaded = tools.filter(({ _meta: meta }) => (meta as JsonObject | undefined)?.['anthropic/alwaysLoad']);
    expect(loaded.map(({ name }) => name)).toEqual(['recall', 'save', 'save_draft']);
    const reading = tools.filter(({ annotations }) => (annotations as JsonObject).readOnlyHint);
    expect(reading.map(({ name }) => name)).toEqual([
      'recall',
      'get',
      'candidates',
      'related',
      'overview',
      'blame',
      'topics',
      'status',
    ]);
  });

  it('offers nothing when it is switched off', async () => {
    const server = start({ env: { CAIRN_DISABLE: '1' } });
    expect(await server.start()).not.toHaveProperty('instructions');
    const tools = (await server.request('tools/list')).result!.tools as JsonObject[];
    expect(tools.map(({ name }) => name)).toEqual(['cairn_hook']);
    await expect(server.call('save', DECISION)).rejects.toThrow('no tool');
  });
});

describe('the tools', () => {
  it('lead a record through its life, each answer fitting its schema', async () => {
    const server = start();
    await server.start();
    const call = async (name: string, input: JsonObject = {}): Promise<{ data: JsonObject; text: string }> => {
      const answer = await server.call(name, input);
      expect({ name, failed: answer.failed ? answer.text : '' }).toEqual({ name, failed: '' });
      const { output } = TOOLS.find((tool) => tool.name === name)!;
      expect({ name, problems: problemsOf(output, answer.data) }).toEqual({ name, problems: [] });
      return answer;
    };
    expect((await call('status')).data).toMatchObject({ exists: false });
    expect((await call('candidates', { category: 'decision', text: 'storage' })).data).toMatchObject({
      action: 'CREATE',
    });
    expect((await call('recall', { query: 'which storage' })).data).toMatchObject({ results: [] });
    const { ref } = (await call('save', DECISION)).data as { ref: string };
    expect(ref).toBe('record:decisions/use-sqlite');
    expect((await call('recall', { query: 'which storage: sqlite?', since: '7d' })).data.results).toMatchObject([
      { ref },
    ]);
    const { hash } = (await call('get', { ref })).data as { hash: string };
    const change = { ref, hash, summary: 'Said why', content: { context: 'A small tool.' }, tags: ['database'] };
    expect((await call('update', change)).data).toMatchObject({ ref, status: 'updated' });
    expect((await call('get', { ref })).data.record).toMatchObject({
      tags: ['database', 'storage'],
      content: { context: 'A small tool.', decision: 'Use SQLite' },
    });
    const tags = Array.from({ length: 12 }, (_, at) => `t${10 + at}`);
    expect((await call('update', { ref, summary: 'More words', tags })).data.notes).toEqual([
      'WARNING: only 12 tags are kept; left out: t20, t21',
    ]);
    expect((await call('candidates', { category: 'decision', text: 'sqlite storage' })).data).toMatchObject({ ref });
    expect((await call('feedback', { ref, verdict: 'useful' })).data).toMatchObject({ ref, factor: 1.25 });
    await call('save', { ...DECISION, title: 'Use WAL mode', new: true });
    expect((await call('related', { ref })).data.related).toMatchObject([{ ref: 'record:decisions/use-wal-mode' }]);
    const draft = writeDraft(path.join(place.project, '.claude', 'memory'), DRAFT, new Date());
    const kept = { id: draft.id, content: { rationale: ['Small files.'] } };
    expect((await call('save_draft', kept)).data).toMatchObject({
      ref: 'record:decisions/keep-logs-for-a-week',
      status: 'created',
      content: { decision: 'Keep logs for a week', rationale: ['Small files.'] },
    });
    expect((await server.call('save_draft', kept)).failed).toBe(true);
    expect((await call('topics')).data).toEqual({ topics: [] });
    expect((await call('archive', { ref, reason: 'Enough' })).data).toMatchObject({ status: 'archived' });
    expect((await call('restore', { ref })).data).toMatchObject({ status: 'unarchived' });
    expect((await call('retire', { ref, reason: 'No longer true' })).data).toMatchObject({ status: 'retired' });
    expect((await call('restore', { ref })).data).toMatchObject({ status: 'restored' });
    expect((await call('status')).data).toMatchObject({ exists: true, records: { decision: { active: 3 } } });
    const preview = (await call('forget', { name: ref })).data as { done: string; token: string };
    expect(preview).toMatchObject({ done: 'no', goes: [{ name: ref }], counts: [{ place: 'files', count: 1 }] });
    expect((await call('get', { ref })).data).toMatchObject({ ref });
    expect((await call('forget', { name: ref, confirm: preview.token })).data).toMatchObject({ done: 'yes', left: [] });
    expect((await server.call('get', { ref })).text).toMatch(/NOT_FOUND/);
    expect((await call('recall', { query: 'use wal mode' })).data.results).toMatchObject([
      { ref: 'record:decisions/use-wal-mode' },
    ]);
  });

  it('say what to do where they cannot do it', async () => {
    const server = start();
    await server.start();
    await server.call('save', DECISION);
    const failures: [name: string, input: JsonObject, says: RegExp][] = [
      ['save', DECISION, /CREATE_ERROR: A similar record exists: record:decisions\/use-sqlite.*Call `update`/s],
      ['save', { category: 'poem', text: 'Roses' }, /CATEGORY_ERROR|INPUT_ERROR|decision/],
      ['save', { category: 'decision' }, /INPUT_ERROR: There is nothing to save/],
      ['save', { category: 'decision', title: 'X', content: 'text' }, /"content" must be an object/],
      ['recall', { query: 5, words: 'x' }, /INPUT_ERROR.*Set "query" to text.*Remove "words"/s],
      ['recall', { query: 'x', since: 'the day before' }, /"since" is no time/],
      ['get', { ref: 'record:decisions/none' }, /NOT_FOUND.*`recall` finds/s],
      ['get', { ref: 'record:decisions/use-sql' }, /NOT_FOUND/],
      ['retire', { ref: 'record:decisions/use-sql', reason: 'a whole ref is no beginning of a name' }, /NOT_FOUND/],
      ['get', { ref: 'idea:0000' }, /NOT_FOUND/],
      ['update', { ref: 'note:x', summary: 'y' }, /is not a record/],
      ['update', { ref: 'use-sqlite', summary: 'y', hash: 'abc' }, /OCC_CONFLICT.*Call `get`/s],
      ['restore', { ref: 'use-sqlite' }, /active already/],
      ['feedback', { ref: 'idea:0000', verdict: 'useful' }, /NOT_FOUND/],
      ['forget', {}, /INPUT_ERROR.*a name or a text/s],
      ['forget', { name: 'use-sqlite', text: 'SQLite' }, /INPUT_ERROR/],
      ['forget', { name: 'use-sqlite', confirm: '0123456789ab' }, /OCC_CONFLICT.*nothing was removed/s],
      ['forget', { name: 'record:decisions/none' }, /NOT_FOUND/],
    ];
    for (const [name, input, says] of failures) {
      const { failed, text } = await server.call(name, input);
      expect({ name, failed }).toEqual({ name, failed: true });
      expect(text).toMatch(says);
    }
    // A token that is out of date has nothing to do with the hash of a record.
    const stale = (await server.call('forget', { name: 'use-sqlite', confirm: '0123456789ab' })).text;
    expect(stale).toMatch(/Fix: Call forget without confirm/);
    expect(stale).not.toMatch(/Here:|`get`|`update`|hash/);
  });

  it('say what stays in words of their own, not in those of the command line', async () => {
    const session = '11111111-aaaa-4aaa-8aaa-111111111111';
    const line = (role: string, said: unknown, at: number): JsonObject => ({
      ...{
        type: role,
        sessionId: session,
        cwd: place.project,
        uuid: `${at}-aaaa-bbbb`,
        message: { role, content: said },
      },
      timestamp: `2026-05-10T09:0${at}:00.000Z`,
    });
    const lines = [
      line('user', 'Which database for the ledger?', 1),
      line('assistant', [{ type: 'text', text: 'We decided to use Postgres for the ledger.' }], 2),
    ];
    put(
      path.join(place.home, '.claude/projects/p', `${session}.jsonl`),
      lines.map((each) => `${JSON.stringify(each)}\n`).join(''),
    );
    const server = start();
    await server.start();
    const { text, data } = await server.call('forget', { name: session });
    const stays = (data as { stays: string[] }).stays.join('\n');
    for (const said of [text, stays]) {
      expect(said).toContain('call forget with "name" for each, or with "text"');
      expect(said).toContain('in a terminal, with `cairn forget --transcript`');
      expect(said).not.toMatch(/--text|: --transcript/);
    }
  });

  it('see what was changed behind their back: the settings, the database, the files', async () => {
    const server = start();
    await server.start();
    await server.call('save', DECISION);
    await server.call('recall', { query: 'sqlite' });
    for (const name of fs.readdirSync(path.join(place.home, '.cairn')).filter((each) => each.startsWith('memory.db')))
      fs.rmSync(path.join(place.home, '.cairn', name));
    expect((await server.call('recall', { query: 'sqlite' })).data.results).toHaveLength(1);
    put(path.join(place.project, '.claude/memory/memory-config.json'), { memory_root: 'elsewhere' });
    expect((await server.call('status')).data).toMatchObject({ exists: false });
    expect((await server.call('recall', { query: 'sqlite' })).data.results).toEqual([]);
  });

  it('work in the folder that the client names, where the environment does not say', async () => {
    const server = start({ cwd: place.home });
    server.answers['roots/list'] = { roots: [{ uri: 'http://elsewhere' }, { uri: pathToFileURL(place.project).href }] };
    await server.start({ capabilities: { roots: {} } });
    expect((await server.call('status')).data).toMatchObject({ project: place.project });
  });
});

describe('the end', () => {
  it('comes with the end of its input, and with the signals of a client', async () => {
    const [closed, interrupted] = [start(), start()];
    await Promise.all([closed.start(), interrupted.start()]);
    await expect.poll(() => marks().length).toBe(2);
    closed.child.stdin.end();
    interrupted.child.kill('SIGINT');
    expect(await Promise.all([closed.ended, interrupted.ended])).toEqual([0, 0]);
    expect(marks()).toEqual([]);
  });

  it('is reported by the next server where it was a death', async () => {
    const first = start();
    await first.start();
    await expect.poll(() => marks().length).toBe(1);
    first.child.kill('SIGKILL');
    await first.ended;
    const next = start();
    await next.start();
    const log = path.join(place.home, '.cairn/log/hooks.log');
    await expect.poll(() => fs.existsSync(log) && fs.readFileSync(log, 'utf8')).toContain('"event":"mcp-server"');
    expect(marks()).toHaveLength(1);
  });
});
