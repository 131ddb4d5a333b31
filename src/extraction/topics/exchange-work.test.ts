// Which commits and edits an exchange is known by.
import { describe, expect, it } from 'vitest';
import { commit, event, user, work, wrote } from '../../../test/fixtures/conversation.ts';
import { exchangeWork, hashName, workMeta } from '../../model/exchange-work.ts';
import { editsIn, madeIn } from './exchange-work.ts';

const committed = (line: number, subject: string, hash: string) => event('committed', line, { subject, hash });

describe('the commits of an exchange', () => {
  it('are one with what git answered to them', () => {
    const items = [user('go', 1), commit(10, 'Add an index'), committed(15, 'Add an index', '1a2b3c4')];
    expect(madeIn(items)).toEqual([{ subject: 'Add an index', hash: '1a2b3c4', from: 10, to: 15 }]);
  });

  it('are there without an answer, and answers without a call', () => {
    const items = [commit(10, 'Quiet'), committed(20, 'Amended', 'abcdef1')];
    expect(madeIn(items)).toEqual([
      { subject: 'Quiet', from: 10, to: 10 },
      { subject: 'Amended', hash: 'abcdef1', from: 20, to: 20 },
    ]);
  });

  it('with one subject have their answers in order', () => {
    const items = [commit(1, 'Fix'), committed(2, 'Fix', 'aaaaaaa'), commit(3, 'Fix'), committed(4, 'Fix', 'bbbbbbb')];
    expect(madeIn(items).map(({ hash, from }) => [hash, from])).toEqual([
      ['aaaaaaa', 1],
      ['bbbbbbb', 3],
    ]);
  });

  it('are left out without a time, which alone could tell them apart', () => {
    expect(madeIn([{ ...commit(1, 'Fix'), time: undefined }])).toEqual([]);
    expect(editsIn([{ ...wrote(1, 'a.ts'), time: undefined }])).toEqual([]);
  });
});

describe('the edits of an exchange', () => {
  it('have the first and the last time of each file, and reading is none', () => {
    const items = [
      wrote(3, 'a.ts', 'b.ts'),
      work(4),
      event('files', 5, { files: ['c.ts'], wrote: false }),
      wrote(9, 'a.ts'),
    ];
    expect(editsIn(items)).toEqual([
      { file: 'a.ts', first: 3, last: 9 },
      { file: 'b.ts', first: 3, last: 3 },
    ]);
  });
});

describe('what a row keeps', () => {
  it('comes back as it was, and what is damaged is left out', () => {
    const done = {
      made: [
        { subject: 'Fix', from: 1, to: 2 },
        { subject: '', hash: 'abcdef1', from: 3, to: 4 },
      ],
      edits: [{ file: 'a.ts', first: 1, last: 2 }],
    };
    expect(exchangeWork(workMeta(done))).toEqual(done);
    expect(workMeta({ made: [], edits: [] })).toEqual({});
    expect(exchangeWork({ made: [['Fix', '', 'soon', 2], 7, null], edits: 'no' })).toEqual({ made: [], edits: [] });
    expect(exchangeWork(undefined)).toEqual({ made: [], edits: [] });
  });

  it('names a commit alike, however much of its hash is known', () => {
    expect(hashName('ABCDEF1234567')).toBe(hashName('abcdef1'));
  });
});
