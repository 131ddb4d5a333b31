// `cairn remember --exact`: a text as it stands in conversations, whatever was said around it: in prompts, answers, commands and what they printed.
// Transcripts and their archived copies are read line by line, the newest conversation first; nothing is kept of what does not match.

import { CairnError } from '../errors.ts';
import { ConversationMask } from '../indexing/transcripts/conversation-mask.ts';
import { STATE_PREFIX, stateIn } from '../indexing/transcripts/transcript-state.ts';
import { isObject, parseJson } from '../model/json.ts';
import { stripUnsafeText } from '../model/text.ts';
import type { ArchiveEntry } from '../transcripts/archive/archive.ts';
import { sessionByName } from '../transcripts/readers.ts';
import { openTranscriptFile } from '../transcripts/source.ts';
import type { TraceMemory } from './trace-memory.ts';

export type ExactQuery = {
  readonly text: string;
  readonly limit: number;
  /** Milliseconds. */
  readonly since?: number;
  readonly until?: number;
  /** Its id, or the beginning of it. */
  readonly session?: string;
  readonly allProjects?: boolean;
};

export type ExactLine = {
  readonly file: string;
  readonly line: number;
  readonly session: string;
  /** Of the line; null where it says none. */
  readonly at: string | null;
  /** `user`, `assistant`, `tool call`, `tool output`, or what the client calls the line. */
  readonly who: string;
  /** The text with what stands around it. */
  readonly text: string;
  /** The transcript is gone; this is Cairn's own copy. */
  readonly archived: boolean;
};

export type ExactAnswer = {
  readonly text: string;
  readonly lines: readonly ExactLine[];
  /** Conversations that were looked through. */
  readonly conversations: number;
  /** There are more lines than were asked for. */
  readonly more: boolean;
  /** Conversations that could not be read. */
  readonly unread: readonly string[];
};

const AROUND = 140;
const SHORTEST = 2;
const DEEPEST = 12;

type Place = {
  readonly file: string;
  readonly session: string;
  readonly entry: ArchiveEntry | undefined;
  readonly ended: number;
};

export async function exactText(memory: TraceMemory, query: ExactQuery): Promise<ExactAnswer> {
  const text = query.text.trim();
  if ([...text].length < SHORTEST)
    throw new CairnError('USAGE_ERROR', 'A text to be found has at least two characters.', {
      fix: 'cairn remember --exact TEXT',
    });
  const places = (await placesFor(memory, query)).sort((a, b) => b.ended - a.ended || (a.file < b.file ? -1 : 1));
  const lines: ExactLine[] = [];
  const unread: string[] = [];
  let conversations = 0;
  for (const place of places) {
    if (lines.length > query.limit) break;
    conversations++;
    try {
      lines.push(...linesIn(memory, place, { ...query, text, limit: query.limit + 1 - lines.length }));
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      unread.push(place.file);
    }
    await new Promise((resolve) => setImmediate(resolve)); // or no Ctrl-C would be heard
  }
  return { text, lines: lines.slice(0, query.limit), conversations, more: lines.length > query.limit, unread };
}

/** All that is on disk, indexed or archived, once each; without what was forgotten. */
async function placesFor(memory: TraceMemory, { allProjects = false, session, since }: ExactQuery): Promise<Place[]> {
  const { scopes } = memory.project;
  const isOurs = (project: string): boolean => allProjects || scopes.includes(project);
  const found = new Map<string, Place>();
  const put = (file: string, entry: ArchiveEntry | undefined, ended: number): void => {
    const known = found.get(file);
    const of = { file, session: sessionByName(file), entry: entry ?? known?.entry };
    found.set(file, { ...of, ended: Math.max(ended, known?.ended ?? 0) });
  };
  for (const each of memory.find([], { all: allProjects })) put(each.file, undefined, each.ended);
  for (const { key, value } of await memory.store.state({ prefix: STATE_PREFIX }))
    if (isOurs(stateIn(value).project)) put(key.slice(STATE_PREFIX.length), undefined, 0);
  for (const entry of memory.archive.entries())
    if (isOurs(entry.project)) put(entry.source, entry, Date.parse(entry.updatedAt) || 0);
  const { forgotten } = memory;
  return [...found.values()].filter(
    (place) =>
      !forgotten.holdsFile(place.file) &&
      !forgotten.holdsSession(place.session) &&
      (session === undefined || place.session.startsWith(session)) &&
      (since === undefined || place.ended === 0 || place.ended >= since),
  );
}

type Raw = { readonly number: number; readonly text: string; readonly archived: boolean };

/** The transcript itself; where it is gone, the copy. */
function* rawLines(memory: TraceMemory, { file, entry, session }: Place): Generator<Raw> {
  const filter = memory.lineFilter;
  const source = openTranscriptFile(file);
  if (!source) {
    let number = 0;
    if (entry) for (const text of memory.archive.lines(entry)) yield { number: ++number, text, archived: true };
    return;
  }
  try {
    let number = 0;
    for (const { text, tooLong } of source.readLinesFrom(0)) {
      number++;
      if (!tooLong && text !== '')
        yield { number, text: filter ? filter(text, number, session) : text, archived: false };
    }
  } finally {
    source.close();
  }
}

/** First where it stands; then, only in a conversation that has it, what may be shown of that: a secret is known by what was said before it. */
function linesIn(memory: TraceMemory, place: Place, query: ExactQuery): ExactLine[] {
  const wanted = query.text.toLowerCase();
  const escaped = JSON.stringify(wanted).slice(1, -1);
  const holds = (text: string): boolean => {
    const lower = text.toLowerCase();
    return lower.includes(escaped) || lower.includes(wanted);
  };
  const numbers = new Set<number>();
  for (const raw of rawLines(memory, place)) {
    if (holds(raw.text) && isInTime(raw.text, query)) numbers.add(raw.number);
    if (numbers.size >= query.limit) break;
  }
  if (numbers.size === 0) return [];
  const last = Math.max(...numbers);
  const mask = new ConversationMask();
  const found: ExactLine[] = [];
  for (const raw of rawLines(memory, place)) {
    if (numbers.has(raw.number)) found.push(...shownOf(place, raw, wanted, mask));
    else if (!raw.archived) mask.learn(raw.text);
    if (raw.number >= last) break;
  }
  return found;
}

const timeOf = (text: string): number | undefined => {
  const time = Date.parse(/"timestamp" ?: ?"([^"]{10,40})"/.exec(text)?.[1] ?? '');
  return Number.isNaN(time) ? undefined : time;
};

function isInTime(text: string, { since, until }: ExactQuery): boolean {
  if (since === undefined && until === undefined) return true;
  const time = timeOf(text);
  return (
    time !== undefined && time >= (since ?? Number.NEGATIVE_INFINITY) && time < (until ?? Number.POSITIVE_INFINITY)
  );
}

/** Nothing where masking leaves nothing of the text. */
function shownOf({ file, session }: Place, raw: Raw, wanted: string, mask: ConversationMask): ExactLine[] {
  const value = parseJson(raw.text);
  const clean = raw.archived ? raw.text : mask.line(raw.text, isObject(value) ? value : undefined);
  const parsed = parseJson(clean);
  const said = isObject(parsed) ? saidIn(parsed, wanted, lineKind(parsed)) : plain(clean, wanted);
  if (said === undefined) return [];
  const time = timeOf(raw.text);
  const at = time === undefined ? null : new Date(time).toISOString();
  return [
    { file, line: raw.number, session, at, who: said.who, text: excerpt(said.text, wanted), archived: raw.archived },
  ];
}

type Said = { readonly who: string; readonly text: string };

const plain = (text: string, wanted: string): Said | undefined =>
  text.toLowerCase().includes(wanted) ? { who: 'text', text } : undefined;

function lineKind(value: { readonly [key: string]: unknown }): string {
  const message = isObject(value.message) ? value.message : isObject(value.payload) ? value.payload : {};
  return typeof message.role === 'string' ? message.role : typeof value.type === 'string' ? value.type : 'text';
}

/** The first text in a line that has it, with who that is: what a tool was told and what it printed stand in lines of the two speakers. */
function saidIn(value: unknown, wanted: string, who: string, depth = 0): Said | undefined {
  if (typeof value === 'string') return value.toLowerCase().includes(wanted) ? { who, text: value } : undefined;
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return undefined;
  const kind = isObject(value) && typeof value.type === 'string' ? value.type : '';
  const speaker = /tool_use|function_call$/.test(kind)
    ? 'tool call'
    : /tool_result|_output$/.test(kind)
      ? 'tool output'
      : who;
  // The message first: what else a line has mostly repeats it.
  const parts = isObject(value)
    ? [value.message, value.payload, value.content, ...Object.values(value)]
    : (value as unknown[]);
  for (const each of parts) {
    const said = saidIn(each, wanted, speaker, depth + 1);
    if (said) return isObject(value) && each === value.toolUseResult ? { ...said, who: 'tool output' } : said;
  }
  return undefined;
}

function excerpt(text: string, wanted: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(wanted));
  const [from, to] = [Math.max(0, at - AROUND), Math.min(text.length, at + wanted.length + AROUND)];
  const part = stripUnsafeText(text.slice(from, to)).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '… ' : ''}${part}${to < text.length ? ' …' : ''}`;
}
