// Where a file or its lines come from, as plain text for a terminal and for a model. Everything in it was written by somebody else, so it
// is cleaned first.

import { readable, readableAll, readableOutcome } from '../model/readable.ts';
import { stripUnsafe } from '../model/text.ts';
import { localDay } from '../model/timestamp.ts';
import type { BlameAnswer, BlamedCommit, BlamedExchange, BlamedLines } from './blame.ts';

const NARROWEST = 40;
const BODY_LINES = 4;
const SHORT_HASH = 10;

export function blameText(answer: BlameAnswer, width: number): string {
  const room = Math.max(NARROWEST, width);
  const { file, lines, commits, uncommitted, shallow, without_conversation: without } = answer;
  const parts =
    lines.length > 0
      ? lines.map((each) => linesText(file, each, room))
      : commits.map((each) => commitLines(each, file, room).join('\n'));
  const isUntied = lines.length === 0 && commits.every(({ tie }) => tie === null);
  return [
    ...(isUntied && commits.length > 0 ? [`No commit of ${clean(file)} is known to come from a conversation.`] : []),
    ...parts,
    ...uncommittedText(answer, room),
    ...(lines.length === 0 && without > 0 && !isUntied
      ? [`${without} more ${without === 1 ? 'commit' : 'commits'} of the file without a known conversation.`]
      : []),
    ...(lines.length === 0 && commits.length === 0 && uncommitted.length > 0
      ? [`${clean(file)} is not committed.`]
      : []),
    ...(shallow
      ? [
          'This clone is shallow: what git calls its oldest commit may be a later one. `git fetch --unshallow` gets the rest.',
        ]
      : []),
  ].join('\n\n');
}

function linesText(file: string, { from, to, text, commit }: BlamedLines, width: number): string {
  const place = `${clean(file)}:${from === to ? from : `${from}-${to}`}`;
  const source = text.trim() === '' ? [] : wrap(clean(text), width - 4, 1).map((line) => `    ${line}`);
  if (!commit) return [place, ...source, '  Not committed yet.'].join('\n');
  return [place, ...source, ...commitLines(commit, file, width).map((line) => `  ${line}`)].join('\n');
}

function commitLines(commit: BlamedCommit, file: string, width: number): string[] {
  const { hash, subject, body, author, authored_at: at, tie, exchange } = commit;
  const head = `${hash.slice(0, SHORT_HASH)}  ${dayAndTime(at)}  ${clean(subject)} (${clean(author)})`;
  const said = body === '' ? [] : wrap(clean(body), width - 6, BODY_LINES);
  return [
    ...wrap(head, width - 4, 2).map((line, at) => (at === 0 ? line : `    ${line}`)),
    ...said.map((line) => `    ${line}`),
    ...(commit.file === file ? [] : [`  the file was called ${clean(commit.file)} then`]),
    ...(tie && exchange ? [`  from this conversation, ${clean(tie.how)} (${tie.certainty}):`] : []),
    ...(exchange ? exchangeLines(exchange, width) : []),
    ...section('  the file was changed before it in:', commit.changed_in, width),
    ...(tie ? [] : ['  No conversation is known to have made this commit.']),
    ...section('  nearest:', commit.nearest, width),
  ];
}

function uncommittedText({ uncommitted, lines }: BlameAnswer, width: number): string[] {
  if (uncommitted.length === 0) return [];
  const title =
    lines.length > 0 ? 'The file was changed since its last commit in:' : 'Changed, and not committed since, in:';
  return [section(title, uncommitted, width).join('\n')];
}

const section = (title: string, exchanges: readonly BlamedExchange[], width: number): string[] =>
  exchanges.length === 0 ? [] : [title, ...exchanges.flatMap((each) => exchangeLines(each, width))];

function exchangeLines(exchange: BlamedExchange, width: number): string[] {
  const { ref, session_title: title, session, started_at: at, asked, outcome, decided, resume } = exchange;
  const named = [
    ...(title === null ? [] : [clean(title)]),
    ...(session === null ? [] : [`session ${clean(session).slice(0, 8)}`]),
  ];
  return [
    ...wrap(`${dayAndTime(at)}  ${named.join(', ')}  ${clean(ref)}`, width - 4, 2).map((line) => `    ${line}`),
    ...labelled('asked', readable(asked), width),
    ...labelled('→', readableOutcome(outcome), width),
    ...labelled('decided', readableAll(decided), width),
    ...(resume === null ? [] : [`      resume: ${resume}`]),
  ];
}

function labelled(label: string, said: string, width: number): string[] {
  if (said === '') return [];
  const [first = '', ...more] = wrap(`${label === '→' ? label : `${label}:`} ${clean(said)}`, width - 8, 3);
  return [`      ${first}`, ...more.map((line) => `        ${line}`)];
}

const dayAndTime = (iso: string): string => {
  const date = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${localDay(date)} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

const clean = (text: string): string => stripUnsafe(text.replace(/\s+/g, ' ')).trim();

function wrap(text: string, width: number, most: number): string[] {
  const rows: string[] = [];
  let row = '';
  const cut = (long: string): string =>
    [...long].length > width ? `${[...long].slice(0, width - 1).join('')}…` : long;
  for (const word of text.split(' ')) {
    if (row !== '' && [...row].length + [...word].length + 1 > width) {
      rows.push(row);
      row = '';
    }
    row = row === '' ? cut(word) : `${row} ${word}`;
  }
  if (row !== '') rows.push(row);
  return rows.length > most ? [...rows.slice(0, most - 1), cut(`${rows[most - 1]} …`)] : rows;
}
