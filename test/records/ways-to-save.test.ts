// The same thing saved and changed through the command line, the server, the API and the viewer leaves the same file: there is one
// set of rules, whoever asks.

import fs from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCairn } from '../../src/app/cairn.ts';
import { ServerSession } from '../../src/faces/mcp/server-session.ts';
import { callTool } from '../../src/faces/mcp/tool.ts';
import { TOOLS } from '../../src/faces/mcp/tools.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { Cli } from '../fixtures/cli.ts';
import { snapshot } from '../fixtures/temporary.ts';
import { envOf, Served } from '../web/served.ts';

async function callServer(cli: Cli, name: string, input: JsonObject): Promise<JsonObject> {
  const session = new ServerSession({ env: envOf(cli), cwd: cli.project, now: () => new Date() });
  const tool = TOOLS.find((each) => each.name === name)!;
  return callTool(tool, input, session, new AbortController().signal);
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
/** Every record of a memory as it is on disk, but for the moments. */
const recordsOf = (cli: Cli): { [file: string]: string } =>
  Object.fromEntries(
    Object.entries(snapshot(cli.root))
      .filter(([file]) => /^\w[\w-]*[\\/][^\\/]+\.json$/.test(file))
      .map(([file, text]) => [file, String(text).replace(TIME, 'T')]),
  );

/** What is said, in the words of nobody: each way has its own. */
type Said = {
  category: string;
  text: string;
  title?: string;
  tags?: string[];
  files?: string[];
  confidence?: number;
  fields?: { [name: string]: string | string[] };
};

const listsIn = (fields: Said['fields'] = {}): { [name: string]: string[] } =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value].flat()]));

const optionsFor = ({ title, tags, files, confidence, fields }: Said): string[] => [
  ...(title === undefined ? [] : ['--title', title]),
  ...(tags === undefined ? [] : ['--tags', tags.join(',')]),
  ...(files ?? []).flatMap((file) => ['--file', file]),
  ...(confidence === undefined ? [] : ['--confidence', String(confidence)]),
  ...Object.entries(listsIn(fields)).flatMap(([name, values]) =>
    values.flatMap((value) => ['--field', `${name}=${value}`]),
  ),
];

const SAVES: { readonly [way: string]: (cli: Cli, said: Said) => Promise<unknown> } = {
  'the command line': async (cli, said) => {
    const { exit, err } = await cli.run(['save', said.category, ...optionsFor(said), '--', said.text]);
    if (exit !== 0) throw new Error(err);
    return /marked as such: (.*) \(/.exec(err)?.[1]?.split(', ') ?? [];
  },
  'the server': async (cli, { files, fields, ...said }) => {
    const answer = await callServer(cli, 'save', {
      ...said,
      ...(files ? { related_files: files } : {}),
      ...(fields ? { content: fields } : {}),
    });
    if (answer.isError) throw new Error(JSON.stringify(answer));
    return (answer.structuredContent as JsonObject).not_stated ?? [];
  },
  'the API': async (cli, { category, text, files, fields, ...said }) => {
    const cairn = openCairn({ directory: cli.project, env: envOf(cli) });
    const saved = await cairn.save(category, text, {
      ...said,
      ...(files ? { relatedFiles: files } : {}),
      ...(fields ? { fields: listsIn(fields) } : {}),
    });
    return saved.notStated;
  },
};

const TOKEN = `ghp_${'aB3'.repeat(12)}`;
const TO_SAVE: { readonly [what: string]: Said } = {
  'one sentence': { category: 'decision', text: 'Use SQLite because it needs no server' },
  'a list with what comes next': { category: 'session_summary', text: 'Split the parser\n- It compiles\n- Next: ship' },
  'a name with a hyphen': { category: 'tech-debt', text: 'Dates are copied by hand' },
  'everything that can be given': {
    category: 'constraint',
    text: 'At most 100 mails an hour since the contract says so',
    title: 'Mail limit',
    tags: ['Mail', 'limits', 'mail'],
    files: ['src/mail.ts', 'src/queue.ts'],
    confidence: 0.9,
    fields: { severity: 'high', impact: ['Queue', 'Batch'] },
  },
  'a secret and a private passage': {
    category: 'preference',
    text: `Push with ${TOKEN} <private>hidden</private> here`,
    title: `Push ${TOKEN}`,
  },
};

describe.each(Object.keys(TO_SAVE))('saving %s', (what) => {
  it('leaves the same file and names the same fields as not stated, whichever way it came', async () => {
    const left = await Promise.all(
      Object.values(SAVES).map(async (save) => {
        const cli = new Cli();
        const notStated = await save(cli, TO_SAVE[what]!);
        return { notStated, records: recordsOf(cli) };
      }),
    );
    expect(Object.keys(left[0]!.records)).toHaveLength(1);
    for (const each of left.slice(1)) expect(each).toEqual(left[0]);
  });
});

const saveBy = (way: keyof typeof SAVES, cli: Cli, said: Said): Promise<unknown> => SAVES[way]!(cli, said);
const DECISION: Said = { category: 'decision', text: 'Use SQLite' };

it('keeps at most 12 tags, by the command line as by the API', async () => {
  const tags = Array.from({ length: 14 }, (_, at) => `t${10 + at}`);
  const clis = [new Cli(), new Cli()] as const;
  await saveBy('the command line', clis[0], { ...DECISION, tags });
  await saveBy('the API', clis[1], { ...DECISION, tags });
  expect(clis[0].read('decisions/use-sqlite').tags).toEqual(tags.slice(0, 12));
  expect(recordsOf(clis[1])).toEqual(recordsOf(clis[0]));
});

it('takes fields with a title for words, and refuses nothing at all', async () => {
  const clis = [new Cli(), new Cli()] as const;
  const fields = { decision: 'Use SQLite', context: 'One writer', rationale: ['no server'] };
  await callServer(clis[0], 'save', { category: 'decision', title: 'Storage', content: fields });
  await saveBy('the API', clis[1], { category: 'decision', text: '', title: 'Storage', fields });
  expect(clis[0].read('decisions/storage').content).toEqual({ status: 'accepted', ...fields });
  expect(recordsOf(clis[1])).toEqual(recordsOf(clis[0]));
  for (const save of Object.values(SAVES))
    await expect(save(new Cli(), { category: 'decision', text: ' ', title: 'Storage' })).rejects.toThrow(/to save/);
});

it('keeps no confidence outside 0 to 1: wrong use of options and tools, else the nearer end', async () => {
  const said = { ...DECISION, confidence: 7 };
  await expect(saveBy('the command line', new Cli(), said)).rejects.toThrow('--confidence');
  await expect(saveBy('the server', new Cli(), said)).rejects.toThrow('confidence');
  const served = await servedRecord();
  const change = { summary: 'Surer', confidence: 7, content: {} };
  expect(await CHANGES['the server']!(served, change)).toBe('INPUT_ERROR');
  expect(await CHANGES['the viewer']!(served, change)).toBeUndefined();
  const cli = new Cli();
  await saveBy('the API', cli, said);
  for (const each of [served.cli, cli]) expect(each.read('decisions/use-sqlite').confidence).toBe(1);
});

// ---- Changes

const REF = 'record:decisions/use-sqlite';
const BEFORE = {
  title: 'Use SQLite',
  tags: ['sqlite', 'storage'],
  related_files: ['src/store.ts'],
  confidence: 0.5,
  content: {
    status: 'deprecated',
    context: 'One writer',
    decision: 'Use SQLite',
    rationale: ['no server'],
    consequences: ['one file'],
  },
};

type Change = {
  summary: string;
  tags?: string[];
  files?: string[];
  confidence?: number;
  content: { [name: string]: string | string[] | null };
};

/** Each answers with the code of what went wrong. */
const CHANGES: { readonly [way: string]: (served: Served, change: Change) => Promise<unknown> } = {
  'the command line': async ({ cli }, { summary, content, ...change }) => {
    const text = String(content.decision);
    const title = summary.replace('Updated by hand: ', '');
    const { decision: _, ...fields } = content as NonNullable<Said['fields']>;
    const said = { category: 'decision', text, title, fields, ...change, tags: ['sqlite', ...(change.tags ?? [])] };
    const { exit, out } = await cli.run(['save', 'decision', ...optionsFor(said), '--update', '--json', '--', text]);
    return exit === 0 ? undefined : (JSON.parse(out) as { error: JsonObject }).error.code;
  },
  'the server': async ({ cli }, { files, ...change }) => {
    const answer = await callServer(cli, 'update', {
      ref: REF,
      ...change,
      ...(files ? { related_files: files } : {}),
    });
    return answer.isError ? /^\w+/.exec((answer.content as { text: string }[])[0]!.text)?.[0] : undefined;
  },
  'the viewer': async (served, { tags, files, ...change }) => {
    const { version } = await served.get<{ version: string }>('memory', { ref: REF });
    const edit = {
      ...change,
      ...(tags ? { tags: [...BEFORE.tags, ...tags] } : {}),
      ...(files ? { relatedFiles: [...BEFORE.related_files, ...files] } : {}),
    };
    const { json } = await served.act({ action: 'edit', ref: REF, version, edit });
    return (json.error as JsonObject | undefined)?.code;
  },
};

const BY_HAND = 'Updated by hand: Use SQLite with WAL';
const TO_CHANGE: { readonly [what: string]: { change: Change; not?: string; code?: string } } = {
  'one field, the others stay': { change: { summary: BY_HAND, content: { decision: 'Use SQLite with WAL' } } },
  'fields, tags, files and confidence': {
    change: {
      summary: BY_HAND,
      tags: ['WAL', 'database'],
      files: ['src/wal.ts'],
      confidence: 0.9,
      content: { decision: 'Use SQLite with WAL', context: 'Two readers', rationale: ['fast', 'small'] },
    },
  },
  'a line of the history that is too long': {
    change: { summary: `Updated by hand: ${'words '.repeat(80)}storage`, content: { decision: 'Use it' } },
  },
  'a field taken away': {
    change: { summary: 'Nothing follows', content: { consequences: null } },
    not: 'the command line',
  },
  'a field that must stay taken away': {
    change: { summary: 'No reason', content: { rationale: null } },
    not: 'the command line',
    code: 'VALIDATION_ERROR',
  },
  'a field that there is not': {
    change: { summary: BY_HAND, content: { decision: 'Use it', mood: 'good' } },
    code: 'VALIDATION_ERROR',
  },
};

describe.each(Object.keys(TO_CHANGE))('changing %s', (what) => {
  it('leaves the same file, whichever way it came', { timeout: 60_000 }, async () => {
    const { change, not, code } = TO_CHANGE[what]!;
    const left = [];
    for (const [way, act] of Object.entries(CHANGES)) {
      if (way === not) continue;
      const served = await servedRecord();
      const failed = await act(served, change);
      left.push({ way, failed, records: recordsOf(served.cli) });
    }
    expect(left.map(({ failed }) => failed)).toEqual(left.map(() => code));
    const before = recordsOf((await servedRecord()).cli);
    if (code) expect(left[0]!.records).toEqual(before);
    else expect(left[0]!.records).not.toEqual(before);
    for (const { records } of left.slice(1)) expect(records).toEqual(left[0]!.records);
  });
});

it('says in each way that a record is not there any more', { timeout: 60_000 }, async () => {
  for (const act of Object.values(CHANGES)) {
    const served = await servedRecord();
    await served.get('memory', { ref: REF });
    const gone = { summary: BY_HAND, content: { decision: 'Use SQLite with WAL' } };
    fs.rmSync(served.cli.file('decisions/use-sqlite'));
    expect(await act(served, gone).catch(String)).toMatch(/NOT_FOUND/);
  }
});

async function servedRecord(): Promise<Served> {
  const served = await Served.start({ fill: false });
  onTestFinished(() => served.end());
  const made = await served.cli.write('create', 'decisions/use-sqlite', BEFORE, ['--category', 'decision']);
  if (made.exit !== 0) throw new Error(made.out + made.err);
  return served;
}
