// `cairn remember`: what was decided, tried and left open, found again by a question. All layers at once.

import path from 'node:path';
import { type Command, Option } from 'commander';
import { type Question, type RecallAnswer, RecallMemory, readQueries } from '../../../app/recall-memory.ts';
import { SINCE_FORMS } from '../../../app/written-time.ts';
import { warningsOf, warningText } from '../../../config/load.ts';
import { CairnError } from '../../../errors.ts';
import { INTENTS } from '../../../model/trace.ts';
import type { Io } from '../io.ts';
import { positive } from '../positive.ts';
import { answerText } from '../print-answer.ts';
import { timeOption } from '../time-option.ts';

type Options = {
  limit: number;
  since?: string;
  until?: string;
  session?: string;
  intent?: string[];
  layer?: string[];
  allProjects?: true;
  hyde?: true;
  explain?: true;
  batch?: string;
  includeArchived?: true;
  json?: true;
};

const LAYERS = ['record', 'note', 'trace'];
const MAX_LIMIT = 200;

export function rememberCommand(program: Command, io: Io): void {
  program
    .command('remember')
    .description('Find what was decided, tried and left open, in records, notes and conversations')
    .argument('[query...]', 'the question, in any words')
    .option('--limit <n>', 'at most so many', positive, 10)
    .option('--since <date>', `made since then: ${SINCE_FORMS}`)
    .option('--until <date>', 'made before then')
    .option('--session <id>', 'only of this conversation')
    .addOption(
      new Option('--intent <intent>', `only of this kind: ${INTENTS.join(', ')}; a,b means any`).argParser(list),
    )
    .addOption(new Option('--layer <layer>', `only in: ${LAYERS.join(', ')}; a,b means any`).argParser(list))
    .option('--all-projects', 'in all projects, not only in this one')
    .option('--include-archived', 'also what was archived')
    .option('--hyde', 'let the language model make up an answer and look for its like')
    .option('--explain', 'tell what made each score')
    .option('--batch <file>', 'one query a line, plain or as {"query","project",…}; - reads standard input')
    .option('--json', 'print data instead of text')
    .addHelpText('after', '\nExample:\n  cairn remember what did we decide about sessions last week')
    .action(async (words: string[], options: Options) => {
      const query = words.join(' ').trim();
      if (query === '' && options.batch === undefined)
        throw new CairnError('USAGE_ERROR', 'What shall be remembered? The query is empty.', {
          fix: 'cairn remember decisions about sessions',
        });
      const memory = await RecallMemory.open({ cwd: io.cwd, env: io.env });
      try {
        for (const each of warningsOf(memory.config)) io.err(`WARNING: ${warningText(each)}`);
        await memory.refresh();
        if (options.batch !== undefined) await runBatch(memory, options, io);
        else await runOne(memory, { query, ...asked(options) }, options, io);
        const { length: unreadable } = memory.unreadable;
        if (unreadable > 0)
          io.err(`WARNING: files of the memory that cannot be read: ${unreadable}; cairn graph --check names them`);
        for (const problem of memory.problems) io.err(`WARNING: ${problem}`);
      } finally {
        await memory.close();
      }
    });
}

const list = (value: string, all: string[] | undefined): string[] => [
  ...(all ?? []),
  ...value
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter(Boolean),
];

async function runOne(memory: RecallMemory, question: Question, options: Options, io: Io): Promise<void> {
  const answer = await memory.ask(question);
  if (options.json) io.out(JSON.stringify(answer));
  else {
    const { home, projectRoot: project } = memory.config.paths;
    io.out(answerText(answer, { question, colour: coloured(io), now: Date.now(), home, project }));
  }
}

const coloured = (io: Io): boolean => io.interactive && !io.env.NO_COLOR && io.env.TERM !== 'dumb';

async function runBatch(memory: RecallMemory, options: Options, io: Io): Promise<void> {
  const text = options.batch === '-' ? await io.readStdin() : readQueries(path.resolve(io.cwd, options.batch!));
  const lines = text.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const answer: RecallAnswer = await memory.ask({ ...asked(options), ...questionOf(line, at + 1) });
    io.out(JSON.stringify(answer));
  }
}

/** The options of the command line as a question; what is wrong with them is the user's to know. */
function asked(options: Options): Omit<Question, 'query'> {
  return {
    limit: Math.min(options.limit, MAX_LIMIT),
    ...(options.since === undefined ? {} : { since: timeOption('--since', options.since) }),
    ...(options.until === undefined ? {} : { until: timeOption('--until', options.until) }),
    ...(options.session === undefined ? {} : { session: options.session }),
    ...(options.intent ? { intents: checked('--intent', options.intent, INTENTS) } : {}),
    ...(options.layer ? { layers: checked('--layer', options.layer.map(singular), LAYERS) } : {}),
    ...(options.allProjects ? { allProjects: true } : {}),
    ...(options.includeArchived ? { includeArchived: true } : {}),
    ...(options.hyde ? { hyde: true } : {}),
    ...(options.explain ? { explain: true } : {}),
  };
}

const singular = (layer: string): string => layer.replace(/s$/, '');

function checked(option: string, values: readonly string[], known: readonly string[]): string[] {
  const wrong = values.find((value) => !known.includes(value));
  if (wrong === undefined) return [...values];
  throw new CairnError('USAGE_ERROR', `${option} ${JSON.stringify(wrong)} is not known.`, {
    fix: `Use one of ${known.join(', ')}.`,
  });
}

/** A line of a batch: plain words, or an object whose keys are those of the options. */
function questionOf(line: string, number: number): Question {
  if (!line.trimStart().startsWith('{')) return { query: line.trim() };
  let value: { readonly [key: string]: unknown };
  try {
    value = JSON.parse(line);
  } catch {
    return { query: line.trim() }; // words that begin with a brace
  }
  if (typeof value.query !== 'string')
    throw new CairnError('INPUT_ERROR', `Line ${number} of the batch has no "query".`);
  const texts = (key: string): string[] | undefined => {
    const given = value[key];
    const all = Array.isArray(given) ? given : given === undefined ? [] : [given];
    return all.length > 0 && all.every((each) => typeof each === 'string') ? all : undefined;
  };
  const since = typeof value.since === 'string' ? timeOption('since', value.since) : undefined;
  const until = typeof value.until === 'string' ? timeOption('until', value.until) : undefined;
  const intents = texts('intent') ?? texts('intents');
  const layers = texts('layer') ?? texts('layers');
  return {
    query: value.query,
    ...(typeof value.project === 'string' ? { directory: value.project } : {}),
    ...(typeof value.limit === 'number' && value.limit >= 1 ? { limit: Math.min(value.limit, MAX_LIMIT) } : {}),
    ...(typeof value.session === 'string' ? { session: value.session } : {}),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(intents ? { intents: checked('intent', intents, INTENTS) } : {}),
    ...(layers ? { layers: checked('layer', layers.map(singular), LAYERS) } : {}),
    ...(value.all_projects === true ? { allProjects: true } : {}),
    ...(value.include_archived === true ? { includeArchived: true } : {}),
    ...(value.explain === true ? { explain: true } : {}),
  };
}
