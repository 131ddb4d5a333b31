// Where a topic ends and another begins, what it gathers from its exchanges, and what it says.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyConversation, assistant, commit, event, user } from '../../../test/fixtures/conversation.ts';
import { BETWEEN_SAID } from '../../model/topic-outcome.ts';
import type { TraceItem } from '../../model/trace.ts';
import { redact } from '../../safety/secrets/redact.ts';
import { continued, type Exchange, firstExchange, isPrompt, nextExchange, withItem } from '../exchanges/exchange.ts';
import { type ExchangeText, exchangeText } from './exchange-text.ts';
import { exchangeSummary, topicSummary } from './span-text.ts';
import { aboutOf, NO_TOPIC, type Topic, type TopicState, withExchange } from './topics.ts';

const HOUR = 3_600_000;

function exchangesOf(items: readonly TraceItem[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const item of items) {
    const open = exchanges.pop();
    if (!open) exchanges.push(firstExchange(item));
    else if (isPrompt(item)) exchanges.push(open, nextExchange(open, item));
    else exchanges.push(withItem(open, item));
  }
  return exchanges;
}

/** The topics at the end, by their first line. */
function topicsOf(items: readonly TraceItem[]): Topic[] {
  let state: TopicState = NO_TOPIC;
  const topics = new Map<number, Topic>();
  for (const exchange of exchangesOf(items)) {
    const next = withExchange(state, exchange, exchangeText(exchange, []));
    expect(next.begins).toBe(!topics.has(next.topic.start));
    state = next.state;
    topics.set(next.topic.start, next.topic);
  }
  return [...topics.values()];
}
const startsOf = (items: readonly TraceItem[]): number[] => topicsOf(items).map(({ start }) => start);

const AUTH = [
  'Add login with tokens to the gateway',
  'The token check lives in the gateway middleware',
  'Refresh tokens need a rotation in redis for the gateway',
  'The gateway now rotates refresh tokens',
];
const DOCS = [
  'Write the onboarding handbook chapter about vacation policy',
  'The handbook chapter on vacation is drafted',
];
const talk = (texts: readonly string[], firstLine: number): TraceItem[] =>
  texts.map((text, at) => (at % 2 === 0 ? user(text, firstLine + at) : assistant(text, firstLine + at)));
const BEGUN = talk(AUTH.slice(0, 2), 1);
const STRANGER = 'Now the invoice totals are rounded wrongly in the report';

describe('topics', () => {
  it('go on while the talk is about the same', () => {
    const [topic] = topicsOf(talk(AUTH, 1));
    expect(topic).toMatchObject({ start: 1, end: 4, exchanges: 2, startTime: 1_000, endTime: 4_000 });
    expect(topicsOf(talk(AUTH, 1))).toHaveLength(1);
  });

  it('end where the vocabulary changes, once they are under way', () => {
    expect(startsOf([...talk(AUTH, 1), ...talk(DOCS, 5)])).toEqual([1, 5]);
    expect(startsOf([...BEGUN, ...talk(DOCS, 3)])).toEqual([1]);
  });

  it('go on with a prompt of too few words to tell', () => {
    expect(startsOf([...talk(AUTH, 1), user('And the vacation policy', 5)])).toEqual([1]);
  });

  it('end where somebody says so, unless the same is talked about', () => {
    expect(startsOf([...BEGUN, user("Okay, let's move on to the payment page and its invoices", 3)])).toEqual([1, 3]);
    expect(startsOf([...BEGUN, user('New task: invoices', 3)])).toEqual([1, 3]);
    expect(startsOf([...BEGUN, user('Back to the gateway login tokens middleware', 3)])).toEqual([1]);
    expect(startsOf([...BEGUN, user("They said let's move on to invoices", 3)])).toEqual([1]);
  });

  it('end after a long pause', () => {
    const later = (pause: number): number[] =>
      startsOf([...BEGUN, user('And the gateway tokens again', 3, { time: 2_000 + pause })]);
    expect(later(3 * HOUR)).toEqual([1]);
    expect(later(3 * HOUR + 1)).toEqual([1, 3]);
    expect(startsOf([...BEGUN, user('And the gateway tokens again', 3, { time: undefined })])).toEqual([1]);
  });

  it('end at a compaction, and at a commit that is followed by something else', () => {
    expect(startsOf([...BEGUN, event('compaction', 3, {}), user('The gateway tokens again', 4)])).toEqual([1, 4]);
    expect(startsOf([...BEGUN, commit(3, 'x'), user(STRANGER, 4)])).toEqual([1, 4]);
    expect(startsOf([...BEGUN, commit(3, 'x'), user('The gateway login tokens need middleware tests', 4)])).toEqual([
      1,
    ]);
    expect(
      startsOf([...BEGUN, commit(3, 'x'), event('compaction', 4, {}), user('The gateway tokens again', 5)]),
    ).toEqual([1, 5]);
  });

  it('do not begin with what only goes on with the work, however late it is said', () => {
    for (const words of ['commit', 'ok, push it', 'Commit and update changelog', 'continue', 'yes, go ahead', 'weiter'])
      expect(startsOf([...BEGUN, event('compaction', 3, {}), user(words, 4, { time: 9 * HOUR })])).toEqual([1]);
    const long = 'commit the invoice totals of the report, which are rounded wrongly';
    expect(startsOf([...BEGUN, user(long, 3, { time: 9 * HOUR })])).toEqual([1, 3]);
  });

  it('stay ended by a commit while the user only says what goes on with the work', () => {
    expect(startsOf([...BEGUN, commit(3, 'x'), user('and push', 4), user(STRANGER, 5)])).toEqual([1, 5]);
    const between = user('The gateway login tokens need middleware tests', 4);
    expect(
      startsOf([...BEGUN, commit(3, 'x'), between, user('Shorter names of the gateway login invoices report', 5)]),
    ).toEqual([1]);
  });

  it('hold the rest of an exchange that was too long, whatever it says', () => {
    const [first] = exchangesOf(BEGUN);
    if (!first) throw new Error('no exchange');
    const { state } = withExchange(NO_TOPIC, first, exchangeText(first, []));
    const rest = continued(first, assistant(DOCS.join(' '), 9, { time: 9 * HOUR }));
    expect(withExchange(state, rest, exchangeText(rest, []))).toMatchObject({
      begins: false,
      topic: { start: 1, end: 9 },
    });
  });

  it('are the same whether the state was kept in memory or written down in between', () => {
    fc.assert(
      fc.property(anyConversation(40), (items) => {
        let kept: TopicState = NO_TOPIC;
        let written: TopicState = NO_TOPIC;
        for (const exchange of exchangesOf(items)) {
          const text = exchangeText(exchange, []);
          const one = withExchange(kept, exchange, text);
          const two = withExchange(JSON.parse(JSON.stringify(written)) as TopicState, exchange, text);
          expect(JSON.stringify(two)).toBe(JSON.stringify(one));
          expect(JSON.stringify(one.state).length).toBeLessThan(60_000);
          kept = one.state;
          written = two.state;
        }
      }),
    );
  });
});

describe('what a topic gathers', () => {
  const NOTHING: ExchangeText = {
    asked: '',
    outcome: undefined,
    decided: [],
    fixed: [],
    files: [],
    commits: [],
    pullRequests: [],
    made: [],
    edits: [],
    left: [],
  };
  const gathered = (...texts: readonly Partial<ExchangeText>[]): Topic => {
    let state: TopicState = NO_TOPIC;
    texts.forEach((text, at) => {
      const exchange: Exchange = { start: at + 1, number: at, items: [user('ok', at + 1)], asked: '' };
      state = withExchange(state, exchange, { ...NOTHING, ...text }).state;
    });
    if (!state.topic) throw new Error('no topic');
    return state.topic;
  };

  it('are the newest few of what was decided, came out and was mended, each once', () => {
    const topic = gathered(
      { decided: ['a', 'b'], outcome: 'One', fixed: ['x'], commits: ['c1'] },
      { decided: ['b', 'c', 'd', 'e'], outcome: 'Two', commits: ['c2'] },
    );
    expect(topic).toMatchObject({
      decided: ['b', 'c', 'd', 'e'],
      outcomes: ['One', 'Two'],
      fixed: ['x'],
      commits: ['c1', 'c2'],
    });
  });

  it('is what its last exchange left: what was left before was taken up or passed over', () => {
    expect(gathered({ left: ['Paginate'] }, { left: ['Sort'] }).left).toEqual(['Sort']);
    expect(gathered({ left: ['Paginate'] }, {}).left).toEqual([]);
  });

  it('are its files, the newest first', () => {
    expect(gathered({ files: ['a.ts', 'b.ts'] }, { files: ['c.ts', 'b.ts'] }).files).toEqual(['c.ts', 'b.ts', 'a.ts']);
  });

  it('is the first name that tells it', () => {
    expect(gathered({}, { commits: ['Rotate the tokens'] }, { commits: ['Another thing'] }).name.text).toBe(
      'Rotate the tokens',
    );
    expect(gathered({}, {}).name).toEqual({ text: 'Ok', by: 'words' });
  });

  it('is told in a few lines, each with what it is', () => {
    const topic = gathered({
      decided: ['Use redis'],
      outcome: 'Restarted it',
      fixed: ['Cause → change'],
      left: ['Which port?'],
      commits: ['Restart'],
      files: ['src/a.ts'],
    });
    const about = aboutOf(topic, 10);
    expect(topicSummary(topic)).toBe(
      `About: ${about}\nDecided: Use redis\nOutcome: Restarted it\nFixed: Cause → change\nLeft: Which port?\nCommits: Restart\nFiles: src/a.ts`,
    );
    expect(topicSummary(gathered({}))).toBe('About: ');
  });

  it('is told by its words, as they were written, and by none of those of all work', () => {
    const topic = topicsOf([...talk(AUTH, 1), user('Commit the tests of the gateway tokens', 5)])[0];
    expect(topic && aboutOf(topic, 3)).toBe('gateway, tokens, refresh');
  });
});

describe('what an exchange says', () => {
  const text: ExchangeText = {
    asked: 'Restart it?',
    outcome: 'Restarted',
    decided: ['a', 'b', 'c', 'd'],
    fixed: [],
    files: Array.from({ length: 9 }, (_, at) => `${at}.ts`),
    commits: [],
    pullRequests: [],
    made: [],
    edits: [],
    left: ['Which port?'],
  };

  it('is what was asked first, and nothing that there is not', () => {
    expect(exchangeSummary(text)).toBe(
      'Asked: Restart it?\nOutcome: Restarted\nDecided: b · c · d\nLeft: Which port?\nFiles: 0.ts, 1.ts, 2.ts, 3.ts, 4.ts, 5.ts',
    );
    expect(exchangeSummary({ ...text, asked: '', outcome: undefined, decided: [], files: [], left: [] })).toBe('');
  });

  it('is nothing that looks like a secret, if none of its parts does', () => {
    const decided = ['Added a retry to the login form.', 'Committed: Add Playwright to it', 'Token: none'];
    for (const said of [
      exchangeSummary({ ...text, decided }),
      exchangeSummary({ ...text, outcome: decided.join(BETWEEN_SAID) }),
    ])
      expect(redact(said).text).toBe(said);
  });

  it('stays short whatever was said', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 2_000 }),
        fc.array(fc.string({ maxLength: 500 }), { maxLength: 4 }),
        (asked, said) => {
          const summary = exchangeSummary({ ...text, asked, decided: said, fixed: said, left: said, commits: said });
          expect([...summary].length).toBeLessThanOrEqual(900);
        },
      ),
    );
  });
});
