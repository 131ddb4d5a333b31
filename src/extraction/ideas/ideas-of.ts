// From what was said to statements worth finding again, without a model: pure, deterministic, and linear in the text.
// Every turn that says something yields at least one idea, and every idea is a part of its turn, behind what stands above.

import type { Provenance } from '../../model/provenance.ts';
import type { Idea, Turn } from '../../model/trace.ts';
import { type Foreign, foreignText } from '../../safety/foreign-text.ts';
import { removePrivate } from '../../safety/private-tags.ts';
import { topicWords } from '../topic-words.ts';
import { blocksOf } from './blocks.ts';
import { isMachineTurn, saidSegments } from './injected.ts';
import { join } from './join.ts';
import { readStatements } from './read-statements.ts';
import type { Statement } from './statement.ts';

/** Code and output are kept only where a turn has nothing else, and then no more of it than this. */
const MOST_WEAK = 3;
const SHORTEST_WHOLE = 40;
const LONGEST_WHOLE = 600;
const FEWEST_TELLING = 4;
/** What every narration speaks of; in the rough form of topic-words.ts. */
const ROUTINE: ReadonlySet<string> = new Set(
  (
    'test pass all lint typecheck type check commit committ stage push read task build compile clean hook verify implement start begin ' +
    'create write edit context picture clear understand understanding plan step everything successfully complete done mark completed ' +
    'content exact section match existing current state final full quick quickly explore codebase remaining relevant key parallel review ' +
    "continue proceed ready help welcome day hope best luck happy glad talk soon care much take time feel free question let's"
  ).split(' '),
);
const MOST_OF_PAGE = 3;
/** Some words in a row, and not only names of code. */
const PROSE = /(?:\p{L}{2,}[,;:]? ){5}|[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]{8}/u;
const PRIVATE = /<private/i;
const UNEVEN_BLANKS = /\s\s|[^\S ]/;

export function ideasOf(turn: Turn): Idea[] {
  const text = PRIVATE.test(turn.text) ? removePrivate(turn.text) : turn.text;
  if (isMachineTurn(text)) return [];
  const kept: Statement[] = [];
  const weak: Statement[] = [];
  const segments = [...saidSegments(text)];
  const foreign = foreignText(text, turn.role);
  for (const { start, end } of segments) {
    const blocks = blocksOf(text, start, end);
    const joined = join(text, readStatements(text, blocks, { role: turn.role, foreign }));
    for (const statement of joined.kept) kept.push(statement);
    for (const statement of joined.weak.slice(0, MOST_WEAK)) weak.push(statement);
  }
  const chosen = kept.length > 0 ? kept : weak.slice(0, MOST_WEAK);
  if (chosen.length === 0) {
    const whole = segments.map(({ start, end }) => text.slice(start, end)).join(' ');
    return wholeTurn(whole, turn, mostly(text, foreign));
  }
  return chosen.map((statement, part) => ideaOf(statement, text, turn, part));
}

/** The prose of a page, with no label: nobody here has said it. Its code, lists of names and numbers are left out. */
export function pageIdeas(text: string): Pick<Idea, 'text' | 'intent' | 'confidence'>[] {
  const open = removePrivate(text);
  const foreign: Foreign[] = [{ start: 0, end: open.length, as: 'pasted' }];
  const { kept } = join(open, readStatements(open, blocksOf(open, 0, open.length), { role: 'user', foreign }));
  const prose = kept.filter(({ start, end }) => PROSE.test(open.slice(start, end)));
  return prose.slice(0, MOST_OF_PAGE).map(({ start, end, prefix }) => ({
    text: prefix + evenBlanks(open.slice(start, end)).trim(),
    intent: 'context',
    confidence: 0.3,
  }));
}

/**
 * A turn of nothing but narration is kept as a whole if it tells of something: “Now guard the loops against malformed
 * results”. That tests pass, or that a file will be read, is told every other minute.
 */
function wholeTurn(text: string, turn: Turn, provenance: Provenance): Idea[] {
  const plain = evenBlanks(text).trim();
  if (plain.length < SHORTEST_WHOLE || plain.length > LONGEST_WHOLE || plain.startsWith('[')) return [];
  const telling = new Set(topicWords(plain).filter((word) => !ROUTINE.has(word)));
  if (telling.size < (turn.role === 'user' ? 1 : FEWEST_TELLING)) return [];
  const { role, line, time } = turn;
  const speaker = turn.speaker ?? role;
  const idea = { intent: 'context', stance: 'stated', confidence: 0.3, part: 0 } as const;
  return [{ text: plain, ...idea, role, speaker, provenance, line, time }];
}

/** Said, unless the better part of it is somebody else's. */
function mostly(text: string, foreign: readonly Foreign[]): Provenance {
  const length = foreign.reduce((sum, { start, end }) => sum + end - start, 0);
  return 2 * length >= text.length ? (foreign[0]?.as ?? 'said') : 'said';
}

function ideaOf(
  { start, end, prefix, provenance, judgement }: Statement,
  text: string,
  turn: Turn,
  part: number,
): Idea {
  const { intent, stance, confidence } = judgement;
  const { role, line, time } = turn;
  return {
    text: prefix + evenBlanks(text.slice(start, end)).trim(),
    intent,
    stance,
    confidence,
    role,
    speaker: turn.speaker ?? role,
    provenance,
    line,
    part,
    time,
  };
}

function evenBlanks(text: string): string {
  return UNEVEN_BLANKS.test(text) ? text.replace(/\s+/g, ' ') : text;
}
