// `cairn remember`: what was decided, tried and left open, found again by a question. All layers at once.

import path from 'node:path';
import { type Command, Option } from 'commander';
import { exactText } from '../../../app/exact-text.ts';
import { overviewText } from '../../../app/overview-text.ts';
import { type Question, type RecallAnswer, RecallMemory, readQueries } from '../../../app/recall-memory.ts';
import { SINCE_FORMS } from '../../../app/written-time.ts';
import { warningsOf, warningText } from '../../../config/load.ts';
import { CairnError } from '../../../errors.ts';
import { isObject, parseJson } from '../../../model/json.ts';
import { INTENTS } from '../../../model/trace.ts';
import { type Io, widthOf } from '../io.ts';
import { openTracesFor } from '../open-traces.ts';
import { positive } from '../positive.ts';
import { answerText } from '../print-answer.ts';
import { exactLines } from '../print-exact.ts';
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
  exact?: true;
  includeArchived?: true;
  json?: true;
};

const LAYERS = ['record', 'note', 'trace', 'commit'];
const MAX_LIMIT = 200;

export function rememberCommand(program: Command, io: Io): void {
  program
    .command('remember')
    .description('Find what was decided, tried and left open, in records, notes and conversations')
    .argument('[query...]', 'the question, in any words; without one, --since, --until, --session and --intent list')
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
    .option('--exact', 'find the query as it stands in conversations, letter by letter, whatever was said around it')
    .option('--batch <file>', 'one query a line, plain or as {"query","project",…}; - reads standard input')
    .option('--json', 'print data instead of text')
    .addHelpText(
      'after',
      '\nExample:\n  cairn remember what did we decide about sessions last week\n  cairn remember --exact ECONNREFUSED --since monday',
    )
    .action(async (words: string[], options: Options) => {
      const query = words.join(' ').trim();
      if (options.exact) return runExact(query, options, io);
      const isLimited = [options.since, options.until, options.session, options.intent].some(
        (each) => each !== undefined,
      );
      if (query === '' && options.batch === undefined && !isLimited)
        throw new CairnError('USAGE_ERROR', 'What shall be remembered? The query is empty.', {
          fix: 'cairn remember decisions about sessions, or cairn remember --since "last week" for all of that time',
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
  else if (answer.overview) {
    const { allProjects = false } = question;
    io.out(overviewText(answer.overview, { width: widthOf(io), now: new Date(), allProjects }));
  } else {
    const { home, projectRoot: project } = memory.config.paths;
    io.out(answerText(answer, { question, colour: coloured(io), width: widthOf(io), now: Date.now(), home, project }));
  }
}

const coloured = (io: Io): boolean => io.interactive && !io.env.NO_COLOR && io.env.TERM !== 'dumb';

async function runBatch(memory: RecallMemory, options: Options, io: Io): Promise<void> {
  const text = options.batch === '-' ? await io.readStdin() : readQueries(path.resolve(io.cwd, options.batch ?? ''));
  const lines = text.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const answer: RecallAnswer = await memory.ask({ ...asked(options), ...questionOf(line, at + 1) });
    io.out(JSON.stringify(answer));
  }
}

/** Of the other options only those that say where to look. */
async function runExact(text: string, options: Options, io: Io): Promise<void> {
  const { limit, session, since, until, allProjects } = options;
  const wrong = (['intent', 'layer', 'hyde', 'explain', 'batch', 'includeArchived'] as const).find(
    (option) => options[option] !== undefined,
  );
  if (wrong !== undefined)
    throw new CairnError('USAGE_ERROR', `--exact looks for letters, and takes no --${wrong.replace(/A/, '-a')}.`, {
      fix: 'It goes with --since, --until, --session, --all-projects and --limit.',
    });
  const memory = await openTracesFor(io);
  try {
    const answer = await exactText(memory, {
      text,
      limit: Math.min(limit, MAX_LIMIT),
      ...(session === undefined ? {} : { session }),
      ...(since === undefined ? {} : { since: timeOption('--since', since) }),
      ...(until === undefined ? {} : { until: timeOption('--until', until) }),
      ...(allProjects ? { allProjects: true } : {}),
    });
    io.out(options.json ? JSON.stringify(answer) : exactLines(answer, widthOf(io)).join('\n'));
  } finally {
    await memory.close();
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
  const value = parseJson(line);
  if (!isObject(value)) return { query: line.trim() }; // words that begin with a brace
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
