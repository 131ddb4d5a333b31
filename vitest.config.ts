// Unit tests sit beside the code; test/ holds what crosses folders. Both run real files, processes and databases,
// so the timeouts are for slow machines, not for slow code.
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import SlowFirst from './test/slow-first.ts';

const common = {
  // With the seed of the run; nothing that does not use it pays for loading it.
  alias: [{ find: /^fast-check$/, replacement: path.resolve('test/fixtures/seeded-fast-check.ts') }],
  testTimeout: 180_000,
  hookTimeout: 240_000,
  // Whoever polls waits for a process, a browser or a timer: the second that is usual is too short for a machine that has much else to do.
  expect: { poll: { timeout: 30_000 } },
  pool: 'forks' as const,
};

/** They start processes or set up what holds for a whole one: each file has one of its own. */
const PROGRAMS = ['src/faces/**/*.test.ts'];
/** Programs in the process of the test: what they set up is taken back after each file, and to load them for each costs a third. */
const SHARED = [
  'src/{app,viewer-api}/**/*.test.ts',
  'test/{cli,graph,identity,llm,ranking,recall,records,security,web}/**/*.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: ['test/whole-run.ts'],
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
    reporters: ['default', './test/tried-again.ts'],
    projects: [
      // The code is loaded once for each worker, not for each of its hundreds of files: that took longer than the tests.
      {
        test: {
          ...common,
          name: 'unit',
          include: ['src/**/*.test.ts'],
          exclude: [...PROGRAMS, ...SHARED],
          isolate: false,
        },
      },
      {
        test: {
          ...{ ...common, name: 'shared', include: SHARED, isolate: false, retry: 1 },
          setupFiles: ['test/fixtures/take-back.ts'],
        },
      },
      // Browsers, clients and servers on a loaded machine: once more before a run of fifteen minutes is called bad, and named (tried-again.ts).
      {
        test: { ...common, name: 'whole', include: [...PROGRAMS, 'test/**/*.test.ts'], exclude: SHARED, retry: 1 },
      },
    ],
  },
});
