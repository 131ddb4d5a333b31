// A stand-in for the `claude` program: a real process that writes down how it was called and then does what a test says.

import fs from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../fixtures/temporary.ts';

export type Called = {
  argv: string[];
  env: { [name: string]: string };
  stdin: string;
  cwd: string;
  cwdFiles: string[];
};
export type FakeClient = { binary: string; folder: string; calls(): Called[] };

/** `act` is JavaScript that runs after the call was written down; `say(object)` prints a result. */
export function fakeClient(act: string): FakeClient {
  const folder = temporaryFolder();
  const binary = path.join(folder, 'claude');
  const log = path.join(folder, 'calls.jsonl');
  fs.writeFileSync(
    binary,
    `#!${process.execPath}
const fs = require('node:fs');
const { spawn } = require('node:child_process');
const stdin = fs.readFileSync(0, 'utf8');
const call = { argv: process.argv.slice(2), env: process.env, stdin, cwd: process.cwd(), cwdFiles: fs.readdirSync('.') };
fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify(call) + '\\n');
const folder = ${JSON.stringify(folder)};
const usage = { input_tokens: 90, cache_creation_input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 30 };
const say = (fields, exit = 0) => {
  const result = { type: 'result', subtype: 'success', is_error: false, result: 'hello', stop_reason: 'end_turn', usage };
  process.stdout.write(JSON.stringify({ ...result, ...fields }) + '\\n', () => process.exit(exit));
};
${act}
`,
    { mode: 0o755 },
  );
  const calls = (): Called[] =>
    fs.existsSync(log)
      ? fs
          .readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  return { binary, folder, calls };
}
