// Session notes say what a person asked and did: they are private unless the user wants them committed. Real git says what is ignored,
// what would be added, and what was committed.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendJournal } from '../../src/capture/journal.ts';
import { put, temporaryFolder } from '../fixtures/temporary.ts';

const BINARY = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
const SESSION = 'abc12345-1111-4222-8333-444455556666';
/** A note begins what was asked with a capital: whatever must not be there is looked for by words that nothing changes. */
const SECRET = 'Why does nobody trust the ferry schedule';
const WORDS = 'ferry schedule';

class Place {
  readonly base = temporaryFolder();
  readonly project = path.join(this.base, 'project');
  readonly memory = path.join(this.project, '.claude/memory');

  constructor() {
    fs.mkdirSync(this.project);
    this.git('init', '-q');
    this.git('config', 'user.email', 'a@example.org');
    this.git('config', 'user.name', 'A');
  }

  git(...args: string[]): string {
    return execFileSync('git', args, {
      cwd: this.project,
      encoding: 'utf8',
      env: { ...this.env, GIT_CONFIG_GLOBAL: '/dev/null' },
    });
  }

  get env(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: this.base, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  }

  cairn(argv: readonly string[], input = '') {
    return spawnSync(process.execPath, [BINARY, ...argv], {
      cwd: this.project,
      env: this.env,
      input,
      encoding: 'utf8',
    });
  }

  must(...argv: string[]): string {
    const { status, stdout, stderr } = this.cairn(argv);
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  }

  /** A session that asked something and changed a file; its end, with the worker's part. */
  endSession(session = SESSION): void {
    const transcript = path.join(this.base, `${session}.jsonl`);
    const message = { role: 'user', content: SECRET };
    put(transcript, `${JSON.stringify({ type: 'user', timestamp: new Date().toISOString(), message })}\n`);
    const place = { userRoot: path.join(this.base, '.cairn'), projectRoot: this.project, sessionId: session };
    appendJournal(place, { kind: 'edit', time: new Date().toISOString(), path: 'src/a.ts' });
    const payload = {
      session_id: session,
      cwd: this.project,
      hook_event_name: 'SessionEnd',
      transcript_path: transcript,
    };
    expect(this.cairn(['hook', 'session-end-worker'], JSON.stringify(payload)).status).toBe(0);
  }

  get sessions(): string[] {
    const folder = path.join(this.memory, 'nodes/sessions');
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  }

  isIgnored(file: string): boolean {
    return spawnSync('git', ['check-ignore', '-q', file], { cwd: this.project, env: this.env }).status === 0;
  }

  get untracked(): string[] {
    return this.git('status', '--porcelain', '-uall')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.slice(3));
  }
}

describe('session notes', () => {
  it('are ignored by git, for their owner alone, and not quoted by index.md', () => {
    const place = new Place();
    place.must('save', 'preference', 'Boats are counted by colour');
    place.endSession();
    const [note] = place.sessions;
    expect(fs.readFileSync(note!, 'utf8')).toContain(SECRET);
    expect(place.isIgnored(note!)).toBe(true);
    expect(place.untracked.some((name) => name.includes('sessions'))).toBe(false);
    expect(place.untracked).toContain('.claude/memory/index.md');
    if (process.platform !== 'win32') {
      expect(fs.statSync(note!).mode & 0o777).toBe(0o600);
      expect(fs.statSync(path.dirname(note!)).mode & 0o777).toBe(0o700);
    }
    const index = fs.readFileSync(path.join(place.memory, 'index.md'), 'utf8');
    expect(index).toMatch(/## Recent Sessions\n- \[\[session-[\d-]+-abc12345\]\] - \d{4}-\d\d-\d\d\n/);
    place.git('add', '-A');
    expect(place.git('grep', '--cached', '-c', 'Boats').trim()).not.toBe('');
    expect(spawnSync('git', ['grep', '--cached', '-q', WORDS], { cwd: place.project }).status).toBe(1);
  });

  it('are for committing if the user says so, and private again if he takes it back', () => {
    const place = new Place();
    place.must('save', 'preference', 'Boats are counted by colour');
    place.endSession();
    const [note] = place.sessions;
    fs.appendFileSync(path.join(place.memory, '.gitignore'), 'mine.txt\n');
    place.must('config', 'set', 'capture.commit_sessions', 'true');
    expect(place.isIgnored(note!)).toBe(false);
    expect(place.untracked.some((name) => name.includes('nodes/sessions/'))).toBe(true);
    expect(fs.readFileSync(path.join(place.memory, 'index.md'), 'utf8')).toContain(SECRET);
    place.must('config', 'unset', 'capture.commit_sessions');
    expect(place.isIgnored(note!)).toBe(true);
    expect(fs.readFileSync(path.join(place.memory, 'index.md'), 'utf8')).not.toContain(WORDS);
    expect(fs.readFileSync(path.join(place.memory, '.gitignore'), 'utf8')).toContain('mine.txt\n');
    place.must('config', 'set', 'capture.commit_sessions', 'true');
    place.endSession('second-session');
    expect(place.isIgnored(note!)).toBe(false);
  });

  it('become private in a memory that is there already, with the next write; doctor names those that git has', () => {
    const place = new Place();
    place.must('save', 'preference', 'Boats are counted by colour');
    const old = path.join(place.memory, 'nodes/sessions/session-2026-01-01-older.md');
    put(old, `---\nid: session-2026-01-01-older\ntype: session\nstatus: archived\n---\n\n# Session\n${SECRET}\n`);
    fs.writeFileSync(path.join(place.memory, '.gitignore'), 'graph.json\n# mine\n*.log\n');
    place.git('add', '-A');
    place.git('commit', '-q', '-m', 'x');
    place.must('note', 'new', 'discovery', 'Reeds');
    expect(fs.readFileSync(path.join(place.memory, '.gitignore'), 'utf8')).toMatch(
      /^graph\.json\n# mine\n\*\.log\n# .*\n\/nodes\/sessions\/\n# .*\n\/sessions\/summary-\*\.json\n$/,
    );
    place.endSession();
    expect(place.sessions.filter((file) => place.isIgnored(file))).toHaveLength(1); // git keeps what it has
    expect(place.git('ls-files', '--', old).trim()).not.toBe('');
    const { stdout } = place.cairn(['doctor', '--json']);
    expect(stdout).toContain('1 session note is in the repository, though they are private');
    const command = /git -C '[^']+' (rm -r --cached --quiet -- nodes\/sessions)/.exec(stdout)![1]!;
    execFileSync('git', ['-C', place.memory, ...command.split(' ')]);
    expect(fs.existsSync(old)).toBe(true);
    expect(place.cairn(['doctor', '--json']).stdout).not.toContain('in the repository, though');
    expect(place.isIgnored(old)).toBe(true);
  });

  it('are left out by auto_commit, also where git has one already, and the rest is committed', () => {
    const place = new Place();
    place.must('save', 'preference', 'Boats are counted by colour');
    place.must('config', 'set', 'auto_commit', 'true');
    place.endSession();
    const committed = (): string[] => place.git('ls-files').trim().split('\n');
    expect(committed()).toContain('.claude/memory/index.md');
    expect(committed().some((name) => name.includes('sessions'))).toBe(false);
    place.git('add', '-f', place.sessions[0]!);
    place.git('commit', '-q', '-m', 'by hand');
    const before = place.git('rev-parse', `HEAD:${path.relative(place.project, place.sessions[0]!)}`);
    const place2 = { userRoot: path.join(place.base, '.cairn'), projectRoot: place.project, sessionId: SESSION };
    appendJournal(place2, { kind: 'edit', time: new Date().toISOString(), path: 'src/b.ts' });
    place.endSession();
    expect(fs.readFileSync(place.sessions[0]!, 'utf8')).toContain('src/b.ts');
    expect(place.git('rev-parse', `HEAD:${path.relative(place.project, place.sessions[0]!)}`)).toBe(before);
    const log = path.join(place.base, '.cairn/log/hooks.log');
    expect(fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '').toBe('');
  });

  it('stay as a person has decided in the .gitignore', () => {
    const summaries = '# So are the summaries that Cairn makes of them.\n/sessions/summary-*.json\n';
    // Whoever decided about the notes alone has not decided about the summaries.
    for (const [line, added] of [
      ['*', ''],
      ['/nodes/', summaries],
      ['!/nodes/sessions/', summaries],
      ['sessions/', ''],
      ['!sessions/*', ''],
    ]) {
      const place = new Place();
      put(path.join(place.memory, '.gitignore'), `${line}\n`);
      place.must('note', 'new', 'discovery', 'Reeds');
      expect(fs.readFileSync(path.join(place.memory, '.gitignore'), 'utf8')).toBe(`${line}\n${added}`);
    }
  });
});
