// From what was said to statements worth finding again, without a model: pure, deterministic, and linear in the text.
// Every turn that says something yields at least one idea, and every idea is a part of its turn, behind what stands above.

import { removePrivate } from '../../safety/private-tags.ts';
import type { Idea, Turn } from '../trace.ts';
import { blocksOf } from './blocks.ts';
import { isMachineTurn, saidSegments } from './injected.ts';
import { join } from './join.ts';
import { readStatements } from './read-statements.ts';
import type { Statement } from './statement.ts';

/** Code and output are kept only where a turn has nothing else, and then no more of it than this. */
const MOST_WEAK = 3;
const PRIVATE = /<private/i;
const UNEVEN_BLANKS = /\s\s|[^\S ]/;

export function ideasOf(turn: Turn): Idea[] {
  const text = PRIVATE.test(turn.text) ? removePrivate(turn.text) : turn.text;
  if (isMachineTurn(text)) return [];
  const kept: Statement[] = [];
  const weak: Statement[] = [];
  for (const { start, end } of saidSegments(text)) {
    const joined = join(text, readStatements(text, blocksOf(text, start, end), turn.role));
    for (const statement of joined.kept) kept.push(statement);
    for (const statement of joined.weak.slice(0, MOST_WEAK)) weak.push(statement);
  }
  const chosen = kept.length > 0 ? kept : weak.slice(0, MOST_WEAK);
  return chosen.map((statement, part) => ideaOf(statement, text, turn, part));
}

function ideaOf({ start, end, prefix, judgement }: Statement, text: string, turn: Turn, part: number): Idea {
  const { intent, stance, confidence } = judgement;
  const { role, line, time } = turn;
  return {
    text: prefix + evenBlanks(text.slice(start, end)).trim(),
    intent,
    stance,
    confidence,
    role,
    line,
    part,
    time,
  };
}

function evenBlanks(text: string): string {
  return UNEVEN_BLANKS.test(text) ? text.replace(/\s+/g, ' ') : text;
}
