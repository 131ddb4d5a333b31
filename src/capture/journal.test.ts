import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TempProject } from '../../test/fixtures/temp-project.ts';
import { appendJournal, type JournalEntry, journalFile, readJournal } from './journal.ts';

let project: TempProject;
beforeEach(() => {
  project = new TempProject();
});
afterEach(() => project.remove());

const place = (sessionId = 's1') => ({ userRoot: project.userRoot, projectRoot: project.root, sessionId });
const read = (sessionId = 's1') => readJournal(project.userRoot, project.root, sessionId);
const edit = (file: string, at = 0): JournalEntry => ({ kind: 'edit', time: new Date(at).toISOString(), path: file });
const command = (text: string, at = 0): JournalEntry => ({
  kind: 'command',
  time: new Date(at).toISOString(),
  key: text,
  command: text,
});

describe('the journal of a session', () => {
  it('gives back what was put in, in its order, for its session only', () => {
    expect(read()).toEqual([]);
    appendJournal(place(), edit('a.ts'), command('make'));
    appendJournal(place('s2'), command('other'));
    expect(read()).toEqual([edit('a.ts'), command('make')]);
    expect(read('s2')).toEqual([command('other')]);
  });

  it('is for its owner alone', () => {
    appendJournal(place(), edit('a.ts'));
    const file = journalFile(place());
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(path.relative(path.join(project.userRoot, 'sessions'), file)).toMatch(/^[0-9a-f]{16}\/s1\.jsonl$/);
  });

  it('stays in its folder, whatever a session is called, and two sessions never share one', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ unit: 'binary', minLength: 1 }),
        (one, other) => {
          const file = journalFile(place(one));
          expect(path.dirname(file)).toBe(path.dirname(journalFile(place('s1'))));
          expect(path.basename(file)).toMatch(/^[\w-]{1,80}\.jsonl$/);
          expect(file === journalFile(place(other))).toBe(one === other);
        },
      ),
    );
  });

  it('leaves out lines that are none of its own', () => {
    appendJournal(place(), edit('a.ts'));
    fs.appendFileSync(
      journalFile(place()),
      'no json\n{"kind":"edit"}\n[]\nnull\n{"kind":"__proto__","time":"x"}\n{"kind":"edit","time":"t","path":',
    );
    expect(read()).toEqual([edit('a.ts')]);
  });

  it('stays small, and keeps the newest entries, every edited file and every task', () => {
    appendJournal(place(), { kind: 'task', time: new Date(0).toISOString(), task: '1', note: 'task-a' });
    for (let at = 1; at <= 60; at++) appendJournal(place(), edit(`file-${at % 6}.ts`, at));
    for (let at = 100; at < 600; at++) appendJournal(place(), command(`command ${at}`, at));
    const entries = read();
    expect(entries.length).toBeLessThanOrEqual(201);
    expect(entries.at(-1)).toEqual(command('command 599', 599));
    expect(entries.filter((entry) => entry.kind === 'task')).toHaveLength(1);
    const edits = entries.filter((entry) => entry.kind === 'edit');
    expect(edits.map((entry) => [entry.path, entry.count])).toEqual(
      [1, 2, 3, 4, 5, 0].map((at) => [`file-${at}.ts`, 10]),
    );
    expect(edits[0]!.time).toBe(new Date(1).toISOString());
  });

  it('stays small in bytes too', () => {
    for (let at = 0; at < 150; at++) appendJournal(place(), command('y'.repeat(2_000), at));
    expect(fs.statSync(journalFile(place())).size).toBeLessThanOrEqual(256 * 1024 + 5_000);
    expect(read().length).toBeGreaterThan(10);
  });

  it('is swept away two weeks after its last entry, when another one begins', () => {
    appendJournal(place('old'), edit('a.ts'));
    appendJournal(place('young'), edit('a.ts'));
    const elsewhere = { ...place('other'), projectRoot: project.home };
    appendJournal(elsewhere, edit('a.ts'));
    const past = new Date(Date.now() - 15 * 24 * 3_600_000);
    for (const file of [journalFile(place('old')), journalFile(elsewhere)]) fs.utimesSync(file, past, past);
    appendJournal(place('new'), edit('b.ts'));
    expect(read('old')).toEqual([]);
    expect(read('young')).toHaveLength(1);
    expect(read('new')).toHaveLength(1);
    expect(fs.existsSync(path.dirname(journalFile(elsewhere)))).toBe(false);
  });
});
