// A transcript is written by somebody else, while it is read: cut off at any byte, in the middle of a letter, rewritten in place, gone. What is
// remembered in the end is what an undisturbed run remembers.

import fs from 'node:fs';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { newFolder } from '../fixtures/temporary.ts';
import { FULL, Tally } from './tally.ts';
import { recalled } from './truth.ts';
import { cairn, found, siteAt, TALK, transcriptOf, userRoot, writeTranscript } from './writing-paths.ts';

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
const site = siteAt(newFolder());
afterAll(() => fs.rmSync(site.base, { recursive: true, force: true }));
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

  it('that is rewritten in place is what it says now, not what it said', async () => {
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
      const got = await recalled(site);
      wrong.push(
        ...tally.count('rewritten transcript', what, got === told ? [] : [`other memories: ${diff(got, told)}`]),
      );
    }
    expect(wrong).toEqual([]);
  });
});

function diff(one: string, two: string): string {
  const known = new Set(two.split('\n'));
  return one
    .split('\n')
    .filter((line) => !known.has(line))
    .slice(0, 2)
    .join(' | ')
    .slice(0, 500);
}
