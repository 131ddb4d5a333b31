import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { answerTo, promptHash } from './answer.ts';

const user = (content: unknown, more: object = {}): string =>
  JSON.stringify({ type: 'user', message: { role: 'user', content }, ...more });
const assistant = (...content: unknown[]): string =>
  JSON.stringify({ type: 'assistant', message: { role: 'assistant', content } });
const text = (said: string) => ({ type: 'text', text: said });

const transcript = (...lines: string[]): string =>
  put(path.join(temporaryFolder(), 't.jsonl'), `${lines.join('\n')}\n`);

describe('the answer to a prompt', () => {
  it('is what was said and done until the next prompt', () => {
    const file = transcript(
      user('first'),
      assistant(text('to the first')),
      user(' second \n'),
      assistant(text('one'), { type: 'thinking', thinking: 'hm' }),
      assistant({ type: 'tool_use', name: 'Edit', input: { new_string: 'two' } }),
      user([{ type: 'tool_result', content: 'result' }]),
      user('a reminder', { isMeta: true }),
      assistant(text('of a subagent')).replace('{', '{"isSidechain":true,'),
      assistant(text('three')),
      user([text('third')]),
      assistant(text('to the third')),
      '{"half',
    );
    expect(answerTo(file, promptHash('second'))).toEqual({
      prompt: ' second \n',
      text: 'one\n{"new_string":"two"}\nthree',
    });
    expect(answerTo(file, promptHash('third'))?.text).toBe('to the third');
    expect(answerTo(file, promptHash('first'))?.text).toBe('to the first');
    expect(answerTo(file, promptHash('nobody asked'))).toBeUndefined();
  });

  it('is not there before something was said', () => {
    expect(answerTo(transcript(user('only a question')), promptHash('only a question'))).toBeUndefined();
    expect(answerTo(transcript(''), promptHash('x'))).toBeUndefined();
  });
});
