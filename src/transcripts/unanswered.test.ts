import path from 'node:path';
import { expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { isUnanswered } from './unanswered.ts';

const prompt = `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'Where is the ledger?' } })}\n`;
const answer = `${JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: 'In Postgres.' } })}\n`;

it('knows a conversation without an answer', () => {
  const folder = temporaryFolder();
  const file = (name: string, text: string): string => put(path.join(folder, name), text);
  expect(isUnanswered(path.join(folder, 'none.jsonl'))).toBe(true);
  expect(isUnanswered(file('empty.jsonl', ''))).toBe(true);
  expect(isUnanswered(file('asked.jsonl', prompt))).toBe(true);
  expect(isUnanswered(file('answered.jsonl', prompt + answer))).toBe(false);
  // Of a long one only the head is read; it is no first prompt.
  expect(isUnanswered(file('long.jsonl', prompt.repeat(2_000)))).toBe(false);
});

it('knows nothing where there is no file to read', () => {
  expect(isUnanswered(undefined)).toBe(false);
  expect(isUnanswered('')).toBe(false);
  expect(isUnanswered(temporaryFolder())).toBe(false);
  expect(isUnanswered('a\0b')).toBe(false);
});
