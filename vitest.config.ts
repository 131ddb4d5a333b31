// Unit tests sit beside the code; test/ holds what crosses folders. Both run real files, processes and databases,
// so the timeouts are for slow machines, not for slow code.
import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/whole-run.ts'],
    // With the seed of the run; nothing that does not use it pays for loading it.
    alias: [{ find: /^fast-check$/, replacement: path.resolve('test/fixtures/seeded-fast-check.ts') }],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
