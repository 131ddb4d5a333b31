import { describe, expect, it } from 'vitest';
import { isPlainDecision, isStillToDo, withoutExplanation, withoutListName } from './shown-alone.ts';

describe('a decision that is shown by itself', () => {
  it.each([
    'Amounts are kept in cents, never as floats.',
    'we also run the nightly export on staging, so we need to keep its queue',
    'I think for now we should show a dash where the address is missing',
    'I would like to use one ledger for all branches',
    'also, the mobile app should read the old format',
    'Which store takes the ledger? — Postgres',
    'Where should this go? — into the settings page',
    'Shall I start the mail server? — there is none here, the letters are kept on the host',
    'What should come next to the total? — the rate',
    'if the address is missing, a dash is shown',
    'Key design decisions: the rate is asked for once, and only in the worker',
    'Approach: new invoices get random numbers, old ones keep theirs',
    'I honestly feel that we must round at the end, not before',
  ])('says what it is about: %s', (text) => expect(isPlainDecision(text)).toBe(true));

  it.each([
    'lets handle this via a separate ticket then',
    'starting from the old branch for this would be wrong',
    'this makes me ask why the ledger is closed at night',
    'it should be in the settings page',
    'especially for large files the real ones are easier',
    'with the address coming from the login only, the page stays empty',
    'I honestly feel that the risk is quite low',
    'at this point I am starting to feel like the library is in the way',
    'I think the other alternative is a queue of our own',
    'I have already cleared the staging data once and would prefer not to have to do it again',
    'src/pages/tax.html: reads the rate from the table',
    'Issue found: nobody is told that the rate is missing',
    'Align the names and use one of them on this page',
    'Something should also be shown in the list of invoices',
    'I like the idea of a second queue',
    'yeah, I think the other way is a queue of our own',
    'ok so with the address coming from the login, the page stays empty',
    'as a suggestion, why not take real files',
    'What would you like to do next? — ok, lets file the bills as they are, and then look at the stamps, the letters and the rates',
    'The page is done. How would you like to proceed? — first the table of rates, then the bills of last year',
    'bills that are not in the list above can wait for the next month',
    'the above bills are sent on Mondays',
    '" we want to see the number of bills',
    'we should only look at the rates and “…”',
  ])('is nothing that hangs on what was said before, and no thinking aloud: %s', (text) =>
    expect(isPlainDecision(text)).toBe(false),
  );
});

describe('a task that is shown by itself', () => {
  it('is still to do', () => {
    expect(isStillToDo('Add a retry to the export of invoices')).toBe(true);
    expect(isStillToDo('The reviewer was right: the count of rows is still off')).toBe(true);
  });

  it.each([
    'Deferred: the reviewer was wrong, the count is the one of the file',
    'The index is already in place, see the migration',
    "You'll need to wait a bit for the cache to take the new key",
    'The doubled check is intentional and stays',
    'No changes needed in the worker',
  ])('and does not say that there is nothing to do: %s', (text) => expect(isStillToDo(text)).toBe(false));
});

it('a line does not name the list that it stood in', () => {
  expect(withoutListName('Design Decisions (from user): Plans are plain text')).toBe('Plans are plain text');
  expect(withoutListName('Pending todos: rotate the log')).toBe('rotate the log');
  expect(withoutListName('Approach: plans are plain text')).toBe('Approach: plans are plain text');
});

it('of a long question with its answer the question itself is kept, and the answer', () => {
  expect(
    withoutExplanation('The bills lie in a folder. Which one takes the letters? — the one of the shop. Only that'),
  ).toBe('Which one takes the letters? — the one of the shop. Only that');
  expect(withoutExplanation('The bills lie in a folder. Letters too')).toBe('The bills lie in a folder. Letters too');
});
