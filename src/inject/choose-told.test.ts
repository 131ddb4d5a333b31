// From hits to lines: what comes first, what is left out, how many there are.

import { describe, expect, it } from 'vitest';
import type { RecallResult, Telling } from '../recall/answer.ts';
import { type Choice, chooseTold, type Finds } from './choose-told.ts';
import { isTelling } from './ordinary-words.ts';
import { promptParts } from './prompt-parts.ts';
import { TOLD } from './told-table.ts';

const NONE: ReadonlySet<string> = new Set();

const telling = (more: Partial<Telling>): Telling => ({
  worth: 0.9,
  searchOnly: false,
  level: null,
  stance: null,
  outcome: '',
  decided: [],
  fixed: [],
  left: [],
  asked: '',
  tags: [],
  coverage: 0.6,
  words: ['tax', 'rounded', 'invoice'],
  cosine: 0.6,
  ...more,
});

type More = Partial<RecallResult> & { readonly tells?: Partial<Telling> };

const said = (ref: string, text: string, { tells = {}, ...more }: More = {}): RecallResult => ({
  ref,
  layer: 'trace',
  kind: 'conclusion',
  title: text,
  text,
  score: 1,
  relevance: 0.1,
  confidence: 0.8,
  status: 'active',
  project: '/p',
  session: `of ${ref}`,
  created_at: '2026-04-01T10:00:00.000Z',
  source: null,
  speaker: 'assistant',
  provenance: 'said',
  why: [],
  chain: [],
  span: null,
  exchange: null,
  ...more,
  telling: telling(tells),
});

const record = (ref: string, title: string, { tells = {}, ...more }: More = {}): RecallResult =>
  said(ref, 'What it says.', {
    layer: 'record',
    kind: 'decision',
    title,
    speaker: null,
    provenance: null,
    session: null,
    ...more,
    tells: { worth: null, coverage: 0.1, cosine: null, words: [], ...tells },
  });

const PROMPT = 'round the tax of each invoice in Bavaria';

type Found = Partial<Finds> & { readonly curated?: readonly RecallResult[] };

function choose({ curated, ...finds }: Found, more: Partial<Choice> = {}): string[] {
  const prompt = more.prompt ?? PROMPT;
  return chooseTold(
    { files: [], ...finds, parts: [...(finds.parts ?? []), ...(curated ? [curated] : [])] },
    {
      prompt,
      asked: promptParts(prompt, NONE),
      isTelling: (word) => isTelling(word, NONE),
      isLeftOut: () => false,
      shift: () => 0,
      maxLines: 5,
      maxNotes: 5,
      ...more,
    },
  ).map(({ result }) => result.ref);
}

const TEXTS = [
  'Amounts are kept in cents, because floats lose them after a while.',
  'Bavarian customers pay another rate on books since last summer.',
  'Every export runs at night when nobody looks at dashboards.',
  'Rates come from a table that finance updates every quarter.',
  'Credit notes repeat whatever their original document had said.',
  'Discounts apply before shipping costs, never the other way round.',
];
const STATEMENTS = TEXTS.map((text, at) => said(`idea:${at}`, text, { tells: { cosine: 0.9 - at / 100 } }));

it('never tells what a session left behind by itself; what somebody summed up is a record like any other', () => {
  const summary = (tags: string[]) =>
    record('record:sessions/tax', 'Round the tax of each invoice', { kind: 'session_summary', tells: { tags } });
  expect(choose({ curated: [summary(['tax', 'session-summary'])] })).toEqual([]);
  expect(choose({ curated: [summary(['tax'])] })).toEqual(['record:sessions/tax']);
});

describe('statements of conversations', () => {
  it('are at most three, the likeliest first, unless the settings allow more', () => {
    expect(choose({ parts: [[...STATEMENTS].reverse()] })).toEqual(['idea:0', 'idea:1', 'idea:2']);
    expect(choose({ parts: [STATEMENTS] }, { maxLines: 2 })).toHaveLength(2);
    expect(choose({ parts: [STATEMENTS] }, { maxLines: 10 })).toHaveLength(6);
  });

  it('are the best over all parts, each once', () => {
    const weak = said('idea:9', TEXTS[1] ?? '', { tells: { cosine: 0.2, coverage: 0.1 } });
    const strong = said('idea:9', TEXTS[1] ?? '', { tells: { cosine: 0.8 } });
    expect(choose({ parts: [[weak], [strong]] })).toEqual(['idea:9']);
    expect(choose({ parts: [[weak]] })).toEqual([]);
  });

  it('are none for a prompt with few telling words, unless it is a question', () => {
    expect(choose({ parts: [STATEMENTS] }, { prompt: 'commit the tax things' })).toEqual([]);
    expect(choose({ parts: [STATEMENTS] }, { prompt: 'fix the tax of invoices' })).toEqual([]);
    expect(choose({ parts: [STATEMENTS] }, { prompt: 'where is the tax of invoices?' })).toHaveLength(3);
  });

  it('are two of one conversation at most, and none that says what another says', () => {
    const one = STATEMENTS.map((each) => ({ ...each, session: 'one' }));
    expect(choose({ parts: [one] })).toEqual(['idea:0', 'idea:1']);
    const twin = said('idea:7', 'Amounts are kept in cents: floats lose them.', { tells: { cosine: 0.89 } });
    expect(choose({ parts: [[...STATEMENTS, twin]] })).toEqual(['idea:0', 'idea:1', 'idea:2']);
  });

  it('are no small change beside something else, however near it is', () => {
    const change = said('idea:9', TEXTS[4] ?? '', {
      kind: 'solution',
      tells: { cosine: 0.8, coverage: 0.8, worth: TOLD.leastWorth - 0.05 },
    });
    const other = said('idea:0', TEXTS[0] ?? '', { tells: { cosine: 0.95 } });
    expect(choose({ parts: [[change]] })).toEqual(['idea:9']);
    expect(choose({ parts: [[change, other]] })).toEqual(['idea:0']);
    expect(
      choose({ parts: [[{ ...change, telling: { ...change.telling!, worth: TOLD.leastWorth } }, other]] }),
    ).toEqual(['idea:0', 'idea:9']);
  });

  it('are a rule about every thing of the kind that the prompt is about, in whatever other words', () => {
    const tells = { coverage: 0.1, cosine: 0.2, worth: 0.8 };
    const rule = (text: string, more = {}): RecallResult => said('idea:0', text, { tells: { ...tells, ...more } });
    const told = (text: string, more = {}): string[] => choose({ parts: [[rule(text, more)]] });
    const every = 'Every `invoice` must carry the number of the shop that sent it out.';
    expect(told(every)).toEqual(['idea:0']);
    expect(told('Key rule: all new invoices need to carry the number of the shop that sent them.')).toEqual(['idea:0']);
    expect(told(every, { worth: TOLD.ruleWorth - 0.01 })).toEqual([]);
    expect(told('Every letter must carry the number of the shop that sent it out.')).toEqual([]);
    expect(told('Every change must carry the number of the shop that made it.')).toEqual([]);
    expect(told('Every invoice that was sent carried the number of the shop.')).toEqual([]);
    const plan = `Implement the following plan: # Round the tax of invoices\n\n${PROMPT}`;
    expect(choose({ parts: [[rule(every)]] }, { prompt: plan })).toEqual([]);
  });

  it('must be surer where another is told already', () => {
    const tells = (cosine: number) => ({ coverage: 0.3, cosine, worth: 0.9 });
    const [first, second] = TEXTS.slice(0, 2).map((text, at) => said(`idea:${at}`, text, { tells: tells(0.6) }));
    const doubtful = said('idea:2', TEXTS[2] ?? '', { tells: tells(0.5) });
    expect(choose({ parts: [[doubtful]] })).toEqual(['idea:2']);
    expect(choose({ parts: [[first!, doubtful]] })).toEqual(['idea:0']);
    expect(choose({ parts: [[first!, second!]] })).toEqual(['idea:0', 'idea:1']);
  });

  it('are left out where something that holds replaced them', () => {
    const old = said('idea:0', TEXTS[0] ?? '', { chain: [{ ref: 'idea:5', relation: 'superseded_by' }] });
    expect(choose({ parts: [[old]] })).toEqual([]);
    expect(choose({ parts: [[old]] }, { shift: ({ ref }) => (ref === 'idea:5' ? 1 : 0) })).toEqual(['idea:0']);
  });

  it('are the best one alone where none is likely, if the agent said it', () => {
    const tells = { coverage: 0.2, cosine: 0.44, worth: 0.9 };
    const some = TEXTS.slice(0, 2).map((text, at) => said(`idea:${at}`, text, { tells }));
    expect(choose({ parts: [some] })).toEqual(['idea:0']);
    const users = some.map((each) => ({ ...each, speaker: 'user' as const, kind: 'decision' }));
    expect(choose({ parts: [users] })).toEqual([]);
    expect(choose({ parts: [[...some, said('idea:9', TEXTS[4] ?? '')]] })).toEqual(['idea:9']);
    expect(choose({ parts: [[said('idea:0', TEXTS[0] ?? '', { tells: { ...tells, cosine: 0.4 } })]] })).toEqual([]);
  });

  it('need to be likelier, or less so, by what was learned', () => {
    const near = said('idea:0', TEXTS[0] ?? '', { tells: { coverage: 0.3, cosine: 0.5, worth: 0.95 } });
    expect(choose({ parts: [[near]] })).toEqual(['idea:0']);
    expect(choose({ parts: [[near]] }, { shift: () => 0.2 })).toEqual([]);
    const far = said('idea:0', TEXTS[0] ?? '', { tells: { coverage: 0.2, cosine: 0.38, worth: 0.95 } });
    expect(choose({ parts: [[far]] })).toEqual([]);
    expect(choose({ parts: [[far]] }, { shift: () => -0.2 })).toEqual(['idea:0']);
  });

  it('of the conversation that wrote a pasted plan are in the plan', () => {
    const plan =
      'Implement the following plan:\n\n# Rounding of the tax of invoices\n\nThe tax is rounded too early, which loses a cent for every third customer.\n';
    const passage = said('idea:8', 'The tax is rounded too early, which loses a cent for every third customer.', {
      session: 'planning',
      tells: { searchOnly: true },
    });
    const other = { ...said('idea:0', TEXTS[0] ?? ''), session: 'planning' };
    expect(choose({ parts: [[passage, other]] }, { prompt: plan })).toEqual([]);
    expect(choose({ parts: [[other]] }, { prompt: plan })).toEqual(['idea:0']);
  });
});

describe('records and notes', () => {
  const curated = (...results: RecallResult[]) => choose({ curated: results }, { prompt: 'ship the tax to Bavaria' });

  it('are told by a tag, or by two words of the title', () => {
    expect(curated(record('record:a', 'Rates', { tells: { tags: ['tax'] } }))).toEqual(['record:a']);
    expect(curated(record('record:a', 'Tax of Bavaria'))).toEqual(['record:a']);
    expect(curated(record('record:a', 'Where we shop'))).toEqual([]);
  });

  it('are told by one word of the title where it is the only one, and the prompt is about little else', () => {
    const one = record('record:a', 'All about tax', { tells: { coverage: 0.5 } });
    const other = record('record:b', 'Holidays in Bavaria', { tells: { coverage: 0.5 } });
    expect(curated(one)).toEqual(['record:a']);
    expect(curated(one, other)).toEqual([]);
    expect(curated(record('record:a', 'All about tax'))).toEqual([]);
  });

  it('are not told by words that every prompt has', () => {
    const commits = record('record:a', 'How to commit and push', { tells: { tags: ['commit'] } });
    expect(choose({ curated: [commits] }, { prompt: 'commit and push this' })).toEqual([]);
    expect(choose({ curated: [commits] }, { prompt: 'commit and push the tax tables' })).toEqual([]);
  });

  it('come before conversations, and take their places', () => {
    const finds = { curated: [record('record:a', 'Tax of Bavaria')], parts: [STATEMENTS] };
    expect(choose(finds)).toEqual(['record:a', 'idea:0', 'idea:1']);
  });

  it('that are far behind the best are left out', () => {
    const best = record('record:a', 'Tax of an invoice in Bavaria', { tells: { tags: ['tax'] } });
    const near = record('record:b', 'Rates', { tells: { tags: ['tax'] } });
    expect(choose({ curated: [near, best] })).toEqual(['record:a']);
  });

  it('are no more notes than allowed', () => {
    const notes = ['a', 'b', 'c'].map((name) => record(`note:${name}`, 'Tax of Bavaria', { layer: 'note' }));
    expect(choose({ curated: notes })).toHaveLength(3);
    expect(choose({ curated: notes }, { maxNotes: 1 })).toEqual(['note:a']);
    expect(choose({ curated: notes }, { maxNotes: 0 })).toEqual([]);
  });

  it('that were written by themselves must have nearly all that is asked; sessions are told at the start', () => {
    const note = (kind: string, coverage: number) =>
      record('note:a', 'Tax of Bavaria', { layer: 'note', kind, tells: { coverage } });
    for (const kind of ['discovery', 'task', 'error']) {
      expect(choose({ curated: [note(kind, 0.9)] }), kind).toEqual(['note:a']);
      expect(choose({ curated: [note(kind, 0.5)] }), kind).toEqual([]);
    }
    expect(choose({ curated: [note('session', 1)] })).toEqual([]);
    expect(choose({ curated: [{ ...note('discovery', 0.9), gist: 'Perfect!' }] })).toEqual([]);
    expect(choose({ curated: [{ ...note('task', 0.9), gist: 'Done.' }] })).toEqual(['note:a']);
  });

  it('that were shown and never used need a good match', () => {
    const weak = record('record:a', 'Rates', { tells: { tags: ['tax'] } });
    const good = record('record:b', 'Tax of an invoice in Bavaria', { tells: { tags: ['tax'] } });
    expect(choose({ curated: [weak] }, { shift: () => 0.2 })).toEqual([]);
    expect(choose({ curated: [good] }, { shift: () => 0.2 })).toEqual(['record:b']);
    expect(choose({ curated: [good] }, { shift: () => 1 })).toEqual([]);
  });
});

describe('a named file', () => {
  const prompt = 'simplify src/tax/round.ts';
  const entity = { why: [{ strategy: 'entity', rank: 1 }] };
  const summary = (ref: string) => record(ref, 'round.ts', { layer: 'note', kind: 'file-summary', ...entity });
  const file = (name: string, ...results: RecallResult[]) => ({ files: [{ file: name, results }] });

  it('brings its summary and the records about it', () => {
    const finds = file(
      'src/tax/round.ts',
      summary('note:file-src-tax-round-ts'),
      summary('note:file-src-other-ts'),
      record('record:a', 'Halves go to even', entity),
      record('record:b', 'Something else'),
    );
    expect(choose(finds, { prompt })).toEqual(['note:file-src-tax-round-ts', 'record:a']);
    expect(choose(file('round.ts', summary('note:file-src-tax-round-ts')), { prompt: 'simplify round.ts' })).toEqual([
      'note:file-src-tax-round-ts',
    ]);
  });

  it('brings what was decided about it, where both name it with its folder', () => {
    const text = 'Halves go to even in `tax/round.ts`, because the tax office wants it so.';
    const weak = { coverage: 0.9, cosine: 0.4, words: ['tax', 'round.ts'] };
    const decided = said('idea:0', text, { kind: 'decision', tells: weak });
    const concluded = said('idea:1', text.replace('Halves', 'Thirds'), { tells: weak });
    const elsewhere = said('idea:2', 'Halves go to even in `round.ts`, whatever anybody else says.', {
      kind: 'decision',
      tells: weak,
    });
    const asking = { prompt: 'simplify the weird loops in src/tax/round.ts' };
    expect(choose(file('src/tax/round.ts', decided, concluded, elsewhere), asking)).toEqual(['idea:0']);
    expect(choose(file('round.ts', decided), { prompt: 'simplify the weird loops of round.ts' })).toEqual([]);
  });
});
