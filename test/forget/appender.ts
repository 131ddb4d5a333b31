// A process that writes injections, for a test that forgets some meanwhile: `<user root> <name> <count>`; every second one is of the session
// that goes.

import process from 'node:process';
import { appendInjection } from '../../src/learning/injection-log.ts';

const [userRoot = '', name = '', count = '0'] = process.argv.slice(2);
for (let number = 0; number < Number(count); number++)
  for (const session of [`${name}-${number}`, 'gone'])
    appendInjection(userRoot, {
      time: '2026-05-10T09:05:00.000Z',
      event: 'UserPromptSubmit',
      session,
      project: '/p',
      prompt: { hash: 'h', start: `of ${session}` },
      entries: [],
      tokens: 3,
    });
