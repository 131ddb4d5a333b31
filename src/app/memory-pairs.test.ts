import { describe, expect, it } from 'vitest';
import type { Document } from '../store/store.ts';
import { pairsAmong } from './memory-pairs.ts';

let count = 0;
const memory = (title: string, more: Partial<Document> = {}): Document => ({
  ref: `record:decisions/d${++count}`,
  project: 'p',
  layer: 'record',
  kind: 'decision',
  status: 'active',
  title,
  text: title,
  tags: [],
  confidence: 0.8,
  createdAt: count,
  updatedAt: count,
  hash: String(count),
  ...more,
});
const judged = (one: string, other: string, more: Partial<Document> = {}): string | undefined =>
  pairsAmong([memory(one), memory(other, more)])[0]?.kind;

describe('two memories contradict each other', () => {
  it.each([
    ['Use Redis for login sessions', 'Use PostgreSQL for login sessions'],
    ['We went with Vitest for the unit tests', 'Use Jest for unit tests because everybody knows it'],
    ['The session timeout of the gateway is 30 minutes', 'The session timeout of the gateway is 15 minutes'],
    ['Always squash commits before merging a branch', 'Never squash commits before merging a branch'],
  ])('%s / %s', (one, other) => {
    expect(judged(one, other)).toBe('contradiction');
    expect(judged(other, one)).toBe('contradiction');
  });

  it('the later one says that what the earlier one is about is gone', () => {
    const [one, other] = ['Keep prices in the Redis cache of the shop', 'Prices of the shop: replaced the Redis cache'];
    expect(judged(one, other)).toBe('contradiction');
    expect(judged(other, one)).not.toBe('contradiction');
  });

  it('the words say why', () => {
    const [pair] = pairsAmong([memory('Use Redis for login sessions'), memory('Use PostgreSQL for login sessions')]);
    expect(pair?.why).toBe('Redis or PostgreSQL, for the same');
  });
});

describe('two memories say the same', () => {
  it.each([
    ['Sign invoices with the key of the company', 'Sign all invoices with the key of the company'],
    ['Deploy the shop from the main branch only', 'Deploy the shop only from the main branch'],
  ])('%s / %s', (one, other) => expect(judged(one, other)).toBe('double'));

  it('a decision as record and as note does, a runbook and a decision do not', () => {
    const [one, other] = ['Sign invoices with the key of the company', 'Sign all invoices with the key of the company'];
    expect(judged(one, other, { layer: 'note', ref: 'note:x' })).toBe('double');
    expect(judged(one, other, { kind: 'runbook', ref: 'record:runbooks/x' })).toBeUndefined();
  });
});

describe('nothing is said about two memories', () => {
  it.each([
    ['of different things', 'Use Redis for login sessions', 'Use PostgreSQL for invoices'],
    ['with other numbers of other things', 'The upload limit is 30 MB', 'The session lasts 15 minutes'],
    ['with the same number', 'The session timeout is 30 minutes', 'The timeout of a session is 30 minutes, said twice'],
    ['that share one word', 'Sign invoices', 'Archive invoices after ten years'],
    ['where one chooses what the other is about', 'Use Redis for sessions', 'Use Docker for Redis'],
  ])('%s', (_, one, other) => expect(judged(one, other)).not.toBe('contradiction'));

  it('that are ideas and only alike', () => {
    expect(
      judged('Sign invoices with the company key', 'Sign all invoices with the company key', { layer: 'trace' }),
    ).toBe(undefined);
  });
});
