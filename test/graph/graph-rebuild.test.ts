// The graph follows its files: whatever happens to notes and records, and however little of them is looked at, graph.json is the same
// as one made anew.

import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGraph, rebuildGraph, updateGraph } from '../../src/indexing/graph/graph-file.ts';
import { newFolder, put } from '../fixtures/temporary.ts';
import { TestGraph } from './graph-place.ts';

const IDS = ['task-a', 'task-b', 'Task-A', 'decision-001-x', 'file-src-a-ts', 'discovery-z', 'use-jwt', 'odd'];
const SLUGS = ['decisions/use-jwt', 'runbooks/use-jwt', 'decisions/odd', 'preferences/tabs', 'tech-debt/task-a'];
const LINKS = [...IDS, 'USE-JWT', 'decisions/use-jwt', 'record:runbooks/use-jwt', 'note:odd', 'tasks/odd', 'nowhere'];
const FOLDERS = ['tasks', 'decisions', 'files', 'discoveries', ''];
const TAGS = ['x', 'y', 'Z'];

type Step =
  | { do: 'note'; at: string; folder: string; id: string | undefined; type: string; links: string[]; tags: string[] }
  | { do: 'record'; at: string; links: string[]; files: string[] }
  | { do: 'remove' | 'touch' | 'break'; which: number }
  | { do: 'rename'; which: number; at: string; folder: string };

const link = fc.tuple(fc.constantFrom('', 'related:: ', 'supersedes:: ', 'depends_on:: '), fc.constantFrom(...LINKS));
const links = fc.array(
  link.map(([relation, to]) => `${relation}[[${to}]]`),
  { maxLength: 4 },
);
const which = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('note' as const),
      at: fc.constantFrom(...IDS),
      folder: fc.constantFrom(...FOLDERS),
      id: fc.option(fc.constantFrom(...IDS), { nil: undefined }),
      type: fc.constantFrom('task', 'decision', 'nonsense'),
      links,
      tags: fc.uniqueArray(fc.constantFrom(...TAGS)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('record' as const),
      at: fc.constantFrom(...SLUGS),
      links,
      files: fc.uniqueArray(fc.constantFrom('src/a.ts', 'src/b.ts'), { maxLength: 2 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('remove', 'touch', 'break'), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('rename' as const),
      which,
      at: fc.constantFrom(...IDS),
      folder: fc.constantFrom(...FOLDERS),
    }),
  },
) as fc.Arbitrary<Step>;

const look = fc.constantFrom('hint', 'all', 'folders', 'none');
/** Whether the file gets an old time of its own, so that no look reads it just because it is young. */
const moments = fc.array(fc.record({ step, look, aged: fc.boolean() }), { minLength: 1, maxLength: 14 });

class World {
  readonly graph = new TestGraph(path.join(newFolder(), 'memory'));
  #clock = 1_000;

  files(): string[] {
    return fs
      .readdirSync(this.graph.root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:md|json)$/.test(name) && name !== 'graph.json')
      .sort();
  }

  /** As Cairn and most editors write: a new file takes the name. Returns what was written or removed. */
  take(step: Step, aged: boolean): string[] {
    const touched = this.#change(step);
    for (const name of touched) {
      const file = path.join(this.graph.root, name);
      if (aged && fs.existsSync(file)) fs.utimesSync(file, ++this.#clock, this.#clock);
    }
    return touched;
  }

  #change(step: Step): string[] {
    if (step.do === 'note') {
      const head = [step.id ? `id: ${step.id}` : '', `type: ${step.type}`, `tags: [${step.tags.join(', ')}]`];
      return [
        this.#put(
          path.join('nodes', step.folder, `${step.at}.md`),
          `---\n${head.join('\n')}\n---\n${step.links.join('\n')}\n`,
        ),
      ];
    }
    if (step.do === 'record')
      return [
        this.#put(
          `${step.at}.json`,
          JSON.stringify({
            title: step.at,
            tags: ['x'],
            related_files: step.files,
            content: { text: step.links.join('\n') },
          }),
        ),
      ];
    const files = this.files();
    const chosen = files[step.which % Math.max(1, files.length)];
    if (chosen === undefined) return [];
    const file = path.join(this.graph.root, chosen);
    if (step.do === 'remove') fs.rmSync(file);
    if (step.do === 'touch') this.#put(chosen, fs.readFileSync(file, 'utf8'));
    if (step.do === 'break') this.#put(chosen, chosen.endsWith('.md') ? '---js\nx\n---\n' : '{"open":');
    if (step.do !== 'rename') return [chosen];
    const target = chosen.endsWith('.md') ? path.join('nodes', step.folder, `${step.at}.md`) : chosen;
    fs.mkdirSync(path.dirname(path.join(this.graph.root, target)), { recursive: true });
    fs.renameSync(file, path.join(this.graph.root, target));
    return [chosen, target];
  }

  #put(name: string, text: string): string {
    const file = path.join(this.graph.root, name);
    put(`${file}.new`, text);
    fs.renameSync(`${file}.new`, file);
    return name;
  }

  follow(how: string, files: readonly string[]): void {
    if (how === 'hint') updateGraph(this.graph, { files });
    if (how === 'all' || how === 'folders') readGraph(this.graph, { look: how });
  }

  /** graph.json without the one line that tells when it was made. */
  get text(): string {
    return this.graph.text.replace(/"updated_at": "[^"]*"/, '').replace(/"layout": .*/, '');
  }
}

describe('a graph that follows its files', () => {
  it('is byte for byte the one that a rebuild makes', () => {
    fc.assert(
      fc.property(moments, fc.constantFrom('all', 'folders'), (taken, last) => {
        const world = new World();
        try {
          let pending: string[] = [];
          for (const moment of taken) {
            // Only a look at all files finds what a writer kept to himself and another one's hint passed over.
            if (last === 'all') pending = [];
            pending.push(...world.take(moment.step, moment.aged));
            world.follow(moment.look, pending);
            if (moment.look !== 'none') pending = [];
          }
          world.follow(last, []);
          const followed = world.text;
          rebuildGraph(world.graph);
          expect(followed).toBe(world.text);
        } finally {
          fs.rmSync(path.dirname(world.graph.root), { recursive: true, force: true });
        }
      }),
      { numRuns: 100 },
    );
  });
});
