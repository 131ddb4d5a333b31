// The last lines of a run: the tests that failed, by name alone, and those that passed only when they were tried once more, which is a
// fault of the test, or a race that a user can meet. Nobody is to find out by reading thousands of lines.

import type { Reporter, TestCase, TestModule } from 'vitest/node';

export default class TriedAgain implements Reporter {
  readonly #late: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const isLate = test.result().state === 'passed' && (test.diagnostic()?.retryCount ?? 0) > 0;
    if (isLate) this.#late.push(nameOf(test));
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.flatMap(failuresIn);
    if (failed.length > 0) say('Failed', failed);
    if (this.#late.length > 0) say('Passed only when tried once more (find out why)', this.#late);
  }
}

const say = (what: string, names: readonly string[]): void =>
  void process.stderr.write(`\n${what}:\n${names.map((name) => `  ${name}\n`).join('')}`);

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;

/** What fails before or around tests is named itself: a file, or a group of tests in it. */
function failuresIn(module: TestModule): string[] {
  const groups = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
  const inside = [
    ...[...module.children.allTests('failed')].map(nameOf),
    ...groups.map(({ fullName }) => `${module.relativeModuleId} > ${fullName}`),
  ];
  return inside.length > 0 || module.ok() ? inside : [module.relativeModuleId];
}
