// `cairn remember` as a person and a program meet it: a memory of records and one conversation, asked from the command line.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Io } from '../../src/faces/cli/io.ts';
import { run } from '../../src/faces/cli/program.ts';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';

let folder: string;
let project: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-remember-')));
  project = path.join(folder, 'shop');
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
  env = { HOME: folder, CAIRN_HOME: path.join(folder, 'home'), CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  const transcript = path.join(folder, 'talk.jsonl');
  const said = (type: 'user' | 'assistant', content: string, at: number) =>
    JSON.stringify({
      type,
      uuid: `u${at}`,
      sessionId: 'talk',
      cwd: project,
      timestamp: new Date(Date.parse('2026-11-01T10:00:00Z') + at * 60_000).toISOString(),
      message: { role: type, content: type === 'user' ? content : [{ type: 'text', text: content }] },
    });
  fs.writeFileSync(
    transcript,
    `${[
      said('assistant', 'I looked at the sessions of the shop: there are two stores that can hold them.', 0),
      said('user', 'We should keep the sessions in Redis, because it expires them by itself.', 1),
      said('user', 'What happens to the invoices then?', 2),
      said('assistant', 'Invoices go to Postgres, with one schema for each tenant.', 3),
    ].join('\n')}\n`,
  );
  await cairn('backfill', transcript);
}, 60_000);
afterAll(() => removeBusyFolder(folder));

async function cairn(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const io: Io = {
    cwd: project,
    env,
    interactive: false,
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    ask: async () => undefined,
    readStdin: async () => 'sessions\n{"query":"invoices","limit":1}\n',
  };
  const code = await run(argv, io);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describe('cairn remember', () => {
  it('prints what it found with its source line and its age', async () => {
    const { code, out } = await cairn('remember', 'what', 'did', 'we', 'decide', 'about', 'sessions');
    expect(code).toBe(0);
    expect(out).toContain('keep the sessions in Redis');
    expect(out).toMatch(/talk\.jsonl:2/);
    expect(out).toContain('2026-11-01');
    expect(out.split('\n').every((line) => [...line].length <= 80)).toBe(true);
    expect(out).not.toContain('\u001b');
  });

  it('prints a record with its reasons, its file from the project, and nothing that nobody has stated', async () => {
    await cairn('save', 'preference', 'Prefer pnpm because its lock file is smaller', '--tags', 'tooling');
    const { out } = await cairn('remember', 'pnpm', '--layer', 'record');
    expect(out).toContain('Reason: its lock file is smaller');
    expect(out).toContain('record:preferences/prefer-pnpm  .claude/memory/preferences/prefer-pnpm.json');
    expect(out).not.toContain('Not stated');
    await cairn('retire', 'prefer-pnpm', '--yes', '--reason', 'the test is over');
  });

  it('prints one object with --json', async () => {
    const answer = JSON.parse((await cairn('remember', 'sessions redis', '--json', '--explain')).out);
    expect(Object.keys(answer)).toEqual(['query', 'analysis', 'relevance', 'results', 'took_ms']);
    expect(Object.keys(answer.analysis)).toEqual(['terms', 'entities', 'intents', 'since', 'until']);
    expect(answer.results[0]).toMatchObject({
      layer: 'trace',
      kind: 'decision',
      status: 'active',
      project,
      session: 'talk',
      created_at: '2026-11-01T10:01:00.000Z',
      source: { line: 2 },
      why: expect.arrayContaining([{ strategy: 'keyword', rank: expect.any(Number) }]),
    });
    expect(answer.results[0].explain.length).toBeGreaterThan(0);
  });

  it('answers a batch line by line, from a file and from standard input', async () => {
    const file = path.join(folder, 'queries.jsonl');
    fs.writeFileSync(file, `sessions\n\n{"query":"invoices","project":${JSON.stringify(project)},"limit":1}\n`);
    for (const source of [file, '-']) {
      const answers = (await cairn('remember', '--batch', source)).out.split('\n').map((line) => JSON.parse(line));
      expect(answers.map((answer) => answer.query)).toEqual(['sessions', 'invoices']);
      expect(answers[1].results).toHaveLength(1);
      expect(answers[1].results[0].source.line).toBe(4);
    }
  });

  it('narrows by kind, layer, session and time', async () => {
    const refs = async (...argv: string[]): Promise<number> =>
      JSON.parse((await cairn('remember', 'sessions', '--json', ...argv)).out).results.length;
    expect(await refs('--intent', 'decision')).toBe(1);
    expect(await refs('--layer', 'records')).toBe(0);
    expect(await refs('--session', 'another')).toBe(0);
    expect(await refs('--since', '2026-11-02')).toBe(0);
    expect(await refs('--until', '2026-11-02')).toBeGreaterThan(0);
  });

  it('finds records that were written a moment ago', async () => {
    await cairn('save', 'decision', 'Use feature flags for the walrus checkout');
    expect((await cairn('remember', 'walrus', 'checkout')).out).toContain('walrus checkout');
  });

  it('says what it searched and what to try where nothing is found', async () => {
    const { code, out } = await cairn('remember', 'zebra', 'crossing');
    expect(code).toBe(0);
    expect(out).toContain('Nothing found');
    expect(out).toContain('zebra');
    expect(out).toContain('--all-projects');
  });

  it.each([
    [['remember'], 'empty'],
    [['remember', 'x', '--since', 'whenever'], '--since'],
    [['remember', 'x', '--intent', 'gossip'], 'decision'],
    [['remember', 'x', '--layer', 'cake'], 'trace'],
    [['remember', 'x', '--hyde'], 'llm.provider'],
    [['remember', '--batch', '/nowhere/at/all'], '/nowhere/at/all'],
  ])('refuses %j with a reason and a remedy', async (argv, mentioned) => {
    const { code, err } = await cairn(...argv);
    expect(code).toBeGreaterThan(0);
    expect(err).toContain(mentioned);
  });
});
