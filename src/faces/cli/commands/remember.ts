// `cairn remember`: what was decided, tried and left open, found again by a question. All layers at once.

import { type Command, Option } from 'commander';
import { type Question, type RecallAnswer, RecallMemory } from '../../../app/recall-memory.ts';
import { warningsOf, warningText } from '../../../config/load.ts';
import { CairnError } from '../../../errors.ts';
import { MAX_JSON_BYTES, readText } from '../../../files/json-file.ts';
import { INTENTS } from '../../../model/trace.ts';
import { readSince, SINCE_FORMS } from '../../../recall/time/since.ts';
import type { Io } from '../io.ts';
import { positive } from '../positive.ts';
import { answerText } from '../print-answer.ts';

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
  const text = options.batch === '-' ? await io.readStdin() : readBatch(options.batch!, io.cwd);
  const lines = text.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const answer: RecallAnswer = await memory.ask({ ...asked(options), ...questionOf(line, at + 1) });
    io.out(JSON.stringify(answer));
  }
}

function readBatch(name: string, cwd: string): string {
  const file = name.startsWith('/') ? name : `${cwd}/${name}`;
  const text = readText(file, MAX_JSON_BYTES);
  if (text !== undefined) return text;
  throw new CairnError('NOT_FOUND', `There is no file ${file}.`, { fix: 'Name a file with one query on each line.' });
}

/** The options of the command line as a question; what is wrong with them is the user's to know. */
function asked(options: Options): Omit<Question, 'query'> {
  const since = timeOf('--since', options.since);
  const until = timeOf('--until', options.until);
  return {
    limit: Math.min(options.limit, MAX_LIMIT),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
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

function timeOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = readSince(text, new Date());
  if (time !== undefined) return time;
  throw new CairnError('USAGE_ERROR', `${option} ${JSON.stringify(text)} is no time.`, {
    fix: `Write it like one of ${SINCE_FORMS}.`,
  });
}

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
  const since = typeof value.since === 'string' ? timeOf('since', value.since) : undefined;
  const until = typeof value.until === 'string' ? timeOf('until', value.until) : undefined;
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
