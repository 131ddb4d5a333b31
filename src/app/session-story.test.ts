import { describe, expect, it } from 'vitest';
import { sampleIdea } from '../../test/fixtures/sample-idea.ts';
import { BETWEEN_SAID } from '../model/topic-outcome.ts';
import type { Document } from '../store/store.ts';
import { isDoneBy, storyOf } from './session-story.ts';

const row = (ref: string, more: Partial<Document>): Document => sampleIdea('/p', ref, more.text ?? '', more);
const topic = (title: string, meta: object): Document =>
  row(`span:${title}`, { kind: 'span', title, meta: { level: 'topic', exchanges: 1, ...meta } });
const exchange = (number: number, meta: object): Document =>
  row(`span:${number}`, { kind: 'span', span: 'span:t', meta: { level: 'exchange', number, asked: 'uuum?', ...meta } });
const idea = (text: string, kind: string, meta: object, more: Partial<Document> = {}): Document =>
  row(`idea:${text}`, { kind, text, confidence: 0.8, meta: { role: 'user', worth: 0.8, ...meta }, ...more });

describe('the story of a conversation', () => {
  it('is told by its name and by the last that came out, not by a prompt, a stop or a commit', () => {
    const story = storyOf([
      topic('Rate limits', { commits: ['a'], outcome: 'x' }),
      topic('A side matter', {}),
      exchange(1, { outcome: 'Committed: a', commits: ['a'] }),
      exchange(0, { outcome: ['Changes: **Uploads** are limited', 'Changes: `limit.ts` is new'].join(BETWEEN_SAID) }),
      exchange(2, { outcome: 'Stopped by the user' }),
    ]);
    expect(story).toMatchObject({
      title: 'Rate limits',
      summary: ['Rate limits', 'Changes: Uploads are limited; `limit.ts` is new'],
      commits: ['a'],
    });
  });

  it.each([
    ['The user’s own title', { session_title: 'My title' }, 'My title'],
    ['A sentence of somebody', { commits: ['feat(x): limit uploads', 'docs: say so'] }, 'A sentence of somebody'],
    ['There are some comments on that pr', { commits: ['feat(x): limit uploads', 'docs: say so'] }, 'Limit uploads'],
    ['I wanted to talk about the limits of…', { commits: ['docs: the limits'] }, 'The limits'],
    ['I wanted to talk about the limits of…', {}, 'I wanted to talk about the limits of…'],
  ])('has a title: %s', (name, meta, title) => {
    expect(storyOf([topic(name, meta)])?.title).toBe(title);
  });

  it('leaves a sentence of somebody out where something came of it', () => {
    const rows = [topic('I wanted to talk about it…', {}), exchange(0, { outcome: 'It is limited.' })];
    expect(storyOf(rows)?.summary).toEqual(['It is limited.']);
  });

  it('has the decisions that are worth it, each once, and the wishes among them', () => {
    const { decided, preferences } = storyOf([
      topic('T', {}),
      idea('Never push to main', 'decision', {}),
      idea('ten files at most', 'decision', {}),
      idea('How many files? — ten files at most', 'decision', {}),
      idea('yeah, fine', 'decision', { worth: 0.1 }),
      idea('Want me to go on? — yes', 'decision', {}),
      idea('Said in a page', 'decision', { provenance: 'outside' }),
      idea('Only narrated', 'decision', { search_only: true }),
      idea('Always lint first', 'decision', { role: 'assistant' }),
      idea('Key decisions made: amounts are kept in cents', 'decision', { role: 'assistant' }),
      idea('lets handle this in another ticket', 'decision', {}),
      idea('This one comes before the others. What would you like to do? — Work on it now', 'decision', {}),
    ]) ?? { decided: [], preferences: [] };
    expect(decided).toEqual([
      'Never push to main',
      'How many files? — ten files at most',
      'Always lint first',
      'amounts are kept in cents',
    ]);
    expect(preferences).toEqual(['Never push to main']);
  });

  it('leaves what is open and was not committed after all', () => {
    const open = { status: 'open' };
    const story = storyOf([
      topic('T', {}),
      exchange(0, { commits: ['feat(ops): rotate log files every night'] }),
      idea('Pending Todos: | 3 | Rotate the log files every night | ops |', 'todo', {}, open),
      idea('Pending Todos: | 4 | Add a rate limit to the admin endpoints | api |', 'todo', {}, open),
      idea('Is anybody there?', 'question', { worth: 0.1 }, open),
      idea('Done long ago', 'todo', {}, { status: 'done' }),
    ]);
    expect(story?.left).toEqual(['Add a rate limit to the admin endpoints, api']);
  });

  it('is none where nobody said anything', () => {
    expect(storyOf([])).toBeUndefined();
  });
});

describe('what was done', () => {
  it.each([
    ['Add a test-login endpoint for E2E automation', 'feat(api): add test-login endpoint for E2E automation', true],
    ['Add a rate limit to the admin endpoints', 'feat: add a rate limit to uploads', false],
    ['Fix it', 'fix: it', false],
  ])('%s, by %s: %s', (task, commit, is) => {
    expect(isDoneBy(task, commit)).toBe(is);
  });
});
