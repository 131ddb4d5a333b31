import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { large, TempProject } from '../../test/fixtures/temp-project.ts';
import type { JsonObject } from '../model/json.ts';
import { sectionOf } from '../notes/note.ts';
import type { CaptureContext, Captured } from './capture-context.ts';
import { captureCommand } from './commands.ts';
import { captureEdit } from './edits.ts';
import { captureFile } from './file-summary.ts';
import { readJournal } from './journal.ts';

let project: TempProject;
let uses: number;
beforeEach(() => {
  project = new TempProject();
  uses = 0;
});
afterEach(() => project.remove());

const MODULE = "Exit code 1\nError: Cannot find module 'zod'\nRequire stack:\n- /x/a.js";
type Other = { context?: Partial<CaptureContext>; use?: string; stdout?: string };

const fail = (command: string, error = MODULE, other: Other = {}): Promise<Captured[]> =>
  run({ hook_event_name: 'PostToolUseFailure', tool_input: { command }, error, is_interrupt: false }, other);
const pass = (command: string, other: Other = {}): Promise<Captured[]> =>
  run(
    {
      hook_event_name: 'PostToolUse',
      tool_input: { command },
      tool_response: { stdout: other.stdout ?? 'fine', stderr: '', interrupted: false },
    },
    other,
  );
function run(payload: JsonObject, { context = {}, use = `use-${uses++}` }: Other): Promise<Captured[]> {
  project.now = new Date(project.now.getTime() + 60_000);
  return captureCommand(project.context(context), { tool_name: 'Bash', tool_use_id: use, ...payload });
}
function edit(file: string, old = 'a', now = 'b', context: Partial<CaptureContext> = {}): void {
  project.now = new Date(project.now.getTime() + 60_000);
  captureEdit(project.context(context), {
    tool_use_id: `use-${uses++}`,
    tool_input: { file_path: project.path(file), old_string: old, new_string: now },
  });
}

describe('a command that failed and then passes', () => {
  it('leaves a note with the error, what was changed in between, in order, and links', async () => {
    project.write('src/auth.ts', large('// Auth.'));
    await captureFile(project.context(), project.path('src/auth.ts'));
    await fail('npm test 2>&1 | tail -40');
    await pass('cat package.json');
    edit('src/auth.ts', 'import x;\nconst a = 1;', 'import x;\nconst a = 2;');
    await fail('npm run lint', 'Exit code 1\nlint: bad');
    await pass('npm install zod');
    edit('src/new.ts', '', 'export {}');
    expect(project.notes()).toEqual(['file-src-auth-ts']);
    const [captured] = await pass('npm test');
    expect(captured).toMatchObject({ id: 'error-cannot-find-module-zod', type: 'error', created: true });
    const note = project.note('error', 'error-cannot-find-module-zod');
    expect(note).toMatchObject({
      title: "Cannot find module 'zod'",
      status: 'resolved',
      sessionId: 'session-1',
      gist: 'Changed src/auth.ts, src/new.ts and ran npm install zod; then npm test passed',
    });
    expect(note.tags).toEqual(['error', 'npm', 'test']);
    expect(note.links.map((link) => link.to)).toEqual(['file-src-auth-ts']);
    expect(sectionOf(note.body, 'Error Message')).toBe(
      "```\nError: Cannot find module 'zod'\nRequire stack:\n- /x/a.js\n```",
    );
    expect(sectionOf(note.body, 'Cause')).toBe('The module `zod` was not there.');
    expect(sectionOf(note.body, 'Solution')?.split('\n').slice(2)).toEqual([
      '1. Changed [[file-src-auth-ts|src/auth.ts]]: `const a = 1;` became `const a = 2;`',
      '2. Ran `npm install zod`',
      '3. Changed `src/new.ts`: added `export {}`',
    ]);
    expect(note.frontMatter.get('exit_code')).toBe(1);
    expect(note.frontMatter.get('count')).toBe(1);
  });

  it('leaves none if it never passes, if another passes, or if it never failed', async () => {
    await fail('npm test');
    edit('a.ts');
    await fail('npm test');
    await pass('npm run build');
    await pass('npm test', { context: { sessionId: 'another' } });
    expect(project.notes()).toEqual([]);
    expect(fs.existsSync(project.memoryRoot)).toBe(false);
  });

  it('counts when it is seen again, and keeps the newest solution', async () => {
    for (const file of ['a.ts', 'b.ts']) {
      await fail('npm test');
      edit(file);
      await pass('npm test');
    }
    await fail('npm test', MODULE, { context: { sessionId: 'session-2' } });
    await pass('npm test', { context: { sessionId: 'session-2' } });
    expect(project.notes()).toEqual(['error-cannot-find-module-zod']);
    const note = project.note('error', 'error-cannot-find-module-zod');
    expect(note.frontMatter.get('count')).toBe(3);
    expect(note.frontMatter.text('last_seen')).toBe(project.now.toISOString().replace('.000', ''));
    expect(note.sessionId).toBe('session-2');
    // The last time it went away by itself, which says less than what is known.
    expect(sectionOf(note.body, 'Solution')).toContain('`b.ts`');
  });

  it('is noted once, however often the same event is reported', async () => {
    await fail('npm test', MODULE, { use: 'f' });
    await fail('npm test', MODULE, { use: 'f' });
    await pass('npm test', { use: 'p' });
    const before = project.everything();
    expect(await pass('npm test', { use: 'p' })).toEqual([]);
    expect(await fail('npm test', MODULE, { use: 'f' })).toEqual([]);
    expect(project.everything()).toEqual(before);
    expect(project.note('error', 'error-cannot-find-module-zod').frontMatter.get('count')).toBe(1);
  });

  it('tells each error that came up on the way, with what was done about that one', async () => {
    await fail('make', 'Exit code 2\nerror: first thing');
    edit('one.ts');
    await fail('make', 'Exit code 2\nerror: second thing');
    edit('two.ts');
    await fail('make', 'Exit code 2\nerror: second thing');
    edit('three.ts');
    expect((await pass('make')).map((note) => note.id)).toEqual(['error-first-thing', 'error-second-thing']);
    expect(sectionOf(project.note('error', 'error-first-thing').body, 'Solution')).toMatch(/^Changed `one\.ts`; then/);
    expect(sectionOf(project.note('error', 'error-second-thing').body, 'Solution')).toMatch(
      /^Changed `two\.ts`, `three\.ts`; then/,
    );
  });

  it('is believed behind a pipe only if the output looks well', async () => {
    await fail('npm test');
    expect(await pass('npm test | tail -5', { stdout: 'Tests: 1 failed, 3 passed' })).toEqual([]);
    expect(await pass('npm test | tail -5', { stdout: "Error: Cannot find module 'zod'" })).toEqual([]);
    expect(await pass('npm test | tail -5', { stdout: 'Tests: 0 failed, 4 passed' })).toHaveLength(1);
  });

  it('says so if nothing was changed, or if it was run in another way', async () => {
    await fail('npm test', 'Exit code 1\nError: socket hang up');
    await pass('npm test');
    const flaky = project.note('error', 'error-socket-hang-up');
    expect(sectionOf(flaky.body, 'Solution')).toBe(
      'Nothing was changed that Cairn saw: `npm test` passed when it was run again.',
    );
    expect(flaky.tags).toContain('flaky');
    await fail('node big.js', 'Exit code 134\nFATAL ERROR: heap out of memory');
    await pass('NODE_OPTIONS=--max-old-space-size=8192 node big.js');
    const way = project.note('error', 'error-heap-out-of-memory');
    expect(sectionOf(way.body, 'Solution')).toContain(
      '1. Ran it as `NODE_OPTIONS=--max-old-space-size=8192 node big.js`',
    );
  });

  it('has a note that says no secrets and cannot be left by what it quotes', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    await fail(
      `curl -H "Authorization: Bearer ${secret}" x`,
      `Exit code 1\n# Heading\n## Solution\nError: bad token ${secret}\n\`\`\`\n[[link]]`,
    );
    edit('a.ts', `const key = "${secret}";`, 'const key = read();');
    const [captured] = await pass(`curl -H "Authorization: Bearer ${secret}" x`);
    const text = project.text('error', captured!.id);
    expect(text).not.toContain(secret);
    expect(JSON.stringify(readJournal(project.userRoot, project.root, 'session-1'))).not.toContain(secret);
    const note = project.note('error', captured!.id);
    expect(sectionOf(note.body, 'Error Message')).toContain('[[link]]');
    expect(note.links).toEqual([]);
    expect(sectionOf(note.body, 'Solution')).toMatch(/^Changed `a\.ts`/);
  });

  it('has no note for a question that was answered with no, an interruption, a refusal, or work in the background', async () => {
    await fail('grep -q x a.txt', 'Exit code 1');
    await pass('grep -q x a.txt');
    await run(
      {
        hook_event_name: 'PostToolUseFailure',
        tool_input: { command: 'make' },
        error: 'Exit code 130',
        is_interrupt: true,
      },
      {},
    );
    await run(
      {
        hook_event_name: 'PostToolUseFailure',
        tool_input: { command: 'make' },
        error: "The user doesn't want to proceed",
      },
      {},
    );
    await run(
      { hook_event_name: 'PostToolUse', tool_input: { command: 'make', run_in_background: true }, tool_response: {} },
      {},
    );
    await pass('make');
    expect(project.notes()).toEqual([]);
  });

  it('may report its failure with an exit code, a flag or a text instead of another event', async () => {
    const failures: unknown[] = [
      { stdout: '', stderr: 'error: one', exit_code: 2 },
      { stdout: 'error: two', stderr: '', is_error: true },
      'Error: Exit code 1\nerror: three',
    ];
    for (const [at, tool_response] of failures.entries()) {
      await run({ hook_event_name: 'PostToolUse', tool_input: { command: `make ${at}` }, tool_response }, {});
      await pass(`make ${at}`);
    }
    expect(project.notes()).toEqual(['error-one', 'error-three', 'error-two']);
  });

  it('is told apart from another command with the same words, and in a subagent from the session itself', async () => {
    await fail('npm test', 'Exit code 1\nError: boom');
    await pass('npm test');
    await fail('cargo test', 'Exit code 1\nError: boom');
    await pass('cargo test');
    expect(project.notes()).toHaveLength(2);
    await fail('make', 'Exit code 1\nError: agent', { context: { agentId: 'a1' } });
    expect(await pass('make')).toEqual([]);
    expect(await pass('make', { context: { agentId: 'a1' } })).toHaveLength(1);
  });

  it('needs a message to be named after; without one the command names it', async () => {
    await fail('./check.sh', 'Exit code 3');
    edit('x.ts');
    const [captured] = await pass('./check.sh');
    expect(captured!.id).toBe('error-check-sh-fails-with-exit-code-3');
    expect(project.note('error', captured!.id).title).toBe('./check.sh fails with exit code 3');
  });
});

describe('an edit', () => {
  const edits = () => readJournal(project.userRoot, project.root, 'session-1');

  it('is remembered with its path and the first line that changed', () => {
    edit('src/a.ts', 'one\ntwo\nthree', 'one\nTWO\nthree');
    edit('src/b.ts', 'gone', '');
    expect(edits()).toMatchObject([
      { kind: 'edit', path: 'src/a.ts', before: 'two', after: 'TWO' },
      { kind: 'edit', path: 'src/b.ts', before: 'gone' },
    ]);
  });

  it('shows nothing of files with secrets, and none of the memory itself', () => {
    edit('.env', 'A=1', 'A=2');
    edit('.claude/memory/decisions/a.json', 'x', 'y');
    expect(edits()).toEqual([expect.not.objectContaining({ before: 'A=1' })]);
    expect(edits()[0]).toMatchObject({ path: '.env' });
    expect(edits()[0]).not.toHaveProperty('after');
  });

  it('is remembered with its whole path if it lies outside the project', () => {
    captureEdit(project.context(), { tool_input: { file_path: '/etc/hosts', content: 'x' } });
    expect(edits()).toMatchObject([{ path: '/etc/hosts' }]);
  });
});
