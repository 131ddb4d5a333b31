// A process that goes one writing path and is killed on it, at the call that it is told: `<name of the path> <folder>`, then on
// standard input `<fault> <call>`. It is started with failing-fs.cjs and waits for the word, because starting takes longest.

import process from 'node:process';
import { siteAt, WRITING_PATHS } from './writing-paths.ts';

type FailingFs = { arm(plan: { under: string; at: number; fault: string }): void; disarm(): number };

const [name, folder] = process.argv.slice(2) as [string, string];
const writingPath = WRITING_PATHS.find((each) => each.name === name)!;
const site = siteAt(folder);
process.stdout.write('ready\n');
const word = String(await new Promise((resolve) => process.stdin.once('data', resolve)));
const [fault, at] = word.trim().split(' ') as [string, string];
const { failingFs } = globalThis as unknown as { failingFs: FailingFs };
failingFs.arm({ under: site.base, at: Number(at), fault });
await writingPath.act(site);
process.stdout.write(`${failingFs.disarm()}\n`);
process.exit(0);
