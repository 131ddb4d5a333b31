import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTENTS } from '../../model/trace.ts';
import { entitiesOf } from '../entities/entities-of.ts';
import { mayChange, mayReferBack, relationsOf, type Statement } from './relations-of.ts';

let count = 0;
function said(text: string, more: Partial<Statement> = {}): Statement {
  const line = more.line ?? ++count;
  return {
    ref: `idea:${line}-${more.session ?? 's'}`,
    text,
    intent: 'context',
    stance: 'stated',
    role: 'assistant',
    session: 's',
    span: 'span:1',
    line,
    time: line * 1_000,
    entities: entitiesOf(text).map((entity) => entity.name),
    ...more,
  };
}

const kinds = (statement: Statement, ...earlier: Statement[]): string[] =>
  relationsOf(statement, earlier).map((each) => `${each.relation} ${each.to}`);

describe('relations', () => {
  it('an answer follows its question', () => {
    const question = said('Which database should the session store use?', {
      intent: 'question',
      role: 'user',
      line: 1,
    });
    expect(kinds(said('The session store should use Redis.', { intent: 'decision', line: 2 }), question)).toEqual([
      `answers ${question.ref}`,
    ]);
  });

  it('a question that was answered is not answered again, and not by the one who asked', () => {
    const question = said('Which database should the session store use?', {
      intent: 'question',
      role: 'user',
      line: 1,
      answered: true,
    });
    expect(kinds(said('The session store should use Redis.', { intent: 'decision', line: 2 }), question)).toEqual([]);
    expect(
      kinds(said('The session store could use Redis.', { role: 'user', line: 3 }), { ...question, answered: false }),
    ).toEqual([]);
  });

  it('what leaves a question open does not answer it', () => {
    const question = said('How long may a session of the mobile app live?', {
      intent: 'question',
      role: 'user',
      line: 1,
    });
    const kept = said('I left that open and set 30 days for the mobile session for now.', {
      intent: 'decision',
      line: 2,
    });
    expect(kinds(kept, question)).toEqual([]);
    const settled = said('A mobile session may live 30 days.', { intent: 'decision', line: 2 });
    expect(kinds(settled, question)).toEqual([`answers ${question.ref}`]);
  });

  it('a decision does not supersede the finding that led to it', () => {
    const cause = said('The root cause is that the session tokens are signed and never looked up.', {
      intent: 'conclusion',
      line: 1,
    });
    const decision = said('Then let us keep the sessions in Redis instead of in signed session tokens.', {
      intent: 'decision',
      role: 'user',
      line: 2,
    });
    expect(kinds(decision, cause)).toEqual([]);
  });

  it('a decision in replacing words supersedes the one about the same', () => {
    const old = said('We decided to keep sessions in PostgreSQL for the gateway.', {
      intent: 'decision',
      session: 'a',
      line: 5,
      time: 1,
    });
    const other = said('The build runs on GitHub Actions.', { intent: 'decision', session: 'a', line: 6, time: 2 });
    const now = said('We switched to Redis for the gateway sessions instead of PostgreSQL.', {
      intent: 'decision',
      session: 'b',
      line: 1,
      time: 100,
    });
    expect(kinds(now, old, other)).toEqual([`supersedes ${old.ref}`]);
  });

  it('advice in the words of a replacement replaces nothing, nor does another item of the same turn', () => {
    const old = said('Use a covering index for the order lookup query.', { intent: 'solution', line: 4 });
    const advice = 'Use a partial index for the order lookup query instead of a covering index.';
    expect(kinds(said(advice, { intent: 'solution', line: 4, ref: 'idea:x' }), old)).toEqual([]);
    expect(kinds(said(advice, { intent: 'solution', line: 6 }), old)).toEqual([]);
  });

  it.each([
    ['I have 14 plants on my balcony', 'My balcony now has 17 plants', true],
    ['The dentist appointment of my son is on March 3', 'I moved the dentist appointment of my son to March 9', true],
    ['My test coverage is at 61% for the parser module', 'My parser module test coverage has improved to 74%', true],
    ['I read 3 novels in the holidays', 'I bought 5 pens in the new shop', false],
    ['I met Ana on March 3 in the library', 'I met Bob on March 9 in the new library', false],
  ])('what a user says anew supersedes the old value: %j, %j', (before, after, expected) => {
    const old = said(before, { role: 'user', intent: 'context', line: 3 });
    const now = said(after, { role: 'user', intent: 'question', line: 90 });
    expect(kinds(now, old)).toEqual(expected ? [`supersedes ${old.ref}`] : []);
    expect(kinds({ ...now, role: 'assistant' }, old)).toEqual([]);
  });

  it('what somebody says they never did contradicts that they did', () => {
    const did = said('I rotated the signing keys of the gateway in May.', { role: 'user', line: 3 });
    const never = said("I've never rotated any signing keys, so where do I start?", { role: 'user', line: 60 });
    expect(kinds(never, did)).toEqual([`contradicts ${did.ref}`]);
  });

  it('what solves a problem answers it', () => {
    const problem = said('The login test fails with a timeout on the redis port.', { intent: 'problem', line: 3 });
    expect(
      kinds(said('Opening the redis port fixed the login test timeout.', { intent: 'solution', line: 9 }), problem),
    ).toEqual([`answers ${problem.ref}`]);
  });

  it('a guess that did not help is contradicted', () => {
    const guess = said('Maybe the redis cache returns stale tokens.', { stance: 'hypothesis', line: 3 });
    expect(
      kinds(said('Clearing the redis cache of tokens did not help.', { stance: 'dead_end', line: 5 }), guess),
    ).toEqual([`contradicts ${guess.ref}`]);
  });

  it('nothing relates to what comes later, nor to itself', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            text: fc.constantFrom(
              'switch to redis instead of postgres',
              'redis sessions in the gateway store',
              'which redis port?',
              'also the redis store',
            ),
            intent: fc.constantFrom(...INTENTS),
            line: fc.integer({ min: 1, max: 50 }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        (all) => {
          const statements = all.map((each, at) => said(each.text, { ...each, ref: `idea:${at}` }));
          const [first, ...rest] = statements;
          for (const relation of relationsOf(first!, rest)) {
            const other = rest.find((each) => each.ref === relation.to)!;
            expect(other.line).toBeLessThanOrEqual(first!.line);
            expect(relation.confidence).toBeGreaterThan(0);
            expect(relation.confidence).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });
});

describe('the lines between relations', () => {
  const all = (statement: Statement, ...earlier: Statement[]): string[] =>
    relationsOf(statement, earlier).map(
      ({ relation, to, confidence, rule }) => `${relation} ${to} ${confidence} ${rule}`,
    );
  const question = (line: number, more: Partial<Statement> = {}): Statement =>
    said('Which database should the session store use?', {
      intent: 'question',
      role: 'user',
      line,
      ref: 'idea:q',
      ...more,
    });
  const answer = (line: number, more: Partial<Statement> = {}): Statement =>
    said('The session store should use Redis.', { intent: 'decision', line, ref: 'idea:a', ...more });

  it('an answer follows within three lines in any words, within forty in those of the question', () => {
    const plain = said('Redis, as ever.', { intent: 'decision', line: 14, ref: 'idea:a' });
    expect(all(plain, question(11))).toEqual(['answers idea:q 0.45 follows-question']);
    expect(all(plain, question(10))).toEqual([]);
    expect(all(answer(50), question(10))).toEqual(['answers idea:q 0.95 question-words']);
    expect(all(answer(51), question(10))).toEqual([]);
    expect(all(answer(50, { text: "I'll start with the session store." }), question(10))).toEqual([]);
  });

  it('what an agent says at first is no answer yet, a word of the user is', () => {
    expect(
      all(said('Yes, the second one.', { role: 'user', line: 2 }), question(1, { role: 'assistant' })),
    ).toHaveLength(1);
    expect(all(said('Reading the settings now.', { line: 2 }), question(1))).toEqual([]);
    expect(all(answer(2, { intent: 'question' }), question(1))).toEqual([]);
    expect(all(answer(2, { intent: 'todo' }), question(1))).toEqual([]);
    const trouble = answer(2, { role: 'user', intent: 'problem' });
    expect(all(trouble, question(1, { role: 'assistant' }))).toEqual([]);
    expect(all(answer(2, { session: 't' }), question(1))).not.toContainEqual(expect.stringContaining('answers'));
    expect(all(answer(1), question(1))).toEqual([]);
  });

  it('a remedy says that it mends, or speaks of what the user told; and comes within four hundred lines', () => {
    const problem = (line: number, role: Statement['role']): Statement =>
      said('The login test fails with a timeout on the redis port.', { intent: 'problem', line, role, ref: 'idea:p' });
    const mend = said('Opening the redis port fixed the login test timeout.', { intent: 'solution', line: 500 });
    const advice = said('Open the redis port before the login test.', { intent: 'solution', line: 500 });
    expect(all(mend, problem(100, 'assistant'))).toHaveLength(1);
    expect(all(mend, problem(99, 'assistant'))).toEqual([]);
    expect(all(advice, problem(490, 'assistant'))).toEqual([]);
    expect(all(advice, problem(490, 'user'))).toHaveLength(1);
    expect(all({ ...mend, intent: 'conclusion' }, problem(490, 'assistant'))).toEqual([]);
    expect(all(said('Paint the fuel dock yellow.', { intent: 'solution', line: 500 }), problem(490, 'user'))).toEqual(
      [],
    );
  });

  it('what is added to is of the same topic, and shares something', () => {
    const base = said('The gateway keeps sessions in Redis for each shop.', { line: 3, ref: 'idea:b' });
    const more = said('Additionally, the gateway keeps carts in Redis.', { line: 4 });
    expect(all(more, base)).toEqual([expect.stringMatching(/^builds_on idea:b 0\.\d+ adding-words$/)]);
    expect(all({ ...more, span: 'span:2' }, base)).toEqual([]);
    expect(all({ ...more, span: undefined }, { ...base, span: undefined })).toEqual([]);
    expect(all({ ...more, text: 'The gateway keeps carts in Redis.' }, base)).toEqual([]);
    expect(all(said('Additionally, the lights are green.', { line: 4 }), base)).toEqual([]);
  });

  it('what is about the same in another conversation is related, unless it said nothing', () => {
    const other = (more: Partial<Statement> = {}): Statement =>
      said('The gateway keeps carts in Redis.', {
        session: 't',
        line: 3,
        intent: 'decision',
        time: 1,
        ref: 'idea:o',
        ...more,
      });
    const now = said('Carts of the gateway in Redis grow each day.', { line: 4, intent: 'conclusion' });
    expect(all(now, other())).toEqual([expect.stringMatching(/^relates_to idea:o 0\.\d+ same-things$/)]);
    expect(all(now, other({ intent: 'context' }))).toEqual([]);
    expect(all(now, other({ session: 's' }))).toEqual([]);
    expect(all(now, other({ text: 'The build of the page takes long.', entities: [] }))).toEqual([]);
    expect(all(now, other({ time: now.time! + 1 }))).toEqual([]);
  });

  it('of each kind the surest few are kept: two answers, one thing that is built on, three that are related', () => {
    const many = (count: number, make: (at: number) => Statement): Statement[] =>
      Array.from({ length: count }, (_, at) => make(at));
    expect(all(answer(5), ...many(4, (at) => question(4, { ref: `idea:q${at}` })))).toEqual([
      'answers idea:q0 0.95 follows-question',
      'answers idea:q1 0.95 follows-question',
    ]);
    const base = (at: number): Statement =>
      said('The gateway keeps sessions in Redis.', { line: 3, ref: `idea:b${at}` });
    expect(all(said('Additionally, the gateway keeps carts in Redis.', { line: 4 }), ...many(3, base))).toHaveLength(1);
    const like = (at: number): Statement =>
      said('The gateway keeps carts in Redis.', {
        session: `t${at}`,
        line: 3,
        intent: 'decision',
        time: 1,
        ref: `idea:o${at}`,
      });
    const now = said('Carts of the gateway in Redis grow each day.', { line: 4, intent: 'conclusion' });
    expect(all(now, ...many(5, like)).map((each) => each.split(' ')[1])).toEqual(['idea:o0', 'idea:o1', 'idea:o2']);
  });

  it('the surer of two goes first, whatever their names', () => {
    const like = (ref: string, text: string): Statement =>
      said(text, { session: ref, line: 3, intent: 'decision', time: 1, ref });
    const now = said('Carts of the gateway in Redis grow each day.', { line: 4, intent: 'conclusion' });
    const half = like('idea:a', 'The gateway keeps carts of Redis.');
    const whole = like('idea:z', 'Carts of the gateway in Redis grow each day and night.');
    expect(all(now, half, whole).map((each) => each.split(' ')[1])).toEqual(['idea:z', 'idea:a']);
  });

  it('a decision that the user takes again, in other words, replaces the first, in another conversation', () => {
    const first = said('Use the Halyard scanner for ferry tickets at the main gate.', {
      ...{ role: 'user', intent: 'decision', session: 't', line: 3, time: 1, ref: 'idea:o' },
    });
    const again = said('Use the Halyard scanner for ferry tickets at the main gate and pier.', {
      role: 'user',
      intent: 'decision',
      line: 4,
    });
    expect(all(again, first)).toEqual([expect.stringMatching(/^supersedes idea:o 0\.\d+ decided-again$/)]);
    for (const changed of [{ role: 'assistant' }, { intent: 'problem' }, { text: first.text }] as const)
      expect(all({ ...again, ...changed }, first)).not.toContainEqual(expect.stringContaining('supersedes'));
    expect(all(again, { ...first, session: 's' })).toEqual([]);
  });

  it.each([
    ['a share', 'My parser module coverage is at 61%', 'My parser module coverage has improved to 74%', true],
    [
      'a share of something else',
      'My parser module coverage is at 61%',
      'My rent in the new house is 74% of that',
      false,
    ],
    ['money', 'My budget for the harbour trip is $900', 'My budget for the harbour trip is now $1200', true],
    ['the same value', 'My budget for the harbour trip is $900', 'My budget for the harbour trip is now $900', false],
    [
      'a value of another kind',
      'My budget for the harbour trip is $900',
      'My budget for the harbour trip is now 40%',
      false,
    ],
    [
      'a day of an appointment',
      'My boat exam with Jonna is on March 3',
      'I moved my boat exam with Jonna to March 9',
      true,
    ],
    [
      'a day that is not said to be moved',
      'My boat exam with Jonna is on March 3',
      'My boat exam with Jonna was on March 9',
      false,
    ],
    [
      'a day of what happens often',
      'I painted my boat keel on March 3',
      'I now painted my boat keel on March 9',
      false,
    ],
    ['both values at once', 'I have 14 berths on my quay', 'I now have 17 berths on my quay, not 14 berths', false],
    [
      'from one to the other',
      'I have 14 berths on my quay',
      'I now have 17 berths on my quay, up from 14 berths',
      true,
    ],
    [
      'what was counted before',
      'I have rented 14 berths on my west quay',
      'I have rented 17 berths on my west quay',
      true,
    ],
    [
      'what was counted of something else',
      'I have rented 14 berths on my quay',
      'I have rented 17 tickets on my quay',
      false,
    ],
  ])('a newer value: %s', (_, before, after, expected) => {
    const old = said(before, { role: 'user', line: 3, ref: 'idea:o' });
    const now = said(after, { role: 'user', line: 90 });
    expect(all(now, old)).toEqual(expected ? [expect.stringMatching(/^supersedes idea:o .* newer-value$/)] : []);
  });

  it('what was said to be wrong is contradicted by the user, or by a conclusion', () => {
    const claim = said('The redis cache holds the session tokens of the gateway.', { line: 3, ref: 'idea:c' });
    const denial = 'That is wrong, the redis cache never held session tokens of the gateway.';
    const contradiction = [expect.stringMatching(/^contradicts idea:c 0\.\d+ opposing-words$/)];
    expect(all(said(denial, { role: 'user', line: 5 }), claim)).toEqual(contradiction);
    expect(all(said(denial, { intent: 'conclusion', line: 5 }), claim)).toEqual(contradiction);
    expect(all(said(denial, { line: 5 }), claim)).toEqual([]);
    expect(all(said('That is wrong, the page is blue.', { role: 'user', line: 5 }), claim)).toEqual([]);
    const guess = { ...claim, stance: 'hypothesis' as const };
    const failed = said('Clearing the redis cache of session tokens did not help.', { stance: 'dead_end', line: 5 });
    expect(all(failed, guess)).toHaveLength(1);
    expect(all(failed, claim)).toEqual([]);
    expect(all({ ...failed, session: 't', time: 1e9 }, guess)).toEqual([]);
  });

  it('a denial needs two words of the deed, and half of its own', () => {
    const deed = said('I rotated the signing keys of the gateway in May.', { role: 'user', line: 3, ref: 'idea:d' });
    const says = (text: string, more: Partial<Statement> = {}) =>
      all(said(text, { role: 'user', line: 60, ...more }), deed);
    expect(says('I have never rotated the signing keys.')).toHaveLength(1);
    expect(says('I have never seen the gateway.')).toEqual([]);
    expect(says('I have never painted boats, sheds, docks, piers or keys of a gateway.')).toEqual([]);
    expect(says('I have never rotated the signing keys.', { role: 'assistant' })).toEqual([]);
  });

  it('a replacement speaks of what the earlier statement is about', () => {
    const old = (more: Partial<Statement> = {}): Statement =>
      said('We decided to keep sessions in PostgreSQL for the gateway.', {
        intent: 'decision',
        session: 'a',
        line: 5,
        time: 1,
        ref: 'idea:o',
        ...more,
      });
    const now = (text: string, more: Partial<Statement> = {}): Statement =>
      said(text, { intent: 'decision', session: 'b', line: 1, time: 100, ...more });
    const switched = 'We switched to Redis for the gateway sessions instead of PostgreSQL.';
    const replaces = (statement: Statement, other: Statement): boolean =>
      all(statement, other).some((each) => each.startsWith('supersedes'));
    expect(replaces(now(switched), old())).toBe(true);
    expect(replaces(now(switched, { intent: 'question' }), old())).toBe(false);
    expect(replaces(now(switched, { intent: 'context' }), old())).toBe(false);
    expect(replaces(now(switched), old({ intent: 'context' }))).toBe(false);
    expect(replaces(now(switched), old({ intent: 'solution' }))).toBe(false);
    expect(replaces(now(switched, { session: 'a', line: 9 }), old({ intent: 'solution' }))).toBe(true);
    expect(
      replaces(now(switched), old({ text: 'We decided to keep gateway sessions in PostgreSQL instead of MySQL.' })),
    ).toBe(false);
    expect(replaces(now('We switched to Redis for the gateway sessions instead of signed cookies.'), old())).toBe(
      false,
    );
    expect(replaces(now(switched, { intent: 'solution' }), old())).toBe(true);
    expect(
      replaces(now('Use Redis for the gateway sessions instead of PostgreSQL.', { intent: 'solution' }), old()),
    ).toBe(false);
  });

  it('says which statements are worth a look into other conversations', () => {
    const plain = said('The gateway reads each header twice.', {});
    expect(mayReferBack({ ...plain, intent: 'decision' })).toBe(true);
    expect(mayReferBack({ ...plain, intent: 'conclusion' })).toBe(true);
    expect(mayReferBack({ ...plain, intent: 'solution' })).toBe(false);
    expect(mayReferBack(plain)).toBe(false);
    const change = 'We switched to Redis instead of PostgreSQL.';
    expect(mayReferBack(said(change, { intent: 'solution' }))).toBe(true);
    expect(mayReferBack(said(change, { role: 'user' }))).toBe(true);
    expect(mayReferBack(said(change, { role: 'assistant' }))).toBe(false);
    expect(mayReferBack(said('I now have 17 berths.', { role: 'user' }))).toBe(true);
    expect(mayReferBack(said('I have 17 berths.', { role: 'user' }))).toBe(false);
    expect(mayReferBack(said('The quay now has 17 berths.', { role: 'user' }))).toBe(false);
    expect(mayReferBack(said('I now know the way. There are 17 berths.', { role: 'user' }))).toBe(false);
    expect(mayChange(said('I have 17 berths.', { role: 'user' }))).toBe(true);
    expect(mayChange(said('I have 17 berths.', { role: 'assistant' }))).toBe(false);
    expect(mayChange(said('There are 17 berths.', { role: 'user' }))).toBe(false);
    expect(mayChange(said('I have berths.', { role: 'user' }))).toBe(false);
    expect(mayChange(said(`I have 17 berths. ${'x'.repeat(700)}`, { role: 'user' }))).toBe(false);
  });
});
