// Injections are forgotten while hooks write others: none of those is lost, none is doubled, and what goes is gone.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forgetInjections, injectionsFolder, readInjections } from '../../src/learning/injection-log.ts';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { put, temporaryFolder } from '../fixtures/temporary.ts';

const WRITERS = 4;
const EACH = 1_500;

let program: Bundle;
beforeAll(async () => {
  program = await bundle('test/forget/appender.ts');
});
afterAll(() => program?.remove());

it('loses no line that is appended meanwhile', { timeout: 120_000 }, async () => {
  const userRoot = temporaryFolder();
  const gone = { sessions: new Set(['gone']), refs: new Set<string>() };
  let working = WRITERS;
  const ended = Array.from(
    { length: WRITERS },
    (_, writer) =>
      new Promise<number | null>((resolve) => {
        const argv = [program.file, userRoot, `w${writer}`, String(EACH)];
        spawn(process.execPath, argv, { stdio: ['ignore', 'inherit', 'inherit'] }).on('close', (code) => {
          working--;
          resolve(code);
        });
      }),
  );
  let rewritten = 0;
  while (working > 0) {
    if (forgetInjections(userRoot, gone, true) > 0) rewritten++;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(await Promise.all(ended)).toEqual(Array.from({ length: WRITERS }, () => 0));
  forgetInjections(userRoot, gone, true);
  const left = [...readInjections(userRoot)].map(({ session }) => session);
  expect(left.filter((session) => session === 'gone')).toEqual([]);
  expect(new Set(left).size).toBe(left.length);
  expect(left.length).toBe(WRITERS * EACH);
  expect(rewritten).toBeGreaterThan(1);
});

it('takes half a line that a killed writer left, and nothing else', () => {
  const userRoot = temporaryFolder();
  const line = (session: string): string =>
    JSON.stringify({ time: '2026-05-10T09:05:00.000Z', session, prompt: { hash: 'h', start: '' }, entries: [] });
  const file = path.join(injectionsFolder(userRoot), '2026-05.jsonl');
  put(file, `${line('stays')}\n${line('gone')}\n{"time":"2026-05-10T09`);
  expect(forgetInjections(userRoot, { sessions: new Set(['gone']), refs: new Set() }, true)).toBe(2);
  expect([...readInjections(userRoot)].map(({ session }) => session)).toEqual(['stays']);
});
