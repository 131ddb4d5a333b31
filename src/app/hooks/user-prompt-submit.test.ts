import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { loadConfig } from '../../config/load.ts';
import { userPromptSubmit } from './user-prompt-submit.ts';

let base: string;
let project: string;
let memory: string;
let problems: unknown[];

beforeEach(() => {
  base = temporaryFolder();
  project = path.join(base, 'project');
  memory = path.join(project, '.claude/memory');
  fs.mkdirSync(path.join(memory, 'decisions'), { recursive: true });
  problems = [];
});

const LINE = '- [DECISION] Postgres for storage -> .claude/memory/decisions/pg.json #tags:database';
const BLOCK = `<memory-context source=".claude/memory/">\n${LINE}\n</memory-context>\n`;
const QUESTION = 'tell me about postgres today';

const writeIndex = (...lines: string[]) =>
  fs.writeFileSync(path.join(memory, 'index.md'), `# Index\n\n${lines.join('\n')}\n`);
const configure = (settings: unknown) =>
  fs.writeFileSync(path.join(memory, 'memory-config.json'), JSON.stringify(settings));

async function ask(
  payload: { [key: string]: unknown },
  env: { [name: string]: string } = {},
): Promise<string | undefined> {
  const all = { HOME: path.join(base, 'home'), ...env };
  const config = loadConfig({ cwd: project, env: all });
  const problem = (cause: unknown) => problems.push(cause);
  const answer = await userPromptSubmit(
    { cwd: project, ...payload },
    { env: all, now: () => new Date(), config, problem, start: async () => {} },
  );
  expect(answer.exit).toBe(0);
  return answer.stdout;
}

describe('a prompt', () => {
  beforeEach(() => writeIndex(LINE));

  it('gets the memories that fit it', async () => {
    expect(await ask({ prompt: QUESTION })).toBe(BLOCK);
    expect(await ask({ user_prompt: QUESTION })).toBe(BLOCK);
    expect(await ask({ prompt: null, user_prompt: QUESTION })).toBe(BLOCK);
    expect(await ask({ prompt: 'something else entirely' })).toBeUndefined();
  });

  it('must have ten characters without the blanks around it', async () => {
    expect(await ask({ prompt: 'postgres!!' })).toBe(BLOCK);
    expect(await ask({ prompt: '   postgres!   ' })).toBeUndefined();
    expect(await ask({ prompt: `postgres${'\u{1f418}'}` })).toBeUndefined();
    expect(await ask({})).toBeUndefined();
    expect(await ask({ prompt: ['postgres'] })).toBeUndefined();
  });

  it('is left alone if the client made it, or if it is a command', async () => {
    const machine = ['<task-notification>', '<command-name>', '<local-command-stdout>', '<bash-input>'];
    for (const start of [...machine, '/compact ', '/plugin:search '])
      expect(await ask({ prompt: `${start} postgres, postgres` }), start).toBeUndefined();
    expect(await ask({ prompt: QUESTION, source: 'system' })).toBeUndefined();
    expect(await ask({ prompt: '/etc/postgres is where?' })).toBe(BLOCK);
    expect(await ask({ prompt: '<div> postgres </div>' })).toBe(BLOCK);
  });

  it('may be huge', async () => {
    expect(await ask({ prompt: `postgres ${'word '.repeat(1_000_000)}` })).toBe(BLOCK);
    expect(
      await ask({ prompt: `${Array.from({ length: 20_000 }, (_, at) => `w${at}`).join(' ')} postgres` }),
    ).toBeUndefined();
  });
});

describe('the settings', () => {
  beforeEach(() => writeIndex(LINE, LINE.replaceAll('pg', 'pg2'), LINE.replaceAll('pg', 'pg3')));

  it('switch it off', async () => {
    configure({ retrieval: { enabled: false } });
    expect(await ask({ prompt: QUESTION })).toBeUndefined();
    configure({ retrieval: { max_inject: 0 } });
    expect(await ask({ prompt: QUESTION })).toBeUndefined();
  });

  it('say how many are shown, and what categories are for', async () => {
    configure({ retrieval: { max_inject: 2 }, categories: { decision: { description: 'what was "decided"' } } });
    const lines = (await ask({ prompt: QUESTION }))?.split('\n') ?? [];
    expect(lines[0]).toBe(
      '<memory-context source=".claude/memory/" descriptions="decision=what was &quot;decided&quot;">',
    );
    expect(lines).toHaveLength(5);
  });

  it('may choose either strategy', async () => {
    for (const strategy of ['hybrid', 'title_tags'])
      expect(await ask({ prompt: QUESTION }, { CAIRN_RETRIEVAL_MATCH_STRATEGY: strategy })).toContain('Postgres');
  });

  it('may move the memory, inside the project and out of it', async () => {
    const line = '- [DECISION] Postgres -> ';
    const moved = path.join(project, 'docs/memory');
    fs.mkdirSync(moved, { recursive: true });
    fs.writeFileSync(path.join(moved, 'index.md'), `${line}docs/memory/decisions/x.json\n`);
    expect(await ask({ prompt: QUESTION }, { CAIRN_MEMORY_ROOT: 'docs/memory' })).toBe(
      `<memory-context source="docs/memory/">\n${line}docs/memory/decisions/x.json\n</memory-context>\n`,
    );
    const outside = path.join(base, 'outside');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'index.md'), `${line}decisions/x.json\n`);
    expect(await ask({ prompt: QUESTION }, { CAIRN_MEMORY_ROOT: outside })).toBe(
      `<memory-context source="${outside}/">\n${line}decisions/x.json\n</memory-context>\n`,
    );
  });
});

describe('index.md', () => {
  it('is made anew when it is missing', async () => {
    const record = { category: 'decision', title: 'Postgres for storage', tags: ['database'], record_status: 'active' };
    fs.writeFileSync(path.join(memory, 'decisions/pg.json'), JSON.stringify(record));
    fs.writeFileSync(path.join(memory, 'decisions/broken.json'), '{');
    expect(await ask({ prompt: QUESTION })).toBe(BLOCK);
    expect(fs.readFileSync(path.join(memory, 'index.md'), 'utf8')).toContain(LINE);
    expect(String(problems[0])).toContain('broken.json');
  });

  it('is not made for an empty memory, nor without one', async () => {
    expect(await ask({ prompt: QUESTION })).toBeUndefined();
    expect(fs.existsSync(path.join(memory, 'index.md'))).toBe(false);
    fs.rmSync(memory, { recursive: true });
    expect(await ask({ prompt: QUESTION })).toBeUndefined();
    expect(fs.existsSync(memory)).toBe(false);
  });

  it('spoiled by a byte that is not UTF-8 loses no other line', async () => {
    fs.writeFileSync(path.join(memory, 'index.md'), Buffer.from(`- [DECISION] \xff -> x.json\n${LINE}\n`, 'latin1'));
    expect(await ask({ prompt: QUESTION })).toBe(BLOCK);
  });

  it('that is no file is an error for the log', async () => {
    fs.mkdirSync(path.join(memory, 'index.md'));
    await expect(ask({ prompt: QUESTION })).rejects.toThrow('not a file');
  });
});
