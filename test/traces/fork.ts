// Forks of a conversation, as Claude Code 2.1.325 writes them. `--fork-session` copies the chain of lines, from the last compaction on,
// with their names and times, under its own session and with one prompt id for all; in print mode notes of its own come first.
// `/branch` copies all of it and says of each line where it is from.

import { conversation } from './conversation.ts';

export type Kind = 'print' | 'interactive' | 'branch';
type Line = { readonly [field: string]: unknown } & { readonly uuid?: string; readonly timestamp?: string };

const HOUR = 3_600_000;
const digits = (number: number, length: number): string => String(number).padStart(length, '0');
const nameOf = (number: number, line: number): string => `${digits(number, 8)}-1111-4111-8111-${digits(line, 12)}`;

/** A conversation whose lines have names of their own. `from`: when it begins. */
export function named(number: number, turns: number, from?: number): { session: string; lines: string[] } {
  const { session, lines } = conversation(number, turns);
  const first = Math.min(...lines.map(timeIn).filter((time) => time > 0));
  let prompt = 0;
  return {
    session,
    lines: lines.map((text, at) => {
      const line = parsed(text);
      if (!line) return text;
      if (isPrompt(line)) prompt++;
      const time = timeIn(text) + (from === undefined ? 0 : from - first);
      return JSON.stringify({
        ...line,
        uuid: nameOf(number, at),
        timestamp: new Date(time).toISOString(),
        ...(line.type === 'user' ? { promptId: `${nameOf(number, prompt)}-p` } : {}),
      });
    }),
  };
}

/** A fork of a transcript at one of its lines, with what was said in it afterwards. */
export function forkOf(
  parent: readonly string[],
  { number, at, turns, kind }: { number: number; at: number; turns: number; kind: Kind },
): { session: string; lines: string[] } {
  // It is made after what it copies was said, and after its parent was made; that may go on meanwhile.
  const before = [...parent.slice(0, at), ...parent.filter((line) => line.includes(PROMPT))];
  const time = Math.max(...before.map(timeIn)) + HOUR + number * 1_000;
  const timestamp = new Date(time).toISOString();
  const own = named(number, turns, time + 1_000);
  const chain = parent.slice(0, at).flatMap((text) => {
    const line = parsed(text);
    return line?.uuid === undefined ? [] : [line];
  });
  const compacted = chain.findLastIndex(({ subtype }) => subtype === 'compact_boundary');
  const copied = kind === 'branch' ? chain : chain.slice(Math.max(0, compacted));
  const promptId = `${nameOf(number, 1)}-p`;
  const first = { type: 'user', uuid: nameOf(number, 900_000), promptId, timestamp };
  const prompt = { ...first, sessionId: own.session, cwd: '/work/example', message: { role: 'user', content: PROMPT } };
  const note = { type: 'queue-operation', sessionId: own.session, timestamp };
  const lines = [
    { type: 'mode', mode: 'normal', sessionId: own.session },
    ...(kind === 'print'
      ? [
          { ...note, operation: 'enqueue', content: PROMPT },
          { ...note, operation: 'dequeue' },
        ]
      : []),
    ...copied.map((line) => ({
      ...line,
      sessionId: own.session,
      ...(kind === 'branch'
        ? { forkedFrom: { sessionId: line.sessionId, messageUuid: line.uuid } }
        : line.type === 'user'
          ? { promptId }
          : {}),
    })),
    prompt,
  ];
  return { session: own.session, lines: [...lines.map((line) => JSON.stringify(line)), ...own.lines] };
}

/** The first words of every fork. */
export const PROMPT = 'Should we rather use Elasticsearch for the quorum ledger in this branch?';

const isPrompt = ({ type, message }: Line): boolean =>
  type === 'user' && typeof (message as { content?: unknown } | undefined)?.content === 'string';

const timeIn = (text: string): number => Date.parse(parsed(text)?.timestamp ?? '') || 0;

function parsed(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}
