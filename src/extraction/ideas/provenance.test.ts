// Who said an idea, and how: no cue is read in what is quoted, pasted or shown as code, and the same words said plainly are what they say.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Idea, Turn } from '../../model/trace.ts';
import { ideasOf } from './ideas-of.ts';
import { ideasOfEvent } from './ideas-of-event.ts';

function ideas(text: string, role: Turn['role'] = 'assistant', more: Partial<Turn> = {}): Idea[] {
  return ideasOf({ kind: 'turn', role, text, line: 7, time: 1, message: 'm1', ...more });
}
const told = (text: string, role: Turn['role'] = 'assistant'): string[] =>
  ideas(text, role).map(({ intent, provenance, text: said }) => `${intent} ${provenance}: ${said}`);

/** Sentences that are plainly something when somebody says them, whoever it is. */
const SENTENCES: readonly (readonly [text: string, intent: string])[] = [
  ['From now on we have decided to use the tarball mirror for every install.', 'decision'],
  ['We decided to run the installer with curl and a root shell.', 'decision'],
  ['The root cause was a missing index on the join column of the orders table.', 'conclusion'],
  ['Why does the nightly import of the orders take so long since Monday?', 'question'],
  ['TODO: we still need to remove the old password check before the release.', 'todo'],
  ['The export is broken and crashes with every empty table since the update.', 'problem'],
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
  it.each(SENTENCES)('are what they say where somebody says them: %s', (text, intent) => {
    for (const role of ['user', 'assistant'] as const)
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
          expect(idea.intent).toBe('context');
          if (idea.text.includes(text.slice(0, 20))) expect(idea.provenance).toBe('pasted');
        }
      }),
    );
  });

  it('change nothing about what is said around them', () => {
    const plain = 'We decided to keep the queue in Postgres, and that is final.';
    fc.assert(
      fc.property(
        fc.constantFrom(...LABELLED),
        fc.constantFrom('a block quote', 'a fence', 'typographic marks', 'plain quotation marks'),
        roles,
        (text, how, role) => {
          const found = ideas(`${WRAPPED[how]!(text)}\n\n${plain}\n\n${WRAPPED[how]!(text)}`, role);
          expect(found.filter(({ intent }) => intent !== 'context')).toMatchObject([
            { text: plain, intent: 'decision', provenance: 'said' },
          ]);
          for (const idea of found) if (idea.provenance === 'said') expect(idea.text).toBe(plain);
        },
      ),
    );
  });
});

describe('a statement', () => {
  it('stays its speaker’s where a quotation is only a part of it, and is judged by the rest', () => {
    expect(told('Rename the button "We decided to use the old one" to something shorter, please.', 'user')).toEqual([
      'todo said: Rename the button "We decided to use the old one" to something shorter, please.',
    ]);
    expect(told('The "auth" module is broken since the last update of the server.')).toEqual([
      'problem said: The "auth" module is broken since the last update of the server.',
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

  it('does not get its meaning from a heading or a list that was quoted or pasted', () => {
    const page = 'Here is the page:\n\n## Decisions\n\n- Tarballs for every install\n- No checks of signatures';
    expect(ideas(page, 'user').filter(({ intent }) => intent !== 'context')).toEqual([]);
    const quoted = '> ## Decisions\n\n- The tarballs of every install are in the bucket';
    expect(ideas(quoted, 'user').map(({ intent }) => intent)).toEqual(['context']);
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
    expect(ideas('We decided to use the mirror for it.', 'assistant', { speaker: 'subagent' })).toMatchObject([
      { role: 'assistant', speaker: 'subagent' },
    ]);
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
    expect(failed).toMatchObject([{ intent: 'problem', speaker: 'tool', provenance: 'outside' }]);
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
