// A process that opens the memory of conversations, as every command does, and with it takes over what an older version left behind: for
// tests that kill it. `<home> <project>`; it waits for a word, because starting takes longest.

import process from 'node:process';
import { TraceMemory } from '../../src/app/trace-memory.ts';
import { loadConfig } from '../../src/config/load.ts';

const [home = '', project = ''] = process.argv.slice(2);
const config = loadConfig({ cwd: project, env: { HOME: home } });
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
const memory = await TraceMemory.open(config);
process.stdout.write(`done ${JSON.stringify(memory.problems)}\n`);
await memory.close();
process.exit(0);
