// `cairn install` where there is no client, with one that is only a script, and for other clients: what is written, said, and left alone.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageLocation } from '../../src/app/install/package-location.ts';
import { pluginChanges } from '../../src/app/install/plugin-files.ts';
import { Cli } from '../fixtures/cli.ts';
import { put, snapshot } from '../fixtures/temporary.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const built = fs.existsSync(path.join(ROOT, 'dist/faces/cli/main.js'));

/** A program that answers as the client would, and writes down what it was asked. */
function fakeClaude(cli: Cli, listed: object[]): { [name: string]: string } {
  const bin = path.join(cli.base, 'bin');
  const file = put(
    path.join(bin, 'claude'),
    `#!${process.execPath}\nconst fs = require('node:fs'), words = process.argv.slice(2);
fs.appendFileSync(${JSON.stringify(path.join(cli.base, 'asked.txt'))}, JSON.stringify(words) + '\\n');
if (words[1] === 'list') console.log(${JSON.stringify(JSON.stringify(listed))});
if (words[1] === 'install' && fs.existsSync(${JSON.stringify(path.join(cli.base, 'broken'))})) { console.error('no such marketplace'); process.exit(1); }
if (words[0] === '--version') console.log('2.1.325 (Claude Code)');\n`,
  );
  fs.chmodSync(file, 0o755);
  return { PATH: bin };
}

const askedOf = (cli: Cli): string[][] =>
  fs
    .readFileSync(path.join(cli.base, 'asked.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string[]);

describe.skipIf(!built)('cairn install', () => {
  it('says what to run where there is no client, and that it is not done', async () => {
    const cli = new Cli();
    const { exit, out } = await cli.run(['install', '--scope', 'project'], { env: { PATH: '' } });
    expect(exit).toBe(1);
    expect(out).toContain(`claude plugin marketplace add ${path.join(cli.home, '.cairn/plugin')}`);
    expect(out).toContain('claude plugin install memory@cairn --scope project');
  });

  it('writes a plugin whose hooks name the program by its full path', async () => {
    const cli = new Cli();
    await cli.run(['install'], { env: { PATH: '' } });
    const folder = path.join(cli.home, '.cairn/plugin');
    const hooks = fs.readFileSync(path.join(folder, 'memory/hooks/hooks.json'), 'utf8');
    expect(hooks).not.toContain('CLAUDE_PLUGIN_ROOT');
    expect(hooks).toContain(JSON.stringify(path.join(ROOT, 'dist/faces/cli/main.js')));
    expect(fs.readdirSync(path.join(folder, 'memory/hooks'))).toEqual(['hooks.json']);
    expect(fs.statSync(path.join(folder, 'memory/bin/cairn')).mode & 0o777).toBe(0o700);
    expect(pluginChanges(packageLocation(), folder)).toEqual([]);
  });

  it('whose server does not run is found by the doctor', async () => {
    const cli = new Cli();
    const env = fakeClaude(cli, [{ id: 'memory@cairn', scope: 'user', enabled: true }]);
    await cli.run(['install'], { env });
    for (const [name, age] of [['SessionStart', 60] as const, ['SessionEnd', 30] as const]) {
      const at = new Date(Date.now() - age * 1_000);
      fs.utimesSync(put(path.join(cli.home, '.cairn/log/last', name), ''), at, at);
    }
    const { exit, out } = await cli.run(['doctor'], { env });
    expect(exit).toBe(1);
    expect(out).toMatch(/^! server +The memory server did not run/m);
    put(path.join(cli.home, '.cairn/log/last/Stop.warm'), '');
    const again = await cli.run(['doctor'], { env });
    expect(again.out).not.toContain('The memory server did not run');
    expect(again.out).toMatch(/^ {2}Stop +\d{4}-.*Z \(0 min ago, by the server\)$/m);
    expect(again.out).toMatch(/^ {2}PreCompact +never yet$/m);
  });

  it('takes the hooks that are asked for, and keeps to them', async () => {
    const cli = new Cli();
    const file = path.join(cli.home, '.cairn/plugin/memory/hooks/hooks.json');
    await cli.run(['install', '--hooks', 'command'], { env: { PATH: '' } });
    expect(fs.readFileSync(file, 'utf8')).not.toContain('mcp_tool');
    await cli.run(['install'], { env: { PATH: '' } });
    expect(fs.readFileSync(file, 'utf8')).not.toContain('mcp_tool');
    await cli.run(['install', '--hooks', 'warm'], { env: { PATH: '' } });
    expect(fs.readFileSync(file, 'utf8')).toContain('mcp_tool');
  });

  it('asks the client of the user, and removes what an older version left', async () => {
    const cli = new Cli();
    const old = put(path.join(cli.home, '.cairn/plugin/memory/commands/old.md'), 'old');
    const { exit } = await cli.run(['install'], { env: fakeClaude(cli, []) });
    expect(exit).toBe(0);
    expect(askedOf(cli).slice(1)).toEqual([
      ['plugin', 'marketplace', 'add', path.join(cli.home, '.cairn/plugin')],
      ['plugin', 'install', 'memory@cairn', '--scope', 'user'],
    ]);
    expect(fs.existsSync(old)).toBe(false);
  });

  it('says what the client said when it refuses', async () => {
    const cli = new Cli();
    put(path.join(cli.base, 'broken'), '');
    const { exit, err } = await cli.run(['install'], { env: fakeClaude(cli, []) });
    expect(exit).toBe(1);
    expect(err).toContain('no such marketplace');
  });

  it('does not take the install of another project for its own', async () => {
    const cli = new Cli();
    const elsewhere = { id: 'memory@cairn', scope: 'project', enabled: true, projectPath: cli.home };
    const { out } = await cli.run(['uninstall', '--scope', 'project'], { env: fakeClaude(cli, [elsewhere]) });
    expect(out).toContain('not installed (project)');
    expect(askedOf(cli)).toHaveLength(1);
  });

  it('shows in a dry run what it would do for another client, and does nothing', async () => {
    const cli = new Cli();
    const before = snapshot(cli.base);
    const { exit, out } = await cli.run(['install', '--client', 'cursor', '--scope', 'project', '--dry-run']);
    expect({ exit, out }).toEqual({ exit: 0, out: `would create ${path.join(cli.project, '.cursor/mcp.json')}` });
    expect(snapshot(cli.base)).toEqual(before);
  });

  it('gives another client the tools and takes them away again', async () => {
    const cli = new Cli();
    const file = put(path.join(cli.home, '.codex/config.toml'), 'model = "x" # mine\n');
    expect((await cli.run(['install', '--client', 'codex'])).exit).toBe(0);
    expect(fs.readFileSync(file, 'utf8')).toMatch(/^model = "x" # mine\n\n\[mcp_servers\.cairn\]\n/);
    expect((await cli.run(['install', '--client', 'codex'])).out).toContain('already');
    const { out } = await cli.run(['uninstall', '--client', 'codex']);
    expect(out).toContain(`Your memory stays where it is: ${cli.root}`);
    expect(fs.readFileSync(file, 'utf8')).toBe('model = "x" # mine\n');
  });
});
