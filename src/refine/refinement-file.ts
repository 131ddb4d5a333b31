// What a model has said about a topic, kept in a file of its own: the store is derived and may be deleted at any time, but this
// has cost tokens. One file per topic, named after it, with the hash of the lines it is about: other lines, no use.

import fs from 'node:fs';
import path from 'node:path';
import { RELATIONS } from '../extraction/relations/relations-of.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { parseJsonObject, readText } from '../files/json-file.ts';
import { contentHash } from '../model/hash.ts';
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

const IDEA = object({
  ref: text({ minLength: 1 }),
  text: text({ minLength: 1 }),
  intent: choice(INTENTS),
  confidence: number({ min: 0, max: 1 }),
  line: integer({ min: 1 }),
  by: choice(['user', 'assistant']),
});
const JUDGED = object({
  ref: text({ minLength: 1 }),
  intent: choice(INTENTS),
  confidence: number({ min: 0, max: 1 }),
});
const RELATION = object({ from: text({ minLength: 1 }), to: text({ minLength: 1 }), relation: choice(RELATIONS) });

const REFINEMENT = object({
  version: literal('1'),
  project: text({ minLength: 1 }),
  span: text({ minLength: 1 }),
  /** From which line to which, and how many turns: cheap to compare. */
  extent: text({ minLength: 1 }),
  /** The hash of the lines. */
  source: text({ minLength: 1 }),
  model: text({ minLength: 1 }),
  at: text({ minLength: 1 }),
  /** How often an answer could not be used. */
  failures: integer({ min: 0 }),
  /** Left out until there is an answer. */
  answer: optional(
    object({
      name: optional(text({ minLength: 1 })),
      summary: optional(text({ minLength: 1 })),
      ideas: list(IDEA, { maxItems: 100 }),
      /** Ideas that were found without a model and are of another kind than was thought. */
      judged: list(JUDGED, { maxItems: 100 }),
      relations: list(RELATION, { maxItems: 500 }),
    }),
  ),
});

export type Refinement = Infer<typeof REFINEMENT>;
export type RefinementAnswer = NonNullable<Refinement['answer']>;
export type RefinementIdea = Infer<typeof IDEA>;

const SUFFIX = '.json';

export const refinementFile = (folder: string, { project, span }: Pick<Refinement, 'project' | 'span'>): string =>
  path.join(folder, `${contentHash(`${project}\n${span}`).slice(0, 32)}${SUFFIX}`);

/** `undefined` also where the file is damaged: it is a cache, and asking again repairs it. */
export function readRefinement(file: string): Refinement | undefined {
  try {
    const written = readText(file);
    const value = written === undefined ? undefined : parseJsonObject(written, file);
    return value && problemsOf(REFINEMENT, value).length === 0 ? (value as Refinement) : undefined;
  } catch {
    return undefined;
  }
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
