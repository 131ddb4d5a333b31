// A prompt against a real store: what is injected, what is not, what is remembered of it, and what happens without a store.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleIdea } from '../../../test/fixtures/sample-idea.ts';
import { sampleRecord } from '../../../test/fixtures/sample-records.ts';
import { put, temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { loadConfig } from '../../config/load.ts';
import { forgetLines } from '../../learning/already-shown.ts';
import { changeFeedback, learn } from '../../learning/feedback.ts';
import { readInjections } from '../../learning/injection-log.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Change, Document } from '../../store/store.ts';
import { userPromptSubmit } from './user-prompt-submit.ts';

let base: string;
let project: string;
let memory: string;
let home: string;
let problems: unknown[];

const DECISION = 'We decided to keep the ledger in Postgres, because the bookkeeping needs transactions.';
const QUESTION = 'where do we keep the ledger of the bookkeeping?';
const NOW = new Date('2026-05-01T12:00:00Z');

beforeEach(() => {
  base = temporaryFolder();
  project = path.join(base, 'project');
  home = path.join(base, 'home');
  memory = path.join(project, '.claude/memory');
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
  problems = [];
});

const idea = (ref: string, text: string, more: Partial<Document> = {}): Document =>
  sampleIdea(project, ref, text, { source: { file: '/t.jsonl', line: Number(ref.replace(/\D/g, '')) || 1 }, ...more });

const THINGS = ['build', 'cache', 'lint', 'deploy', 'index', 'parser', 'server', 'client', 'queue', 'schema'];
const STATES = ['is green', 'is slow today', 'was renamed', 'needs a test', 'has a bug', 'moved', 'is done', 'is new'];
const NOISE = THINGS.flatMap((thing) => STATES.map((state) => `The ${thing} ${state}.`));

async function fill(...changes: readonly (Document | Change)[]): Promise<void> {
  const store = await openSqliteStore(path.join(home, 'memory.db'));
  const noise = NOISE.map((text, at) => idea(`idea:9${at}`, text, { kind: 'context', session: `noise-${at}` }));
  await store.apply(
    [...noise, ...changes].map((each): Change => ('op' in each ? each : { op: 'put', document: each })),
  );
  await store.close();
}

async function ask(prompt: string, session: string | undefined = 'now', env: { [name: string]: string } = {}) {
  const all = { HOME: home, CAIRN_HOME: home, CAIRN_EMBEDDINGS_PROVIDER: 'none', ...env };
  const config = loadConfig({ cwd: project, env: all });
  const answer = await userPromptSubmit(
    {
      cwd: project,
      prompt,
      hook_event_name: 'UserPromptSubmit',
      ...(session === undefined ? {} : { session_id: session }),
    },
    { env: all, now: () => NOW, config, problem: (cause) => problems.push(cause), start: async () => {} },
  );
  expect(answer.exit).toBe(0);
  return answer.stdout;
}

describe('a prompt that the memory can help with', () => {
  it('gets what was said in an earlier conversation, with day and ref', async () => {
    await fill(idea('idea:1', DECISION));
    expect(await ask(QUESTION)).toContain(`\n- [DECISION] ${DECISION} (2026-04-01) -> idea:1\n</memory-context>\n`);
    expect(problems).toEqual([]);
  });

  it('gets records and notes, as they are on disk now', async () => {
    await fill();
    put(path.join(memory, 'decisions', 'ledger.json'), {
      ...sampleRecord('decision'),
      id: 'ledger',
      title: 'Where we keep the ledger of the bookkeeping: in Postgres',
    });
    expect(await ask(QUESTION)).toContain('-> record:decisions/ledger\n');
    fs.rmSync(path.join(memory, 'decisions', 'ledger.json'));
    expect(await ask(QUESTION, 'other')).toBeUndefined();
  });

  it('is told what no longer holds, and not told what its successor says', async () => {
    const old = idea('idea:1', 'We decided to keep the ledger of the bookkeeping in SQLite.');
    await fill(old, idea('idea:2', DECISION), {
      op: 'link',
      links: [{ project, from: 'idea:2', to: 'idea:1', relation: 'supersedes', confidence: 0.9 }],
    });
    const text = await ask(QUESTION);
    expect(text).toContain('-> idea:2\n');
    expect(text).not.toContain('-> idea:1\n');
    await changeFeedback(home, (data) => (learn(data, { project, ref: 'idea:2', at: '' }).verdict = 'wrong'));
    expect(await ask(QUESTION, 'other')).toContain('superseded by idea:2) -> idea:1\n');
  });

  it("is told nothing of the repository's own log, by no way", async () => {
    const message = 'Keep the ledger of the bookkeeping in Postgres (src/ledger.ts)';
    const commit = idea('commit:0123456789ab', message, { layer: 'commit', kind: 'commit', title: message });
    await fill({ op: 'put', document: commit, mentions: [{ entity: 'src/ledger.ts', kind: 'file', count: 1 }] });
    for (const prompt of [QUESTION, `${QUESTION} Look at src/ledger.ts and 0123456789ab.`])
      expect(await ask(prompt, prompt.slice(-4)), prompt).toBeUndefined();
  });

  it('gets nothing where nothing is about it', async () => {
    await fill(idea('idea:1', DECISION));
    for (const prompt of [
      'please write a poem about autumn leaves',
      'rename the variable in line seven',
      'thanks, go on',
    ])
      expect(await ask(prompt), prompt).toBeUndefined();
    expect([...readInjections(home)]).toEqual([]);
  });

  it('gets nothing that this conversation said itself, unless it was summed up since', async () => {
    await fill(idea('idea:1', DECISION, { session: 'now' }));
    expect(await ask(QUESTION)).toBeUndefined();
    forgetLines(home, 'now', NOW);
    expect(await ask(QUESTION)).toContain('-> idea:1\n');
  });

  it('gets nothing of other projects', async () => {
    await fill(idea('idea:1', DECISION, { project: '/elsewhere' }));
    expect(await ask(QUESTION)).toBeUndefined();
  });

  it('may be huge, or look like a query of the database', async () => {
    await fill(idea('idea:1', DECISION));
    expect(await ask(`${QUESTION} ${'the '.repeat(250_000)}`, 'a')).toContain('-> idea:1');
    for (const prompt of [
      'ledger" OR text:* NEAR(bookkeeping',
      "ledger'; DROP TABLE document; -- bookkeeping",
      '*'.repeat(50),
    ])
      await ask(prompt, 'b');
    expect(problems).toEqual([]);
  });
});

describe('a prompt that asks for nothing', () => {
  it('gets nothing, and nothing is opened for it', async () => {
    put(path.join(home, 'memory.db'), 'this is no database, whatever its name says'.repeat(100));
    for (const prompt of ['commit this, please', 'yes, go on with the next task', 'Commit and update changelog'])
      expect(await ask(prompt), prompt).toBeUndefined();
    expect(problems).toEqual([]);
  });

  it('is known by the habits of the own earlier prompts, too, but not by what everything is about', async () => {
    const exchange = (asked: string, at: number) =>
      idea(`span:${at}`, asked, { kind: 'span', session: `s${at}`, meta: { level: 'exchange', asked } });
    const often = Array.from({ length: 20 }, (_, at) => exchange(`run the ledger bookkeeping again, ${at}`, at));
    const about = Array.from({ length: 40 }, (_, at) =>
      idea(`idea:7${at}`, `The ledger bookkeeping, part ${at}?`, { kind: 'question' }),
    );
    await fill(idea('idea:1', DECISION), ...often);
    expect(await ask(QUESTION, 'a habit')).toBeUndefined();
    await fill(...about);
    expect(await ask(QUESTION, 'a matter')).toContain('-> idea:1');
  });

  it('but names a record by its tag gets the record', async () => {
    await fill();
    const record = { ...sampleRecord('runbook'), id: 'staging', title: 'Reset the data', tags: ['staging'] };
    put(path.join(memory, 'runbooks', 'staging.json'), record);
    expect(await ask('deploy it to staging')).toContain('-> record:runbooks/staging\n');
  });
});

describe('what was learned', () => {
  it('keeps a statement that was shown three times and never used from all but the best prompts', async () => {
    const more = 'The ledger of the bookkeeping in Postgres has a replica somewhere in Oslo, says a long story.';
    await fill(idea('idea:1', more, { kind: 'conclusion', meta: { worth: 0.6 } }));
    expect(await ask('why does the ledger in Postgres lag behind?', 'a')).toContain('-> idea:1');
    await changeFeedback(home, (data) => (learn(data, { project, ref: 'idea:1', at: '' }).injected = 3));
    expect(await ask('why does the ledger in Postgres lag behind?', 'b')).toBeUndefined();
  });
});

describe('a conversation', () => {
  it('is told the same once, and again when it changed', async () => {
    await fill(idea('idea:1', DECISION));
    expect(await ask(QUESTION)).toContain('-> idea:1');
    expect(await ask(QUESTION)).toBeUndefined();
    expect(await ask(QUESTION, 'another')).toContain('-> idea:1');
    await fill(idea('idea:1', `${DECISION} It is in Frankfurt.`));
    expect(await ask(QUESTION)).toContain('Frankfurt');
    forgetLines(home, 'now', NOW);
    expect(await ask(QUESTION)).toContain('Frankfurt');
  });

  it('gets no more notes than the settings say, and the records beside them', async () => {
    await fill(idea('idea:1', DECISION));
    for (const name of ['first', 'second', 'third'])
      put(
        path.join(memory, 'nodes/discoveries', `discovery-${name}.md`),
        `---\nid: discovery-${name}\ntype: discovery\nstatus: active\n---\n\n# Discovery: The ${name} ledger of the bookkeeping\n\n## Insight\nWe keep the ${name} ledger of the bookkeeping here: ${name} ${name}.\n`,
      );
    const notes = (text: string | undefined) => (text?.match(/-> note:/g) ?? []).length;
    expect(notes(await ask(QUESTION, 'a'))).toBe(3);
    const one = await ask(QUESTION, 'b', { CAIRN_INJECTION_MAX_NODES_PER_QUERY: '1' });
    expect(notes(one)).toBe(1);
    expect(one).toContain('-> idea:1');
    expect(notes(await ask(QUESTION, 'c', { CAIRN_INJECTION_MAX_NODES_PER_QUERY: '0' }))).toBe(0);
  });

  it('keeps to its budgets: entries, tokens of a prompt, tokens in all', async () => {
    const parts = ['kestrel marlin', 'otter badger', 'heron walrus', 'lynx stoat', 'finch raven', 'perch bream'];
    const says = (part: string) => `We keep the ledger of the bookkeeping: ${`${part} `.repeat(6)}for ${part}.`;
    await fill(...parts.map((part, at) => idea(`idea:${at + 1}`, says(part), { session: `s${at}` })));
    const lines = (text: string | undefined) => (text?.match(/^- /gm) ?? []).length;
    expect(lines(await ask(QUESTION, 'a', { CAIRN_RETRIEVAL_MAX_INJECT: '3' }))).toBe(3);
    expect(lines(await ask(QUESTION, 'b', { CAIRN_INJECTION_PROMPT_MAX_TOKENS: '150' }))).toBeLessThan(3);
    const env = { CAIRN_INJECTION_SESSION_MAX_TOKENS: '200', CAIRN_RETRIEVAL_MAX_INJECT: '2' };
    await ask(QUESTION, 'c', env);
    for (const part of parts) await ask(`${QUESTION} I mean the ${part} column`, 'c', env);
    const told = [...readInjections(home)].filter(({ session }) => session === 'c');
    const tokens = told.reduce((sum, each) => sum + each.tokens, 0);
    expect(tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThanOrEqual(200);
  });
});

describe('every injection', () => {
  it('is recorded with its reasons', async () => {
    await fill(idea('idea:1', DECISION));
    await ask(QUESTION);
    const [first] = readInjections(home);
    expect(first).toMatchObject({ event: 'UserPromptSubmit', session: 'now', project, time: NOW.toISOString() });
    expect(first?.entries).toMatchObject([{ ref: 'idea:1', project }]);
    expect(first?.entries[0]?.why.map(({ strategy }) => strategy)).toContain('keyword');
    expect(first?.entries[0]?.relevance).toBeGreaterThanOrEqual(0.5);
    expect(first?.prompt.start).toBe(QUESTION);
  });

  it('is left out where the user called the memory wrong', async () => {
    await fill(idea('idea:1', DECISION));
    await changeFeedback(home, (data) => (learn(data, { project, ref: 'idea:1', at: '' }).verdict = 'wrong'));
    expect(await ask(QUESTION)).toBeUndefined();
  });
});

describe('without a store', () => {
  const LINE = '- [DECISION] Ledger in Postgres -> .claude/memory/decisions/ledger.json #tags:bookkeeping';
  beforeEach(() => put(path.join(memory, 'index.md'), `# Index\n\n${LINE}\n`));

  it('titles and tags must do, and none is made', async () => {
    expect(await ask(QUESTION)).toBe(`<memory-context source=".claude/memory/">\n${LINE}\n</memory-context>\n`);
    expect(fs.existsSync(path.join(home, 'memory.db'))).toBe(false);
    expect(problems).toEqual([]);
    expect([...readInjections(home)][0]?.entries).toMatchObject([{ ref: 'record:decisions/ledger' }]);
  });

  it('no secret and no private word is recorded', async () => {
    const secret = `sk-ant-api03-${'q'.repeat(93)}AA`;
    await ask(`<private>my aunt</private> ${secret} ${QUESTION} ${'and so on '.repeat(50)}`);
    const [first] = readInjections(home);
    expect(first?.prompt.start).toContain('where do we keep');
    expect(first!.prompt.start.length).toBeLessThanOrEqual(120);
    const kept = fs.readdirSync(home, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    for (const { parentPath, name } of kept) {
      const bytes = fs.readFileSync(path.join(parentPath, name));
      expect(bytes.includes(secret), name).toBe(false);
      expect(bytes.includes('my aunt'), name).toBe(false);
    }
  });

  it('or with a broken one they must do as well, and it is reported', async () => {
    put(path.join(home, 'memory.db'), 'this is no database, whatever its name says'.repeat(100));
    expect(await ask(QUESTION)).toContain(LINE);
    expect(problems).toHaveLength(1);
  });

  it('a log that cannot be written costs no memory', async () => {
    put(path.join(home, 'injections'), 'a file in the way');
    expect(await ask(QUESTION)).toContain(LINE);
    expect(problems).toHaveLength(1);
  });
});
