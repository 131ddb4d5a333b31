import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { loadConfig } from '../../config/load.ts';
import type { HookAnswer } from './hook.ts';
import { preToolUse } from './pre-tool-use.ts';

let base: string;
let project: string;
let memory: string;

beforeEach(() => {
  base = temporaryFolder();
  project = path.join(base, 'project');
  memory = path.join(project, '.claude/memory');
  fs.mkdirSync(path.join(memory, 'decisions'), { recursive: true });
});

async function guard(payload: { [key: string]: unknown }, env: { [name: string]: string } = {}): Promise<HookAnswer> {
  const config = loadConfig({ cwd: project, env: { HOME: path.join(base, 'home'), ...env } });
  const problem = (cause: unknown) => expect.fail(String(cause));
  return preToolUse(
    { cwd: project, ...payload },
    { env: {}, now: () => new Date(), config, problem, start: async () => {} },
  );
}

const write = (file_path: unknown) => guard({ tool_name: 'Write', tool_input: { file_path, content: '{}' } });
const isDenied = async (answer: Promise<HookAnswer>): Promise<boolean> => (await answer).stdout !== undefined;

describe('the write guard', () => {
  it('refuses a write into the memory in the form the client takes, and says what to do instead', async () => {
    const answer = await write(path.join(memory, 'decisions/x.json'));
    expect(answer.exit).toBe(0);
    const { hookSpecificOutput } = JSON.parse(answer.stdout ?? '');
    expect(hookSpecificOutput).toMatchObject({ hookEventName: 'PreToolUse', permissionDecision: 'deny' });
    expect(hookSpecificOutput.permissionDecisionReason).toMatch(/^Direct writes to the memory directory are blocked/);
    expect(hookSpecificOutput.permissionDecisionReason).toContain('cairn write');
  });

  it('has nothing to say about other files and other tools', async () => {
    expect(await write(path.join(project, 'src/app.ts'))).toEqual({ exit: 0 });
    const reading = { tool_name: 'Read', tool_input: { file_path: path.join(memory, 'index.md') } };
    expect(await guard(reading)).toEqual({ exit: 0 });
    expect(await guard({ tool_name: 'Bash', tool_input: { command: `rm -r ${memory}` } })).toEqual({ exit: 0 });
  });

  it('looks at every tool that writes, and at a call without a name', async () => {
    const file = path.join(memory, 'x.json');
    for (const tool_name of ['Write', 'Edit', 'MultiEdit', undefined, 7])
      expect(await isDenied(guard({ tool_name, tool_input: { file_path: file } }))).toBe(true);
    expect(await isDenied(guard({ tool_name: 'NotebookEdit', tool_input: { notebook_path: file } }))).toBe(true);
    const edits = [{ file_path: path.join(project, 'a') }, { file_path: file }];
    expect(await isDenied(guard({ tool_name: 'MultiEdit', tool_input: { file_path: 'a', edits } }))).toBe(true);
  });

  it('keeps quiet about input of any other shape', async () => {
    for (const tool_input of [
      undefined,
      null,
      [],
      'x',
      7,
      {},
      { file_path: 7 },
      { file_path: '' },
      { edits: [null, 7] },
    ])
      expect(await guard({ tool_name: 'Write', tool_input })).toEqual({ exit: 0 });
  });

  it('starts relative paths from where the client is', async () => {
    const tool_input = { file_path: 'memory/x.json' };
    expect(await isDenied(guard({ tool_input, cwd: path.join(project, '.claude') }))).toBe(true);
    expect(await isDenied(guard({ tool_input, cwd: path.join(project, 'src') }))).toBe(false);
    expect(await isDenied(guard({ tool_input: { file_path: '.claude/memory/x' }, cwd: 7 }))).toBe(true);
  });

  it('lets the settings through, in the root and under no other name', async () => {
    expect(await isDenied(write(path.join(memory, 'memory-config.json')))).toBe(false);
    expect(await isDenied(write(path.join(memory, 'decisions/memory-config.json')))).toBe(true);
    expect(await isDenied(write(path.join(memory, 'memory-config.json.')))).toBe(true);
    fs.symlinkSync('memory-config.json', path.join(memory, 'x.json'));
    expect(await isDenied(write(path.join(memory, 'x.json')))).toBe(true);
  });

  it('does not take a link to a record for the settings', async () => {
    fs.symlinkSync('decisions/x.json', path.join(memory, 'memory-config.json'));
    expect(await isDenied(write(path.join(memory, 'memory-config.json')))).toBe(true);
  });

  it('lets drafts be staged in the temporary directory, but not in a memory below it', async () => {
    for (const name of ['.memory-draft-x.json', '.memory-write-pending.json', '.memory-triage-context-decision.txt']) {
      expect(await isDenied(write(path.join(os.tmpdir(), name)))).toBe(false);
      expect(await isDenied(write(path.join(memory, name)))).toBe(true);
    }
    const moved = { CAIRN_MEMORY_ROOT: os.tmpdir() };
    const draft = { tool_input: { file_path: path.join(os.tmpdir(), '.memory-draft-x.json') } };
    expect(await isDenied(guard(draft, moved))).toBe(false);
    expect(await isDenied(guard({ tool_input: { file_path: path.join(os.tmpdir(), 'x.json') } }, moved))).toBe(true);
  });

  it('knows a memory root that was moved', async () => {
    const elsewhere = path.join(base, 'elsewhere');
    const payload = { tool_input: { file_path: path.join(elsewhere, 'decisions/x.json') } };
    expect(await isDenied(guard(payload))).toBe(false);
    expect(await isDenied(guard(payload, { CAIRN_MEMORY_ROOT: elsewhere }))).toBe(true);
  });

  it('shows hostile paths harmlessly', async () => {
    const answer = await write(`${memory}/\u001b[2J\n"}}${'x'.repeat(5_000)}`);
    const reason = JSON.parse(answer.stdout ?? '').hookSpecificOutput.permissionDecisionReason;
    expect(reason.length).toBeLessThan(2_000);
    expect(reason).not.toMatch(/[\u001b\n]/);
  });
});

describe('saving a draft', () => {
  const saving = (more: { [key: string]: unknown } = {}) =>
    guard({ tool_name: 'mcp__plugin_memory_cairn__save_draft', tool_input: { id: 'd-00000000' }, ...more });

  it('needs no question, except in plan mode, where nothing may be written', async () => {
    expect(JSON.parse((await saving()).stdout ?? '').hookSpecificOutput).toMatchObject({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
    });
    expect(await saving({ permission_mode: 'plan' })).toEqual({ exit: 0 });
  });

  it('is allowed to our own tool alone', async () => {
    for (const tool_name of [
      'mcp__plugin_memory_cairn__save',
      'mcp__other__save_draft',
      'mcp__plugin_memory_cairn__forget',
    ])
      expect(await saving({ tool_name })).toEqual({ exit: 0 });
  });
});
