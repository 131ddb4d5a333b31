// An answer of recall for people: grouped by topic, in 80 columns, with its sources and how old they are. Everything that is
// printed was written by somebody else, so it is cleaned first.

import path from 'node:path';
import type { Question, RecallAnswer, RecallResult } from '../../app/recall-memory.ts';
import { originText } from '../../model/provenance.ts';
import { stripUnsafe } from '../../model/text.ts';
import { localDay } from '../../model/timestamp.ts';
import { topicOutcome } from '../../model/topic-outcome.ts';

export type PrintOptions = {
  readonly question: Question;
  readonly colour: boolean;
  readonly now: number;
  readonly home: string;
  /** Files in it are named from there. */
  readonly project: string;
};

type Paint = { readonly [name in 'bold' | 'dim' | 'cyan' | 'yellow']: (text: string) => string };

const WIDTH = 80;
const TEXT_LINES = 3;
const DAY = 86_400_000;

export function answerText(answer: RecallAnswer, options: PrintOptions): string {
  const paint = painter(options.colour);
  if (answer.results.length === 0) return nothing(answer, options.question);
  const groups = new Map<string, RecallResult[]>();
  for (const result of answer.results) {
    const topic = topicOf(result);
    groups.set(topic, [...(groups.get(topic) ?? []), result]);
  }
  const found = [...groups].map(([topic, results]) =>
    [paint.bold(cut(topic, WIDTH)), ...results.flatMap((result) => lines(result, paint, options))].join('\n'),
  );
  return [...(isFar(answer) ? [paint.yellow(FAR)] : []), ...found].join('\n\n');
}

const FAR = 'Nothing is plainly about this. The nearest by meaning:';
/** Ranking always has a first. Below this, a reader should know that it may be about something else. */
const LITTLE = 0.1;

/** Not of lists ("open questions"), which are asked for by their kind alone. */
const isFar = ({ relevance, analysis }: RecallAnswer): boolean => relevance < LITTLE && analysis.terms.length > 0;

function topicOf({ span, layer, kind, title }: RecallResult): string {
  if (span) return stripUnsafe(span.name);
  if (layer === 'trace') return kind === 'span' ? stripUnsafe(title) : 'Said in conversations';
  return layer === 'record' ? 'Records' : 'Notes';
}

function lines(result: RecallResult, paint: Paint, { now, home, project }: PrintOptions): string[] {
  const own = result.layer === 'trace' && result.kind !== 'span';
  const state = result.status === 'active' ? '' : ` [${result.status}]`;
  const files =
    result.files === 'changed' ? ' (its files changed)' : result.files === 'gone' ? ' (its files are gone)' : '';
  const origin = result.untrusted ? ' [untrusted]' : '';
  const head = `${paint.cyan(result.kind)}${paint.yellow(stripUnsafe(state + files + origin))}  ${paint.dim([age(result.created_at, now), ...saidBy(result)].join(', '))}`;
  const source = result.source
    ? `${shortened(result.source.file, { home, project })}${result.source.line ? `:${result.source.line}` : ''}`
    : '';
  return [
    `  ${head}`,
    ...(own ? [] : [`    ${cut(stripUnsafe(result.title), WIDTH - 4)}`]),
    ...wrap(stripUnsafe(inOneLine(topicOutcome(result.text))), WIDTH - 4, TEXT_LINES).map((line) => `    ${line}`),
    ...result.chain.slice(0, 3).map((link) => paint.dim(`    ${cut(chainText(link), WIDTH - 4)}`)),
    paint.dim(`    ${place(stripUnsafe(result.ref), stripUnsafe(source))}`),
    ...(result.explain ? explained(result).map((line) => paint.dim(`    ${line}`)) : []),
  ];
}

const saidBy = ({ speaker, provenance }: RecallResult): string[] =>
  speaker && provenance ? [originText({ speaker, provenance })] : [];

/** The end of a path says which file and line it is, its beginning is what can be spared. */
function place(ref: string, source: string): string {
  const room = WIDTH - 6 - [...ref].length;
  const points = [...source];
  if (source === '' || room < 12) return cut(ref, WIDTH - 4);
  return `${ref}  ${points.length > room ? `…${points.slice(points.length - room + 1).join('')}` : source}`;
}

/** Fields one after the other, their lists with semicolons. */
const inOneLine = (text: string): string =>
  text.replace(/:\n- /g, ': ').replace(/\n- /g, '; ').replace(/\n+/g, ' · ').replace(/\s+/g, ' ');

const chainText = ({ ref, relation, title }: RecallResult['chain'][number]): string =>
  stripUnsafe(`${relation.replaceAll('_', ' ')} ${ref}${title ? ` ${title}` : ''}`.replace(/\s+/g, ' '));

/** The numbers that made the score, in the order they were applied. */
function explained({ score, relevance, why, explain = [] }: RecallResult): string[] {
  const ranks = why.map(({ strategy, rank }) => `${strategy} #${rank}`).join(', ');
  const steps = explain.map(({ name, points, factor }) =>
    factor === undefined ? `+${(points ?? 0).toFixed(3)} ${name}` : `×${factor.toFixed(2)} ${name}`,
  );
  return wrap(
    `score ${score.toFixed(4)}, relevance ${relevance.toFixed(2)}; found by ${ranks || 'its kind'}; ${steps.join(', ')}`,
    WIDTH - 4,
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

function cut(text: string, width: number): string {
  const points = [...text];
  return points.length > width ? `${points.slice(0, width - 1).join('')}…` : text;
}

function wrap(text: string, width: number, most: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    if (row !== '' && [...row].length + [...word].length + 1 > width) {
      rows.push(row);
      row = '';
      if (rows.length > most) break;
    }
    row = row === '' ? cut(word, width) : `${row} ${word}`;
  }
  if (row !== '') rows.push(row);
  return rows.length > most ? [...rows.slice(0, most - 1), cut(`${rows[most - 1]}${'…'}`, width)] : rows;
}

function painter(colour: boolean): Paint {
  const with_ = (code: number) => (text: string) => (colour && text !== '' ? `\x1b[${code}m${text}\x1b[0m` : text);
  return { bold: with_(1), dim: with_(2), cyan: with_(36), yellow: with_(33) };
}
