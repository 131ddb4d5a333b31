// Names the tests that passed only when they were tried once more: a fault of the test, or a race that a user can meet. Nobody is to
// find out by reading thousands of lines.

import type { Reporter, TestCase } from 'vitest/node';

export default class TriedAgain implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const isLate = test.result().state === 'passed' && (test.diagnostic()?.retryCount ?? 0) > 0;
    if (isLate) this.#names.push(`  ${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    if (this.#names.length === 0) return;
    process.stderr.write(`\nPassed only when tried once more (find out why):\n${this.#names.join('\n')}\n`);
  }
}
