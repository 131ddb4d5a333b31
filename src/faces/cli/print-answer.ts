// An answer of recall for people: grouped by topic, in the terminal's width, with its sources and how old they are. Everything that is
// printed was written by somebody else, so it is cleaned first.

import path from 'node:path';
import type { Question, RecallAnswer, RecallResult } from '../../app/recall-memory.ts';
import { originText } from '../../model/provenance.ts';
import { readable, readableOutcome } from '../../model/readable.ts';
import { isRelevantEnough } from '../../model/relevance.ts';
import { STOPPED } from '../../model/span-fields.ts';
import { stanceWords } from '../../model/stance-words.ts';
import { stripUnsafe } from '../../model/text.ts';
import { localDay } from '../../model/timestamp.ts';
import { topicOutcome } from '../../model/topic-outcome.ts';
import { cut, wrap } from './wrap-text.ts';

export type PrintOptions = {
  readonly question: Question;
  readonly colour: boolean;
  /** Of the terminal. */
  readonly width: number;
  readonly now: number;
  readonly home: string;
  /** Files in it are named from there. */
  readonly project: string;
};

type Paint = { readonly [name in 'bold' | 'dim' | 'cyan' | 'yellow']: (text: string) => string };

/** Lines of one conversation before the next has its turn. */
const OF_ONE_CONVERSATION = 2;
const TEXT_LINES = 12;
const SPAN_LINES = 4;
const AROUND_LINES = 2;
const DAY = 86_400_000;

export function answerText(answer: RecallAnswer, options: PrintOptions): string {
  const paint = painter(options.colour);
  if (answer.results.length === 0) return nothing(answer, options.question);
  const found = grouped(answer.results).map(({ topic, results }) =>
    [paint.bold(cut(topic, options.width)), ...results.flatMap((result) => lines(result, paint, options))].join('\n'),
  );
  const remark = answer.outside ? outsideText(answer.outside) : isFar(answer) ? FAR : undefined;
  return [...(remark === undefined ? [] : [paint.yellow(remark)]), ...found].join('\n\n');
}

type Group = { readonly topic: string; readonly results: RecallResult[] };

/**
 * By topic, in the order of their best; but of one conversation two at a time: what else it says comes when every other conversation has had
 * its turn.
 */
function grouped(results: readonly RecallResult[]): Group[] {
  const groups = new Map<string, RecallResult[]>();
  const shown = new Map<string, number>();
  const later: RecallResult[] = [];
  const put = (result: RecallResult, turn: string): void => {
    const key = `${turn} ${topicOf(result)}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  };
  for (const result of results) {
    const conversation = result.layer === 'trace' ? (result.session ?? '') : '';
    const before = conversation === '' ? 0 : (shown.get(conversation) ?? 0);
    shown.set(conversation, before + 1);
    if (before < OF_ONE_CONVERSATION) put(result, 'first');
    else later.push(result);
  }
  for (const result of later) put(result, 'later');
  return [...groups].map(([key, own]) => ({ topic: key.slice(key.indexOf(' ') + 1), results: own }));
}

/** “Nothing from 2026-02-09 to 2026-02-15 is plainly about this. The nearest outside:”, in the days of the reader. */
function outsideText({ since, until, kinds }: RecallAnswer['outside'] & object): string {
  const day = (iso: string, shift: number): string => localDay(new Date(Date.parse(iso) + shift));
  const [from, to] = [since === null ? undefined : day(since, 0), until === null ? undefined : day(until, -1)];
  const time =
    from === undefined
      ? to === undefined
        ? ''
        : ` until ${to}`
      : to === undefined
        ? ` since ${from}`
        : from === to
          ? ` of ${from}`
          : ` from ${from} to ${to}`;
  const what = kinds.length > 0 ? `No ${kinds[0]?.replaceAll('_', ' ')}` : 'Nothing';
  return `${what}${time} is plainly about this. The nearest outside:`;
}

const FAR = 'Nothing is plainly about this. The nearest by meaning:';

/** Ranking always has a first, which may be about something else. Not of lists ("open questions"), which are asked for by their kind alone. */
const isFar = (answer: RecallAnswer): boolean => !isRelevantEnough(answer) && answer.analysis.terms.length > 0;

function topicOf({ span, layer, kind, title }: RecallResult): string {
  if (span) return stripUnsafe(span.name);
  if (layer === 'trace') return kind === 'span' ? stripUnsafe(title) : 'Said in conversations';
  if (layer === 'commit') return 'Commits';
  return layer === 'record' ? 'Records' : 'Notes';
}

function lines(result: RecallResult, paint: Paint, { now, home, project, width, question }: PrintOptions): string[] {
  const room = width - 4;
  const own = result.layer === 'trace' && result.kind !== 'span';
  const state = result.status === 'active' ? '' : ` [${result.status}]`;
  const files =
    result.files === 'changed' ? ' (its files changed)' : result.files === 'gone' ? ' (its files are gone)' : '';
  const origin = result.untrusted ? ' [untrusted]' : '';
  const head = `${paint.cyan(kindOf(result))}${paint.yellow(stripUnsafe(state + files + origin))}  ${paint.dim([age(result.created_at, now), ...saidBy(result), ...stanceOf(result), ...againOf(result), ...(question.allProjects ? [`in ${path.basename(result.project.replace(/[\\/]\.claude[\\/]memory$/, ''))}`] : [])].map(stripUnsafe).join(', '))}`;
  const source = result.source
    ? `${shortened(result.source.file, { home, project })}${result.source.line ? `:${result.source.line}` : ''}`
    : '';
  return [
    `  ${head}`,
    ...(own || wordsOf(result).startsWith(result.title) ? [] : [`    ${cut(stripUnsafe(result.title), room)}`]),
    ...textRows(result, room).map((line) => `    ${line}`),
    ...aroundOf(result, room).map((line) => paint.dim(`    ${line}`)),
    ...tieOf(result, room).map((line) => paint.dim(`    ${line}`)),
    ...result.chain.slice(0, 3).map((link) => paint.dim(`    ${cut(chainText(link), room)}`)),
    paint.dim(`    ${place(stripUnsafe(result.ref), stripUnsafe(source), room)}`),
    ...(result.explain ? explained(result, room).map((line) => paint.dim(`    ${line}`)) : []),
  ];
}

const kindOf = ({ kind, ref, exchange }: RecallResult): string =>
  kind !== 'span' ? kind : exchange?.ref === ref ? 'exchange' : 'topic';

/** Of what was said all; of a topic or an exchange what came of it. */
const wordsOf = ({ kind, text }: RecallResult): string =>
  kind === 'span' ? inOneLine(topicOutcome(text)) : readable(inOneLine(text));

/** A statement whole, a list item by item; of a topic, an exchange, a record or a note the beginning, which `cairn show` has whole. */
function textRows(result: RecallResult, room: number): string[] {
  const isStatement = result.layer === 'trace' && result.kind !== 'span';
  if (!isStatement) return wrap(stripUnsafe(wordsOf(result)), room, SPAN_LINES);
  const items = result.text.split(/\n(?=\s*(?:[-*•]|\d+[.)]) )/);
  const rows = items.flatMap((item, at) => {
    const text = stripUnsafe(readable(item.replace(/\s+/g, ' ').trim()));
    return wrap(text, room - (at === 0 ? 0 : 2), TEXT_LINES).map(
      (row, line) => (at > 0 ? (line === 0 ? '• ' : '  ') : '') + row,
    );
  });
  return rows.length > TEXT_LINES ? [...rows.slice(0, TEXT_LINES - 1), '… (cairn show has it whole)'] : rows;
}

/** What an answer belongs to: what was asked, and, where the statement is not itself what came out, that. */
function aroundOf({ ref, kind, text, exchange }: RecallResult, room: number): string[] {
  if (!exchange || kind === 'span' || exchange.ref === ref) return [];
  const asked = readable(exchange.asked);
  const outcome = exchange.outcome === STOPPED ? '' : readableOutcome(exchange.outcome);
  const isNew = (said: string): boolean => said !== '' && !sameStart(said, readable(text));
  return [
    ...(isNew(asked) ? wrap(stripUnsafe(`asked: ${asked}`), room, AROUND_LINES) : []),
    ...(isNew(outcome) ? wrap(stripUnsafe(`→ ${outcome}`), room, AROUND_LINES) : []),
  ];
}

/** The same said elsewhere is part of this result. */
const againOf = ({ again = 0 }: RecallResult): string[] =>
  again === 0 ? [] : [again === 1 ? 'said twice' : `said ${again + 1} times`];

/** Of a commit: whose it is, and from which conversation. */
function tieOf({ commit, session }: RecallResult, room: number): string[] {
  if (!commit) return [];
  const by = `${commit.hash.slice(0, 10)} by ${commit.author}`;
  const from = commit.tie
    ? `from session ${(session ?? '').slice(0, 8)}, ${commit.tie.how} (${commit.tie.certainty})`
    : 'no conversation is known for it';
  return [cut(stripUnsafe(`${by}; ${from}`), room)];
}

const sameStart = (a: string, b: string): boolean => a.slice(0, 40) === b.slice(0, 40);

const stanceOf = ({ stance }: RecallResult): string[] => {
  const words = stanceWords(stance);
  return words === undefined ? [] : [words];
};

const saidBy = ({ speaker, provenance, author }: RecallResult): string[] =>
  speaker && provenance
    ? [stripUnsafe(originText({ speaker, provenance }, author))]
    : author === undefined
      ? []
      : [`of ${stripUnsafe(author)}`];

/** The end of a path says which file and line it is, its beginning is what can be spared. */
function place(ref: string, source: string, width: number): string {
  const room = width - 2 - [...ref].length;
  const points = [...source];
  if (source === '' || room < 12) return cut(ref, width);
  return `${ref}  ${points.length > room ? `…${points.slice(points.length - room + 1).join('')}` : source}`;
}

/** Fields one after the other, their lists with semicolons. */
const inOneLine = (text: string): string =>
  text.replace(/:\n- /g, ': ').replace(/\n- /g, '; ').replace(/\n+/g, ' · ').replace(/\s+/g, ' ');

const chainText = ({ ref, relation, title }: RecallResult['chain'][number]): string =>
  stripUnsafe(`${relation.replaceAll('_', ' ')} ${ref}${title ? ` ${title}` : ''}`.replace(/\s+/g, ' '));

/** The numbers that made the score, in the order they were applied. */
function explained({ score, relevance, why, explain = [] }: RecallResult, room: number): string[] {
  const ranks = why.map(({ strategy, rank }) => `${strategy} #${rank}`).join(', ');
  const steps = explain.map(({ name, points, factor }) =>
    factor === undefined ? `+${(points ?? 0).toFixed(3)} ${name}` : `×${factor.toFixed(2)} ${name}`,
  );
  return wrap(
    `score ${score.toFixed(4)}, relevance ${relevance.toFixed(2)}; found by ${ranks || 'its kind'}; ${steps.join(', ')}`,
    room,
    8,
  );
}

/** What was searched, and what else could be tried. */
function nothing({ query, analysis }: RecallAnswer, question: Question): string {
  // "Open questions" asks for a kind and nothing else.
  const kinds = question.intents ?? (analysis.terms.length === 0 ? analysis.intents : []);
  const limits = [
    question.layers ? `only ${question.layers.join(', ')}` : '',
    kinds.length > 0 ? `only ${kinds.join(', ')}` : '',
    question.session === undefined ? '' : 'only one conversation',
    analysis.since ? `since ${analysis.since.slice(0, 10)}` : '',
    analysis.until ? `until ${analysis.until.slice(0, 10)}` : '',
  ].filter(Boolean);
  const terms = analysis.terms.length > 0 ? ` (${cut(stripUnsafe(analysis.terms.join(', ')), 60)})` : '';
  return [
    `Nothing found for ${JSON.stringify(cut(stripUnsafe(query), 60))}${terms}.`,
    `Searched: records, notes and conversations of ${question.allProjects ? 'all projects' : 'this project'}${limits.length > 0 ? `, ${limits.join(', ')}` : ''}.`,
    `Try other words${question.allProjects ? '' : ', --all-projects'}${question.includeArchived ? '' : ', --include-archived'}, or index more conversations: cairn backfill`,
  ].join('\n');
}

function age(iso: string, now: number): string {
  const time = Date.parse(iso);
  if (!(time > 0)) return 'undated';
  // Days of the reader's own calendar: "yesterday" is what they call so.
  const [date, today] = [localDay(new Date(time)), localDay(new Date(now))];
  const days = Math.round((Date.parse(today) - Date.parse(date)) / DAY);
  if (days < 1) return `${date}, today`;
  if (days < 2) return `${date}, yesterday`;
  if (days < 14) return `${date}, ${days} days ago`;
  if (days < 60) return `${date}, ${Math.floor(days / 7)} weeks ago`;
  if (days < 730) return `${date}, ${Math.floor(days / 30)} months ago`;
  return `${date}, ${Math.floor(days / 365)} years ago`;
}

function shortened(file: string, { home, project }: { home: string; project: string }): string {
  if (file.startsWith(project + path.sep)) return file.slice(project.length + 1);
  return home !== '' && file.startsWith(home + path.sep) ? `~${file.slice(home.length)}` : file;
}

function painter(colour: boolean): Paint {
  const with_ = (code: number) => (text: string) => (colour && text !== '' ? `\x1b[${code}m${text}\x1b[0m` : text);
  return { bold: with_(1), dim: with_(2), cyan: with_(36), yellow: with_(33) };
}
