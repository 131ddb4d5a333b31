// The first memories of a project: a store that has seen next to nothing must still tell what a prompt is about from what not.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRelevantEnough } from '../../src/model/relevance.ts';
import { recall } from '../../src/recall/recall.ts';
import type { Store } from '../../src/store/store.ts';
import { NOW, openStore, PROJECT, record } from './memories.ts';

let store: Store;
let end: () => Promise<void>;
beforeEach(async () => {
  ({ store, end } = await openStore());
  await store.apply([
    record('use-jwt', 'The gateway uses JWT tokens', 'The gateway uses JWT tokens because sessions must be stateless', {
      tags: ['auth', 'gateway'],
    }),
  ]);
});
afterEach(() => end());

const told = async (query: string): Promise<boolean> => {
  const { results } = await recall({ store, now: NOW }, { query, projects: [PROJECT], limit: 5 });
  return results.some(isRelevantEnough);
};

describe('a store with a single memory', () => {
  it.each([
    'how does the gateway auth work',
    'Please look at the JWT tokens of the gateway',
    'what did we decide about auth in the gateway?',
    'why are gateway sessions stateless',
  ])('tells it for %j', async (query) => {
    expect(await told(query)).toBe(true);
  });

  it.each([
    'write a haiku about the sea',
    'fix the failing test in the invoice page',
    'update the changelog and bump the version',
    'why does the build of the mobile app take so long',
  ])('is silent for %j', async (query) => {
    expect(await told(query)).toBe(false);
  });
});
