#!/usr/bin/env node
// The binary. It only picks a face. The hooks are part of this file, because they run before every prompt and tool call
// and each further file costs them time; the command line is loaded when it is wanted.

import { runHook } from '../hooks/main.ts';

async function main(): Promise<number> {
  if (process.argv[2] === 'hook') return runHook(process.argv[3]);
  const [{ run }, { terminalIo }] = await Promise.all([import('./program.ts'), import('./io.ts')]);
  return run(process.argv.slice(2), terminalIo());
}

main().then(
  (code) => {
    // The client may leave the input open; what the hook had to say is written.
    if (process.argv[2] === 'hook') process.exit(code);
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`cairn: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = process.argv[2] === 'hook' ? 0 : 1;
  },
);
