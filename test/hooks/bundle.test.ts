// Cold start is sacred: the binary that runs before every prompt and tool call must not carry what it does not need.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../fixtures/temporary.ts';

const dist = path.resolve(import.meta.dirname, '../../dist/faces/hooks');
const meta = JSON.parse(fs.readFileSync(path.join(dist, 'bundles.meta.json'), 'utf8')) as {
  inputs: { [file: string]: unknown };
  outputs: { [file: string]: { bytes: number; imports: { path: string; kind: string; external?: boolean }[] } };
};

/** Loaded when a large store is searched by vector, when a failure is written down, or where the rows are on a server, and never else. */
const LATE = ['sqlite-vec', '../late/mask-message.js', '../late/server-store.js'];
/** A worker of its own that nobody waits for: it may open the database. */
const WORKERS = /(?:index|vector|embed|read|sync)-worker\.js$/;
const waited = Object.entries(meta.outputs)
  .filter(([file]) => !WORKERS.test(file))
  .map(([, output]) => output);

describe('the bundle of the hooks', () => {
  it('holds our own sources and no package', () => {
    const foreign = Object.keys(meta.inputs).filter((file) => !/^(?:src\/|builtin:node:)/.test(file));
    expect(foreign).toEqual([]);
  });

  it('imports nothing from outside but Node itself', () => {
    const imports = waited.flatMap((output) => output.imports);
    const heavy = imports.filter((each) => each.kind !== 'dynamic-import' && !each.path.startsWith('node:'));
    expect(heavy).toEqual([]);
    const late = imports.filter((each) => each.kind === 'dynamic-import').map((each) => each.path);
    expect(late.filter((name) => !LATE.includes(name))).toEqual([]);
  });

  it('does not name the libraries that would be felt', () => {
    const bundles = fs.readdirSync(dist).filter((name) => name.endsWith('.js') && !WORKERS.test(name));
    const text = bundles.map((name) => fs.readFileSync(path.join(dist, name), 'utf8')).join('\n');
    expect(text).not.toMatch(
      /require\("(?:zod|commander|@modelcontextprotocol\/[^"]*|@photostructure\/[^"]*|onnxruntime-node|yaml|pg)"\)/,
    );
  });

  it('ends a session, and writes its notes twice, without the YAML library', () => {
    const home = temporaryFolder();
    const listed = path.join(home, 'loaded.txt');
    const list = path.join(home, 'list.cjs');
    fs.writeFileSync(
      list,
      `const Module = require('node:module'); const load = Module._load; const fs = require('node:fs');
       Module._load = function (name, ...rest) { fs.appendFileSync(${JSON.stringify(listed)}, name + '\\n'); return load.call(this, name, ...rest); };`,
    );
    fs.mkdirSync(path.join(home, '.git'));
    const run = (event: string, payload: object): void => {
      const { status } = spawnSync(process.execPath, ['-r', list, path.join(dist, '../cli/main.js'), 'hook', event], {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home, CAIRN_EMBEDDINGS_PROVIDER: 'none', NODE_OPTIONS: `-r ${list}` },
        input: JSON.stringify({ session_id: 'abcdef12', cwd: home, ...payload }),
        encoding: 'utf8',
      });
      expect(status).toBe(0);
    };
    const task = (input: object): object => ({
      tool_name: 'TodoWrite',
      tool_input: { todos: [input] },
      tool_response: {},
    });
    for (const status of ['in_progress', 'completed']) {
      run('capture', {
        hook_event_name: 'PostToolUse',
        ...task({ content: 'Fix the login', status, activeForm: 'x' }),
      });
      run('session-end-worker', {
        hook_event_name: 'SessionEnd',
        reason: 'other',
        transcript_path: path.join(home, 'x.jsonl'),
      });
    }
    const notes = path.join(home, '.claude/memory/nodes');
    expect(fs.readdirSync(path.join(notes, 'tasks'))).toHaveLength(1);
    expect(
      fs
        .readFileSync(listed, 'utf8')
        .split('\n')
        .filter((name) => /yaml/.test(name)),
    ).toEqual([]);
  });

  it('that fails masks what it writes down, as it is installed', () => {
    const home = temporaryFolder();
    const password = ['kT6!', 'vbLm2'].join('');
    // What stands in the way is named in the message, with the folder.
    const project = path.join(home, `DB_PASSWORD=${password}`);
    fs.mkdirSync(path.join(project, '.claude', 'memory'), { recursive: true });
    fs.writeFileSync(path.join(project, '.claude', 'memory', 'nodes'), 'no folder');
    fs.writeFileSync(path.join(home, 'sessions'), 'no folder either');
    const { status } = spawnSync(process.execPath, [path.join(dist, '../cli/main.js'), 'hook', 'capture'], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: home, CAIRN_HOME: home, CAIRN_EMBEDDINGS_PROVIDER: 'none' },
      input: JSON.stringify({
        session_id: 'abcdef12',
        cwd: project,
        hook_event_name: 'PostToolUse',
        tool_name: 'TodoWrite',
        tool_input: { todos: [{ content: 'Fix it', status: 'completed', activeForm: 'x' }] },
        tool_response: {},
      }),
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    const log = fs.readFileSync(path.join(home, 'log', 'hooks.log'), 'utf8');
    expect(log).toContain('"event":"capture"');
    expect(log).not.toContain('cannot be masked');
    expect(log).not.toContain(password);
  });

  it('indexes a turn without the parts of Node that take longest to load', () => {
    const home = temporaryFolder();
    const transcript = path.join(home, 'talk.jsonl');
    const list = path.join(home, 'list.cjs');
    fs.writeFileSync(list, "process.on('exit', () => process._rawDebug(JSON.stringify(process.moduleLoadList)));");
    const loadedBy = (argv: readonly string[], input: string): string[] => {
      const run = spawnSync(process.execPath, ['-r', list, ...argv], {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home, CAIRN_EMBEDDINGS_PROVIDER: 'none' },
        input,
        encoding: 'utf8',
      });
      return JSON.parse(run.stderr.trim().split('\n').at(-1)!) as string[];
    };
    const turn = (text: string): string[] => {
      const line = { type: 'user', sessionId: 's', cwd: home, message: { role: 'user', content: text } };
      fs.appendFileSync(transcript, `${JSON.stringify(line)}\n`);
      const payload = { session_id: 's', transcript_path: transcript, cwd: home, hook_event_name: 'PreCompact' };
      return loadedBy([path.join(dist, '../cli/main.js'), 'hook', 'index-worker'], JSON.stringify(payload));
    };
    turn('We decided to keep the invoices in PostgreSQL.');
    const loaded = turn('Why not in Redis, which we have for the sessions already?');
    const bare = loadedBy(['-e', '0'], '');
    const slow = /^NativeModule (?:zlib|crypto|stream|child_process|net|http)$/;
    expect(loaded).toContain('NativeModule vm');
    expect(loaded.filter((name) => slow.test(name) && !bare.includes(name))).toEqual([]);
    expect(fs.readdirSync(path.join(home, '.cairn', 'archive', 'transcripts'))).toHaveLength(1);
  });
});
