// What a person sees of a conversation: its topics, the exchanges in them with what was asked and what came out, and for one statement the
// exchange around it.

import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Cli } from '../fixtures/cli.ts';
import { put } from '../fixtures/temporary.ts';

const SESSION = '5e551011-1111-4111-8111-000000000001';
const NO_VECTORS = { env: { CAIRN_EMBEDDINGS_PROVIDER: 'none' } };

let cli: Cli;
let minute = 0;
const at = (): string => new Date(Date.UTC(2026, 4, 4, 9, minute++)).toISOString();
const line = (value: object): string =>
  JSON.stringify({ sessionId: SESSION, cwd: cli.project, timestamp: at(), ...value });
const asks = (content: string): string => line({ type: 'user', message: { role: 'user', content } });
const says = (text: string): string =>
  line({ type: 'assistant', message: { id: `m${minute}`, role: 'assistant', content: [{ type: 'text', text }] } });
const runs = (name: string, input: object): string =>
  line({
    type: 'assistant',
    message: { id: `m${minute}`, role: 'assistant', content: [{ type: 'tool_use', id: `t${minute}`, name, input }] },
  });

beforeEach(async () => {
  cli = new Cli();
  minute = 0;
  put(
    path.join(cli.home, '.claude', 'projects', 'p', `${SESSION}.jsonl`),
    [
      line({ type: 'ai-title', aiTitle: 'Rate limits of the upload service' }),
      asks(
        'The upload endpoint of the API accepts as many requests as anybody sends. Add a rate limit with a token bucket in Redis.',
      ),
      says('Let me look at the middleware.'),
      runs('Edit', { file_path: path.join(cli.project, 'src/limit.ts'), old_string: 'a', new_string: 'b' }),
      runs('TodoWrite', {
        todos: [
          { content: 'Count the uploads', status: 'completed' },
          { content: 'Add a rate limit to the admin endpoints', status: 'pending' },
        ],
      }),
      runs('Bash', { command: 'git commit -m "feat(api): limit uploads with a token bucket"' }),
      says(
        [
          'The rate limit is in place.',
          '',
          '## What changed',
          '- **`src/limit.ts`** now counts the uploads of each account in a token bucket in Redis.',
        ].join('\n'),
      ),
      asks('The test of the limiter fails on CI with a connection timeout. Why?'),
      says('It might be the Redis container that is not up yet.'),
      runs('Bash', { command: 'npm test' }),
      says(
        'The root cause was that the tests connect before Redis listens. Fixed by waiting for the port in `test/setup.ts`.',
      ),
      '',
    ].join('\n'),
  );
  await cli.json(['backfill'], NO_VECTORS);
});

type Exchange = {
  ref: string;
  number: number;
  level: string;
  asked: string;
  outcome: string;
  commits: string[];
  left: string[];
};
type Topic = Exchange & { name: string; session_title: string; exchanges: Exchange[] };

describe('cairn topics', () => {
  it('tells of each topic what came of it, with its commits and what was left', async () => {
    const { out } = await cli.run(['topics']);
    expect(out).toMatch(new RegExp(`^2026-05-04 09:0\\d  ${SESSION}  Rate limits of the upload service\n`));
    expect(out).toMatch(/\(2026-05-04, (?:2 exchanges, )?span:\w+\)/);
    expect(out).toContain('commits: feat(api): limit uploads with a token bucket');
    expect(out).not.toMatch(/\*\*|turns/);
  });

  it('shows the exchanges of one conversation, or of all: asked, what came out, what is left', async () => {
    const one = (await cli.run(['topics', SESSION.slice(0, 8)])).out;
    expect(one).toMatch(/09:\d\d {2}The upload endpoint of the API accepts as many requests/);
    expect(one).toMatch(/→ .*token bucket\s+in Redis/s);
    expect(one).toMatch(/left: .*rate limit to the admin endpoints/s);
    expect(one).toMatch(/09:\d\d {2}The test of the limiter fails on CI.*\n(?:.*\n)*? +→ .*connect before/);
    expect((await cli.run(['topics', '--full'])).out).toBe(one);
    expect((await cli.run(['topics'])).out).not.toContain('09:01  ');
  });

  it('gives data: a topic with its exchanges', async () => {
    const { topics } = await cli.json<{ topics: Topic[] }>(['topics']);
    expect(topics[0]).toMatchObject({ level: 'topic', session_title: 'Rate limits of the upload service' });
    const exchanges = topics.flatMap((topic) => topic.exchanges).sort((a, b) => a.number - b.number);
    expect(exchanges.map(({ level }) => level)).toEqual(['exchange', 'exchange']);
    const [first] = exchanges;
    expect(first?.asked).toContain('Add a rate limit');
    expect(first?.commits).toEqual(['feat(api): limit uploads with a token bucket']);
    expect(first?.left.join()).toContain('admin endpoints');
  });

  it('is asked for words and for a time', async () => {
    expect((await cli.run(['topics', '--about', 'LIMITER redis'])).out).toContain(SESSION);
    expect((await cli.run(['topics', '--about', 'kubernetes'])).out).toBe(
      'No topic fits. Other words, or a longer time, may find some.',
    );
    expect((await cli.run(['topics', '--since', '2026-05-05'])).out).toMatch(/^No topic fits/);
    expect((await cli.run(['topics', '--until', '2026-05-05'])).out).toContain(SESSION);
    expect((await cli.run(['topics', '--since', 'whenever'])).exit).toBe(2);
  });
});

type Result = { ref: string; text: string; kind: string; stance?: string; exchange: Exchange | null };

const CAUSE = 'root cause of tests that connect before Redis listens';

describe('a statement', () => {
  const find = async (query: string, words: string): Promise<Result> => {
    const { results } = await cli.json<{ results: Result[] }>(['remember', query], NO_VECTORS);
    const found = results.find(({ kind, text }) => kind !== 'span' && text.includes(words));
    if (!found) throw new Error(`${words} is not among ${results.map(({ text }) => text).join(' | ')}`);
    return found;
  };

  it('comes with its exchange, and says how sure it is', async () => {
    const cause = await find(CAUSE, 'root cause');
    expect(cause.exchange?.asked).toContain('The test of the limiter fails');
    expect(cause.exchange?.outcome).toContain('Redis listens');
    expect(cause.stance).toBe('confirmed');
    const { out } = await cli.run(['remember', CAUSE], NO_VECTORS);
    expect(out).toContain('asked: The test of the limiter fails on CI with a');
    expect(out).toMatch(/assistant said, confirmed\n/);
  });

  it('is shown in its exchange, and with all of it where that is wanted', async () => {
    const { ref, exchange } = await find(CAUSE, 'root cause');
    const { out } = await cli.run(['show', ref]);
    expect(out).toMatch(/kind +conclusion \(confirmed\), confidence/);
    expect(out).toMatch(/In the exchange:\n {2}09:\d\d {2}The test of the limiter fails on CI/);
    const full = (await cli.run(['show', ref, '--full'])).out;
    const said = full.slice(full.indexOf('The conversation:'));
    expect(said).toContain('It might be the Redis container');
    expect(said).not.toContain('Add a rate limit'); // of the exchange before
    const span = (await cli.run(['show', exchange?.ref ?? ''])).out;
    expect(span).toMatch(/kind +exchange\n/);
    expect(span).toMatch(
      /\n {2}conclusion The root cause was that the tests connect before Redis listens\. {2}\(confirmed, idea:\w+\)\n/,
    );
  });
});
