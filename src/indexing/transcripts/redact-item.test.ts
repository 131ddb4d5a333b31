// Nothing that a conversation says keeps a secret or a private passage, in whichever field of whichever event it stands.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyConversation, commit, event, user } from '../../../test/fixtures/conversation.ts';
import type { TraceItem } from '../../model/trace.ts';
import { redactItem } from './redact-item.ts';

const mask = (text: string): string => text.replaceAll('hunter2', '[…]');
const SAID = 'the word is hunter2 <private>and the dog is called Rex</private>';

/** Every text of it, also in lists; the names of fields and kinds are none. */
const withWords = (item: TraceItem, words: string): TraceItem =>
  Object.fromEntries(
    Object.entries(item).map(([key, value]) => [
      key,
      KEPT.has(key) ? value : typeof value === 'string' ? words : Array.isArray(value) ? value.map(() => words) : value,
    ]),
  ) as unknown as TraceItem;
const KEPT = new Set(['kind', 'event', 'role', 'speaker', 'by', 'state', 'hash', 'message']);

describe('an item that is redacted', () => {
  it('keeps nothing secret in any text of any kind', () => {
    fc.assert(
      fc.property(anyConversation(), (items) => {
        for (const item of items)
          expect(JSON.stringify(redactItem(withWords(item, SAID), mask))).not.toContain('hunter2');
      }),
    );
  });

  it('loses its private passages, also in what git and the client were told', () => {
    for (const item of [
      user(SAID),
      commit(1, SAID, SAID),
      event('pull-request', 1, { title: SAID, body: SAID, url: SAID }),
      event('compaction', 1, { summary: SAID }),
      event('plan-verdict', 1, { accepted: false, words: SAID }),
      event('title', 1, { text: SAID, by: 'user' }),
      event('revert', 1, { what: SAID }),
    ])
      expect(JSON.stringify(redactItem(item, mask))).not.toMatch(/hunter2|Rex/);
  });

  it('is the same where there is nothing to take out, and gets no field that it had not', () => {
    for (const item of [user('Add login'), commit(1, 'Add login'), event('compaction', 1, {})])
      expect(redactItem(item, mask)).toBe(item);
  });
});
