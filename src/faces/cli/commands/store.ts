// `cairn store`: where the rows of the memory live, the tables of a server, and carrying rows from one store to another.

import type { Command } from 'commander';
import { type CopyReport, copyRows, migrateStore, type StoreStatus, storeStatus } from '../../../app/manage-store.ts';
import { loadConfig, warningsOf, warningText } from '../../../config/load.ts';
import { stripUnsafe } from '../../../model/text.ts';
import { onInterrupt } from '../interrupt.ts';
import type { Io } from '../io.ts';
import { plural } from '../open.ts';
import { megabytes, progressBar } from '../progress.ts';

const INTERRUPTED = 130;

const AFTER = `
The rows are derived from your files and conversations; they live in a SQLite file of your own unless store.url names a
PostgreSQL server (docs/TEAM.md). The password is never part of the URL: PGPASSWORD, a service file or ~/.pgpass has it.`;

export function storeCommand(program: Command, io: Io, done: (exit: number) => void): void {
  const store = program
    .command('store')
    .description('Where the rows of the memory live: look, make the tables of a server, carry rows over')
    .addHelpText('after', AFTER);
  const configOf = () => {
    const config = loadConfig({ cwd: io.cwd, env: io.env });
    for (const each of warningsOf(config)) io.err(`WARNING: ${warningText(each)}`);
    return config;
  };

  store
    .command('status')
    .description('Where the rows are, how many, and how fast they answer')
    .option('--url <url>', 'another store than the configured one: a server, or `sqlite`')
    .option('--json', 'print data instead of text')
    .action(async (options: { url?: string; json?: true }) => {
      const url = options.url === 'sqlite' ? '' : options.url;
      const status = await storeStatus(configOf(), url);
      io.out(options.json ? JSON.stringify(status) : statusText(status));
    });

  store
    .command('migrate')
    .description('Make the tables at the server of store.url, or take them to this version')
    .option(
      '--member <role...>',
      'let these roles of the database use them; each sees its own rows and what others share',
    )
    .option('--json', 'print data instead of text')
    .action(async (options: { member?: string[]; json?: true }) => {
      const made = await migrateStore(configOf(), options.member ?? []);
      const members = made.members.length === 0 ? '' : ` Members: ${made.members.map(stripUnsafe).join(', ')}.`;
      const what = made.opened === 'existing' ? 'The tables are there and up to date' : 'The tables were made';
      io.out(options.json ? JSON.stringify(made) : `${what} at ${stripUnsafe(made.where)}.${members}`);
    });

  store
    .command('copy')
    .description('Carry all rows that are yours from one store to another, and compare both')
    .requiredOption('--to <place>', 'a server (postgres://…), or `sqlite`')
    .option('--from <place>', 'the same; without it the configured store')
    .option('--json', 'print data instead of text')
    .addHelpText('after', '\nMay be interrupted: the next run goes on. Nothing is removed from where it was.')
    .action(async (options: { to: string; from?: string; json?: true }) => {
      const interrupt = onInterrupt(() => io.err('Stopping after this step …'));
      const bar = progressBar({ unit: String });
      try {
        const report = await copyRows(configOf(), {
          to: options.to,
          ...(options.from === undefined ? {} : { from: options.from }),
          stopped: interrupt.stopped,
          onProgress: ({ step, done: n, total }) => bar.update(n, total, step),
        });
        bar.end();
        io.out(options.json ? JSON.stringify(report) : reportText(report));
        done(report.stopped ? INTERRUPTED : report.different.length > 0 ? 1 : 0);
      } finally {
        interrupt.release();
      }
    });
}

function statusText({ where, opened, stats, answersIn, readOnly }: StoreStatus): string {
  const documents = stats.documents.reduce((sum, { count }) => sum + count, 0);
  const projects = new Set(stats.documents.map(({ project }) => project)).size;
  return [
    `Store    ${stripUnsafe(where)} (${stats.engine})${opened === 'created' ? ', made just now' : ''}`,
    `Holds    ${plural(documents, 'memory', 'memories')} of ${plural(projects, 'project')}, ${plural(stats.links, 'link')}, ${megabytes(stats.bytes)}`,
    ...stats.vectors.map(({ model, count, dimensions }) => `Vectors  ${count} × ${dimensions} by ${model}`),
    `Answers  in ${answersIn.toFixed(1)} ms`,
    ...(readOnly === null ? [] : [`READ ONLY ${readOnly}`]),
  ].join('\n');
}

function reportText(report: CopyReport & { from: string; to: string }): string {
  const carried = `${plural(report.documents, 'memory', 'memories')}, ${plural(report.links, 'link')}, ${plural(report.mentions, 'mention')}, ${plural(report.vectors, 'vector')}, ${plural(report.states, 'state')}`;
  if (report.stopped)
    return `Interrupted after ${plural(report.documents, 'memory', 'memories')}: run it again to go on.`;
  if (report.different.length > 0)
    return `NOT EQUAL after the copy to ${report.to}: ${report.different.map(stripUnsafe).join(', ')}. Somebody may be writing: run it again.`;
  return `Copied and compared, equal in both: ${carried}\nfrom ${stripUnsafe(report.from)}\nto   ${stripUnsafe(report.to)}`;
}
