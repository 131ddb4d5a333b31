// From the items of a transcript to rows of the store, exchange by exchange: ideas with their entities and relations, exchanges and topics with
// their text. A fold over plain JSON state: the items of the exchange that is still open are part of it, its rows are drawn whenever a batch
// is written, and drawn anew when it goes on, so that a transcript indexed line by line gives the same rows as one indexed at once.

import { entitiesOf } from '../../extraction/entities/entities-of.ts';
import type { Entity } from '../../extraction/entities/entity.ts';
import {
  continued,
  type Exchange,
  firstExchange,
  hasTurn,
  isFull,
  isPrompt,
  nextExchange,
  withItem,
} from '../../extraction/exchanges/exchange.ts';
import type { ExchangeIdea } from '../../extraction/ideas/exchange-idea.ts';
import { ideasOfEvent, isSettledTask } from '../../extraction/ideas/ideas-of-event.ts';
import { ideasOfExchange } from '../../extraction/ideas/ideas-of-exchange.ts';
import { mayChange, type Relation, relationsIn, type Statement } from '../../extraction/relations/relations-of.ts';
import { type ExchangeText, exchangeText } from '../../extraction/topics/exchange-text.ts';
import { NO_TOPIC, type TopicState, withExchange } from '../../extraction/topics/topics.ts';
import { isSaid } from '../../model/provenance.ts';
import { isStandingWish, STANDING_TAG } from '../../model/standing-wish.ts';
import type { Idea, TraceItem, Turn } from '../../model/trace.ts';
import type { Change, Document } from '../../store/store.ts';
import {
  agentOf,
  branchOf,
  generationIn,
  ideaRefOf,
  rowHash,
  spanRefOf,
  type TracePlace,
  threadAt,
} from './row-names.ts';
import { EXCHANGE_DEPTH, exchangeRow, topicRow } from './span-rows.ts';
import { twinAt } from './twin-transcript.ts';

export type TraceState = {
  readonly topics: TopicState;
  /** The exchange that is still going on. Null, not missing: what is written down keeps the order of its fields. */
  readonly exchange: Exchange | null;
  /** The refs of the rows that were drawn of it. */
  readonly drawn: readonly string[];
  /** What the user or the client called the conversation. */
  readonly title: Title | null;
  /** The newest statements, for what refers to them. */
  readonly recent: readonly Statement[];
  /** What the user said of their own affairs that may change: amounts, dates. Looked back at longer than all else. */
  readonly told: readonly Statement[];
  /** The end of what was said before the exchange: what a short answer is about. */
  readonly before: string;
  /** Milliseconds of the newest item: stands in where an item has no time. */
  readonly time: number;
  /** Tasks that are not done yet, to be marked when they are. */
  readonly tasks: readonly OpenTask[];
  /** Paths that tools have touched or somebody has named, the newest first: what a bare file name means. */
  readonly files: readonly string[];
};

export type OpenTask = { readonly text: string; readonly line: number; readonly part: number } & {
  readonly time: number;
  readonly span: string | undefined;
};

type Title = { readonly text: string; readonly by: 'user' | 'client' };

export const FIRST_TRACE_STATE: TraceState = {
  topics: NO_TOPIC,
  exchange: null,
  drawn: [],
  title: null,
  recent: [],
  told: [],
  before: '',
  time: 0,
  tasks: [],
  files: [],
};

/** Statements of other conversations of the project. */
export type FindEarlier = {
  /** Those that a new one may refer to. */
  readonly for: (statement: Statement) => Promise<readonly Statement[]>;
  /** What they left open. */
  readonly open: () => Promise<readonly Statement[]>;
};

const RECENT = 60;
const TOLD = 48;
const BEFORE_LENGTH = 320;
const TITLE_LENGTH = 120;
const OPEN_TASKS = 40;
const FILES = 100;
const ASKED_AND_ANSWERED = { relation: 'answers', confidence: 1, rule: 'asked-and-answered' } as const;

/** The ideas of an exchange; another thread may have them ready. */
export type IdeasOf = (exchange: Exchange, next: Turn | undefined) => readonly ExchangeIdea[];

export type TraceRows = { readonly state: TraceState; readonly rows: readonly Change[] };

/** Takes in one item, which has gone through redaction: nothing after this sees a secret. Rows come when an exchange is over. */
export async function rowsOf(
  state: TraceState,
  item: TraceItem,
  place: TracePlace,
  findEarlier: FindEarlier,
  ideasOf: IdeasOf = ideasOfExchange,
): Promise<TraceRows> {
  const { exchange } = state;
  if (!exchange) return { state: { ...state, exchange: firstExchange(item) }, rows: [] };
  // What the client noted before the first prompt belongs to it.
  const isNext = isPrompt(item) && hasTurn(exchange);
  // Rows are named by the line that they begin in: what stands in one line begins one exchange.
  if (item.line === exchange.start || (!isNext && !isFull(exchange)))
    return { state: { ...state, exchange: withItem(exchange, item) }, rows: [] };
  const closed = await readExchange(state, exchange, { next: isNext ? item : undefined, place, findEarlier, ideasOf });
  const opened = isNext ? nextExchange(exchange, item) : continued(exchange, item);
  const taken = closed.ideas.reduce((parts, idea) => (idea.line === item.line ? idea.part + 1 : parts), 0);
  const after = { ...closed.state, exchange: taken > 0 ? { ...opened, taken } : opened, drawn: [] };
  return { state: after, rows: closed.rows };
}

/** The rows of the exchange that is still open, as they are now. The state remembers which there are. */
export async function openRows(
  state: TraceState,
  place: TracePlace,
  findEarlier: FindEarlier,
  ideasOf: IdeasOf = ideasOfExchange,
): Promise<TraceRows> {
  const { exchange } = state;
  if (!exchange) return { state, rows: [] };
  const { rows } = await readExchange(state, exchange, { next: undefined, place, findEarlier, ideasOf });
  const drawn = rows.flatMap((row) => (row.op === 'put' ? [row.document.ref] : []));
  return { state: { ...state, drawn }, rows };
}

type Reading = {
  readonly next: Turn | undefined;
  readonly place: TracePlace;
  readonly findEarlier: FindEarlier;
  readonly ideasOf: IdeasOf;
};

/** All rows of one exchange, and the state behind it. */
async function readExchange(
  state: TraceState,
  exchange: Exchange,
  { next, place, findEarlier, ideasOf }: Reading,
): Promise<TraceRows & { readonly ideas: readonly ExchangeIdea[] }> {
  const ideas = ideasOf(exchange, next);
  const text = exchangeText(exchange, ideas);
  if (saysNothing(text, ideas)) return { state, ideas, rows: removed(state.drawn, [], place) };
  const { state: topics, topic, name } = withExchange(state.topics, exchange, text);
  const span = spanRefOf(threadAt(place, exchange.start), exchange.start, EXCHANGE_DEPTH);
  const befores = wordsBefore(exchange, state.before);
  const originals = new Map(exchange.items.flatMap(({ line, original }) => (original ? [[line, original]] : [])));
  const refOf = ({ line, part }: ExchangeIdea): string => {
    const original = originals.get(line);
    return original ? ideaRefOf(original.thread, original.line, part) : ideaRefOf(threadAt(place, line), line, part);
  };
  const rows: Change[] = [];
  let { recent, told, time, tasks } = state;
  // What was touched in an exchange is what its words mean, before and behind.
  let files = withFiles(
    state.files,
    exchange.items.flatMap((item) => (item.kind === 'event' && item.event === 'files' ? item.files : [])),
  );
  const timeOf = (line: number): number => exchange.items.findLast((item) => item.line === line)?.time ?? time;
  const isWork = exchange.items.some((item) => item.kind === 'event' && item.event === 'work');
  const said = ideas.map((idea) => {
    time = idea.time ?? timeOf(idea.line);
    const entities = entitiesOf(idea.text, { ...place.entityOptions, files });
    files = withFiles(files, pathsIn(entities));
    const at = statementOf(idea, place, {
      span,
      entities,
      time,
      exchange: exchange.number,
      topic: topic.start,
      isWork,
    });
    const statement = { ...at, ref: refOf(idea) };
    return { idea, statement, entities, time };
  });
  // What somebody else says, or is said once more, answers, replaces and contradicts nothing here.
  const statements = said.filter(({ idea }) => isSaid(idea) && !idea.isRetold).map(({ statement }) => statement);
  const elsewhere = new Map<string, readonly Statement[]>();
  for (const statement of statements) elsewhere.set(statement.ref, await findEarlier.for(statement));
  const open = [...recent.filter(({ isOpen }) => isOpen), ...(await findEarlier.open())];
  const relations = relationsIn(statements, {
    before: recent,
    told,
    open,
    elsewhere: ({ ref }) => elsewhere.get(ref) ?? [],
  });
  for (const { idea, statement, entities, time: saidAt } of said) {
    const before = [idea.beside ?? '', befores.get(idea.line) ?? ''].join(' ').trim();
    const found = relations.get(statement.ref) ?? [];
    const answered = idea.answers === undefined ? undefined : ideas[idea.answers];
    const own = answered ? withAnswered(found, refOf(answered)) : found;
    rows.push(ideaRow(idea, statement, { place, entities, relations: own, before, time: saidAt }));
  }
  recent = [...recent, ...statements.filter(isRemembered)].slice(-RECENT);
  told = [...told, ...statements.filter((each) => !each.searchOnly && mayChange(each))].slice(-TOLD);
  for (const item of exchange.items) {
    time = item.time ?? time;
    const followed = followTasks(tasks, item, { ideas, place, span, time });
    tasks = followed.tasks;
    rows.push(...followed.rows);
  }
  const title = exchange.items.reduce(titleAfter, state.title);
  rows.push(
    topicRow(topic, { place, time, title: title?.text }),
    exchangeRow({ exchange, text, name, topic }, { place, time }),
  );
  const before = lastOf(exchange.items.findLast((item) => item.kind === 'turn')?.text ?? state.before, BEFORE_LENGTH);
  return {
    state: { ...state, topics, title, recent, told, before, time, tasks, files },
    rows: [...removed(state.drawn, rows, place), ...lastOfEach(rows)],
    ideas,
  };
}

/** A conversation often begins with notes of the client, and a command of it is no exchange. */
const saysNothing = ({ asked, files, commits }: ExchangeText, ideas: readonly ExchangeIdea[]): boolean =>
  asked === '' && ideas.length === 0 && files.length === 0 && commits.length === 0;

/** Rows that were drawn while the exchange was open, and are not there any more. */
function removed(drawn: readonly string[], rows: readonly Change[], { project }: TracePlace): Change[] {
  const kept = new Set(rows.flatMap((row) => (row.op === 'put' ? [row.document.ref] : [])));
  const gone = drawn.filter((ref) => !kept.has(ref));
  return gone.length === 0 ? [] : [{ op: 'delete', where: { projects: [project], refs: gone } }];
}

/** A task that was named and settled in one exchange is written once. */
function lastOfEach(rows: readonly Change[]): Change[] {
  const byRef = new Map(rows.map((row) => [row.op === 'put' ? row.document.ref : row, row]));
  return [...byRef.values()];
}

/** What was said last before each line of the exchange. */
function wordsBefore({ items }: Exchange, first: string): Map<number, string> {
  const befores = new Map<number, string>();
  let before = first;
  for (const item of items) {
    if (!befores.has(item.line)) befores.set(item.line, before);
    if (item.kind === 'turn') before = lastOf(item.text, BEFORE_LENGTH);
  }
  return befores;
}

/** What the user called it counts more than what the client did, whichever came last. */
function titleAfter(title: Title | null, item: TraceItem): Title | null {
  if (item.kind !== 'event' || item.event !== 'title' || item.text === '') return title;
  return item.by === 'client' && title?.by === 'user' ? title : { text: item.text, by: item.by };
}

/** The event holds both: nothing needs to be guessed about this one. */
const withAnswered = (relations: readonly Relation[], question: string): Relation[] => [
  { to: question, ...ASKED_AND_ANSWERED },
  ...relations.filter(({ to }) => to !== question),
];

type TaskContext = {
  ideas: readonly ExchangeIdea[];
  place: TracePlace;
  span: string | undefined;
  time: number;
};

/** A task is written down when it is first named; once it is settled, its row says so. */
function followTasks(
  open: readonly OpenTask[],
  item: TraceItem,
  { ideas, place, span, time }: TaskContext,
): { tasks: readonly OpenTask[]; rows: Change[] } {
  if (item.kind !== 'event' || item.event !== 'todo') return { tasks: open, rows: [] };
  if (!isSettledTask(item.state)) {
    const named = ideas
      .filter(
        ({ line, intent, place: said, text }) => line === item.line && intent === 'todo' && !said && text === item.text,
      )
      .map(({ text, line, part }) => ({ text, line, part, time, span }));
    return { tasks: [...open, ...named].slice(-OPEN_TASKS), rows: [] };
  }
  const task = open.find(({ text }) => text === item.text);
  if (!task) return { tasks: open, rows: [] };
  const { line, part, time: begun } = task;
  const named = { kind: item.kind, event: item.event, text: item.text, state: 'pending', line, time: begun } as const;
  const rows = ideasOfEvent(named).map((each) => {
    const idea = { ...each, part };
    const entities = entitiesOf(idea.text, place.entityOptions);
    const statement = statementOf(idea, place, {
      span: task.span,
      entities,
      time: begun,
      exchange: 0,
      topic: undefined,
      isWork: false,
    });
    const row = ideaRow(idea, statement, { place, entities, relations: [], before: '', time: begun });
    return { op: 'put' as const, document: { ...row.document, status: 'done', updatedAt: time } };
  });
  return { tasks: open.filter((each) => each !== task), rows };
}

const withFiles = (known: readonly string[], more: readonly string[]): readonly string[] =>
  more.every((file) => known.includes(file)) ? known : [...new Set([...more, ...known])].slice(0, FILES);

const pathsIn = (entities: readonly Entity[]): string[] =>
  entities.filter(({ kind, name }) => kind === 'file' && name.includes('/')).map(({ name }) => name);

function lastOf(text: string, most: number): string {
  const end = text.slice(-most);
  return /^[\udc00-\udfff]/.test(end) ? end.slice(1) : end; // not half a character
}

type StatementPlace = Pick<Statement, 'span' | 'exchange' | 'topic'> & {
  entities: readonly Entity[];
  time: number;
  isWork: boolean;
};

function statementOf(idea: ExchangeIdea, place: TracePlace, where: StatementPlace): Statement {
  const { span, entities, time, exchange, topic, isWork } = where;
  const { text, intent, stance, role, line } = idea;
  const names = entities.map((entity) => entity.name);
  return {
    ref: ideaRefOf(threadAt(place, line), line, idea.part),
    text,
    intent,
    stance,
    role,
    session: place.session,
    span,
    line,
    time,
    entities: names,
    exchange,
    topic,
    worth: idea.worth,
    ...(isWork ? { isWork: true as const } : {}),
    ...(idea.place === undefined ? {} : { place: idea.place }),
    ...(idea.isGoAhead ? { isGoAhead: true as const } : {}),
    ...(idea.searchOnly ? { searchOnly: true as const } : {}),
    ...(idea.fate === 'left' ? { isOpen: true as const } : {}),
  };
}

/** Of what is kept for search only, nobody refers to more than to what the agent asked last. */
const isRemembered = ({ searchOnly, place }: Statement): boolean => !searchOnly || place === 'final';

type IdeaContext = {
  place: TracePlace;
  entities: readonly Entity[];
  relations: readonly Relation[];
  before: string;
  time: number;
};

function ideaRow(
  idea: Idea & { readonly part: number },
  statement: Statement,
  { place, entities, relations, before, time }: IdeaContext,
): Extract<Change, { op: 'put' }> {
  const document: Document = {
    ref: statement.ref,
    project: place.project,
    layer: 'trace',
    kind: idea.intent,
    status: idea.fate === undefined ? 'active' : idea.fate === 'left' ? 'open' : 'done',
    title: titleOf(idea.text),
    text: idea.text,
    ...(before ? { context: before } : {}),
    tags: idea.role === 'user' && isSaid(idea) && isStandingWish(idea.text) ? [STANDING_TAG] : [],
    confidence: idea.confidence,
    createdAt: time,
    updatedAt: time,
    session: place.session,
    ...(statement.span ? { span: statement.span } : {}),
    source: { file: place.file, line: idea.line },
    hash: rowHash(idea.text),
    meta: {
      role: idea.role,
      speaker: idea.speaker,
      provenance: idea.provenance,
      stance: idea.stance,
      worth: idea.worth,
      ...(idea.searchOnly ? { search_only: true } : {}),
      // Its place in its line, by which what was said is told in order.
      ...(idea.part > 0 ? { part: idea.part } : {}),
      ...agentOf(place),
      ...branchOf(place),
      ...generationIn(place, idea.line),
      ...twinAt(place.twin, idea.line),
    },
  };
  return {
    op: 'put',
    document,
    links: relations.map(({ to, relation, confidence, rule }) => ({ to, relation, confidence, rule })),
    mentions: entities.map(({ name, kind, count }) => ({ entity: name, kind, count })),
  };
}

function titleOf(whole: string): string {
  const end = whole.indexOf('\n');
  const text = end === -1 ? whole : whole.slice(0, end);
  const line = UNEVEN_BLANKS.test(text) ? text.replace(/\s+/g, ' ') : text;
  if (line.length <= TITLE_LENGTH) return line;
  const points = [...line.slice(0, 2 * TITLE_LENGTH + 2)];
  return points.length > TITLE_LENGTH ? `${points.slice(0, TITLE_LENGTH - 1).join('')}…` : points.join('');
}

const UNEVEN_BLANKS = /\s\s|[^\S ]/;
