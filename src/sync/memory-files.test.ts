// Any number of machines that write, remove and sync files in any order come to the same, and no content is lost that nobody replaced or
// removed knowing of it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  besideOf,
  entriesNow,
  type FileEntry,
  filesText,
  GONE,
  hashOf,
  isCarried,
  mergedEntry,
  readFiles,
  renamedText,
} from './memory-files.ts';

/** A machine as the composition root is one, without disk and encryption. */
class Machine {
  files = new Map<string, string>();
  said = new Map<string, FileEntry>();
  pushed: { entries: Map<string, FileEntry>; contents: Map<string, string> } = {
    entries: new Map(),
    contents: new Map(),
  };

  #now(clock: number): Map<string, FileEntry> {
    const at = new Date(clock).toISOString();
    const now = [...this.files].map(([name, text]) => [name, { hash: hashOf(text), at }] as const);
    return entriesNow(this.said, new Map(now), at);
  }

  push(clock: number): void {
    this.said = this.#now(clock);
    const contents = new Map([...this.files.values()].map((text) => [hashOf(text), text]));
    this.pushed = { entries: new Map(this.said), contents };
  }

  pull(others: readonly Machine[], clock: number): void {
    const agreed = this.#now(clock);
    const contents = new Map([...this.files.values()].map((text) => [hashOf(text), text]));
    for (const { pushed } of others) {
      for (const [hash, text] of pushed.contents) contents.set(hash, text);
      for (const [name, theirs] of pushed.entries) {
        const ours = agreed.get(name);
        const { entry, lost } = ours ? mergedEntry(ours, theirs) : { entry: theirs, lost: undefined };
        agreed.set(name, entry);
        if (!lost) continue;
        const beside = besideOf(name, lost.hash);
        const text = contents.get(lost.hash) ?? '';
        contents.set(hashOf(text), text);
        if (!agreed.has(beside)) agreed.set(beside, { hash: hashOf(text), at: lost.at, past: [] });
      }
    }
    this.said = agreed;
    this.files = new Map(
      [...agreed].flatMap(([name, { hash }]) => {
        const text = hash === GONE ? undefined : contents.get(hash);
        return text === undefined ? [] : [[name, text] as const];
      }),
    );
  }
}

const PATHS = ['decisions/a.json', 'nodes/tasks/b.md'];
const step = fc.record({
  machine: fc.nat(2),
  what: fc.constantFrom('write', 'write', 'remove', 'push', 'pull', 'sync'),
  path: fc.constantFrom(...PATHS),
  /** Clocks of machines do not agree. */
  late: fc.integer({ min: -3_600_000, max: 3_600_000 }),
});

describe('files of memories in no repository', () => {
  it('come to the same on all machines, and lose nothing that nobody replaced knowingly', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const machines = [new Machine(), new Machine(), new Machine()];
        const written = new Set<string>();
        const replaced = new Set<string>();
        let serial = 0;
        const others = (machine: Machine): Machine[] => machines.filter((each) => each !== machine);
        const clock = (late: number): number => 1_700_000_000_000 + serial * 1_000 + late;
        for (const { machine: at, what, path, late } of steps) {
          const machine = machines[at]!;
          const had = machine.files.get(path);
          if (what === 'write' || what === 'remove') {
            if (had !== undefined) replaced.add(had);
            const text = `text ${++serial}`;
            if (what === 'remove') machine.files.delete(path);
            else {
              machine.files.set(path, text);
              written.add(text);
            }
          }
          if (what === 'pull' || what === 'sync') machine.pull(others(machine), clock(late));
          if (what === 'push' || what === 'sync') machine.push(clock(late));
        }
        for (let round = 0; round < 4; round++)
          for (const machine of machines) {
            machine.pull(others(machine), clock(0));
            machine.push(clock(0));
          }
        const sorted = ({ files }: Machine): [string, string][] => [...files].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(sorted(machines[1]!)).toEqual(sorted(machines[0]!));
        expect(sorted(machines[2]!)).toEqual(sorted(machines[0]!));
        const left = new Set(machines[0]!.files.values());
        expect([...written].filter((text) => !replaced.has(text) && !left.has(text))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('stay where one machine removed what another changed, whichever was later', () => {
    const [first, second] = [hashOf('first'), hashOf('second')];
    const removed = (at: string): FileEntry => ({ hash: GONE, at, past: [first] });
    const changed = { hash: second, at: '2026-01-02T00:00:00.000Z', past: [first] };
    for (const at of ['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z'])
      for (const merged of [mergedEntry(removed(at), changed), mergedEntry(changed, removed(at))]) {
        expect(merged.entry.hash).toBe(second);
        expect(merged.lost).toBeUndefined();
      }
    expect(mergedEntry({ hash: first, at: changed.at, past: [] }, removed('2020-01-01T00:00:00.000Z')).entry.hash).toBe(
      GONE,
    );
  });

  it('are named as records and notes are, and lead nowhere else', () => {
    for (const name of ['decisions/use-jwt.json', 'tech-debt/x.json', 'nodes/tasks/task-1.md', 'nodes/x.md'])
      expect([name, isCarried(name)]).toEqual([name, true]);
    for (const name of [
      ...['../x.json', 'decisions/../../x.json', '/etc/passwd', 'decisions/.hidden.json', 'a/b/c.json', 'x.json'],
      ...['nodes/../../x.md', 'nodes/tasks/..md', 'nodes\\x.md', 'decisions/con.json', 'decisions/x.exe', 'C:/x.json'],
      ...['memory-config.json', '.index.lockdir/x.json', 'nodes/tasks/a/b.md', 'decisions/x.json\n', ''],
    ])
      expect([name, isCarried(name)]).toEqual([name, false]);
  });

  it('are read as they were written, and what is none is left out', () => {
    const entry = { hash: hashOf('x'), at: '2026-01-01T00:00:00.000Z', past: [GONE], object: 'a'.repeat(64) };
    const files = new Map([['p', new Map([['decisions/a.json', entry]])]]);
    expect(readFiles(filesText(files))).toEqual(files);
    for (const text of [
      '',
      '[]',
      '{"projects":{"p":{"../x.json":{}}}}',
      '{"projects":{"p":{"decisions/a.json":{"hash":"?"}}}}',
    ])
      expect([...(readFiles(text).get('p') ?? [])]).toEqual([]);
  });

  it('that had to make place have a name of their own, outside and inside', () => {
    const beside = besideOf('decisions/use-jwt.json', 'abcdef0123456789');
    expect(beside).toBe('decisions/use-jwt-other-abcdef01.json');
    expect(isCarried(beside)).toBe(true);
    expect(JSON.parse(renamedText('{"id":"use-jwt","title":"T"}', beside))).toEqual({
      id: 'use-jwt-other-abcdef01',
      title: 'T',
    });
    expect(
      renamedText('---\nid: task-1\ntype: task\n---\n\n# id: x\n', besideOf('nodes/tasks/task-1.md', 'abcdef01')),
    ).toBe('---\nid: task-1-other-abcdef01\ntype: task\n---\n\n# id: x\n');
    expect(besideOf(`decisions/${'x'.repeat(80)}.json`, 'abcdef01').length).toBe('decisions/'.length + 80 + 5);
  });
});
