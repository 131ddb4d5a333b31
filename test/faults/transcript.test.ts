// A transcript is written by somebody else, while it is read: cut off at any byte, in the middle of a letter, rewritten in place, gone. What is
// remembered in the end is what an undisturbed run remembers.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { newMemoryFolder } from '../fixtures/temporary.ts';
import { FULL, Tally } from './tally.ts';
import { recalled } from './truth.ts';
import { cairn, found, siteAt, TALK, transcriptOf, turn, userRoot, writeTranscript } from './writing-paths.ts';

const TALKED = [
  ...TALK,
  'und die Möwen? 海鷗呢?',
  'We chose to feed the Möwen 海鷗 at noon, because they are hungry then. 🐦',
];
const OTHER = [
  'what about boats?',
  'We decided to paint the boats green because it hides the rust.',
  'and the oars?',
  'The oars stay white, since nobody rows at night.',
];

const tally = new Tally('transcripts');
const site = siteAt(newMemoryFolder());
afterAll(() => removeBusyFolder(site.base));
beforeEach(anew);

function anew(): void {
  fs.rmSync(site.base, { recursive: true, force: true });
  found(site);
}

async function index(): Promise<void> {
  const { exit, text } = await cairn(site, ['backfill']);
  if (exit !== 0) throw new Error(text);
}

async function calm(said: readonly string[]): Promise<{ bytes: Buffer; told: string }> {
  anew();
  writeTranscript(site, said);
  await index();
  return { bytes: fs.readFileSync(transcriptOf(site)), told: await recalled(site) };
}

describe('a transcript', { timeout: 600_000 }, () => {
  it('that is half written is read again from where it ended', async () => {
    const { bytes, told } = await calm(TALKED);
    const cuts = new Set<number>();
    for (let at = 0; at < bytes.length; at += FULL ? 7 : 61) cuts.add(at);
    bytes.forEach((byte, at) => {
      if (byte === 0x0a) for (const near of [at - 1, at, at + 1]) cuts.add(near);
      if (byte >= 0xc0 && cuts.size % 2 === 0) cuts.add(at + 1); // inside a letter
    });
    const wrong: string[] = [];
    for (const cut of cuts) {
      fs.rmSync(userRoot(site), { recursive: true, force: true });
      fs.writeFileSync(transcriptOf(site), bytes.subarray(0, cut));
      await index();
      fs.writeFileSync(transcriptOf(site), bytes);
      await index();
      wrong.push(
        ...tally.count(
          'half-written transcript',
          `of ${cut} bytes`,
          (await recalled(site)) === told ? [] : ['other memories'],
        ),
      );
    }
    expect(wrong).toEqual([]);
  });

  it('that is rewritten in place is what it says now beside what it said, and what both begin with is there once', async () => {
    const old = await calm(TALKED);
    const now = await calm(OTHER);
    const changed = await calm([
      ...TALKED.slice(0, 3),
      'The herons are counted at noon. We chose paper for the counts because it floats well.',
      ...TALKED.slice(4),
    ]);
    const ways: readonly (readonly [string, Buffer, string, () => void])[] = [
      ['shorter', now.bytes, now.told, () => undefined],
      ['emptied first', now.bytes, now.told, () => fs.writeFileSync(transcriptOf(site), '')],
      ['gone first', now.bytes, now.told, () => fs.rmSync(transcriptOf(site))],
      ['one line changed', changed.bytes, changed.told, () => undefined],
    ];
    const wrong: string[] = [];
    for (const [what, bytes, told, first] of ways) {
      fs.rmSync(userRoot(site), { recursive: true, force: true });
      fs.writeFileSync(transcriptOf(site), old.bytes);
      await index();
      first();
      if (what.endsWith('first')) await index();
      fs.writeFileSync(transcriptOf(site), bytes);
      await index();
      const got = [...new Set(said(await recalled(site)))];
      const both = [...new Set([...said(old.told), ...said(told)])].sort();
      const bad =
        got.join('\n') === both.join('\n') ? [] : [`other memories: ${diff(got.join('\n'), both.join('\n'))}`];
      // A database that was lost comes back with both of them.
      fs.rmSync(path.join(userRoot(site), 'memory.db'));
      expect((await cairn(site, ['reindex'])).exit).toBe(0);
      const again = [...new Set(said(await recalled(site)))];
      if (again.join('\n') !== both.join('\n')) bad.push(`after reindex: ${diff(again.join('\n'), both.join('\n'))}`);
      wrong.push(...tally.count('rewritten transcript', what, bad));
    }
    expect(wrong).toEqual([]);
  });

  it('that became shorter takes nothing away, whatever reads it next', async () => {
    const { bytes, told } = await calm(TALKED);
    const wrong: string[] = [];
    for (const share of [0, 0.1, 0.4, 0.6, 0.95])
      for (const [what, act] of [
        ['backfill', () => cairn(site, ['backfill'])],
        ['reindex', () => cairn(site, ['reindex'])],
        [
          'a lost database, and reindex',
          () => {
            fs.rmSync(path.join(userRoot(site), 'memory.db'));
            return cairn(site, ['reindex']);
          },
        ],
        ['a turn', () => turn(site)],
      ] as const) {
        fs.rmSync(userRoot(site), { recursive: true, force: true });
        fs.writeFileSync(transcriptOf(site), bytes);
        await index();
        fs.writeFileSync(transcriptOf(site), bytes.subarray(0, Math.floor(bytes.length * share)));
        const { exit, text } = await act();
        const bad = exit === 0 ? [] : [`it ended with ${exit}: ${text.slice(0, 200)}`];
        if ((await recalled(site)) !== told) bad.push('other memories');
        fs.writeFileSync(transcriptOf(site), bytes);
        await index();
        if ((await recalled(site)) !== told) bad.push('other memories when it is whole again');
        wrong.push(...tally.count('shortened transcript', `to ${share}, ${what}`, bad));
      }
    expect(wrong).toEqual([]);
  });

  it('whose place is taken by a folder, a pipe or a link to nothing is kept from the archive', async () => {
    const { bytes, told } = await calm(TALKED);
    const wrong: string[] = [];
    for (const [what, take] of [
      ['a folder', (file: string) => fs.mkdirSync(file)],
      ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
      ['a link to nothing', (file: string) => fs.symlinkSync('/nowhere/at/all', file)],
      ['nothing', () => undefined],
    ] as const) {
      fs.rmSync(userRoot(site), { recursive: true, force: true });
      fs.rmSync(transcriptOf(site), { recursive: true, force: true });
      fs.writeFileSync(transcriptOf(site), bytes);
      await index();
      fs.rmSync(transcriptOf(site));
      take(transcriptOf(site));
      const bad: string[] = [];
      for (const command of ['backfill', 'reindex']) {
        const { exit, text } = await cairn(site, [command]);
        if (exit !== 0) bad.push(`${command} ended with ${exit}: ${text.slice(0, 200)}`);
        if ((await recalled(site)) !== told) bad.push(`other memories after ${command}`);
      }
      fs.rmSync(transcriptOf(site), { recursive: true, force: true });
      wrong.push(...tally.count('no transcript in its place', what, bad));
    }
    expect(wrong).toEqual([]);
  });
});

/** What was said, without topics, which are of all of it. */
function said(told: string): string[] {
  const memories = told
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { kind: string; text: string });
  return memories
    .filter(({ kind }) => kind !== 'span')
    .map(({ text }) => text)
    .sort();
}

function diff(one: string, two: string): string {
  const known = new Set(two.split('\n'));
  return one
    .split('\n')
    .filter((line) => !known.has(line))
    .slice(0, 2)
    .join(' | ')
    .slice(0, 500);
}
