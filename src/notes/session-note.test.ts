import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newFolder, put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { transcriptFacts } from '../transcripts/facts.ts';
import { putNote, type Vault } from './edit-note.ts';
import { isGenerated } from './generated-mark.ts';
import { type SessionFacts, writeSessionNote } from './session-note.ts';
import { findNote, loadNotes } from './vault.ts';

function vaultIn(base: string): Vault {
  const root = path.join(base, 'memory');
  const now = (): Date => new Date('2025-12-08T16:00:00Z');
  return { root, lockDir: path.join(root, '.lock'), deletedCopies: path.join(base, 'graves'), now };
}

const NOTHING: SessionFacts = {
  sessionId: 'abc12345-0000-4000-8000-000000000000',
  startedAt: new Date('2025-12-08T10:00:00Z'),
  endedAt: new Date('2025-12-08T16:00:00Z'),
  tasks: [],
  decisions: [],
  discoveries: [],
  errors: [],
  files: [],
};
const FULL: SessionFacts = {
  ...NOTHING,
  messageCount: 45,
  story: {
    title: 'Fix the auth bug in the JWT refresh flow',
    summary: ['  Fix the auth bug\nin the JWT refresh flow', 'Refresh tokens are used once'],
    decided: ['Tokens live for an hour'],
    fixed: ['The clock was read twice → it is read once'],
    commits: ['fix(auth): use refresh tokens once'],
    left: ['Rate limits are [[missing]]'],
    preferences: ['Always explicit error messages'],
  },
  tasks: [
    { id: 'task-fix-auth-bug', title: 'Investigate auth bug', status: 'completed' },
    { id: 'task-limits', title: 'Add rate limiting', status: 'in_progress' },
    { id: 'task-dropped', title: 'Dropped', status: 'cancelled' },
  ],
  decisions: [{ id: 'decision-001-jwt-auth', title: 'Use JWT' }],
  discoveries: [{ id: 'discovery-repository-pattern', title: 'Repositories' }],
  errors: [{ id: 'error-circular-import', title: 'Circular import' }],
  files: [
    { path: 'src/auth.ts', edits: 3, note: 'file-src-auth-ts' },
    { path: 'src/small.ts', edits: 1 },
  ],
};

const SAID = new Set(['## Key Decisions Made', '## Left Open', '## Commits']);

describe('the note of a session', () => {
  it('tells what it was about, what came out, was decided, mended, left and found, with links to it', async () => {
    const vault = vaultIn(temporaryFolder());
    await putNote(vault, { type: 'task', id: 'task-fix-auth-bug', title: 'Investigate auth bug', status: 'completed' });
    const written = await writeSessionNote(vault, FULL);
    expect(written).toMatchObject({ id: 'session-2025-12-08-abc12345', changed: true });
    expect(written!.files.map((each) => path.basename(each))).toEqual([
      'session-2025-12-08-abc12345.md',
      'task-fix-auth-bug.md',
    ]);
    const file = path.join(vault.root, 'nodes/sessions/session-2025-12-08-abc12345.md');
    expect(fs.readFileSync(file, 'utf8').replace(/generated: c[0-9a-f]{12}/, 'generated: …')).toBe(`---
id: session-2025-12-08-abc12345
type: session
session_id: abc12345-0000-4000-8000-000000000000
duration_minutes: 360
message_count: 45
created: 2025-12-08T10:00:00Z
updated: 2025-12-08T16:00:00Z
tags: [session]
related:
  - "[[task-fix-auth-bug]]"
  - "[[task-limits]]"
  - "[[task-dropped]]"
  - "[[decision-001-jwt-auth]]"
  - "[[discovery-repository-pattern]]"
  - "[[error-circular-import]]"
status: active
generated: …
---

# Session: 2025-12-08 Fix the auth bug in the JWT refresh flow

## Summary
Fix the auth bug in the JWT refresh flow.
Refresh tokens are used once.
Completed: Investigate auth bug.
Decided: Use JWT.
Changed 2 files.

## Tasks Completed
- [x] Investigate auth bug ([[task-fix-auth-bug]])

## Tasks In Progress
- [ ] Add rate limiting ([[task-limits]])

## Key Decisions Made
- [[decision-001-jwt-auth]] - Use JWT
- Tokens live for an hour

## Fixes
- The clock was read twice → it is read once

## Left Open
- Rate limits are missing

## Preferences
- Always explicit error messages

## Commits
- fix(auth): use refresh tokens once

## Files Modified
- [[file-src-auth-ts|src/auth.ts]] (3 edits)
- src/small.ts (1 edit)

## Discoveries
- [[discovery-repository-pattern]] - Repositories

## Errors Resolved
- [[error-circular-import]] - Circular import
`);
    const note = findNote(vault.root, written!.id)!;
    expect(note.gist).toBe('Fix the auth bug in the JWT refresh flow');
    expect(isGenerated(note.frontMatter.toString())).toBe(true);
    const task = findNote(vault.root, 'task-fix-auth-bug')!;
    expect(task.links.map(({ to }) => to)).toEqual(['session-2025-12-08-abc12345']);
    expect(isGenerated(task.frontMatter.toString())).toBe(true);
  });

  it('is not made for a session that left nothing', async () => {
    const vault = vaultIn(temporaryFolder());
    const lists = { decided: [], fixed: [], commits: [], left: [], preferences: [] };
    const story = { title: 'What time is it?', summary: ['What time is it?'], ...lists };
    expect(await writeSessionNote(vault, { ...NOTHING, story, messageCount: 2 })).toBeUndefined();
    expect(fs.existsSync(vault.root)).toBe(false);
  });

  it('is made for a session that only said something', async () => {
    const vault = vaultIn(temporaryFolder());
    const lists = { decided: ['Use JWT'], fixed: [], commits: [], left: [], preferences: [] };
    const story = { title: 'How to sign', summary: ['How to sign'], ...lists };
    const { id } = (await writeSessionNote(vault, { ...NOTHING, story })) ?? { id: '' };
    expect(findNote(vault.root, id)?.body.trimStart()).toBe(
      '# Session: 2025-12-08 How to sign\n\n## Summary\nHow to sign.\n\n## Key Decisions Made\n- Use JWT\n',
    );
  });

  it('is the same file when the session ends again, days later, and loses what is over', async () => {
    const vault = vaultIn(temporaryFolder());
    await writeSessionNote(vault, FULL);
    const later = {
      ...FULL,
      startedAt: new Date('2025-12-10T10:00:00Z'),
      endedAt: new Date('2025-12-10T11:00:00Z'),
      tasks: FULL.tasks.map((task) => ({ ...task, status: 'completed' })),
    };
    expect(await writeSessionNote(vault, later)).toMatchObject({ id: 'session-2025-12-08-abc12345', changed: true });
    expect(await writeSessionNote(vault, later)).toEqual({
      id: 'session-2025-12-08-abc12345',
      changed: false,
      files: [],
    });
    const { notes } = loadNotes(vault.root);
    expect(notes).toHaveLength(1);
    expect(notes[0]!.body).not.toContain('Tasks In Progress');
    expect(notes[0]!.frontMatter.get('duration_minutes')).toBe(60);
    expect(isGenerated(notes[0]!.frontMatter.toString())).toBe(true);
  });

  it('leaves the words of a person who edited it, and still keeps the lists', async () => {
    const vault = vaultIn(temporaryFolder());
    const { id } = (await writeSessionNote(vault, FULL))!;
    const { file } = findNote(vault.root, id)!;
    const edited = fs.readFileSync(file, 'utf8').replace(/## Summary[^#]*/, '## Summary\nMy own words.\n\n');
    fs.writeFileSync(file, `${edited}\n## Notes\nPrefers explicit errors.\n`);
    await writeSessionNote(vault, { ...FULL, files: [{ path: 'src/new.ts', edits: 2 }] });
    const text = fs.readFileSync(file, 'utf8');
    expect(text).toContain('## Summary\nMy own words.\n');
    expect(text).toContain('## Notes\nPrefers explicit errors.\n');
    expect(text).toContain('- src/new.ts (2 edits)\n');
  });

  it('does not mix up sessions whose ids begin alike, and takes any id', async () => {
    const vault = vaultIn(temporaryFolder());
    const ids = ['abc12345-1', 'abc12345-2', '../../etc/passwd', '', '漢'];
    const written = [];
    for (const sessionId of ids) written.push((await writeSessionNote(vault, { ...FULL, sessionId }))!.id);
    expect(written).toEqual([
      'session-2025-12-08-abc12345',
      'session-2025-12-08-abc12345-2',
      'session-2025-12-08-etcpassw',
      'session-2025-12-08-unknown',
      'session-2025-12-08-unknown-2',
    ]);
    expect((await writeSessionNote(vault, { ...FULL, sessionId: 'abc12345-2' }))!.id).toBe(written[1]);
  });

  it('masks secrets and keeps private words out', async () => {
    const vault = vaultIn(temporaryFolder());
    const said = `Deploy with ${'ghp_'}${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
    const lists = { decided: [said], fixed: [said], commits: [said], left: [said], preferences: [said] };
    const { id } = (await writeSessionNote(vault, { ...FULL, story: { title: said, summary: [said], ...lists } }))!;
    expect(findNote(vault.root, id)!.body).not.toContain('a1B2c3D4');
  });

  it('links to nothing but what it was given, whatever the texts say', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('[[evil]]', '[[[x]]]', '## Notes', 'related:: evil', '```', '- [[x'),
    );
    await fc.assert(
      fc.asyncProperty(text, text, text, async (prompt, title, file) => {
        const base = newFolder();
        try {
          const vault = vaultIn(base);
          const lists = { decided: [prompt], fixed: [], commits: [prompt], left: [prompt], preferences: [] };
          const story = { title: prompt, summary: [prompt, prompt], ...lists };
          const facts = { ...NOTHING, story, tasks: [{ id: 'task-a', title, status: 'completed' }] };
          const { id } = (await writeSessionNote(vault, { ...facts, files: [{ path: file, edits: 1 }] }))!;
          const note = findNote(vault.root, id)!;
          expect(note.links.map(({ to }) => to)).toEqual(['task-a']);
          const sections = note.body.match(/^## .*$/gm)?.filter((each) => !SAID.has(each));
          expect(sections).toEqual(['## Summary', '## Tasks Completed', '## Files Modified']);
        } finally {
          fs.rmSync(base, { recursive: true, force: true });
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('what a transcript tells', () => {
  const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
  const prompt = (content: unknown, more = {}): string =>
    line({ type: 'user', message: { role: 'user', content }, timestamp: '2026-01-02T03:04:05.678Z', ...more });
  const answer = (id: string): string =>
    line({ type: 'assistant', message: { id, role: 'assistant', content: [{ type: 'text', text: 'x' }] } });

  it('is the time and the number of messages', () => {
    const file = put(
      path.join(temporaryFolder(), 't.jsonl'),
      line({ type: 'queue-operation', timestamp: '2026-01-01T00:00:00Z' }) +
        prompt('reminder', { isMeta: true, timestamp: '2026-01-01T00:00:00Z' }) +
        prompt('<command-name>/clear</command-name>') +
        prompt([{ type: 'text', text: 'Fix it <private>now</private>please' }]) +
        answer('a') +
        answer('a') +
        prompt([{ type: 'tool_result', content: 'x' }]) +
        answer('b') +
        line({ type: 'api-request', body: { messages: [{ type: 'user' }] } }) +
        prompt('And that') +
        '{"type":"user","mess',
    );
    expect(transcriptFacts(file)).toEqual({
      startedAt: new Date('2026-01-02T03:04:05.678Z'),
      messageCount: 4,
    });
    expect(transcriptFacts(file, { maxBytes: 100 })).toEqual({
      startedAt: new Date('2026-01-02T03:04:05.678Z'),
    });
  });

  it('is which files were written, but for the calls that failed', () => {
    const call = (id: string, name: string, input: unknown): string =>
      line({ type: 'assistant', message: { id, content: [{ type: 'tool_use', id, name, input }] } });
    const failed = (id: string): string => prompt([{ type: 'tool_result', tool_use_id: id, is_error: true }]);
    const file = put(
      path.join(temporaryFolder(), 't.jsonl'),
      call('1', 'Write', { file_path: '/p/b.ts' }) +
        call('2', 'Edit', { file_path: '/p/a.ts' }) +
        call('3', 'Edit', { file_path: '/p/b.ts' }) +
        call('4', 'Edit', { file_path: '/p/denied.ts' }) +
        failed('4') +
        call('5', 'Read', { file_path: '/p/read.ts' }) +
        call('6', 'NotebookEdit', { notebook_path: '/p/n.ipynb' }) +
        call('7', 'Write', { file_path: 7 }),
    );
    expect(transcriptFacts(file).edited).toEqual([
      { path: '/p/b.ts', edits: 2 },
      { path: '/p/a.ts', edits: 1 },
      { path: '/p/n.ipynb', edits: 1 },
    ]);
  });

  it('is nothing for a file that is not there, a folder, or rubbish', () => {
    const folder = temporaryFolder();
    expect(transcriptFacts(path.join(folder, 'none'))).toEqual({});
    expect(transcriptFacts(folder)).toEqual({});
    expect(transcriptFacts('\0')).toEqual({});
    expect(transcriptFacts(put(path.join(folder, 'x'), '[1]\n"type":"user"\nnull\n'))).toEqual({ messageCount: 0 });
  });
});
