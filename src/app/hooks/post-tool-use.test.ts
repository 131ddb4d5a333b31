import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { loadConfig } from '../../config/load.ts';
import type { HookAnswer } from './hook.ts';
import { postToolUse } from './post-tool-use.ts';

const NOW = new Date('2026-06-15T12:00:00.900Z');
const STAMP = NOW.getTime() / 1000 - 0.9;
let base: string;
let project: string;
let memory: string;

beforeEach(() => {
  base = temporaryFolder();
  project = path.join(base, 'project');
  memory = path.join(project, '.claude/memory');
  fs.mkdirSync(path.join(memory, 'decisions'), { recursive: true });
});

async function validate(file: string, changed: { [key: string]: unknown } = {}): Promise<HookAnswer> {
  const env = { HOME: path.join(base, 'home') };
  const config = loadConfig({ cwd: project, env });
  const problem = (cause: unknown) => expect.fail(String(cause));
  const payload = { cwd: project, tool_name: 'Write', tool_input: { file_path: file }, ...changed };
  return postToolUse(payload, { env, now: () => NOW, config, problem, start: async () => {} });
}

const decision = (changed: { [key: string]: unknown } = {}) => ({
  schema_version: '1.0',
  category: 'decision',
  id: 'x',
  title: 'Keep rows in one engine',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  tags: ['storage'],
  content: { status: 'accepted', context: 'Two engines', decision: 'One', rationale: ['simpler'] },
  ...changed,
});

function put(name: string, content: unknown): string {
  const file = path.join(memory, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const reasonOf = (answer: HookAnswer): string => {
  const { hookSpecificOutput, ...rest } = JSON.parse(answer.stdout ?? '{}');
  const { permissionDecisionReason: reason, ...said } = hookSpecificOutput ?? {};
  const denied = { hookEventName: 'PostToolUse', permissionDecision: 'deny', additionalContext: reason };
  expect({ said, rest }).toEqual({ said: denied, rest: {} });
  return reason;
};

describe('a file outside the memory', () => {
  it('is not looked at', async () => {
    const file = path.join(project, 'x.json');
    fs.writeFileSync(file, '{');
    expect(await validate(file)).toEqual({ exit: 0 });
    expect(await validate('')).toEqual({ exit: 0 });
    const reading = { tool_name: 'Read' };
    expect(await validate(put('decisions/x.json', '{'), reading)).toEqual({ exit: 0 });
  });
});

describe('a record that came past the guard', () => {
  it('stays, with a warning, if it is valid', async () => {
    const file = put('decisions/x.json', decision());
    const answer = await validate(file);
    expect(answer.stdout).toBeUndefined();
    expect(answer.stderr).toMatch(/^WARNING: .*decisions\/x\.json/);
    expect(fs.existsSync(file)).toBe(true);
  });

  it('is moved aside if it is not, and the model is told what is wrong', async () => {
    const file = put('decisions/x.json', decision({ content: { status: 'maybe' }, mood: 1 }));
    const answer = await validate(file);
    expect(answer.exit).toBe(0);
    expect(reasonOf(answer)).toMatch(/content\.status/);
    expect(reasonOf(answer)).toContain('cairn write');
    expect(fs.existsSync(file)).toBe(false);
    expect(JSON.parse(fs.readFileSync(`${file}.invalid.${STAMP}`, 'utf8'))).toMatchObject({ mood: 1 });
  });

  it('is moved aside if it is not JSON, no object, not UTF-8 or nested without end', async () => {
    const bad = ['{"a": ', '[]', '7', '', '['.repeat(100_000), `{"a":${'['.repeat(3_000)}${']'.repeat(3_000)}}`];
    for (const [at, text] of bad.entries()) {
      reasonOf(await validate(put(`decisions/${at}.json`, text)));
      expect(fs.readFileSync(path.join(memory, `decisions/${at}.json.invalid.${STAMP}`), 'utf8')).toBe(text);
    }
    const bytes = path.join(memory, 'decisions/bytes.json');
    fs.writeFileSync(bytes, Buffer.from([0x7b, 0xff, 0x7d]));
    reasonOf(await validate(bytes));
    expect(fs.existsSync(bytes)).toBe(false);
  });

  it('is judged by the category of its folder, and by its own where the folder says nothing', async () => {
    expect((await validate(put('x.json', decision()))).stdout).toBeUndefined();
    expect((await validate(put('misc/x.json', decision()))).stdout).toBeUndefined();
    reasonOf(await validate(put('runbooks/x.json', decision())));
    reasonOf(await validate(put('poems/x.json', decision({ category: 'poem' }))));
    reasonOf(await validate(put('poems/y.json', decision({ category: 'constructor' }))));
  });

  it('may be of a category that the project added', async () => {
    put('memory-config.json', { categories: { poem: { description: 'verses' } } });
    const poem = decision({ category: 'poem', content: { summary: 'a verse' } });
    expect((await validate(put('poem/x.json', poem))).stdout).toBeUndefined();
    // … and not by this project's categories if it lies in the memory of another.
    const other = path.join(base, 'other/.claude/memory/poem/x.json');
    fs.mkdirSync(path.dirname(other), { recursive: true });
    fs.writeFileSync(other, JSON.stringify(poem));
    reasonOf(await validate(other));
  });

  it('never takes the name of something moved aside before', async () => {
    const names = () => fs.readdirSync(path.join(memory, 'decisions')).sort();
    for (const text of ['1', '2', '3']) reasonOf(await validate(put('decisions/x.json', text)));
    expect(names()).toEqual([0, 1, 2].map((each) => `x.json.invalid.${STAMP + each}`));
    expect(names().map((name) => fs.readFileSync(path.join(memory, 'decisions', name), 'utf8'))).toEqual([
      '1',
      '2',
      '3',
    ]);
  });

  it('is reported when it is gone', async () => {
    const answer = await validate(path.join(memory, 'decisions/gone.json'));
    expect(reasonOf(answer)).toContain('no such file');
    expect(fs.readdirSync(path.join(memory, 'decisions'))).toEqual([]);
    reasonOf(await validate(path.join(put('decisions/file.txt', ''), 'below.json')));
  });
});

describe('links', () => {
  it('are followed into the memory', async () => {
    const file = put('decisions/x.json', '{');
    fs.symlinkSync(path.join(memory, 'decisions'), path.join(project, 'link'));
    reasonOf(await validate(path.join(project, 'link/x.json')));
    expect(fs.existsSync(`${file}.invalid.${STAMP}`)).toBe(true);
  });

  it('that lead out of it are moved aside themselves, and what they lead to stays', async () => {
    const outside = path.join(base, 'precious.json');
    fs.writeFileSync(outside, '{');
    fs.symlinkSync(outside, path.join(memory, 'decisions/x.json'));
    fs.mkdirSync(path.join(base, 'folder'));
    fs.writeFileSync(path.join(base, 'folder/y.json'), '{');
    fs.symlinkSync(path.join(base, 'folder'), path.join(memory, 'runbooks'));
    reasonOf(await validate(path.join(memory, 'decisions/x.json')));
    expect(fs.readlinkSync(path.join(memory, `decisions/x.json.invalid.${STAMP}`))).toBe(outside);
    reasonOf(await validate(path.join(memory, 'runbooks/y.json')));
    expect(fs.readFileSync(outside, 'utf8')).toBe('{');
    expect(fs.readdirSync(path.join(base, 'folder'))).toEqual(['y.json']);
  });
});

describe('what is no record', () => {
  it('is refused and left, with what to do', async () => {
    const text = put('decisions/notes.txt', 'x');
    expect(reasonOf(await validate(text))).toContain('not a JSON file');
    expect(fs.existsSync(text)).toBe(true);
    const index = put('index.md', '# x');
    expect(reasonOf(await validate(index))).toContain('cairn index --rebuild');
    expect(fs.existsSync(index)).toBe(true);
    const graph = put('graph.json', '{}');
    reasonOf(await validate(graph));
    expect(fs.existsSync(graph)).toBe(true);
  });

  it('may be the settings, of today or of the older layout', async () => {
    expect(await validate(put('memory-config.json', '{'))).toEqual({ exit: 0 });
    const old = put('config.json', '{');
    expect((await validate(old)).stdout).toBeUndefined();
    expect(fs.existsSync(old)).toBe(true);
    const misplaced = put('decisions/memory-config.json', {});
    reasonOf(await validate(misplaced));
    expect(fs.existsSync(misplaced)).toBe(false);
  });

  it('may be a note, which begins with front matter', async () => {
    const note = put('nodes/discoveries/a.md', '---\nid: a\n---\ntext');
    const answer = await validate(note);
    expect(answer.stdout).toBeUndefined();
    expect(answer.stderr).toContain('WARNING');
    const plain = put('nodes/discoveries/b.md', 'text');
    expect(reasonOf(await validate(plain))).toContain('front matter');
    expect(fs.existsSync(plain)).toBe(true);
  });
});

describe('a call that names several files', () => {
  it('is answered once, for all of them', async () => {
    const [first, second] = [put('decisions/a.json', '{'), put('decisions/b.json', '{')];
    const answer = await validate(first, {
      tool_input: { file_path: first, edits: [{ file_path: second }] },
      tool_response: { filePath: first },
    });
    expect(reasonOf(answer).split('\n')).toHaveLength(2);
    expect(fs.readdirSync(path.join(memory, 'decisions')).filter((name) => name.endsWith('.json'))).toEqual([]);
  });
});
