// Triage by evidence through the Stop hook: one quiet line, a draft behind it, and silence wherever something speaks against it.
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { anyWords } from '../../../test/fixtures/conversation.ts';
import { newFolder, put, temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { loadConfig } from '../../config/load.ts';
import type { JsonObject } from '../../model/json.ts';
import { readDrafts, type StoredDraft, writeDraft } from '../../records/drafts.ts';
import { listDrafts, saveDraft } from '../drafts.ts';
import { openMemory } from '../memory.ts';
import { draftUnasked } from './evidence-triage.ts';
import type { HookAnswer, HookContext } from './hook.ts';
import { stop } from './stop.ts';

let base: string;
let problems: unknown[];
let started: string[];
const now = new Date('2026-03-01T10:00:00Z');

beforeEach(() => {
  base = temporaryFolder();
  vi.stubEnv('TMPDIR', base);
  furnish(base);
});
afterEach(() => void vi.unstubAllEnvs());
function furnish(folder: string): void {
  for (const name of ['home', 'project']) fs.mkdirSync(path.join(folder, name), { recursive: true });
  problems = [];
  started = [];
}

const WISH = 'We should keep the sessions in SQLite and not in Redis, because one file is easy to back up.';
const OTHER = 'We should sign every release on the build server instead of on laptops, because laptops get lost.';
const prompt = (content: string): JsonObject => ({ type: 'user', message: { role: 'user', content } });
const answer = (text: string): JsonObject => ({
  type: 'assistant',
  message: { id: `m${text.length}`, role: 'assistant', content: [{ type: 'text', text }] },
});
const DONE = answer('The sessions live in SQLite now.');

function transcript(lines: readonly unknown[], name = 's'): string {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  return put(path.join(base, 'home', `${name}.jsonl`), text);
}
function contextOf(env: NodeJS.ProcessEnv = {}): HookContext {
  const environment = { HOME: path.join(base, 'home'), ...env };
  return {
    env: environment,
    now: () => now,
    config: loadConfig({ cwd: path.join(base, 'project'), env: environment }),
    problem: (cause) => problems.push(cause),
    start: async (worker) => void started.push(worker),
  };
}
const call = async (payload: JsonObject, env?: NodeJS.ProcessEnv): Promise<HookAnswer> =>
  stop({ session_id: 'one', hook_event_name: 'Stop', stop_hook_active: false, ...payload }, contextOf(env));
const ended = (lines: readonly unknown[], more: JsonObject = {}, env?: NodeJS.ProcessEnv): Promise<HookAnswer> =>
  call({ transcript_path: transcript(lines), ...more }, env);
const lineOf = ({ stdout }: HookAnswer): string =>
  stdout === undefined ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext;
const root = (): string => path.join(base, 'project/.claude/memory');
const drafts = (): StoredDraft[] => readDrafts(root(), now);

describe('a turn that shows a decision', () => {
  it('is asked about in one line, with a draft that is saved as it is', async () => {
    const said = await ended([prompt('hello'), answer('Hello.'), prompt(WISH), DONE]);
    expect(said.exit).toBe(0);
    expect(said.stderr).toBeUndefined();
    const [draft] = drafts();
    expect(draft).toMatchObject({ category: 'decision', session: 'one', line: 3 });
    expect(lineOf(said)).toBe(
      `Memory draft ${draft!.id}, decision: “We should keep the sessions in SQLite and not…” · save_draft if true and lasting, else end`,
    );
    expect(started).toEqual([]); // the turn goes on, and stops again
    const memory = openMemory({ cwd: path.join(base, 'project'), env: { HOME: path.join(base, 'home') } });
    await saveDraft(memory, draft!.id, {}, now);
    expect(memory.list().records.map(({ record }) => record.category)).toEqual(['decision']);
    expect(problems).toEqual([]);
  });

  it('is asked about once, and the stop that follows passes', async () => {
    expect(lineOf(await ended([prompt(WISH), DONE]))).not.toBe('');
    expect(await ended([prompt(WISH), DONE], { stop_hook_active: true })).toEqual({ exit: 0 });
    expect(started).toEqual(['index-worker']);
    for (let turn = 0; turn < 30; turn++) expect(await ended([prompt(WISH), DONE])).toEqual({ exit: 0 });
  });

  it('is asked about at most once in ten turns of a conversation', async () => {
    expect(lineOf(await ended([prompt(WISH), DONE]))).not.toBe('');
    for (let turn = 0; turn < 9; turn++) expect(await ended([prompt(OTHER), DONE])).toEqual({ exit: 0 });
    expect(lineOf(await ended([prompt(OTHER), DONE]))).toContain('sign every release');
  });

  it('is not named again with what a later turn shows, though nobody saved it', async () => {
    await ended([prompt(WISH), DONE]);
    for (let turn = 0; turn < 9; turn++) await ended([prompt('go on'), DONE]);
    expect(drafts()).toHaveLength(1);
    const line = lineOf(await ended([prompt(OTHER), DONE]));
    expect(line).toContain('sign every release');
    expect(line).not.toContain('sessions in SQLite');
  });

  it('waits as a draft where it may not be asked about, and is named with the next ask of the conversation', async () => {
    const third =
      'I think the invoices should be exported in euros and not in dollars, since accounting has no other books.';
    await ended([prompt(WISH), DONE]);
    expect(await ended([prompt(OTHER), DONE])).toEqual({ exit: 0 });
    expect(drafts()).toHaveLength(1);
    const payload = { session_id: 'one', transcript_path: transcript([prompt(OTHER), DONE]) };
    await draftUnasked(payload, contextOf());
    await draftUnasked(payload, contextOf());
    expect(drafts()).toHaveLength(2);
    for (let turn = 0; turn < 8; turn++) await ended([prompt('go on'), DONE]);
    const line = lineOf(await ended([prompt(third), DONE]));
    expect(line).toMatch(/^Memory drafts d-\w+, decision: “The invoices.*; d-\w+, decision: “We should sign/);
  });

  it('is asked about by itself as soon as that may be, though the turn that ends shows nothing', async () => {
    await ended([prompt(WISH), DONE]);
    await draftUnasked({ session_id: 'one', transcript_path: transcript([prompt(OTHER), DONE]) }, contextOf());
    for (let turn = 0; turn < 9; turn++) expect(await ended([prompt('go on'), DONE])).toEqual({ exit: 0 });
    const said = await ended([prompt('go on'), DONE]);
    expect(lineOf(said)).toMatch(/^Memory draft d-\w+, decision: “We should sign/);
    for (let turn = 0; turn < 30; turn++) expect(await ended([prompt('go on'), DONE])).toEqual({ exit: 0 });
  });

  describe('of another conversation of the project', () => {
    const leave = async (session: string): Promise<void> =>
      draftUnasked({ session_id: session, transcript_path: transcript([prompt(OTHER), DONE], session) }, contextOf());
    const third =
      'I think the invoices should be exported in euros and not in dollars, since accounting has no other books.';

    it('is named beside what this one shows, with its day', async () => {
      await call({ session_id: 'before', transcript_path: transcript([prompt('go on'), DONE], 'before') });
      await leave('before');
      const line = lineOf(await ended([prompt(third), DONE]));
      expect(line).toMatch(
        /^Memory drafts d-\w+, decision: “The invoices.*; d-\w+ \(2026-03-01\), decision: “We should sign/,
      );
    });

    it('is no reason to ask', async () => {
      await call({ session_id: 'before', transcript_path: transcript([prompt('go on'), DONE], 'before') });
      await leave('before');
      for (let turn = 0; turn < 30; turn++) expect(await ended([prompt('go on'), DONE])).toEqual({ exit: 0 });
    });

    it('is not named where that conversation was never heard here: a repository may bring drafts', async () => {
      await leave('never');
      const line = lineOf(await ended([prompt(third), DONE]));
      expect(line).toMatch(/^Memory draft d-\w+, decision: “The invoices/);
      expect(line).not.toContain('sign');
    });

    it('comes behind what waits of this one, however sure it is, three in all', async () => {
      await call({ session_id: 'before', transcript_path: transcript([prompt('go on'), DONE], 'before') });
      await leave('before');
      const draft = { tags: [], content: {}, related_files: [], category: 'decision', session: 'one' };
      for (const [at, title] of [
        'Bills go out on Mondays',
        'Stamps are glued by hand',
        'Letters are folded twice',
      ].entries())
        writeDraft(root(), { ...draft, title, confidence: 0.55 + at / 100 }, now);
      const line = lineOf(await ended([prompt(third), DONE]));
      expect(line).toMatch(/“The invoices.*“Letters are folded.*“Stamps are glued/);
      expect(line.match(/d-[0-9a-f]{8}/g)).toHaveLength(3);
    });
  });

  it('goes before what the turn shows besides and is less sure', async () => {
    const limit =
      'I think the invoices should be exported in euros and not in dollars, since accounting has no other books.';
    const found = 'The exporter cannot write more than one currency: the format only supports a single currency code.';
    await ended([prompt(WISH), DONE]);
    await draftUnasked({ session_id: 'one', transcript_path: transcript([prompt(OTHER), DONE]) }, contextOf());
    for (let turn = 0; turn < 9; turn++) await ended([prompt('go on'), DONE]);
    const line = lineOf(await ended([prompt(limit), answer(found)]));
    expect(line).toMatch(/^Memory drafts d-\w+, decision: “The invoices/);
    expect(line.indexOf('sign')).toBeGreaterThan(0);
  });

  it('is not asked about where a record says it', async () => {
    const memory = openMemory({ cwd: path.join(base, 'project'), env: { HOME: path.join(base, 'home') } });
    await memory.save({
      category: memory.category('decision'),
      text: 'Keep sessions in SQLite, not in Redis: one file is easy to back up',
    });
    expect(await ended([prompt(WISH), DONE])).toEqual({ exit: 0 });
    expect(listDrafts(memory, now)).toEqual([]);
  });

  it('uses the last answer when the transcript does not hold it yet', async () => {
    const asked = answer('Shall I keep the sessions of the shop in SQLite instead of Redis?');
    const wrote = {
      type: 'assistant',
      message: {
        id: 'w',
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id: 't',
            name: 'Write',
            input: { file_path: path.join(base, 'project/a.ts'), content: '' },
          },
        ],
      },
    };
    await ended([prompt('Look at the shop'), asked, prompt('yes, go ahead'), wrote], {
      last_assistant_message: 'Done.',
    });
    expect(problems).toEqual([]);
  });
});

describe('nothing is asked', () => {
  const silent = async (more: JsonObject, env?: NodeJS.ProcessEnv): Promise<void> => {
    expect(await ended([prompt(WISH), DONE], more, env)).toEqual({ exit: 0 });
    expect(drafts()).toEqual([]);
  };

  it('in plan mode, while a subagent runs, and where it is switched off', async () => {
    await silent({ permission_mode: 'plan' });
    await silent({ background_tasks: [{ type: 'subagent', status: 'running' }] });
    for (const name of [
      'CAIRN_TRIAGE_ENABLED',
      'CAIRN_TRACES_ENABLED',
      'CAIRN_CAPTURE_ENABLED',
      'CAIRN_CATEGORIES_DECISION_AUTO_CAPTURE',
      'CAIRN_CATEGORIES_DECISION_ENABLED',
    ])
      await silent({}, { [name]: 'false' });
  });

  it('in a project whose memory the user has not agreed to, or of a place that is excluded', async () => {
    put(path.join(base, 'project/.git/HEAD'), 'ref: refs/heads/main\n');
    put(path.join(root(), 'decisions/theirs.json'), {});
    await silent({});
    fs.rmSync(root(), { recursive: true });
    put(path.join(base, 'home/.cairn/config.json'), { traces: { exclude: [path.join(base, 'project')] } });
    await silent({});
  });

  it('of a transcript that lies elsewhere, or is none', async () => {
    const elsewhere = newFolder();
    try {
      const file = put(path.join('/var/tmp', path.basename(elsewhere), 't.jsonl'), `${JSON.stringify(prompt(WISH))}\n`);
      expect(await call({ transcript_path: file })).toEqual({ exit: 0 });
      for (const given of [undefined, '', 7, 'a\0b', base])
        expect(await call({ transcript_path: given })).toEqual({ exit: 0 });
    } finally {
      fs.rmSync(elsewhere, { recursive: true });
      fs.rmSync(path.join('/var/tmp', path.basename(elsewhere)), { recursive: true, force: true });
    }
  });
});

describe('a draft', () => {
  it('holds no secret and nothing private', async () => {
    const key = `sk-ant-api03-${'Ab1'.repeat(20)}`;
    for (let turn = 0; turn < 30; turn++) await ended([prompt('go on'), DONE]); // what is less sure may be asked about, too
    const lines = [
      prompt(`The key is ${key}, keep it.`),
      answer('Noted.'),
      prompt(`${WISH} The store uses ${key} for now. <private>Anna pays for it.</private>`),
      DONE,
    ];
    expect(lineOf(await ended(lines))).not.toBe('');
    const written = JSON.stringify(drafts());
    expect(written).not.toContain(key);
    expect(written).not.toContain('Anna');
  });

  it('is not written through a link, and that is reported', async () => {
    const elsewhere = temporaryFolder();
    fs.mkdirSync(root(), { recursive: true });
    fs.symlinkSync(elsewhere, path.join(root(), '.drafts'), 'dir');
    expect(await ended([prompt(WISH), DONE])).toEqual({ exit: 0 });
    expect(fs.readdirSync(elsewhere)).toEqual([]);
    expect(problems).toHaveLength(1);
  });
});

describe('any transcript', () => {
  it('never fails, and nothing in it is asked about twice', async () => {
    const line = fc.oneof(
      anyWords.map(prompt),
      anyWords.map(answer),
      fc
        .constantFrom<unknown>(WISH, OTHER, 'not JSON', '{"type":', null, [], { type: 'user' })
        .map((each) => (each === WISH || each === OTHER ? prompt(String(each)) : each)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(line, { maxLength: 8 }), { maxLength: 6 }), async (stops) => {
        vi.unstubAllEnvs();
        base = newFolder();
        furnish(base);
        vi.stubEnv('TMPDIR', base);
        try {
          const asked: string[] = [];
          let lines: unknown[] = [];
          for (const more of stops) {
            lines = [...lines, ...more];
            // Each stop twice: a background task that ends lets the client stop again.
            for (const said of [await ended(lines), await ended(lines)]) {
              expect(said.exit).toBe(0);
              asked.push(...(lineOf(said).match(/d-[0-9a-f]{8}/g) ?? []));
            }
          }
          expect(new Set(asked).size).toBe(asked.length);
          expect(problems).toEqual([]);
        } finally {
          fs.rmSync(base, { recursive: true, force: true });
        }
      }),
      { numRuns: 25 },
    );
  });
});
