// The entry in the files of other clients: put in and taken out, with everything else left as it was.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { addServer, clientFile, MCP_CLIENTS, removeServer } from './mcp-clients.ts';
import { BACKUP_SUFFIX, makeChange } from './planned-change.ts';

const SERVER = { command: '/usr/bin/node', args: ['/opt/cairn/main.js', 'mcp'] };

function places() {
  const home = temporaryFolder();
  return { home, codexRoot: path.join(home, '.codex'), projectRoot: path.join(home, 'p'), env: {} };
}

describe('an entry', () => {
  it.each(MCP_CLIENTS)('of %s is made, found again, and removed', async (client) => {
    for (const scope of ['user', 'project'] as const) {
      const file = clientFile(client, scope, places());
      const change = await addServer(client, file, SERVER);
      expect(change).toMatchObject({ file, what: 'create' });
      makeChange(change!);
      expect(fs.readFileSync(file, 'utf8')).toContain('/opt/cairn/main.js');
      expect(await addServer(client, file, SERVER)).toBeUndefined();
      makeChange((await removeServer(client, file))!);
      expect(fs.readFileSync(file, 'utf8')).not.toContain('cairn');
      expect(await removeServer(client, file)).toBeUndefined();
    }
  });

  it('leaves the rest of a file byte for byte, keeps the file as it was beside it, and its mode', async () => {
    const file = clientFile('cursor', 'user', places());
    const before =
      '{\n    "mcpServers": {\n        "other": {"command":"x", "big": 12345678901234567890}\n    },\n    "z":1}\n';
    put(file, before);
    fs.chmodSync(file, 0o640);
    makeChange((await addServer('cursor', file, SERVER))!);
    const after = fs.readFileSync(file, 'utf8');
    expect(after).toContain('"other": {"command":"x", "big": 12345678901234567890}');
    expect(after).toContain('\n    },\n    "z":1}\n');
    expect(JSON.parse(after).mcpServers.cairn).toEqual(SERVER);
    expect(fs.statSync(file).mode & 0o777).toBe(0o640);
    expect(fs.readFileSync(file + BACKUP_SUFFIX, 'utf8')).toBe(before);
  });

  it('is not forced into a file that is no JSON object; the user is told what to add', async () => {
    const file = clientFile('vscode', 'project', places());
    for (const text of ['{ // comment', '[]', '{"servers": 3}', '{"a":']) {
      put(file, text);
      await expect(addServer('vscode', file, SERVER)).rejects.toThrow(
        expect.objectContaining({ code: 'CONFIG_ERROR', fix: expect.stringContaining('"servers"') }),
      );
      expect(fs.readFileSync(file, 'utf8')).toBe(text);
    }
  });

  it.each([
    ['codex', '# mine\r\nmodel = "o"\r\n\r\n[mcp_servers.other]\r\ncommand = "x" # y'],
    ['codex', '\uFEFFmodel = "o"\n'],
    ['cursor', '{}'],
    ['cursor', '\uFEFF{"a":1,"a":2,"big":12345678901234567890,"u":"\\u00e9"}'],
    ['gemini', '{\r\n\t"theme": "x",\r\n\t"mcpServers": {}\r\n}'],
    ['vscode', '{ "servers": { "other": { "command": "x" } }, "inputs": [] }\n'],
    ['vscode', '{ // comment\n}'],
    ['vscode', '{\n  // mine\n  "servers": {\n    "other": { "command": "x" }, // theirs\n  },\n}\n'],
  ] as const)('of %s goes without a trace from %j', async (client, before) => {
    const file = clientFile(client, 'user', places());
    put(file, before);
    makeChange((await addServer(client, file, SERVER))!);
    const set = fs.readFileSync(file, 'utf8');
    expect(set.startsWith('\uFEFF')).toBe(before.startsWith('\uFEFF'));
    expect(await addServer(client, file, SERVER)).toBeUndefined();
    makeChange((await removeServer(client, file))!);
    expect(fs.readFileSync(file, 'utf8')).toBe(before);
  });

  it('goes and leaves what was added to the file since', async () => {
    const file = clientFile('cursor', 'user', places());
    put(file, '{}\n');
    makeChange((await addServer('cursor', file, SERVER))!);
    const more = fs
      .readFileSync(file, 'utf8')
      .replace('"mcpServers": {', '"mcpServers": {\n    "mine": {"command": "y"},');
    put(file, more);
    makeChange((await removeServer('cursor', file))!);
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual({ mcpServers: { mine: { command: 'y' } } });
  });

  it('is not forced into TOML that says it in another way; the user is told the lines to add', async () => {
    const file = clientFile('codex', 'user', places());
    for (const text of ['mcp_servers = { other = { command = "x" } }\n', 'a = [\n']) {
      put(file, text);
      await expect(addServer('codex', file, SERVER)).rejects.toThrow(
        expect.objectContaining({
          code: 'CONFIG_ERROR',
          fix: expect.stringContaining('[mcp_servers.cairn]\ncommand = '),
        }),
      );
      expect(fs.readFileSync(file, 'utf8')).toBe(text);
    }
  });

  it('goes through a link to the file that it names', async () => {
    const file = clientFile('gemini', 'user', places());
    const real = put(path.join(temporaryFolder(), 'settings.json'), '{}\n');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.symlinkSync(real, file);
    makeChange((await addServer('gemini', file, SERVER))!);
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(real, 'utf8')).toContain('cairn');
  });

  it('goes through a link to a file that is not there yet', async () => {
    const file = clientFile('cursor', 'user', places());
    const real = path.join(temporaryFolder(), 'dotfiles', 'mcp.json');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.symlinkSync(real, file);
    makeChange((await addServer('cursor', file, SERVER))!);
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(real, 'utf8')).toContain('cairn');
  });

  it('has no local scope', () => {
    expect(() => clientFile('codex', 'local', places())).toThrow('no local scope');
  });
});
