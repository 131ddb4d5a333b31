// The entry in the files of other clients: put in and taken out, with everything else left as it was.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { BACKUP_SUFFIX, makeChange } from './file-change.ts';
import { addServer, clientFile, MCP_CLIENTS, removeServer } from './mcp-clients.ts';

const SERVER = { command: '/usr/bin/node', args: ['/opt/cairn/main.js', 'mcp'] };

function places() {
  const home = temporaryFolder();
  return { home, codexRoot: path.join(home, '.codex'), projectRoot: path.join(home, 'p'), env: {} };
}

describe('an entry', () => {
  it.each(MCP_CLIENTS)('of %s is made, found again, and removed', (client) => {
    for (const scope of ['user', 'project'] as const) {
      const file = clientFile(client, scope, places());
      const change = addServer(client, file, SERVER);
      expect(change).toMatchObject({ file, what: 'create' });
      makeChange(change!);
      expect(fs.readFileSync(file, 'utf8')).toContain('/opt/cairn/main.js');
      expect(addServer(client, file, SERVER)).toBeUndefined();
      makeChange(removeServer(client, file)!);
      expect(fs.readFileSync(file, 'utf8')).not.toContain('cairn');
      expect(removeServer(client, file)).toBeUndefined();
    }
  });

  it('leaves the rest of a file byte for byte, keeps the file as it was beside it, and its mode', () => {
    const file = clientFile('cursor', 'user', places());
    const before =
      '{\n    "mcpServers": {\n        "other": {"command":"x", "big": 12345678901234567890}\n    },\n    "z":1}\n';
    put(file, before);
    fs.chmodSync(file, 0o640);
    makeChange(addServer('cursor', file, SERVER)!);
    const after = fs.readFileSync(file, 'utf8');
    expect(after).toContain('"other": {"command":"x", "big": 12345678901234567890}');
    expect(after).toContain('\n    },\n    "z":1}\n');
    expect(JSON.parse(after).mcpServers.cairn).toEqual(SERVER);
    expect(fs.statSync(file).mode & 0o777).toBe(0o640);
    expect(fs.readFileSync(file + BACKUP_SUFFIX, 'utf8')).toBe(before);
  });

  it('is not forced into a file that is no plain JSON; the user is told what to add', () => {
    const file = clientFile('vscode', 'project', places());
    for (const text of ['{ // comment\n}', '[]', '{"servers": 3}', '{"a":']) {
      put(file, text);
      expect(() => addServer('vscode', file, SERVER)).toThrow(
        expect.objectContaining({ code: 'CONFIG_ERROR', fix: expect.stringContaining('"servers"') }),
      );
      expect(fs.readFileSync(file, 'utf8')).toBe(text);
    }
  });

  it('goes through a link to the file that it names', () => {
    const file = clientFile('gemini', 'user', places());
    const real = put(path.join(temporaryFolder(), 'settings.json'), '{}\n');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.symlinkSync(real, file);
    makeChange(addServer('gemini', file, SERVER)!);
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(real, 'utf8')).toContain('cairn');
  });

  it('has no local scope', () => {
    expect(() => clientFile('codex', 'local', places())).toThrow('no local scope');
  });
});
