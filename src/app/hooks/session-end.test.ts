import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleRecord } from '../../../test/fixtures/sample-records.ts';
import { newFolder, put, temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { appendJournal } from '../../capture/journal.ts';
import { loadConfig } from '../../config/load.ts';
import { removeBusyFolder } from '../../files/remove-busy-folder.ts';
import { askGraph } from '../../indexing/graph/graph-file.ts';
import { putNote } from '../../notes/edit-note.ts';
import { sectionsOfGraph } from '../../notes/front-page.ts';
import { loadNotes, type StoredNote } from '../../notes/vault.ts';
import { rebuildIndex, validateIndex } from '../../records/index-upkeep.ts';
import { openProject } from '../project.ts';

const SESSION = 'abc12345-1111-4222-8333-444455556666';
const DAY_MS = 86_400_000;

/**
 * The two hooks as a program of their own: the worker is started as a process, which must be found by its file. Its clock
 * stands still, so that a busy machine does not make the quick part hand over to the worker.
 */
let folder: string;
let program: string;

beforeAll(async () => {
  folder = newFolder();
  program = path.join(folder, 'hooks.cjs');
  await build({
    stdin: {
      resolveDir: import.meta.dirname,
      loader: 'ts',
      contents: `
        import { appendFileSync, readFileSync } from 'node:fs';
        import { loadConfig } from '../../config/load.ts';
        import { logFailure } from '../failure-log.ts';
        import { sessionEnd, sessionEndWorker } from './session-end.ts';
        import { startWorker, takePayload } from '../../faces/launcher/start-worker.ts';
        const handlers = { 'session-end': sessionEnd, 'session-end-worker': sessionEndWorker };
        async function main() {
          const event = process.argv[3];
          if (process.env.TEST_LOG) appendFileSync(process.env.TEST_LOG, process.pid + ' ' + event + '\\n');
          const payload = JSON.parse(takePayload(process.env) ?? readFileSync(0, 'utf8'));
          const config = loadConfig({ cwd: payload.cwd });
          const problem = (cause) => logFailure(config.paths.userRoot, event, cause);
          const start = async (worker, told) => (worker in handlers ? startWorker(worker, told, process.env) : undefined);
          const now = new Date();
          const answer = await handlers[event](payload, { env: process.env, now: () => now, config, problem, start });
          process.stdout.write(JSON.stringify(answer));
        }
        main();`,
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    logLevel: 'warning',
  });
});
afterAll(() => removeBusyFolder(folder));

class Project {
  readonly base = temporaryFolder();
  readonly root = path.join(this.base, 'project');
  readonly memory = path.join(this.root, '.claude', 'memory');
  readonly home = path.join(this.base, 'home');
  readonly client = path.join(this.base, 'client');
  readonly transcript = path.join(this.client, 'projects', 'project', `${SESSION}.jsonl`);
  readonly log = path.join(this.base, 'processes');
  time = Date.now();

  constructor() {
    fs.mkdirSync(this.root, { recursive: true });
    fs.mkdirSync(this.home, { recursive: true });
  }

  readonly vault = {
    root: this.memory,
    lockDir: path.join(this.memory, '.index.lockdir'),
    deletedCopies: path.join(this.home, 'archive', 'notes'),
    now: (): Date => new Date(this.time),
  };

  get environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      HOME: this.home,
      CAIRN_HOME: this.home,
      CLAUDE_PROJECT_DIR: this.root,
      TEST_LOG: this.log,
    };
  }

  payload(more = {}) {
    return { session_id: SESSION, transcript_path: this.transcript, cwd: this.root, reason: 'other', ...more };
  }

  /** Half an hour ago, a person asked for something. */
  talk(): void {
    const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
    const timestamp = new Date(Date.now() - 30 * 60_000).toISOString();
    put(
      this.transcript,
      line({ type: 'user', timestamp, message: { role: 'user', content: 'Fix the auth bug' } }) +
        line({ type: 'assistant', timestamp, message: { id: 'm1', content: [{ type: 'text', text: 'Done.' }] } }),
    );
  }

  end(more = {}): string {
    const run = spawnSync(process.execPath, [program, 'hook', 'session-end'], {
      input: JSON.stringify(this.payload(more)),
      env: this.environment,
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    return run.stdout;
  }

  get started(): string[] {
    const text = fs.existsSync(this.log) ? fs.readFileSync(this.log, 'utf8') : '';
    return text.split('\n').filter(Boolean);
  }

  /** Waits until so many processes were started and are over. */
  async quiet(processes: number): Promise<void> {
    for (;;) {
      const started = this.started.map((line) => Number.parseInt(line, 10));
      if (started.length >= processes && !started.some(isAlive)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async generated(type: 'task' | 'discovery' | 'session', id: string, more = {}, daysAgo = 0): Promise<void> {
    this.time = Date.now() - daysAgo * DAY_MS;
    await putNote(this.vault, { type, id, title: `Title of ${id}`, ...more });
    this.time = Date.now();
  }

  get notes(): StoredNote[] {
    return loadNotes(this.memory).notes;
  }

  note(id: string): StoredNote | undefined {
    return this.notes.find((each) => each.id === id);
  }

  get sessions(): StoredNote[] {
    return this.notes.filter(({ kind, sessionId }) => kind.type === 'session' && sessionId === SESSION);
  }

  get index(): string {
    return fs.readFileSync(path.join(this.memory, 'index.md'), 'utf8');
  }

  get failures(): string {
    const log = path.join(this.home, 'log', 'hooks.log');
    return fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '';
  }
}

/** A process that is over, but that nobody has asked for its exit code yet, is not alive. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return !fs.existsSync(stat) || !/\) Z /.test(fs.readFileSync(stat, 'utf8'));
  } catch {
    return false;
  }
}

describe('the end of a session', () => {
  it('writes its note with links to what was done, and shows it in index.md, without a worker', async () => {
    const project = new Project();
    project.talk();
    await project.generated('task', 'task-a', { status: 'completed', fields: { session_id: SESSION } });
    await project.generated('task', 'task-b', { status: 'in_progress', fields: { session_id: SESSION } });
    await project.generated('task', 'task-other', { status: 'pending', fields: { session_id: 'other' } });
    await project.generated('discovery', 'discovery-a', { fields: { session_id: SESSION } });
    await project.generated('discovery', 'discovery-old', {}, 3);
    const now = new Date().toISOString();
    put(
      path.join(project.memory, 'decisions', 'use-jwt.json'),
      sampleRecord('decision', { id: 'use-jwt', title: 'Use JWT', created_at: now, updated_at: now }),
    );
    expect(project.end()).toBe('{"exit":0}');
    expect(project.started).toHaveLength(1);
    expect(project.failures).toBe('');
    const [session] = project.sessions;
    expect(session!.id).toMatch(/^session-\d{4}-\d\d-\d\d-abc12345$/);
    expect(session!.links.map(({ to }) => to)).toEqual(['task-a', 'task-b', 'use-jwt', 'discovery-a']);
    expect(session!.frontMatter.get('duration_minutes')).toBe(30);
    expect(session!.frontMatter.get('message_count')).toBe(2);
    expect(session!.gist).toBe('Fix the auth bug');
    expect(project.note('task-a')!.links.map(({ to }) => to)).toEqual([session!.id]);
    expect(project.index).toContain(`## Recent Sessions\n- [[${session!.id}]] - ${session!.updated.slice(0, 10)}\n`);
    expect(project.index).toContain('- [ ] Title of task-b ([[task-b]])');
    expect(project.index).toContain('- [DECISION] Use JWT -> .claude/memory/decisions/use-jwt.json');
    expect(fs.readFileSync(path.join(project.memory, '.gitignore'), 'utf8')).toContain('graph.json');
  });

  const conversation = (filling = ''): string => {
    const line = (value: object): string => `${JSON.stringify({ sessionId: SESSION, timestamp: TIME, ...value })}\n`;
    const asks = (content: string): string => line({ type: 'user', message: { role: 'user', content } });
    const says = (...content: object[]): string =>
      line({ type: 'assistant', message: { id: `m${content.length}`, content } });
    const token = `ghp_${'a1B2c3D4'.repeat(5)}`;
    return [
      asks(
        `hmm, can you make the upload refuse more than ten files? It is slow. Use ${token} for the tests. ${filling}`,
      ),
      says({
        type: 'tool_use',
        id: 't1',
        name: 'Bash',
        input: { command: 'git commit -m "feat(upload): refuse more than ten files"' },
      }),
      line({
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] },
      }),
      says({
        type: 'text',
        text: 'The root cause was a missing limit in the upload handler. Fixed by refusing more than ten files at once.',
      }),
      asks('We always use pnpm here, never npm.'),
      says({ type: 'text', text: 'Understood.' }),
    ].join('');
  };
  const TIME = new Date(Date.now() - 60_000).toISOString();

  it('tells of a conversation that wrote no file what came out, was decided and is wanted for good', async () => {
    const project = new Project();
    put(project.transcript, conversation());
    project.end();
    const { body } = project.sessions[0]!;
    expect(body).toMatch(/^# Session: [\d-]+ \S/m);
    expect(body).toMatch(/## Summary\n(?:.*\n)*?.*refusing more than ten files/);
    expect(body).toMatch(/## Key Decisions Made\n(?:- .*\n)*- We always use pnpm here/);
    expect(body).toMatch(/## Preferences\n- We always use pnpm here/);
    expect(body).toContain('## Commits\n- feat(upload): refuse more than ten files\n');
    expect(body).not.toMatch(/a1B2c3D4|hmm|Understood/);
    await project.quiet(2);
    expect(project.failures).toBe('');
  });

  describe('and the record that sums it up', () => {
    const summaryFile = (project: Project): string =>
      path.join(project.memory, 'sessions', `summary-${TIME.slice(0, 10)}-abc12345.json`);
    const summaryOf = (project: Project) => JSON.parse(fs.readFileSync(summaryFile(project), 'utf8'));
    const ended = async (project: Project, times: number, filling = ''): Promise<void> => {
      put(project.transcript, conversation(filling));
      project.end();
      await project.quiet(2 * times);
    };

    it('is written by the worker, private as the note is', async () => {
      const project = new Project();
      await ended(project, 1);
      expect(project.failures).toBe('');
      expect(summaryOf(project)).toMatchObject({
        category: 'session_summary',
        title: `Summary of ${TIME.slice(0, 10)}`,
        tags: ['session-summary'],
        content: { outcome: 'success', next_actions: [] },
      });
      const { completed, key_changes: changes } = summaryOf(project).content;
      expect(completed).toContain('Committed: feat(upload): refuse more than ten files');
      expect(changes).toContain('Decided: We always use pnpm here, never npm.');
      expect(fs.readFileSync(summaryFile(project), 'utf8')).not.toContain('a1B2c3D4');
      expect(project.index).not.toContain('SESSION_SUMMARY');
      if (process.platform !== 'win32') expect(fs.statSync(summaryFile(project)).mode & 0o077).toBe(0);
      const ignored = fs.readFileSync(path.join(project.memory, '.gitignore'), 'utf8');
      expect(ignored).toContain('\n/sessions/summary-*.json\n');
      const { recordStore } = openProject(
        loadConfig({ cwd: project.root, env: project.environment }),
        () => new Date(),
      );
      expect(validateIndex(recordStore)).toMatchObject({ missing: [], stale: [], invalid: [] });
      await rebuildIndex(recordStore);
      expect(project.index).not.toContain('SESSION_SUMMARY');
    });

    it('follows a session that goes on, and leaves what a person changed', async () => {
      const project = new Project();
      await ended(project, 1);
      const first = summaryOf(project);
      fs.appendFileSync(
        project.transcript,
        `${JSON.stringify({ type: 'user', sessionId: SESSION, timestamp: TIME, message: { role: 'user', content: 'From now on every upload is logged with its size, always.' } })}\n`,
      );
      project.end();
      await project.quiet(4);
      expect(summaryOf(project).content).not.toEqual(first.content);
      expect(summaryOf(project)).toMatchObject({ created_at: first.created_at, times_updated: 1 });
      const theirs = { ...first, content: { ...first.content, goal: 'What I call it' } };
      fs.writeFileSync(summaryFile(project), JSON.stringify(theirs));
      project.end();
      await project.quiet(6);
      expect(summaryOf(project)).toEqual(theirs);
      expect(project.failures).toBe('');
    });

    it('is not written where the category is switched off, or nothing came out', async () => {
      const [off, quiet] = [new Project(), new Project()];
      put(path.join(off.home, 'config.json'), { categories: { session_summary: { auto_capture: false } } });
      put(off.transcript, conversation());
      off.end();
      quiet.talk();
      quiet.end();
      for (const each of [off, quiet]) {
        await each.quiet(1);
        expect(each.started.map((line) => line.split(' ')[1])).toEqual(['session-end']);
        expect(fs.existsSync(path.join(each.memory, 'sessions'))).toBe(false);
      }
    });
  });

  it('leaves a long conversation to the worker, which tells it as a short one is told', async () => {
    const [short, long] = [new Project(), new Project()];
    put(short.transcript, conversation());
    short.end();
    put(long.transcript, conversation('The log says nothing. '.repeat(25_000)));
    long.end();
    await long.quiet(2);
    expect(long.failures).toBe('');
    const told = (project: Project): string => project.sessions[0]!.body.replace(/## Summary[^#]*/, '');
    expect(told(long)).toBe(told(short));
  });

  it('names the files that were written: from the project, with their notes, and none of the memory', async () => {
    const project = new Project();
    project.talk();
    const file = { type: 'file-summary', title: 'src/auth.ts', fields: { path: 'src/auth.ts' } } as const;
    await putNote(project.vault, { ...file, id: 'file-src-auth-ts' });
    const inputs = ['src/auth.ts', 'src/auth.ts', 'docs/a b.md', '.claude/memory/x.json'].map((name) => ({
      file_path: path.join(project.root, name),
    }));
    const calls = [...inputs, { file_path: '/elsewhere/[[x]].ts' }].map((input, id) => ({
      type: 'assistant',
      message: { id: `m${id}`, content: [{ type: 'tool_use', id: `t${id}`, name: 'Edit', input }] },
    }));
    fs.appendFileSync(project.transcript, calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
    project.end();
    expect(project.failures).toBe('');
    expect(project.sessions[0]!.body).toContain(
      [
        '## Files Modified',
        '- [[file-src-auth-ts|src/auth.ts]] (2 edits)',
        '- docs/a b.md (1 edit)',
        '- /elsewhere/x.ts (1 edit)',
        '',
      ].join('\n'),
    );
  });

  it('knows from its journal what it wrote and touched', async () => {
    const project = new Project();
    const place = { userRoot: project.home, projectRoot: project.root, sessionId: SESSION };
    const time = new Date(Date.now() - 10 * 60_000).toISOString();
    await project.generated('task', 'task-of-another', { status: 'completed', fields: { session_id: 'another' } });
    appendJournal(
      place,
      { kind: 'edit', time, path: 'src/a.ts' },
      { kind: 'edit', time, path: 'src/b.ts', count: 4 },
      { kind: 'edit', time, path: 'src/a.ts' },
      { kind: 'task', time, task: '1', note: 'task-of-another' },
    );
    project.end();
    expect(project.failures).toBe('');
    const [session] = project.sessions;
    expect(session!.frontMatter.get('duration_minutes')).toBe(10);
    expect(session!.body).toContain('## Files Modified\n- src/a.ts (2 edits)\n- src/b.ts (4 edits)\n');
    expect(session!.body).toContain('- [x] Title of task-of-another ([[task-of-another]])\n');
  });

  it('gives tasks the status that the client has for them', async () => {
    const project = new Project();
    project.talk();
    const title = 'Add limits';
    await project.generated('task', 'task-a', { title, status: 'pending', fields: { session_id: SESSION } });
    await project.generated('task', 'task-b', { status: 'pending', fields: { session_id: SESSION } });
    const list = path.join(project.client, 'tasks', SESSION);
    put(path.join(list, '1.json'), { id: '1', subject: title, status: 'completed' });
    put(path.join(list, '2.json'), { id: '2', subject: 'Title of task-b', status: 'exploded' });
    put(path.join(list, '3.json'), 'no json');
    project.end();
    expect(project.failures).toBe('');
    expect(project.note('task-a')!.status).toBe('completed');
    expect(project.note('task-b')!.status).toBe('pending');
    expect(project.sessions[0]!.body).toContain('## Tasks Completed\n- [x] Add limits ([[task-a]])\n');
    expect(project.index).not.toContain('task-a');
  });

  it('shows in index.md what a rebuild would show', async () => {
    const project = new Project();
    project.talk();
    await project.generated('task', 'task-a', { status: 'pending', fields: { session_id: SESSION } });
    await project.generated('session', 'session-2026-01-01-older', {}, 3);
    put(path.join(project.memory, 'index.md'), '# Memory Index\n\n## Project Context\nAn API.\n');
    put(path.join(project.memory, 'preferences', 'a.json'), sampleRecord('preference', { title: 'Uses pnpm' }));
    const config = loadConfig({ env: project.environment, cwd: project.root });
    const openedProject = openProject(config, () => new Date());
    const recordStore = {
      ...openedProject.recordStore,
      drawSections: () => askGraph(openedProject.place, sectionsOfGraph),
    };
    await rebuildIndex(recordStore);
    project.end();
    const shown = project.index;
    expect(shown).toContain('## Project Context\nAn API.\n');
    await rebuildIndex(recordStore);
    expect(project.index).toBe(shown);
    fs.rmSync(path.join(project.memory, 'graph.json'));
    await rebuildIndex(recordStore);
    expect(project.index).toBe(shown);
  });

  it('changes nothing when it runs again', async () => {
    const project = new Project();
    project.talk();
    await project.generated('task', 'task-a', { status: 'completed', fields: { session_id: SESSION } });
    project.end();
    const before = project.notes.map(({ file }) => fs.readFileSync(file, 'utf8'));
    const index = project.index;
    project.end({ ended_at: new Date(project.sessions[0]!.updated).toISOString() });
    expect(project.notes.map(({ file }) => fs.readFileSync(file, 'utf8'))).toEqual(before);
    expect(project.index).toBe(index);
  });

  it('leaves no trace of a session that did nothing', async () => {
    const project = new Project();
    project.talk();
    project.end();
    expect(fs.existsSync(project.memory)).toBe(false);
    project.end({ session_id: undefined });
    project.end({ transcript_path: undefined });
    expect(project.started).toHaveLength(3);
    expect(project.failures).toBe('');
  });

  it('does not bring a project back that is gone, such as a worktree that was removed', async () => {
    const project = new Project();
    project.talk();
    appendJournal(
      { userRoot: project.home, projectRoot: project.root, sessionId: SESSION },
      { kind: 'edit', time: new Date().toISOString(), path: 'src/a.ts' },
    );
    fs.rmSync(project.root, { recursive: true });
    project.end();
    expect(fs.existsSync(project.root)).toBe(false);
    expect(project.failures).toBe('');
  });

  it('leaves archiving and pruning to a worker that ends by itself', async () => {
    const project = new Project();
    project.talk();
    put(path.join(project.memory, 'memory-config.json'), { retention: { max_nodes: 4 } });
    await project.generated('session', 'session-old', {}, 8);
    for (const name of ['a', 'b', 'c']) await project.generated('discovery', `discovery-${name}`, {}, 20);
    await project.generated('task', 'task-a', { status: 'completed', fields: { session_id: SESSION } });
    put(
      path.join(project.memory, 'decisions', 'keep-a.json'),
      sampleRecord('decision', { title: 'See [[discovery-a]]', updated_at: '2020-01-01T00:00:00Z' }),
    );
    project.end();
    await project.quiet(2);
    expect(project.started.map((line) => line.split(' ')[1])).toEqual(['session-end', 'session-end-worker']);
    expect(project.failures).toBe('');
    expect(project.note('session-old')!.status).toBe('archived');
    expect(project.notes.map(({ id }) => id).filter((id) => id.startsWith('discovery'))).toEqual(['discovery-a']);
    expect(fs.readdirSync(project.vault.deletedCopies)).toHaveLength(2);
    const log = fs.readFileSync(path.join(project.home, 'log', 'prune.log'), 'utf8');
    expect(log.match(/"id":"discovery-[bc]"/g)).toHaveLength(2);
    expect(fs.readdirSync(path.join(project.home, 'locks'))).toEqual([]);
  });

  it('hands everything to the worker while another process holds the lock', async () => {
    const project = new Project();
    project.talk();
    await project.generated('task', 'task-a', { status: 'completed', fields: { session_id: SESSION } });
    const holder = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
    try {
      put(path.join(project.vault.lockDir, 'owner.json'), owner(holder.pid!));
      project.end();
      expect(project.sessions).toEqual([]);
    } finally {
      holder.kill();
    }
    await project.quiet(2);
    expect(project.sessions).toHaveLength(1);
    expect(project.index).toContain('Recent Sessions');
    expect(project.failures).toBe('');
  });

  it('runs one worker for each project at a time, and all of them to the end', async () => {
    const project = new Project();
    project.talk();
    put(path.join(project.memory, 'memory-config.json'), { retention: { max_nodes: 2 } });
    for (const name of 'abcdef') await project.generated('discovery', `discovery-${name}`, {}, 20);
    await project.generated('task', 'task-a', { status: 'completed', fields: { session_id: SESSION } });
    await Promise.all(
      Array.from({ length: 4 }, () => {
        const worker = spawn(process.execPath, [program, 'hook', 'session-end-worker'], { env: project.environment });
        worker.stdin.end(JSON.stringify(project.payload()));
        return new Promise((resolve) => worker.once('exit', resolve));
      }),
    );
    expect(project.failures).toBe('');
    expect(project.sessions).toHaveLength(1);
    expect(project.notes).toHaveLength(2);
    expect(fs.readdirSync(project.vault.deletedCopies)).toHaveLength(6);
  });

  it('commits what it changed where the settings say so', async () => {
    const project = new Project();
    const git = (...args: string[]): string =>
      spawnSync('git', args, { cwd: project.root, env: project.environment, encoding: 'utf8' }).stdout;
    git('init', '--quiet');
    git('config', 'user.name', 'Somebody');
    git('config', 'user.email', 'somebody@example.com');
    put(path.join(project.home, 'config.json'), { auto_commit: true });
    project.talk();
    await project.generated('task', 'task-a', { status: 'completed', fields: { session_id: SESSION } });
    project.end();
    await project.quiet(2);
    expect(project.failures).toBe('');
    const committed = (): string => git('log', '--format=%s', '--name-only');
    expect(committed()).toContain('.claude/memory/nodes/tasks/task-a.md');
    expect(committed()).not.toContain('nodes/sessions/');
    put(path.join(project.home, 'config.json'), { auto_commit: true, capture: { commit_sessions: true } });
    await project.generated('task', 'task-b', { status: 'completed', fields: { session_id: SESSION } });
    project.end();
    await project.quiet(4);
    expect(project.failures).toBe('');
    expect(committed()).toContain('.claude/memory/nodes/sessions/session-');
  });
});

function owner(pid: number) {
  const space = fs.existsSync('/proc/self/ns/pid') ? fs.readlinkSync('/proc/self/ns/pid') : process.platform;
  const host = spawnSync(process.execPath, ['-p', 'os.hostname()'], { encoding: 'utf8' }).stdout.trim();
  return { token: 'somebody', pid, host, space };
}
