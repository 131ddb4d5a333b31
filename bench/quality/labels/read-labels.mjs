// The hand-labelled conversations of DIR/labels (its README defines every label), and the two halves of their sessions: one may be
// read while extraction is built, the other is only ever scored.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** The data sets whose conversations are labelled: their rows name sessions of these. */
export const LABELLED_SETS = ['cipher-box', 'context-evaluator'];

const readRows = (data, name) =>
  fs
    .readFileSync(path.join(data, 'labels', name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));

export const hasLabels = (data) => fs.existsSync(path.join(data, 'labels', 'statements.jsonl'));

export function readLabels(data) {
  return {
    statements: readRows(data, 'statements.jsonl'),
    sessions: readRows(data, 'sessions.jsonl'),
    open: readRows(data, 'open.jsonl'),
    pairs: readRows(data, 'pairs.jsonl'),
  };
}

/** By the first byte of a hash of its id, so that nobody chose. */
export const isKeptApart = (session) => createHash('sha256').update(session).digest()[0] % 2 === 1;

/** Every measure is made of all rows and of each half; `sessionsOf` names all conversations that a row was taken from. */
export const HALVES = {
  all: () => true,
  'looked at': (sessions) => !sessions.every(isKeptApart),
  'kept apart': (sessions) => sessions.every(isKeptApart),
};

/** { all, 'looked at', 'kept apart' } of whatever `measure` makes of the rows of each. */
export const byHalves = (rows, sessionsOf, measure) =>
  Object.fromEntries(
    Object.entries(HALVES).map(([half, isIn]) => [
      half,
      measure(
        rows.filter((row) => isIn(sessionsOf(row))),
        half,
      ),
    ]),
  );
