// The numbers of a replay, from its rows alone: how often Cairn spoke, to which prompts, what kind of lines, and, where a reader
// has judged them, how many were useful.
import { VERDICTS } from './replay-judgements.mjs';
import { tellingWords } from './telling-words.mjs';

const FEW_WORDS = 3;
const NARRATION =
  /^(?:now |ok(?:ay)?[,.]? |good[,.]? |great[,.]? |alright[,.]? )*(?:let me|let's|i'll|i will|i'm going to|i need to|now i)\b/i;
/** Said so that a turn can be found again, and worth nothing by itself. */
const A_GUESS = 0.3;

/** What a line is, of the kinds that should not be told unasked. */
function sortOf({ kind, confidence, worth, search_only: isSearchOnly, said }) {
  if (kind === 'question' || kind === 'todo') return kind;
  // Statements with a worth of their own say themselves whether they are only there to be found.
  const isGuess = worth === undefined ? confidence !== undefined && confidence <= A_GUESS : isSearchOnly === true;
  return isGuess || NARRATION.test(said) ? 'narration' : 'other';
}

/** `rows`: as they are written for a reader; `verdictOf`: what one said of a row. */
export function reportOf(rows, verdictOf) {
  const of = (what) => rows.filter((row) => row.what === what);
  return [
    ...promptSection(of('asked'), of('prompt'), verdictOf),
    ...goldSection(of('gold')),
    ...startSection(of('started'), of('start'), verdictOf),
    ...triageSection(of('stopped'), of('triage'), { decisions: of('decision'), verdictOf }),
  ];
}

function promptSection(asked, lines, verdictOf) {
  const few = asked.filter(({ prompt }) => tellingWords(prompt).length < FEW_WORDS);
  const many = asked.filter((each) => !few.includes(each));
  const first = asked.filter(({ first: isFirst }) => isFirst);
  const spoken = (list) => list.filter(({ told }) => told > 0);
  const tokens = sum(asked.map((each) => each.tokens));
  return [
    '### Prompts',
    '',
    `${asked.length} prompts, spoken to ${share(spoken(asked).length, asked.length)}; ${lines.length} lines, ${ratio(lines.length, asked.length)} a prompt, ${ratio(lines.length, spoken(asked).length)} where it spoke.`,
    `Spoken to with fewer than ${FEW_WORDS} telling words: ${share(spoken(few).length, few.length)}; with ${FEW_WORDS} or more: ${share(spoken(many).length, many.length)}; first of a session: ${share(spoken(first).length, first.length)}.`,
    `Tokens: ${tokens}, ${ratio(tokens, asked.length)} a prompt, ${ratio(tokens, spoken(asked).length)} where it spoke; to prompts with fewer than ${FEW_WORDS} telling words ${share(sum(few.map((each) => each.tokens)), tokens)}.`,
    `Repeats: ${repeats(lines, ({ session, text }) => `${session} ${text}`)} in one session, ${repeats(lines, ({ text }) => text)} over all sessions.`,
    `Lines by sort: ${counts(lines, sortOf)}. By kind: ${counts(lines, ({ kind }) => kind)}. By speaker: ${counts(lines, ({ by }) => by)}.`,
    `Lines by age: ${counts(lines, ({ age }) => ageOf(age))}.`,
    `Milliseconds a prompt: median ${middle(asked.map((each) => each.ms))}, most ${Math.max(0, ...asked.map((each) => each.ms))}.`,
    ...judged(lines, verdictOf, 'lines'),
    ...helped(asked, lines, verdictOf),
    '',
  ];
}

/** Prompts with at least one useful line, and those with nothing but noise, among those whose lines are all judged. */
function helped(asked, lines, verdictOf) {
  const placeOf = ({ session, line }) => `${session}:${line}`;
  const verdicts = new Map();
  for (const each of lines) verdicts.set(placeOf(each), [...(verdicts.get(placeOf(each)) ?? []), verdictOf(each)]);
  const whole = [...verdicts.values()].filter((each) => each.every(Boolean));
  if (whole.length === 0) return [];
  const useful = whole.filter((each) => each.includes('useful')).length;
  const noise = whole.filter((each) => each.every((verdict) => verdict === 'noise')).length;
  return [
    `Of ${whole.length} prompts whose lines are all judged (${asked.length} in all): helped ${useful}, only noise ${noise}.`,
  ];
}

function goldSection(gold) {
  if (gold.length === 0) return [];
  const came = sum(gold.map((each) => each.came));
  const all = sum(gold.map((each) => each.of));
  return [
    `Prompts with known answers, asked at the end: ${share(gold.filter((each) => each.came > 0).length, gold.length)} got one; of their gold lines ${share(came, all)} came.`,
    ...gold.map(({ prompt, came: hits, of, told }) => `- ${hits} of ${of} with ${told} lines: ${prompt}`),
    '',
  ];
}

function startSection(started, lines, verdictOf) {
  const spoken = started.filter(({ told }) => told > 0).length;
  return [
    '### Session starts',
    '',
    `${started.length} starts, spoken to ${share(spoken, started.length)}; ${lines.length} lines, ${ratio(lines.length, spoken)} where it spoke.`,
    `By section: ${counts(lines, ({ section }) => section.replace(/\s*\(.*$/, '') || 'without')}.`,
    ...judged(lines, verdictOf, 'lines'),
    ...[...new Set(lines.map(({ section }) => section.replace(/\s*\(.*$/, '')))].flatMap((name) => {
      const own = lines.filter(({ section }) => section.replace(/\s*\(.*$/, '') === name);
      const text = verdictCounts(own, verdictOf);
      return text === undefined ? [] : [`- ${name || 'without a section'}: ${text}`];
    }),
    '',
  ];
}

function triageSection(stopped, asks, { decisions, verdictOf }) {
  const asked = decisions.filter(({ when }) => when !== '');
  const at = (moment) => share(decisions.filter(({ when }) => when === moment).length, decisions.length);
  const named = decisions.filter((each) => each.named);
  return [
    '### Triage',
    '',
    `${stopped.length} ends of turns, asked at ${share(asks.length, stopped.length)}; for ${counts(
      asks.flatMap(({ categories }) => categories),
      (category) => category,
    )}.`,
    ...(decisions.length === 0
      ? []
      : [
          `Labelled decisions: ${decisions.length}; asked about ${share(asked.length, decisions.length)}: when their turn ended ${at('asked')}, later in the conversation ${at('later')}, in another one ${at('elsewhere')}; for a decision ${share(asked.filter((each) => each.categories.includes('decision')).length, decisions.length)}, in words that name it ${share(named.length, decisions.length)}.`,
        ]),
    ...judged(asks, verdictOf, 'asks'),
    '',
  ];
}

function judged(rows, verdictOf, name) {
  const text = verdictCounts(rows, verdictOf);
  if (text === undefined) return [];
  const left = rows.filter((row) => verdictOf(row) === undefined).length;
  return [`Judged ${name}: ${text}; not judged yet: ${left}.`];
}

function verdictCounts(rows, verdictOf) {
  const verdicts = rows.map(verdictOf).filter(Boolean);
  if (verdicts.length === 0) return undefined;
  const each = VERDICTS.map(
    (name) => `${name} ${share(verdicts.filter((own) => own === name).length, verdicts.length)}`,
  );
  return `${verdicts.length}: ${each.join(', ')}`;
}

const DAY_MS = 86_400_000;
export const daysBetween = (from, to) => Math.round(((to - from) / DAY_MS) * 10) / 10;

function ageOf(days) {
  if (days === undefined) return 'unknown';
  return days <= 1 ? 'at most a day' : days < 5 ? 'to 5 days' : '5 days and more';
}

function repeats(rows, keyOf) {
  return rows.length - new Set(rows.map(keyOf)).size;
}

function counts(rows, nameOf) {
  const counted = new Map();
  for (const row of rows) counted.set(nameOf(row), (counted.get(nameOf(row)) ?? 0) + 1);
  if (counted.size === 0) return 'none';
  return [...counted]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${share(count, rows.length)}`)
    .join(', ');
}

const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);
const middle = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
const ratio = (part, whole) => (whole === 0 ? '–' : (part / whole).toFixed(part / whole < 10 ? 1 : 0));
const share = (part, whole) => `${part}${whole === 0 ? '' : ` (${Math.round((100 * part) / whole)} %)`}`;
