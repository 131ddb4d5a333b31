// What a failure leaves behind: enough to tell what broke, and nothing that anybody said or kept secret.
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import { runHook } from '../faces/hooks/run-hook.ts';
import { parseJsonObject } from '../files/json-file.ts';
import { failureLog, logFailure } from './failure-log.ts';

// Assembled, so that no scanner takes this file for a leak.
const secret = ['k7Qz', 'R2mX', '9bTn', 'W4vL', 'p8Yd'].join('');
const password = ['kT6!', 'vbLm2'].join('');

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

async function logged(cause: unknown): Promise<string> {
  const root = temporaryFolder();
  await logFailure(root, 'stop', cause);
  return fs.readFileSync(failureLog(root), 'utf8');
}

describe('the log of failures', () => {
  it.each([
    ['a remote', new Error(`git fetch https://app:${secret}@git.internal/app failed`), secret],
    ['a command', new Error(`Command failed: psql "password=${password}"`), password],
    ['a private passage', new Error(`cannot read <private>the yellow note ${password}</private> here`), password],
    ['a value that is no error', `token=${secret}`, secret],
    [
      'a further line of the message',
      new Error(`refused:\n  the user said ${password}\n  DB_PASSWORD=${password}`),
      password,
    ],
    [
      'a secret where the message is cut',
      new Error(`${'x '.repeat(990)}API_TOKEN=${secret}${secret}`),
      secret.slice(0, 8),
    ],
    ['the letters that JSON.parse quotes', thrownBy(() => parseJsonObject(`[1, 2, ${password}]`, 'a.json')), password],
    ['a text that JSON.parse quotes whole', thrownBy(() => JSON.parse(password) as unknown), password.slice(1)],
    ['the letters that SQLite quotes', new Error(`fts5: syntax error near "${password}"`), password],
  ])('keeps no secret of %s', async (_what, cause, hidden) => {
    const text = await logged(cause);
    expect(text).not.toContain(hidden);
    expect(JSON.parse(text)).toMatchObject({ event: 'stop' });
  });

  it('says what broke and where', async () => {
    const entry = JSON.parse(await logged(new Error('index.md cannot be read: EACCES'))) as {
      cause: string;
      stack: string[];
    };
    expect(entry.cause).toBe('index.md cannot be read: EACCES');
    expect(entry.stack.length).toBeGreaterThan(0);
    for (const frame of entry.stack) expect(frame).toMatch(/^at /);
    const broken = JSON.parse(await logged(thrownBy(() => parseJsonObject('[1, 2, x]', 'a.json')))) as {
      cause: string;
    };
    expect(broken.cause).toMatch(/^a\.json cannot be read: it is not JSON \(Unexpected token/);
  });

  it('is written before a hook ends', async () => {
    const home = temporaryFolder();
    const bytes = [Buffer.from(JSON.stringify({ session_id: 's', cwd: home }))];
    const exit = await runHook(
      'stop',
      (_payload, { problem }) => {
        problem(new Error(`half: DB_PASSWORD=${password}`));
        throw new Error(`all: DB_PASSWORD=${password}`);
      },
      {
        env: { HOME: home, CAIRN_HOME: home },
        cwd: () => home,
        input: (give) => give(bytes.shift()),
        out: () => undefined,
        err: () => undefined,
      },
    );
    const text = fs.readFileSync(failureLog(home), 'utf8');
    expect(exit).toBe(0);
    expect(text.trim().split('\n')).toHaveLength(2);
    expect(text).not.toContain(password);
  });
});
