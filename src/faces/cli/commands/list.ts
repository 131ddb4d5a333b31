// `cairn list`: the records, by status and category.

import { type Command, Option } from 'commander';
import type { ScannedRecord } from '../../../app/memory.ts';
import type { RecordStatus } from '../../../model/record.ts';
import { stripUnsafe } from '../../../model/text.ts';
import type { Io } from '../io.ts';
import { open, plural, problemText } from '../open.ts';

type Options = { archived?: true; retired?: true; all?: true; category?: string; json?: true };

export function listCommand(program: Command, io: Io): void {
  program
    .command('list')
    .description('List records (active ones, unless told otherwise)')
    .addOption(new Option('--archived', 'the archived ones').conflicts(['retired', 'all']))
    .addOption(new Option('--retired', 'the retired ones').conflicts(['archived', 'all']))
    .option('--all', 'every record')
    .option('--category <category>', 'only of this category')
    .option('--json', 'print data instead of text')
    .action((options: Options) => {
      const memory = open(io);
      const category = options.category === undefined ? undefined : memory.category(options.category).name;
      const wanted: RecordStatus | undefined = options.all
        ? undefined
        : options.archived
          ? 'archived'
          : options.retired
            ? 'retired'
            : 'active';
      const { records, problems } = memory.list();
      for (const problem of problems) io.err(problemText(problem));
      const shown = records.filter(
        (each) => (!wanted || each.status === wanted) && (!category || each.category.name === category),
      );
      if (options.json) io.out(JSON.stringify({ count: shown.length, records: shown.map(asData) }));
      else io.out(shown.length > 0 ? table(shown) : `No ${wanted ?? ''} records.`.replace('  ', ' '));
    });
}

const asData = (each: ScannedRecord) => ({
  ref: `record:${each.category.folder}/${each.slug}`,
  category: each.category.name,
  title: each.title,
  status: each.status,
  path: each.path,
  tags: each.tags,
  updated_at: each.record.updated_at ?? null,
  reason: each.record.archived_reason ?? each.record.retired_reason ?? null,
});

function table(records: readonly ScannedRecord[]): string {
  const rows = records.map((each) => {
    const reason = each.record.archived_reason ?? each.record.retired_reason;
    const when = String(each.record.archived_at ?? each.record.retired_at ?? each.record.updated_at ?? '');
    return [
      `${each.category.folder}/${each.slug}`,
      stripUnsafe(when).slice(0, 10),
      each.status === 'active' ? '' : each.status,
      each.title + (typeof reason === 'string' ? ` (${stripUnsafe(reason)})` : ''),
    ];
  });
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column < 3 ? cell.padEnd(widths[column] ?? 0) : cell))
      .filter((cell, column) => column === 3 || cell !== '')
      .join('  '),
  );
  return [...lines, '', plural(records.length, 'record')].join('\n');
}
