// From the items of a conversation to its rows: exchange by exchange, and the same rows however often they were drawn on the way.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyConversation,
  anyWords,
  assistant,
  commit,
  event,
  user,
  work,
  wrote,
} from '../../../test/fixtures/conversation.ts';
import { said } from '../../../test/fixtures/statements.ts';
import type { TraceItem } from '../../model/trace.ts';
import type { Change } from '../../store/store.ts';
import type { TracePlace } from './row-names.ts';
import { FIRST_TRACE_STATE, type FindEarlier, openRows, rowsOf, type TraceState } from './trace-rows.ts';

const PLACE: TracePlace = { project: 'p', session: 's', thread: 's', file: '/t/s.jsonl' };
const answer = (line: number, question: string, answer: string): TraceItem =>
  event('answer', line, { question, answer });

const NO_OTHERS: FindEarlier = { for: async () => [], open: async () => [] };

type Put = Extract<Change, { op: 'put' }>;
const isPut = (change: Change): change is Put => change.op === 'put';
const written = (state: TraceState): TraceState => JSON.parse(JSON.stringify(state)) as TraceState;

type Read = { readonly store: Map<string, Put>; readonly state: string };

/** The rows that are there at the end, by their names, and the state. `flushAt`: after these items the open exchange is written too. */
async function readAll(items: readonly TraceItem[], flushAt: ReadonlySet<number> = new Set()): Promise<Read> {
  const store = new Map<string, Put>();
  const apply = (changes: readonly Change[]): void => {
    for (const change of changes)
      if (isPut(change)) store.set(change.document.ref, change);
      else if (change.op === 'delete') for (const ref of change.where.refs ?? []) store.delete(ref);
  };
  let state: TraceState = FIRST_TRACE_STATE;
  for (const [at, item] of items.entries()) {
    const read = await rowsOf(state, item, PLACE, NO_OTHERS);
    apply(read.rows);
    state = read.state;
    if (!flushAt.has(at)) continue;
    const drawn = await openRows(state, PLACE, NO_OTHERS);
    apply(drawn.rows);
    state = written(drawn.state);
  }
  const last = await openRows(state, PLACE, NO_OTHERS);
  apply(last.rows);
  return { store, state: JSON.stringify(last.state) };
}

const storeOf = async (items: readonly TraceItem[]): Promise<Map<string, Put>> => (await readAll(items)).store;
const putsOf = async (items: readonly TraceItem[]): Promise<Put[]> => [...(await storeOf(items)).values()];
const isIdea = ({ document }: Put): boolean => document.kind !== 'span';
const ideasOf = async (items: readonly TraceItem[]): Promise<Put[]> => (await putsOf(items)).filter(isIdea);
const spansOf = async (items: readonly TraceItem[], depth: number): Promise<Put['document'][]> =>
  (await putsOf(items)).map(({ document }) => document).filter(({ meta }) => meta?.depth === depth);

describe('rows of a conversation', () => {
  it('every answer on a line is tied to its own question', async () => {
    const puts = await ideasOf([
      answer(4, 'Which database should we use?', 'SQLite'),
      answer(4, 'Which database port should we use?', 'None'),
      answer(4, 'Which region?', 'Frankfurt'),
    ]);
    expect(new Set(puts.map(({ document }) => document.ref)).size).toBe(6);
    for (let pair = 0; pair < 6; pair += 2) {
      expect(puts[pair]?.document.kind).toBe('question');
      expect(puts[pair + 1]?.document.kind).toBe('decision');
      expect(puts[pair + 1]?.links).toContainEqual({
        to: puts[pair]?.document.ref,
        relation: 'answers',
        confidence: 1,
        rule: 'asked-and-answered',
      });
    }
  });

  it('a bare file name is the path that the conversation has touched or named, however long ago', async () => {
    const puts = await ideasOf([
      wrote(1, 'src/terminal/Writer.go'),
      user('The tide table in src/tides/table.ts is wrong, it has to be sorted by harbour.', 2),
      commit(3, 'Sort the tide table'),
      user('We decided that writer.go must flush before table.ts is read.', 4),
    ]);
    const last = puts.findLast(({ document }) => document.source?.line === 4);
    expect(last?.mentions?.map(({ entity }) => entity).sort()).toEqual([
      'src/terminal/writer.go',
      'src/tides/table.ts',
    ]);
  });

  it('a statement knows the branch it was made on, if there was one', async () => {
    const metaOn = async (branch: string | undefined): Promise<unknown> => {
      const place = { ...PLACE, branch };
      const { state } = await rowsOf(FIRST_TRACE_STATE, commit(3, 'Keep sessions in Redis'), place, NO_OTHERS);
      const { rows } = await openRows(state, place, NO_OTHERS);
      return rows.filter(isPut).find(isIdea)?.document.meta?.branch;
    };
    expect(await metaOn('feature/a')).toBe('feature/a');
    expect(await metaOn('HEAD')).toBeUndefined();
    expect(await metaOn(undefined)).toBeUndefined();
  });

  it('all that happened in one line has a row of its own', async () => {
    const puts = await ideasOf([
      assistant('The gateway drops tokens because the cache never expires.', 2),
      event('todo', 2, { text: 'Rotate the tokens', state: 'pending' }),
      event('todo', 2, { text: 'Write a test', state: 'pending' }),
      commit(2, 'Keep tokens'),
    ]);
    expect(puts).toHaveLength(4);
  });

  it('a line whose end belongs to the next exchange loses nothing of its beginning', async () => {
    const items = [
      user('Which database should we use for the sessions?', 1),
      answer(5, 'Which database should we use?', 'SQLite'),
      user('Then please add the sessions table to the schema.', 5),
      user('And write the migration for the sessions table too.', 5),
      commit(6, 'Add the sessions table'),
    ];
    const puts = await putsOf(items);
    const ideas = puts.filter(isIdea).map(({ document }) => document.text);
    for (const text of [
      'Which database should we use? — SQLite',
      'Then please add the sessions table to the schema.',
      'And write the migration for the sessions table too.',
    ])
      expect(ideas).toContain(text);
    expect((await spansOf(items, 1)).map(({ meta }) => [meta?.start, meta?.end])).toEqual([
      [1, 5],
      [5, 6],
    ]);
  });

  it('a task that is settled later says so, under the same name', async () => {
    const items = [
      event('todo', 2, { text: 'Rotate the tokens', state: 'pending' }),
      event('todo', 2, { text: 'Write a test', state: 'pending' }),
    ];
    const settled = [
      event('todo', 9, { text: 'Write a test', state: 'completed' }),
      event('todo', 9, { text: 'Never named before', state: 'completed' }),
    ];
    const before = await ideasOf(items);
    for (const between of [[], [user('Go on with the tasks, please.', 5)]]) {
      const after = await ideasOf([...items, ...between, ...settled]);
      const tasks = after.filter(({ document }) => document.kind === 'todo' && document.source?.line === 2);
      expect(tasks.map(({ document }) => [document.text, document.status, document.source?.line])).toEqual([
        ['Rotate the tokens', 'open', 2],
        ['Write a test', 'done', 2],
      ]);
      expect(tasks[1]?.document.ref).toBe(before[1]?.document.ref);
      expect(tasks[1]?.document.createdAt).toBe(before[1]?.document.createdAt);
      expect(tasks[1]?.document.updatedAt).toBe(9_000);
      expect(after.map(({ document }) => document.text)).not.toContain('Never named before');
    }
  });
});

describe('an exchange', () => {
  const items = [
    user('Add login with tokens to the gateway', 1),
    work(2),
    wrote(3, 'src/gateway/login.ts'),
    commit(4, 'Add login'),
    assistant('The root cause was a missing index on the join column.', 5),
    user('Refresh tokens of the gateway login need a rotation', 6),
    assistant('The gateway now rotates the refresh tokens.', 7),
  ];

  it('gives its rows when the next prompt comes, and what is open when it is asked for', async () => {
    let state: TraceState = FIRST_TRACE_STATE;
    const counts: number[] = [];
    for (const item of items) {
      const read = await rowsOf(state, item, PLACE, NO_OTHERS);
      counts.push(read.rows.length);
      state = read.state;
    }
    expect(counts.map((count) => count > 0)).toEqual([false, false, false, false, false, true, false]);
    const drawn = await openRows(state, PLACE, NO_OTHERS);
    const lines = drawn.rows.filter(isPut).map(({ document }) => document.source?.line ?? 0);
    expect(lines.filter((line) => line < 6)).toEqual([1]); // the topic, which goes on
    expect(drawn.state.drawn).toHaveLength(drawn.rows.length);
    expect((await openRows(FIRST_TRACE_STATE, PLACE, NO_OTHERS)).rows).toEqual([]);
  });

  it('is a span below its topic, with what was asked, done and left', async () => {
    const [topic] = await spansOf(items, 0);
    const exchanges = await spansOf(items, 1);
    expect(topic?.meta).toMatchObject({ level: 'topic', start: 1, end: 7, exchanges: 2, commits: ['Add login'] });
    expect(exchanges.map(({ span }) => span)).toEqual([topic?.ref, topic?.ref]);
    expect(exchanges[0]?.meta).toMatchObject({
      level: 'exchange',
      number: 0,
      start: 1,
      end: 5,
      asked: 'Add login with tokens to the gateway',
      outcome: 'The root cause was a missing index on the join column.',
      files: ['src/gateway/login.ts'],
      commits: ['Add login'],
    });
    expect(exchanges[1]?.meta).toMatchObject({ number: 1, start: 6, end: 7 });
  });

  it('holds its ideas, each with what was said before it and where it stands', async () => {
    const [first] = await spansOf(items, 1);
    const found = (await ideasOf(items)).find(({ document }) => document.source?.line === 5);
    expect(found?.document).toMatchObject({
      kind: 'conclusion',
      span: first?.ref,
      context: 'Add login with tokens to the gateway',
      createdAt: 5_000,
      meta: { role: 'assistant', speaker: 'assistant', provenance: 'said', stance: 'confirmed' },
    });
  });

  it('says of what was asked and wanted whether it is open, done or neither', async () => {
    const asked = user('Why does the nightly job of the importer take so long?', 1);
    const statusOf = async (more: readonly TraceItem[]): Promise<string | undefined> =>
      (await ideasOf([asked, ...more])).find(({ document }) => document.kind === 'question')?.document.status;
    expect(await statusOf([])).toBe('open');
    expect(await statusOf([assistant('It reads every order twice.', 2)])).toBe('done');
    expect(await statusOf([user('Forget about it.', 2)])).toBe('done');
  });
});

describe('the title of a conversation', () => {
  const titleOf = async (...events: readonly (readonly ['user' | 'client', string])[]): Promise<unknown> => {
    const items = [
      user('Add login with tokens to the gateway', 1),
      ...events.map(([by, text], at) => event('title', 2 + at, { by, text })),
    ];
    return (await spansOf(items, 0))[0]?.meta?.session_title;
  };

  it('is the newest; what the user called it counts more than what the client did', async () => {
    expect(await titleOf()).toBeUndefined();
    expect(await titleOf(['client', 'Gateway login'], ['client', 'Login and tokens'])).toBe('Login and tokens');
    expect(await titleOf(['client', 'Gateway login'], ['user', 'Tokens'])).toBe('Tokens');
    expect(await titleOf(['user', 'Tokens'], ['client', 'Gateway login'])).toBe('Tokens');
    expect(await titleOf(['user', 'Tokens'], ['user', ''])).toBe('Tokens');
  });
});

describe('reading step by step', () => {
  const shown = ({ store, state }: Read): unknown => ({
    rows: [...store.values()].sort((a, b) => (a.document.ref < b.document.ref ? -1 : 1)),
    state,
  });

  it('gives the same rows and the same state as at once, wherever the state was written down and the open exchange drawn', async () => {
    await fc.assert(
      fc.asyncProperty(anyConversation(), fc.array(fc.nat(29)), async (items, flushes) => {
        expect(shown(await readAll(items, new Set(flushes)))).toEqual(shown(await readAll(items)));
      }),
      { numRuns: 150 },
    );
  });

  it('gives every idea and every exchange a name of its own, and every row a place in its conversation', async () => {
    await fc.assert(
      fc.asyncProperty(anyConversation(), async (items) => {
        let state: TraceState = FIRST_TRACE_STATE;
        const names = new Map<string, string>();
        const exchangeAt = new Map<string, unknown>();
        const lines = new Set(items.map(({ line }) => line));
        const look = (rows: readonly Change[]): void => {
          for (const { document } of rows.filter(isPut)) {
            expect(lines).toContain(document.source?.line);
            const { level, number } = document.meta ?? {};
            if (level === 'topic') continue;
            const what = level === 'exchange' ? `exchange ${number}` : document.text;
            expect(names.get(document.ref) ?? what).toBe(what);
            names.set(document.ref, what);
            if (level === 'exchange') exchangeAt.set(document.ref, number);
          }
        };
        for (const item of items) {
          const read = await rowsOf(state, item, PLACE, NO_OTHERS);
          look(read.rows);
          state = read.state;
        }
        look((await openRows(state, PLACE, NO_OTHERS)).rows);
        // In order; one that says nothing has a number and no row.
        const numbers = [...exchangeAt.values()].map(Number);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      }),
      { numRuns: 150 },
    );
  });

  it('carries little over: the state stays below a megabyte, whatever was said and however long nobody prompts', async () => {
    const long = 'The gateway login tokens are rotated in redis. '.repeat(400); // about 19,000 characters
    const kinds: readonly ((line: number) => TraceItem)[] = [
      (line) => assistant(long, line),
      (line) => commit(line, 'Add login', long),
      (line) => event('pull-request', line, { title: 'Login', body: long }),
      (line) => event('compaction', line, { summary: long }),
      (line) => event('answer', line, { question: long.slice(0, 2_000), answer: long.slice(0, 2_000) }), // no reader gives more
      (line) =>
        event('files', line, {
          files: Array.from({ length: 500 }, (_, at) => `src/${line}/${at}/file.ts`),
          wrote: true,
        }),
      work,
    ];
    for (const kind of kinds) {
      let state: TraceState = FIRST_TRACE_STATE;
      let most = 0;
      for (let line = 1; line <= 40; line += 1) {
        state = (await rowsOf(state, kind(line), PLACE, NO_OTHERS)).state;
        most = Math.max(most, JSON.stringify(state).length);
      }
      expect(most).toBeLessThan(1_000_000);
    }
  });

  it('never fails, whatever is said', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyWords, { maxLength: 8 }), async (texts) => {
        const items = texts.map((text, at) => (at % 2 === 0 ? user(text, at + 1) : assistant(text, at + 1)));
        for (const { document } of await putsOf(items)) {
          expect(document.title.length).toBeLessThanOrEqual(240);
          expect(document.text.length).toBeLessThanOrEqual(1_800);
        }
      }),
    );
  });
});

describe('relations of rows', () => {
  it('a prompt answers what the exchange before it asked, and what is retold after a compaction answers nothing', async () => {
    const puts = await putsOf([
      user('Where do we keep the berth bookings?', 2),
      assistant('They are in PostgreSQL today. Want me to move the berth bookings to SQLite?', 4),
      event('compaction', 6, { summary: 'Fixed: the berth bookings are in SQLite now.' }),
      user('yes please', 30),
    ]);
    const linked = puts.flatMap(({ document, links = [] }) =>
      links.map(({ rule }) => `${document.source?.line} ${rule}`),
    );
    expect(linked).toContain('30 replies');
    expect(linked.filter((each) => each.startsWith('6 '))).toEqual([]);
  });

  it('what another conversation left open is settled by a commit', async () => {
    const left = said('Rotate the signing keys of the gateway', {
      intent: 'todo',
      session: 'then',
      line: 3,
      time: 1,
      ref: 'idea:left',
    });
    const others: FindEarlier = { for: async () => [], open: async () => [left] };
    const read = await rowsOf(FIRST_TRACE_STATE, commit(9, 'Rotate the signing keys of the gateway'), PLACE, others);
    const put = (await openRows(read.state, PLACE, others)).rows.find(isPut);
    expect(put?.links).toEqual([{ to: 'idea:left', relation: 'answers', confidence: 0.75, rule: 'settles' }]);
  });
});

describe('what the user wants done every time', () => {
  it('is tagged, and nothing that somebody else said', async () => {
    const wish = 'Always name the unit when I ask for a length.';
    const ideas = await ideasOf([user(wish), assistant(`Noted. ${wish}`)]);
    expect(ideas.map(({ document: { tags, meta } }) => [meta?.role, tags.includes('standing')])).toContainEqual([
      'user',
      true,
    ]);
    for (const { document } of ideas) if (document.meta?.role !== 'user') expect(document.tags).toEqual([]);
  });
});
