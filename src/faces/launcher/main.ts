#!/usr/bin/env node
// The binary. It only picks a face, and each is a bundle of its own that is opened with a code cache: cold start counts.

import type { terminalIo } from '../cli/io.ts';
import type { run } from '../cli/program.ts';
import type { HookRun } from '../hooks/run-hook.ts';
import type { run as runServer } from '../mcp/server.ts';
import { HOOK_EVENTS } from './hook-events.ts';
import { loadBundle } from './load-bundle.ts';

type Hook = { run(): Promise<HookRun> };
type Server = { run: typeof runServer };
type CommandLine = { run: typeof run; terminalIo: typeof terminalIo };

// The build puts the hashes of the bundles in; without it, as in tests, the command line is imported.
declare const __HOOKS_BUILD__: string;
declare const __COMMAND_LINE_BUILD__: string | undefined;
declare const __MCP_BUILD__: string | undefined;

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  if (words[0] === 'hook' && words[1] !== '--help' && words[1] !== '-h') return hook(words[1] ?? '');
  if (words[0] === 'mcp' && words.length === 1) return mcp();
  const { exports, keepCompiled } =
    typeof __COMMAND_LINE_BUILD__ === 'string' ? commandLine(__COMMAND_LINE_BUILD__, words) : await unbundled();
  const code = await exports.run(words, exports.terminalIo());
  if (code !== 2) keepCompiled(); // of mistyped commands nothing is kept
  return code;
}

/** One bundle for each event: a hook pays for every line that it opens. */
async function hook(event: string): Promise<number> {
  if (!HOOK_EVENTS.includes(event)) {
    process.stderr.write(`cairn: there is no hook ${JSON.stringify(event)}; known are ${HOOK_EVENTS.join(', ')}\n`);
    return 1; // never 2: that would block the user
  }
  const { exports, keepCompiled } = loadBundle<Hook>({
    file: `../hooks/${event}.js`,
    name: `${event}-${__HOOKS_BUILD__}`,
    grows: true,
  });
  const { exit, worked } = await exports.run();
  keepCompiled(worked);
  return exit;
}

/** The server answers for a whole conversation; what it compiled is kept when that ends. */
async function mcp(): Promise<number> {
  if (typeof __MCP_BUILD__ !== 'string') return (await import('../mcp/server.ts')).run();
  const { exports, keepCompiled } = loadBundle<Server>({ file: '../mcp/server.js', name: `server-${__MCP_BUILD__}` });
  const code = await exports.run();
  keepCompiled();
  return code;
}

/** Commands have little in common, so what each compiled is kept apart. */
function commandLine(build: string, words: readonly string[]) {
  const use = /^[a-z]{1,20}$/.exec(words[0] ?? '')?.[0] ?? 'other';
  return loadBundle<CommandLine>({ file: 'command-line.js', name: `command-line-${build}-${use}` });
}

async function unbundled(): Promise<{ exports: CommandLine; keepCompiled(): void }> {
  const [{ run }, { terminalIo }] = await Promise.all([import('../cli/program.ts'), import('../cli/io.ts')]);
  return { exports: { run, terminalIo }, keepCompiled: () => undefined };
}

main().then(
  (code) => {
    // The client may leave the input of a hook or of the server open; what they had to say is written.
    if (process.argv[2] === 'hook' || process.argv[2] === 'mcp') process.exit(code);
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`cairn: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = process.argv[2] === 'hook' ? 0 : 1;
  },
);
