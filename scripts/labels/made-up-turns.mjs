// The statements of bench/quality/labels/made-up-turns.txt with their features: turns that were written for training, each as it would stand in an
// exchange. Its head says how it is written.
import fs from 'node:fs';

const INTENTS = {
  d: 'decision',
  c: 'conclusion',
  q: 'question',
  p: 'problem',
  s: 'solution',
  t: 'todo',
  x: 'context',
  n: 'none',
};
const GRADES = { k: 'keep', s: 'search_only', j: 'junk' };
const HEAD =
  /^@ (prompt|between|final)((?: (?:first|plan|wrote|committed|failed))*)(?: asked: (.*?))?(?: next: (.*))?$/;
const LINE = /^(\+?)([dcqpstxn])([ksj]) (.*)$/;
const LISTED = /^\s*(?:- |\| |\d+\. )/;

/** `sources`: the bundled sources. */
export function madeUpStatements(sources, file) {
  return turnsIn(file).flatMap((turn) => {
    const speech = speechOf(sources, turn);
    const features = new sources.Features(speech);
    return speech.statements.flatMap(({ start }, at) => {
      const line = turn.lines.findLast((each) => each.start <= start + 1);
      const found = [];
      features.of(at, (key, value) => found.push([key, value]));
      const { intent, worth } = line;
      return [{ session: '', intent, worth, file: 'written', isNatural: false, place: turn.place, features: found }];
    });
  });
}

function turnsIn(file) {
  const turns = [];
  for (const text of fs.readFileSync(file, 'utf8').split('\n')) {
    if (text === '' || text.startsWith('#')) continue;
    const head = HEAD.exec(text);
    if (head) {
      const [, place, flags, asked = '', next] = head;
      turns.push({ place, flags: flags.trim().split(' '), asked, next, lines: [], text: '' });
      continue;
    }
    const line = LINE.exec(text);
    if (!line) throw new Error(`made-up-turns.txt: ${text}`);
    const [, joins, intent, worth, said] = line;
    const turn = turns.at(-1);
    const before = turn.lines.at(-1);
    if (before) turn.text += joins ? ' ' : LISTED.test(said) && LISTED.test(before.said) ? '\n' : '\n\n';
    turn.lines.push({ intent: INTENTS[intent], worth: GRADES[worth], said, start: turn.text.length });
    turn.text += said;
  }
  return turns;
}

function speechOf(sources, { place, flags, asked, next, text }) {
  const event = (name, line, more) => ({ kind: 'event', event: name, line, time: 0, ...more });
  const turn = { kind: 'turn', role: place === 'prompt' ? 'user' : 'assistant', text, line: 4, time: 0, message: 'm' };
  const items = [turn];
  if (place !== 'prompt') {
    items.unshift({ kind: 'turn', role: 'user', text: 'go on', line: 1, time: 0, message: 'p' }, event('work', 2));
    if (flags.includes('failed')) items.splice(2, 0, event('failure', 3));
    if (flags.includes('wrote')) items.splice(2, 0, event('files', 3, { files: ['a'], wrote: true }));
    if (flags.includes('committed')) items.splice(2, 0, event('commit', 3));
    if (place === 'between') items.push(event('work', 5));
  }
  const exchange = { start: 1, number: flags.includes('first') ? 0 : 1, items, asked };
  return sources.speechesOf(exchange, next ? { text: next } : undefined).find((speech) => speech.turn === turn);
}
