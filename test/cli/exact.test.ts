// `cairn remember --exact`: raw text of conversations, from transcripts and from the archive, masked, with file and line. And naming a memory.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { Cli } from '../fixtures/cli.ts';
import { newFolder } from '../fixtures/temporary.ts';

type Line = { file: string; line: number; who: string; text: string; archived: boolean; session: string };
type Answer = { lines: Line[]; conversations: number; more: boolean };

const NO_VECTORS = { env: { CAIRN_EMBEDDINGS_PROVIDER: 'none' } };
const KEY = 'ghp_a8Zk2Lq9Vx7Tn4Rw1Yc6Ud3Pe5Ho0JbMs2Fg';
let cli: Cli;

function write(session: string, lines: readonly object[]): string {
  const folder = path.join(cli.home, '.claude', 'projects', 'p');
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${session}.jsonl`);
  const whole = lines.map((line, at) => ({
    uuid: `${session}-${at}`,
    sessionId: session,
    cwd: cli.project,
    timestamp: `2026-05-0${at + 1}T10:00:00.000Z`,
    ...line,
  }));
  fs.writeFileSync(file, `${whole.map((line) => JSON.stringify(line)).join('\n')}\n`);
  return file;
}
const said = (role: 'user' | 'assistant', content: unknown): object => ({ type: role, message: { role, content } });

const exact = (text: string, ...more: string[]): Promise<Answer> =>
  cli.json<Answer>(['remember', '--exact', text, ...more], NO_VECTORS);

beforeAll(async () => {
  cli = new Cli(newFolder());
  write('build-talk', [
    said('user', 'The build fails with "ECONNREFUSED 127.0.0.1:5432", please look'),
    said('assistant', [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'pg_isready --verbose-probe' } }]),
    said('user', [{ type: 'tool_result', tool_use_id: 't1', content: `no response\nwith token ${KEY}` }]),
    said('assistant', [{ type: 'text', text: 'The database was not running; I started it and the build passes.' }]),
  ]);
  const gone = write('gone-talk', [
    said('user', 'Please name the flux capacitor after the inventor'),
    said('assistant', [{ type: 'text', text: 'The flux capacitor is named after the inventor now.' }]),
  ]);
  await cli.run(['backfill'], NO_VECTORS);
  fs.rmSync(gone);
});
afterAll(() => removeBusyFolder(cli.base));

describe('cairn remember --exact', () => {
  it('finds letters in prompts, commands and what they printed, with file, line and speaker', async () => {
    expect((await exact('econnrefused 127.0.0.1:5432')).lines).toMatchObject([
      { line: 1, who: 'user', archived: false },
    ]);
    expect((await exact('verbose-probe')).lines).toMatchObject([{ line: 2, who: 'tool call' }]);
    expect((await exact('no response')).lines).toMatchObject([{ line: 3, who: 'tool output' }]);
    expect((await exact('said "ECONN')).lines).toEqual([]);
    expect((await exact('with "ECONN')).lines).toHaveLength(1);
    const { out } = await cli.run(['remember', '--exact', 'pg_isready'], NO_VECTORS);
    expect(out).toMatch(/^1 line\n\n.*build-talk\.jsonl\n {2}line 2 {2}2026-05-02 10:00 {2}tool call\n/);
  });

  it('reads the archive where the transcript is gone', async () => {
    expect((await exact('flux capacitor')).lines).toMatchObject([
      { line: 1, archived: true, session: 'gone-talk' },
      { line: 2, archived: true },
    ]);
  });

  it('shows no secret, neither beside a text nor when it is looked for', async () => {
    expect((await exact('with token')).lines[0]?.text).toContain('[redacted');
    expect(JSON.stringify(await exact('with token'))).not.toContain(KEY);
    expect((await exact(KEY)).lines).toEqual([]);
  });

  it('looks in a time, a conversation and as many lines as asked for', async () => {
    expect((await exact('the', '--session', 'build')).lines.every(({ session }) => session === 'build-talk')).toBe(
      true,
    );
    expect((await exact('build', '--since', '2026-05-04')).lines).toMatchObject([{ line: 4 }]);
    expect((await exact('build', '--until', '2026-05-01')).lines).toMatchObject([{ line: 1 }]);
    expect(await exact('the', '--limit', '1')).toMatchObject({ lines: [{}], more: true });
    expect((await cli.run(['remember', '--exact', 'zebra crossing'], NO_VECTORS)).out).toContain('stands in none of 2');
  });

  it('finds nothing that was forgotten', async () => {
    await cli.run(['forget', 'gone-talk', '--yes'], NO_VECTORS);
    expect((await exact('flux capacitor')).lines).toEqual([]);
  });
});

describe('naming a memory', () => {
  beforeAll(async () => {
    await cli.run(['note', 'new', 'task', 'Paint the fence']);
    await cli.run(['save', 'decision', 'Use SQLite because it needs no server']);
  });

  it('a name without its layer, and a beginning, are enough for show, feedback and notes', async () => {
    for (const name of ['note:task-paint-the-fence', 'task-paint-the-fence', 'task-paint'])
      expect((await cli.run(['show', name], NO_VECTORS)).out).toContain('Paint the fence');
    for (const name of ['record:decisions/use-sqlite', 'decisions/use-sqlite', 'use-sq'])
      expect((await cli.run(['show', name], NO_VECTORS)).out).toContain('it needs no server');
    expect((await cli.run(['note', 'show', 'task-p'])).out).toContain('Paint the fence');
    expect((await cli.run(['note', 'set', 'task-p', '--status', 'completed'])).out).toBe(
      'Changed task-paint-the-fence',
    );
    expect((await cli.run(['feedback', 'use-sq', 'useful'], NO_VECTORS)).out).toMatch(
      /^record:decisions\/use-sqlite {2}rank × 1\.25[\s\S]*decision, \d{4}-\d\d-\d\d: Use SQLite/,
    );
  });

  it('one that means several says which', async () => {
    await cli.run(['note', 'new', 'task', 'Paint the door']);
    const { exit, err } = await cli.run(['show', 'task-paint'], NO_VECTORS);
    expect({ exit, err }).toEqual({ exit: 1, err: expect.stringContaining('"task-paint" may be any of 2') });
    expect(err).toContain('note:task-paint-the-door');
  });

  it('notes are listed with type, state, day and ref', async () => {
    const { out } = await cli.run(['note', 'list', '--status', 'completed']);
    expect(out).toMatch(/^\d{4}-\d\d-\d\d {2}task {2}Paint the fence \[completed\] {2}note:task-paint-the-fence$/);
    expect((await cli.run(['note', 'list', '--type', 'session'])).out).toContain('No notes.');
  });

  it('show says how to resume a conversation', async () => {
    const { topics } = await cli.json<{ topics: { ref: string }[] }>(['topics', 'build-talk'], NO_VECTORS);
    expect((await cli.run(['show', topics[0]!.ref], NO_VECTORS)).out).toContain('claude --resume build-talk');
  });
});
