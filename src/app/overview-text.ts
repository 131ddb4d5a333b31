// An overview as plain text, for a terminal and for a model: days, conversations, topics with what came of them. No Markdown; everything
// in it was written by somebody else, so it is cleaned first.

import path from 'node:path';
import { readable } from '../model/readable.ts';
import { stripUnsafe } from '../model/text.ts';
import { localDay } from '../model/timestamp.ts';
import type { OpenMatter, Overview, OverviewDay, OverviewItem, OverviewSession, OverviewTopic } from './overview.ts';

export type OverviewTextOptions = {
  readonly width: number;
  readonly now: Date;
  /** Sessions say which project they belong to. */
  readonly allProjects?: boolean;
};

const SHOWN = { decided: 3, fixed: 2, commits: 5, left: 3, byHand: 12 };
const NARROWEST = 40;
const DAY = 86_400_000;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export function overviewText(overview: Overview, options: OverviewTextOptions): string {
  const width = Math.max(NARROWEST, options.width);
  const { days, open, kind, omitted } = overview;
  if (days.length === 0 && open.length === 0) return nothing(overview, options);
  const parts = [
    ...(days.length > 0 ? [wrap(headOf(overview), width, 2).join('\n')] : []),
    ...days.map((day) => dayText(day, { ...options, width })),
    ...(omitted > 0 ? [`… and ${count(omitted, 'earlier topic')}: cairn log --limit ${overview.totals.topics}`] : []),
    ...(kind === 'done' ? [] : [openText(open, width)]),
  ];
  return parts.join('\n\n');
}

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;

function headOf({ days, totals }: Overview): string {
  const shown = days
    .flatMap(({ sessions }) => sessions)
    .reduce((sum, each) => sum + each.topics.length + each.more_topics, 0);
  const [first, last] = [days.at(-1)?.day ?? '', days[0]?.day ?? ''];
  const numbers = [
    count(totals.sessions, 'conversation'),
    count(shown, 'topic'),
    ...(totals.decisions > 0 ? [count(totals.decisions, 'decision')] : []),
    ...(totals.commits > 0 ? [count(totals.commits, 'commit')] : []),
  ];
  return `${first === last ? first : `${first} to ${last}`}: ${numbers.join(', ')}`;
}

function dayText(day: OverviewDay, options: OverviewTextOptions): string {
  const lines = day.sessions.flatMap((session) => sessionLines(session, options));
  const saved = itemLines('saved', day.saved, { width: options.width, indent: 2, most: SHOWN.commits });
  const place = { width: options.width, indent: 2, most: SHOWN.byHand };
  const committed = itemLines('committed by hand', day.committed, place);
  return [dayName(day.day, options.now), ...lines, ...committed, ...saved].join('\n');
}

function dayName(day: string, now: Date): string {
  const weekday = WEEKDAYS[new Date(`${day}T12:00:00Z`).getUTCDay()] ?? '';
  const back = Math.round((Date.parse(localDay(now)) - Date.parse(day)) / DAY);
  const near = back === 0 ? ', today' : back === 1 ? ', yesterday' : '';
  return `${weekday}, ${day}${near}`;
}

const clock = (iso: string): string => {
  const date = new Date(iso);
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
};

function sessionLines(session: OverviewSession, options: OverviewTextOptions): string[] {
  const { title, branch, topics, more_topics: more } = session;
  const about = [
    `${clock(session.started_at)}–${clock(session.ended_at)}`,
    ...(title === null ? [] : [clean(title)]),
    ...(options.allProjects ? [clean(path.basename(session.project))] : []),
    ...(branch === null ? [] : [`on ${clean(branch)}`]),
    ...(session.session === null ? [] : [`(session ${clean(session.session).slice(0, 8)})`]),
  ];
  return [
    cut(`  ${about.join('  ')}`, options.width),
    ...topics.flatMap((topic) => topicLines(topic, options.width)),
    ...(more > 0 ? [`    … ${count(more, 'short topic')} more`] : []),
  ];
}

function topicLines(topic: OverviewTopic, width: number): string[] {
  const place = { width, indent: 6 };
  return [
    ...block(clean(topic.title), { width, indent: 4, rows: 2, ref: topic.ref }),
    ...(topic.outcome === null ? [] : block(`→ ${clean(topic.outcome)}`, { ...place, rows: 3 })),
    ...itemLines('decided', topic.decided, { ...place, most: SHOWN.decided }),
    ...itemLines('fixed', topic.fixed, { ...place, most: SHOWN.fixed }),
    ...itemLines('committed', topic.commits, { ...place, most: SHOWN.commits }),
    ...itemLines('left', topic.left, { ...place, most: SHOWN.left }),
  ];
}

type Place = { readonly width: number; readonly indent: number };

function itemLines(
  label: string,
  items: readonly OverviewItem[],
  { most, ...place }: Place & { most: number },
): string[] {
  const lines = items
    .slice(0, most)
    .flatMap(({ text, ref }) => block(`${label}: ${clean(text)}`, { ...place, rows: 2, ref }));
  const more = items.length - most;
  return more > 0 ? [...lines, `${' '.repeat(place.indent)}${label}: … ${more} more`] : lines;
}

/** A text of at most so many rows, those after the first further in; the ref stands behind it, however much is cut. */
function block(
  text: string,
  { width, indent, rows, ref }: Place & { rows: number; ref?: string | undefined },
): string[] {
  const room = width - indent - 2;
  const lines = wrap(text, room, rows);
  const end = ref === undefined ? '' : `  ${clean(ref)}`;
  const last = lines.at(-1) ?? '';
  const fits = [...last].length + [...end].length <= room;
  if (fits || lines.length < rows) lines.splice(-1, 1, ...(fits ? [last + end] : [last, end.trim()]));
  else lines.splice(-1, 1, `${cut(last.replace(/…$/, ''), room - [...end].length - 1).replace(/…?$/, '…')}${end}`);
  return lines.map((line, at) => `${' '.repeat(indent + (at === 0 ? 0 : 2))}${line}`);
}

function openText(open: readonly OpenMatter[], width: number): string {
  if (open.length === 0) return 'Nothing is known to be open.';
  const lines = open.flatMap(({ kind, text, ref, day }) =>
    block(`${day} ${kind}: ${clean(text)}`, { width, indent: 2, rows: 2, ref }),
  );
  return ['Still open', ...lines].join('\n');
}

/** What was looked at, and what there is instead. */
function nothing({ kind, since, until, nearest_day: nearest }: Overview, { now }: OverviewTextOptions): string {
  if (kind === 'open') return 'Nothing is known to be open.';
  const from = since === null ? undefined : localDay(new Date(since));
  const to = until === null ? undefined : localDay(new Date(Date.parse(until) - 1));
  const time =
    from === undefined
      ? to === undefined
        ? 'yet'
        : `until ${to}`
      : to === undefined
        ? from === localDay(now)
          ? `today, ${from}`
          : `since ${from}`
        : from === to
          ? `on ${from}`
          : `from ${from} to ${to}`;
  const instead =
    nearest === null
      ? 'cairn backfill reads the conversations of this project.'
      : `The nearest is of ${nearest}: cairn log --day ${nearest}`;
  return `No conversation is known ${time}. ${instead}`;
}

const clean = (text: string): string =>
  stripUnsafe(
    readable(text)
      .replace(/[*`]{1,3}/g, '')
      .replace(/\s+/g, ' '),
  ).trim();

function cut(text: string, width: number): string {
  const points = [...text];
  return points.length > width
    ? `${points
        .slice(0, width - 1)
        .join('')
        .trimEnd()}…`
    : text;
}

function wrap(text: string, width: number, most: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    if (row !== '' && [...row].length + [...word].length + 1 > width) {
      rows.push(row);
      row = '';
    }
    row = row === '' ? cut(word, width) : `${row} ${word}`;
  }
  if (row !== '') rows.push(row);
  return rows.length > most ? [...rows.slice(0, most - 1), cut(`${rows[most - 1]} …`, width)] : rows;
}
