// What the whole path from a turn to its ideas promises: what is kept, what is left out, and that no text breaks it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Idea, INTENTS, type Turn } from '../../model/trace.ts';
import { ideasOf } from './ideas-of.ts';

function turnOf(text: string, role: Turn['role'] = 'assistant'): Turn {
  return { kind: 'turn', role, text, line: 7, time: 1_700_000_000_000, message: 'm1' };
}

function ideas(text: string, role: Turn['role'] = 'assistant'): Idea[] {
  return ideasOf(turnOf(text, role));
}

function texts(text: string, role: Turn['role'] = 'assistant'): string[] {
  return ideas(text, role).map((idea) => idea.text);
}

function intents(text: string, role: Turn['role'] = 'assistant'): string[] {
  return ideas(text, role).map(({ intent, stance }) => (stance === 'stated' ? intent : `${intent}/${stance}`));
}

describe('what an idea carries', () => {
  it('keeps the role, line and time of its turn and numbers its parts', () => {
    const found = ideas('We decided to use Redis for the sessions.\n\nWhy does the nightly job take so long?', 'user');
    expect(found.map(({ role, line, part, time }) => ({ role, line, part, time }))).toEqual([
      { role: 'user', line: 7, part: 0, time: 1_700_000_000_000 },
      { role: 'user', line: 7, part: 1, time: 1_700_000_000_000 },
    ]);
  });

  it('tells a guess, a dead end, a confirmed fact and a plain statement apart', () => {
    expect(intents('Maybe it is the connection pool.')).toEqual(['conclusion/hypothesis']);
    expect(intents('Restarting the broker did not help.')).toEqual(['conclusion/dead_end']);
    expect(intents('The root cause was a missing index on the join column.')).toEqual(['conclusion/confirmed']);
    expect(intents('The importer runs every night at two.')).toEqual(['context']);
  });

  it('is less sure where the wording is tentative', () => {
    const [firm] = ideas('We decided to move the queue to RabbitMQ, and that is final.', 'user');
    const [tentative] = ideas('I think we might go with RabbitMQ for the queue.', 'user');
    expect(firm?.intent).toBe('decision');
    expect(tentative?.intent).toBe('decision');
    expect(firm!.confidence).toBeGreaterThan(tentative!.confidence);
  });

  it('takes the name of a speaker along to every part of a chat message', () => {
    const [first, second] = texts(
      'Amira: The oven in the new flat is broken and the landlord does not answer.\n\nAmira and I have decided to move out in May.',
      'user',
    );
    expect(first).toMatch(/^Amira: The oven/);
    expect(second).toMatch(/^Amira: Amira and I have decided/);
  });
});

describe('what is left out', () => {
  it.each([
    ['Thanks, that is perfect!', 'user'],
    ['ok', 'user'],
    ['commit this', 'user'],
    ['Let me look at the current implementation first.', 'assistant'],
    ["I'll now read the remaining files.", 'assistant'],
    ['All 412 tests pass.', 'assistant'],
    ['[Request interrupted by user for tool use]', 'user'],
    ['<local-command-stdout>Compiled 14 files</local-command-stdout>', 'user'],
    ['', 'user'],
    ['   \n\n ', 'assistant'],
    ['---', 'assistant'],
  ] as const)('yields nothing for %j', (text, role) => {
    expect(ideas(text, role)).toEqual([]);
  });

  it('never remembers what Cairn put into the prompt', () => {
    const injected = '<memory-context source=".claude/memory/">\n- [DECISION] Use JWT -> a.json\n</memory-context>';
    expect(texts(`${injected}\nThe login page crashes on Safari.`, 'user')).toEqual([
      'The login page crashes on Safari.',
    ]);
    expect(ideas(injected, 'user')).toEqual([]);
  });

  it('keeps a prompt that only mentions such an element', () => {
    expect(texts('The <memory-context> block is cut off after 10,000 characters.', 'user')).toHaveLength(1);
  });

  it('leaves out what is private', () => {
    expect(
      texts('The build fails. <private>My password is hunter2, do not tell.</private>', 'user').join(),
    ).not.toContain('hunter2');
  });

  it('leaves code out of the statement before it, and keeps it only where there is nothing else', () => {
    const code = '```ts\nexport const answer = computeTheAnswer(question);\n```';
    expect(texts(`The parser drops the last line because of this check:\n\n${code}`)).toEqual([
      'The parser drops the last line because of this check:',
    ]);
    expect(texts(code)).toEqual(['export const answer = computeTheAnswer(question);']);
  });

  it('keeps narration that names something as context, where the turn has nothing else', () => {
    expect(intents('Now let me check how `resolveTenant` reads the subdomain.')).toEqual(['context']);
  });
});

describe('how a turn is cut', () => {
  it('puts a heading before what stands below it', () => {
    expect(texts('## Retry policy\n\nThe client gives up after three attempts.')).toEqual([
      'Retry policy: The client gives up after three attempts.',
    ]);
  });

  it('keeps a heading that has nothing below it', () => {
    expect(texts('# Move the billing service to Fly\n\n## Context\n\nThe old host is shut down in June.')).toEqual([
      'Move the billing service to Fly',
      'Context: The old host is shut down in June.',
    ]);
  });

  it('lets a heading say what bare items are', () => {
    expect(
      intents('## Next steps\n- Dark theme for the settings page\n- Release notes in French', 'assistant'),
    ).toEqual(['todo', 'todo']);
  });

  it('puts the sentence before a list before its items', () => {
    expect(
      texts('Two things are left to do:\n\n1. Cover the uploader with tests\n2. Rename the `core` package'),
    ).toEqual([
      'Two things are left to do: Cover the uploader with tests',
      'Two things are left to do: Rename the `core` package',
    ]);
  });

  it('reads an open box as a todo and a row of a table as context', () => {
    expect(intents('- [ ] Publish the package under the new scope')).toEqual(['todo']);
    expect(intents('| File | Problem |\n|---|---|\n| `a.ts` | crashes on start, always |')).toEqual(['context']);
  });

  it('keeps together what explains one thing and apart what are two', () => {
    expect(texts('The export is empty. It has been like that since the last release.')).toHaveLength(1);
    expect(intents('The export is empty since the last release. Should we roll it back?', 'user')).toEqual([
      'problem',
      'question',
    ]);
  });

  it('cuts nothing inside numbers, names of files, versions, addresses and abbreviations', () => {
    const text =
      'See e.g. src/app.config.ts of v2.1.3 at https://example.org/a.html?x=1. It takes 3.5 s vs. 9 s approx. per run.';
    expect(texts(text)).toEqual([text]);
  });

  it('joins fragments with their neighbour', () => {
    expect(texts('Not again.\n\nThe second query never returns.')).toEqual([
      'Not again. The second query never returns.',
    ]);
  });

  it('cuts what is very long at clauses', () => {
    const clause = 'the worker takes the next job from the queue and writes its result to the table, ';
    const found = texts(clause.repeat(30));
    expect(found.length).toBeGreaterThan(3);
    for (const text of found) expect(text.length).toBeLessThanOrEqual(600);
  });
});

describe('other languages', () => {
  it.each([
    ['Wir haben uns gegen Kafka entschieden.', 'decision'],
    ['Warum startet der Dienst nicht?', 'question'],
    ['Le déploiement échoue depuis hier soir.', 'problem'],
    ["J'ai corrigé le chemin dans la configuration.", 'solution'],
    ['Tenemos que revisar los permisos del servidor.', 'todo'],
    ['Resulta que el certificado estaba caducado.', 'conclusion/confirmed'],
    ['ビルドが失敗しました。', 'problem'],
    ['来週からこの形式を採用することにしました。', 'decision'],
    ['为什么这个测试总是超时?', 'question'],
    ['我们决定把数据库迁移到 PostgreSQL。', 'decision'],
  ])('reads %j as a %s', (text, intent) => {
    expect(intents(text, 'user')).toEqual([intent]);
  });

  it('does not take a word of one language for a word of another', () => {
    expect(intents('The die is cast from bronze.', 'user')).toEqual(['context']);
  });
});

/** Text as people and machines write it, and worse. */
const pieces = fc.constantFrom(
  'The cache is stale. ',
  'We decided to wait; ',
  'why does it fail? ',
  '`code` ',
  '`open ',
  '**bold**: ',
  '```\n',
  '```ts\nconst a = 1;\n```\n',
  '~~~~\n',
  '\n',
  '\n\n',
  '- item ',
  '1. first ',
  '> quoted ',
  '| a | b |\n',
  '|---|---|\n',
  '# Heading\n',
  '### Next steps\n',
  '<system-reminder>x</system-reminder>',
  '<memory-context>',
  '</memory-context>',
  'これは問題です。',
  '😀',
  '\ud800',
  '\u0000',
  "l'erreur ",
  '...',
  'e.g. ',
  'a.b/c:d ',
  'x'.repeat(700),
  '. ',
  ': ',
);
const anyText = fc.oneof(
  fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 400 }),
);
const anyRole = fc.constantFrom<Turn['role']>('user', 'assistant');

function plain(text: string): string {
  return text.replace(/\s+/g, ' ');
}

describe('any text', () => {
  it('never throws, and yields sound ideas', () => {
    fc.assert(
      fc.property(anyText, anyRole, (text, role) => {
        const found = ideas(text, role);
        found.forEach((idea, index) => {
          expect(idea.part).toBe(index);
          expect(INTENTS).toContain(idea.intent);
          expect(idea.confidence).toBeGreaterThan(0);
          expect(idea.confidence).toBeLessThanOrEqual(1);
          expect(idea.text.trim()).not.toBe('');
          expect(idea.text.length).toBeLessThanOrEqual(700);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('yields nothing that was not said: every idea is a part of its turn, behind what stands above it', () => {
    fc.assert(
      fc.property(anyText, anyRole, (text, role) => {
        const said = plain(text);
        for (const idea of ideas(text, role)) {
          const isPart = said.includes(idea.text);
          const behind = [...idea.text.matchAll(/: /g)].some(({ index }) => said.includes(idea.text.slice(index + 2)));
          expect(isPart || behind).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never cuts a character in two', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-composite', minLength: 500, maxLength: 3_000 }),
        anyRole,
        (text, role) => {
          for (const idea of ideas(text, role)) expect(/[\ud800-\udfff]/u.test(idea.text)).toBe(false);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('gives the same ideas whatever was judged before', () => {
    fc.assert(
      fc.property(anyText, anyText, anyRole, (text, other, role) => {
        const first = ideas(text, role);
        ideas(other, role);
        expect(ideas(text, role)).toEqual(first);
      }),
    );
  });

  it('finds something in every turn that has a sentence of some length', () => {
    fc.assert(
      fc.property(anyText, anyRole, (text, role) => {
        const safe = text.replaceAll('`', '').replaceAll('~', '').replaceAll('<', '');
        expect(ideas(`${safe}\n\nThe nightly import reads the orders of the day before.`, role)).not.toEqual([]);
      }),
    );
  });
});

describe('hostile text', () => {
  const million = 1_000_000;

  it.each([
    ['no blanks', 'x'.repeat(million)],
    ['no blanks, with dots', 'a.'.repeat(million / 2)],
    ['short lines', 'ab\n'.repeat(100_000)],
    ['short items', '- a\n'.repeat(100_000)],
    ['open fences', '```\n'.repeat(100_001)],
    ['fences that grow', Array.from({ length: 1_200 }, (_, i) => '`'.repeat(i + 3)).join('\n')],
    ['open backticks', '` a '.repeat(200_001)],
    ['backticks of odd length', '`` a ``` b '.repeat(90_000)],
    ['open elements', '<memory-context> '.repeat(60_000)],
    ['closed elements', '<memory-context></memory-context>'.repeat(30_000)],
    ['angles', '<'.repeat(million)],
    ['stars', '*'.repeat(million)],
    ['question marks', '?'.repeat(million)],
    ['headings', '# a\n'.repeat(200_000)],
    ['rows', '| a | b |\n'.repeat(100_000)],
    ['blanks', ' '.repeat(million)],
    ['bold lines', '**a bold line**\n'.repeat(60_000)],
    ['colons', 'a: '.repeat(300_000)],
    ['Chinese without an end', '问'.repeat(million)],
  ])('takes no longer than its length: %s', (_name, text) => {
    expect(Array.isArray(ideas(text))).toBe(true);
  });
});
