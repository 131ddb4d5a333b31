// `cairn import`: takes what a project has written down elsewhere into its memory.

import path from 'node:path';
import type { Command } from 'commander';
import type { ImportReport } from '../../../app/memory.ts';
import { stripUnsafe } from '../../../model/text.ts';
import type { Io } from '../io.ts';
import { open, plural } from '../open.ts';

export function importCommand(program: Command, io: Io): void {
  program
    .command('import')
    .description('Take a folder of decision records into the memory; the files themselves are not changed')
    .requiredOption('--markdown <dir>', 'the folder with the Markdown files')
    .option('--dry-run', 'show what would be done, write nothing')
    .option('--json', 'print data instead of text')
    .action(async (options: { markdown: string; dryRun?: true; json?: true }) => {
      const memory = open(io);
      const report = await memory.importMarkdown(path.resolve(io.cwd, options.markdown), Boolean(options.dryRun));
      for (const note of report.notes) io.err(note);
      io.out(
        options.json
          ? JSON.stringify({ dryRun: Boolean(options.dryRun), ...report })
          : text(report, Boolean(options.dryRun)),
      );
    });
}

function text(report: ImportReport, dryRun: boolean): string {
  const lines = [
    ...report.created.map((each) => `  + ${each.id}  (${each.source})`),
    ...report.updated.map((each) => `  ~ ${each.id}  (${each.source})`),
    ...report.skipped.map((each) => `  - ${each.source}: ${each.why}`),
  ];
  const { created, updated, unchanged, skipped } = report;
  if (created.length + updated.length + unchanged.length + skipped.length === 0)
    return 'There are no Markdown files in that folder.';
  lines.push(
    `${dryRun ? 'Would import' : 'Imported'} ${plural(created.length, 'note')}; ${updated.length} updated, ${unchanged.length} unchanged, ${skipped.length} skipped.`,
  );
  return lines.map(stripUnsafe).join('\n'); // file names are anybody's
}
