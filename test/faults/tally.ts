// Counts faults, tried and survived, and says so when a test file ends. With CAIRN_FAULTS_TALLY the counts also go to that file, a line
// for each kind, to be added up.

import fs from 'node:fs';
import { afterAll } from 'vitest';

/** The long run: every call with every errno, more kills, more damage. */
export const FULL: boolean = process.env.CAIRN_FAULTS === 'full';

type Count = { tried: number; survived: number };

export class Tally {
  readonly #title: string;
  readonly #kinds = new Map<string, Count>();

  constructor(title: string) {
    this.#title = title;
    afterAll(() => this.#print());
  }

  /** `wrong`: what a fault did that it must not; empty if nothing. Returns it, with the fault's name. */
  count(kind: string, what: string, wrong: readonly string[]): string[] {
    const count = this.#kinds.get(kind) ?? { tried: 0, survived: 0 };
    count.tried++;
    if (wrong.length === 0) count.survived++;
    this.#kinds.set(kind, count);
    const told = wrong.map((each) => `${kind} ${what}: ${each}`);
    for (const each of told) process.stdout.write(`not survived: ${each.slice(0, 500)}\n`); // at once: a run may be long
    return told;
  }

  #print(): void {
    const all = [...this.#kinds.values()];
    const sum = (of: keyof Count): number => all.reduce((total, count) => total + count[of], 0);
    const line = (name: string, tried: number, survived: number): string =>
      `  ${name.padEnd(34)}${String(tried).padStart(7)}${String(survived).padStart(10)}`;
    const rows = [...this.#kinds].map(([kind, { tried, survived }]) => line(kind, tried, survived));
    const head = `faults: ${sum('tried')} tried, ${sum('survived')} survived (${this.#title})`;
    process.stdout.write(`\n${[head, `  ${'kind'.padEnd(34)}  tried  survived`, ...rows].join('\n')}\n`);
    const file = process.env.CAIRN_FAULTS_TALLY;
    if (file)
      fs.appendFileSync(
        file,
        [...this.#kinds].map(([kind, count]) => `${JSON.stringify({ kind, ...count })}\n`).join(''),
      );
  }
}
