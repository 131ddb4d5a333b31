// `cairn topics`: what the conversations were about, as a tree of topics.

import type { Command } from 'commander';
import type { Document } from '../../../app/trace-memory.ts';
import { CairnError } from '../../../errors.ts';
import { stripUnsafe } from '../../../model/text.ts';
import type { Io } from '../io.ts';
import { openTracesFor } from '../open-traces.ts';
import { positive } from '../positive.ts';

type Options = { all?: true; limit: number; json?: true };

export function topicsCommand(program: Command, io: Io): void {
  program
    .command('topics')
    .description('List the topics of conversations, the newest conversation first')
    .argument('[session]', 'one conversation, by its id or the beginning of it')
    .option('--all', 'of all projects')
    .option('--limit <number>', 'how many topics', positive, 50)
    .option('--json', 'print data instead of text')
    .action(async (session: string | undefined, options: Options) => {
      const memory = await openTracesFor(io);
      try {
        const { limit } = options;
        const topics = await memory.topics({
          limit,
          ...(session === undefined ? {} : { session }),
          ...(options.all ? { all: true } : {}),
        });
        if (topics.length === 0 && session !== undefined)
          throw new CairnError('NOT_FOUND', `No conversation ${JSON.stringify(session)} is known.`, {
            fix: `\`cairn topics${options.all ? ' --all' : ''}\` lists those that are${options.all ? '' : ', --all those of other projects too'}.`,
          });
        io.out(options.json ? JSON.stringify(topics.map(topicJson)) : text(topics));
      } finally {
        await memory.close();
      }
    });
}

/** A plain export says no times. */
const timeOf = (time: number): string | null => (time > 0 ? new Date(time).toISOString() : null);

const topicJson = (topic: Document): object => ({
  ref: topic.ref,
  name: topic.title,
  summary: topic.text,
  project: topic.project,
  session: topic.session ?? null,
  parent: topic.span ?? null,
  depth: topic.meta?.depth ?? 0,
  turns: topic.meta?.turns ?? 0,
  started_at: timeOf(topic.createdAt),
  ended_at: timeOf(topic.updatedAt),
  source: topic.source
    ? { file: topic.source.file, line: topic.meta?.start ?? topic.source.line, end_line: topic.meta?.end ?? null }
    : null,
});

function text(topics: readonly Document[]): string {
  if (topics.length === 0) return 'No topics yet. `cairn backfill` reads the conversations of this project.';
  const sessions = new Map<string, Document[]>();
  for (const topic of topics) sessions.set(topic.session ?? '', [...(sessions.get(topic.session ?? '') ?? []), topic]);
  return [...sessions]
    .map(([id, own]) =>
      [
        `${timeOf(own.at(-1)!.createdAt)?.slice(0, 16).replace('T', ' ') ?? 'undated'}  ${stripUnsafe(id)}`,
        ...own.sort((a, b) => lineOf(a) - lineOf(b) || depthOf(a) - depthOf(b)).map(topicLine),
      ].join('\n'),
    )
    .join('\n\n');
}

const lineOf = ({ meta }: Document): number => Number(meta?.start ?? 0);
const depthOf = ({ meta }: Document): number => Number(meta?.depth ?? 0);
const topicLine = (topic: Document): string =>
  `${'  '.repeat(depthOf(topic) + 1)}${stripUnsafe(topic.title)}  (${topic.meta?.turns ?? 0} turns, ${topic.ref})`;
