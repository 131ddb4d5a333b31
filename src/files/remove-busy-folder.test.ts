import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newFolder, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { removeBusyFolder } from './remove-busy-folder.ts';

/** Writes many small files without a pause for as long as it is told, making the folder again when it has gone. */
const WRITER = `
const fs = require('node:fs');
const [folder, ms] = [process.argv[1], Number(process.argv[2])];
const until = Date.now() + ms;
process.stdout.write('begun');
for (let at = 0; Date.now() < until; at++) {
  try { fs.mkdirSync(folder, { recursive: true }); fs.writeFileSync(folder + '/' + (at % 500), ''); } catch {}
}`;

const isThere = (folder: string): boolean => fs.existsSync(path.join(folder, 'log'));

describe('a folder that is still being written to', () => {
  it('is removed once its writer has ended', async () => {
    const folder = newFolder();
    const writer = spawn(process.execPath, ['-e', WRITER, path.join(folder, 'log'), '1500'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(writer, 'exit');
    await once(writer.stdout, 'data');
    // However often: what comes meanwhile makes it try again, and is no error.
    for (let tries = 0; tries < 20; tries++) {
      await removeBusyFolder(folder);
      await wait(25);
    }
    await ended;
    await removeBusyFolder(folder);
    expect(isThere(folder)).toBe(false);
  });

  it('that is none is nothing to remove', async () => {
    await removeBusyFolder(path.join(temporaryFolder(), 'none'));
  });
});
