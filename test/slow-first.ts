// The order of test files. A long file that begins last keeps one core waiting for the other, and in a fresh clone nothing is known of how
// long a file took: the sweeps of faults come first, then the longest of the others. Real clients stand between tests of another kind:
// two of them at once on two cores are slower than anything that a user meets. Files that share a process stand together, or it would
// be ended for the next file that has one of its own.

import fs from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const FAULTS = 'test/faults/';

/** More than twenty seconds on two quiet cores, and a process of their own. */
const LONG = [
  'test/sync/two-homes.test.ts',
  'test/e2e/mcp.test.ts',
  'test/sync/memories.test.ts',
  'test/e2e/plugin.test.ts',
  'test/traces/kill.test.ts',
  'test/e2e/let-go.test.ts',
  'test/viewer/access.test.ts',
  'test/conformance/conformance.test.ts',
  'test/e2e/team.test.ts',
  'test/viewer/comfort.test.ts',
  'test/postgres/copy-killed.test.ts',
  'test/e2e/terminal.test.ts',
  'test/docs/readme.test.ts',
  'test/hooks/fuzz.test.ts',
  'test/e2e/places.test.ts',
  'test/identity/same-project.test.ts',
  'test/viewer/wrong-input.test.ts',
  'test/e2e/consolidation.test.ts',
  'test/traces/index-transcript.test.ts',
  'test/sync/machines.test.ts',
  'test/e2e/hooks.test.ts',
  'test/viewer/act.test.ts',
  'test/docs/sync.test.ts',
  'test/e2e/old-client.test.ts',
  'test/forget/kill.test.ts',
  'test/viewer/pages.test.ts',
];

export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONG.filter((file) => !fs.existsSync(path.join(this.ctx.config.root, file)));
    if (gone.length > 0) throw new Error(`test/slow-first.ts names files that are gone: ${gone.join(', ')}`);
    return (await super.sort(files)).toSorted((a, b) => this.#rank(a) - this.#rank(b));
  }

  #rank({ moduleId, project }: TestSpecification): number {
    const name = path.relative(this.ctx.config.root, moduleId).replaceAll('\\', '/');
    if (name.startsWith(FAULTS)) return 0;
    if (LONG.includes(name)) return 1 + LONG.indexOf(name);
    return 1 + LONG.length + ['unit', 'shared', 'whole'].indexOf(project.name);
  }
}
