// `cairn search`: find records by words.

import type { Command } from 'commander';
import type { SearchHit } from '../../../app/memory.ts';
import { CairnError } from '../../../errors.ts';
import type { Io } from '../io.ts';
import { open, plural, problemText } from '../open.ts';

type Options = { includeRetired?: true; category?: string; limit: string; explain?: true; json?: true };

export function searchCommand(program: Command, io: Io): void {
  program
    .command('search')
    .description('Find records by words in their tags, titles and contents')
    .argument('<query...>', 'the words')
    .option('--include-retired', 'also look at retired and archived records')
    .option('--category <category>', 'only in this category')
    .option('--limit <n>', 'at most so many', '10')
    .option('--explain', 'tell what made each score')
    .option('--json', 'print data instead of text')
    .action((words: string[], options: Options) => {
      const memory = open(io);
      const limit = Number(options.limit);
      if (!Number.isInteger(limit) || limit < 1)
        throw new CairnError('USAGE_ERROR', `--limit ${JSON.stringify(options.limit)} is not a positive whole number.`);
      const category = options.category === undefined ? undefined : memory.category(options.category).name;
      const query = words.join(' ');
      if (query.trim() === '')
        throw new CairnError('USAGE_ERROR', 'There is no word to search for.', { fix: 'cairn search WORDS' });
      const { hits, problems } = memory.search(query, {
        limit,
        ...(options.includeRetired ? { includeRetired: true } : {}),
        ...(category === undefined ? {} : { category }),
      });
      for (const problem of problems) io.err(problemText(problem));
      if (options.json) io.out(JSON.stringify({ query, count: hits.length, results: hits.map(asData) }));
      else io.out(hits.length > 0 ? asText(hits, Boolean(options.explain)) : nothing(query, options));
    });
}

const asData = ({ scanned, score, why }: SearchHit) => ({
  ref: `record:${scanned.category.folder}/${scanned.slug}`,
  category: scanned.category.name,
  title: scanned.title,
  path: scanned.path,
  status: scanned.status,
  tags: scanned.tags,
  score,
  why,
});

function asText(hits: readonly SearchHit[], explain: boolean): string {
  const groups = groupBy(hits);
  return [...groups]
    .map(([display, group]) =>
      [`${display} (${plural(group.length, 'match', 'matches')})`, ...group.flatMap((hit) => lines(hit, explain))].join(
        '\n',
      ),
    )
    .join('\n\n');
}

function groupBy(hits: readonly SearchHit[]): Map<string, SearchHit[]> {
  const groups = new Map<string, SearchHit[]>();
  for (const hit of hits)
    groups.set(hit.scanned.category.display, [...(groups.get(hit.scanned.category.display) ?? []), hit]);
  return groups;
}

function lines({ scanned, score, why }: SearchHit, explain: boolean): string[] {
  const status = scanned.status === 'active' ? '' : ` [${scanned.status}]`;
  const tags = scanned.tags.length > 0 ? `  #${scanned.tags.join(' #')}` : '';
  return [
    `  ${score}  ${scanned.title}${status}`,
    `     ${scanned.path}${tags}`,
    ...(explain ? [`     ${why.join(', ')}`] : []),
  ];
}

function nothing(query: string, options: Options): string {
  const more = options.includeRetired
    ? ''
    : ' Retired and archived records are left out; --include-retired looks there too.';
  const elsewhere = `Notes and conversations are searched by: cairn remember ${query}`;
  return `No record was found for ${JSON.stringify(query)} in tags, titles and contents.${more}\n${elsewhere}`;
}
