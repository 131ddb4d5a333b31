// The user's own Claude Code, asked to register the plugin: found on the PATH, started without a shell, waited for with patience
// that ends. It knows where its files are; Cairn edits none of them.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CairnError, messageOf } from '../../errors.ts';
import { realPath } from '../../files/paths.ts';
import { any, boolean, fits, type Infer, list, omittable, openObject, parseAs, text } from '../../model/schema.ts';
import { MARKETPLACE, PLUGIN_ID } from './plugin-files.ts';

export type Scope = 'user' | 'project' | 'local';
const PLUGIN = openObject({
  id: text(),
  scope: text(),
  enabled: boolean(),
  version: omittable(text()),
  installPath: omittable(text()),
  readFromFolder: omittable(text()),
  projectPath: omittable(text()),
});
export type RegisteredPlugin = Infer<typeof PLUGIN>;

/** A plugin of another project's scope is not this one's. */
export const isHere = ({ scope, projectPath }: RegisteredPlugin, wanted: Scope, projectRoot: string): boolean =>
  scope === wanted &&
  (scope === 'user' || projectPath === undefined || realPath(projectPath) === realPath(projectRoot));

const PATIENCE_MS = 120_000;
const MAX_OUTPUT = 1024 * 1024;

/** The file of a program that the PATH leads to. */
export function findProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const names = process.platform === 'win32' ? [`${name}.exe`] : [name];
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue; // never what lies in the working directory
    for (const each of names) {
      const file = path.join(folder, each);
      try {
        fs.accessSync(file, fs.constants.X_OK);
        if (fs.statSync(file).isFile()) return file;
      } catch {
        // not here
      }
    }
  }
  return undefined;
}

export class ClaudeClient {
  readonly program: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #cwd: string;

  constructor(program: string, options: { env: NodeJS.ProcessEnv; cwd: string }) {
    this.program = program;
    this.#env = options.env;
    this.#cwd = options.cwd;
  }

  version(): Promise<string> {
    return this.run(['--version']).then((text) => /\d+\.\d+\.\d+/.exec(text)?.[0] ?? text.trim().slice(0, 40));
  }

  /** This plugin, once for each scope and project that it is in. */
  async registered(): Promise<RegisteredPlugin[]> {
    const answer = await this.run(['plugin', 'list', '--json']);
    const plugins = parseAs(list(any()), answer.slice(answer.indexOf('[')));
    if (!plugins)
      throw new CairnError('IO_ERROR', '`claude plugin list --json` answered with something that is not a list.', {
        fix: 'Run that command yourself to see what is wrong; nothing of your memory was touched.',
      });
    return plugins.filter((each) => fits(PLUGIN, each)).filter(({ id }) => id === PLUGIN_ID);
  }

  run(args: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const options = { env: this.#env, cwd: this.#cwd, timeout: PATIENCE_MS, maxBuffer: MAX_OUTPUT };
      const child = execFile(this.program, [...args], options, (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        const said = `${stderr}${stdout}`.trim() || messageOf(error);
        reject(
          new CairnError('IO_ERROR', `\`claude ${args.join(' ')}\` failed: ${said.slice(0, 600)}`, {
            fix: 'Run that command yourself to see what is wrong; nothing of your memory was touched.',
          }),
        );
      });
      child.stdin?.end();
    });
  }
}

/** What registers the plugin, as the user would type it. */
export const installCommands = (folder: string, scope: Scope): string[][] => [
  ['plugin', 'marketplace', 'add', folder],
  ['plugin', 'install', PLUGIN_ID, '--scope', scope],
];

export const uninstallCommands = (scope: Scope, last: boolean): string[][] => [
  ['plugin', 'uninstall', PLUGIN_ID, '--scope', scope],
  ...(last ? [['plugin', 'marketplace', 'remove', MARKETPLACE]] : []),
];
