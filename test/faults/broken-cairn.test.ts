// A broken Cairn never hurts: whatever is wrong with it, the conversation goes on as without it, and `cairn doctor` names the cause.
// Each fault goes through every hook and the server as processes, and through one conversation of the real client.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { CLIENT_VERSION, findClient, runClient } from '../e2e/client.ts';
import { seenByModel } from '../e2e/loopback-api.ts';
import { newFolder, snapshot } from '../fixtures/temporary.ts';
import {
  type Broken,
  cairn,
  FAULTS,
  type Fault,
  makeMemory,
  PACKAGE,
  type Place,
  PROMPT,
  SESSION,
  start,
} from './broken-cairn.ts';
import { quoted, sayLoudly } from './mount-space.ts';

type Hook = { event: string; name: string; limit: number };
type Declared = { hooks: { [event: string]: { hooks: { args: string[]; timeout: number }[] }[] } };

/** As the client is told to run them: event, hook and time limit. */
const HOOKS: readonly Hook[] = Object.entries(
  (JSON.parse(fs.readFileSync(path.join(PACKAGE, 'plugin/hooks/hooks.json'), 'utf8')) as Declared).hooks,
).flatMap(([event, groups]) =>
  groups.flatMap(({ hooks }) => hooks.map(({ args, timeout }) => ({ event, name: args.at(-1)!, limit: timeout }))),
);

const client = findClient();
sayLoudly(
  client ? undefined : `Claude Code ${CLIENT_VERSION} is not installed; .ci/run installs it`,
  'faults on the real client',
);

let place: Place;
let broken: Broken;
afterEach(async () => {
  broken?.undo?.();
  await remove(place?.base);
});

/** Workers that the hooks have started may still be writing. */
async function remove(folder: string | undefined): Promise<void> {
  for (let tries = 0; folder && tries < 100; tries++) {
    try {
      fs.rmSync(folder, { recursive: true, force: true });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

async function breakDown(fault: Fault): Promise<void> {
  place = await makeMemory(newFolder());
  broken = await fault.break(place);
}

function payload({ event }: Hook): JsonObject {
  const file = path.join(place.project, 'notes.txt');
  const common = { session_id: SESSION, transcript_path: place.transcript, cwd: place.project, hook_event_name: event };
  const write = { tool_name: 'Write', tool_input: { file_path: file, content: 'x\n' }, tool_use_id: 'toolu_1' };
  const more: { [event: string]: JsonObject } = {
    SessionStart: { source: 'startup' },
    UserPromptSubmit: { prompt: PROMPT },
    PreToolUse: write,
    PostToolUse: { ...write, tool_response: { type: 'create', filePath: file } },
    PostToolUseFailure: {
      tool_name: 'Bash',
      tool_input: { command: 'npm run count' },
      error: 'Exit code 1\nno such script',
    },
    SubagentStop: { agent_id: 'a1', agent_type: 'Explore', last_assistant_message: 'Found nothing.' },
    Stop: { stop_hook_active: false, last_assistant_message: 'The tests pass.' },
    PreCompact: { trigger: 'manual' },
    SessionEnd: { reason: 'other' },
  };
  return { ...common, ...more[event] };
}

const WARNING = /^\[WARN\] .*config\.json.*\n/gm;

describe.each(FAULTS)('$name', { timeout: 240_000 }, (fault) => {
  const left = sayLoudly(fault.impossible, `tests with "${fault.name}"`);

  it.skipIf(left)('every hook lets the client go on, in its time', async () => {
    await breakDown(fault);
    const truth = () => snapshot(path.join(place.project, '.claude/memory/decisions'));
    const before = truth();
    for (const hook of HOOKS) {
      const input = JSON.stringify(payload(hook));
      const { exit, signal, err, out } = await cairn(place, broken, ['hook', hook.name], { input, limit: hook.limit });
      const told = fault.warns ? err.replace(WARNING, '') : err;
      expect({ hook: hook.name, exit, signal, told }).toEqual({ hook: hook.name, exit: 0, signal: null, told: '' });
      // The decision is found all the same: index.md is no database.
      if (hook.name === 'user-prompt-submit') expect(out).toContain('signed tokens');
    }
    expect(truth()).toEqual(before);
    if (fault.recalls || fault.silent) return;
    // The one notice: the next session is told that something failed, and where it says how.
    const input = JSON.stringify(payload(HOOKS.find(({ event }) => event === 'SessionStart')!));
    const { out } = await cairn(place, broken, ['hook', 'session-start'], { input });
    expect(out.match(/Cairn itself failed.*hooks\.log/g)).toHaveLength(1);
  });

  it.skipIf(left)('the server starts, answers, and says what is wrong', async () => {
    await breakDown(fault);
    const server = start(place, broken, ['mcp']);
    try {
      await expectServer(server, fault);
    } finally {
      server.kill('SIGKILL');
    }
  });

  it.skipIf(left)('the doctor names the cause, and its exit code tells', async () => {
    await breakDown(fault);
    const { exit, out, err } = await cairn(place, broken, ['doctor', '--json']);
    expect(err).toBe('');
    const { findings } = JSON.parse(out) as { findings: { area: string; level: string; text: string; fix?: string }[] };
    const named = findings.filter(
      ({ area, level, text }) => area === fault.cause.area && level === 'attention' && fault.cause.text.test(text),
    );
    expect(named, out).not.toEqual([]);
    if (fault.cause.fix) expect(named[0]!.fix).toMatch(fault.cause.fix);
    expect(exit).toBe(1);
  });

  it.skipIf(left || !client)(`a conversation on Claude Code ${CLIENT_VERSION} goes on`, async () => {
    await breakDown(fault);
    const written = path.join(place.project, 'notes.txt');
    const errors = path.join(place.base, 'stderr.txt');
    process.env.CAIRN_CLIENT = wrapper(errors);
    try {
      const { requests, result, exit, debug } = await runClient({
        place,
        prompt: PROMPT,
        turns: [
          { tools: [{ name: 'Write', input: { file_path: written, content: 'by hand\n' } }] },
          { tools: [{ name: 'Bash', input: { command: 'cat notes.txt' } }] },
          { text: 'With tokens.' },
        ],
        ...(broken.root ? { plugin: path.join(broken.root, 'plugin') } : {}),
      });
      expect({ exit, result: result.result, wrong: result.is_error, requests: requests.length }).toEqual({
        ...{ exit: 0, result: 'With tokens.', wrong: false, requests: 3 },
      });
      expect(seenByModel(requests[0])).toContain(PROMPT);
      expect(seenByModel(requests[0])).toContain('signed tokens');
      expect(seenByModel(requests[2])).not.toMatch(/hook (?:blocking )?error/i);
      expect(fs.readFileSync(written, 'utf8')).toBe('by hand\n');
      expect(fs.readFileSync(errors, 'utf8')).toBe('');
      expect(
        debug.split('\n').filter((line) => /hook.*(?:timed out|cancelled|non-blocking|status code [1-9])/i.test(line)),
      ).toEqual([]);
    } finally {
      delete process.env.CAIRN_CLIENT;
    }
  });
});

/** The client inside the broken place, with what it says on standard error kept. */
function wrapper(errors: string): string {
  const line = broken.inside?.(place.project, [client!]) ?? [client!];
  const file = path.join(place.base, 'claude');
  fs.writeFileSync(file, `#!/bin/sh\nexec ${line.map(quoted).join(' ')} "$@" 2>${quoted(errors)}\n`, { mode: 0o755 });
  return file;
}

type Answer = { id: number; result?: { isError?: boolean; content?: { text: string }[]; tools?: unknown[] } };

async function expectServer(server: ReturnType<typeof start>, fault: Fault): Promise<void> {
  let [rest, asked] = ['', 0];
  const waiting = new Map<number, (answer: Answer) => void>();
  server.stdin!.on('error', () => undefined);
  server.stdout!.on('data', (chunk: Buffer) => {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const answer = JSON.parse(line) as Answer;
      waiting.get(answer.id)?.(answer);
    }
  });
  const ask = (method: string, params: object): Promise<NonNullable<Answer['result']>> => {
    const id = ++asked;
    server.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ result }) => resolve(result!));
      server.once('close', () => reject(new Error(`the server ended at ${method}`)));
    });
  };
  const call = (name: string, input: object) => ask('tools/call', { name, arguments: input });
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'claude-code', version: CLIENT_VERSION },
  });
  expect((await ask('tools/list', {})).tools!.length).toBeGreaterThan(5);
  const recalled = await call('recall', { query: PROMPT });
  const said = recalled.content![0]!.text;
  if (fault.recalls) expect(said).toContain('signed tokens');
  else if (recalled.isError) expect(said).toMatch(/fix|run|check|free|install|try/i); // and what to do about it
  const hook = await call('cairn_hook', {
    event: 'user-prompt-submit',
    hook_event_name: 'UserPromptSubmit',
    session_id: SESSION,
    cwd: place.project,
    prompt: PROMPT,
  });
  expect(hook.content![0]!.text).toContain('signed tokens');
  const got = await call('get', { refs: ['record:decisions/nothing'] });
  expect(got.content![0]!.text).not.toBe('');
  const saved = await call('save', {
    category: 'decision',
    title: 'Herons are counted at dawn',
    content: { status: 'accepted', context: 'c', decision: 'd', rationale: ['r'] },
  });
  expect(saved.content![0]!.text).not.toBe('');
  if (!fault.silent) expect(saved.isError ?? false).toBe(false); // truth needs no database
}
