// An exchange as people read it: what was asked, what came out, what was decided, mended, committed and left.

import type { Document } from '../../app/trace-memory.ts';
import { readable, readableAll, readableOutcome } from '../../model/readable.ts';
import { type ExchangeFields, exchangeFields, topicFields } from '../../model/span-fields.ts';
import { stripUnsafe } from '../../model/text.ts';
import { wrap } from './wrap-text.ts';

const WIDTH = 100;
const ASKED_LINES = 2;
const SAID_LINES = 3;

type Fields = Partial<Pick<ExchangeFields, 'outcome' | 'decided' | 'fixed' | 'commits' | 'left' | 'files'>>;

/** What was asked with its time and ref, and below it what came of it. */
export function exchangeLines(fields: ExchangeFields | undefined, { ref, createdAt, title }: Document, indent: string) {
  const time = createdAt > 0 ? `${new Date(createdAt).toISOString().slice(11, 16)}  ` : '';
  const asked = readable(fields?.asked || title);
  const [first = '', ...more] = wrap(
    stripUnsafe(`${asked} (${ref})`),
    WIDTH - indent.length - time.length,
    ASKED_LINES,
  );
  const inner = indent + ' '.repeat(time.length);
  return [
    `${indent}${time}${first}`,
    ...more.map((line) => inner + line),
    ...(fields ? fieldLines({ ...fields, files: [] }, `${inner}  `) : []),
  ];
}

/** Only those that say something, each cut to a few lines. */
export function fieldLines({ outcome = '', decided, fixed, commits, left, files }: Fields, indent: string): string[] {
  const isCommit = (commits ?? []).some((subject) => outcome === `Committed: ${subject}`);
  const named: [name: string, said: string][] = [
    ['→', isCommit ? '' : readableOutcome(outcome)],
    ['decided:', readableAll(decided ?? [])],
    ['fixed:', readableAll((fixed ?? []).filter((each) => !each.split(' → ').every((part) => outcome.includes(part))))],
    ['commits:', (commits ?? []).join('; ')],
    ['left:', readableAll(left ?? [])],
    ['files:', (files ?? []).join(', ')],
  ];
  return named.flatMap(([name, said]) => {
    if (said === '') return [];
    const [first = '', ...more] = wrap(stripUnsafe(`${name} ${said}`), WIDTH - indent.length, SAID_LINES);
    return [indent + first, ...more.map((line) => `${indent}  ${line}`)];
  });
}

/** The same as data, by the names that rows have. */
export function spanFieldsJson({ meta }: Document): object {
  const exchange = exchangeFields(meta);
  if (exchange) return { level: 'exchange', ...exchange };
  const topic = topicFields(meta);
  if (!topic) return {};
  const { outcome, decided, commits, left, sessionTitle } = topic;
  return { level: 'topic', outcome, decided, commits, left, session_title: sessionTitle || null };
}
