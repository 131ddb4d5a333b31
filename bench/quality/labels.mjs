// How well extraction understands real conversations, by the hand-made labels of DIR/labels:
//   npm run eval -- --data DIR --only labels [--quick] [--json] [--print FILE [--all-sessions]]
// --quick asks the weights as they are, which have seen the labels; without it every conversation is judged by weights made without it.
//   npm run eval -- --data DIR --only labels --sessions      the conversations that are kept apart
// --print writes what a reader has to judge (titles, misses, the list of what is open, links), of the half that may be read.
import fs from 'node:fs';
import path from 'node:path';
import { readHeldOut, readLabelledStore } from './labels/labelled-store.mjs';
import { labelsLists, labelsSection } from './labels/labels-report.mjs';
import { isKeptApart, LABELLED_SETS, readLabels } from './labels/read-labels.mjs';
import { scoreOpen } from './labels/score-open.mjs';
import { scorePairs } from './labels/score-pairs.mjs';
import { scoreSessions } from './labels/score-sessions.mjs';
import { scoreStatements } from './labels/score-statements.mjs';

/** `stored`: rows, links and open items as labels/labelled-store.mjs gives them; of several stores, where each was trained without the sessions in it. */
export function scoreLabels({ statements, sessions, open, pairs }, stored) {
  return {
    statements: scoreStatements(statements, stored.rows),
    sessions: scoreSessions(sessions, stored.rows),
    open: scoreOpen(open, stored.open),
    pairs: scorePairs(pairs, stored.rows, stored.links),
    rows: stored.rows,
    links: stored.links,
  };
}

/** `quick`: by the weights as they are, which have seen the labels; else each conversation by weights that have not. */
export const measureLabels = async (data, { quick = false, say } = {}) =>
  scoreLabels(readLabels(data), await (quick ? readLabelledStore(data) : readHeldOut(data, say)));

export async function runLabels(data, { json, print, allSessions, sessions, quick, say }) {
  if (sessions) return console.log(keptApart(data).join('\n'));
  const scores = await measureLabels(data, { quick, say });
  if (print) fs.writeFileSync(print, `${labelsLists(scores, allSessions ? () => true : undefined).join('\n')}\n`);
  if (json) console.log(JSON.stringify(numbersOf(scores), null, 2));
  else console.log(labelsSection(scores).join('\n'));
}

/** Without what was said: nobody shall read by chance what is kept apart. */
function numbersOf({ statements, sessions: { things, titles, ...sessions }, open, pairs }) {
  return { statements, sessions, open: open.measured, pairs: pairs.measured, links: pairs.links };
}

function keptApart(data) {
  return LABELLED_SETS.flatMap((set) =>
    fs
      .readdirSync(path.join(data, set, 'transcripts'), { recursive: true })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => path.basename(name, '.jsonl'))
      .filter(isKeptApart)
      .sort(),
  );
}
