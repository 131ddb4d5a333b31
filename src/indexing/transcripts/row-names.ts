// Where rows of a conversation belong and what they are called: the same place in the same conversation has the same name for ever, in every store
// that is built from it.

import type { EntityOptions } from '../../extraction/entities/entity.ts';
import { type Fork, generationAt } from '../../model/forks.ts';
import { contentHash } from '../../model/hash.ts';
import { type Twin, twinAt, withTwin } from './twin-transcript.ts';

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

export function threadAt(
  { thread, forks = [], twin }: Pick<TracePlace, 'thread' | 'forks' | 'twin'>,
  line: number,
): string {
  const generation = generationAt(forks, line);
  const own = withTwin(thread, twinAt(twin, line));
  return generation === 1 ? own : `${own}~${generation}`;
}

/** Said by the rows of those that were rewritten alone. */
export function generationIn({ forks = [] }: TracePlace, line: number): { generation?: number } {
  const generation = generationAt(forks, line);
  return generation === 1 ? {} : { generation };
}

export const agentOf = ({ agent }: TracePlace): { agent?: string } => (agent === undefined ? {} : { agent });

/** Without a branch the client says HEAD. */
export const branchOf = ({ branch }: TracePlace): { branch?: string } =>
  branch === undefined || branch === 'HEAD' ? {} : { branch };

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
