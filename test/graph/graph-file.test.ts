// graph.json over the life of a memory: what becomes a node, what does not, when files are looked at, and what happens to a graph
// that is damaged, old, overtaken or not to be written.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ALWAYS_LOOK_UP_TO,
  askGraph,
  readGraph,
  rebuildGraph,
  updateGraph,
} from '../../src/indexing/graph/graph-file.ts';
import { Kinds } from '../../src/model/kinds.ts';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { put } from '../fixtures/temporary.ts';
import { TestGraph } from './graph-place.ts';

let memory: TestGraph;
beforeEach(() => {
  memory = new TestGraph();
});

const OLD = 1_700_000_000;
/** Makes every file and folder old enough that its time alone is believed. */
function age(): void {
  for (const entry of fs.readdirSync(memory.root, { recursive: true, encoding: 'utf8' }))
    if (entry !== 'graph.json') fs.utimesSync(path.join(memory.root, entry), OLD, OLD);
}

describe('a graph', () => {
  it('has the fields that readers of the format expect', () => {
    memory.note('file-src-auth-ts', '# /src/auth.ts\n\n## Purpose\nSigns people in. Long.\n', {
      path: '/src/auth.ts',
      tags: '[auth, security]',
      created: '2026-01-01T10:00:00Z',
      updated: '2026-01-02T10:00:00Z',
      related: '[[decision-001-jwt]]',
    });
    memory.note('decision-001-jwt', '# Decision: Use JWT\n', { tags: '[auth]', created: '2026-01-03T10:00:00Z' });
    const graph = JSON.parse(memory.read().toJson()) as { nodes: { [id: string]: object } };
    expect(graph).toMatchObject({
      version: '1.0.0',
      updated_at: '2026-03-01T12:00:00Z',
      node_count: 2,
      tags: { auth: ['decision-001-jwt', 'file-src-auth-ts'], security: ['file-src-auth-ts'] },
      types: { decision: ['decision-001-jwt'], 'file-summary': ['file-src-auth-ts'] },
      recent: ['decision-001-jwt', 'file-src-auth-ts'],
    });
    expect(graph.nodes['file-src-auth-ts']).toMatchObject({
      path: 'nodes/files/file-src-auth-ts.md',
      type: 'file-summary',
      title: '/src/auth.ts',
      gist: 'Signs people in',
      status: 'active',
      tags: ['auth', 'security'],
      links_to: ['decision-001-jwt'],
      linked_from: [],
      edges: { related: ['decision-001-jwt'] },
      created: '2026-01-01T10:00:00Z',
      updated: '2026-01-02T10:00:00Z',
      mtime: expect.any(Number),
      size: expect.any(Number),
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      file: '/src/auth.ts',
    });
    expect(graph.nodes['decision-001-jwt']).toMatchObject({ linked_from: ['file-src-auth-ts'] });
  });

  it('joins notes and records: links in any text, slugs, REFs and related files', () => {
    memory.note('task-login', 'See [[use-jwt]] and [[record:runbooks/restart]].');
    memory.note('file-src-auth-ts', '', { path: 'src/auth.ts' });
    memory.record('decisions/use-jwt', {
      title: 'Use JWT',
      related_files: ['src/auth.ts', 'src/unknown.ts'],
      content: { decision: 'Sign tokens.', rationale: ['as [[task-login]] asks', 'not [[gone]]'] },
    });
    memory.record('runbooks/restart', { record_status: 'retired', content: { steps: ['depends_on:: [[use-jwt]]'] } });
    const graph = memory.read();
    expect(graph.node('record:decisions/use-jwt')).toMatchObject({
      type: 'decision',
      title: 'Use JWT',
      gist: 'Sign tokens',
      status: 'active',
      path: 'decisions/use-jwt.json',
      links_to: ['file-src-auth-ts', 'task-login'],
      linked_from: ['record:runbooks/restart', 'task-login'],
      broken: ['gone'],
      updated: '2026-01-02T00:00:00Z',
    });
    expect(graph.node('record:runbooks/restart')).toMatchObject({
      status: 'retired',
      edges: { depends_on: ['record:decisions/use-jwt'] },
    });
    expect(graph.node('task-login')?.links_to).toEqual(['record:decisions/use-jwt', 'record:runbooks/restart']);
  });

  it('gives a record its edge to a file summary as soon as there is one, and breaks no link before', () => {
    memory.record('decisions/a', { related_files: ['src/late.ts'] });
    expect(memory.read().node('record:decisions/a')).toMatchObject({ links_to: [], awaits: ['file-src-late-ts'] });
    memory.note('file-src-late-ts');
    expect(memory.read().node('record:decisions/a')?.links_to).toEqual(['file-src-late-ts']);
    expect(memory.read().node('record:decisions/a')).not.toHaveProperty('awaits');
  });

  it('follows a link to its target when that comes, goes, or changes its case', () => {
    memory.note('task-a', 'See [[Task-B]].');
    expect(memory.read().node('task-a')).toMatchObject({ links_to: [], broken: ['Task-B'] });
    const file = memory.note('task-b');
    expect(memory.read().node('task-a')?.links_to).toEqual(['task-b']);
    expect(memory.read().node('task-b')?.linked_from).toEqual(['task-a']);
    put(file, '---\nid: TASK-B\ntype: task\n---\n');
    expect(memory.read().node('task-a')?.links_to).toEqual(['TASK-B']);
    fs.rmSync(file);
    expect(memory.read().node('task-a')).toMatchObject({ links_to: [], broken: ['Task-B'] });
  });

  it('ignores links to itself and keeps circles as they are', () => {
    memory.note('task-a', '[[task-a]] [[TASK-A]] supersedes:: x\nsupersedes:: [[task-b]]');
    memory.note('task-b', 'supersedes:: [[task-a]]');
    const graph = memory.read();
    expect(graph.node('task-a')).toMatchObject({ links_to: ['task-b'], linked_from: ['task-b'] });
    expect(graph.node('task-b')?.edges).toEqual({ supersedes: ['task-a'] });
  });

  it('lets the first of two notes with the same id have it, whatever the case, and names the other', () => {
    memory.note('task-a', 'first', { folder: 'discoveries' });
    memory.note('Task-A', 'second', { folder: 'tasks' });
    const graph = memory.read();
    expect(graph.node('task-a')?.path).toBe('nodes/discoveries/task-a.md');
    expect(graph.nodeCount).toBe(1);
    expect([...graph.problems()]).toEqual([
      ['nodes/tasks/Task-A.md', { message: 'its id Task-A is also that of nodes/discoveries/task-a.md', id: 'Task-A' }],
    ]);
    fs.rmSync(path.join(memory.root, 'nodes/discoveries/task-a.md'));
    expect(memory.read().node('Task-A')?.path).toBe('nodes/tasks/Task-A.md');
    expect([...memory.read().problems()]).toEqual([]);
  });

  it('names files that are no nodes, and reads them again only when they change', () => {
    const write = (name: string, content: string | Buffer): string => put(path.join(memory.root, name), content);
    write('nodes/tasks/task-js.md', '---js\nprocess.exit(1)\n---\n');
    write('nodes/tasks/task-open.md', '---\nid: x\n');
    write('nodes/tasks/task-binary.md', Buffer.from([0x23, 0x20, 0x00, 0x01]));
    write('nodes/tasks/task-latin.md', Buffer.from('# Gr\xfc\xdfe', 'latin1'));
    write('nodes/tasks/bad id!.md', 'no id of its own');
    write('decisions/broken.json', '{"title": ');
    write('decisions/list.json', '[]');
    const large = write('nodes/tasks/task-large.md', '');
    fs.truncateSync(large, 50 * 1024 * 1024);
    memory.note('task-good', 'See [[task-large]].');
    const problems = Object.fromEntries([...memory.read().problems()].map(([file, { message }]) => [file, message]));
    expect(problems).toEqual({
      'nodes/tasks/task-js.md': expect.stringContaining('only plain properties are read'),
      'nodes/tasks/task-open.md': 'its front matter does not end',
      'nodes/tasks/task-binary.md': 'it is not a text file',
      'nodes/tasks/task-latin.md': 'it is not valid UTF-8',
      'nodes/tasks/bad id!.md': expect.stringContaining('cannot be a file name'),
      'nodes/tasks/task-large.md': 'it is larger than 1048576 bytes',
      'decisions/broken.json': expect.stringContaining('it is not JSON'),
      'decisions/list.json': 'it does not hold a JSON object',
    });
    expect(memory.read().nodeCount).toBe(1);
    put(large, '---\ntype: task\n---\n');
    expect(memory.read().node('task-good')?.links_to).toEqual(['task-large']);
  });

  it('follows no link out of the memory, and takes no folder or pipe for a file', () => {
    put(path.join(memory.root, '../secret.md'), '---\nid: task-secret\ntype: task\n---\n');
    fs.mkdirSync(path.join(memory.root, 'nodes/tasks/folder.md'), { recursive: true });
    fs.symlinkSync('../../../secret.md', path.join(memory.root, 'nodes/tasks/task-out.md'));
    fs.symlinkSync('/dev/zero', path.join(memory.root, 'nodes/tasks/task-endless.md'));
    fs.symlinkSync('/tmp', path.join(memory.root, 'nodes/errors'));
    memory.note('task-in');
    fs.symlinkSync('task-in.md', path.join(memory.root, 'nodes/tasks/task-twin.md'));
    const graph = memory.read();
    expect(graph.recent).toEqual(['task-in']);
    expect(Object.fromEntries(graph.problems())).toMatchObject({
      'nodes/tasks/task-out.md': { message: 'the file is a link that leads outside the memory root' },
      'nodes/tasks/task-endless.md': { message: 'the file is a link that leads outside the memory root' },
      'nodes/errors': { message: 'the folder is a link that leads outside the memory root' },
      'nodes/tasks/task-twin.md': { id: 'task-in' },
    });
  });

  it('keeps names of every script, and finds its own file again', () => {
    put(path.join(memory.root, 'decisions/größe-日本.json'), { title: 'Größe', tags: ['ÄÖ'], content: {} });
    memory.read();
    const written = memory.text;
    expect(memory.read().node('record:decisions/größe-日本')?.tags).toEqual(['äö']);
    expect(memory.text).toBe(written);
  });

  it('is empty where there is nothing, and leaves nothing behind where there is no memory', () => {
    expect(JSON.parse(memory.read().toJson())).toMatchObject({ node_count: 0, nodes: {}, recent: [] });
    const nowhere = new TestGraph();
    fs.rmSync(nowhere.root, { recursive: true });
    expect(nowhere.read().nodeCount).toBe(0);
    updateGraph(nowhere, { files: ['nodes/tasks/x.md'] });
    expect(fs.existsSync(nowhere.root)).toBe(false);
  });

  it('is kept out of the repository', () => {
    memory.note('task-a');
    memory.read();
    expect(fs.readFileSync(path.join(memory.root, '.gitignore'), 'utf8')).toContain('graph.json');
  });

  it('follows categories that are declared, renamed or dropped', () => {
    memory.record('ideas/one', {});
    expect(memory.read().nodeCount).toBe(0);
    const declared = (name: string) => new TestGraph(memory.root, new Kinds({ [name]: { folder: 'ideas' } }));
    expect(readGraph(declared('idea')).node('record:ideas/one')?.type).toBe('idea');
    expect(readGraph(declared('thought')).types.get('thought')).toEqual(['record:ideas/one']);
    expect(memory.read().nodeCount).toBe(0);
  });
});

describe('the time of the last change', () => {
  it('moves when something changed, and only then', () => {
    memory.note('task-a', 'one');
    memory.read();
    const later = (): string => {
      memory.time += 60_000;
      return memory.read().updatedAt;
    };
    expect(later()).toBe('2026-03-01T12:00:00Z');
    memory.time += 60_000;
    expect(rebuildGraph(memory).updatedAt).toBe('2026-03-01T12:00:00Z');
    memory.note('task-a', 'two');
    expect(later()).toBe('2026-03-01T12:03:00Z');
    expect(later()).toBe('2026-03-01T12:03:00Z');
  });
});

describe('a file whose time moved but not its content', () => {
  it('gets its new time and keeps everything else', () => {
    const file = memory.note('task-a', 'See [[task-b]].', { updated: '2026-01-01T00:00:00Z' });
    memory.read();
    fs.utimesSync(file, OLD, OLD);
    expect(memory.read().node('task-a')).toMatchObject({ mtime: OLD, broken: ['task-b'] });
    rebuildGraph(memory);
    expect(memory.read().node('task-a')?.mtime).toBe(OLD);
  });

  it('is read if it is as young as the last look, for a clock may stand still', () => {
    const file = memory.note('task-a', 'one');
    memory.read();
    const { mtime } = fs.statSync(file);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('one', 'two'));
    fs.utimesSync(file, mtime, mtime);
    expect(memory.read().node('task-a')?.gist).toBe('two');
  });
});

describe('the settings of the graph', () => {
  it('let a writer leave the graph alone, and the next reader notices', () => {
    memory.note('task-a');
    memory.read();
    memory.rules.rebuild_on_change = false;
    const before = memory.text;
    const file = memory.note('task-b');
    updateGraph(memory, { files: [file] });
    expect(memory.text).toBe(before);
    expect(memory.read().node('task-b')).toBeDefined();
  });

  it('let writers tell what they wrote, made and removed', () => {
    const gone = memory.note('task-a');
    memory.read();
    const made = memory.note('task-b', 'See [[task-a]].');
    fs.rmSync(gone);
    updateGraph(memory, { files: [made, path.relative(memory.root, gone), 'index.md', '../elsewhere.md'] });
    expect(JSON.parse(memory.text)).toMatchObject({ node_count: 1, nodes: { 'task-b': { broken: ['task-a'] } } });
  });

  it('make no graph for a writer while nobody asked for one', () => {
    updateGraph(memory, { files: [memory.note('task-a')] });
    expect(fs.existsSync(memory.file)).toBe(false);
    updateGraph(memory);
    expect(fs.existsSync(memory.file)).toBe(true);
  });

  it('believe a large memory for a while, unless a folder changed', () => {
    for (let at = 0; at <= ALWAYS_LOOK_UP_TO; at++) memory.note(`task-${at}`, 'plain', { updated: '2026-01-01' });
    memory.note('error-a', 'plain');
    age();
    memory.read();
    const inPlace = path.join(memory.root, 'nodes/tasks/task-7.md');
    fs.writeFileSync(inPlace, '---\ntype: task\n---\nedited in place\n');
    expect(memory.read().node('task-7')?.gist).toBe('plain');
    memory.note('error-b', 'new');
    expect(memory.read().node('error-b')?.gist).toBe('new');
    expect(memory.read().node('task-7')?.gist).toBe('plain');
    expect(askGraph(memory, (graph) => graph.node('task-7')?.gist, { look: 'all' })).toBe('edited in place');
    fs.writeFileSync(inPlace, '---\ntype: task\n---\nedited again\n');
    memory.rules.cache_ttl_seconds = 0;
    expect(memory.read().node('task-7')?.gist).toBe('edited again');
  });

  it('never believe a small one', () => {
    const file = memory.note('task-a', 'one');
    age();
    memory.read();
    fs.writeFileSync(file, '---\ntype: task\n---\nchanged in place\n');
    expect(memory.read().node('task-a')?.gist).toBe('changed in place');
  });
});

describe('a graph that is not as it should be', () => {
  beforeEach(() => {
    memory.note('task-a', 'See [[task-b]].');
    memory.note('task-b');
    memory.read();
  });

  it.each([
    ['cut', (text: string) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['foreign', () => '{"version":"1.0.0","nodes":{"task-a":{"path":"x"}}}'],
    ['older', (text: string) => text.replace('"version": "1.0.0"', '"version": "0.1.0"')],
    ['full of zeros', (text: string) => text.replace(/"task-a": .{40}/, (found) => '\0'.repeat(found.length))],
    ['wrong in one line', (text: string) => text.replace('"task-a": {"path"', '"task-a": {"path=')],
  ])('is made anew without a word: %s', (_what, spoil) => {
    const sound = memory.text;
    fs.writeFileSync(memory.file, spoil(sound));
    fs.utimesSync(path.join(memory.root, 'nodes/tasks/task-a.md'), OLD, OLD);
    expect(askGraph(memory, (graph) => [...graph.nodes()].map(([key]) => key))).toEqual(['task-a', 'task-b']);
    expect(JSON.parse(memory.text)).toMatchObject({ node_count: 2, nodes: { 'task-a': { links_to: ['task-b'] } } });
  });

  it('is made anew before a change is written into it', () => {
    fs.writeFileSync(
      memory.file,
      memory.text.replace(/"gist":"","status/, (found) => '\0'.repeat(found.length)),
    );
    updateGraph(memory, { files: [memory.note('error-new', 'See [[task-a]].')] });
    expect(JSON.parse(memory.text)).toMatchObject({
      node_count: 3,
      nodes: { 'task-a': { linked_from: ['error-new'] } },
    });
  });

  it('answers although it cannot be written, and says so', () => {
    fs.rmSync(memory.file);
    fs.mkdirSync(path.join(memory.file, 'in-the-way'), { recursive: true });
    const graph = memory.read();
    expect(graph.node('task-a')?.links_to).toEqual(['task-b']);
    expect(graph.unsaved).toMatch(/EISDIR|ENOTEMPTY|EEXIST|directory/);
  });
});

describe('several processes', () => {
  let writer: Bundle;
  beforeAll(async () => {
    writer = await bundle('test/graph/graph-writer.ts');
  });
  afterAll(() => writer?.remove());

  it('may write at once: the file is whole at every moment, and the next look finds what one of them overwrote', async () => {
    memory.note('task-shared');
    memory.read();
    const names = ['one', 'two', 'three'];
    const ended = names.map(
      (name) =>
        new Promise<number | null>((resolve) => {
          spawn(process.execPath, [writer.file, memory.root, name, '40'], { stdio: 'inherit' }).on('close', resolve);
        }),
    );
    let running = true;
    const all = Promise.all(ended).finally(() => {
      running = false;
    });
    while (running) {
      expect(JSON.parse(memory.text)).toMatchObject({ version: '1.0.0' });
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(await all).toEqual([0, 0, 0]);
    const graph = memory.read();
    expect(graph.nodeCount).toBe(1 + 3 * 40);
    expect(graph.node('task-shared')?.linked_from).toHaveLength(3 * 40);
    const followed = memory.text;
    expect(rebuildGraph(memory).toJson()).toBe(graph.toJson());
    expect(memory.text).toBe(followed);
  });
});
