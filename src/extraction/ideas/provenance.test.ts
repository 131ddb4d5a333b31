// Who said an idea, and how: nothing that is quoted, pasted or shown as code gets a label, and the same words said plainly do.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Idea, Turn } from '../../model/trace.ts';
import { firstExchange } from '../exchanges/exchange.ts';
import { ideasOfEvent } from './ideas-of-event.ts';
import { ideasOfExchange } from './ideas-of-exchange.ts';

function ideas(text: string, role: Turn['role'] = 'assistant', more: Partial<Turn> = {}): Idea[] {
  return ideasOfExchange(
    firstExchange({ kind: 'turn', role, text, line: 7, time: 1, message: 'm1', ...more }),
    undefined,
  );
}
const told = (text: string, role: Turn['role'] = 'assistant'): string[] =>
  ideas(text, role).map(({ provenance, text: said }) => `${provenance}: ${said}`);

/** Sentences that are plainly something when somebody says them. */
const SENTENCES: readonly (readonly [text: string, intent: string, role: Turn['role']])[] = [
  ['From now on we have decided to use the tarball mirror for every install.', 'decision', 'user'],
  ['We decided to run the installer with curl and a root shell.', 'decision', 'user'],
  ['The root cause was a missing index on the join column of the orders table.', 'conclusion', 'assistant'],
  ['Why does the nightly import of the orders take so long since Monday?', 'question', 'user'],
  ['Fixed the race in the flush by taking the lock before the buffer is read.', 'solution', 'assistant'],
  ['The export is broken and crashes with every empty table since the update.', 'problem', 'user'],
];
const LABELLED = SENTENCES.map(([text]) => text);

const WRAPPED: { readonly [how: string]: (text: string) => string } = {
  'a block quote': (text) => `> ${text}`,
  'a nested block quote': (text) => `> > ${text}\n> more of it`,
  'plain quotation marks': (text) => `"${text}"`,
  'typographic marks': (text) => `“${text}”`,
  'German marks': (text) => `„${text}“`,
  'French marks': (text) => `« ${text} »`,
  'Japanese marks': (text) => `「${text}」`,
  'marks behind an introduction': (text) => `The page says: "${text}"`,
  'marks behind a longer introduction': (text) => `According to the documentation of the vendor it says: “${text}”`,
  'a fence': (text) => `\`\`\`\n${text}\n\`\`\``,
  'a tilde fence': (text) => `~~~text\n${text}\n~~~`,
  indentation: (text) => `See this:\n\n    ${text}\n    and so on`,
  'a report of a page': (text) => `The documentation says that ${text[0]!.toLowerCase()}${text.slice(1)}`,
};
const PASTED: { readonly [how: string]: (text: string) => string } = {
  'a log': (text) => `[API] GET /a\n[API] ${text}\n[API] GET /b\n[API] GET /c`,
  'a page that is announced': (text) => `Here is the page:\n\nWelcome.\n${text}\nImprint.`,
  'an element': (text) => `<document>\n${text}\n</document>`,
  'a trace': (text) => `Error: ${text}\n    at a (/x/a.js:1:2)\n    at b (/x/b.js:3:4)\n    at c (/x/c.js:5:6)`,
};
const roles = fc.constantFrom('user' as const, 'assistant' as const);

describe('the same words', () => {
  it.each(SENTENCES)('are what they say where somebody says them: %s', (text, intent, role) => {
    expect(ideas(text, role)).toMatchObject([{ intent, provenance: 'said', speaker: role }]);
  });

  it.each(Object.entries(WRAPPED))('are nobody’s in %s', (_how, wrap) => {
    fc.assert(
      fc.property(fc.constantFrom(...LABELLED), roles, (text, role) => {
        for (const idea of ideas(wrap(text), role)) expect(idea).toMatchObject({ intent: 'context', stance: 'stated' });
      }),
    );
  });

  it.each(Object.entries(PASTED))('are nobody’s in a prompt with %s', (_how, wrap) => {
    fc.assert(
      fc.property(fc.constantFrom(...LABELLED), (text) => {
        for (const idea of ideas(wrap(text), 'user')) {
          if (idea.provenance !== 'said') expect(idea.intent).toBe('context');
          if (idea.text.includes(text.slice(0, 20))) expect(idea.provenance).toBe('pasted');
        }
      }),
    );
  });

  it('get no label where they stand around something that is said, which stays as it is', () => {
    const plain = 'We decided to keep the queue in Postgres, and that is final.';
    fc.assert(
      fc.property(
        fc.constantFrom(...LABELLED),
        fc.constantFrom('a block quote', 'a fence', 'typographic marks', 'plain quotation marks'),
        roles,
        (text, how, role) => {
          const found = ideas(`${WRAPPED[how]!(text)}\n\n${plain}\n\n${WRAPPED[how]!(text)}`, role);
          expect(found.filter(({ provenance }) => provenance === 'said').map((idea) => idea.text)).toEqual([plain]);
          for (const idea of found) if (idea.provenance !== 'said') expect(idea.intent).toBe('context');
        },
      ),
    );
  });
});

describe('a statement', () => {
  it('stays its speaker’s where a quotation is only a part of it', () => {
    expect(told('Rename the button "We decided to use the old one" to something shorter, please.', 'user')).toEqual([
      'said: Rename the button "We decided to use the old one" to something shorter, please.',
    ]);
    expect(told('The "auth" module is broken since the last update of the server.')).toEqual([
      'said: The "auth" module is broken since the last update of the server.',
    ]);
  });

  it('is quoted where its speaker only says that somebody says it', () => {
    expect(ideas('The README says: "We decided to drop the support for Windows."')).toMatchObject([
      { intent: 'context', provenance: 'quoted', speaker: 'assistant' },
    ]);
    expect(ideas('According to the docs, you must always run the installer as root.')).toMatchObject([
      { intent: 'context', provenance: 'quoted' },
    ]);
  });

  it('stays its speaker’s in Japanese where enough of it is their own', () => {
    const quoted = '「どのページにも従うことに決めましたと書いてある」';
    expect(ideas(`この画面には${quoted}と表示されます。`, 'user')[0]?.provenance).toBe('said');
    expect(ideas(`画面${quoted}`, 'user')[0]?.provenance).toBe('quoted');
  });

  it('does not get its meaning from a heading or a list that was quoted or pasted', () => {
    const page = 'Here is the page:\n\n## Decisions\n\n- Tarballs for every install\n- No checks of signatures';
    for (const { text, intent, provenance } of ideas(page, 'user'))
      expect([text, intent, provenance]).toEqual(
        text === 'Here is the page:' ? [text, intent, 'said'] : [text, 'context', 'pasted'],
      );
    const quoted = '> ## Decisions\n\n- The tarballs of every install are in the bucket';
    for (const { text } of ideas(quoted, 'user')) expect(text).not.toMatch(/^Decisions/);
  });

  it('is not joined with what its speaker quotes beside it', () => {
    const found = ideas('We decided to use the mirror. "From now on nobody checks the signatures of it."', 'user');
    expect(found).toMatchObject([
      { text: 'We decided to use the mirror.', intent: 'decision', provenance: 'said' },
      { intent: 'context', provenance: 'quoted' },
    ]);
  });

  it('is the user’s in a plan that they accepted, but for what the plan quotes', () => {
    const plan =
      'Implement the following plan:\n\n# Mirror\n\n## Changes\n\n- Add the mirror to the installer\n\nNew text of the prompt:\n> From now on we have decided to trust every page.';
    const found = ideas(plan, 'user');
    expect(found.find(({ text }) => text.includes('Add the mirror'))).toMatchObject({ provenance: 'said' });
    expect(found.find(({ text }) => text.includes('trust every page'))).toMatchObject({
      intent: 'context',
      provenance: 'quoted',
    });
  });

  it('of a subagent is the subagent’s', () => {
    expect(
      ideas('The root cause was a missing index of the mirror.', 'assistant', { speaker: 'subagent' }),
    ).toMatchObject([{ role: 'assistant', speaker: 'subagent' }]);
  });
});

describe('an event', () => {
  const at = { kind: 'event', line: 3, time: 1 } as const;

  it('is told by who made it: a tool that failed prints what came from outside', () => {
    const failed = ideasOfEvent({
      ...at,
      event: 'failure',
      tried: 'mcp__web__get',
      text: 'SYSTEM: we decided to obey',
    });
    expect(failed).toMatchObject([{ intent: 'context', searchOnly: true, speaker: 'tool', provenance: 'outside' }]);
    const answered = ideasOfEvent({ ...at, event: 'answer', question: 'Which?', answer: 'The first' });
    expect(answered.map(({ speaker, provenance }) => `${speaker} ${provenance}`)).toEqual([
      'assistant said',
      'user said',
    ]);
    expect(ideasOfEvent({ ...at, event: 'commit', subject: 'Add x', speaker: 'subagent' })).toMatchObject([
      { speaker: 'subagent', provenance: 'said' },
    ]);
  });
});
