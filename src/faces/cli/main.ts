#!/usr/bin/env node
// The binary. It only picks a face, and each is a bundle of its own that is opened with a code cache: cold start counts.

import type { runHook } from '../hooks/main.ts';
import type { terminalIo } from './io.ts';
import { loadBundle } from './load-bundle.ts';
import type { run } from './program.ts';

type Hooks = { runHook: typeof runHook };
type CommandLine = { run: typeof run; terminalIo: typeof terminalIo };

// The build puts the hashes of the bundles in; without it, as in tests, the command line is imported.
declare const __HOOKS_BUILD__: string;
declare const __COMMAND_LINE_BUILD__: string | undefined;

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  if (words[0] === 'hook') {
    const { exports, keepCompiled } = loadBundle<Hooks>({ file: '../hooks/main.js', name: `hooks-${__HOOKS_BUILD__}` });
    const code = await exports.runHook(words[1]);
    keepCompiled();
    return code;
  }
  const { exports, keepCompiled } =
    typeof __COMMAND_LINE_BUILD__ === 'string' ? commandLine(__COMMAND_LINE_BUILD__, words) : await unbundled();
  const code = await exports.run(words, exports.terminalIo());
  if (code !== 2) keepCompiled(); // of mistyped commands nothing is kept
  return code;
}

/** Commands have little in common, so what each compiled is kept apart. */
function commandLine(build: string, words: readonly string[]) {
  const use = /^[a-z]{1,20}$/.exec(words[0] ?? '')?.[0] ?? 'other';
  return loadBundle<CommandLine>({ file: 'command-line.js', name: `command-line-${build}-${use}` });
}

async function unbundled(): Promise<{ exports: CommandLine; keepCompiled(): void }> {
  const [{ run }, { terminalIo }] = await Promise.all([import('./program.ts'), import('./io.ts')]);
  return { exports: { run, terminalIo }, keepCompiled: () => undefined };
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
