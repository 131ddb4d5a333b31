// `cairn doctor` on memories in good and in bad health: each cause is named, with what to do, and the exit code tells.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDriver } from '../../src/store/sqlite/driver.ts';
import { Cli } from '../fixtures/cli.ts';
import { put } from '../fixtures/temporary.ts';

type Finding = { area: string; level: string; text: string; fix?: string };
type Said = { exit: number; well: boolean; of: (area: string) => Finding[] };

async function examine(cli: Cli): Promise<Said> {
  const { exit, out } = await cli.run(['doctor', '--json'], { env: { PATH: '' } });
  const { well, findings } = JSON.parse(out) as { well: boolean; findings: Finding[] };
  return { exit, well, of: (area) => findings.filter((each) => each.area === area) };
}

function withConversation(age = 0): Cli {
  const cli = new Cli();
  put(path.join(cli.home, '.cairn/config.json'), { embeddings: { provider: 'none' } });
  fs.chmodSync(path.join(cli.home, '.cairn'), 0o700);
  const timestamp = new Date(Date.now() - age).toISOString();
  const line = { type: 'user', message: { role: 'user', content: 'we decided to use SQLite because it is small' } };
  put(
    path.join(cli.home, '.claude/projects/p/s1.jsonl'),
    `${JSON.stringify({ ...line, uuid: 'u', sessionId: 's1', cwd: cli.project, timestamp })}\n`,
  );
  return cli;
}

const DAY = 86_400_000;

describe('cairn doctor', () => {
  it('finds a new user well, in words too', async () => {
    const cli = new Cli();
    expect(await examine(cli)).toMatchObject({ exit: 0, well: true });
    const { exit, out } = await cli.run(['doctor'], { env: { PATH: '' } });
    expect(exit).toBe(0);
    expect(out).toMatch(/cairn \d+\.\d+\.\d+, node /);
    expect(out).toContain('All is well.');
  });

  it('names records that are broken or not valid, an index out of step, and settings that do not exist', async () => {
    const cli = withConversation();
    await cli.run(['save', 'decision', 'Use SQLite because it needs no server']);
    expect((await examine(cli)).of('records')).toEqual([
      { area: 'records', level: 'ok', text: '1 active, 0 retired, 0 archived' },
    ]);
    put(cli.file('decisions/torn'), '{"title":');
    put(cli.file('decisions/odd'), { title: 'Odd' });
    cli.configure({ retrieval: { max_injekt: 3 } });
    const { exit, of } = await examine(cli);
    expect(exit).toBe(1);
    expect(of('records').map(({ level, text }) => [level, text])).toEqual([
      ['ok', '2 active, 0 retired, 0 archived'],
      ['attention', expect.stringMatching(/^\.claude\/memory\/decisions\/torn\.json cannot be read: it is not JSON/)],
      ['attention', '1 of them do not fit their schema'],
      ['attention', '1 lines of index.md and files do not agree'],
    ]);
    expect(of('settings')).toEqual([
      { area: 'settings', level: 'note', text: expect.stringContaining('retrieval.max_injekt means nothing to Cairn') },
    ]);
  });

  it('finds an indexed memory well', async () => {
    const cli = withConversation(DAY);
    expect((await cli.run(['backfill'])).exit).toBe(0);
    const said = await examine(cli);
    expect(said.of('database')[0]).toMatchObject({ level: 'ok', text: expect.stringContaining('sound') });
    expect(said.of('index')).toEqual([
      { area: 'index', level: 'ok', text: 'up to date: 1 conversation of this project' },
    ]);
    expect(said.of('archive')[0]!.text).toMatch(/^1 conversation,/);
    expect(said.exit).toBe(0);
  });

  it('names a damaged database and its cure, which cures', async () => {
    const cli = withConversation(DAY);
    await cli.run(['backfill']);
    const file = path.join(cli.home, '.cairn/memory.db');
    for (const suffix of ['-wal', '-shm']) fs.rmSync(file + suffix, { force: true });
    fs.writeFileSync(file, Buffer.alloc(64 * 1024, 'not a database '));
    const said = await examine(cli);
    expect(said.exit).toBe(1);
    expect(said.of('database')).toEqual([
      expect.objectContaining({ level: 'attention', fix: expect.stringContaining('cairn reindex') }),
    ]);
    expect((await cli.run(['reindex'])).exit).toBe(0);
    expect((await examine(cli)).exit).toBe(0);
  });

  it('says that another process holds the database', async () => {
    const cli = withConversation(DAY);
    await cli.run(['backfill']);
    const other = openDriver(path.join(cli.home, '.cairn/memory.db'));
    other.exec('BEGIN IMMEDIATE');
    const said = await examine(cli);
    other.exec('ROLLBACK');
    other.close();
    expect(said.exit).toBe(1);
    expect(said.of('database')[0]).toMatchObject({ text: expect.stringContaining('in use by another process') });
    expect((await examine(cli)).exit).toBe(0);
  });

  it('counts conversations that wait, and captures that nobody made', async () => {
    const cli = withConversation(2 * DAY);
    await cli.run(['stats']); // makes the store
    const pending = put(path.join(cli.home, '.cairn/pending/0.index'), '');
    const since = new Date(Date.now() - DAY);
    fs.utimesSync(pending, since, since);
    const said = await examine(cli);
    expect(said.of('index')[0]).toMatchObject({ level: 'attention', fix: expect.stringContaining('cairn backfill') });
    expect(said.of('captures')[0]).toMatchObject({
      level: 'attention',
      text: expect.stringContaining('1 project waits'),
    });
    expect(said.exit).toBe(1);
  });

  it('shows the last failure with its line, and lets old ones rest', async () => {
    const cli = new Cli();
    const log = path.join(cli.home, '.cairn/log/hooks.log');
    const line = (time: string, cause: string): string => `${JSON.stringify({ time, event: 'stop', cause })}\n`;
    put(log, line(new Date(Date.now() - 9 * DAY).toISOString(), 'the disk was full'));
    fs.chmodSync(path.join(cli.home, '.cairn'), 0o700);
    expect(await examine(cli)).toMatchObject({ exit: 0 });
    fs.appendFileSync(log, `${line(new Date().toISOString(), 'the lock is held')}{"half`);
    const said = await examine(cli);
    expect(said.exit).toBe(1);
    expect(said.of('failures')[0]!.text).toContain('"cause":"the lock is held"');
  });

  it('names mistakes in the settings, a folder open to others, and a ledger that cannot be read', async () => {
    const cli = new Cli();
    put(path.join(cli.home, '.cairn/config.json'), '{ broken');
    put(path.join(cli.home, '.cairn/ledger.json'), 'x');
    fs.chmodSync(path.join(cli.home, '.cairn'), 0o755);
    const said = await examine(cli);
    expect(said.exit).toBe(1);
    expect(said.of('settings')[0]).toMatchObject({ level: 'attention', text: expect.stringContaining('config.json') });
    expect(said.of('model')[0]).toMatchObject({ level: 'attention', text: expect.stringContaining('ledger.json') });
    if (process.platform !== 'win32') expect(said.of('user folder')[0]!.fix).toContain('chmod 700');
  });

  it('says when hooks are switched off', async () => {
    const { out } = await new Cli().run(['doctor'], { env: { PATH: '', CAIRN_DISABLE: '1' } });
    expect(out).toContain('hooks are switched off by CAIRN_DISABLE');
  });
});
