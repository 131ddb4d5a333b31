// `cairn redact`: which secrets are stored, or texts that the user names, and with --apply their masks in place of them. Exit 0: nothing is
// left to do; 1: something is.

import type { Command } from 'commander';
import { countWords } from '../../../app/forget-words.ts';
import { type RedactFind, type RedactReport, redactStored } from '../../../app/redact-stored.ts';
import { type Config, loadConfig, warningText } from '../../../config/load.ts';
import { stripUnsafe } from '../../../model/text.ts';
import type { Io } from '../io.ts';
import { plural } from '../open.ts';
import { textsOf } from '../read-texts.ts';

const SHOWN_MASKS = 5;

export function redactCommand(program: Command, io: Io, done: (exit: number) => void): void {
  program
    .command('redact')
    .description('Look for secrets in everything that is stored, and mask them')
    .option('--apply', 'mask them; without it they are only listed')
    .option('--text <text...>', 'mask this text instead, wherever it is stored; - reads it from standard input')
    .option('--json', 'print data instead of text')
    .addHelpText('after', AFTER)
    .action(async (options: Options) => {
      const config = loadConfig({ cwd: io.cwd, env: io.env });
      for (const each of config.warnings) io.err(`WARNING: ${warningText(each)}`);
      if (options.text) {
        done(await redactText(io, config, options.text, options));
        return;
      }
      const report = await redactStored(config, { apply: options.apply === true, now: () => new Date() });
      for (const problem of report.problems) io.err(`WARNING: ${stripUnsafe(problem)}`);
      io.out(options.json ? JSON.stringify(report) : text(report, options.apply === true));
      const isClean = report.finds.every(({ masked }) => masked) && report.left.length === 0;
      done(isClean && report.problems.length === 0 ? 0 : 1);
    });
}

const AFTER = `
A text that is named is masked from then on in everything that is written, too; \`cairn forget --list\` names it, --undo lets it be.
\`cairn forget --text\` takes whole statements out of conversations instead.`;

type Options = { apply?: true; json?: true; text?: string[] };

/** With the code that forgets a text; only that the statements around it stay. */
async function redactText(io: Io, config: Config, given: readonly string[], options: Options): Promise<number> {
  const { forget, planForget } = await import('../../../app/forget.ts');
  const now = (): Date => new Date();
  const plan = await planForget(config, { what: 'text', texts: await textsOf(io, given), as: 'mask' }, { now });
  const counted = countWords(plan.counts);
  const sum = counted.join(', ');
  if (!options.apply) {
    const found = { found: plan.counts, masked: false, left: [] };
    const told = `Found in ${sum || 'nothing that is stored'}.\n\`cairn redact --text … --apply\` masks it there, and in what is written from then on.`;
    io.out(options.json ? JSON.stringify(found) : told);
    return counted.length === 0 ? 0 : 1;
  }
  const { left, problems } = await forget(config, plan, { now });
  for (const problem of problems) io.err(`WARNING: ${stripUnsafe(problem)}`);
  const again =
    left.length === 0 ? 'Looked again: nothing is left.' : `Looked again, and still found in:\n${left.join('\n')}`;
  io.out(
    options.json
      ? JSON.stringify({ found: plan.counts, masked: true, left, problems })
      : `Masked in ${sum || 'nothing: it was not stored'}.\n${stripUnsafe(again)}\nWhat git has committed stays in its history.`,
  );
  return left.length + problems.length === 0 ? 0 : 1;
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
      : `${plural(open, 'place')}; \`cairn redact --apply\` masks ${open === 1 ? 'it' : 'them'}.`,
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
