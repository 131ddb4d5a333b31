// What was mended: a cause with its change, where something was wrong and something was done about it.
import { describe, expect, it } from 'vitest';
import { assistant, commit, event, exchangeOf, user, work, wrote } from '../../../test/fixtures/conversation.ts';
import type { TraceItem } from '../../model/trace.ts';
import type { ExchangeIdea } from '../ideas/exchange-idea.ts';
import { fixesIn } from './fixes.ts';

const idea = (
  intent: ExchangeIdea['intent'],
  text: string,
  line = 9,
  more: Partial<ExchangeIdea> = {},
): ExchangeIdea => ({
  ...{ text, intent, line, stance: 'stated', confidence: 0.8, worth: 0.4, role: 'assistant' },
  ...{ speaker: 'assistant', provenance: 'said', part: 0, time: 1_000, place: 'final' },
  ...more,
});
const between = { place: 'between' } as const;
const NO_PLACE = { place: undefined } as unknown as Partial<ExchangeIdea>;
const fixed = (ideas: readonly ExchangeIdea[], ...items: readonly [TraceItem, ...TraceItem[]]): string[] =>
  fixesIn(exchangeOf(items), ideas).map(({ cause, change }) =>
    cause ? `${cause.text} → ${change.text}` : change.text,
  );
const FAILS = user('The invoice export still fails, have a look.', 1);

describe('a fix', () => {
  it('pairs each change with the cause that has its words', () => {
    const ideas = [
      idea('conclusion', 'The upload fails because the token is read twice.', 3, between),
      idea('conclusion', 'The badge is wrong because the counter starts at one.', 5, between),
      idea('solution', 'The counter of the badge starts at zero.', 9),
      idea('solution', 'The token of an upload is read once.', 9, { part: 1 }),
    ];
    expect(fixed(ideas, FAILS, wrote(6, 'upload.ts'))).toEqual([
      'The badge is wrong because the counter starts at one. → The counter of the badge starts at zero.',
      'The upload fails because the token is read twice. → The token of an upload is read once.',
    ]);
  });

  it('is not every change of an exchange in which something was wrong, and no change that was left or only proposed', () => {
    const ideas = [
      idea('solution', 'Fixed the invoice export by closing the stream.'),
      idea('solution', 'Renamed a variable of the settings page.'),
      idea('solution', 'The failing login test is a pre-existing issue, fixed elsewhere.'),
      idea('solution', "I'd have fixed the invoice template too."),
    ];
    expect(fixed(ideas, FAILS, wrote(6, 'export.ts'))).toEqual(['Fixed the invoice export by closing the stream.']);
  });

  it('needs somebody who did something, or is seen to be over', () => {
    const told = idea('solution', 'Fixed the invoice export by closing the stream.');
    expect(fixed([told], FAILS)).toEqual([]);
    expect(fixed([told], FAILS, commit(5, 'fix: close the stream'))).toHaveLength(1);
    const over = idea('conclusion', 'The timeouts have stopped since the new token is in place.');
    expect(fixed([over], user('ok I updated it', 1))).toEqual([over.text]);
  });

  it('is what a lead says was fixed, and what is seen to be over, whatever their label', () => {
    const missing = idea('problem', '**Export fix:** the stream was missing its end, so every second file was cut.');
    const plain = idea('problem', 'The stream was missing its end, so every second file was cut.');
    const over = idea('context', 'The new token is in place and the timeouts have stopped.');
    const place = idea('context', 'The new token is in place.');
    const asked = user('Have a look at the export.', 1);
    expect(fixed([missing], asked, commit(5, 'Close the stream'))).toEqual([missing.text]);
    expect(fixed([plain], asked, commit(5, 'Close the stream'))).toEqual([]);
    expect(fixed([over], asked)).toEqual([over.text]);
    expect(fixed([place], asked)).toEqual([]);
  });

  it('is none where a plan for something new was carried out, whatever the plan says of today', () => {
    const plan = user(`Implement the following plan:\n\n# Add an export\n\n${'Today it breaks. '.repeat(120)}`, 1);
    const made = idea('solution', 'Added the export of invoices.');
    const today = idea('problem', 'The export of invoices breaks today.', 1, { role: 'user', place: 'prompt' });
    expect(fixed([today, made], plan, wrote(6, 'export.ts'))).toEqual([]);
    const repair = user(plan.text.replace('# Add an export', '# Fix the broken export'), 1);
    expect(fixed([today, made], repair, wrote(6, 'export.ts'))).toEqual([made.text]);
  });
});

describe('what was found on the way', () => {
  const cause = idea('conclusion', 'The issue was a stale server without the new setting.', 4, between);

  it('is told where something was done behind it and the answer does not say it again', () => {
    expect(fixed([cause], FAILS, wrote(6, 'server.ts'))).toEqual([cause.text]);
    expect(fixed([cause], FAILS, wrote(3, 'server.ts'), work(7))).toEqual([]);
    const again = idea('solution', 'Fixed the stale server: it has the new setting.');
    expect(fixed([cause, again], FAILS, wrote(6, 'server.ts'))).toEqual([`${cause.text} → ${again.text}`]);
  });

  it('is what was said to have been wrong before what is, and no guess', () => {
    const now = ['upload', 'badge', 'counter', 'invoice'].map((what, at) =>
      idea('conclusion', `The ${what} fails because a setting of the ${what} is read twice.`, 2 + at, {
        ...between,
        worth: 0.5,
      }),
    );
    const found = fixed([...now, { ...cause, line: 6 }], FAILS, wrote(8, 'server.ts'));
    expect(found).toHaveLength(3);
    expect(found).toContain(cause.text);
    const guess = idea('conclusion', 'The issue is likely a race condition of two uploads.', 4, between);
    expect(fixed([guess], FAILS, wrote(6, 'server.ts'))).toEqual([]);
  });

  it('is why somebody who objected was right', () => {
    const why = idea('conclusion', 'The second migration creates the table already.', 2, between);
    const objects = user('but why would you create the table twice?', 1);
    const agrees = assistant("You're right. The second migration creates the table already.", 2);
    expect(fixed([why], objects, agrees, wrote(4, 'schema.ts'))).toEqual([why.text]);
    expect(fixed([why], objects, agrees)).toEqual([]);
    expect(
      fixed([why], objects, assistant('The second migration creates the table already.', 2), wrote(4, 'a.ts')),
    ).toEqual([]);
  });

  it('is what was wrong with a change that was taken back', () => {
    const ideas = [
      idea('problem', 'The script writes the layout file itself.', 3, between),
      idea('problem', 'The budget is nearly used up.', 4, between),
      idea('solution', 'Taken back: designs/layout.pen', 5, NO_PLACE),
    ];
    expect(fixed(ideas, user('what is it doing?', 1), event('revert', 5, { what: 'designs/layout.pen' }))).toEqual([
      'The script writes the layout file itself. → Taken back: designs/layout.pen',
    ]);
  });
});
