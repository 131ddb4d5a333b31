// What is open at the end: each thing once, and nothing that was settled under another wording.
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleIdea } from '../../test/fixtures/sample-idea.ts';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Document, Store } from '../store/store.ts';
import { openIn } from './open-items.ts';

const NOW = new Date('2026-04-02T10:00:00Z');
const FILE = 'Find alternatives to the resolver of names (todos/pending/2026-03-01-resolver.md)';
let store: Store;
let at = 0;

const todo = (text: string, more: Partial<Document> = {}): Document => {
  at += 1;
  const meta = { role: 'assistant', speaker: 'assistant', provenance: 'said', worth: 0.6 };
  return sampleIdea('/p', `idea:${at}`, text, {
    ...{ kind: 'todo', status: 'open', createdAt: NOW.getTime() - 1e7 + at, meta },
    ...more,
  });
};
async function listed(...documents: Document[]): Promise<string[]> {
  await store.apply(documents.map((document) => ({ op: 'put', document })));
  return (await openIn(store, ['/p'], { now: NOW })).map(({ text }) => text);
}

beforeEach(async () => {
  store = await openSqliteStore(path.join(temporaryFolder(), 'memory.db'));
});
afterEach(() => store.close());

describe('the list of what is open', () => {
  it('names a thing once, as it was said last, whether told, listed or written into a file', async () => {
    const told = 'Two todos added: **Alternatives to the resolver of names**, find some that are hosted here';
    expect(await listed(todo(FILE), todo(told), todo('Add a rate limit to the uploads'))).toEqual([
      'Add a rate limit to the uploads',
      told,
    ]);
  });

  it('keeps things apart that share some words', async () => {
    const both = ['Add a rate limit to the uploads of guests', 'Add a size limit to the downloads of guests'];
    expect(await listed(...both.map((text) => todo(text)))).toEqual(both.toReversed());
  });

  it('drops with what was settled what was said of it before, and not what was said of it again', async () => {
    const [old, done, again] = [todo('Pending: find alternatives to the resolver of names'), todo(FILE), todo(FILE)];
    const answer = todo('Done: resolver', { kind: 'solution', status: 'active' });
    await listed(old, done, answer);
    const settles = { project: '/p', from: answer.ref, to: done.ref, relation: 'answers', confidence: 1 } as const;
    await store.apply([{ op: 'link', links: [settles] }]);
    expect(await listed()).toEqual([]);
    expect(await listed(again)).toEqual([FILE]);
  });
});
