// A process that forgets a conversation, or a text, for tests that kill it: `<home> <project> <name> | text <text>`; it waits for a word,
// because starting takes longest.

import process from 'node:process';
import { forget, planForget } from '../../src/app/forget.ts';
import { loadConfig } from '../../src/config/load.ts';

const [home = '', project = '', what = '', text = ''] = process.argv.slice(2);
const config = loadConfig({ cwd: project, env: { HOME: home } });
const now = (): Date => new Date();
const request =
  what === 'text' ? ({ what: 'text', texts: [text], as: 'remove' } as const) : ({ what: 'name', name: what } as const);
const plan = await planForget(config, request, { now });
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
await forget(config, plan, { now });
process.stdout.write('done\n');
process.exit(0);
