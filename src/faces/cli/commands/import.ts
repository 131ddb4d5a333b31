// `cairn import`: takes what a project has written down elsewhere into its memory, or what `cairn export --json` wrote.

import path from 'node:path';
import type { Command } from 'commander';
import { importJson, type JsonImport } from '../../../app/import-json.ts';
import type { ImportReport } from '../../../app/memory.ts';
import { CairnError } from '../../../errors.ts';
import { stripUnsafe } from '../../../model/text.ts';
import type { Io } from '../io.ts';
import { open, plural } from '../open.ts';

type Options = { markdown?: string; export?: string; dryRun?: true; json?: true | string };

export function importCommand(program: Command, io: Io): void {
  program
    .command('import')
    .description(
      'Take a folder of decision records, or an export of Cairn, into the memory; those files are not changed',
    )
    .option('--markdown <dir>', 'a folder with Markdown files')
    .option('--export <file>', 'what `cairn export --json` wrote; what is here already stays as it is')
    .option('--dry-run', 'show what would be done, write nothing')
    .option('--json [file]', 'print data instead of text; with a file, the same as --export')
    .action(async (options: Options) => {
      const memory = open(io);
      const dryRun = Boolean(options.dryRun);
      const exported = options.export ?? (typeof options.json === 'string' ? options.json : undefined);
      if ((options.markdown === undefined) === (exported === undefined))
        throw new CairnError('USAGE_ERROR', 'What is to be imported?', {
          fix: 'Name either a folder, --markdown DIR, or an export, --json FILE.',
        });
      if (exported !== undefined) {
        const report = await importJson(memory, path.resolve(io.cwd, exported), dryRun);
        const isData = options.export !== undefined && options.json === true;
        io.out(isData ? JSON.stringify({ dryRun, ...report }) : jsonText(report, dryRun));
        return;
      }
      const report = await memory.importMarkdown(path.resolve(io.cwd, options.markdown ?? ''), dryRun);
      for (const note of report.notes) io.err(note);
      io.out(options.json ? JSON.stringify({ dryRun, ...report }) : text(report, dryRun));
    });
}

function jsonText(report: JsonImport, dryRun: boolean): string {
  const { created, differing, refused, unchanged, settled, conversations } = report;
  const lines = [
    ...created.map((ref) => `  + ${ref}`),
    ...differing.map((ref) => `  ! ${ref}: here already, and other than in the file; left as it is`),
    ...refused.map(({ ref, why }) => `  - ${ref}: ${why}`),
    `${dryRun ? 'Would import' : 'Imported'} ${plural(created.length, 'memory', 'memories')}; ${unchanged.length} unchanged, ${differing.length} differing, ${refused.length} refused.`,
    ...(settled > 0
      ? [`${plural(settled, 'item')} settled by hand ${dryRun ? 'would be' : settled === 1 ? 'is' : 'are'} known now.`]
      : []),
    ...(conversations > 0
      ? [`${plural(conversations, 'statement')} of conversations left out: cairn backfill reads conversations.`]
      : []),
  ];
  return lines.map(stripUnsafe).join('\n');
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
