// Which exchange a commit is tied to, and with what certainty.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GitCommit } from '../../files/git-history.ts';
import { workMeta } from '../../model/exchange-work.ts';
import type { Document } from '../../store/store.ts';
import { later, tieCommits, type Worked, workedOf } from './tie-commits.ts';

const HOUR = 3_600;
const NOON = 1_772_000_000;

const commit = (hash: string, authored: number, more: Partial<GitCommit> = {}): GitCommit => ({
  hash: hash.padEnd(40, '0'),
  parents: [],
  authored,
  committed: authored,
  author: 'Ann',
  subject: `Change ${hash} of the shop`,
  body: '',
  files: ['src/a.ts'],
  ...more,
});

const exchange = (name: string, work: Partial<Pick<Worked, 'made' | 'edits'>>, session = name): Document => ({
  ref: `span:${name}`,
  project: 'p',
  layer: 'trace',
  kind: 'span',
  status: 'active',
  title: name,
  text: name,
  tags: [],
  confidence: 0.5,
  createdAt: NOON * 1_000,
  updatedAt: NOON * 1_000,
  session,
  hash: name,
  meta: { level: 'exchange', ...workMeta({ made: [], edits: [], ...work }) },
});
const made = (subject: string, from: number, more: { hash?: string; to?: number } = {}) => ({
  subject,
  from,
  to: from,
  ...more,
});
const edit = (file: string, first: number, last = first) => ({ file, first, last });

const tie = (one: GitCommit, exchanges: readonly Document[], history?: readonly GitCommit[]) => {
  const found = tieCommits([one], workedOf(exchanges), history).get(one.hash);
  return found && { ref: found.exchange.ref, way: found.way, certainty: found.certainty, how: found.how };
};

describe('a commit', () => {
  it('is tied by hash before all else', () => {
    const here = exchange('here', { made: [made('Other words', 1, { hash: 'abc1234' })] });
    const there = exchange('there', { made: [made('Change abc1234 of the shop', NOON)] });
    expect(tie(commit('abc1234', NOON), [there, here])).toEqual({
      ref: 'span:here',
      way: 'hash',
      certainty: 'certain',
      how: 'by hash',
    });
  });

  it('is tied by its subject and its minute, though it was moved since', () => {
    const here = exchange('here', {
      made: [made('Change abc of the shop', NOON - 20, { hash: 'fff0000', to: NOON + 1 })],
    });
    expect(tie(commit('abc', NOON), [here])).toMatchObject({
      way: 'subject',
      certainty: 'certain',
      how: expect.stringContaining('fff0000'),
    });
  });

  it('is tied by a telling subject later, also as a host merges it; not to one that came afterwards', () => {
    const here = exchange('here', { made: [made('Cache the list of prices', NOON - 5 * HOUR)] });
    const merged = commit('abc', NOON, { subject: 'Cache the list of prices (#12)' });
    expect(tie(merged, [here])).toMatchObject({
      ref: 'span:here',
      certainty: 'likely',
      how: 'by its subject, 5 hours later',
    });
    expect(tie({ ...merged, authored: NOON - 9 * HOUR }, [here])).toBeUndefined();
  });

  it('is hardly tied by a subject that is said everywhere', () => {
    const subject = 'Fix tests';
    const far = exchange('far', { made: [made(subject, NOON - 50 * HOUR)] });
    expect(tie(commit('abc', NOON, { subject }), [far])).toBeUndefined();
    const near = exchange('near', { made: [made(subject, NOON - HOUR)] });
    expect(tie(commit('abc', NOON, { subject }), [far, near])).toMatchObject({
      ref: 'span:near',
      certainty: 'possible',
    });
    const telling = 'Cache the list of prices';
    const both = ['one', 'two'].map((name) => exchange(name, { made: [made(telling, NOON - 5 * HOUR)] }));
    expect(tie(commit('abc', NOON, { subject: telling }), both)).toMatchObject({ certainty: 'possible' });
  });

  it('is tied by its minute where it has another subject since, if the conversation wrote its files', () => {
    const call = made('Skip tests', NOON, { hash: 'fff0000', to: NOON + 3 });
    const here = exchange('here', { made: [call], edits: [edit('src/a.ts', NOON - 60)] });
    expect(tie(commit('abc', NOON + 2), [here])).toMatchObject({ way: 'time', certainty: 'likely' });
    expect(tie(commit('abc', NOON + 2), [exchange('here', { made: [call] })])).toBeUndefined();
    expect(tie(commit('abc', NOON + 2), [here, exchange('there', { made: [call] })])).toMatchObject({ way: 'files' });
  });
});

describe('a commit by hand', () => {
  it('is tied to who wrote its files last before it', () => {
    const early = exchange('early', { edits: [edit('src/a.ts', NOON - 2 * HOUR)] });
    const late = exchange('late', { edits: [edit('src/a.ts', NOON - 12 * 60)] });
    const after = exchange('after', { edits: [edit('src/a.ts', NOON + 60)] });
    expect(tie(commit('abc', NOON), [late, early, after])).toEqual({
      ref: 'span:late',
      way: 'files',
      certainty: 'likely',
      how: 'by its files, 12 minutes later',
    });
  });

  it('is not tied to what another commit had already', () => {
    const early = exchange('early', { edits: [edit('src/a.ts', NOON - 2 * HOUR)] });
    const before = commit('bbb', NOON - HOUR);
    expect(tie(commit('abc', NOON), [early], [commit('abc', NOON), before])).toBeUndefined();
    const elsewhere = { ...before, files: ['src/b.ts'] };
    expect(tie(commit('abc', NOON), [early], [commit('abc', NOON), elsewhere])).toMatchObject({ ref: 'span:early' });
  });

  it('goes to the conversation that wrote most of its files, and there to the exchange that did', () => {
    const files = ['a.ts', 'b.ts', 'c.ts'];
    const one = exchange('one', { edits: [edit('a.ts', NOON - 300)] }, 'first');
    const two = exchange('two', { edits: [edit('b.ts', NOON - 200)] }, 'first');
    const other = exchange('other', { edits: [edit('c.ts', NOON - 100)] }, 'second');
    expect(tie(commit('abc', NOON, { files }), [one, two, other])).toMatchObject({
      ref: 'span:two',
      certainty: 'likely',
      how: 'by its files (2 of 3), 3 minutes later; another conversation wrote the rest',
    });
    expect(tie(commit('abc', NOON, { files: ['a.ts', 'c.ts'] }), [one, other])).toMatchObject({
      certainty: 'possible',
    });
  });

  it.each([
    [3 * HOUR, 1, 'likely'],
    [5 * HOUR, 1, 'possible'],
    [6 * 24 * HOUR, 1, 'possible'],
    [8 * 24 * HOUR, 1, undefined],
    [HOUR, 2, 'likely'],
    [HOUR, 3, 'possible'],
    [HOUR, 4, undefined],
  ])('%i seconds later, with one of %i files: %s', (away, count, certainty) => {
    const files = ['src/a.ts', 'x.ts', 'y.ts', 'z.ts'].slice(0, count);
    const found = tie(commit('abc', NOON, { files }), [exchange('here', { edits: [edit('src/a.ts', NOON - away)] })]);
    expect(found?.certainty).toBe(certainty);
  });

  it('of somebody whose commits never come from conversations is a possible one', () => {
    const here = exchange('here', { made: [made('x', 1, { hash: 'aaa1111' })], edits: [edit('src/a.ts', NOON - 60)] });
    const own = commit('aaa1111', NOON - 9 * HOUR, { files: ['b.ts'] });
    const stranger = commit('abc', NOON, { author: 'Bob' });
    expect(tie(stranger, [here], [stranger, own])).toMatchObject({ certainty: 'possible' });
    expect(tie({ ...stranger, author: 'Ann' }, [here], [stranger, own])).toMatchObject({ certainty: 'likely' });
  });

  it('knows a file by what the agent called it, its exact name first', () => {
    const whole = exchange('whole', { edits: [edit('/home/me/shop/src/a.ts', NOON - 60)] });
    expect(tie(commit('abc', NOON), [whole])).toMatchObject({ ref: 'span:whole' });
    const part = exchange('part', { edits: [edit('a.ts', NOON - 30)] });
    const exact = exchange('exact', { edits: [edit('src/a.ts', NOON - 60)] });
    expect(tie(commit('abc', NOON), [part])).toMatchObject({ ref: 'span:part' });
    expect(tie(commit('abc', NOON), [part, exact])).toMatchObject({ ref: 'span:exact' });
    expect(tie(commit('abc', NOON, { files: ['src/ba.ts'] }), [part])).toBeUndefined();
  });

  it('never comes from work that began after it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -HOUR, max: HOUR }), { maxLength: 6 }), (times) => {
        const all = times.map((time, at) => exchange(`e${at}`, { edits: [edit('src/a.ts', NOON + time)] }));
        const found = tie(commit('abc', NOON), all);
        const before = times.filter((time) => time <= 5);
        const latest = Math.max(...before);
        if (before.length === 0) expect(found).toBeUndefined();
        else
          expect(times[Number(found?.ref.slice('span:e'.length))]).toSatisfy(
            (time: number) => Math.min(time, 0) === Math.min(latest, 0),
          );
      }),
    );
  });
});

it('says how much later', () => {
  expect([0, 20, 60, 90 * 60, 3 * HOUR, 50 * HOUR].map(later)).toEqual([
    'at once',
    'at once',
    '1 minute later',
    '90 minutes later',
    '3 hours later',
    '2 days later',
  ]);
});
