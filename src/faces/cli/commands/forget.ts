// `cairn forget`: shows what a request would remove from everything that Cairn keeps, asks, and removes it. Exit 1: nothing was removed, or
// something of it is left.

import type { Command } from 'commander';
import {
  allowAgain,
  type ForgetPlan,
  type ForgetReport,
  type ForgetRequest,
  finishForgetting,
  forget,
  listForgotten,
  type PlannedMemory,
  planForget,
} from '../../../app/forget.ts';
import { countWords } from '../../../app/forget-words.ts';
import { forgetMineAtServer } from '../../../app/manage-store.ts';
import { usesServer } from '../../../app/open-store.ts';
import { SINCE_FORMS } from '../../../app/written-time.ts';
import { type Config, loadConfig, warningsOf, warningText } from '../../../config/load.ts';
import { CairnError } from '../../../errors.ts';
import { stripUnsafe } from '../../../model/text.ts';
import { onInterrupt } from '../interrupt.ts';
import type { Io } from '../io.ts';
import { plural } from '../open.ts';
import { textsOf } from '../read-texts.ts';
import { timeOption } from '../time-option.ts';

type Options = {
  project?: true;
  mine?: true;
  before?: string;
  allProjects?: true;
  text?: string[];
  transcript?: true;
  yes?: true;
  dryRun?: true;
  list?: true;
  undo?: string;
  finish?: true;
  json?: true;
};

const SHOWN = 20;

export function forgetCommand(program: Command, io: Io, done: (exit: number) => void): void {
  program
    .command('forget')
    .description('Remove a conversation, a memory or a text for good from everything that Cairn keeps')
    .argument('[name]', 'a conversation (its id, or the beginning of it), or a ref: idea:…, span:…, record:…, note:…')
    .option('--project', 'all conversations of this project')
    .option('--before <date>', `conversations of this project whose last word is older: ${SINCE_FORMS}`)
    .option('--all-projects', 'with --before: of all projects')
    .option('--text <text...>', 'every mention of a text, wherever it is stored; - reads it from standard input')
    .option('--mine', 'everything of yours at the server of store.url: for leaving a team')
    .option('--transcript', "also the client's own transcripts of these conversations")
    .option('--dry-run', 'show what would go, and change nothing')
    .option('--yes', 'do not ask')
    .option('--list', 'what was forgotten, and may not be read in again')
    .option('--undo <id>', 'let something be read in again that --list names')
    .option('--finish', 'finish what was interrupted')
    .option('--json', 'print data instead of text')
    .addHelpText('after', AFTER)
    .action(async (name: string | undefined, options: Options) => {
      const config = loadConfig({ cwd: io.cwd, env: io.env });
      for (const each of warningsOf(config)) io.err(`WARNING: ${warningText(each)}`);
      checkAlone(name, options);
      if (options.mine) done(await forgetAtServer(io, config, options));
      else if (options.list) done(list(io, config, options));
      else if (options.undo !== undefined) done(await undo(io, config, options.undo, options));
      else done(await perform(io, config, { name, options }));
    });
}

async function forgetAtServer(io: Io, config: Config, options: Options): Promise<number> {
  if (!usesServer(config))
    throw new CairnError('USAGE_ERROR', '--mine is for a memory at a server, and yours is on this machine.', {
      fix: 'To forget conversations here: cairn forget --project, or --before.',
    });
  if (options.dryRun || !options.json)
    io.out('Everything of yours at the server goes: your rows of all machines, and what you shared.');
  if (options.dryRun) return 0;
  if (!(await isAgreed(io, options))) return 1;
  const memories = await forgetMineAtServer(config);
  const told = `${plural(memories, 'memory', 'memories')} gone from the server. Your files, transcripts and archive are as they were.`;
  io.out(options.json ? JSON.stringify({ forgotten: memories }) : told);
  return 0;
}

const AFTER = `
What goes: rows and vectors, the archive, session notes and copies, logs, what was learned. What was forgotten is not read in again, by
no backfill and no hook; a file without content remembers that (--list). Texts are masked in records and notes, which stay.
What stays: what git has committed, other clones and backups, the client's own transcripts (--transcript), what was sent to a model.
Examples:
  cairn forget 3f2a91c4
  cairn forget --before 90d --dry-run
  cairn forget --text -        (type the text, then Ctrl-D: it is in no history of a shell)`;

async function perform(
  io: Io,
  config: Config,
  { name, options }: { name: string | undefined; options: Options },
): Promise<number> {
  const now = (): Date => new Date();
  const finished = options.dryRun ? [] : await finishForgetting(config, now);
  if (options.finish) {
    io.out(options.json ? JSON.stringify({ finished }) : finishedText(finished));
    return finished.every(isClean) ? 0 : 1;
  }
  const request = await requestOf(io, name, options);
  if (finished.length > 0) io.err(finishedText(finished));
  const plan = await planForget(config, request, { now, transcript: options.transcript === true });
  const isNothing = Object.values(plan.counts).every((count) => count === 0) && plan.order.kind !== 'text';
  if (options.dryRun || isNothing) {
    io.out(
      options.json
        ? JSON.stringify(planData(plan))
        : isNothing
          ? NOTHING
          : `${planText(plan, 'This would be forgotten:')}\nNothing was changed.`,
    );
    return 0;
  }
  if (!options.json) io.out(planText(plan, options.yes ? 'This goes for good:' : 'This would be forgotten:'));
  if (!(await isAgreed(io, options))) return 1;
  const interrupt = onInterrupt(() => io.err('This is finished first, so that nothing is left half forgotten …'));
  try {
    const report = await forget(config, plan, { now });
    for (const problem of report.problems) io.err(`WARNING: ${stripUnsafe(problem)}`);
    io.out(options.json ? JSON.stringify({ ...planData(plan), ...report }) : reportText(report, plan));
    return isClean(report) ? 0 : 1;
  } finally {
    interrupt.release();
  }
}

const NOTHING = 'There is nothing to forget.';
const isClean = ({ left, problems }: ForgetReport): boolean => left.length + problems.length === 0;

async function isAgreed(io: Io, { yes }: Options): Promise<boolean> {
  if (yes) return true;
  if (!io.interactive)
    throw new CairnError('DELETE_ERROR', 'Nothing was removed: nobody is there to be asked.', {
      fix: 'Look at it with --dry-run, then run it again with --yes.',
    });
  const answer = await io.ask('Remove this for good? [y/N] ');
  if (/^\s*y(?:es)?\s*$/i.test(answer ?? '')) return true;
  io.err('Nothing was removed.');
  return false;
}

/** What shows, allows or finishes takes no request beside it: whoever gives one expects something else. */
function checkAlone(name: string | undefined, options: Options): void {
  const { list: shows, undo: allows, finish: ends } = options;
  const acts = Object.entries({ '--list': shows, '--undo': allows, '--finish': ends }).flatMap(([flag, given]) =>
    given === undefined ? [] : [flag],
  );
  const [act] = acts;
  if (act === undefined) return;
  const { project, before, allProjects, text, transcript, dryRun } = options;
  const others = Object.entries({
    [name ?? '']: name,
    '--project': project,
    '--before': before,
    '--all-projects': allProjects,
    '--text': text,
    '--transcript': transcript,
    '--dry-run': dryRun,
  }).flatMap(([flag, given]) => (given === undefined ? [] : [flag]));
  const beside = [...acts.slice(1), ...others];
  if (beside.length > 0)
    throw new CairnError('USAGE_ERROR', `${act} takes nothing else: ${beside.join(' ')} would be ignored.`, {
      fix:
        act === '--undo'
          ? `\`cairn forget --undo ${allows}\` lets that be read in again; \`cairn forget --list\` shows the ids.`
          : `Run \`cairn forget ${act}\` by itself.`,
    });
}

async function requestOf(io: Io, name: string | undefined, options: Options): Promise<ForgetRequest> {
  const said = [name, options.project, options.before, options.text].filter((each) => each !== undefined).length;
  if (said !== 1)
    throw new CairnError('USAGE_ERROR', said === 0 ? 'Say what is to be forgotten.' : 'One thing at a time.', {
      fix: 'cairn forget SESSION | REF | --project | --before DATE | --text TEXT',
    });
  if (options.allProjects && options.before === undefined)
    throw new CairnError('USAGE_ERROR', '--all-projects belongs to --before.', { fix: 'Leave it out.' });
  if (options.project) return { what: 'project' };
  if (options.text) return { what: 'text', texts: await textsOf(io, options.text), as: 'remove' };
  if (name !== undefined) return { what: 'name', name };
  const before = timeOption('--before', options.before ?? '');
  return { what: 'before', before, allProjects: options.allProjects === true };
}

function planText({ goes, counts, stays, order }: ForgetPlan, head: string): string {
  const shown = goes.slice(-SHOWN);
  const words = countWords(counts);
  const isText = order.kind === 'text';
  return [
    ...(goes.length > 0 ? [head] : []),
    ...shown.map((each) => `  ${memoryText(each)}`),
    ...(goes.length > shown.length ? [`  and ${goes.length - shown.length} more`] : []),
    ...(isText ? [words.length > 0 ? 'It is mentioned in:' : UNMENTIONED] : []),
    ...words.map((each) => `  ${each.replace(/^\d+/, (count) => `${count.padStart(6)} `)}`),
    'This stays:',
    ...stays.map((each) => `  ${stripUnsafe(each)}`),
  ].join('\n');
}

const UNMENTIONED = 'Nothing that is stored mentions it; it would be kept out from now on.';

function memoryText({ name, title, from, to }: PlannedMemory): string {
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const days = [...new Set([from, to].flatMap((time) => (time === undefined ? [] : [day(time)])))].join(' to ');
  return stripUnsafe([name, days, title].filter(Boolean).join('  '));
}

function reportText({ id, counts, left }: ForgetReport, { order }: ForgetPlan): string {
  return [
    sumText(counts, order.kind),
    ...(left.length > 0 ? ['It is still found in:', ...left.map((file) => `  ${stripUnsafe(file)}`)] : []),
    // Nothing would bring a removed record or note back, so nothing is kept of it that could be undone.
    ...(order.kind === 'file' ? [] : [`It is not read in again; \`cairn forget --undo ${id}\` lets it be.`]),
  ].join('\n');
}

/** Of a text only what mentions it goes, not the whole conversations that do. */
function sumText(counts: ForgetReport['counts'], kind: ForgetPlan['order']['kind']): string {
  const sum = countWords(counts).join(', ');
  if (!sum) return 'Nothing was stored of it; it stays out from now on.';
  return kind === 'text' ? `Every mention is forgotten, in ${sum}.` : `Forgotten: ${sum}.`;
}

const finishedText = (finished: readonly ForgetReport[]): string =>
  finished.length === 0
    ? 'Nothing was left unfinished.'
    : `${plural(finished.length, 'interrupted request')} finished.`;

/** The order holds names of files, which nobody asked for. */
const planData = ({ goes, counts, stays, forks, token, order }: ForgetPlan): object => ({
  what: order.kind,
  goes: goes.map(({ from, to, ...rest }) => ({ ...rest, ...times({ from, to }) })),
  would_remove: counts,
  stays,
  forks,
  token,
});

const times = (given: { from: number | undefined; to: number | undefined }): object =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, time]) => (time === undefined ? [] : [[name, new Date(time).toISOString()]])),
  );

function list(io: Io, config: Config, { json }: Options): number {
  const entries = listForgotten(config);
  if (json) io.out(JSON.stringify({ forgotten: entries }));
  else if (entries.length === 0) io.out('Nothing was forgotten.');
  else
    io.out(
      entries
        .map(({ id, at, what, why, counts, finished }) => {
          const how = `${why === 'age' ? ' (by age)' : ''}${finished ? '' : ' (not finished: cairn forget --finish)'}`;
          const sum = countWords(counts).join(', ');
          const told = sum ? `${what === 'text' ? 'in ' : ''}${sum}` : finished ? 'nothing was stored of it' : '';
          return `${id}  ${at.slice(0, 10)}  ${what}${how}  ${told}`.trimEnd();
        })
        .join('\n'),
    );
  return 0;
}

async function undo(io: Io, config: Config, id: string, { json }: Options): Promise<number> {
  const what = await allowAgain(config, id);
  const text =
    what === 'text'
      ? 'The text may be stored again. `cairn reindex` reads in again what transcripts still have.'
      : 'It may be read in again: `cairn backfill`, for transcripts that are still there.';
  io.out(json ? JSON.stringify({ id, what }) : text);
  return 0;
}
