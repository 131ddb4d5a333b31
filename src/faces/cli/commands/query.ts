// `cairn query`: ask the graph of notes and records. All filters combine.

import { type Command, Option } from 'commander';
import type { FoundNode, GraphAnswer, GraphMemory, GraphQuery } from '../../../app/graph-memory.ts';
import { SINCE_FORMS } from '../../../app/written-time.ts';
import { CairnError } from '../../../errors.ts';
import { stripUnsafe, stripUnsafeText } from '../../../model/text.ts';
import type { Io } from '../io.ts';
import { timeOption } from '../time-option.ts';
import { openGraphFor, warnUnsaved } from './graph.ts';

type Options = {
  id?: string;
  type?: string[];
  tag?: string[];
  related?: string;
  recent?: string | true;
  search?: string;
  status?: string[];
  since?: string;
  format: 'summary' | 'json' | 'full';
  limit?: string;
  json?: true;
};

const RECENT = 5;
/** Kinship and words may find a great many, of which the last say little. */
const RANKED_LIMIT = 20;

export function queryCommand(program: Command, io: Io): void {
  program
    .command('query')
    .description('Ask the graph of notes and records; filters combine')
    .option('--id <id>', 'the one with this id, REF or slug')
    .option('--type <type>', 'of this type or category; a,b means any of them', list)
    .option('--tag <tag>', 'with this tag; a,b or several times means all of them', list)
    .option('--related <id>', 'what this one links to, what links to it, what shares its tags; best first')
    .option('--recent [n]', `the newest n (${RECENT})`)
    .option('--search <words>', 'with all these words in title, id, tags or text; best first')
    .option('--status <status>', 'in this state; a,b means any of them', list)
    .option('--since <date>', `made or changed since then: ${SINCE_FORMS}`)
    .addOption(new Option('--format <format>', 'how to print').choices(['summary', 'json', 'full']).default('summary'))
    .option('--limit <n>', `at most so many; 0 is all (default: all, ${RANKED_LIMIT} for --related and --search)`)
    .option('--json', 'the same as --format json')
    .addHelpText('after', '\nExample:\n  cairn query --type decision --tag auth --status active')
    .action((options: Options) => {
      const memory = openGraphFor(io);
      const answer = memory.query(queryOf(options, memory.place.now()));
      warnUnsaved(io, answer.unsaved);
      const format = options.json ? 'json' : options.format;
      if (format === 'json') io.out(JSON.stringify(asData(answer)));
      else if (answer.found.length > 0)
        io.out(
          answer.found
            .map((each) => (format === 'full' ? fullText(memory, each) : summaryText(each, io.interactive)))
            .join('\n'),
        );
      const more = answer.total - answer.found.length;
      if (format !== 'json' && io.interactive) io.err(remark(answer.found.length, more));
    });
}

const list = (value: string, all: string[] = []): string[] => [
  ...all,
  ...value
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean),
];

function queryOf(options: Options, now: Date): GraphQuery {
  const since = options.since === undefined ? undefined : timeOption('--since', options.since, now);
  if (options.search !== undefined && options.search.trim() === '')
    throw new CairnError('USAGE_ERROR', '--search needs a word to search for.');
  const ranked = options.related !== undefined || options.search !== undefined;
  const limit = options.limit === undefined ? (ranked ? RANKED_LIMIT : 0) : numberOf('--limit', options.limit, 0);
  const recent = options.recent === true ? RECENT : options.recent && numberOf('--recent', options.recent, 1);
  return {
    ...(options.id === undefined ? {} : { id: options.id }),
    ...(options.type === undefined ? {} : { types: options.type }),
    ...(options.tag === undefined ? {} : { tags: options.tag }),
    ...(options.related === undefined ? {} : { related: options.related }),
    ...(options.search === undefined ? {} : { search: options.search }),
    ...(options.status === undefined ? {} : { statuses: options.status.map((each) => each.toLowerCase()) }),
    ...(since === undefined ? {} : { since }),
    ...(typeof recent === 'number' ? { recent } : {}),
    ...(limit > 0 ? { limit } : {}),
  };
}

function numberOf(option: string, text: string, least: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least) return number;
  throw new CairnError('USAGE_ERROR', `${option} ${JSON.stringify(text)} is not a whole number from ${least}.`);
}

/** The first four keys of each node and the first three of the answer are fixed; more may follow. */
const asData = ({ found, total, tookMs }: GraphAnswer) => ({
  nodes: found.map(({ key, ref, node, score, why }) => ({
    id: key,
    type: node.type,
    summary: node.gist || node.title,
    path: node.path,
    ref,
    title: node.title,
    status: node.status,
    tags: node.tags,
    created: node.created,
    updated: node.updated,
    links_to: node.links_to,
    linked_from: node.linked_from,
    ...(score === undefined ? {} : { score }),
    ...(why === undefined ? {} : { why }),
  })),
  count: found.length,
  query_time_ms: tookMs,
  total,
});

/** `[decision] Use JWT - Stateless, and sessions can be ended` */
function summaryLine({ node }: FoundNode): string {
  const name = node.type === 'file-summary' && node.file !== undefined ? node.file.replace(/^\/+/, '') : node.title;
  // Much that is saved from a sentence has it for a title, too.
  const gist = node.gist === '' || name.includes(node.gist) ? '' : ` - ${node.gist}`;
  return stripUnsafe(`[${node.type}] ${name}${gist}`);
}

/** The line as others read it; a person also wants to know its name, its state and how old it is. */
const summaryText = (found: FoundNode, withFacts: boolean): string =>
  withFacts
    ? `${summaryLine(found)}\n    ${stripUnsafe(`${found.ref}  ${found.node.status}  ${found.node.updated.slice(0, 10)}`)}`
    : summaryLine(found);

function fullText(memory: GraphMemory, found: FoundNode): string {
  const text = memory.textOf(found.node);
  const body = text === undefined ? '(the file cannot be read)' : stripUnsafeText(text).trim();
  const kind = found.ref.startsWith('record:') ? 'record' : 'note';
  return `${summaryLine(found)}\n${kind} ${stripUnsafe(found.key)} (${stripUnsafe(found.node.path)})\n\n${body}\n`;
}

function remark(shown: number, more: number): string {
  if (shown === 0) return 'Nothing found.';
  return more > 0 ? `… and ${more} more; --limit shows them.` : `${shown} found.`;
}
