import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failure } from '../../test/fixtures/record-store.ts';
import { newFolder, put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { CairnError } from '../errors.ts';
import { type LockOptions, type LostOwner, onBrokenLock, owesRepair, type Repair, withLock } from './lock.ts';

const pidSpace = (): string => {
  try {
    return fs.readlinkSync('/proc/self/ns/pid');
  } catch {
    return process.platform;
  }
};

/** A lock as another process would have left it. */
function plantLock(lockDir: string, owner: object | undefined, ageMs = 0): void {
  fs.mkdirSync(lockDir);
  if (owner)
    put(path.join(lockDir, 'owner.json'), { token: 'other', host: os.hostname(), space: pidSpace(), ...owner });
  const then = (Date.now() - ageMs) / 1000;
  fs.utimesSync(lockDir, then, then);
}

function deadPid(): number {
  return spawnSync('true').pid;
}

/** A process that is alive until the test ends. */
function livePid(): number {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid!;
}

const SHORT: LockOptions = { waitMs: 60, staleMs: 60_000 };
const takeover = (lockDir: string, options: LockOptions = SHORT): Promise<boolean> =>
  withLock(lockDir, (lock) => lock.tookOver, options);

describe('the lock', () => {
  it('is held while the work runs, belongs to this process, and is gone afterwards', async () => {
    const folder = temporaryFolder();
    const lockDir = path.join(folder, 'lock');
    const answer = await withLock(lockDir, (lock) => {
      const owner = JSON.parse(fs.readFileSync(path.join(lockDir, 'owner.json'), 'utf8'));
      expect(owner).toMatchObject({ pid: process.pid, host: os.hostname() });
      lock.assertHeld();
      return lock.tookOver;
    });
    expect(answer).toBe(false);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('says how old it must be to be taken over, by whoever waits for it', async () => {
    const lockDir = path.join(temporaryFolder(), 'lock');
    await withLock(lockDir, async () => {
      const waits = withLock(lockDir, () => undefined, { waitMs: 10, staleMs: 3_600_000 });
      await expect(waits).rejects.toMatchObject({ fix: expect.stringContaining('a lock older than 3600 s') });
    });
  });

  it('is released when the work throws', async () => {
    const folder = temporaryFolder();
    const work = withLock(path.join(folder, 'lock'), () => Promise.reject(new Error('work failed')));
    await expect(work).rejects.toThrow('work failed');
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('lets one holder in at a time, whatever they wait for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5), { minLength: 2, maxLength: 8 }), async (pauses) => {
        const folder = newFolder();
        let inside = 0;
        let most = 0;
        const work = pauses.map((pause) =>
          withLock(path.join(folder, 'lock'), async (lock) => {
            most = Math.max(most, ++inside);
            await new Promise((resolve) => setTimeout(resolve, pause));
            lock.assertHeld();
            inside--;
          }),
        );
        await Promise.all(work);
        expect(most).toBe(1);
        expect(fs.readdirSync(folder)).toEqual([]);
        fs.rmSync(folder, { recursive: true });
      }),
      { numRuns: 15 },
    );
  });
});

describe('a lock of somebody else', () => {
  it('is taken over at once when its process is dead, however young it is', async () => {
    const folder = temporaryFolder();
    plantLock(path.join(folder, 'lock'), { pid: deadPid() });
    expect(await takeover(path.join(folder, 'lock'), { waitMs: 0, staleMs: 60_000 })).toBe(true);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('is respected until the wait ends when its process is alive; the error says who holds it', async () => {
    const lockDir = path.join(temporaryFolder(), 'lock');
    const pid = livePid();
    plantLock(lockDir, { pid });
    const error = await failure(takeover(lockDir));
    expect(error.code).toBe('LOCK_ERROR');
    expect(error.message).toContain(`process ${pid} on ${os.hostname()}`);
    expect(error.fix).toContain('Nothing was written');
    expect(fs.readdirSync(lockDir)).toEqual(['owner.json']);
  });

  it('is waited for and taken when it is released in time', async () => {
    const lockDir = path.join(temporaryFolder(), 'lock');
    plantLock(lockDir, { pid: livePid() });
    setTimeout(() => fs.rmSync(lockDir, { recursive: true }), 80);
    expect(await takeover(lockDir, { waitMs: 20_000 })).toBe(false);
  });

  it('is taken over when it is older than the stale age, even if its process lives', async () => {
    const lockDir = path.join(temporaryFolder(), 'lock');
    plantLock(lockDir, { pid: livePid() }, 61_000);
    expect(await takeover(lockDir)).toBe(true);
  });

  it.each([
    ['of another machine', { pid: 1, host: 'elsewhere' }],
    ['of another process space', { pid: 1, space: 'pid:[1]' }],
    ['without an owner', undefined],
    ['with an owner that cannot be read', { pid: 'none' }],
  ])('%s is judged by its age alone', async (_, owner) => {
    const folder = temporaryFolder();
    const dead = owner && owner.pid === 1 ? { ...owner, pid: deadPid() } : owner;
    plantLock(path.join(folder, 'young'), dead);
    expect((await failure(takeover(path.join(folder, 'young')))).code).toBe('LOCK_ERROR');
    plantLock(path.join(folder, 'old'), dead, 61_000);
    expect(await takeover(path.join(folder, 'old'))).toBe(true);
  });

  it('may also be a file; then its age counts too', async () => {
    const lockDir = path.join(temporaryFolder(), 'lock');
    fs.writeFileSync(lockDir, '');
    expect((await failure(takeover(lockDir))).code).toBe('LOCK_ERROR');
    fs.utimesSync(lockDir, 0, 0);
    expect(await takeover(lockDir)).toBe(true);
  });

  it('is broken by one process only: the others wait for the one that breaks it', async () => {
    const lockDir = path.join(temporaryFolder(), 'lock');
    plantLock(lockDir, { pid: deadPid() });
    fs.mkdirSync(`${lockDir}.break`);
    expect((await failure(takeover(lockDir))).code).toBe('LOCK_ERROR');
    fs.utimesSync(`${lockDir}.break`, 0, 0); // the breaker was killed long ago
    expect(await takeover(lockDir)).toBe(true);
  });

  it('is taken over at once even if the one that was breaking it died over it', async () => {
    const folder = temporaryFolder();
    const lockDir = path.join(folder, 'lock');
    plantLock(lockDir, { pid: deadPid() });
    plantLock(`${lockDir}.break`, { pid: deadPid() });
    expect(await takeover(lockDir, { waitMs: 1_000 })).toBe(true);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('is taken over by one of many at once', async () => {
    const lockDir = path.join(temporaryFolder(), 'lock');
    for (let round = 0; round < 10; round++) {
      plantLock(lockDir, { pid: deadPid() });
      let inside = 0;
      const work = Array.from({ length: 6 }, () =>
        withLock(lockDir, async (lock) => {
          expect(++inside).toBe(1);
          await new Promise((resolve) => setImmediate(resolve));
          lock.assertHeld();
          inside--;
        }),
      );
      await Promise.all(work);
    }
  });
});

describe('a holder whose lock was taken over', () => {
  it('is told so, and does not release the lock of the new holder', async () => {
    const lockDir = path.join(temporaryFolder(), 'lock');
    const error = await failure(
      withLock(lockDir, (lock) => {
        fs.rmSync(lockDir, { recursive: true });
        plantLock(lockDir, { pid: process.pid });
        lock.assertHeld();
      }),
    );
    expect(error.code).toBe('LOCK_ERROR');
    expect(error.message).toContain('taken over');
    expect(fs.existsSync(path.join(lockDir, 'owner.json'))).toBe(true);
  });

  it('stays the holder as long as it shows that it is at work', async () => {
    const lockDir = path.join(temporaryFolder(), 'lock');
    await withLock(lockDir, async (lock) => {
      fs.utimesSync(lockDir, 0, 0);
      lock.assertHeld();
      expect((await failure(takeover(lockDir))).code).toBe('LOCK_ERROR');
    });
  });
});

it('a lock that cannot be made is an error of its own', async () => {
  const error = await failure(withLock(path.join(temporaryFolder(), 'missing', 'lock'), () => undefined));
  expect(error.code).toBe('LOCK_ERROR');
  expect(error.fix).toBeTruthy();
});

describe('what a lost owner left', () => {
  const lostIn = (): string => {
    const lockDir = path.join(temporaryFolder(), 'lock');
    plantLock(lockDir, { pid: deadPid() });
    return lockDir;
  };

  it('is repaired before the work begins, once', async () => {
    const lockDir = lostIn();
    const steps: string[] = [];
    const repair: Repair = (lock, lost) => {
      lock.assertHeld();
      steps.push(`repair after ${lost.length}`);
      return true;
    };
    const work = (): void => void steps.push('work');
    await withLock(lockDir, work, { repair });
    await withLock(lockDir, work, { repair });
    expect(steps).toEqual(['repair after 1', 'work', 'work']);
    expect(fs.readdirSync(path.dirname(lockDir))).toEqual([]);
  });

  it('stays owed while those who take the lock cannot repair it, or die over it', async () => {
    const lockDir = lostIn();
    const isOwed = (): boolean => owesRepair(lockDir);
    expect(isOwed()).toBe(true);
    await withLock(lockDir, ({ tookOver }) => expect(tookOver).toBe(true), { repair: 'later' });
    expect(isOwed()).toBe(true);
    await withLock(lockDir, () => undefined, { repair: () => false });
    expect(isOwed()).toBe(true);
    await failure(
      withLock(lockDir, () => undefined, {
        repair: () => {
          throw new CairnError('READ_ERROR', 'not now');
        },
      }),
    );
    expect(isOwed()).toBe(true);
    plantLock(lockDir, { pid: deadPid() }); // one who took it and was killed while he repaired
    const seen: LostOwner[] = [];
    const repair: Repair = (_, lost) => seen.push(...lost) > 0;
    await withLock(lockDir, () => undefined, { repair });
    expect(seen).toHaveLength(2);
    expect(isOwed()).toBe(false);
    expect(fs.readdirSync(path.dirname(lockDir))).toEqual([]);
  });

  it('is repaired though the one who broke the lock was killed before he held it', async () => {
    const lockDir = lostIn();
    await withLock(lockDir, () => undefined, { repair: 'later' }); // as far as he came
    expect(fs.existsSync(lockDir)).toBe(false);
    let repaired = 0;
    await withLock(lockDir, () => undefined, { repair: () => ++repaired > 0 });
    expect(repaired).toBe(1);
  });

  it('is said when the lock is broken, with the reason', async () => {
    const told: string[] = [];
    onBrokenLock((text) => told.push(text));
    onTestFinished(() => onBrokenLock(() => undefined));
    const lockDir = path.join(temporaryFolder(), 'lock');
    const pid = deadPid();
    plantLock(lockDir, { pid });
    await takeover(lockDir);
    plantLock(lockDir, { pid: 1, host: 'elsewhere' }, 75_000);
    await takeover(lockDir);
    await takeover(lockDir);
    expect(told).toEqual([
      `the stale lock ${lockDir} was broken: process ${pid} no longer runs`,
      `the stale lock ${lockDir} was broken: process 1 on elsewhere has not been heard of for 75 s`,
    ]);
  });
});

describe.skipIf(process.platform !== 'linux')('a process number', () => {
  it('that was given to another process since is no sign of life', async () => {
    const lockDir = path.join(temporaryFolder(), 'lock');
    const pid = livePid();
    plantLock(lockDir, { pid, started: '1' });
    expect(await takeover(lockDir, { waitMs: 0, staleMs: 60_000 })).toBe(true);
  });

  it('of a process that ended and was not waited for is no sign of life either', async () => {
    const lockDir = path.join(temporaryFolder(), 'lock');
    // The shell becomes a program that never waits for its children, before the child ends: a shell would have waited for it.
    const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
    const state = (): string => fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]![0]!;
    while (state() !== 'Z') await new Promise((resolve) => setTimeout(resolve, 10));
    plantLock(lockDir, { pid });
    expect(await takeover(lockDir, { waitMs: 0, staleMs: 60_000 })).toBe(true);
  });

  it('of a process that is stopped is one, until the lock is over its age', async () => {
    const lockDir = path.join(temporaryFolder(), 'lock');
    const pid = livePid();
    process.kill(pid, 'SIGSTOP');
    plantLock(lockDir, { pid });
    expect((await failure(takeover(lockDir))).code).toBe('LOCK_ERROR');
  });
});
