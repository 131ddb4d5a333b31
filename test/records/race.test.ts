// Sixteen processes write at once: no update is lost, nothing is corrupt, and the index is in step.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMemory } from '../../src/app/memory.ts';
import { rebuiltIndex } from '../../src/records/repair-records.ts';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { sampleInput } from '../fixtures/sample-records.ts';
import { newMemoryFolder } from '../fixtures/temporary.ts';
import { CREATES, SHARED, UPDATES, WRITERS } from './shares.ts';

let program: Bundle;
let folder: string;
beforeAll(async () => {
  program = await bundle('test/records/writer.ts');
  folder = newMemoryFolder();
});
afterAll(() => {
  program?.remove();
  if (folder) fs.rmSync(folder, { recursive: true, force: true });
});

function writer(project: string, number: number): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [program.file, 'race', project, String(number)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += String(chunk);
    });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })));
}

it(`${WRITERS} processes at once lose no update and corrupt nothing`, { timeout: 180_000 }, async () => {
  const project = path.join(folder, 'project');
  fs.mkdirSync(project);
  const memory = openMemory({ cwd: project, projectRoot: project, env: { HOME: path.join(folder, 'home') } });
  const decisions = path.join(memory.recordStore.root, 'decisions');
  await memory.create({
    category: 'decision',
    target: path.join(decisions, `${SHARED}.json`),
    cwd: project,
    record: sampleInput('decision'),
  });
  const writers = await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(project, number)));
  expect(writers.filter(({ code, said }) => code !== 0 || !said.includes('"done":true'))).toEqual([]);

  const shared = JSON.parse(fs.readFileSync(path.join(decisions, `${SHARED}.json`), 'utf8'));
  const wanted = Array.from({ length: WRITERS * UPDATES }, (_, at) => `${at % WRITERS}-${Math.floor(at / WRITERS)}`);
  expect(shared.changes.map((each: { summary: string }) => each.summary).sort()).toEqual(wanted.sort());
  expect(shared.times_updated).toBe(WRITERS * UPDATES);

  const { records, problems } = memory.list();
  expect(problems).toEqual([]);
  expect(records).toHaveLength(WRITERS * CREATES + 1);
  const count = (status: string): number => records.filter((each) => each.status === status).length;
  expect([count('archived'), count('retired')]).toEqual([WRITERS, WRITERS]);
  expect(memory.validateIndex()).toMatchObject({ indexFound: true, missing: [], stale: [], invalid: [] });
  expect(fs.readFileSync(path.join(memory.recordStore.root, 'index.md'), 'utf8')).toBe(
    rebuiltIndex(memory.recordStore).text,
  );
  const left = fs.readdirSync(memory.recordStore.root, { recursive: true }).map(String);
  expect(left.filter((name) => /lockdir|cairn-tmp/.test(name))).toEqual([]);
});
