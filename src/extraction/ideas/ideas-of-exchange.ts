// From an exchange to the ideas in it: what was said, turn by turn, what its events say, what was decided by a short answer, and what of it is
// settled by what followed. Pure: an exchange that is read again, with the prompt behind it, gives the ideas that hold then.

import { isSaid } from '../../model/provenance.ts';
import type { TraceEvent, TraceItem, Turn } from '../../model/trace.ts';
import { removePrivate } from '../../safety/private-tags.ts';
import { type Exchange, promptOf, speechesOf, type TurnSpeech } from '../exchanges/exchange.ts';
import { goAheads } from '../exchanges/go-ahead.ts';
import { fateOf, isHeadedLeft, leftAs } from '../exchanges/left-open.ts';
import { asks } from '../labels/features.ts';
import { type Judged, judgeSpeech, SEARCH_ONLY } from '../labels/judge-speech.ts';
import type { Statement } from '../statements/statement.ts';
import { statementsOf } from '../statements/statements-of.ts';
import { topicWords } from '../topic-words.ts';
import type { ExchangeIdea } from './exchange-idea.ts';
import { ideasOfEvent } from './ideas-of-event.ts';
import { type Joined, join } from './join.ts';
import { mendedBy } from './mended.ts';
import { outlineOf } from './outline.ts';
import { pageIdeas } from './page-ideas.ts';

/** In the order of the lines. `next`: the prompt that followed, where there is one. */
export function ideasOfExchange(exchange: Exchange, next: Turn | undefined): ExchangeIdea[] {
  const speeches = new Map(speechesOf(exchange, next).map((speech) => [speech.turn, speech]));
  const parts = new Map([[exchange.start, exchange.taken ?? 0]]);
  const found: ExchangeIdea[] = [];
  for (const item of exchange.items) {
    const ideas =
      item.kind === 'turn'
        ? ofTurn(speeches.get(item), exchange)
        : item.event === 'success'
          ? mendedBy(item, exchange.items, found)
          : ofEvent(item, exchange, next);
    const first = parts.get(item.line) ?? 0;
    parts.set(item.line, first + ideas.length);
    const offset = found.length;
    ideas.forEach((idea, at) => {
      const answers = idea.answers === undefined ? {} : { answers: offset + idea.answers };
      found.push({ ...withFate(idea, exchange, next), part: first + at, ...answers });
    });
  }
  return found;
}

function ofTurn(speech: TurnSpeech | undefined, exchange: Exchange): ExchangeIdea[] {
  if (!speech) return [];
  const { turn, text, place } = speech;
  const { role, line, time } = turn;
  const base = { role, speaker: turn.speaker ?? role, line, time, part: 0 };
  const judged = withLastQuestion(speech, withWhatIsLeft(speech, judgeSpeech(speech)));
  const blocks = extentsOf(speech.statements);
  const ideas: ExchangeIdea[] = join(text, judged).map((each) => ({
    ...base,
    ...besideOf(text, each, blocks.get(each.statement.block)),
    text: each.statement.prefix + evenBlanks(text.slice(each.start, each.end)).trim(),
    intent: each.intent,
    stance: each.stance,
    confidence: each.confidence,
    worth: each.worth,
    provenance: each.statement.provenance,
    place,
    ...(each.searchOnly ? { searchOnly: true as const } : {}),
  }));
  const outline = outlineOf(text, judged);
  if (outline !== '')
    ideas.unshift({
      ...base,
      text: outline,
      intent: 'context',
      stance: 'stated',
      confidence: SEARCH_ONLY,
      worth: 0,
      provenance: 'said',
      place,
      searchOnly: true,
      isRetold: true,
    });
  if (turn !== promptOf(exchange)) return ideas;
  const decided = goAheads(exchange.asked, text).map(
    (said): ExchangeIdea => ({
      ...base,
      text: said,
      intent: 'decision',
      stance: 'stated',
      confidence: GO_AHEAD.confidence,
      worth: GO_AHEAD.worth,
      provenance: 'said',
      place,
      isGoAhead: true,
    }),
  );
  // “yes” alone says nothing that the two together do not say better.
  const own =
    decided.length === 0 ? ideas : ideas.filter(({ text: said }) => new Set(topicWords(said)).size >= FEWEST_OWN);
  return [...own, ...decided];
}

/** What an answer ends on is what the next prompt replies to: “Want me to do that?” is kept to be found, however little it says. */
function withLastQuestion({ place, text }: TurnSpeech, judged: Judged[]): Judged[] {
  const last = judged.at(-1);
  if (place !== 'final' || !last?.slight || last.statement.provenance !== 'said') return judged;
  return asks(text.slice(last.statement.start, last.statement.end))
    ? judged.with(-1, { ...last, slight: false })
    : judged;
}

/** Items below a heading that says that they are left are tasks, however little they say: each for itself. */
const withWhatIsLeft = ({ place, text }: TurnSpeech, judged: Judged[]): Judged[] =>
  place === 'final' ? judged.map((each) => (isLeftItem(text, each) ? { ...each, ...LEFT_ITEM } : each)) : judged;

const LEFT_ITEM = { intent: 'todo', confidence: 0.6, worth: 0.3, searchOnly: false, slight: false } as const;
const FEWEST_OF_ITEM = 2;
/** Behind the row that names the columns of a table. */
const RULE_BELOW = /^[ \t]*\r?\n[ \t]*\|?[ \t]*:?-{2,}/;

function isLeftItem(text: string, { statement, searchOnly }: Judged): boolean {
  const { kind, prefix, provenance, start, end } = statement;
  if (!searchOnly || provenance !== 'said' || (kind !== 'item' && kind !== 'row')) return false;
  if (kind === 'row' && RULE_BELOW.test(text.slice(end, end + 200))) return false;
  const said = text.slice(start, end);
  return isHeadedLeft(prefix + said, 'context') && !asks(said) && new Set(topicWords(said)).size >= FEWEST_OF_ITEM;
}

type Extent = { readonly start: number; readonly end: number };

/** From where to where each paragraph says something: looked up once, because one that was pasted has thousands of statements. */
function extentsOf(statements: readonly Statement[]): ReadonlyMap<Statement['block'], Extent> {
  const found = new Map<Statement['block'], Extent>();
  for (const { block, start, end } of statements) {
    const known = found.get(block) ?? { start, end };
    found.set(block, { start: Math.min(known.start, start), end: Math.max(known.end, end) });
  }
  return found;
}

/** The rest of its paragraph: it helps to find the idea. */
function besideOf(text: string, { start, end }: Joined, block: Extent | undefined): { beside?: string } {
  const from = Math.min(start, block?.start ?? start);
  const to = Math.max(end, block?.end ?? end);
  const rest = `${text.slice(Math.max(from, start - BESIDE), start)} ${text.slice(end, Math.min(to, end + BESIDE))}`;
  const beside = evenBlanks(rest).trim();
  return beside === '' ? {} : { beside: beside.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '') };
}

const BESIDE = 200;

const FEWEST_OWN = 3;
const GO_AHEAD = { confidence: 0.7, worth: 0.5 };

function ofEvent(item: TraceEvent, { items }: Exchange, next: Turn | undefined): ExchangeIdea[] {
  switch (item.event) {
    case 'plan':
      return ofPlan(item, isAccepted(item, items, next));
    case 'compaction':
      return item.summary === undefined
        ? []
        : ofDocument(item, item.summary, { place: 'final', isPlan: false }).map((idea) => ({
            ...idea,
            isRetold: true,
          }));
    case 'page':
      return pageIdeas(item.text).map((idea) => ({
        ...idea,
        text: `${item.source}: ${idea.text}`,
        role: 'assistant',
        speaker: 'tool',
        provenance: 'outside',
        line: item.line,
        time: item.time,
        part: 0,
      }));
    default:
      return ideasOfEvent(item);
  }
}

/** What of a plan is decided, once it is accepted; before that, it is a proposal that can be found. */
function ofPlan(item: Extract<TraceEvent, { event: 'plan' }>, accepted: boolean): ExchangeIdea[] {
  const ideas = ofDocument(item, item.text, { place: 'prompt', isPlan: true });
  if (accepted) return ideas;
  return ideas.map(({ fate: _, ...idea }) => ({
    ...idea,
    intent: 'context',
    stance: 'stated',
    confidence: 0.3,
    searchOnly: true,
  }));
}

/** Handed over to be carried out in the very next prompt counts as accepted, whatever the client was told. */
function isAccepted(plan: TraceItem, items: readonly TraceItem[], next: Turn | undefined): boolean {
  const verdict = items
    .slice(items.indexOf(plan) + 1)
    .find(
      (item): item is Extract<TraceEvent, { event: 'plan-verdict' }> =>
        item.kind === 'event' && item.event === 'plan-verdict',
    );
  return verdict?.accepted === true || /^\s*implement the following plan/i.test(next?.text ?? '');
}

type DocumentPlace = { readonly place: TurnSpeech['place']; readonly isPlan: boolean };

/** A text that the agent wrote as a document: its statements are judged as if they stood in a turn. */
function ofDocument(item: TraceEvent, whole: string, { place, isPlan }: DocumentPlace): ExchangeIdea[] {
  const text = whole.includes('<private') ? removePrivate(whole) : whole;
  const { statements } = statementsOf(text, 'assistant');
  const speech = {
    text,
    place,
    statements,
    isAside: false,
    isPlan,
    isFirst: false,
    wrote: false,
    wroteBefore: false,
    committed: false,
    failed: false,
    worksOn: false,
    asked: '',
    next: undefined,
  };
  return join(text, judgeSpeech(speech)).map((each) => ({
    text: each.statement.prefix + evenBlanks(text.slice(each.start, each.end)).trim(),
    intent: each.intent,
    stance: each.stance,
    confidence: each.confidence,
    worth: each.worth,
    ...(each.searchOnly ? { searchOnly: true as const } : {}),
    role: 'assistant',
    speaker: item.speaker ?? 'assistant',
    provenance: each.statement.provenance,
    line: item.line,
    time: item.time,
    part: 0,
    // A plan is carried out and a summary is gone on from: what they name is not what was left.
    ...(each.intent === 'todo' || each.intent === 'question' ? { fate: 'settled' as const } : {}),
  }));
}

function withFate(idea: ExchangeIdea, { items }: Exchange, next: Turn | undefined): ExchangeIdea {
  const { place } = idea;
  if (idea.fate || idea.searchOnly || place === undefined || !isSaid(idea)) return idea;
  const left = leftAs({ ...idea, place }, next);
  if (left) return { ...idea, ...surelyLeft(idea), intent: left, fate: 'left' };
  const fate = fateOf({ ...idea, place }, items, next);
  return fate ? { ...idea, fate } : idea;
}

/** Said in so many words: as sure and as much worth as a task of the list, at least. */
const surelyLeft = ({ confidence, worth }: ExchangeIdea): Pick<ExchangeIdea, 'confidence' | 'worth'> => ({
  confidence: Math.max(confidence, 0.6),
  worth: Math.max(worth, 0.3),
});

const UNEVEN_BLANKS = /\s\s|[^\S ]/;
const evenBlanks = (text: string): string => (UNEVEN_BLANKS.test(text) ? text.replace(/\s+/g, ' ') : text);
