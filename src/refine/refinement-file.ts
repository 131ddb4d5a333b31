// What a model has said about a topic, kept in a file of its own: the store is derived and may be deleted at any time, but this
// has cost tokens. One file per topic, named after it, with the hash of the lines it is about: other lines, no use.

import fs from 'node:fs';
import path from 'node:path';
import { RELATIONS } from '../extraction/relations/relations-of.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { parseJsonObject, readText } from '../files/json-file.ts';
import { contentHash } from '../model/hash.ts';
import { isObject } from '../model/json.ts';
import {
  choice,
  type Infer,
  integer,
  list,
  literal,
  number,
  object,
  optional,
  problemsOf,
  text,
} from '../model/schema.ts';
import { INTENTS } from '../model/trace.ts';
import { ENTITY_KINDS, VERDICTS } from './refine-prompt.ts';

const MOST = 2_000;
const ref = text({ minLength: 1 });
const words = text({ minLength: 1 });
const confidence = number({ min: 0, max: 1 });
const by = choice(['user', 'assistant']);
const line = integer({ min: 1 });

const IDEA = object({ ref, text: words, intent: choice(INTENTS), confidence, line, lines: optional(list(line)), by });
/** On an idea that was found without a model; `by`: what settles it. */
const VERDICT = object({ ref, verdict: choice(VERDICTS), by: optional(ref) });
const OUTCOME = object({ ref, title: optional(words), outcome: optional(words) });
const RELATION = object({ from: ref, to: ref, relation: choice(RELATIONS) });

const ANSWER = object({
  title: optional(words),
  summary: optional(words),
  ideas: list(IDEA, { maxItems: MOST }),
  verdicts: list(VERDICT, { maxItems: MOST }),
  /** Of exchanges. */
  outcomes: list(OUTCOME, { maxItems: MOST }),
  entities: list(object({ name: words, kind: choice(ENTITY_KINDS) }), { maxItems: MOST }),
  borders: list(object({ line, change: choice(['split', 'merge']) }), { maxItems: MOST }),
  relations: list(RELATION, { maxItems: MOST }),
  /** Of every idea that is named here without being of it: what it says. A later build may give its name to another one. */
  known: list(object({ ref, hash: words }), { maxItems: MOST }),
});

const HEAD = {
  project: words,
  span: ref,
  /** From which line to which, and how many turns: cheap to compare. */
  extent: words,
  /** The hash of the lines. */
  source: words,
  model: words,
  at: words,
  /** How often an answer could not be used. */
  failures: integer({ min: 0 }),
};

const REFINEMENT = object({
  version: literal('2'),
  ...HEAD,
  /** Pages of a long topic that are answered while others are not; `key` says what was shown on them. */
  pages: optional(list(object({ key: words, answer: ANSWER }), { maxItems: 100 })),
  /** Left out until every page is answered. */
  answer: optional(ANSWER),
});

/** As the first builds wrote it: an answer could only add, and say that a statement is of another kind. */
const FIRST = object({
  version: literal('1'),
  ...HEAD,
  answer: optional(
    object({
      name: optional(words),
      summary: optional(words),
      ideas: list(IDEA),
      judged: list(object({ ref, intent: choice(INTENTS), confidence })),
      relations: list(RELATION),
    }),
  ),
});

export type Refinement = Infer<typeof REFINEMENT>;
export type RefinementAnswer = Infer<typeof ANSWER>;
export type RefinementIdea = Infer<typeof IDEA>;
export type AnsweredPage = NonNullable<Refinement['pages']>[number];

export const EMPTY_ANSWER: RefinementAnswer = {
  ideas: [],
  verdicts: [],
  outcomes: [],
  entities: [],
  borders: [],
  relations: [],
  known: [],
};

const SUFFIX = '.json';

export const refinementFile = (folder: string, { project, span }: Pick<Refinement, 'project' | 'span'>): string =>
  path.join(folder, `${contentHash(`${project}\n${span}`).slice(0, 32)}${SUFFIX}`);

/** `undefined` also where the file is damaged: it is a cache, and asking again repairs it. */
export function readRefinement(file: string): Refinement | undefined {
  try {
    const written = readText(file);
    const value = written === undefined ? undefined : parseJsonObject(written, file);
    if (isObject(value) && value.version === '1')
      return problemsOf(FIRST, value).length === 0 ? ofToday(value as Infer<typeof FIRST>) : undefined;
    return value && problemsOf(REFINEMENT, value).length === 0 ? (value as Refinement) : undefined;
  } catch {
    return undefined;
  }
}

/** It was paid for: what it says still holds. */
function ofToday({ answer, ...head }: Infer<typeof FIRST>): Refinement {
  if (!answer) return { ...head, version: '2' };
  const { name, summary, ideas, judged, relations } = answer;
  const verdicts = judged.map(({ ref: of, intent }) => ({ ref: of, verdict: intent }));
  const said = { ...(name ? { title: name } : {}), ...(summary ? { summary } : {}) };
  return { ...head, version: '2', answer: { ...EMPTY_ANSWER, ...said, ideas, relations, verdicts } };
}

export function writeRefinement(folder: string, refinement: Refinement): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  atomicWrite(refinementFile(folder, refinement), `${JSON.stringify(refinement)}\n`, { mode: 0o600 });
}

/** Every file of the folder, in the order of their names. */
export function refinementFiles(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder).filter((name) => /^[0-9a-f]{32}\.json$/.test(name));
  return names.sort().map((name) => path.join(folder, name));
}
