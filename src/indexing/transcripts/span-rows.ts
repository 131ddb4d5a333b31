// The rows of topics and exchanges.

import { keptFile } from '../../extraction/entities/files-in.ts';
import type { Exchange } from '../../extraction/exchanges/exchange.ts';
import type { ExchangeText } from '../../extraction/topics/exchange-text.ts';
import type { Name } from '../../extraction/topics/name.ts';
import { exchangeSummary, topicSummary } from '../../extraction/topics/span-text.ts';
import type { Topic } from '../../extraction/topics/topics.ts';
import { COMMIT_ENTITY, hashName, workMeta } from '../../model/exchange-work.ts';
import type { Change, Document } from '../../store/store.ts';
import { agentOf, generationIn, rowHash, spanRefOf, type TracePlace, threadAt } from './row-names.ts';
import { twinAt } from './twin-transcript.ts';

export const EXCHANGE_DEPTH = 1;

type RowContext = { readonly place: TracePlace; readonly time: number };

export function topicRow(topic: Topic, { place, time, title }: RowContext & { title: string | undefined }): Change {
  const { start, end, exchanges, decided, left, commits } = topic;
  const summary = topicSummary(topic);
  const extra = { level: 'topic', exchanges, decided, outcome: topic.outcomes.at(-1) ?? '', left, commits };
  return spanRow(
    { start, end, depth: 0, name: topic.name.text, summary, files: topic.files },
    { place, began: topic.startTime ?? time, ended: topic.endTime ?? time },
    { ...extra, ...(title === undefined ? {} : { session_title: title }) },
  );
}

type ExchangeParts = {
  readonly exchange: Exchange;
  readonly text: ExchangeText;
  readonly name: Name;
  readonly topic: Topic;
};

export function exchangeRow({ exchange, text, name, topic }: ExchangeParts, { place, time }: RowContext): Change {
  const { start, items, number } = exchange;
  const times = items.flatMap((item) => (item.time === undefined ? [] : [item.time]));
  const end = items.reduce((line, item) => Math.max(line, item.line), start);
  const { asked, outcome = '', decided, fixed, files, commits, left } = text;
  return spanRow(
    { start, end, depth: EXCHANGE_DEPTH, parent: topic.start, name: name.text, summary: exchangeSummary(text), files },
    { place, began: times[0] ?? time, ended: times.at(-1) ?? time },
    { level: 'exchange', number, asked, outcome, decided, fixed, files, commits, left, ...workMeta(text) },
    text.made.flatMap(({ hash }) => hash ?? []),
  );
}

type SpanParts = {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  /** The start line of the topic that an exchange belongs to. */
  readonly parent?: number;
  readonly name: string;
  readonly summary: string;
  readonly files: readonly string[];
};

function spanRow(
  { start, end, depth, parent, name, summary, files }: SpanParts,
  { place, began, ended }: { place: TracePlace; began: number; ended: number },
  extra: NonNullable<Document['meta']>,
  hashes: readonly string[] = [],
): Change {
  const document: Document = {
    ref: spanRefOf(threadAt(place, start), start, depth),
    project: place.project,
    layer: 'trace',
    kind: 'span',
    status: 'active',
    title: name,
    text: summary,
    tags: [],
    confidence: 0.5,
    createdAt: began,
    updatedAt: ended,
    session: place.session,
    ...(parent === undefined ? {} : { span: spanRefOf(threadAt(place, parent), parent, 0) }),
    source: { file: place.file, line: start },
    hash: rowHash(`${name}\n${summary}`),
    meta: {
      start,
      end,
      depth,
      ...extra,
      ...agentOf(place),
      ...generationIn(place, start),
      ...twinAt(place.twin, start),
    },
  };
  const kept = files.flatMap((file) => keptFile(file) ?? []);
  const named = [...new Set(hashes.map(hashName))].map((entity) => ({ entity, kind: COMMIT_ENTITY, count: 1 }));
  return { op: 'put', document, mentions: [...kept.map((entity) => ({ entity, kind: 'file', count: 1 })), ...named] };
}

/** What rows of a line are named by. */
