// `cairn doctor --self-test` with the built program: every step of the synthetic conversation, and nothing left behind.
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { selfTest } from '../../src/app/install/self-test.ts';
import { put, temporaryFolder } from '../fixtures/temporary.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');

describe('the self-test', { timeout: 180_000 }, () => {
  let temporary: string;
  beforeEach(() => {
    // Of its own: another self-test may run on this machine.
    temporary = temporaryFolder();
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, temporary);
    return () => void vi.unstubAllEnvs();
  });

  it.skipIf(!fs.existsSync(PROGRAM))('brings what was said in every hook out of remember', async () => {
    const steps = await selfTest(PROGRAM, process.env);
    expect(steps.filter(({ ok }) => !ok)).toEqual([]);
    expect(steps.length).toBeGreaterThan(10);
    expect(fs.readdirSync(temporary)).toEqual([]);
  });

  it('says at which step a broken program fails', async () => {
    const broken = put(path.join(temporaryFolder(), 'main.js'), 'console.error("no such module"); process.exit(1);');
    const steps = await selfTest(broken, process.env);
    expect(steps[0]).toEqual({ name: 'session-start', ok: false, text: 'exit 1: no such module' });
  });
});
