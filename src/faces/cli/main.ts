#!/usr/bin/env node
// The binary. It only picks a face, and each is a bundle of its own: hooks must start fast, the command line may take its time.

import { loadHooks } from './load-hooks.ts';

async function main(): Promise<number> {
  if (process.argv[2] === 'hook') {
    const hooks = loadHooks();
    const code = await hooks.runHook(process.argv[3]);
    hooks.keepCompiled();
    return code;
  }
  const [{ run }, { terminalIo }] = await Promise.all([import('./program.ts'), import('./io.ts')]);
  return run(process.argv.slice(2), terminalIo());
}

main().then(
  (code) => {
    // The client may leave a hook's input open; what the hook had to say is written.
    if (process.argv[2] === 'hook') process.exit(code);
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`cairn: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = process.argv[2] === 'hook' ? 0 : 1;
  },
);
