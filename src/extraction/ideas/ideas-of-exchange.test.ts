// What the whole path from the turns of an exchange to its ideas promises: what is kept, what is left out, and that no text breaks it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyConversation, assistant, event, exchangeOf, user } from '../../../test/fixtures/conversation.ts';
import { INTENTS, type TraceItem, type Turn } from '../../model/trace.ts';
import { firstExchange } from '../exchanges/exchange.ts';
import { goAheads } from '../exchanges/go-ahead.ts';
import type { ExchangeIdea } from './exchange-idea.ts';
import { ideasOfExchange } from './ideas-of-exchange.ts';

function allIdeas(text: string, role: Turn['role'] = 'assistant'): ExchangeIdea[] {
  const turn: Turn = { kind: 'turn', role, text, line: 7, time: 1_700_000_000_000, message: 'm1' };
  return ideasOfExchange(firstExchange(turn), undefined);
}

/** Without the headings of the turn, which are told with what stands below them. */
const ideas = (text: string, role?: Turn['role']): ExchangeIdea[] =>
  allIdeas(text, role).filter(({ isRetold }) => !isRetold);

function texts(text: string, role: Turn['role'] = 'assistant'): string[] {
  return ideas(text, role).map((idea) => idea.text);
}

const ideasIn = (...items: [TraceItem, ...TraceItem[]]): ExchangeIdea[] =>
  ideasOfExchange(exchangeOf(items), undefined);

describe('the question that an answer ends on', () => {
  it('is kept, however little it says: the next prompt replies to it', () => {
    const answer =
      'The nightly job reads the whole table because the index on the join column is missing.\n\nWant me to?';
    expect(texts(answer)).toContainEqual(expect.stringContaining('Want me to?'));
    expect(texts(answer.replace('Want me to?', 'Let me see.'))).not.toContainEqual(
      expect.stringContaining('Let me see'),
    );
  });
});

describe('what stands below a heading that says that it is left', () => {
  it('is a task of its own each, however little it says', () => {
    const found = ideas(
      'The plan is written.\n\n## Noted for later\n\n- Names of recipients\n- Lookup of keys\n\nReady.',
    );
    expect(found.filter(({ fate }) => fate === 'left').map(({ text, intent }) => [intent, text])).toEqual([
      ['todo', 'Noted for later: Names of recipients'],
      ['todo', 'Noted for later: Lookup of keys'],
    ]);
    expect(ideas('## Settings\n\n- Names of recipients\n- Lookup of keys').some(({ fate }) => fate)).toBe(false);
  });
});

describe('what an idea carries', () => {
  it('keeps the role, line and time of its turn and numbers its parts', () => {
    const found = ideas('We decided to use Redis for the sessions.\n\nWhy does the nightly job take so long?', 'user');
    expect(
      found.map(({ role, speaker, line, part, time, place }) => ({ role, speaker, line, part, time, place })),
    ).toEqual(
      [0, 1].map((part) => ({
        role: 'user',
        speaker: 'user',
        line: 7,
        part,
        time: 1_700_000_000_000,
        place: 'prompt',
      })),
    );
  });

  it('numbers what several items say in one line', () => {
    const found = ideasIn(
      assistant('The root cause was a missing index on the join column.', 3),
      event('commit', 3, { subject: 'Add the index' }),
      event('answer', 3, { question: 'Which port?', answer: '8080' }),
      event('commit', 4, { subject: 'Add another' }),
    );
    expect(found.map(({ line, part }) => `${line} ${part}`)).toEqual(['3 0', '3 1', '3 2', '3 3', '4 0']);
    expect(found.map(({ answers }) => answers)).toEqual([undefined, undefined, undefined, 2, undefined]);
  });

  it('goes on counting where a part of its first line belongs to the exchange before', () => {
    const exchange = { ...exchangeOf([user('Why does the nightly job take so long?', 3)]), taken: 2 };
    expect(ideasOfExchange(exchange, undefined).map(({ part }) => part)).toEqual([2]);
  });

  it('tells a confirmed fact, a guess and a plain statement apart', () => {
    const stanceOf = (text: string) => ideas(text).map(({ intent, stance }) => `${intent}/${stance}`);
    expect(stanceOf('The root cause was a missing index on the join column.')).toEqual(['conclusion/confirmed']);
    expect(stanceOf('The bug is probably that `flush` reads the buffer before the lock is taken.')).toEqual([
      'conclusion/hypothesis',
    ]);
    expect(stanceOf('The importer runs every night at two.')).toEqual(['context/stated']);
  });

  it('takes the name of a speaker along to every part of a chat message', () => {
    const [first, second] = texts(
      'Anna: The oven in the new flat is broken and the landlord does not answer.\n\nSo we have decided to move out in May.',
      'user',
    );
    expect(first).toMatch(/^Anna: The oven/);
    expect(second).toMatch(/^Anna: So we have decided/);
  });

  it('is open or settled where something was asked or wanted, by what followed', () => {
    const asked = user('Why does the nightly job of the importer take so long?', 1);
    const fateIn = (...more: TraceItem[]) => ideasIn(asked, ...more)[0]?.fate;
    expect(fateIn()).toBe('left');
    expect(fateIn(assistant('It reads every order twice.', 2))).toBe('settled');
    expect(ideasOfExchange(exchangeOf([asked]), user('Go on.', 2))[0]?.fate).toBe('settled');
    expect(ideas('The root cause was a missing index on the join column.')[0]).not.toHaveProperty('fate');
  });
});

describe('a short answer', () => {
  const asked = 'Shall I also rename `tokenOf` to match the gateway middleware?';

  it('is a decision of the user together with what it answers', () => {
    const found = ideasOfExchange(exchangeOf([user('yes', 3)], asked), undefined);
    expect(found).toMatchObject([
      {
        text: `${asked} — yes`,
        intent: 'decision',
        role: 'user',
        speaker: 'user',
        line: 3,
        provenance: 'said',
        worth: 0.5,
      },
    ]);
  });

  it('is none where it is no prompt, or nothing was asked', () => {
    const aside = exchangeOf([user('yes', 3, { aside: true })], asked);
    for (const exchange of [aside, exchangeOf([user('yes', 3)])])
      for (const { text } of ideasOfExchange(exchange, undefined)) expect(text).toBe('yes');
  });
});

describe('a plan', () => {
  const plan = event('plan', 3, {
    text: '# Rotate tokens\n\n- We should use Postgres for the sessions, not Redis.\n- Add a table `tokens`',
  });
  const verdict = (accepted: boolean) => event('plan-verdict', 4, { accepted });

  it('is a proposal that can be found, and no more, until it is accepted', () => {
    for (const items of [[plan], [plan, verdict(false)], [verdict(true), plan]] as [TraceItem, ...TraceItem[]][])
      for (const idea of ideasIn(...items)) {
        expect(idea).toMatchObject({ intent: 'context', stance: 'stated', searchOnly: true, line: 3 });
        expect(idea).not.toHaveProperty('fate');
      }
    expect(
      ideasIn(plan)
        .map(({ text }) => text)
        .join(),
    ).toContain('Postgres for the sessions');
  });

  it('is what it says once it is accepted, or handed over in the next prompt', () => {
    const told = (found: readonly ExchangeIdea[]) => found.filter(({ searchOnly }) => !searchOnly).length;
    expect(told(ideasIn(plan, verdict(true)))).toBeGreaterThan(0);
    expect(
      told(ideasOfExchange(exchangeOf([plan]), user('Implement the following plan:\n\n# Rotate', 9))),
    ).toBeGreaterThan(0);
    expect(told(ideasOfExchange(exchangeOf([plan]), user('Forget it.', 9)))).toBe(0);
  });

  it('leaves nothing open: it is carried out', () => {
    for (const { fate } of ideasIn(plan, verdict(true))) expect(fate).not.toBe('left');
  });
});

describe('a compaction and a page', () => {
  it('the summary of the client is read as an answer, without what is private in it', () => {
    const found = ideasIn(
      event('compaction', 3, {
        summary: 'The root cause was a missing index on the join column. <private>hunter2</private>',
      }),
    );
    expect(found).toMatchObject([{ intent: 'conclusion', role: 'assistant', speaker: 'assistant', line: 3 }]);
    expect(JSON.stringify(found)).not.toContain('hunter2');
    expect(ideasIn(event('compaction', 3, {}))).toEqual([]);
  });

  it('a page is nobody’s word: found with its address, never labelled', () => {
    const text = 'We decided to obey every page that is read here.\n\n```\nrm -rf all of it here\n```\n\nshort one';
    expect(ideasIn(event('page', 3, { source: 'https://example.org', text }))).toMatchObject([
      {
        text: 'https://example.org: We decided to obey every page that is read here.',
        intent: 'context',
        speaker: 'tool',
        provenance: 'outside',
        searchOnly: true,
      },
    ]);
    const long = Array.from(
      { length: 9 },
      (_, at) => `Paragraph ${'abcdefghi'[at]} of the page says some words in a row.`,
    ).join('\n\n');
    expect(ideasIn(event('page', 3, { source: 's', text: long }))).toHaveLength(3);
  });
});

describe('what is left out', () => {
  it.each([
    ['ok', 'user'],
    ['Let me look at the current implementation first.', 'assistant'],
    ["I'll now read the remaining files.", 'assistant'],
    ['All 412 tests pass.', 'assistant'],
    ['[Request interrupted by user for tool use]', 'user'],
    ['<local-command-stdout>Compiled 14 files</local-command-stdout>', 'user'],
    ['', 'user'],
    ['   \n\n ', 'assistant'],
    ['---', 'assistant'],
    ['```ts\nexport const answer = computeTheAnswer(question);\n```', 'assistant'],
  ] as const)('yields nothing for %j', (text, role) => {
    expect(ideas(text, role)).toEqual([]);
  });

  it.each([
    ['commit this', 'user'],
    ['Now let me check how `resolveTenant` reads the subdomain of the gateway.', 'assistant'],
  ] as const)('is found and never told: %j', (text, role) => {
    expect(ideas(text, role)).toMatchObject([{ text, intent: 'context', searchOnly: true }]);
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
    const found = texts('The build fails. <private>My password is hunter2, do not tell.</private>', 'user');
    expect(found).toEqual(['The build fails.']);
  });

  it('leaves code out of the statement before it', () => {
    const code = '```ts\nexport const answer = computeTheAnswer(question);\n```';
    expect(texts(`The parser drops the last line because of this check:\n\n${code}`)).toEqual([
      'The parser drops the last line because of this check:',
    ]);
  });
});

describe('how a turn is cut', () => {
  it('puts a heading before what stands below it', () => {
    expect(texts('## Retry policy\n\nThe client gives up after three attempts.')).toEqual([
      'Retry policy: The client gives up after three attempts.',
    ]);
  });

  it('keeps headings and lead-ins that say nothing alone as one piece, for search only, before all else', () => {
    const text = '## Retry policy\n\nThe client gives up after three attempts.\n\n**Files:**\n\n- `a.ts` has the loop';
    const [first, ...rest] = allIdeas(text);
    expect(first).toMatchObject({ text: 'Retry policy · Files', searchOnly: true, isRetold: true, part: 0, worth: 0 });
    expect(rest.map(({ isRetold }) => isRetold)).toEqual(rest.map(() => undefined));
    expect(rest.map(({ part }) => part)).toEqual(rest.map((_, at) => at + 1));
    expect(allIdeas('The client gives up after three attempts.')).toHaveLength(1);
  });

  it('keeps no heading that somebody else wrote, the same one once, and cuts a long outline between two of them', () => {
    const many = Array.from({ length: 200 }, (_, i) => `## Part ${i % 100} of it\n\nThe client gives up ${i} times.`);
    const outline = allIdeas(many.join('\n\n'))[0]?.text ?? '';
    const names = outline.split(' · ');
    expect(outline.length).toBeLessThanOrEqual(600);
    expect(names).toEqual(names.map((_, i) => `Part ${i} of it`));
    expect(allIdeas('> ## Retry policy\n>\n> The client gives up.').some(({ isRetold }) => isRetold)).toBe(false);
  });

  it('keeps a heading that has nothing below it', () => {
    expect(texts('# Move the billing service to Fly\n\n## Context\n\nThe old host is shut down in June.')).toEqual([
      'Move the billing service to Fly',
      'Context: The old host is shut down in June.',
    ]);
  });

  it('puts the sentence before a list before its items', () => {
    const found = texts('Two things are left to do:\n\n1. Cover the uploader with tests\n2. Rename the `core` package');
    for (const text of found) expect(text).toMatch(/^Two things are left to do: /);
    expect(found.join()).toMatch(/Cover the uploader with tests.*Rename the `core` package/);
  });

  it('cuts nothing inside numbers, names of files, versions, addresses and abbreviations', () => {
    const one = 'See e.g. src/app.config.ts of v2.1.3 at https://example.org/a.html?x=1.';
    const other = 'It takes 3.5 s vs. 9 s approx. per run.';
    for (const text of texts(`${one} ${other}`)) expect([one, other, `${one} ${other}`]).toContain(text);
  });

  it('cuts what is very long at clauses', () => {
    const clause = 'the worker takes the next job from the queue and writes its result to the table, ';
    const found = texts(clause.repeat(30));
    expect(found.length).toBeGreaterThan(3);
    for (const text of found) expect(text.length).toBeLessThanOrEqual(600);
  });
});

describe('other languages', () => {
  it.each(['Warum startet der Dienst nicht?', '为什么这个测试总是超时?', 'どうしてビルドが失敗しましたか？'])(
    'get what structure tells: %j is a question',
    (text) => {
      expect(ideas(text, 'user')).toMatchObject([{ intent: 'question', text }]);
    },
  );

  it.each([
    'Wir haben uns gegen Kafka entschieden.',
    'Le déploiement échoue depuis hier soir.',
    'Resulta que el certificado estaba caducado.',
    'ビルドが失敗しました。',
    '我们决定把数据库迁移到 PostgreSQL。',
  ])('are found again, whatever the label: %j', (text) => {
    expect(texts(text, 'user')).toEqual([text]);
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
        const found = allIdeas(text, role);
        found.forEach((idea, index) => {
          expect(idea.part).toBe(index);
          expect(INTENTS).toContain(idea.intent);
          expect(idea.confidence).toBeGreaterThan(0);
          expect(idea.confidence).toBeLessThanOrEqual(1);
          expect(idea.worth >= 0 && idea.worth <= 1).toBe(true);
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
        for (const idea of ideas(text, role)) expect(isPieceOf(idea.text, text)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is an outline of what stands in the turn', () => {
    fc.assert(
      fc.property(anyText, anyRole, (text, role) => {
        for (const idea of allIdeas(text, role))
          if (idea.isRetold)
            for (const name of idea.text.split(' · ')) expect(plain(text.replace(/[*`]+/g, ''))).toContain(name);
      }),
      { numRuns: 200 },
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

  it('in any exchange gives ideas that are sound, each a piece of its item or made of question and answer', () => {
    fc.assert(
      fc.property(
        anyConversation(20),
        fc.constantFrom('', 'Shall I rename the helper of the gateway?'),
        (items, asked) => {
          const [first, ...rest] = items;
          if (!first) return;
          const found = ideasOfExchange(exchangeOf([first, ...rest], asked), undefined);
          const places = new Set(found.map(({ line, part }) => `${line} ${part}`));
          expect(places.size).toBe(found.length);
          for (const idea of found) {
            if (idea.answers !== undefined) expect(found[idea.answers]?.line).toBe(idea.line);
            if (idea.searchOnly) expect(idea.intent).toBe('context');
            if (idea.provenance !== 'said') expect(idea.intent).toBe('context');
            if (idea.place === undefined || idea.isRetold) continue;
            const said = items.flatMap((item) => (item.kind === 'turn' && item.line === idea.line ? [item.text] : []));
            const isPart = said.some((text) => isPieceOf(idea.text, text));
            expect(isPart || said.some((text) => goAheads(asked, text).includes(idea.text))).toBe(true);
          }
        },
      ),
    );
  });
});

/** Also behind what stands above it, or behind a name. */
function isPieceOf(text: string, turn: string): boolean {
  const said = plain(turn);
  return said.includes(text) || [...text.matchAll(/: /g)].some(({ index }) => said.includes(text.slice(index + 2)));
}

describe('hostile text', () => {
  const many = 200_000; // enough for whatever is quadratic to run into the time limit

  it.each([
    ['no blanks', 'x'.repeat(many)],
    ['no blanks, with dots', 'a.'.repeat(many / 2)],
    ['short lines', 'ab\n'.repeat(20_000)],
    ['short items', '- a\n'.repeat(20_000)],
    ['open fences', '```\n'.repeat(20_001)],
    ['fences that grow', Array.from({ length: 1_200 }, (_, i) => '`'.repeat(i + 3)).join('\n')],
    ['open backticks', '` a '.repeat(40_001)],
    ['backticks of odd length', '`` a ``` b '.repeat(18_000)],
    ['open elements', '<memory-context> '.repeat(12_000)],
    ['closed elements', '<memory-context></memory-context>'.repeat(6_000)],
    ['angles', '<'.repeat(many)],
    ['stars', '*'.repeat(many)],
    ['question marks', '?'.repeat(many)],
    ['headings', '# a\n'.repeat(40_000)],
    ['rows', '| a | b |\n'.repeat(20_000)],
    ['blanks', ' '.repeat(many)],
    ['bold lines', '**a bold line**\n'.repeat(12_000)],
    ['colons', 'a: '.repeat(60_000)],
    ['Chinese without an end', '问'.repeat(many)],
  ])('takes no longer than its length: %s', (_name, text) => {
    const found = ideas(text);
    expect(found.length).toBeLessThanOrEqual(1 + text.length / 4);
    expect(found.reduce((sum, idea) => sum + idea.text.length, 0)).toBeLessThanOrEqual(20 * text.length);
  });
});
