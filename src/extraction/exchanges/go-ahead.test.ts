// Which short answers decide something, and that question and answer together say it to somebody who was not there.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyWords } from '../../../test/fixtures/conversation.ts';
import { goAheads } from './go-ahead.ts';

const OFFER = 'I looked at it. Shall I also rename `tokenOf` to match the gateway middleware?';
const OFFERED = 'Shall I also rename `tokenOf` to match the gateway middleware?';
const MENU =
  'Which store of the sessions should we take?\n\n1. Keep the sessions in Redis\n2. Move the sessions to Postgres\n3. Drop them';
const LETTERS =
  'How shall we store the sessions?\n\n**Option A:** A table of its own\n**Option B:** A column of the users';

describe('a short answer', () => {
  it.each([
    'yes',
    'Yes please',
    'ok, go ahead',
    'Great, do it',
    'sounds good',
    'lgtm',
    'okay',
    'no',
    'nope, leave it',
    'don’t',
    'not now',
    'better not',
    'ja',
    'lieber nicht',
    "d'accord",
    'sí',
    'si, claro',
    'はい、お願いします',
    '好的',
    '不用',
  ])('decides what was asked: %s', (reply) => {
    expect(goAheads(OFFER, ` ${reply}\n`)).toEqual([`${OFFERED} — ${reply.replace('’', "'")}`]);
  });

  it.each([
    'yesterday it worked',
    'nothing works',
    'normal builds fail',
    'What about the tests?',
    'yes?',
    'Rename it',
    '',
  ])('that is none decides nothing: %s', (reply) => {
    expect(goAheads(OFFER, reply)).toEqual([]);
  });

  it('decides nothing where nothing was asked or proposed, or only long before', () => {
    expect(goAheads('', 'yes')).toEqual([]);
    expect(goAheads('I renamed the helper of the gateway middleware.', 'yes')).toEqual([]);
    const question = 'Should we keep the sessions of the gateway in Redis?';
    expect(goAheads(`${question} ${'It is fast. '.repeat(5)}`, 'yes')).toEqual([`${question} — yes`]);
    expect(goAheads(`${question} ${'It is fast. '.repeat(6)}`, 'yes')).toEqual([]);
  });

  it('decides what was proposed without a question mark', () => {
    expect(goAheads('I would recommend a table of its own for sessions. It is simple.', 'sounds good')).toEqual([
      'I would recommend a table of its own for sessions. — sounds good',
    ]);
  });

  it('to how the work goes on is nothing to remember', () => {
    for (const question of [
      'Want me to commit the rename of the gateway helper?',
      'Should I push the branch of the gateway?',
      'Shall I run the tests of the gateway middleware?',
      'Would you like me to proceed with the gateway middleware?',
    ])
      expect(goAheads(question, 'yes')).toEqual([]);
  });

  it('is no longer short where it says itself what is wanted', () => {
    expect(goAheads(OFFER, `yes ${'x'.repeat(396)}`)).toHaveLength(1);
    expect(goAheads(OFFER, `yes ${'x'.repeat(397)}`)).toEqual([]);
  });
});

describe('a choice', () => {
  it.each([
    ['2', 'Move the sessions to Postgres'],
    ['2.', 'Move the sessions to Postgres'],
    ['#1', 'Keep the sessions in Redis'],
    ['yes, 1', 'Keep the sessions in Redis'],
    ['go with 2', 'Move the sessions to Postgres'],
    ['option 2 please', 'Move the sessions to Postgres'],
    ['the second one', 'Move the sessions to Postgres'],
    ["Let's go with the third approach", 'Drop them'],
    ['the last', 'Drop them'],
    ['first, but keep a backup', 'Keep the sessions in Redis'],
  ])('by number or order names what was chosen: %s', (reply, option) => {
    expect(goAheads(MENU, reply)).toEqual([`Which store of the sessions should we take? — ${option}`]);
  });

  it.each([
    ['b', 'A column of the users'],
    ['B', 'A column of the users'],
    ['option a seems best', 'A table of its own'],
    ['A, and write a test', 'A table of its own'],
  ])('by letter names what was chosen: %s', (reply, option) => {
    expect(goAheads(LETTERS, reply)).toEqual([`How shall we store the sessions? — ${option}`]);
  });

  it('is the item that was listed last under that number', () => {
    expect(goAheads(`1. The first list of all\n\n${MENU}`, '1')).toEqual([
      'Which store of the sessions should we take? — Keep the sessions in Redis',
    ]);
  });

  it('stands alone where nothing was asked with the list', () => {
    expect(goAheads('(a) keep the table\n(b) throw it away', 'b')).toEqual(['Chosen — throw it away']);
  });

  it.each(['9', 'b', '2 files are broken', '1) rename the file 2) push it', 'a table would be nice'])(
    'is none where nothing of the list is meant: %j',
    (reply) => {
      expect(goAheads(MENU, reply)).toEqual([]);
    },
  );
});

describe('a decision of question and answer', () => {
  it('takes the sentence before along where the question says too little, and is none where both do', () => {
    expect(goAheads('The cache of the gateway never expires its tokens. Change it?', 'yes')).toEqual([
      'The cache of the gateway never expires its tokens. Change it? — yes',
    ]);
    expect(goAheads('Ready?', 'yes')).toEqual([]);
    expect(goAheads('I am done. Ready?', 'yes')).toEqual([]);
  });

  it('has no marks and is not long', () => {
    expect(goAheads('> **Shall we** keep | the `old` # table of sessions in Redis?', 'yes')).toEqual([
      'Shall we keep the `old` table of sessions in Redis? — yes',
    ]);
    const [long = ''] = goAheads(
      `Shall we keep ${'the very long table '.repeat(40)}?`,
      `yes ${'and so on '.repeat(30)}`,
    );
    expect(long).toMatch(/^Shall we keep.{300,310}… — yes and so on.{140,150}…$/);
  });

  it('never fails, and is made of what was asked and answered', () => {
    const plain = (text: string): string =>
      text
        .replace(/[*#>|]+/g, ' ')
        .replaceAll('’', "'")
        .replace(/\s+/g, '');
    fc.assert(
      fc.property(anyWords, fc.oneof(anyWords, fc.constantFrom('yes', '1', 'the last', 'no')), (asked, reply) => {
        for (const decided of goAheads(asked, reply)) {
          const [question = '', ...answer] = decided.split(' — ').map(plain);
          expect(`Chosen${plain(asked)}`).toContain(question.replace(/…$/, ''));
          const answered = answer.join('—').replace(/…$/, '');
          expect(plain(asked).includes(answered) || plain(reply).includes(answered)).toBe(true);
        }
      }),
    );
  });

  it('answers each numbered question for itself', () => {
    const asked =
      'Two things:\n1. Shall the berth plan move to PostgreSQL?\n2. Shall the tide table stay in the cache?';
    expect(goAheads(asked, '1 - yeah, 2 - no, too stale')).toEqual([
      'Shall the berth plan move to PostgreSQL? — yeah',
      'Shall the tide table stay in the cache? — no',
    ]);
  });
});
