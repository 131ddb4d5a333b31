// The order of test files: the sweeps of faults take minutes and come first. A long file that begins last keeps one core waiting for
// the other, and in a fresh clone nothing is known of how long a file took. All others stay mixed: two real clients at once on two
// cores are slower than anything that a user meets.

import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SLOW = 'test/faults/';

export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

const rank = ({ moduleId }: TestSpecification): number => (moduleId.replaceAll('\\', '/').includes(`/${SLOW}`) ? 0 : 1);
