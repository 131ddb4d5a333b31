import { beforeEach, describe, expect, it } from 'vitest';
import { isObject } from '../../src/model/json.ts';
import { Cli } from '../fixtures/cli.ts';
import { sampleInput } from '../fixtures/sample-records.ts';

let cli: Cli;
beforeEach(async () => {
  cli = new Cli();
  await cli.write('create', 'decisions/a', sampleInput('decision'), ['--category', 'decision']);
  await cli.run(['note', 'new', 'task', 'Given']);
});

describe('every command prints one JSON object with --json', () => {
  it.each([
    [['save', 'runbook', 'The disk is full']],
    [['save', 'runbook', 'The disk is full', '--dry-run']],
    [['search', 'cookie']],
    [['search', 'nothing']],
    [['list']],
    [['list', '--archived']],
    [['status']],
    [['retire', 'a']],
    [['archive', 'a']],
    [['restore', 'a']],
    [['config', 'get', 'auto_commit']],
    [['config', 'set', 'auto_commit', 'false']],
    [['config', 'unset', 'auto_commit']],
    [['config', 'list']],
    [['config', 'path']],
    [['write', '--action', 'archive', '--target', '.claude/memory/decisions/a.json']],
    [['candidate', '--category', 'decision', '--new-info', 'cookie']],
    [['index', '--rebuild']],
    [['index', '--validate']],
    [['index', '--query', 'cookie']],
    [['index', '--health']],
    [['index', '--gc']],
    [['remember', 'cookie']],
    [['remember', 'nothing at all']],
    [['note', 'new', 'task', 'Sweep']],
    [['note', 'list']],
    [['note', 'list', '--type', 'decision']],
    [['note', 'show', 'task-given']],
    [['show', 'task-given']],
    [['remember', '--exact', 'cookie']],
    [['note', 'set', 'task-given', '--status', 'completed']],
    [['note', 'link', 'task-given', 'record:decisions/a']],
    [['note', 'rm', 'task-given']],
    [['query']],
    [['query', '--tag', 'nothing']],
    [['graph']],
    [['graph', '--check']],
    [['backfill']],
    [['reindex']],
    [['log']],
    [['today']],
    [['todo']],
    [['todo', '--settled']],
    [['done', 'task-given']],
    [['drop', 'task-given']],
    [['forget', '--list']],
    [['inbox']],
    [['inbox', 'keep', 'task-given']],
    [['save', 'decision', '--from', 'task-given']],
    [['topics']],
    [['stats']],
    [['show', 'record:decisions/a']],
    [['show', 'note:task-given']],
    [['why']],
    [['feedback']],
    [['feedback', 'record:decisions/a', 'useful']],
    [['doctor']],
    [['redact']],
    [['export']],
    [['trust']],
    [['trust', '--list']],
    [['import', '--markdown', '.', '--dry-run']],
    [['install', '--dry-run']],
    [['uninstall', '--dry-run']],
    [['install', '--client', 'cursor', '--dry-run']],
  ])('%j', async (argv) => {
    const { exit, out } = await cli.run([...argv, '--json'], { env: { PATH: '', CAIRN_EMBEDDINGS_PROVIDER: 'none' } });
    expect(exit).toBe(0);
    expect(isObject(JSON.parse(out))).toBe(true);
  });
});

describe('every failure is an object with code, message and what to do, with --json', () => {
  it.each<[string[], string]>([
    [['save', 'idea', 'x'], 'CATEGORY_ERROR'],
    [['save', 'decision', 'x', '--field', 'status=maybe'], 'VALIDATION_ERROR'],
    [['search', 'x', '--limit', 'many'], 'USAGE_ERROR'],
    [['list', '--category', 'idea'], 'CATEGORY_ERROR'],
    [['retire', 'nothing'], 'NOT_FOUND'],
    [['unarchive', 'a'], 'UNARCHIVE_ERROR'],
    [['config', 'get', 'nothing'], 'CONFIG_ERROR'],
    [['config', 'set', 'nothing', '1'], 'CONFIG_ERROR'],
    [['candidate', '--category', 'idea', '--new-info', 'x'], 'CATEGORY_ERROR'],
    [['index', '--rebuild', '--root', 'nowhere'], 'INDEX_ERROR'],
    [['remember', 'x', '--since', 'someday'], 'USAGE_ERROR'],
    [['log', '--day', '2026-02-30'], 'USAGE_ERROR'],
    [['query', '--id', 'nothing'], 'NOT_FOUND'],
    [['note', 'show', 'nothing'], 'NOT_FOUND'],
    [['show', 'record:decisions/nothing'], 'NOT_FOUND'],
    [['show', 'x'], 'NOT_FOUND'],
    [['note', 'list', '--type', 'poem'], 'USAGE_ERROR'],
    [['topics', 'nothing'], 'NOT_FOUND'],
    [['inbox', 'merge', 'nothing', 'a'], 'NOT_FOUND'],
    [['inbox', 'save', 'd-00000000'], 'NOT_FOUND'],
    [['save', '--from', 'record:decisions/a'], 'USAGE_ERROR'],
    [['done', 'nothing'], 'NOT_FOUND'],
    [['drop', 'record:decisions/a'], 'INPUT_ERROR'],
    [['done', 'task-given', '--undo', '--because', 'x'], 'USAGE_ERROR'],
    [['backfill', 'nowhere'], 'NOT_FOUND'],
    [['feedback', 'record:decisions/nothing', 'useful'], 'NOT_FOUND'],
    [['import', '--markdown', 'nowhere'], 'INPUT_ERROR'],
  ])('%j', async (argv, code) => {
    const { exit, out, err } = await cli.run([...argv, '--json']);
    expect(exit).toBe(code === 'USAGE_ERROR' ? 2 : 1);
    const { error } = JSON.parse(out) as {
      error: { code: string; message: string; fix?: string; details?: unknown[] };
    };
    expect(error.code).toBe(code);
    expect(error.message.length).toBeGreaterThan(10);
    expect(err).not.toContain(error.message);
  });

  it('a refused record says every problem as data', async () => {
    const { out } = await cli.run(['save', 'decision', 'x', '--field', 'status=maybe', '--json']);
    expect(JSON.parse(out).error.details).toContainEqual({ name: 'field', value: 'content.status' });
  });
});
