// Two transcripts of one session: a copy that goes another way, a conversation resumed in another folder, exports of the same name. Neither
// takes the place of what the other said; what both begin with is there once.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Cli } from '../fixtures/cli.ts';
import { put } from '../fixtures/temporary.ts';
import { NO_VECTORS, SAID_GONE, SAID_STAYS, stringsOf, transcript } from '../forget/everything.ts';
import { Tally } from './tally.ts';

const SESSION = '66666666-cccc-4ccc-8ccc-666666666666';
const FIRST = ['quibblefax', 'vantrickle'];
const SECOND = ['ledger', 'Kafka'];
type Row = { ref: string; text: string };

const tally = new Tally('two transcripts of one session');
let cli: Cli;
let file: string;
let beside: string;
beforeEach(() => {
  cli = new Cli();
  beside = path.join(cli.home, '.claude', 'projects', 'q', `${SESSION}.jsonl`);
  file = transcript(cli, SESSION, SAID_GONE);
});

/** Statements that hold the word. */
const found = async (word: string): Promise<Row[]> =>
  (await cli.json<{ results: Row[] }>(['remember', word, '--all-projects'], NO_VECTORS)).results.filter(
    ({ ref, text }) => ref.startsWith('idea:') && text.includes(word),
  );
const backfill = (...more: string[]): Promise<unknown> => cli.run(['backfill', '--no-vectors', ...more], NO_VECTORS);
const reindex = (): Promise<unknown> => cli.run(['reindex', '--no-vectors'], NO_VECTORS);

/** Moves what is at the session's usual place into another folder of the client, and puts it back as it was. */
function asSecond(said: typeof SAID_STAYS, day = 20): void {
  const kept = fs.readFileSync(file);
  transcript(cli, SESSION, said, { day });
  fs.mkdirSync(path.dirname(beside), { recursive: true });
  fs.renameSync(file, beside);
  fs.writeFileSync(file, kept);
}

async function lost(words: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const word of words) if ((await found(word)).length === 0) missing.push(`${word} is gone`);
  return missing;
}

describe('two transcripts of one session', { timeout: 120_000 }, () => {
  it('are both known, whichever was first, after all is made anew, and from the archive', async () => {
    asSecond(SAID_STAYS);
    const wrong: string[] = [];
    const look = async (what: string): Promise<void> => {
      wrong.push(...tally.count('both are known', what, await lost([...FIRST, ...SECOND])));
    };
    await backfill();
    await look('read together');
    await reindex();
    await look('made anew');
    fs.rmSync(file);
    fs.rmSync(beside);
    await reindex();
    await look('from the archive');
    fs.rmSync(path.join(cli.home, '.cairn', 'memory.db'));
    await backfill();
    await look('from the archive alone');
    expect(wrong).toEqual([]);
  });

  it('are both known where the second came first', async () => {
    asSecond(SAID_STAYS);
    await backfill(beside);
    await backfill(file);
    expect(tally.count('both are known', 'the other way round', await lost([...FIRST, ...SECOND]))).toEqual([]);
  });

  it('are known once where one is a copy of the other', async () => {
    await backfill();
    const before = await found('quibblefax');
    fs.mkdirSync(path.dirname(beside), { recursive: true });
    fs.copyFileSync(file, beside);
    await backfill();
    expect((await found('quibblefax')).map(({ ref }) => ref)).toEqual(before.map(({ ref }) => ref));
    await reindex();
    expect((await found('quibblefax')).map(({ ref }) => ref)).toEqual(before.map(({ ref }) => ref));
  });

  it('are both known where they begin alike and both go on', async () => {
    await backfill();
    const [before] = await found('drozzelmint');
    asSecond([...SAID_GONE, SAID_STAYS[0]!], 10);
    await backfill();
    const first = fs.readFileSync(file, 'utf8');
    transcript(cli, SESSION, [...SAID_GONE, SAID_STAYS[1]!]);
    expect(fs.readFileSync(file, 'utf8').startsWith(first)).toBe(true);
    await backfill();
    const wrong = await lost([...FIRST, ...SECOND]);
    expect((await found('drozzelmint')).map(({ ref }) => ref)).toEqual([before!.ref]);
    await reindex();
    wrong.push(...(await lost([...FIRST, ...SECOND])));
    expect(tally.count('both go on', 'after a common beginning', wrong)).toEqual([]);
  });

  it('are both forgotten with the session; of one of them a line is, and the other keeps its own', async () => {
    asSecond(SAID_STAYS);
    await backfill();
    const [hit] = await found('drozzelmint');
    await cli.run(['forget', hit!.ref, '--yes']);
    await reindex();
    expect(stringsOf(cli, ['drozzelmint'])).toEqual([]);
    expect(await lost(SECOND)).toEqual([]);
    await cli.run(['forget', SESSION, '--yes']);
    expect(stringsOf(cli, [...FIRST, ...SECOND])).toEqual([]);
  });

  it('may be exports of the same name', async () => {
    fs.rmSync(file);
    const talk = (word: string): string =>
      `User: What of the ${word}?\n\nAssistant: We decided to keep the ${word} dry.\n`;
    put(path.join(cli.base, 'a', 'chat.md'), talk('tarpaulin'));
    put(path.join(cli.base, 'b', 'chat.md'), talk('gunwale'));
    await backfill(path.join(cli.base, 'a'), path.join(cli.base, 'b'));
    expect(tally.count('both are known', 'exports', await lost(['tarpaulin', 'gunwale']))).toEqual([]);
    await reindex();
    expect(tally.count('both are known', 'exports, made anew', await lost(['tarpaulin', 'gunwale']))).toEqual([]);
  });
});
