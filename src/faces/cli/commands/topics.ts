// `cairn topics`: what the conversations were about and what came of it, as a tree: conversation, topic, exchange.

import type { Command } from 'commander';
import type { Document, TopicTree } from '../../../app/trace-memory.ts';
import { SINCE_FORMS } from '../../../app/written-time.ts';
import { CairnError } from '../../../errors.ts';
import { exchangeFields, topicFields } from '../../../model/span-fields.ts';
import { stripUnsafe } from '../../../model/text.ts';
import { exchangeLines, fieldLines, spanFieldsJson } from '../exchange-lines.ts';
import type { Io } from '../io.ts';
import { openTracesFor } from '../open-traces.ts';
import { positive } from '../positive.ts';
import { timeOption } from '../time-option.ts';

type Options = {
  all?: true;
  limit: number;
  full?: true;
  since?: string;
  until?: string;
  about?: string;
  json?: true;
};

export function topicsCommand(program: Command, io: Io): void {
  program
    .command('topics')
    .description('List what conversations were about and what came of it, the newest conversation first')
    .argument('[session]', 'one conversation with its exchanges, by its id or the beginning of it')
    .option('--full', 'with their exchanges: what was asked, what came out')
    .option('--about <words>', 'only those that have these words')
    .option('--since <date>', `since then: ${SINCE_FORMS}`)
    .option('--until <date>', 'before then')
    .option('--all', 'of all projects')
    .option('--limit <number>', 'how many topics', positive, 50)
    .option('--json', 'print data instead of text')
    .action(async (session: string | undefined, options: Options) => {
      const { limit, all, about, since, until } = options;
      const wanted = {
        limit,
        ...(session === undefined ? {} : { session }),
        ...(all ? { all } : {}),
        ...(about === undefined ? {} : { about }),
        ...(since === undefined ? {} : { since: timeOption('--since', since) }),
        ...(until === undefined ? {} : { until: timeOption('--until', until) }),
      };
      const memory = await openTracesFor(io);
      try {
        const topics = await memory.topics(wanted);
        const isFiltered = about !== undefined || since !== undefined || until !== undefined;
        if (topics.length === 0 && session !== undefined && !isFiltered)
          throw new CairnError('NOT_FOUND', `No conversation ${JSON.stringify(session)} is known.`, {
            fix: `\`cairn topics${all ? ' --all' : ''}\` lists those that are${all ? '' : ', --all those of other projects too'}.`,
          });
        const isFull = options.full === true || session !== undefined;
        if (options.json) io.out(JSON.stringify({ topics: topics.map(topicJson) }));
        else io.out(topics.length > 0 ? text(topics, isFull) : isFiltered ? NONE_FITS : NONE_YET);
      } finally {
        await memory.close();
      }
    });
}

const NONE_YET = 'No topics yet. `cairn backfill` reads the conversations of this project.';
const NONE_FITS = 'No topic fits. Other words, or a longer time, may find some.';

/** A plain export says no times. */
const timeOf = (time: number): string | null => (time > 0 ? new Date(time).toISOString() : null);

const spanJson = (span: Document): object => ({
  ref: span.ref,
  name: span.title,
  summary: span.text,
  project: span.project,
  session: span.session ?? null,
  ...spanFieldsJson(span),
  started_at: timeOf(span.createdAt),
  ended_at: timeOf(span.updatedAt),
  source: span.source
    ? { file: span.source.file, line: span.meta?.start ?? span.source.line, end_line: span.meta?.end ?? null }
    : null,
});

const topicJson = ({ topic, exchanges }: TopicTree): object => ({
  ...spanJson(topic),
  exchanges: exchanges.map(spanJson),
});

function text(topics: readonly TopicTree[], isFull: boolean): string {
  const sessions = new Map<string, TopicTree[]>();
  for (const tree of topics) {
    const id = tree.topic.session ?? '';
    sessions.set(id, [...(sessions.get(id) ?? []), tree]);
  }
  return [...sessions]
    .map(([id, own]) => {
      const inOrder = own.sort((a, b) => lineOf(a.topic) - lineOf(b.topic));
      return [headOf(id, inOrder), ...inOrder.flatMap((tree) => topicLines(tree, isFull))].join('\n');
    })
    .join('\n\n');
}

function headOf(id: string, [first]: readonly TopicTree[]): string {
  const when = first ? timeOf(first.topic.createdAt)?.slice(0, 16).replace('T', ' ') : undefined;
  const title = topicFields(first?.topic.meta)?.sessionTitle ?? '';
  return stripUnsafe(`${when ?? 'undated'}  ${id}${title === '' ? '' : `  ${title}`}`);
}

function topicLines({ topic, exchanges }: TopicTree, isFull: boolean): string[] {
  const { outcome = '', commits = [], left = [] } = topicFields(topic.meta) ?? {};
  const many = exchanges.length > 1 ? `, ${exchanges.length} exchanges` : '';
  const day = timeOf(topic.createdAt)?.slice(0, 10) ?? 'undated';
  return [
    `  ${stripUnsafe(topic.title)}  (${day}${many}, ${topic.ref})`,
    // Of one exchange it says nothing that the exchange does not say.
    ...(isFull && exchanges.length <= 1 ? [] : fieldLines({ outcome, commits, left: isFull ? [] : left }, '    ')),
    ...(isFull ? exchanges.flatMap((each) => exchangeLines(exchangeFields(each.meta), each, '    ')) : []),
  ];
}

const lineOf = ({ meta }: Document): number => Number(meta?.start ?? 0);
