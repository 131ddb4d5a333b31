// Which notes pruning must leave alone, judged from the Markdown itself: this test reads links, states and times with a few plain
// patterns of its own and knows nothing of how Cairn reads a note.

import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../../test/fixtures/temporary.ts';
import { archiveSessions } from './archive-sessions.ts';
import { type NewNote, putNote, type Vault } from './edit-note.ts';
import { pruneNotes } from './prune.ts';

const NOW = Date.parse('2026-03-31T12:00:00Z');
const DAY_MS = 86_400_000;

class TestVault implements Vault {
  readonly base = newFolder();
  readonly root = path.join(this.base, 'memory');
  readonly lockDir = path.join(this.root, '.lock');
  readonly deletedCopies = path.join(this.base, 'graves');
  time = NOW;
  readonly now = (): Date => new Date(this.time);

  prune(maxNodes: number, ended: string[] = []) {
    const logFile = path.join(this.base, 'prune.log');
    return pruneNotes(this, { maxNodes, strategy: 'least_connected_oldest', ended: new Set(ended), logFile });
  }

  async add(daysAgo: number, note: NewNote & { id: string }): Promise<void> {
    this.time = NOW - daysAgo * DAY_MS;
    await putNote(this, note);
    this.time = NOW;
  }

  /** Every file of the vault, by the name that it bears. */
  texts(): Map<string, string> {
    const names = fs.readdirSync(path.join(this.root, 'nodes'), { recursive: true }).map(String);
    const files = names.filter((name) => name.endsWith('.md'));
    return new Map(
      files.map((name) => [path.basename(name, '.md'), fs.readFileSync(path.join(this.root, 'nodes', name), 'utf8')]),
    );
  }

  remove(): void {
    fs.rmSync(this.base, { recursive: true, force: true });
  }
}

const property = (text: string, name: string): string =>
  new RegExp(`^${name}: *"?([^"\\n]*)"?$`, 'm').exec(text.slice(0, text.indexOf('\n---', 4)))?.[1] ?? '';
const linksIn = (text: string): string[] =>
  [...text.matchAll(/\[\[([^\]|#]+)/g)].map((match) => match[1]!.toLowerCase());
const daysOld = (text: string): number => (NOW - Date.parse(property(text, 'updated'))) / DAY_MS;
const isRecent = (text: string, ended: readonly string[]): boolean =>
  property(text, 'type') === 'session' && (daysOld(text) <= 7 || ended.includes(property(text, 'session_id')));
const isActive = (text: string): boolean => /^(?:active|proposed|pending|in_progress)$/.test(property(text, 'status'));

const KINDS = ['session', 'discovery', 'task', 'file-summary', 'error'] as const;
const vaults = fc.record({
  notes: fc.array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      daysAgo: fc.constantFrom(0, 0.5, 2, 6, 8, 20, 60),
      isDone: fc.boolean(),
      links: fc.array(fc.nat(30), { maxLength: 3 }),
      inText: fc.array(fc.nat(30), { maxLength: 2 }),
      session: fc.option(fc.nat(4)),
    }),
    { minLength: 2, maxLength: 30 },
  ),
  maxNodes: fc.integer({ min: 1, max: 12 }),
  ended: fc.nat(4),
  archiveDays: fc.constantFrom(0, 1, 7),
});

describe('pruning', { timeout: 240_000 }, () => {
  it('leaves what the Markdown of active notes and recent sessions links to, and the notes of recent sessions', async () => {
    await fc.assert(
      fc.asyncProperty(vaults, async ({ notes, maxNodes, ended, archiveDays }) => {
        const vault = new TestVault();
        const nameOf = (at: number): string => `${notes[at % notes.length]!.kind}-${at % notes.length}`;
        for (const [at, { kind, daysAgo, isDone, links, inText, session }] of notes.entries()) {
          const done = kind === 'task' ? 'completed' : kind === 'error' ? 'resolved' : 'archived';
          await vault.add(daysAgo, {
            ...{ type: kind, id: nameOf(at), title: `Note ${at}`, related: links.map(nameOf) },
            ...(isDone && kind !== 'error' ? { status: done } : {}),
            ...(session === null ? {} : { fields: { session_id: `s${session}` } }),
            sections: { Notes: `See ${inText.map((to) => `[[${nameOf(to)}|that]]`).join(' and ')}.` },
          });
        }
        const now = [`s${ended}`];
        const archived = await archiveSessions(vault, archiveDays, new Set(now));
        for (const file of archived) expect(property(fs.readFileSync(file, 'utf8'), 'session_id')).not.toBe(now[0]);
        const before = vault.texts();
        const { removed, over } = await vault.prune(maxNodes, now);
        const gone = new Set(removed.map(({ id }) => id));
        const after = vault.texts();
        expect([...before.keys()].filter((id) => !after.has(id)).sort()).toEqual([...gone].sort());
        expect(over).toBe(Math.max(0, after.size - maxNodes));
        const protectors = [...before].filter(([, text]) => isActive(text) || isRecent(text, now));
        for (const id of gone) {
          const text = before.get(id)!;
          expect(isRecent(text, now)).toBe(false);
          expect(property(text, 'session_id') !== '' && daysOld(text) <= 1).toBe(false);
          const holders = protectors.filter(
            ([from, other]) => from !== id && linksIn(other).includes(id.toLowerCase()),
          );
          expect(holders.map(([from]) => from)).toEqual([]);
        }
        vault.remove();
      }),
      { numRuns: 40 },
    );
  });

  it('never takes the note of the session that just ended, though nothing links to it and all else is more connected', async () => {
    const vault = new TestVault();
    for (const name of ['a', 'b', 'c'])
      await vault.add(90, {
        type: 'discovery',
        id: `discovery-${name}`,
        title: name,
        status: 'archived',
        related: ['discovery-a', 'discovery-b'],
      });
    await vault.add(0, { type: 'session', id: 'session-new', title: 'x', fields: { session_id: 'new' } });
    // A session of weeks ago that was resumed, and had nothing new to note.
    await vault.add(30, { type: 'session', id: 'session-resumed', title: 'x', fields: { session_id: 'again' } });
    await vault.prune(2, ['new', 'again']);
    const left = [...vault.texts().keys()];
    expect(left).toContain('session-new');
    expect(left).toContain('session-resumed');
    expect(await archiveSessions(vault, 7, new Set(['again']))).toEqual([]);
    expect(await archiveSessions(vault, 7)).toHaveLength(1);
    vault.remove();
  });

  it('never takes what a recent session links to, though sessions are archived after a day', async () => {
    const vault = new TestVault();
    await vault.add(40, { type: 'discovery', id: 'discovery-needed', title: 'x', status: 'archived' });
    await vault.add(40, { type: 'discovery', id: 'discovery-free', title: 'x', status: 'archived' });
    await vault.add(3, { type: 'session', id: 'session-recent', title: 'x', related: ['Discovery-Needed'] });
    expect(await archiveSessions(vault, 1)).toHaveLength(1);
    const { removed, over } = await vault.prune(1);
    expect(removed.map(({ id }) => id)).toEqual(['discovery-free']);
    expect(over).toBe(1);
    vault.remove();
  });
});
