import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTENTS } from '../../model/trace.ts';
import { entitiesOf } from '../entities/entities-of.ts';
import { relationsOf, type Statement } from './relations-of.ts';

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
