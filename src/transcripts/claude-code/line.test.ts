import { describe, expect, it } from 'vitest';
import { claudeCodeFormat } from './line.ts';

type Line = { [key: string]: unknown };

const { isWorthParsing } = claudeCodeFormat;

/** Lines as the client writes them. */
const envelope = { uuid: 'u', sessionId: 's', isSidechain: false };
const user = (content: unknown): Line => ({ ...envelope, type: 'user', message: { role: 'user', content } });
const answer = (id: string, content: unknown): Line => ({
  ...envelope,
  type: 'assistant',
  message: { id, role: 'assistant', content },
});
const text = (words: string) => ({ type: 'text', text: words });
const result = (words: string) => ({ type: 'tool_result', tool_use_id: 't', content: words });

describe('isWorthParsing', () => {
  const head = (line: Line) => JSON.stringify(line).slice(0, 2_048);
  const long = 'x'.repeat(10_000);

  it('passes over tool results and the notes of the client', () => {
    expect(isWorthParsing(head(user([result(long)])))).toBe(false);
    expect(isWorthParsing(head(user([{ type: 'tool_result', content: long }])))).toBe(false);
    expect(isWorthParsing(head({ type: 'api-request', sessionId: 's', params: long }))).toBe(false);
    expect(isWorthParsing(head({ ...envelope, type: 'progress', data: { type: 'user', text: long } }))).toBe(false);
  });

  it('looks at everything that may hold speech', () => {
    for (const line of [
      user(long),
      user([text(long)]),
      answer('m', [text(long)]),
      { ...envelope, message: { type: 'message', content: [text(long)] }, type: 'assistant' },
      { message: { content: [text(long)] }, type: 'user', ...envelope },
      { type: 'human', content: long },
      { content: long, type: 'human' },
      { type: 'tool_use', name: 'Write', input: long },
      { type: 'progress', data: long },
    ])
      expect(isWorthParsing(head(line)), head(line).slice(0, 80)).toBe(true);
  });
});
