import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactLine } from './redact-line.ts';
import { redact } from './secrets/redact.ts';

// Put together at run time, so that no scanner takes this file for a leak.
const TOKEN = `ghp_${'a1B2c3D4'.repeat(5)}`;
const PASSWORD = ['Kx9v', 'Qm2T', 'r7Lp'].join('');

describe('a redacted line', () => {
  it('comes back as it is when there is nothing to hide', () => {
    for (const line of [
      '',
      ' ',
      'plain text',
      '{"a" : [1, 2.50, "x"]}',
      '"text"',
      'null',
      '{"a":1,"b":{"key":"value"}}',
    ])
      expect(redactLine(line)).toBe(line);
  });

  it('has no secret in any string, however deep, and stays JSON', () => {
    const line = JSON.stringify({
      type: 'user',
      message: {
        content: [{ type: 'text', text: `use ${TOKEN}\nplease` }, { input: { env: { DB_PASSWORD: PASSWORD } } }],
      },
    });
    const clean = redactLine(line);
    expect(clean).not.toContain(TOKEN);
    expect(clean).not.toContain(PASSWORD);
    expect(JSON.parse(clean)).toMatchObject({ type: 'user', message: { content: [{ type: 'text' }, {}] } });
  });

  it('hides the value of a flag in a list of arguments', () => {
    const clean = redactLine(JSON.stringify({ command: ['login', '--password', PASSWORD, '--user', 'anna'] }));
    expect(JSON.parse(clean)).toEqual({
      command: ['login', '--password', '[redacted:assigned-secret:…r7Lp]', '--user', 'anna'],
    });
  });

  it('has nothing that was marked as private', () => {
    const said = { text: 'before <private>my salary</private> after', list: ['<PRIVATE>x', 'y'], n: 1 };
    expect(JSON.parse(redactLine(JSON.stringify(said)))).toEqual({ text: 'before  after', list: ['', ''], n: 1 });
    expect(redactLine('{"a":"x \\u003cprivate\\u003esalary"}')).toBe('{"a":"x "}');
    expect(redactLine('cut off <private>salary')).toBe('cut off ');
  });

  it('that is no JSON is redacted as text', () => {
    expect(redactLine(`{"text":"half a line with ${TOKEN}`)).toBe(redact(`{"text":"half a line with ${TOKEN}`).text);
  });

  it('that is nested beyond reason is not kept', () => {
    expect(redactLine(`${'['.repeat(2_000)}"${TOKEN}"${']'.repeat(2_000)}`)).toBe('');
    expect(redactLine(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)).toBe('');
  });

  it('redacts the same as the text would be, and twice changes nothing', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(TOKEN, `password = "${PASSWORD}"`, `a ${TOKEN} b`, 'private <private>'),
    );
    fc.assert(
      fc.property(fc.jsonValue(), text, (value, said) => {
        const clean = redactLine(JSON.stringify({ value, said }));
        expect(clean).not.toContain(TOKEN);
        expect(redactLine(clean)).toBe(clean);
        JSON.parse(clean);
        // Whoever has parsed the line gets the same.
        const line = JSON.stringify({ value, said });
        expect(redactLine(line, JSON.parse(line) as object)).toBe(clean);
      }),
    );
  });
});
