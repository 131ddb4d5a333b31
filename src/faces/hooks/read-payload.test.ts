import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { readPayload } from './read-payload.ts';

const blockFor = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

it.skipIf(process.platform === 'win32')('reads what has come while the process could not run', async () => {
  const said = path.join(temporaryFolder(), 'said');
  const child = spawn('sh', ['-c', `printf '{"session_id":"s"}'; : > "$0"; exec sleep 60`, said]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const reading = readPayload((give) => void child.stdout.once('data', give));
  blockFor(2_000); // longer than a hook waits for the first byte
  while (!fs.existsSync(said)) blockFor(50);
  expect(await reading).toEqual({ session_id: 's' });
});

it('gives up where nothing comes', async () => {
  await expect(readPayload(() => undefined)).rejects.toThrow('stayed open and nothing came');
});
