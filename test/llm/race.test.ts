// Several processes call a model at once: together they make exactly as many calls as the ceiling allows.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readLedger, useOn } from '../../src/llm/ledger.ts';
import { bundle } from '../fixtures/bundle.ts';
import { temporaryFolder } from '../fixtures/temporary.ts';
import { apiForTest } from './scripted-api.ts';

const PROCESSES = 4;
const CEILING = 17;

function run(program: string, args: readonly string[]): Promise<{ made: number }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk));
  return new Promise((resolve, reject) =>
    child.on('close', (code) => (code === 0 ? resolve(JSON.parse(said)) : reject(new Error(errors)))),
  );
}

it(`${PROCESSES} processes at once never pass the ceiling`, async () => {
  const program = await bundle('test/llm/caller.ts');
  onTestFinished(() => program.remove());
  const file = path.join(temporaryFolder(), 'ledger.json');
  const api = await apiForTest([{ say: 'hello' }]);
  const args = [file, api.url, String(CEILING)];
  const made = await Promise.all(Array.from({ length: PROCESSES }, () => run(program.file, args)));
  expect(made.reduce((sum, each) => sum + each.made, 0)).toBe(CEILING);
  expect(api.requests).toHaveLength(CEILING);
  expect(useOn(readLedger(file), '2026-03-10')).toMatchObject({ calls: CEILING, failures: 0, reserved: 0 });
});
