// Several processes that open a database which none of them has made yet: one makes it, all have it.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bundle } from '../fixtures/bundle.ts';
import { temporaryFolder } from '../fixtures/temporary.ts';

const [PROCESSES, ROUNDS] = [6, 200];

it('a database is made by one of many processes and opened by all', { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  const program = await bundle('test/store/opener.ts');
  const openers: ChildProcess[] = [];
  try {
    for (let each = 0; each < PROCESSES; each++) {
      const opener = fork(program.file);
      openers.push(opener);
      await once(opener, 'message');
    }
    for (let round = 0; round < ROUNDS; round++) {
      const told = { file: path.join(folder, `${round}.db`), at: Date.now() + 5 };
      const answers = openers.map((opener) => {
        const answer = once(opener, 'message');
        opener.send(told);
        return answer.then(([said]) => said);
      });
      expect(await Promise.all(answers)).toEqual(openers.map(() => 'opened'));
    }
  } finally {
    for (const opener of openers) opener.kill();
    program.remove();
  }
});
