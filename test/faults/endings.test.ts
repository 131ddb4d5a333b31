// The end of a session is done, if not now then later: the hook is killed, the memory is locked by somebody else, the worker dies. The
// real binary with its real workers; what is left is done when the next session of the project begins or ends.

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allEndings, endingsFolder, noteEnding } from '../../src/app/hooks/pending-endings.ts';
import { appendJournal } from '../../src/capture/journal.ts';
import { withLock } from '../../src/files/lock.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { loadNotes } from '../../src/notes/vault.ts';
import { temporaryFolder } from '../fixtures/temporary.ts';
import { Tally } from './tally.ts';

const BINARY = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
const DAY_MS = 86_400_000;
const tally = new Tally('endings of sessions');

class Place {
  readonly base = temporaryFolder();
  project = path.join(this.base, 'project');
  readonly userRoot = path.join(this.base, '.cairn');

  constructor() {
    fs.mkdirSync(path.join(this.project, '.git'), { recursive: true });
    onTestFinished(() => this.quiet());
  }

  get memory(): string {
    return path.join(this.project, '.claude/memory');
  }

  move(name: string): void {
    const moved = path.join(this.base, name);
    fs.renameSync(this.project, moved);
    this.project = moved;
  }

  get env(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: this.base, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  }

  /** A session that changed a file, so that there is something to note. */
  work(session: string): void {
    const place = { userRoot: this.userRoot, projectRoot: this.project, sessionId: session };
    appendJournal(place, { kind: 'edit', time: new Date().toISOString(), path: `src/${session}.ts` });
  }

  payload(event: string, session: string): string {
    return JSON.stringify({ session_id: session, cwd: this.project, hook_event_name: event, transcript_path: '' });
  }

  hook(name: string, event: string, session: string): void {
    const { status, stderr } = spawnSync(process.execPath, [BINARY, 'hook', name], {
      cwd: this.project,
      env: this.env,
      input: this.payload(event, session),
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }

  /** Kills the hook so many milliseconds after its start; true if it had not ended by itself. */
  async killed(session: string, afterMs: number): Promise<boolean> {
    const child = spawn(process.execPath, [BINARY, 'hook', 'session-end'], {
      cwd: this.project,
      env: this.env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.on('error', () => {});
    child.stdin.end(this.payload('SessionEnd', session));
    setTimeout(() => child.kill('SIGKILL'), afterMs);
    return (await new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)))) === 'SIGKILL';
  }

  get pending(): string[] {
    return allEndings(this.userRoot).map(({ payload }) => String(payload.session_id));
  }

  get noted(): string[] {
    return loadNotes(this.memory).notes.flatMap(({ kind, sessionId }) => (kind.type === 'session' ? [sessionId!] : []));
  }

  /** Workers go on when their hook has ended: until none of them is there. */
  async quiet(): Promise<void> {
    const ours = (): boolean =>
      fs.readdirSync('/proc').some((pid) => {
        if (!/^\d+$/.test(pid)) return false;
        try {
          const isWorker = fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('-worker');
          return isWorker && fs.readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`HOME=${this.base}\0`);
        } catch {
          return false;
        }
      });
    while (ours()) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe.skipIf(process.platform !== 'linux')('the end of a session', { timeout: 300_000 }, () => {
  it('leaves nothing behind when it could be done', async () => {
    const place = new Place();
    place.work('one');
    place.hook('session-end', 'SessionEnd', 'one');
    await place.quiet();
    expect({ pending: place.pending, noted: place.noted }).toEqual({ pending: [], noted: ['one'] });
  });

  it('is done after the project was moved, by the next session there, with what its journal says', async () => {
    for (const isNoted of [false, true]) {
      const place = new Place();
      const cli = (...argv: string[]): void => {
        const { status, stderr } = spawnSync(process.execPath, [BINARY, ...argv], {
          cwd: place.project,
          env: place.env,
          encoding: 'utf8',
        });
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      };
      cli('backfill'); // a project is known once a command or a worker has looked at it
      place.work('one');
      const payload = JSON.parse(place.payload('SessionEnd', 'one')) as JsonObject;
      noteEnding(place.userRoot, place.project, { ...payload, ended_at: new Date().toISOString() });
      place.move('elsewhere');
      if (isNoted) cli('backfill');
      place.hook('session-start', 'SessionStart', 'two');
      await place.quiet();
      expect({ pending: place.pending, noted: place.noted }).toEqual({ pending: [], noted: ['one'] });
      const [note] = loadNotes(place.memory).notes.filter(({ sessionId }) => sessionId === 'one');
      expect(fs.readFileSync(note!.file, 'utf8')).toContain('src/one.ts');
    }
  });

  it('of another project that is gone is left to it', async () => {
    const place = new Place();
    const gone = path.join(place.base, 'never-known');
    const payload = JSON.parse(place.payload('SessionEnd', 'other')) as JsonObject;
    noteEnding(place.userRoot, gone, { ...payload, cwd: gone, ended_at: new Date().toISOString() });
    place.hook('session-start', 'SessionStart', 'two');
    await place.quiet();
    expect({ pending: place.pending, noted: place.noted }).toEqual({ pending: ['other'], noted: [] });
  });

  it('is done by the next session that begins, if its hook was killed', async () => {
    const place = new Place();
    const sessions: string[] = [];
    // On a machine with much to do a hook takes ten times as long: the moments are parts of what one takes here and now.
    place.work('whole');
    const begun = performance.now();
    place.hook('session-end', 'SessionEnd', 'whole');
    const took = performance.now() - begun;
    for (let at = 0; at < 12; at++) {
      const session = `killed-${at}`;
      place.work(session);
      const wasKilled = await place.killed(session, took * (0.3 + at * 0.07));
      const isKnown = place.pending.includes(session) || place.noted.includes(session);
      // Killed before it had read that a session ended, it cannot know.
      if (isKnown) sessions.push(session);
      tally.count(wasKilled ? 'hook killed' : 'hook was quicker', session, []);
    }
    expect(sessions.length).toBeGreaterThan(0);
    place.hook('session-start', 'SessionStart', 'next');
    await place.quiet();
    const left = sessions.filter((each) => !place.noted.includes(each));
    expect(tally.count('killed, then done by the next', `${sessions.length} sessions`, left)).toEqual([]);
    expect(place.pending).toEqual([]);
    const index = fs.readFileSync(path.join(place.memory, 'index.md'), 'utf8');
    expect(index).toContain('## Recent Sessions');
  });

  it('is done later, by the next that begins or ends, if somebody else held the lock of the memory all the time', async () => {
    const after = async (name: string, event: string): Promise<void> => {
      const place = new Place();
      fs.mkdirSync(place.memory, { recursive: true });
      await withLock(path.join(place.memory, '.index.lockdir'), async () => {
        for (const session of ['first', 'second']) {
          place.work(session);
          place.hook('session-end', 'SessionEnd', session);
        }
        await place.quiet();
      });
      expect(place.pending.sort()).toEqual(['first', 'second']);
      expect(place.noted).toEqual([]);
      place.hook(name, event, 'third');
      await place.quiet();
      const left = ['first', 'second'].filter((each) => !place.noted.includes(each));
      expect(tally.count('locked out, then done', name, [...left, ...place.pending])).toEqual([]);
    };
    // A worker waits twenty seconds for a lock: both at once.
    await Promise.all([after('session-start', 'SessionStart'), after('session-end', 'SessionEnd')]);
  });

  it('that stays undone is told by doctor, and let go with a line in the log after a month', async () => {
    const place = new Place();
    place.work('old');
    const noted = (daysAgo: number, attempts: number): void => {
      const since = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
      const payload = { session_id: 'old', cwd: place.project, ended_at: since, hook_event_name: 'SessionEnd' };
      fs.mkdirSync(endingsFolder(place.userRoot), { recursive: true });
      fs.writeFileSync(
        path.join(endingsFolder(place.userRoot), 'old.json'),
        JSON.stringify({ project: '/elsewhere/gone', payload, attempts, since }),
      );
    };
    const doctor = (): string =>
      spawnSync(process.execPath, [BINARY, 'doctor', '--json'], {
        cwd: place.project,
        env: place.env,
        encoding: 'utf8',
      }).stdout;
    noted(2, 3);
    expect(doctor()).toContain('1 session has ended without being closed');
    noted(40, 3);
    const file = path.join(endingsFolder(place.userRoot), 'old.json');
    fs.renameSync(file, fileNamedBy(place));
    place.hook('session-end', 'SessionEnd', 'new');
    place.hook('session-end-worker', 'SessionEnd', 'new');
    expect(place.pending).toEqual([]);
    expect(fs.readFileSync(path.join(place.userRoot, 'log/hooks.log'), 'utf8')).toContain('was never done');
  });
});

/** The name that such an ending has. */
function fileNamedBy(place: Place): string {
  const { payload } = allEndings(place.userRoot)[0]!;
  const digest = spawnSync('sha256sum', { input: String(payload.session_id), encoding: 'utf8' }).stdout.slice(0, 24);
  return path.join(endingsFolder(place.userRoot), `${digest}.json`);
}
