// `cairn feedback`: tells the ranking what a memory is worth, shows what it has learned, and takes it back.

import type { Command } from 'commander';
import {
  factorOf,
  factorParts,
  forgetFeedback,
  forgetMemory,
  judgeMemory,
  type Learned,
  learnedOf,
  namedMemory,
  readFeedback,
  shiftText,
  toldShift,
  type Use,
  useInAll,
  VERDICTS,
  type Verdict,
} from '../../../app/learn-from-answers.ts';
import { RecallMemory } from '../../../app/recall-memory.ts';
import { toldMemories } from '../../../app/told-memories.ts';
import { loadConfig, warningText } from '../../../config/load.ts';
import { CairnError } from '../../../errors.ts';
import { stripUnsafe } from '../../../model/text.ts';
import { type Io, widthOf } from '../io.ts';
import { plural } from '../open.ts';
import { toldLines } from './why.ts';

type Options = { reset?: true; resetAll?: true; json?: true };
type Known = { ref: string; project: string; learned: Learned | undefined };

export function feedbackCommand(program: Command, io: Io): void {
  program
    .command('feedback')
    .description('Say what a memory is worth: later ranks follow it a little')
    .argument('[ref]', 'idea:…, span:…, record:folder/slug or note:id; without one, everything learned is listed')
    .argument('[verdict]', VERDICTS.join(', '))
    .option('--reset', 'forget what was learned about this memory, use included')
    .option('--reset-all', 'forget everything that was learned')
    .option('--json', 'print data instead of text')
    .addHelpText('after', '\nExample:\n  cairn feedback idea:1f3a useful')
    .action(async (ref: string | undefined, verdict: string | undefined, options: Options) => {
      const known = await perform(io, { ref, verdict, options });
      const use = useInAll(readFeedback(loadConfig({ cwd: io.cwd, env: io.env }).paths.userRoot));
      const told = await toldMemories(loadConfig({ cwd: io.cwd, env: io.env }), known);
      if (options.json)
        io.out(
          JSON.stringify({ memories: known.map((each) => ({ ...asData(each, use), memory: told(each) ?? null })) }),
        );
      else if (options.resetAll) io.out('Everything that was learned is forgotten.');
      else
        io.out(
          known.length === 0
            ? 'Nothing was learned yet.'
            : known.map((each) => [asText(each, use), ...toldLines(told(each), widthOf(io))].join('\n')).join('\n'),
        );
    });
}

type Asked = { ref: string | undefined; verdict: string | undefined; options: Options };

async function perform(io: Io, { ref, verdict, options }: Asked): Promise<Known[]> {
  const config = loadConfig({ cwd: io.cwd, env: io.env });
  if (options.resetAll) {
    if (ref !== undefined) throw usage('--reset-all forgets everything, and takes no ref.');
    await forgetFeedback(config.paths.userRoot);
    return [];
  }
  if (ref === undefined) {
    if (options.reset) throw usage('--reset needs a ref.');
    return everything(config.paths.userRoot);
  }
  if (verdict !== undefined && !VERDICTS.includes(verdict as Verdict))
    throw usage(`${JSON.stringify(verdict)} is no verdict.`);
  if (options.reset && verdict !== undefined) throw usage('Either a verdict or --reset.');
  // What is known about a memory that is gone must be forgotten all the same.
  if (options.reset) return reset(io, ref);
  return withMemory(io, async (memory) => {
    const named = await namedMemory(memory.store, memory.config, ref);
    const learned =
      verdict === undefined
        ? learnedOf(memory.config, named)
        : await judgeMemory(memory.config, named, verdict as Verdict, new Date());
    return [{ ref: named.ref, project: named.project, learned }];
  });
}

async function reset(io: Io, ref: string): Promise<Known[]> {
  const config = loadConfig({ cwd: io.cwd, env: io.env });
  const known = everything(config.paths.userRoot).filter((each) => each.ref === ref);
  if (known.length === 0)
    throw new CairnError('NOT_FOUND', `Nothing was learned about ${JSON.stringify(ref)}.`, {
      fix: '`cairn feedback` lists what was learned.',
    });
  for (const each of known) await forgetMemory(config, each);
  return known.map((each) => ({ ...each, learned: undefined }));
}

function everything(userRoot: string): Known[] {
  return [...readFeedback(userRoot).memories]
    .flatMap(([project, refs]) => [...refs].map(([ref, learned]) => ({ ref, project, learned })))
    .sort((a, b) => (a.learned.at < b.learned.at ? 1 : -1));
}

async function withMemory<T>(io: Io, work: (memory: RecallMemory) => Promise<T>): Promise<T> {
  const memory = await RecallMemory.open({ cwd: io.cwd, env: io.env });
  try {
    for (const each of memory.config.warnings) io.err(`WARNING: ${warningText(each)}`);
    await memory.refresh();
    for (const problem of memory.problems) io.err(`WARNING: ${problem}`);
    return await work(memory);
  } finally {
    await memory.close();
  }
}

const usage = (message: string): CairnError =>
  new CairnError('USAGE_ERROR', message, { fix: `cairn feedback REF ${VERDICTS.join('|')}` });

const asData = ({ ref, project, learned }: Known, use: Use): object => ({
  ref,
  project,
  ...(learned ?? { injected: 0, used: 0 }),
  factor: factorOf(learned),
  told_shift: toldShift(learned, use),
});

function asText({ ref, learned }: Known, use: Use): string {
  const parts = learned ? factorParts(learned) : [];
  const factor = factorOf(learned);
  const told = shiftText(learned, use);
  const reasons = parts.map((part) => `${part.name} × ${part.factor}`).join(', ');
  const seen = learned && learned.injected > 0 ? `, injected ${plural(learned.injected, 'time')}` : '';
  return `${stripUnsafe(ref)}  rank × ${factor}${reasons ? ` (${reasons})` : ''}${seen}${told === '' ? '' : `; ${told}`}`;
}
