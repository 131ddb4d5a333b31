// What was left open, and is done later, in another exchange or another conversation: a change that says so in its words.

import { TASK_DONE, TASK_FILE } from '../ideas/ideas-of-event.ts';
import {
  commonWords,
  type Found,
  isChange,
  isLater,
  link,
  onceEach,
  type Statement,
  tellingWords,
} from './statement.ts';

const FEWEST = 3;
const SHARE = 0.7;
/** The cells of a table row and the heading above it say nothing about the thing itself. */
const HEADING = /^[^:|]{4,60}: (?=\||\d+[.)] )/;
const thingWords = onceEach((text) =>
  tellingWords(
    text
      .replace(HEADING, '')
      .replace(TASK_FILE, '')
      .replace(/\|[^|]{0,14}\|\s*$/g, ' ')
      .replace(/\b\d+\s?d?\b|\b(?:ago|today|yesterday)\b/g, ' '),
  ),
);

/** Of a commit or pull request its subject and the first of its body: a long body names what is left, too. */
const BEGINNING = 300;
const doneWords = onceEach((text) => tellingWords(text.slice(0, BEGINNING)));
/** It may be put off once more, or only written down. */
const PUT_OFF = /\b(?:to-?dos?|defer(?:red|s)?|later|plan(?:ned|ning|s)?|document(?:ed|s)?)\b/i;
const isPutOff = onceEach((text) => PUT_OFF.test(text.slice(0, BEGINNING)));

const isTaskDone = ({ place, text }: Statement): boolean => place === undefined && text.startsWith(TASK_DONE);
const fileOf = onceEach((text) => TASK_FILE.exec(text)?.[1]?.split('/').at(-1));
/** The file of a task keeps its name wherever it is moved. */
const isSameFile = (change: Statement, left: Statement): boolean =>
  isTaskDone(change) && fileOf(change) !== undefined && fileOf(change) === fileOf(left);

export function settlesIn(exchange: readonly Statement[], open: readonly Statement[]): Found[] {
  if (open.length === 0) return [];
  return exchange
    .filter((each) => isTaskDone(each) || (isChange(each) && !isPutOff(each)))
    .flatMap((change) =>
      open.flatMap((left) => {
        if (!isLater(change, left) || (left.session === change.session && left.exchange === change.exchange)) return [];
        if (isSameFile(change, left)) return [link(change, left, 'answers', 0.95, 'settles')];
        const words = thingWords(left);
        const common = commonWords(words, doneWords(change));
        return common >= FEWEST && common / words.size >= SHARE ? [link(change, left, 'answers', 0.75, 'settles')] : [];
      }),
    );
}
