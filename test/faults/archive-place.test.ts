// The archive may only be read, or its disk is full, while the database can be written. Nothing is lost and nothing falls over: what cannot be
// archived waits, what is known stays known, what is to be forgotten is finished later. Real mounts, the real binary.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Cli } from '../fixtures/cli.ts';
import { GONE, SAID_GONE, SAID_STAYS, STAYS, transcript } from '../forget/everything.ts';
import { type Mount, MountSpace, sayLoudly, whyNoMounts } from './mount-space.ts';
import { Tally } from './tally.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
const NEW = '33333333-abcd-4bcd-8bcd-333333333333';
const SAID_NEW = [{ user: 'What of the zebra page?', assistant: 'We decided to use Nginx for the zebra page.' }];
type Said = { exit: number; text: string };

const tally = new Tally('the archive cannot be written');
const none = sayLoudly(whyNoMounts(), 'tests with an archive that cannot be written');

function run(words: readonly string[], cli: Cli): Said {
  const [file, ...rest] = words;
  try {
    const env = { PATH: process.env.PATH, HOME: cli.home, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
    const text = execFileSync(file!, rest, { cwd: cli.project, encoding: 'utf8', stdio: 'pipe', env });
    return { exit: 0, text };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { exit: status, text: `${stdout}${stderr}` };
  }
}

const KINDS: readonly (readonly [string, (place: string) => Mount])[] = [
  ['may only be read', (place) => ({ kind: 'read-only', place })],
  ['is on a full disk', (place) => ({ kind: 'small-disk', place, kilobytes: 256, full: true })],
];

describe.skipIf(none).each(KINDS)('an archive that %s', { timeout: 300_000 }, (kind, mount) => {
  it('costs nothing that is known, and what waited for it is done once it can be written', async () => {
    const cli = new Cli();
    const cairn = (...argv: string[]): Said => run([process.execPath, PROGRAM, ...argv], cli);
    transcript(cli, GONE, SAID_GONE);
    const stays = transcript(cli, STAYS, SAID_STAYS, { day: 20 });
    expect(cairn('backfill')).toMatchObject({ exit: 0 });
    fs.rmSync(stays); // now it is in the archive alone
    transcript(cli, NEW, SAID_NEW, { day: 22 });
    const space = await MountSpace.make([mount(path.join(cli.home, '.cairn', 'archive'))]);
    const inside = (...argv: string[]): Said =>
      run(space.inside(cli.project, [process.execPath, PROGRAM, ...argv]), cli);
    const wrong: string[] = [];
    const look = (
      what: string,
      { exit, text }: Said,
      expected: { exit: number; says: RegExp },
      words: string[],
    ): void => {
      const bad = words.filter((word) => /Nothing found/.test(inside('remember', word).text)).map((each) => `${each}?`);
      if (/TypeError|RangeError|\n\s+at /.test(text)) bad.push(`it fell over: ${text.slice(0, 300)}`);
      if (exit !== expected.exit || !expected.says.test(text)) bad.push(`exit ${exit}: ${text.slice(0, 500)}`);
      wrong.push(...tally.count(kind, what, bad));
    };
    try {
      const known = ['quibblefax', 'ledger'];
      look('backfill', inside('backfill'), { exit: 1, says: /FAILED: .*33333333.*(?:read-only|no space)/ }, known);
      const anew = { exit: 1, says: /Nothing can be added to the archive[\s\S]*you may write there/ };
      look('reindex', inside('reindex'), anew, known);
      look('doctor --archive', inside('doctor', '--archive'), { exit: 0, says: /2 conversations verified/ }, known);
      look('redact --apply', inside('redact', '--apply'), { exit: 0, says: /No secrets/ }, known);
      if (kind === 'may only be read') {
        const asked = inside('forget', GONE, '--yes');
        look('forget', asked, { exit: 1, says: /Not everything is gone yet[\s\S]*cairn forget --finish/ }, ['ledger']);
      }
    } finally {
      space.close();
    }
    const finished = cairn('forget', '--finish');
    const after = cairn('backfill');
    const bad = ['ledger', 'zebra'].filter((word) => /Nothing found/.test(cairn('remember', word).text));
    if (finished.exit + after.exit > 0) bad.push(`${finished.text}${after.text}`);
    if (kind === 'may only be read' && !/Nothing found/.test(cairn('remember', 'quibblefax').text))
      bad.push('what was to be forgotten is there');
    wrong.push(...tally.count(kind, 'afterwards', bad));
    expect(wrong).toEqual([]);
  });
});
