// The false-positive rate over ordinary code, configuration, logs and prose is zero, line by line and as a whole.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { redact, redactDeep } from './redact.ts';

const corpus = readFileSync(new URL('./fixtures/ordinary.txt', import.meta.url), 'utf8');

describe('ordinary text', () => {
  it('is left as it is, as a whole', () => {
    const { text, found } = redact(corpus);
    const changed = text.split('\n').filter((line) => line.includes('[redacted:'));
    expect({ found, changed }).toEqual({ found: [], changed: [] });
    expect(text).toBe(corpus);
  });

  it('is left as it is, line by line and inside a JSON string', () => {
    for (const line of corpus.split('\n')) {
      expect(redact(line).text).toBe(line);
      const quoted = JSON.stringify({ text: line, next: corpus.slice(0, 200) });
      expect(redact(quoted).text).toBe(quoted);
    }
  });

  it('is left as it is as fields of an object', () => {
    const value = { content: corpus, lines: corpus.split('\n') };
    expect(redactDeep(value)).toEqual({ value, found: [] });
  });

  it('is long and varied enough to mean something', () => {
    expect(corpus.split('\n').length).toBeGreaterThanOrEqual(300);
    for (const word of ['password', 'token', 'secret', 'api_key', 'Authorization', 'sha512-', '://', 'BEGIN']) {
      expect(corpus).toContain(word);
    }
  });
});
