// Runs the recorded cases of the original system against the built binary, where the suite lies beside the project.
// The project's own tests cover the same rules; this one shows that nothing was misread.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../fixtures/temporary.ts';

const project = path.resolve(import.meta.dirname, '../..');
const suite = path.resolve(project, '../shared/conformance/run.mjs');
const exceptions: { [name: string]: string } = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, 'exceptions.json'), 'utf8'),
);

type Result = { area: string; name: string; diffs: string[]; skipped?: string };

function runSuite(): Promise<Result[]> {
  const report = path.join(newFolder(), 'report.json');
  const map = path.join(import.meta.dirname, 'map.json');
  const bin = path.join(project, 'dist/faces/cli/main.js');
  const child = spawn(process.execPath, [suite, '--map', map, '--set', `bin=${bin}`, '--json', report, '-q'], {
    cwd: project,
    stdio: 'ignore',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      const results = JSON.parse(fs.readFileSync(report, 'utf8'));
      fs.rmSync(path.dirname(report), { recursive: true });
      resolve(results);
    });
  });
}

describe.skipIf(!fs.existsSync(suite))('the recorded behaviour of the original', () => {
  it('is kept in every case but the decided ones', { timeout: 600_000 }, async () => {
    const results = await runSuite();
    expect(results.length).toBeGreaterThan(400);
    const failed = results.filter((each) => each.diffs.length > 0).map((each) => `${each.area}/${each.name}`);
    const unexpected = results
      .filter((each) => each.diffs.length > 0 && !Object.hasOwn(exceptions, `${each.area}/${each.name}`))
      .map((each) => `${each.area}/${each.name}: ${each.diffs.join(' | ')}`);
    expect(unexpected).toEqual([]);
    expect(results.filter((each) => each.skipped).map((each) => each.name)).toEqual([]);
    // An exception that is none any more must go from the list.
    expect(Object.keys(exceptions).filter((name) => !failed.includes(name))).toEqual([]);
  });
});

describe('the exceptions', () => {
  it('are each explained in the documents', () => {
    const explained = fs.readFileSync(path.join(project, 'docs/SEED-DIFFERENCES.md'), 'utf8');
    expect(Object.keys(exceptions).filter((name) => !explained.includes(name))).toEqual([]);
  });
});
