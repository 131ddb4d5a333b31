// `cairn index`: upkeep of index.md. The texts are a contract that programs read; `--json` gives the same as data.

import type { Command } from 'commander';
import type { Garbage, Health, Memory, ScanProblem, Validation } from '../../../app/memory.ts';
import { stripUnsafe } from '../../../model/text.ts';
import type { Io } from '../io.ts';
import { open, problemText } from '../open.ts';

type Options = {
  rebuild?: true;
  validate?: true;
  query?: string;
  health?: true;
  gc?: true;
  root?: string;
  json?: true;
};

export function indexCommand(program: Command, io: Io, done: (exit: number) => void): void {
  program
    .command('index')
    .description('Rebuild, check or search index.md; report health; delete what was retired long ago')
    .option('--rebuild', 'make index.md anew from the record files')
    .option('--validate', 'compare index.md with the files; exit 1 if they differ')
    .option('--query <keyword>', 'show the lines that hold this text')
    .option('--health', 'report on the whole memory')
    .option('--gc', 'delete records whose grace period is over; retire those past retention_days')
    .option('--root <dir>', 'the memory root (default: this project’s)')
    .option('--json', 'print data instead of text')
    .action(async (options: Options, command: Command) => {
      const chosen = (['rebuild', 'validate', 'query', 'health', 'gc'] as const).filter(
        (each) => options[each] !== undefined,
      );
      if (chosen.length !== 1) {
        command.error(
          `error: give exactly one of --rebuild, --validate, --query, --health, --gc (got ${chosen.length})`,
        );
      }
      done(await perform(open(io, options), options, io));
    });
}

async function perform(memory: Memory, options: Options, io: Io): Promise<number> {
  const print = (data: unknown, lines: readonly string[]): void =>
    io.out(options.json ? JSON.stringify(data) : lines.map(stripUnsafe).join('\n')); // index.md comes with a clone
  if (options.rebuild) {
    const rebuilt = await memory.rebuildIndex();
    warn(io, rebuilt.problems);
    print(rebuilt, [`Rebuilt index.md with ${rebuilt.entries} entries`]);
  } else if (options.validate) {
    const validation = memory.validateIndex();
    warn(io, validation.problems);
    const valid = validation.indexFound && validation.missing.length === 0 && validation.stale.length === 0;
    print({ valid, ...validation }, validationText(validation, valid));
    return valid ? 0 : 1;
  } else if (options.query !== undefined) {
    const lines = memory.queryIndex(options.query);
    print({ query: options.query, count: lines.length, lines }, [
      `Found ${lines.length} matching entries for ${JSON.stringify(options.query)}`,
      ...lines,
    ]);
  } else if (options.health) {
    const health = memory.health();
    warn(io, health.unreadable);
    print(health, healthText(health));
  } else {
    const garbage = await memory.collectGarbage();
    warn(io, garbage.problems);
    for (const note of garbage.notes) io.err(note);
    print(garbage, garbageText(garbage));
    if (garbage.errors.length > 0) return 1;
  }
  return 0;
}

function warn(io: Io, problems: readonly ScanProblem[]): void {
  for (const problem of problems) io.err(problemText(problem));
}

function validationText(validation: Validation, valid: boolean): string[] {
  const lines = valid ? [`Index is valid (${validation.entries} entries)`] : [];
  if (!validation.indexFound)
    lines.push('index.md does not exist, or cannot be read; make it with: cairn index --rebuild');
  if (validation.missing.length > 0) lines.push('Files NOT in index.md:', ...indent(validation.missing));
  if (validation.stale.length > 0) lines.push('Index entries with NO matching file:', ...indent(validation.stale));
  if (validation.invalid.length > 0)
    lines.push('Files that are not valid records:', ...invalidText(validation.invalid));
  return lines;
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  - ${line}`);
const invalidText = (invalid: Health['invalid']): string[] =>
  invalid.flatMap(({ path, problems }) => [`  - ${path}`, ...problems.map((each) => `      ${each}`)]);
const orNone = (lines: readonly string[]): readonly string[] => (lines.length > 0 ? lines : ['  (none)']);

function healthText(health: Health): string[] {
  const { totals, sync } = health;
  const counted = health.categories
    .filter((each) => each.active > 0)
    .map((each) => `  ${each.display}: ${each.active}`);
  const inStep = sync.indexFound && sync.missing.length === 0 && sync.stale.length === 0;
  return [
    'Memory Health Report',
    '',
    'Entries by Category (active):',
    ...orNone(counted),
    '',
    'Heavily Updated (more than 5 times):',
    ...orNone(health.heavilyUpdated.map((each) => `  - ${each.title} (${each.times} updates) ${each.path}`)),
    '',
    'Recent Retirements (last 7 days):',
    ...orNone(
      health.recentlyRetired.map(
        (each) => `  - ${each.title} (${each.days} days ago${each.reason ? `: ${each.reason}` : ''}) ${each.path}`,
      ),
    ),
    '',
    'Index Sync Status:',
    ...(sync.indexFound ? [] : ['  index.md is missing, or cannot be read']),
    ...(inStep ? ['  In step'] : []),
    ...(sync.missing.length > 0 ? ['  Not in index.md:', ...indent(sync.missing)] : []),
    ...(sync.stale.length > 0 ? ['  In index.md without an active record:', ...indent(sync.stale)] : []),
    ...(health.invalid.length > 0 ? ['', 'Invalid Records:', ...invalidText(health.invalid)] : []),
    '',
    'Summary:',
    `  Total (active): ${totals.active}`,
    `  Retired: ${totals.retired}`,
    `  Archived: ${totals.archived}`,
    `  Health: ${health.issues.length === 0 ? 'GOOD' : 'NEEDS ATTENTION'}`,
    ...indent(health.issues),
  ];
}

function garbageText(garbage: Garbage): string[] {
  const lines = [
    ...garbage.deleted.map((each) => `Deleted: ${each.path} (retired ${each.days} days ago)`),
    ...garbage.retired.map((each) => `Retired: ${each.path} (last changed ${each.days} days ago, past its retention)`),
    ...garbage.skipped.map((each) => `SKIP: ${each.path}: ${each.why}`),
    ...garbage.errors.map((each) => `ERROR: ${each.path}: ${each.why}`),
  ];
  if (lines.length === 0) return [`Nothing to collect (grace period: ${garbage.graceDays} days)`];
  lines.push(
    `${garbage.deleted.length} deleted, ${garbage.retired.length} retired, ${garbage.skipped.length} skipped (grace period: ${garbage.graceDays} days)`,
  );
  if (garbage.deleted.length > 0) lines.push('If index.md named them, run: cairn index --rebuild');
  return lines;
}
