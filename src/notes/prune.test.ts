import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { archiveSessions as archiveFiles } from './archive-sessions.ts';
import { changeNote, createNote, putNote, type Vault } from './edit-note.ts';
import { isGenerated } from './generated-mark.ts';
import { type PruneNode, pruneNotes, pruneOrder } from './prune.ts';
import { findNote } from './vault.ts';

const NOW = new Date('2026-03-31T12:00:00Z');

class TestVault implements Vault {
  readonly base = temporaryFolder();
  readonly root = path.join(this.base, 'memory');
  readonly lockDir = path.join(this.root, '.lock');
  readonly deletedCopies = path.join(this.base, 'graves');
  readonly logFile = path.join(this.base, 'log', 'prune.log');
  time = NOW.getTime();
  readonly now = (): Date => new Date(this.time);

  /** A note that Cairn made by itself, some days ago. */
  async generated(id: string, daysAgo: number, more: { status?: string; related?: string[]; pinned?: true } = {}) {
    this.time = NOW.getTime() - daysAgo * 86_400_000;
    const type = id.startsWith('task') ? 'task' : id.startsWith('session') ? 'session' : 'discovery';
    const { pinned, ...rest } = more;
    await putNote(this, { type, id, title: id, ...rest, ...(pinned ? { fields: { pinned } } : {}) });
    this.time = NOW.getTime();
  }

  prune(maxNodes: number, linkedFromOutside: string[] = []) {
    return pruneNotes(this, {
      maxNodes,
      strategy: 'least_connected_oldest',
      linkedFromOutside: new Set(linkedFromOutside),
      logFile: this.logFile,
    });
  }

  has(id: string): boolean {
    return findNote(this.root, id) !== undefined;
  }
}

describe('pruning', () => {
  it('removes the least connected notes, the oldest first, with a copy and a line in the log', async () => {
    const vault = new TestVault();
    await vault.generated('discovery-old', 20);
    await vault.generated('discovery-older', 30);
    await vault.generated('discovery-linked', 90);
    await vault.generated('session-old', 80, { status: 'archived', related: ['discovery-linked'] });
    await vault.generated('discovery-new', 1);
    const text = fs.readFileSync(findNote(vault.root, 'discovery-older')!.file, 'utf8');

    const { removed, over } = await vault.prune(3);
    expect(removed.map(({ id }) => id)).toEqual(['discovery-older', 'discovery-old']);
    expect(over).toBe(0);
    expect(fs.readFileSync(removed[0]!.copy, 'utf8')).toBe(text);
    expect(fs.statSync(removed[0]!.copy).mode & 0o777).toBe(0o600);
    expect(vault.has('discovery-older')).toBe(false);
    const lines = fs.readFileSync(vault.logFile, 'utf8').trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(['discovery-older', 'discovery-old']);
    expect(await vault.prune(3)).toEqual({ removed: [], over: 0 });
  });

  it('never removes what is pinned, decided, linked from active work, still to do, or touched by a person', async () => {
    const vault = new TestVault();
    await vault.generated('discovery-pinned', 90, { pinned: true });
    await vault.generated('discovery-from-active', 90);
    await vault.generated('task-open', 10, { status: 'in_progress', related: ['Discovery-From-Active'] });
    await vault.generated('discovery-edited', 90);
    fs.appendFileSync(findNote(vault.root, 'discovery-edited')!.file, '\nI disagree.\n');
    await vault.generated('discovery-set', 90);
    await changeNote(vault, 'discovery-set', { addTags: ['mine'] });
    await createNote(vault, { type: 'discovery', id: 'discovery-mine', title: 'Mine' });
    await putNote(vault, { type: 'decision', id: 'decision-001-x', title: 'X' });
    await vault.generated('discovery-from-record', 90);
    put(path.join(vault.root, 'nodes', 'files', 'by-hand.md'), '# no front matter\n');
    await vault.generated('discovery-free', 5);

    const { removed, over } = await vault.prune(1, ['discovery-from-record']);
    expect(removed.map(({ id }) => id)).toEqual(['discovery-free']);
    expect(over).toBe(8);
  });

  it('lets a task go that nobody has touched for a month', async () => {
    const vault = new TestVault();
    await vault.generated('task-forgotten', 40, { status: 'pending' });
    await vault.generated('task-new', 3, { status: 'pending' });
    expect((await vault.prune(1)).removed.map(({ id }) => id)).toEqual(['task-forgotten']);
  });

  it('does nothing without a limit, or after its time', async () => {
    const vault = new TestVault();
    await vault.generated('discovery-a', 5);
    await vault.generated('discovery-b', 5);
    expect(await vault.prune(0)).toEqual({ removed: [], over: 0 });
    const late = { maxNodes: 1, strategy: 'least_connected_oldest', logFile: vault.logFile, deadline: 0 } as const;
    expect(await pruneNotes(vault, late)).toEqual({ removed: [], over: 1 });
    expect(vault.has('discovery-a')).toBe(true);
  });

  it('keeps a note whose copy cannot be made', async () => {
    const vault = new TestVault();
    await vault.generated('discovery-a', 5);
    await vault.generated('discovery-b', 4);
    put(vault.deletedCopies, 'a file where the folder should be');
    await expect(vault.prune(1)).rejects.toThrow();
    expect(vault.has('discovery-a')).toBe(true);
  });
});

const nodeId = fc.constantFrom(...Array.from('abcdefghij', (letter) => `n-${letter}`));
const node: fc.Arbitrary<PruneNode> = fc.record({
  id: nodeId,
  kind: fc.record({ type: fc.constantFrom('file-summary', 'decision', 'discovery', 'session', 'task', 'error') }),
  status: fc.constantFrom('active', 'archived', 'completed', 'pending', 'in_progress', 'superseded', 'resolved'),
  updated: fc.oneof(
    fc.date({ min: new Date('2025-01-01'), max: NOW, noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constantFrom('', 'yesterday'),
  ),
  pinned: fc.boolean(),
  generated: fc.boolean(),
  links: fc.array(fc.record({ to: nodeId, relation: fc.constant('related' as const) }), { maxLength: 4 }),
});
const ACTIVE = ['active', 'pending', 'in_progress'];

describe('any order of pruning', () => {
  it('holds no protected note, and nothing of fewer links behind one of more', () => {
    fc.assert(
      fc.property(fc.uniqueArray(node, { selector: ({ id }) => id }), fc.array(nodeId), (nodes, outside) => {
        const order = pruneOrder(nodes, NOW, { linkedFromOutside: new Set(outside) });
        const links = (id: string): number =>
          new Set(
            nodes.flatMap((each) =>
              each.links.flatMap(({ to }) =>
                to === each.id || !nodes.some((other) => other.id === to)
                  ? []
                  : each.id === id
                    ? [to]
                    : to === id
                      ? [each.id]
                      : [],
              ),
            ),
          ).size;
        for (const each of order) {
          expect(each.pinned).toBe(false);
          expect(each.generated).toBe(true);
          expect(each.kind.type).not.toBe('decision');
          expect(outside).not.toContain(each.id);
          const linkers = nodes.filter((other) => other.id !== each.id && other.links.some(({ to }) => to === each.id));
          expect(linkers.filter(({ status }) => ACTIVE.includes(status))).toEqual([]);
        }
        const counts = order.map(({ id }) => links(id));
        expect(counts).toEqual([...counts].sort((a, b) => a - b));
        expect(pruneOrder([...nodes].reverse(), NOW, { linkedFromOutside: new Set(outside) })).toEqual(order);
      }),
    );
  });
});

const archiveSessions = async (vault: Vault, days: number): Promise<string[]> =>
  (await archiveFiles(vault, days)).map((file) => path.basename(file, '.md'));

describe('archiving sessions', () => {
  it('archives what is over its time, without counting as an update, and leaves the rest', async () => {
    const vault = new TestVault();
    await vault.generated('session-old', 8);
    await vault.generated('session-pinned', 8, { pinned: true });
    await vault.generated('session-new', 6);
    await vault.generated('task-old', 30, { status: 'pending' });
    const before = findNote(vault.root, 'session-old')!;
    expect(await archiveSessions(vault, 7)).toEqual(['session-old']);
    const after = findNote(vault.root, 'session-old')!;
    expect(after.status).toBe('archived');
    expect(after.updated).toBe(before.updated);
    expect(isGenerated(after.frontMatter.toString())).toBe(true);
    expect(findNote(vault.root, 'session-pinned')!.status).toBe('active');
    expect(findNote(vault.root, 'session-new')!.status).toBe('active');
    expect(await archiveSessions(vault, 7)).toEqual([]);
    expect(await archiveSessions(vault, 0)).toEqual([]);
  });

  it('keeps every other byte of a session that a person edited, and leaves one alone whose time says nothing', async () => {
    const vault = new TestVault();
    await vault.generated('session-edited', 30);
    const { file } = findNote(vault.root, 'session-edited')!;
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('---\n\n#', '# mine\nrating: 5\n---\n\nHello\n\n#'));
    const text = fs.readFileSync(file, 'utf8');
    put(path.join(vault.root, 'nodes', 'sessions', 'session-odd.md'), '---\nupdated: long ago\n---\n# Session\n');
    expect(await archiveSessions(vault, 7)).toEqual(['session-edited']);
    expect(fs.readFileSync(file, 'utf8')).toBe(text.replace('status: active', 'status: archived'));
  });
});
