// Hostile input to every hook: 5,000 payloads each through the whole pipeline in process, and a sample through the real
// binary. Allowed is silence or the protocol; never an exception, never another exit code, never a hang.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capture } from '../../src/app/hooks/capture.ts';
import { postToolUse } from '../../src/app/hooks/post-tool-use.ts';
import { preToolUse } from '../../src/app/hooks/pre-tool-use.ts';
import { stop } from '../../src/app/hooks/stop.ts';
import { userPromptSubmit } from '../../src/app/hooks/user-prompt-submit.ts';
import { runHook } from '../../src/faces/hooks/run-hook.ts';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';

const RUNS = 5_000;
const HANDLERS = {
  stop,
  'user-prompt-submit': userPromptSubmit,
  'pre-tool-use': preToolUse,
  'post-tool-use': postToolUse,
  capture,
} as const;
const EVENTS = Object.keys(HANDLERS) as (keyof typeof HANDLERS)[];
const BINARY = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');

let base: string;
let project: string;
beforeAll(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-fuzz-')));
  project = path.join(base, 'project');
  fs.mkdirSync(path.join(project, '.claude/memory/decisions'), { recursive: true });
  fs.writeFileSync(
    path.join(project, '.claude/memory/index.md'),
    '# Memory Index\n\n- [DECISION] Use tokens -> .claude/memory/decisions/t.json #tags:auth\n',
  );
  fs.writeFileSync(
    path.join(base, 'transcript.jsonl'),
    '{"type":"user","message":{"role":"user","content":"we decided it because of that"}}\n',
  );
});
afterAll(() => removeBusyFolder(base));

const env = (): NodeJS.ProcessEnv => ({ HOME: path.join(base, 'home'), PATH: process.env.PATH });

/** A payload as the client sends it, with single values exchanged for anything, or not JSON at all. */
function payloads(): fc.Arbitrary<string> {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'Write',
      'Edit',
      'Read',
      'NotebookEdit',
      'how do the auth tokens work',
      '~/.claude/memory/x.json',
      '/',
      '..',
      '\0',
      '</memory-context>',
    ),
  );
  const files = fc
    .constantFrom(
      '.claude/memory/decisions/t.json',
      '.claude/memory/../memory/x.json',
      '.CLAUDE/Memory/x.json',
      '.claude\\memory\\x.json',
      'src/a.ts',
    )
    .map((file) => path.join(project, file));
  const anything = fc.oneof(fc.jsonValue(), word, fc.constantFrom(null, 1e308, -1, true, '', [], {}));
  const tool = fc.record(
    { file_path: fc.oneof(files, anything), notebook_path: anything, content: anything, edits: anything },
    { requiredKeys: [] },
  );
  const payload = fc.record(
    {
      session_id: anything,
      transcript_path: fc.oneof(fc.constant(path.join(base, 'transcript.jsonl')), anything),
      cwd: fc.oneof(fc.constant(project), anything),
      hook_event_name: anything,
      prompt: anything,
      user_prompt: anything,
      tool_name: fc.oneof(word, anything),
      tool_input: fc.oneof(tool, anything),
      tool_response: anything,
      stop_hook_active: anything,
      last_assistant_message: anything,
    },
    { requiredKeys: [] },
  );
  const whole = fc.oneof(payload, fc.jsonValue()).map((value) => JSON.stringify(value));
  const mutated = fc
    .tuple(whole, fc.nat(), fc.string({ maxLength: 4 }))
    .map(([text, at, junk]) => text.slice(0, at % (text.length + 1)) + junk);
  return fc.oneof(whole, mutated, fc.string());
}

async function answer(
  event: keyof typeof HANDLERS,
  input: string,
): Promise<{ exit: number; out: string; err: string }> {
  const chunks: (Buffer | undefined)[] = [Buffer.from(input)];
  let out = '';
  let err = '';
  const exit = await runHook(event, HANDLERS[event], {
    env: { ...env(), CAIRN_TRACES_ENABLED: 'false' }, // a worker would be this test run once more
    input: (give) => setImmediate(() => give(chunks.shift())),
    cwd: () => project,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { exit, out, err };
}

function expectProtocol(event: string, exit: number, out: string): void {
  expect([0, ...(event === 'stop' ? [2] : [])]).toContain(exit);
  if (out === '') return;
  if (event === 'user-prompt-submit') expect(out).toMatch(/^<memory-context [\s\S]*<\/memory-context>\n$/);
  else expect(() => JSON.parse(out)).not.toThrow();
}

describe('hostile input', { timeout: 300_000 }, () => {
  for (const event of EVENTS) {
    it(`never gets more than silence or the protocol out of ${event} (${RUNS} payloads)`, async () => {
      await fc.assert(
        fc.asyncProperty(payloads(), async (input) => {
          const { exit, out } = await answer(event, input);
          expectProtocol(event, exit, out);
        }),
        { numRuns: RUNS },
      );
    });
  }

  it('goes the same way through the real binary, also when standard input is left open', async () => {
    const samples = fc.sample(payloads(), 12);
    for (const event of EVENTS) {
      await Promise.all(
        samples.map(async (input, at) => {
          const { exit, out, seconds } = await spawnHook(event, input, at % 3 === 0);
          expectProtocol(event, exit, out);
          expect(seconds).toBeLessThan(30); // a hang, not a measurement
        }),
      );
    }
  });
});

function spawnHook(
  event: string,
  input: string,
  leaveOpen: boolean,
): Promise<{ exit: number; out: string; err: string; seconds: number }> {
  const started = Date.now();
  const child = spawn(process.execPath, [BINARY, 'hook', event], { cwd: project, env: env(), timeout: 60_000 });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.write(input);
  if (!leaveOpen) child.stdin.end();
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ exit: code ?? -1, out, err, seconds: (Date.now() - started) / 1000 }));
  });
}
