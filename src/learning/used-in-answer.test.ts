import { describe, expect, it } from 'vitest';
import { isUsedInAnswer } from './used-in-answer.ts';

const words = (text: string): string[] => text.toLowerCase().match(/[a-z0-9_.]+/g) ?? [];
const COMMON: { readonly [word: string]: number } = {
  the: 900,
  we: 700,
  use: 200,
  for: 800,
  and: 900,
  is: 800,
  to: 900,
};

function judge(
  answer: string,
  { memory = MEMORY, prompt = PROMPT }: { memory?: string; prompt?: string } = {},
): boolean {
  return isUsedInAnswer({
    ref: 'record:decisions/refresh-tokens',
    memory: words(memory),
    prompt: new Set(words(prompt)),
    answer: new Set(words(answer)),
    answerText: answer,
    documentsWith: (word) => COMMON[word] ?? 4,
    documents: 1_000,
  });
}

const MEMORY = 'We decided to rotate refresh tokens in redis with a sliding window of fourteen days';
const PROMPT = 'How long does the login of the shop last?';

describe('an answer builds on a memory', () => {
  it('when it repeats what only the memory could have told', () => {
    expect(judge('The login lasts fourteen days: refresh tokens rotate in redis, by a sliding window.')).toBe(true);
  });

  it('when it names it', () => {
    expect(judge('See record:decisions/refresh-tokens.')).toBe(true);
  });

  it('not when it is about something else', () => {
    expect(judge('The login page is rendered on the server, and the session ends with the browser.')).toBe(false);
    expect(judge('')).toBe(false);
  });

  it('not when it only repeats the prompt', () => {
    expect(judge('The login of the shop lasts long.', { memory: 'The login of the shop lasts long.' })).toBe(false);
  });

  it('not when what they share is in every other document', () => {
    expect(judge('We use the and for to is', { memory: 'the and for to is we use' })).toBe(false);
  });

  it('not when a text of its length would have as much by chance', () => {
    const memory = Array.from({ length: 10 }, (_, at) => `common${at}`);
    const answer = [...memory, ...Array.from({ length: 3_000 }, (_, at) => `w${at}`)];
    const common = {
      ref: 'idea:1',
      memory,
      prompt: new Set<string>(),
      answerText: '',
      documentsWith: () => 30,
      documents: 1_000,
    };
    expect(isUsedInAnswer({ ...common, answer: new Set(answer) })).toBe(false);
    expect(isUsedInAnswer({ ...common, answer: new Set(memory) })).toBe(true);
  });
});
