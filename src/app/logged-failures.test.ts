import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import { failureLog } from './failure-log.ts';
import { loggedFailures } from './logged-failures.ts';

it('gives the newest failure first, and passes over what is none', () => {
  const userRoot = temporaryFolder();
  expect([...loggedFailures(userRoot)]).toEqual([]);
  const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
  const first = { time: '2026-01-01T00:00:00.000Z', event: 'stop', cause: 'it broke' };
  const last = { time: '2026-01-02T00:00:00.000Z', event: 'session-start', stack: [] };
  const log = failureLog(userRoot);
  fs.mkdirSync(path.dirname(log), { recursive: true });
  const others = [null, [], { ...first, time: 'yesterday' }, { ...first, event: 3 }, { ...first, cause: {} }];
  fs.writeFileSync(log, `${line(first)}${others.map(line).join('')}half a li\n${line(last)}{"time":"2026-01-03T`);
  expect([...loggedFailures(userRoot)].map(({ event, cause }) => [event, cause])).toEqual([
    ['session-start', ''],
    ['stop', 'it broke'],
  ]);
});
