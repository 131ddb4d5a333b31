// `cairn redact`: which secrets are stored, and with --apply their masks in place of them. Exit 0: nothing is left to do; 1: something is.

import type { Command } from 'commander';
import { loadConfig, warningText } from '../../../config.ts';
import { type RedactFind, type RedactReport, redactStored } from '../../../memory-redact.ts';
import { stripUnsafe } from '../../../safety/sanitise.ts';
import type { Io } from '../io.ts';
import { plural } from '../open.ts';

const SHOWN_MASKS = 5;

export function redactCommand(program: Command, io: Io, done: (exit: number) => void): void {
  program
    .command('redact')
    .description('Look for secrets in everything that is stored, and mask them')
    .option('--apply', 'mask them; without it they are only listed')
    .option('--json', 'print data instead of text')
    .action(async (options: { apply?: true; json?: true }) => {
      const config = loadConfig({ cwd: io.cwd, env: io.env });
      for (const each of config.warnings) io.err(`WARNING: ${warningText(each)}`);
      const report = await redactStored(config, { apply: options.apply === true, now: () => new Date() });
      for (const problem of report.problems) io.err(`WARNING: ${stripUnsafe(problem)}`);
      io.out(options.json ? JSON.stringify(report) : text(report, options.apply === true));
      const isClean = report.finds.every(({ masked }) => masked) && report.left.length === 0;
      done(isClean && report.problems.length === 0 ? 0 : 1);
    });
}

function text({ finds, left, files, documents, problems }: RedactReport, apply: boolean): string {
  const looked = `Looked through ${plural(files, 'file')} and ${plural(documents, 'row')} of the database.`;
  const missed = problems.length > 0 ? ' Not everything could be looked through: see the warnings.' : '';
  if (finds.length === 0) return `${looked}${missed}\nNo secrets were found${missed && ' in the rest'}.`;
  const open = finds.filter(({ masked }) => !masked).length;
  return [
    ...finds.map(line),
    '',
    looked + missed,
    apply
      ? `${plural(finds.length - open, 'place')} masked, ${open} left.`
      : `${plural(open, 'place')}; \`cairn redact --apply\` masks them.`,
    ...(apply ? lookedAgain(left) : []),
    'A secret that was stored may have been read: change it. What git has committed stays in its history.',
  ].join('\n');
}

function lookedAgain(left: readonly RedactFind[]): string[] {
  if (left.length === 0) return ['Looked again: nothing is left.'];
  return ['Looked again, and still found:', ...left.map(({ where, masks }) => `  ${where}  ${masks.join(' ')}`)];
}

function line({ where, masks, masked, why }: RedactFind): string {
  const more = masks.length > SHOWN_MASKS ? ` and ${masks.length - SHOWN_MASKS} more` : '';
  const state = masked ? 'masked' : why === undefined ? 'found' : `left (${stripUnsafe(why.replace(/\s+/g, ' '))})`;
  return `${state}  ${where}  ${masks.slice(0, SHOWN_MASKS).join(' ')}${more}`;
}
