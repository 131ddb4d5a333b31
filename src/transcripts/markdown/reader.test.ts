import { describe, expect, it } from 'vitest';
import type { TraceHead } from '../../model/trace.ts';
import { readerFor } from '../readers.ts';
import { markdown } from './reader.ts';

function read(text: string): { said: [string, string, number][]; heads: TraceHead[] } {
  let state = markdown.start('/exports/talk about caches.md');
  const said: [string, string, number][] = [];
  const heads: TraceHead[] = [];
  for (const [index, each] of text.split('\n').entries()) {
    const result = markdown.read(state, { number: index + 1, text: each });
    state = JSON.parse(JSON.stringify(result.state));
    if (result.head) heads.push(result.head);
    for (const item of result.items) if (item.kind === 'turn') said.push([item.role, item.text, item.line]);
  }
  return { said, heads };
}
function happened(text: string): [string, number][] {
  let state = markdown.start('/exports/talk.md');
  return text.split('\n').flatMap((each, index) => {
    const result = markdown.read(state, { number: index + 1, text: each });
    state = JSON.parse(JSON.stringify(result.state));
    return result.items.flatMap((item): [string, number][] => (item.kind === 'event' ? [[item.event, item.line]] : []));
  });
}
const turns = (text: string): [string, string][] => read(text).said.map(([role, words]) => [role, words]);

describe('a plain export', () => {
  it('is any Markdown or text file that nobody else knows', () => {
    for (const file of ['/a/x.md', '/a/x.txt', '/a/X.MARKDOWN']) expect(readerFor(file, [])).toBe(markdown);
    expect(readerFor('/a/x.json', [])).toBeUndefined();
  });

  it('is no file that is no text, whatever its name', () => {
    for (const first of ['\x7fELF\x02\x01\x01\0\0', 'U\0s\0e\0r\0:\0'])
      expect(readerFor('/a/x.md', [first])).toBeUndefined();
  });

  it('tells its head once, with the name of the file', () => {
    expect(read('\n\nUser: hi\nAssistant: ho').heads).toEqual([
      { session: 'talk about caches', cwd: undefined, branch: undefined },
    ]);
  });

  it('tells every line with its speaker and its number', () => {
    expect(read('User: Why is it slow?\n\nIn tests only.\n\nAssistant:\nThe cache is cold.\n').said).toEqual([
      ['user', 'Why is it slow?', 1],
      ['user', 'In tests only.', 3],
      ['assistant', 'The cache is cold.', 6],
    ]);
  });

  it.each([
    ['## User', '## Assistant'],
    ['**User:**', '**Claude:**'],
    ['**User**:', '**Assistant**:'],
    ['### Human (10:32)', '### Claude Code (10:33)'],
    ['_**User (2026-01-02 10:00Z)**_', '_**Agent (model x, mode Agent)**_'],
    ['#### You said:', '#### ChatGPT said:'],
    ['### 👤 User', '### 🤖 Assistant'],
    ['> **me**', '> **GPT-4.1**'],
    ['[User]:', '[AI]:'],
  ])('knows the speakers %s and %s', (user, assistant) => {
    expect(turns(`${user}\nWhy?\n${assistant}\nBecause.`)).toEqual([
      ['user', 'Why?'],
      ['assistant', 'Because.'],
    ]);
  });

  it('takes words that begin like a speaker for what they are', () => {
    expect(turns('User: hi\nUsers are angry\nModel the data first\nyou should see it\nPrompt engineering')).toEqual([
      ['user', 'hi'],
      ['user', 'Users are angry'],
      ['user', 'Model the data first'],
      ['user', 'you should see it'],
      ['user', 'Prompt engineering'],
    ]);
  });

  it('leaves out code, rules and comments', () => {
    expect(turns('Assistant: Do this\n```ts\nUser: no\n```\n---\n<!-- note -->\n~~~~\n```\n~~~\n~~~~\nDone')).toEqual([
      ['assistant', 'Do this'],
      ['assistant', 'Done'],
    ]);
  });

  it('is the assistant where nobody is named', () => {
    expect(turns('The cache is cold.\r\n')).toEqual([['assistant', 'The cache is cold.']]);
  });

  it('is read as a copy of the terminal, too', () => {
    const text = [
      ' ▐▛███▜▌   Claude Code v2.0.14',
      '▝▜█████▛▘  Opus · Max',
      '',
      '> Why is it slow?',
      '  In tests only.',
      '',
      '✻ Thinking…',
      '● Let me look.',
      '',
      '● Bash(npm test)',
      '  ⎿  3 passed',
      '     2 failed',
      '',
      '● The cache is cold.',
      '  It always is.',
      '> /clear',
      '❯ Thanks',
    ];
    expect(turns(text.join('\n'))).toEqual([
      ['user', 'Why is it slow?'],
      ['user', 'In tests only.'],
      ['assistant', 'Let me look.'],
      ['assistant', 'The cache is cold.'],
      ['assistant', 'It always is.'],
      ['user', 'Thanks'],
    ]);
  });

  it('keeps quotes as what they are outside of a terminal', () => {
    expect(turns('User: read this\n> a quote')).toEqual([
      ['user', 'read this'],
      ['user', '> a quote'],
    ]);
  });
});

describe('what an export hides over several lines', () => {
  const heard = (...lines: string[]): string[] =>
    read(lines.join('\n')).said.map(([role, text, line]) => `${role} ${line}: ${text}`);
  const openLines = (...lines: string[]): (string | undefined)[] => {
    let state = markdown.start('/exports/talk.md');
    return lines.map((text, index) => {
      const { state: next, items, open } = markdown.read(state, { number: index + 1, text });
      state = JSON.parse(JSON.stringify(next));
      const said = items.map((item) => (item.kind === 'turn' ? item.text : '')).join('');
      expect(open ?? text).toContain(said); // the archive keeps `open`: nothing is said that is not in it, nor the other way round
      return open;
    });
  };

  it('is neither said nor kept: private passages, nested ones and those that begin or end in the middle of a line', () => {
    expect(
      heard(
        '## User',
        'One <private>two',
        'three <private>',
        'four</private> five',
        'User: six',
        '</private> seven',
        'eight',
      ),
    ).toEqual(['user 2: One', 'user 6: seven', 'user 7: eight']);
    expect(openLines('One <private>two', 'User: six', 'three </private> seven', 'eight')).toEqual([
      'One ',
      '',
      ' seven',
      undefined,
    ]);
  });

  it('ends where somebody else plainly speaks, if nobody closes it; code opens none', () => {
    expect(
      heard('## User', 'Use the <private> tag', 'hidden', '**Claude:** Done.', '```', '<private>', '```', 'More.'),
    ).toEqual(['user 2: Use the', 'assistant 4: Done.', 'assistant 8: More.']);
  });

  it('is a key, also one that was cut off', () => {
    const body = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW';
    const begin = '-----BEGIN OPENSSH PRIVATE KEY-----';
    expect(
      heard(
        `Mine: ${begin}`,
        body,
        'QyNT==',
        '-----END OPENSSH PRIVATE KEY-----',
        'Keep it.',
        begin,
        body,
        'And so on.',
      ),
    ).toEqual([
      'assistant 1: Mine: [redacted:private-key:…]',
      'assistant 5: Keep it.',
      'assistant 6: [redacted:private-key:…]',
      'assistant 8: And so on.',
    ]);
    expect(openLines(begin, body, 'Keep it.')).toEqual(['[redacted:private-key:…]', '', undefined]);
    expect(heard('Private-Lines: 2', body, body, 'Private-MAC: 12')).toEqual([
      'assistant 1: Private-Lines: 2',
      'assistant 4: Private-MAC: 12',
    ]);
    expect(heard(`The line ${begin} is only its frame`, 'Words')).toHaveLength(2);
  });
});

describe('a copy of the terminal', () => {
  it('tells that work went on after words, that the user stopped it, and compactions', () => {
    const lines = [
      'Claude Code v2.1.45',
      '❯ Fix it',
      '⏺ Bash(ls)',
      '  ⎿ out',
      '⏺ I see it.',
      '⏺ Edit(a.ts)',
      '⏺ Bash(npm test)',
      '  ⎿  Interrupted · What should Claude do instead?',
      '⏺ Done.',
      '❯ Thanks',
      '⏺ Bash(ls)',
      '✻ Conversation compacted (ctrl+o for history)',
      '[Request interrupted by user]',
    ];
    expect(happened(lines.join('\n'))).toEqual([
      ['work', 6],
      ['interrupted', 8],
      ['compaction', 12],
      ['interrupted', 13],
    ]);
    expect(turns(lines.join('\n')).map(([, words]) => words)).toEqual(['Fix it', 'I see it.', 'Done.', 'Thanks']);
  });
});
