// `cairn log` and `cairn today`: what was done, day by day.

import type { Command } from 'commander';
import { overviewText } from '../../../app/overview-text.ts';
import { RecallMemory } from '../../../app/recall-memory.ts';
import { SINCE_FORMS } from '../../../app/written-time.ts';
import { warningsOf, warningText } from '../../../config/load.ts';
import { CairnError } from '../../../errors.ts';
import { type Io, widthOf } from '../io.ts';
import { positive } from '../positive.ts';
import { dayOption, timeOption } from '../time-option.ts';

type Options = { since?: string; until?: string; day?: string; allProjects?: true; limit?: number; json?: true };

/** Without a time, the days of the last week. */
const DEFAULT_SINCE = '7 days ago';

export function logCommands(program: Command, io: Io): void {
  program
    .command('log')
    .description('Tell what was done, day by day: topics with their outcome, decisions, commits, what was left')
    .option('--since <date>', `from then on (default: ${DEFAULT_SINCE}): ${SINCE_FORMS}`)
    .option('--until <date>', 'up to then, with that day')
    .option('--day <date>', 'that day alone')
    .option('--all-projects', 'of all projects, not only of this one')
    .option('--limit <n>', 'how many topics at most', positive)
    .option('--json', 'print data instead of text')
    .addHelpText('after', '\nExamples:\n  cairn log --since monday\n  cairn log --day yesterday')
    .action((options: Options) => show(options, io));
  program
    .command('today')
    .description('Tell what was done today')
    .option('--all-projects', 'in all projects, not only in this one')
    .option('--json', 'print data instead of text')
    .action((options: Options) => show({ ...options, day: 'today' }, io));
}

async function show(options: Options, io: Io): Promise<void> {
  const time = timeOf(options);
  const { allProjects = false, limit } = options;
  const memory = await RecallMemory.open({ cwd: io.cwd, env: io.env });
  try {
    for (const each of warningsOf(memory.config)) io.err(`WARNING: ${warningText(each)}`);
    const overview = await memory.overview({
      kind: 'done',
      ...time,
      allProjects,
      ...(limit === undefined ? {} : { limit }),
    });
    io.out(
      options.json
        ? JSON.stringify(overview)
        : overviewText(overview, { width: widthOf(io), now: new Date(), allProjects }),
    );
  } finally {
    await memory.close();
  }
}

function timeOf({ since, until, day }: Options): { since?: number; until?: number } {
  if (day !== undefined) {
    if (since !== undefined || until !== undefined)
      throw new CairnError('USAGE_ERROR', '--day is one whole day: it goes with neither --since nor --until.', {
        fix: 'Use --day alone, or --since and --until.',
      });
    return dayOption('--day', day);
  }
  const from = since ?? (until === undefined ? DEFAULT_SINCE : undefined);
  const time = {
    ...(from === undefined ? {} : { since: timeOption('--since', from) }),
    ...(until === undefined ? {} : { until: timeOption('--until', until) }),
  };
  if (time.since !== undefined && time.until !== undefined && time.since >= time.until)
    throw new CairnError('USAGE_ERROR', '--since is after --until.', { fix: 'Exchange them.' });
  return time;
}
