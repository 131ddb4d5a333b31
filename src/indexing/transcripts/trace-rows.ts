// From the items of a transcript to rows of the store: ideas with their entities and relations, spans with their text. A fold
// over plain JSON state, so that a transcript indexed line by line gives the same rows as one indexed at once.

import { type Entity, type EntityOptions, entitiesOf } from '../../extraction/entities/entities-of.ts';
import { resolveFiles } from '../../extraction/entities/resolve-files.ts';
import { ideasOf } from '../../extraction/ideas/ideas-of.ts';
import { type EventIdea, ideasOfEvent, isSettledTask } from '../../extraction/ideas/ideas-of-event.ts';
import { mayChange, type Relation, relationsOf, type Statement } from '../../extraction/relations/relations-of.ts';
import { spanName, spanSummary } from '../../extraction/topics/span-text.ts';
import { advance, FIRST_STATE, type SpanChange, type SpanState } from '../../extraction/topics/spans.ts';
import { type Fork, generationAt } from '../../model/forks.ts';
import { contentHash } from '../../model/hash.ts';
import { isSaid } from '../../model/provenance.ts';
import type { Idea, TraceItem } from '../../model/trace.ts';
import type { Change, Document } from '../../store/store.ts';
import { type Twin, twinAt, withTwin } from './twin-transcript.ts';

export type TraceState = {
  readonly spans: SpanState;
  /** The newest statements, for what refers to them. */
  readonly recent: readonly Statement[];
  /** What the user said of their own affairs that may change: amounts, dates. Looked back at longer than all else. */
  readonly told: readonly Statement[];
  /** The end of what was said last: what a short answer is about. */
  readonly before: string;
  /** Milliseconds of the newest item: stands in where an item has no time. */
  readonly time: number;
  /** How many ideas the newest line has given: several items may stand in one line, and each idea has its own name. */
  readonly parts: { readonly line: number; readonly count: number };
  /** Tasks that are not done yet, to be marked when they are. */
  readonly tasks: readonly OpenTask[];
};

export type OpenTask = { readonly text: string; readonly line: number; readonly part: number } & {
  readonly time: number;
  readonly span: string | undefined;
};

export const FIRST_TRACE_STATE: TraceState = {
  spans: FIRST_STATE,
  recent: [],
  told: [],
  before: '',
  time: 0,
  parts: { line: 0, count: 0 },
  tasks: [],
};

export type TracePlace = {
  readonly project: string;
  readonly session: string;
  /** The session, and for the transcript of a subagent its name too: what rows are named by. */
  readonly thread: string;
  /** Where its transcript was rewritten: rows of lines behind a fork have other names than those that stood there before. */
  readonly forks?: readonly Fork[];
  /** Another transcript has the names of its lines. */
  readonly twin?: Twin;
  readonly file: string;
  readonly agent?: string | undefined;
  /** The branch that was checked out when this was said. */
  readonly branch?: string | undefined;
  readonly entityOptions?: EntityOptions;
};

/** Statements of other conversations of the project that a new one may refer to. */
export type FindEarlier = (statement: Statement) => Promise<readonly Statement[]>;

const RECENT = 24;
const TOLD = 48;
const BEFORE_LENGTH = 320;
const TITLE_LENGTH = 120;
const OPEN_TASKS = 40;
const ASKED_AND_ANSWERED = { relation: 'answers', confidence: 1, rule: 'asked-and-answered' } as const;

export type TraceRows = { readonly state: TraceState; readonly ideas: Change[]; readonly spans: readonly SpanRow[] };

/** A span that changed. Its row is drawn when the batch is written, once, however often it changed in it. */
export type SpanRow = { readonly ref: string; readonly draw: () => Change };

/** `item` has gone through redaction: nothing after this sees a secret. */
export async function rowsOf(
  state: TraceState,
  item: TraceItem,
  place: TracePlace,
  findEarlier: FindEarlier,
): Promise<TraceRows> {
  const time = item.time ?? state.time;
  const firstPart = state.parts.line === item.line ? state.parts.count : 0;
  const said: EventIdea[] = item.kind === 'turn' ? ideasOf(item) : ideasOfEvent(item);
  const ideas = firstPart === 0 ? said : said.map((idea) => ({ ...idea, part: firstPart + idea.part }));
  const { state: spans, changed } = advance(state.spans, item, ideas);
  const inside = spans.part ?? spans.topic;
  const spanRef = inside ? spanRefOf(threadAt(place, inside.start), inside.start, spans.part ? 1 : 0) : undefined;
  const rows: Change[] = [];
  let { recent, told } = state;
  for (const idea of ideas) {
    const entities = resolveFiles(entitiesOf(idea.text, place.entityOptions), spans.topic?.files ?? []);
    const statement = statementOf(idea, place, { span: spanRef, entities, time });
    // What somebody else says answers, replaces and contradicts nothing here.
    if (!isSaid(idea)) {
      rows.push(ideaRow(idea, statement, { place, entities, relations: [], before: state.before, time }));
      // A failure is a fact, whatever it printed: a solution may answer it.
      if (idea.intent !== 'context') recent = [...recent, statement].slice(-RECENT);
      continue;
    }
    const isTold = mayChange(statement);
    const known = isTold ? told.filter((each) => !recent.some(({ ref }) => ref === each.ref)) : [];
    const found = relationsOf(statement, [...known, ...recent, ...(await findEarlier(statement))]);
    const answered = idea.answers === undefined ? undefined : ideas[idea.answers];
    const relations = answered
      ? withAnswered(found, ideaRefOf(threadAt(place, answered.line), answered.line, answered.part))
      : found;
    rows.push(ideaRow(idea, statement, { place, entities, relations, before: state.before, time }));
    recent = [...markAnswered(recent, relations), statement].slice(-RECENT);
    if (isTold) told = [...told, statement].slice(-TOLD);
  }
  const drawn = changed.map((change) => ({
    ref: spanRefOf(threadAt(place, change.span.start), change.span.start, change.depth),
    draw: () => spanRow(change, place, time),
  }));
  const followed = followTasks(state.tasks, item, { ideas, place, span: spanRef, time });
  const before = item.kind === 'turn' ? lastOf(item.text, BEFORE_LENGTH) : state.before;
  const parts = { line: item.line, count: firstPart + ideas.length };
  return {
    state: { spans, recent, told, before, time, parts, tasks: followed.tasks },
    ideas: [...rows, ...followed.rows],
    spans: drawn,
  };
}

/** The event holds both: nothing needs to be guessed about this one. */
const withAnswered = (relations: readonly Relation[], question: string): Relation[] => [
  { to: question, ...ASKED_AND_ANSWERED },
  ...relations.filter(({ to }) => to !== question),
];

type TaskContext = {
  ideas: readonly Idea[];
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
    const named = ideas.map(({ text, line, part }) => ({ text, line, part, time, span }));
    return { tasks: [...open, ...named].slice(-OPEN_TASKS), rows: [] };
  }
  const task = open.find(({ text }) => text === item.text);
  if (!task) return { tasks: open, rows: [] };
  const { line, part, time: begun } = task;
  const named = { kind: item.kind, event: item.event, text: item.text, state: 'pending', line, time: begun } as const;
  const rows = ideasOfEvent(named).map((each) => {
    const idea = { ...each, part };
    const entities = entitiesOf(idea.text, place.entityOptions);
    const statement = statementOf(idea, place, { span: task.span, entities, time: begun });
    const row = ideaRow(idea, statement, { place, entities, relations: [], before: '', time: begun });
    return { op: 'put' as const, document: { ...row.document, status: 'done', updatedAt: time } };
  });
  return { tasks: open.filter((each) => each !== task), rows };
}

function lastOf(text: string, most: number): string {
  const end = text.slice(-most);
  return /^[\udc00-\udfff]/.test(end) ? end.slice(1) : end; // not half a character
}

type StatementPlace = { span: string | undefined; entities: readonly Entity[]; time: number };

function statementOf(idea: Idea, place: TracePlace, { span, entities, time }: StatementPlace): Statement {
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
  };
}

const markAnswered = (recent: readonly Statement[], relations: readonly Relation[]): readonly Statement[] => {
  if (!relations.some((each) => each.relation === 'answers')) return recent;
  const answered = new Set(relations.filter((each) => each.relation === 'answers').map((each) => each.to));
  return recent.map((each) => (answered.has(each.ref) ? { ...each, answered: true } : each));
};

type IdeaContext = {
  place: TracePlace;
  entities: readonly Entity[];
  relations: readonly Relation[];
  before: string;
  time: number;
};

function ideaRow(
  idea: Idea,
  statement: Statement,
  { place, entities, relations, before, time }: IdeaContext,
): Extract<Change, { op: 'put' }> {
  const document: Document = {
    ref: statement.ref,
    project: place.project,
    layer: 'trace',
    kind: idea.intent,
    status: 'active',
    title: titleOf(idea.text),
    text: idea.text,
    ...(before ? { context: before } : {}),
    tags: [],
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

function spanRow({ span, depth, parent }: SpanChange, place: TracePlace, time: number): Change {
  const name = spanName(span);
  const summary = spanSummary(span);
  const parentRef = parent === undefined ? undefined : spanRefOf(threadAt(place, parent), parent, 0);
  const document: Document = {
    ref: spanRefOf(threadAt(place, span.start), span.start, depth),
    project: place.project,
    layer: 'trace',
    kind: 'span',
    status: 'active',
    title: name,
    text: summary,
    tags: [],
    confidence: 0.5,
    createdAt: span.startTime ?? time,
    updatedAt: span.endTime ?? time,
    session: place.session,
    ...(parentRef ? { span: parentRef } : {}),
    source: { file: place.file, line: span.start },
    hash: rowHash(`${name}\n${summary}`),
    meta: {
      start: span.start,
      end: span.end,
      depth,
      turns: span.turns,
      ...agentOf(place),
      ...generationIn(place, span.start),
      ...twinAt(place.twin, span.start),
    },
  };
  return { op: 'put', document, mentions: span.files.map((file) => ({ entity: file, kind: 'file', count: 1 })) };
}

function threadAt({ thread, forks = [], twin }: TracePlace, line: number): string {
  const generation = generationAt(forks, line);
  const own = withTwin(thread, twinAt(twin, line));
  return generation === 1 ? own : `${own}~${generation}`;
}

/** Said by the rows of those that were rewritten alone. */
function generationIn({ forks = [] }: TracePlace, line: number): { generation?: number } {
  const generation = generationAt(forks, line);
  return generation === 1 ? {} : { generation };
}

const agentOf = ({ agent }: TracePlace): { agent?: string } => (agent === undefined ? {} : { agent });

/** Without a branch the client says HEAD. */
const branchOf = ({ branch }: TracePlace): { branch?: string } =>
  branch === undefined || branch === 'HEAD' ? {} : { branch };

function titleOf(text: string): string {
  const line = UNEVEN_BLANKS.test(text) ? text.replace(/\s+/g, ' ') : text;
  if (line.length <= TITLE_LENGTH) return line;
  const points = [...line.slice(0, 2 * TITLE_LENGTH + 2)];
  return points.length > TITLE_LENGTH ? `${points.slice(0, TITLE_LENGTH - 1).join('')}…` : points.join('');
}

const UNEVEN_BLANKS = /\s\s|[^\S ]/;

export const rowHash = (text: string): string => contentHash(text).slice(0, 32);

/** The same place in the same conversation has the same name for ever, in every store that is built from it. */
export const nameOf = (text: string): string =>
  BigInt(`0x${contentHash(text).slice(0, 16)}`)
    .toString(36)
    .slice(0, 11);
export const ideaRefOf = (thread: string, line: number, part: number): string =>
  `idea:${nameOf(`${thread} ${line} ${part}`)}`;
export function spanRefOf(thread: string, start: number, depth: number): string {
  const place = `${thread} span ${start} ${depth}`;
  let ref = spanRefs.get(place);
  if (ref === undefined) {
    if (spanRefs.size >= MOST_SPAN_REFS) spanRefs.clear();
    ref = `span:${nameOf(place)}`;
    spanRefs.set(place, ref);
  }
  return ref;
}

/** Everything that is said in a topic asks for its name. */
const spanRefs = new Map<string, string>();
const MOST_SPAN_REFS = 100;
