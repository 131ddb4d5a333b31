import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { machineName } from './server-store.ts';

describe('the name of this machine at a server', () => {
  it('is made once, for its owner alone, and leaves nothing beside it', () => {
    const home = path.join(temporaryFolder(), '.cairn');
    const name = machineName(home);
    expect(name).toMatch(/-[0-9a-f]{8}$/);
    expect(machineName(home)).toBe(name);
    expect(fs.readdirSync(home)).toEqual(['machine']);
    if (process.platform !== 'win32') expect(fs.statSync(path.join(home, 'machine')).mode & 0o777).toBe(0o600);
  });

  it('is never empty, whatever a process has left that was ended while it wrote', () => {
    const home = temporaryFolder();
    put(path.join(home, 'machine'), '');
    const name = machineName(home);
    expect(name).not.toBe('');
    expect(machineName(home)).toBe(name);
    expect(fs.readdirSync(home)).toEqual(['machine']);
  });
});
