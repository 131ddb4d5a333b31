// A fork copies the lines of a conversation under another session: what was forgotten does not come back by it. What was said in the fork
// alone is kept, and a fork that is stored already is named before anything goes.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { lineNamesFile } from '../../src/files/forgotten-line-names.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { Cli } from '../fixtures/cli.ts';
import { fillEverything, GONE, NO_VECTORS, PLANTED, SAID_GONE, stringsOf, transcript } from './everything.ts';

const FORK = '99999999-eeee-4eee-8eee-999999999999';
const NEW_WORD = 'plonderwick';
type Plan = { forks: string[]; stays: string[]; token: string };

let cli: Cli;
beforeEach(() => {
  cli = new Cli();
});

const namesFile = (): string => lineNamesFile(path.join(cli.home, '.cairn'));

/** As the client writes it: the same lines with the same names, another session, and then something new. */
function fork(
  of: string,
  session = FORK,
  more = `We decided to use Caddy for the ${NEW_WORD}, as it is simple.`,
): string {
  const file = path.join(path.dirname(of), `${session}.jsonl`);
  const copied = fs
    .readFileSync(of, 'utf8')
    .trim()
    .split('\n')
    .map((line) => ({ ...(JSON.parse(line) as object), sessionId: session }));
  const [first, second] = copied as [object, object];
  const stamp = { sessionId: session, timestamp: '2026-05-11T10:00:00.000Z' };
  const added = [
    {
      ...first,
      ...stamp,
      uuid: `${session.slice(0, 8)}-u9-0000`,
      message: { role: 'user', content: 'And the proxy?' },
    },
    {
      ...second,
      ...stamp,
      uuid: `${session.slice(0, 8)}-a9-0000`,
      message: { id: 'm9', role: 'assistant', content: [{ type: 'text', text: more }] },
    },
  ];
  fs.writeFileSync(file, [...copied, ...added].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

const backfill = (...more: string[]): Promise<unknown> => cli.run(['backfill', '--no-vectors', ...more], NO_VECTORS);
const isKnown = async (word: string): Promise<boolean> =>
  (await cli.json<{ results: object[] }>(['remember', word, '--all-projects'], NO_VECTORS)).results.length > 0;

/** Of the statements that say it. */
async function sessionsOf(word: string): Promise<(string | undefined)[]> {
  const store = await openSqliteStore(path.join(cli.home, '.cairn', 'memory.db'));
  try {
    const { documents } = await store.list({ filter: { layers: ['trace'] }, limit: 1_000 });
    const said = documents.filter(({ kind, text }) => kind !== 'span' && text.includes(word));
    return [...new Set(said.map(({ session }) => session))];
  } finally {
    await store.close();
  }
}

describe('a fork of a forgotten conversation', () => {
  it('brings nothing of it back, and what was said in it alone is kept', async () => {
    const { gone } = await fillEverything(cli);
    await cli.run(['forget', GONE, '--yes']);
    fork(gone);
    await backfill();
    expect(stringsOf(cli, PLANTED)).toEqual([]);
    expect(await isKnown(NEW_WORD)).toBe(true);
    await cli.run(['reindex', '--no-vectors'], NO_VECTORS);
    expect(stringsOf(cli, PLANTED)).toEqual([]);
    expect(await isKnown(NEW_WORD)).toBe(true);
    const show = await cli.json<{ results: { ref: string }[] }>(['remember', NEW_WORD], NO_VECTORS);
    const around = await cli.run(['show', show.results[0]!.ref, '--json'], NO_VECTORS);
    for (const word of PLANTED) expect(around.out).not.toContain(word);
  });

  it('does so where only the archive had the conversation, and where the transcript was removed with it', async () => {
    const { gone } = await fillEverything(cli);
    const kept = fs.readFileSync(gone);
    fs.rmSync(gone);
    await cli.run(['forget', GONE, '--yes']);
    fs.writeFileSync(gone, kept);
    fork(gone);
    fs.rmSync(gone);
    await backfill();
    expect(stringsOf(cli, PLANTED)).toEqual([]);
    expect(await isKnown(NEW_WORD)).toBe(true);
  });

  it('holds no name of a line, ten bytes for each, and goes with --undo and --again', async () => {
    const { gone } = await fillEverything(cli);
    await cli.run(['forget', GONE, '--yes']);
    const bytes = fs.readFileSync(namesFile());
    expect(bytes.length).toBe(4 * 10);
    expect(bytes.toString('latin1')).not.toContain('11111111');
    expect(fs.statSync(namesFile()).mode & 0o077).toBe(0);
    const [{ id }] = (await cli.json<{ forgotten: [{ id: string }] }>(['forget', '--list'])).forgotten;
    await cli.run(['forget', '--undo', id]);
    expect(fs.existsSync(namesFile())).toBe(false);
    fork(gone);
    await backfill();
    expect(await isKnown('quibblefax')).toBe(true);
    await cli.run(['forget', FORK, '--yes']);
    await cli.run(['forget', GONE, '--yes']);
    await cli.run(['backfill', gone, '--again', '--no-vectors'], NO_VECTORS);
    expect(await isKnown('quibblefax')).toBe(true);
    expect(await isKnown(NEW_WORD)).toBe(false);
  });

  it('is named where it is stored already, stays whole, also when all is made anew, and can be forgotten too', async () => {
    const { gone } = await fillEverything(cli);
    fork(gone);
    await backfill();
    const plan = await cli.json<Plan>(['forget', GONE, '--dry-run']);
    expect(plan.forks).toEqual([FORK]);
    expect(await sessionsOf('quibblefax')).toEqual([GONE]);
    const shown = await cli.run(['forget', GONE, '--yes']);
    expect(shown.out).toContain(`the conversation ${FORK} has copies of its lines (a fork): \`cairn forget ${FORK}\``);
    // Until now the rows were those of the conversation that it was made of.
    expect(await sessionsOf('quibblefax')).toEqual([FORK]);
    await cli.run(['reindex', '--no-vectors'], NO_VECTORS);
    expect(await sessionsOf('quibblefax')).toEqual([FORK]);
    await cli.run(['forget', FORK, '--yes']);
    await cli.run(['reindex', '--no-vectors'], NO_VECTORS);
    expect(stringsOf(cli, [...PLANTED, NEW_WORD])).toEqual([]);
  });

  it('names the conversation that a forgotten fork was made of: it is nobody to lose its lines', async () => {
    const { gone } = await fillEverything(cli);
    fork(gone);
    await backfill();
    const plan = await cli.json<Plan>(['forget', FORK, '--dry-run']);
    expect(plan.forks).toEqual([GONE]);
    await cli.run(['forget', FORK, '--yes']);
    await cli.run(['reindex', '--no-vectors'], NO_VECTORS);
    expect(await isKnown('quibblefax')).toBe(true);
    expect(await isKnown(NEW_WORD)).toBe(false);
  });

  it('is named by none that only stands beside it', async () => {
    await fillEverything(cli);
    transcript(cli, FORK, SAID_GONE);
    await backfill();
    expect((await cli.json<Plan>(['forget', GONE, '--dry-run'])).forks).toEqual([]);
  });

  it('costs nothing where nothing was forgotten', async () => {
    const { gone } = await fillEverything(cli);
    fork(gone);
    await backfill();
    expect(fs.existsSync(namesFile())).toBe(false);
    expect(await isKnown(NEW_WORD)).toBe(true);
  });
});
