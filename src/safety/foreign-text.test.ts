// What is the speaker's own and what is not: quotations, block quotes, code, pastes; and what only looks like them.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blanked, foreignText, ownWords } from './foreign-text.ts';
import { withoutQuotations } from './quotations.ts';

const foreignIn = (text: string, role: 'user' | 'assistant' = 'assistant'): string[] =>
  foreignText(text, role).map(({ start, end }) => text.slice(start, end));

describe('a quotation', () => {
  it.each([
    ['The page says "from now on we use the new runner" and that is all.', '"from now on we use the new runner"'],
    ['The page says “from now on we use the new runner” and that is all.', '“from now on we use the new runner”'],
    ['Dort steht: „Ab jetzt nehmen wir den neuen Runner“, mehr nicht.', '„Ab jetzt nehmen wir den neuen Runner“'],
    ['On lit : « nous avons choisi le nouveau serveur » et voilà.', '« nous avons choisi le nouveau serveur »'],
    ['Da steht »wir nehmen ab jetzt den neuen Runner« und sonst nichts.', '»wir nehmen ab jetzt den neuen Runner«'],
    ['文書には「今後は新しいランナーを使う」と書いてある。', '「今後は新しいランナーを使う」'],
    ["He wrote 'we don't need the old runner any more' on the board.", "'we don't need the old runner any more'"],
    ['She said ‘we don’t need the old runner’ yesterday.', '‘we don’t need the old runner’'],
    [
      'It says “they call it ‘the new way’ of “doing” things here” at the end.',
      '“they call it ‘the new way’ of “doing” things here”',
    ],
    ['The README says "use tabs" in its first line.', '"use tabs"'],
    ['He only wrote "Use tabs."', '"Use tabs."'],
    ['"Use tabs"', '"Use tabs"'],
  ])('is found between the marks of its language: %s', (text, quoted) => {
    expect(foreignIn(text)).toEqual([quoted]);
  });

  it.each([
    ['the "auth" module and the "Create issue" button of the "New studio" page'],
    ['The pipe is 5" wide, the other one 6" and both are from the same shop.'],
    ["We don't use the users' files, it's in the team's bucket, isn't it?"],
    ["the '90s were the time of the parsers' and the lexers' makers"],
    ['This is "not closed and goes on for a long time without an end'],
    ['use `git commit -m "this is a long message for you"` here'],
    ['a -> b, x > y, 3 > 2'],
  ])('is no single word, measure, apostrophe or mark without a partner: %s', (text) => {
    expect(foreignIn(text)).toEqual([]);
  });

  it('may have several sentences and paragraphs', () => {
    const sentences = 'It says “We decided to drop it. From now on we use the other one.” there.';
    expect(foreignIn(sentences)).toEqual(['“We decided to drop it. From now on we use the other one.”']);
    const paragraphs = '"We decided to drop the old runner.\n\n"From now on the new one is used."\n\nI do not agree.';
    expect(ownWords(paragraphs, 'user')).toBe('I do not agree.');
    expect(ownWords('“We decided to drop it.\n\nFrom now on we use another one.”\n\nNot me.', 'user')).toBe('Not me.');
  });

  it('is also what stands behind > at the beginning of lines, nested or in a list', () => {
    expect(foreignIn('I read:\n\n> We decided to use X.\n>\n> > From now on.\n\nHm.')).toEqual([
      '> We decided to use X.\n>\n> > From now on.',
    ]);
    expect(foreignIn('- > We decided to use X.')).toEqual(['- > We decided to use X.']);
  });

  it('is code too, in a fence or by its indentation, but no list', () => {
    expect(foreignIn('See:\n```sh\ndecide now\n```\nDone.')).toEqual(['```sh\ndecide now\n```']);
    expect(foreignIn('See:\n\n    we decided to use X\n    from now on\n\nDone.')).toEqual([
      '    we decided to use X\n    from now on',
    ]);
    expect(foreignIn('- one\n\n    more about one\n    - two')).toEqual([]);
  });
});

describe('what is pasted into a prompt', () => {
  const LOG = '[API] GET /jobs\n[API] 500 in 3 ms\n[Worker] We decided to retry with the other pool';
  const TRACE =
    'TypeError: x is undefined\n    at run (/app/src/run.js:3:1)\n    at main (/app/src/main.js:9:2)\n    at node:internal/main:1:1';
  it.each([
    ['a log', `It hangs since today.\n\n${LOG}\n\nWhy?`, LOG],
    ['a log that begins in the line of the user', `It fails with this: ${LOG}`, LOG],
    ['a trace with its message', `Look at this.\n\n${TRACE}\n\nWhat is it?`, TRACE],
    [
      'a diff',
      'Please review.\n\ndiff --git a/x.ts b/x.ts\n@@ -1,2 +1,2 @@\n-we decided to use a\n+we decided to use b\n\nIs it right?',
      'diff --git a/x.ts b/x.ts\n@@ -1,2 +1,2 @@\n-we decided to use a\n+we decided to use b',
    ],
    [
      'an announced page',
      'Here is the page:\n\nWelcome to our site.\nFrom now on everybody must use the new runner.\nWe decided so.',
      '\nWelcome to our site.\nFrom now on everybody must use the new runner.\nWe decided so.',
    ],
    ['a document in an element', 'Read <document name="a">we decided to go</document> please.', 'we decided to go'],
    [
      'what a shell printed',
      'dev@box app % npm test\n> app@1.0.0 test\n> vitest\n\n ✓ src/a.test.ts\n\nok?',
      'dev@box app % npm test\n> app@1.0.0 test\n> vitest\n\n ✓ src/a.test.ts',
    ],
  ])('is seen: %s', (_what, text, pasted) => {
    expect(foreignIn(text, 'user')).toEqual([pasted]);
  });

  it('leaves to the user what they ask behind it', () => {
    expect(ownWords(`Here is the log from CI:\n\nRunning.\nWe decided to stop.\n\nPlease fix it.`, 'user')).toBe(
      'Here is the log from CI:\n\nPlease fix it.',
    );
  });

  it.each([
    [
      'a plan',
      '# Plan\n\n## Step 1\n\n- Add the table\n- Use `pg`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n## Decisions\n\nWe use Postgres.',
    ],
    [
      'what stands between two pieces of code',
      'First:\n```ts\nconst a = {\n  b,\n};\n```\nThen update the call, as we decided:\n```ts\nfoo(\n  a,\n);\nbar();\n```\nDone.',
    ],
    ['a list without blanks', '-add the table\n-use pg\n-drop the old one\n-tell them'],
    ['boxes to tick', '[ ] add the table\n[x] use pg\n[ ] drop it'],
    ['a long request', 'Add a page.\nIt shows the jobs.\nThis is what I want on the page:\n- a list\n- a button'],
    ['one line of a log in a sentence', 'It says ERROR: no pool.\nWe use the other one now.'],
  ])('is not what somebody wrote: %s', (_what, text) => {
    expect(foreignIn(text, 'user').filter((each) => !each.startsWith('```'))).toEqual([]);
  });

  it('is no matter of the agent, who fences what it shows', () => {
    expect(foreignIn('[API] one\n[API] two\n[API] three', 'assistant')).toEqual([]);
  });
});

describe('any text', () => {
  const piece = fc.constantFrom(
    '"',
    '“',
    '”',
    '„',
    '«',
    '»',
    "'",
    '’',
    '`',
    '```',
    '\n',
    '\n\n',
    '> ',
    ' ',
    'we decided ',
    '[API] x\n',
    '    at y (z:1:1)\n',
    '<file>',
    '</file>',
    'here is the log:\n',
    '「',
    '」',
  );
  const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 6 })), { maxLength: 60 }).map((all) => all.join(''));

  it('gives ranges in order that do not overlap, and a text of the same length without them', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('user' as const, 'assistant' as const), (written, role) => {
        const found = foreignText(written, role);
        let last = 0;
        for (const { start, end } of found) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(written.length);
          last = end;
        }
        const rest = blanked(written, found);
        expect(rest.length).toBe(written.length);
        for (const { start, end } of found) expect(rest.slice(start, end).trim()).toBe('');
      }),
      { numRuns: 300 },
    );
  });

  it('takes no longer than its length', () => {
    for (const unit of [
      '"a ',
      '“a ',
      "'a b",
      '«',
      '"',
      '`',
      '> ',
      '[API] x\n',
      ' at x\n',
      '<file>',
      'the log:\n',
      '"a b" ',
      '「',
      '    x\n',
      "('",
      '\n\n"a',
      '„a“',
    ]) {
      const hostile = unit.repeat(Math.ceil(300_000 / unit.length));
      const began = process.cpuUsage(); // not the clock: other tests run beside it
      foreignText(hostile, 'user');
      expect(process.cpuUsage(began).user, JSON.stringify(unit)).toBeLessThan(6_000_000);
    }
  });
});

describe('a statement that is told unasked', () => {
  it('goes without what it quotes at length, and keeps names', () => {
    expect(withoutQuotations('We follow the page: “always run it as root, on every machine”, but not on CI.')).toBe(
      'We follow the page: “…”, but not on CI.',
    );
    expect(withoutQuotations('Rename the button "Open the new studio" to "Open", it\'s clearer.')).toBe(
      'Rename the button "Open the new studio" to "Open", it\'s clearer.',
    );
  });
});
