// `cairn query` and `cairn graph` as people and programs use them.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Kinds } from '../../src/model/kinds.ts';
import { Cli } from '../fixtures/cli.ts';
import { put } from '../fixtures/temporary.ts';
import { TestGraph } from './graph-place.ts';

type Node = { id: string; type: string; summary: string; path: string; score?: number; why?: string[] };
type Answer = { nodes: Node[]; count: number; query_time_ms: number; total: number };

let cli: Cli;
let memory: TestGraph;
beforeEach(() => {
  cli = new Cli();
  memory = new TestGraph(cli.root, new Kinds());
  memory.note(
    'file-src-auth-ts',
    '# /src/auth.ts\n\n## Purpose\nSigns people in with [[decision-001-jwt]]. And out.\n',
    {
      path: '/src/auth.ts',
      tags: '[auth, security]',
      created: '2026-01-01T10:00:00Z',
      updated: '2026-01-05T10:00:00Z',
    },
  );
  memory.note('decision-001-jwt', '# Decision: Use JWT\n\n## Decision\nTokens are signed.\n\nNot with cookies.\n', {
    tags: '[auth, architecture]',
    supersedes: 'decision-000-cookies',
    updated: '2026-01-04T10:00:00Z',
  });
  memory.note('decision-000-cookies', '# Decision: Use cookies\n', {
    status: 'superseded',
    updated: '2025-06-01T10:00:00Z',
  });
  memory.note('error-circular-import', '# Error: Circular import\n\n## Solution\nMove the types out.\n', {
    tags: '[typescript]',
    status: 'resolved',
    updated: '2026-01-03T10:00:00Z',
  });
  memory.record('decisions/use-redis', {
    title: 'Use Redis',
    tags: ['auth'],
    updated_at: '2026-01-06T10:00:00Z',
    content: { decision: 'Sessions live in Redis.', context: 'A circular problem of [[decision-001-jwt]]' },
  });
});

const ids = async (...argv: string[]): Promise<string[]> =>
  (await cli.json<Answer>(['query', ...argv])).nodes.map((node) => node.id);

describe('cairn query', () => {
  it('prints a line for each node: type, name, gist', async () => {
    const { out } = await cli.run(['query', '--tag', 'auth']);
    expect(out).toBe(
      [
        '[decision] Use Redis - Sessions live in Redis',
        '[file-summary] src/auth.ts - Signs people in with decision-001-jwt',
        '[decision] Use JWT - Tokens are signed',
      ].join('\n'),
    );
  });

  it('does not say twice what the title says already', async () => {
    await cli.run(['save', 'preference', 'Prefer pnpm over npm', '--tags', 'tools']);
    expect((await cli.run(['query', '--tag', 'tools'])).out).toBe('[preference] Prefer pnpm over npm');
  });

  it('prints JSON with the fields of the format first', async () => {
    const { out } = await cli.run(['query', '--id', 'file-src-auth-ts', '--format', 'json']);
    const answer = JSON.parse(out) as Answer;
    expect(Object.keys(answer).slice(0, 3)).toEqual(['nodes', 'count', 'query_time_ms']);
    expect(Object.keys(answer.nodes[0]!).slice(0, 4)).toEqual(['id', 'type', 'summary', 'path']);
    expect(answer).toMatchObject({
      nodes: [
        {
          id: 'file-src-auth-ts',
          type: 'file-summary',
          summary: 'Signs people in with decision-001-jwt',
          path: 'nodes/files/file-src-auth-ts.md',
          ref: 'note:file-src-auth-ts',
          links_to: ['decision-001-jwt'],
        },
      ],
      count: 1,
      query_time_ms: expect.any(Number),
    });
  });

  it('prints whole files', async () => {
    const { out } = await cli.run(['query', '--type', 'error', '--format', 'full']);
    expect(out).toContain('[error] Circular import - Move the types out');
    expect(out).toContain('note error-circular-import (nodes/errors/error-circular-import.md)');
    expect(out).toContain('## Solution\nMove the types out.');
  });

  it.each([
    [['--id', 'DECISION-001-JWT'], ['decision-001-jwt']],
    [['--id', 'note:decision-001-jwt'], ['decision-001-jwt']],
    [['--id', 'record:decisions/use-redis'], ['record:decisions/use-redis']],
    [['--id', 'use-redis'], ['record:decisions/use-redis']],
    [
      ['--type', 'decision'],
      ['record:decisions/use-redis', 'decision-001-jwt', 'decision-000-cookies'],
    ],
    [
      ['--type', 'error,file-summary'],
      ['file-src-auth-ts', 'error-circular-import'],
    ],
    [['--tag', 'AUTH', '--tag', '#security'], ['file-src-auth-ts']],
    [['--tag', 'auth,architecture'], ['decision-001-jwt']],
    [
      ['--status', 'superseded,resolved'],
      ['error-circular-import', 'decision-000-cookies'],
    ],
    [
      ['--type', 'decision', '--status', 'active'],
      ['record:decisions/use-redis', 'decision-001-jwt'],
    ],
    [
      ['--since', '2026-01-05'],
      ['record:decisions/use-redis', 'file-src-auth-ts'],
    ],
    [
      ['--recent', '2'],
      ['record:decisions/use-redis', 'file-src-auth-ts'],
    ],
    [['--recent', '1', '--type', 'error'], ['error-circular-import']],
    [
      ['--recent'],
      [
        'record:decisions/use-redis',
        'file-src-auth-ts',
        'decision-001-jwt',
        'error-circular-import',
        'decision-000-cookies',
      ],
    ],
    [['--limit', '1'], ['record:decisions/use-redis']],
    [['--tag', 'nothing'], []],
    [['--type', 'runbook'], []],
    [['--search', 'circular import'], ['error-circular-import']],
    [
      ['--search', 'CIRCULAR'],
      ['error-circular-import', 'record:decisions/use-redis'],
    ],
    [
      ['--search', 'cookies'],
      ['decision-000-cookies', 'decision-001-jwt'],
    ],
    [['--search', 'src/auth.ts'], ['file-src-auth-ts']],
    [
      ['--search', 'use', '--tag', 'auth', '--status', 'active'],
      ['record:decisions/use-redis', 'decision-001-jwt'],
    ],
    [['--search', 'nowhere to be found'], []],
    [['--related', 'error-circular-import'], []],
  ])('%j finds %j', async (argv, found) => {
    expect(await ids(...argv)).toEqual(found);
  });

  it('ranks what is related: links and backlinks by their relation, then shared tags', async () => {
    const { nodes } = await cli.json<Answer>(['query', '--related', 'decision-001-jwt']);
    expect(nodes.map(({ id, score, why }) => [id, score, why])).toEqual([
      ['decision-000-cookies', 5, ['supersedes']],
      ['file-src-auth-ts', 3.5, ['linked_from', 'tag:auth']],
      ['record:decisions/use-redis', 3.5, ['linked_from', 'tag:auth']],
    ]);
    expect(await ids('--related', 'decision-001-jwt', '--type', 'file-summary')).toEqual(['file-src-auth-ts']);
    expect(await ids('--related', 'decision-001-jwt', '--recent', '1')).toEqual(['record:decisions/use-redis']);
  });

  it('shows the best twenty of what is related, and how many there are', async () => {
    for (let at = 0; at < 30; at++) memory.note(`task-${at}`, '', { tags: '[many]' });
    const some = await cli.json<Answer>(['query', '--related', 'task-0']);
    expect([some.count, some.total]).toEqual([20, 29]);
    expect((await cli.json<Answer>(['query', '--related', 'task-0', '--limit', '0'])).count).toBe(29);
    const { err } = await cli.run(['query', '--related', 'task-0'], { answers: [] });
    expect(err).toBe('… and 9 more; --limit shows them.');
  });

  it.each([
    [['--type', 'foo'], /no type "foo"/, /file-summary, decision, .*tech_debt/],
    [['--id', 'decision-001-jvt'], /no note or record "decision-001-jvt"/, /Did you mean decision-001-jwt\?/],
    [['--related', 'redis'], /no note or record "redis"/, /Did you mean record:decisions\/use-redis\?/],
    [['--id', 'completely-unknown-thing'], /no note or record/, /cairn query --recent 20/],
    [['--status', 'actve'], /status "actve"/, /active, /],
    [['--since', 'soon'], /--since "soon" is no time/, /2026-01-31/],
    [['--limit', 'x'], /--limit "x"/, /^/],
    [['--recent', '0'], /--recent "0"/, /^/],
    [['--search', ' '], /--search needs a word/, /^/],
  ])('%j is refused with a reason and a way out', async (argv, reason, wayOut) => {
    const { exit, out, err } = await cli.run(['query', ...argv]);
    expect([exit, out]).toEqual([/^no note/.test(reason.source) ? 1 : 2, '']);
    expect(err).toMatch(reason);
    expect(err).toMatch(wayOut);
  });

  it('refuses formats and options that do not exist', async () => {
    expect((await cli.run(['query', '--format', 'xml'])).exit).toBe(2);
    expect((await cli.run(['query', '--nonsense'])).exit).toBe(2);
  });

  it('lets no file write on the terminal as it likes', async () => {
    memory.note('task-evil', '# \u001b[31mred\u202e\n\n## Description\nclear\u001b[2J the screen.\n');
    const { out } = await cli.run(['query', '--id', 'task-evil', '--format', 'full']);
    expect(out).not.toMatch(/[\u001b\u202e]/);
  });

  it('answers in an empty project', async () => {
    const empty = new Cli();
    expect(await empty.json<Answer>(['query', '--recent'])).toMatchObject({ nodes: [], count: 0 });
    expect((await empty.run(['query', '--id', 'x'])).exit).toBe(1);
    expect(fs.existsSync(empty.root)).toBe(false);
  });
});

describe('cairn graph', () => {
  it('tells what there is, in short', async () => {
    memory.note('task-a', 'See [[nowhere]].');
    put(path.join(cli.root, 'decisions/bad.json'), '{');
    const { exit, out } = await cli.run(['graph']);
    expect(exit).toBe(0);
    expect(out).toMatch(/^6 nodes: 3 decision, 1 error, 1 file-summary, 1 task\n/);
    expect(out).toContain('1 broken link, 1 file that is no node: `cairn graph --check` names them');
    expect(out).toContain(path.join(cli.root, 'graph.json'));
  });

  it('prints the graph as data', async () => {
    const graph = await cli.json<{ nodes: object; node_count: number }>(['graph']);
    expect(graph.node_count).toBe(5);
    expect(Object.keys(graph.nodes)).toContain('record:decisions/use-redis');
    expect(graph).not.toHaveProperty('files');
  });

  it('prints it for Graphviz, with everything quoted', async () => {
    memory.note('task-quote', '# A "quoted\\" title\n\nSee [[decision-001-jwt]].\n');
    const { out } = await cli.run(['graph', '--dot']);
    const lines = out.split('\n');
    expect(lines[0]).toBe('digraph cairn {');
    expect(lines.at(-1)).toBe('}');
    expect(out).toContain('"task-quote" [label="A \\"quoted\\\\\\" title", ');
    expect(out).toContain('  "task-quote" -> "decision-001-jwt";');
    expect(out).toContain('  "decision-001-jwt" -> "decision-000-cookies" [style=bold, label="supersedes"];');
    const plain = out.replace(/"(?:[^"\\]|\\.)*"/g, 'X');
    expect(plain).not.toMatch(/["\\]/);
  });

  it('checks: broken links, circles, double ids, unreadable files and orphans', async () => {
    memory.note('decision-002-a', 'supersedes:: [[decision-003-b]]');
    memory.note('decision-003-b', 'supersedes:: [[decision-004-c]]');
    memory.note('decision-004-c', 'supersedes:: [[decision-002-a]]\n[[nowhere]]');
    memory.note('Decision-001-JWT', '', { folder: 'tasks' });
    put(path.join(cli.root, 'nodes/tasks/task-bad.md'), '---\nopen\n');
    const { exit, out } = await cli.run(['graph', '--check']);
    expect(exit).toBe(1);
    expect(out).toContain('Broken links (1):\n  decision-004-c -> nowhere (nodes/decisions/decision-004-c.md)');
    expect(out).toContain('  decision-002-a -> decision-003-b -> decision-004-c -> decision-002-a');
    expect(out).toContain(
      'nodes/tasks/Decision-001-JWT.md: its id Decision-001-JWT is also that of nodes/decisions/decision-001-jwt.md',
    );
    expect(out).toContain('nodes/tasks/task-bad.md: its front matter does not end');
    expect(out).toContain('Orphans, tied to nothing (1):\n  error-circular-import');
    const { exit: code, out: data } = await cli.run(['graph', '--check', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(data)).toMatchObject({
      broken: [{ from: 'decision-004-c', to: 'nowhere' }],
      cycles: [['decision-002-a', 'decision-003-b', 'decision-004-c']],
      orphans: ['error-circular-import'],
    });
  });

  it('is content with orphans alone', async () => {
    const { exit } = await cli.run(['graph', '--check']);
    expect(exit).toBe(0);
  });

  it('rebuilds when told to, even if nothing looks changed', async () => {
    await cli.run(['graph']);
    const file = path.join(cli.root, 'nodes/errors/error-circular-import.md');
    const same = fs.readFileSync(file, 'utf8').replace('Move', 'Take');
    fs.utimesSync(file, 1_000, 1_000);
    await cli.run(['graph']);
    fs.writeFileSync(file, same);
    fs.utimesSync(file, 1_000, 1_000);
    expect((await cli.run(['query', '--type', 'error'])).out).toContain('Move the types out');
    expect((await cli.run(['graph', '--rebuild'])).exit).toBe(0);
    expect((await cli.run(['query', '--type', 'error'])).out).toContain('Take the types out');
  });

  it('follows what the other commands write', async () => {
    await cli.run(['graph']);
    await cli.run(['note', 'new', 'task', 'Fix the login', '--related', 'decision-001-jwt']);
    const graph = JSON.parse(fs.readFileSync(path.join(cli.root, 'graph.json'), 'utf8')) as {
      nodes: { [id: string]: object };
    };
    expect(graph.nodes['task-fix-the-login']).toMatchObject({ links_to: ['decision-001-jwt'] });
  });

  it('does not mix its ways of printing', async () => {
    expect((await cli.run(['graph', '--dot', '--json'])).exit).toBe(2);
    expect((await cli.run(['graph', '--dot', '--check'])).exit).toBe(2);
  });
});
