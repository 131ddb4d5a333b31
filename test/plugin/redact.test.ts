// `cairn redact` on a memory whose files, archive, database and logs hold secrets that got there before anybody looked for them.

import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { TraceMemory } from '../../src/app/trace-memory.ts';
import { loadConfig } from '../../src/config/load.ts';
import { withLock } from '../../src/files/lock.ts';
import { Cli } from '../fixtures/cli.ts';
import { put, snapshot } from '../fixtures/temporary.ts';

// Put together at run time, so that no scanner takes this file for a leak.
const TOKEN = `ghp_${'a1B2c3D4'.repeat(5)}`;
const OTHER = `ghp_${'Z9y8X7w6'.repeat(5)}`;

async function leakyMemory(): Promise<Cli> {
  const cli = new Cli();
  const said = await cli.run([
    'save',
    'decision',
    'The deploy job uses a token because CI has no login',
    '--title',
    'Deploy job',
    '--tags',
    'ci',
  ]);
  expect(said.exit).toBe(0);
  const record = cli.read('decisions/deploy-job') as { content: { decision: string } };
  record.content.decision = `use ${TOKEN}`;
  put(cli.file('decisions/deploy-job'), record);
  put(
    path.join(cli.root, 'nodes/discoveries/token.md'),
    `---\nid: token\ntype: discovery\ntitle: A token\napi_key: "${OTHER}"\n---\n\n## Finding\n\nIt is ${TOKEN}.\n`,
  );
  const home = path.join(cli.home, '.cairn');
  put(
    path.join(home, 'log/hooks.log'),
    `{"time":"2026-01-01T00:00:00Z","event":"stop","cause":"bad ${TOKEN}"}\n{"half a li`,
  );
  put(path.join(home, 'injections/2026-01.jsonl'), `{"prompt":{"start":"use ${TOKEN}"}}\n`);
  put(path.join(home, 'refinements/a.json'), { answer: { summary: `with ${TOKEN}` } });
  put(path.join(home, 'archive/notes/gone.2026-01-01T000000Z.md'), `---\nid: gone\ntype: task\n---\n\n${TOKEN}\n`);
  put(path.join(home, 'archive/records/p-1/decisions/gone.2026-01-01T000000Z.json'), { title: `with ${TOKEN}` });
  put(path.join(home, 'config.json'), { llm: { provider: 'none' } });
  await fillStore(cli);
  return cli;
}

async function fillStore(cli: Cli): Promise<void> {
  const memory = await TraceMemory.open(loadConfig({ cwd: cli.project, env: { HOME: cli.home } }));
  const lines = [JSON.stringify({ type: 'user', message: { content: `here is ${TOKEN}` } }), '{"plain":1}'];
  await memory.archive.add('/gone/s1.jsonl', {
    ...{ fromLine: 1, lines, offset: 100, line: 2, mark: 'm', reader: 'claude-code', project: 'p' },
    head: { session: 's1', cwd: '/gone', branch: 'main' },
  });
  const document = {
    ...{ ref: 'idea:1', project: 'p', layer: 'trace', kind: 'decision', status: 'active', title: 'A token', tags: [] },
    ...{ text: `the key ${TOKEN} is needed`, confidence: 0.8, createdAt: 1, updatedAt: 1, hash: 'h' },
  };
  await memory.store.apply([
    { op: 'put', document, links: [{ to: 'idea:2', relation: 'relates_to', confidence: 1 }] },
    { op: 'state', key: 'transcript:/gone/s1.jsonl', value: JSON.stringify({ trace: { last: TOKEN } }) },
  ]);
  await memory.close();
}

/** Every byte below a folder, unpacked where it is packed. */
function bytesBelow(folder: string): string {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) =>
      (file.endsWith('.gz') ? gunzipSync(fs.readFileSync(file)) : fs.readFileSync(file)).toString('latin1'),
    )
    .join('\n');
}

describe('cairn redact', () => {
  it('lists what it finds by file and kind, shows no secret, and changes nothing', async () => {
    const cli = await leakyMemory();
    const before = { ...snapshot(cli.root), ...snapshot(path.join(cli.home, '.cairn/log')) };
    const { exit, out } = await cli.run(['redact']);
    expect(exit).toBe(1);
    for (const name of [
      'deploy-job.json',
      'token.md',
      'hooks.log',
      '2026-01.jsonl',
      'refinements/a.json',
      '.jsonl.gz',
      'archive/notes/gone',
      'decisions/gone',
      'memory.db',
    ])
      expect(out).toContain(name);
    expect(out).toContain('[redacted:github-token:…c3D4]');
    expect(out).not.toContain(TOKEN);
    expect({ ...snapshot(cli.root), ...snapshot(path.join(cli.home, '.cairn/log')) }).toEqual(before);
  });

  it('leaves no byte of a secret anywhere, and everything valid', async () => {
    const cli = await leakyMemory();
    const { exit, out, err } = await cli.run(['redact', '--apply']);
    expect({ exit, err }, out).toEqual({ exit: 0, err: '' });
    for (const folder of [cli.root, path.join(cli.home, '.cairn')]) {
      const bytes = bytesBelow(folder);
      for (const secret of [TOKEN, OTHER, TOKEN.toLowerCase()]) expect(bytes).not.toContain(secret);
    }
    expect((cli.read('decisions/deploy-job') as { content: { decision: string } }).content.decision).toBe(
      'use [redacted:github-token:…c3D4]',
    );
    expect((await cli.run(['index', '--validate'])).exit).toBe(0);
    expect((await cli.run(['note', 'show', 'token'])).out).toContain('It is [redacted:github-token:…c3D4].');
    const memory = await TraceMemory.open(loadConfig({ cwd: cli.project, env: { HOME: cli.home } }));
    const entry = memory.archive.entryFor('/gone/s1.jsonl')!;
    expect(memory.archive.readLines(entry, 2, 2)).toEqual(['{"plain":1}']);
    expect(memory.archive.problems()).toEqual([]);
    expect(await memory.store.links({ refs: ['idea:1'] })).toHaveLength(1);
    await memory.close();
    const again = await cli.run(['redact']);
    expect(again).toMatchObject({ exit: 0, out: expect.stringContaining('No secrets were found.') });
  });

  it('leaves no single word of a password in what was derived from a conversation', async () => {
    const [cli, file, password] = [new Cli(), '/gone/s2.jsonl', ['hunter2', 'secret1'].join('')];
    const open = () => TraceMemory.open(loadConfig({ cwd: cli.project, env: { HOME: cli.home } }));
    const text = `We decided to use Redis for the queue with password=${password} for now.`;
    const before = await open();
    await before.archive.add(file, {
      lines: [
        JSON.stringify({ type: 'user', sessionId: 's2', cwd: '/gone', message: { role: 'user', content: text } }),
      ],
      ...{ fromLine: 1, offset: 100, line: 1, mark: 'm', reader: 'claude-code', project: '/gone' },
      head: { session: 's2', cwd: '/gone', branch: 'main' },
    });
    const row = {
      project: '/gone',
      layer: 'trace',
      status: 'active',
      tags: [],
      confidence: 0.8,
      createdAt: 1,
      updatedAt: 1,
    };
    const source = { file, line: 1 };
    await before.store.apply([
      {
        op: 'put',
        document: { ...row, ref: 'idea:1', kind: 'decision', title: 'Redis', text, hash: 'h', source },
        mentions: [{ entity: password, kind: 'concept', count: 1 }],
      },
      {
        op: 'put',
        document: { ...row, ref: 'span:1', kind: 'span', title: '', text: `About: ${password}`, hash: 'i', source },
      },
      { op: 'state', key: `transcript:${file}`, value: JSON.stringify({ v: 6, trace: { words: [password] } }) },
    ]);
    await before.close();
    expect(await cli.run(['redact', '--apply'])).toMatchObject({ exit: 0, err: '' });
    expect(bytesBelow(path.join(cli.home, '.cairn'))).not.toContain(password);
    const after = await open();
    const kept = (await after.store.list({ order: 'ref', limit: 9 })).documents.map((each) => each.text).join('\n');
    await after.close();
    expect(kept).toContain('Redis for the queue with password=[redacted:assigned-secret:…ret1]');
  });

  it('masks a value also where it stands bare, before it was recognised', async () => {
    const [cli, value] = [new Cli(), ['x9Kq', '2mVt', '7Lw'].join('')];
    const note = put(
      path.join(cli.root, 'nodes/discoveries/bare.md'),
      `---\nid: bare\ntype: discovery\ntitle: Bare\n---\n\n## Finding\n\nTry ${value} first.\n`,
    );
    put(path.join(cli.home, '.cairn/log/hooks.log'), `{"cause":"DB_PASSWORD=${value} was refused"}\n`);
    const { exit, out } = await cli.run(['redact', '--apply']);
    expect([exit, out]).toEqual([0, expect.stringContaining('Looked again: nothing is left.')]);
    expect(fs.readFileSync(note, 'utf8')).toContain('Try [redacted:assigned-secret:…] first.');
  });

  it('leaves a lock that somebody holds as it is', async () => {
    const cli = await leakyMemory();
    const locks = [path.join(cli.root, '.index.lockdir'), path.join(cli.home, '.cairn/ledger.json.lock')];
    await withLock(locks[1]!, async () => {
      await withLock(path.join(cli.home, '.cairn/.config.lockdir'), async (lock) => {
        const owners = () => snapshot(path.join(cli.home, '.cairn/.config.lockdir'));
        const before = owners();
        expect(await cli.run(['redact', '--apply'])).toMatchObject({ exit: 0, err: '' });
        expect(owners()).toEqual(before);
        expect(() => lock.assertHeld()).not.toThrow();
      });
    });
    expect(locks.map((lock) => fs.existsSync(lock))).toEqual([false, false]);
  });

  it('tells of a secret in the settings and leaves it to their owner', async () => {
    const cli = new Cli();
    const file = put(path.join(cli.home, '.cairn/config.json'), { llm: { note: TOKEN } });
    const { exit, out } = await cli.run(['redact', '--apply']);
    expect(exit).toBe(1);
    expect(out).toContain('settings are yours');
    expect(fs.readFileSync(file, 'utf8')).toContain(TOKEN);
  });

  it('does not call clean what it could not look into', async () => {
    const cli = new Cli();
    put(path.join(cli.home, '.cairn/archive/transcripts/p/a.json'), 'no entry');
    const { exit, out, err } = await cli.run(['redact']);
    expect([exit, out, err]).toEqual([
      1,
      expect.stringContaining('No secrets were found in the rest.'),
      expect.stringContaining('was not looked into'),
    ]);
  });

  it('finds nothing where nothing is stored', async () => {
    expect(await new Cli().run(['redact', '--apply'])).toMatchObject({ exit: 0, err: '' });
  });
});

describe('a lock that somebody holds', () => {
  it('is no secret, though its owner has a random name', async () => {
    const cli = new Cli();
    await cli.run(['save', 'decision', 'Sign releases on the build server because laptops get lost']);
    const token = ['9f86d081884c7d65', '9a2feaa0c55ad015'].join('');
    put(path.join(cli.home, '.cairn/locks/79fb26beb133f864.index/owner.json'), { token, pid: 1, host: 'x' });
    expect((await cli.run(['redact'])).out).toContain('No secrets were found');
  });
});
