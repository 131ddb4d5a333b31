// `cairn backfill` and `cairn reindex`: read conversations into the memory, those not read yet or all anew.

import type { Command } from 'commander';
import { isDamage, MEND_ASIDE, storeIdentity } from '../../../app/damaged-store.ts';
import { takePending } from '../../../app/pending-conversations.ts';
import type { BackfillReport, Running, TraceMemory } from '../../../app/trace-memory.ts';
import { type UpkeepReport, upkeep } from '../../../app/upkeep.ts';
import { SINCE_FORMS } from '../../../app/written-time.ts';
import { CairnError, messageOf } from '../../../errors.ts';
import { stripUnsafe } from '../../../model/text.ts';
import { optimiseLess } from '../../launcher/optimise-less.ts';
import { startReader } from '../../launcher/start-reader.ts';
import { startHelper, startWorker } from '../../launcher/start-worker.ts';
import { onInterrupt } from '../interrupt.ts';
import type { Io } from '../io.ts';
import { plural, problemText } from '../open.ts';
import { openAnew, openTracesFor } from '../open-traces.ts';
import { duration, megabytes, progressBar } from '../progress.ts';
import { timeOption } from '../time-option.ts';

type Options = {
  all?: true;
  since?: string;
  json?: true;
  vectors: boolean;
  wait?: boolean;
  asText?: true;
  again?: true;
};

const INTERRUPTED = 130;
/**
 * Not for less: what V8 compiled under another setting cannot be kept for the next run. So much is some seconds' work where all of
 * it is talk, and there it saves a sixth.
 */
const MUCH_BYTES = 1e6;

export function backfillCommands(program: Command, io: Io, done: (exit: number) => void): void {
  program
    .command('backfill')
    .description('Read conversations into the memory: of this project, at the given places, or all')
    .argument('[path...]', 'transcripts, or directories with transcripts below them')
    .option('--all', 'all conversations that Claude Code and Codex keep on this machine')
    .option('--since <date>', `only conversations that went on since then: ${SINCE_FORMS}`)
    .option('--as-text', 'take a .md or .txt file that is named for a conversation, even where nobody speaks in it')
    .option('--again', 'with a path: read in again what was forgotten of it')
    .option('--no-vectors', 'leave the vectors for later')
    .option('--wait', 'stay until the vectors are made, too; elsewhere than on a terminal that is the rule')
    .option('--no-wait', 'let vectors that take long be made in the background, elsewhere than on a terminal too')
    .option('--json', 'print data instead of text')
    .addHelpText('after', AFTER_BACKFILL)
    .action(async (places: string[], options: Options) => {
      if (options.all && places.length > 0)
        throw new CairnError('USAGE_ERROR', '--all means all conversations; a path means the ones there.', {
          fix: 'Use one of the two.',
        });
      if (options.again && places.length === 0)
        throw new CairnError('USAGE_ERROR', '--again needs to know what is to be read in again.', {
          fix: 'Name the transcripts, or let all of it be read: `cairn forget --list`, then --undo.',
        });
      const since = options.since === undefined ? undefined : timeOption('--since', options.since);
      const memory = await openTracesFor(io);
      const unread = new Map<string, string>();
      const which = { ...(options.all ? { all: true } : {}), ...(since === undefined ? {} : { since }) };
      const run = async (running: Running): Promise<BackfillReport> => {
        const gone = places.length > 0 ? [] : await memory.onlyArchived(which);
        const into = places.length > 0 ? { into: memory.project.id } : {};
        if (options.again) await readAgain(memory, places);
        const report = await memory.backfill(
          [...gone, ...memory.find(places, { unread, ...which, ...(options.asText ? { asText: true } : {}) })],
          {
            ...running,
            ...into,
          },
        );
        return {
          ...report,
          failed: [
            ...[...unread].map(([file, why]) => ({ file, why, ...(NO_TALK.test(why) ? { fix: AS_TEXT } : {}) })),
            ...report.failed,
          ],
        };
      };
      const catchesUp = places.length === 0 && since === undefined;
      done(await work(io, memory, { ...options, nothing: NO_CONVERSATIONS, catchesUp }, run));
    });

  program
    .command('reindex')
    .description('Make the database anew: from records, notes, transcripts and the archive')
    .option('--forget-gone', 'forget conversations that are neither on disk nor in the archive any more')
    .option('--no-vectors', 'leave the vectors for later')
    .option('--wait', 'stay until the vectors are made, too; elsewhere than on a terminal that is the rule')
    .option('--no-wait', 'let vectors that take long be made in the background, elsewhere than on a terminal too')
    .option('--json', 'print data instead of text')
    .addHelpText('after', AFTER_REINDEX)
    .action(async (options: Options & { forgetGone?: true }) => {
      const gone = options.forgetGone ? { forgetGone: true } : {};
      const memory = await openTracesFor(io, { repair: true });
      const opened = storeIdentity(memory.config);
      const toPrint = { ...options, nothing: 'There are no conversations to read on this machine.', catchesUp: true };
      try {
        done(await work(io, memory, toPrint, (running) => memory.reindex({ ...running, ...gone })));
      } catch (error) {
        if (!isDamage(error)) throw error; // what the look over its pages did not find
        const isStill = (): boolean => storeIdentity(memory.config) === opened;
        const anew = await openAnew(io, memory.config, { damage: messageOf(error), isStill });
        done(await work(io, anew, toPrint, (running) => anew.reindex({ ...running, ...gone })));
      }
    });
}

/** From their first line: of some only a part was forgotten. */
async function readAgain(memory: TraceMemory, places: readonly string[]): Promise<void> {
  const { allowFiles } = await import('../../../app/forget.ts');
  await allowFiles(memory.config, places);
  await memory.readAnew(new Set(memory.find(places, { asText: true, unread: new Map() }).map(({ file }) => file)));
}

const NO_CONVERSATIONS = 'There are no conversations to read here.\nName a file or a directory, or use --all.';
const NO_TALK = /^It is no conversation/;
const AS_TEXT =
  'Name transcripts of Claude Code or Codex, or exports in which each speaker is named. A .md or .txt file that is to be read anyway: --as-text.';
const AFTER_BACKFILL = `
Only what is new is read, so it may be run as often as you like. Ctrl-C ends it without loss; run it again to go on.
Words come first: everything can be found by them when the first lines are printed. Vectors follow, decisions and outcomes before the rest, on
a terminal by a process in the background that gives way to everything else.
Exit code 1: a transcript, or a folder of them, could not be read. 130: it was interrupted.`;
const AFTER_REINDEX = `
Nothing is lost by it: transcripts that the client has deleted are read from the archive, all of which is checked before anything is
cleared. Conversations that are not there either, or whose copy is damaged, stay as they are. A damaged database is put aside, and what
can still be read of such conversations is taken over from it; it goes if that was all, and is named if not. --forget-gone removes it.
Exit code 1: something could not be read; it is named. 130: it was interrupted.`;

async function work(
  io: Io,
  memory: TraceMemory,
  options: Options & { nothing: string; catchesUp: boolean },
  run: (running: Running) => Promise<BackfillReport>,
): Promise<number> {
  const begun = performance.now();
  const bar = progressBar();
  // The time left is that of the words alone.
  const isEmbedded = options.vectors && memory.config.settings.embeddings.provider !== 'none';
  const follows = isEmbedded ? 'words; vectors follow  ' : '';
  const interrupt = onInterrupt(() => io.err('Stopping after this step …'));
  try {
    const report = await run({
      stopped: interrupt.stopped,
      ...(canStart() ? { startReader } : {}),
      onProgress: (at, total, file) => {
        if (total >= MUCH_BYTES) optimiseLess();
        bar.update(at, total, `${follows}${file}`);
      },
    });
    bar.end();
    const { userRoot, projectRoot } = memory.config.paths;
    // Nothing waits any more: the next session must not say that capture does not work.
    if (options.catchesUp && report.finished && report.failed.length === 0) takePending(userRoot, projectRoot);
    const tookMs = Math.round(performance.now() - begun);
    if (!options.json) io.out(summary(report, tookMs, options.nothing));
    const counter = progressBar({ unit: String });
    const tended = performance.now();
    const waits = options.wait ?? !io.interactive;
    const after = await upkeep(memory, {
      env: io.env,
      now: () => new Date(),
      stopped: interrupt.stopped,
      embed: options.vectors,
      onProgress: (at, total, what) => counter.update(at, total, what),
      ...(canStart() ? { startHelper: () => startHelper(io.env) } : {}),
      ...(waits || !canStart() ? { waits } : { inBackground: () => startVectors(io, memory) }),
    });
    counter.end();
    const tendedMs = Math.round(performance.now() - tended);
    io.out(
      options.json
        ? JSON.stringify({ ...report, took_ms: tookMs, upkeep_ms: tendedMs, ...after })
        : upkeepText(after, tendedMs),
    );
    const isLost = (report.aside ?? []).some(({ lost }) => lost.length > 0);
    return interrupt.stopped() ? INTERRUPTED : report.failed.length > 0 || isLost ? 1 : 0;
  } finally {
    bar.end();
    interrupt.release();
    await memory.close();
  }
}

/** Workers are started from what was built: as a source, run by tests, there is none. */
const canStart = (): boolean => import.meta.url.endsWith('.js');

const startVectors = (io: Io, { config }: TraceMemory): Promise<void> =>
  startWorker('vector-worker', { cwd: config.paths.projectRoot }, io.env);

/** What was made, and what is left and who makes it. */
function vectorsText({ embedded, left, by }: NonNullable<UpkeepReport['vectors']>, tookMs: number): string {
  const made = embedded > 0 || left === 0 ? `${plural(embedded, 'vector')} made in ${duration(tookMs)}` : '';
  const rest = [
    ...(by === 'background'
      ? [
          `${plural(left, 'vector')} are made in the background, the most telling first; \`cairn stats\` says how many are left`,
        ]
      : []),
    ...(by === 'another' ? [`${plural(left, 'vector')} left, and another process is making them`] : []),
    ...(by === undefined && left > 0 ? [`${left} left for later`] : []),
  ];
  return [made, ...rest].filter(Boolean).join(', ');
}

function upkeepText({ files, commits, vectors, refined, problems }: UpkeepReport, tookMs: number): string {
  return [
    ...(files
      ? [
          `${plural(files.put + files.unchanged, 'record, note or section', 'records, notes and sections')} of this project: ${files.put} new or changed`,
        ]
      : []),
    ...(commits && commits.put > 0 ? [`${plural(commits.put, 'commit')} of the repository's own log read`] : []),
    ...(vectors ? [vectorsText(vectors, tookMs)] : []),
    ...(refined
      ? [
          `${plural(refined.refined, 'topic')} refined by the model${refined.halted ? `; it ended early: ${refined.halted.message}` : ''}`,
        ]
      : []),
    ...(files?.problems ?? []).map((each) => stripUnsafe(problemText(each))),
    ...problems.map((each) => `WARNING: ${stripUnsafe(each)}`),
  ].join('\n');
}

/** A damaged database that may hold what is nowhere else. */
function asideText(aside: NonNullable<BackfillReport['aside']>): string[] {
  return aside.flatMap(({ file, why, lost }) => [
    `WARNING: The damaged database stays at ${stripUnsafe(file)}: ${stripUnsafe(why)}`,
    ...lost.map((each) => `  not all of ${stripUnsafe(each)}`),
    `What to do: ${MEND_ASIDE}`,
  ]);
}

/** What stayed out is told: nobody is to look for it elsewhere. */
function refusedText({ forgotten = 0, aged = 0, excluded = 0, old = 0 }: BackfillReport['refused']): string[] {
  return [
    ...(forgotten > 0
      ? [`${plural(forgotten, 'conversation')} left out: forgotten on request (\`cairn forget --list\`)`]
      : []),
    ...(aged > 0
      ? [
          `${plural(aged, 'conversation')} left out: forgotten for age, by retention.conversation_days (\`cairn forget --list\`)`,
        ]
      : []),
    ...(excluded > 0 ? [`${plural(excluded, 'conversation')} left out: excluded by traces.exclude`] : []),
    ...(old > 0 ? [`${plural(old, 'conversation')} left out: older than retention.conversation_days`] : []),
  ];
}

function summary(report: BackfillReport, tookMs: number, nothing: string): string {
  const { transcripts, unchanged, restarted, unknown, failed, unreadable, kept = [], damaged = [], shorter } = report;
  const stay = [
    ...(kept.length > 0
      ? [`${plural(kept.length, 'conversation')} kept as known: neither on disk nor in the archive`]
      : []),
    ...(damaged.length > 0
      ? [`${plural(damaged.length, 'conversation')} kept as known: the copy in the archive cannot be read`]
      : []),
    ...(shorter.length > 0
      ? [`${plural(shorter.length, 'conversation')} kept as known: only the beginning of the transcript is left`]
      : []),
  ];
  stay.push(...asideText(report.aside ?? []));
  const out = refusedText(report.refused);
  if (transcripts + unknown.length + failed.length === 0)
    return [...(out.length > 0 ? out : [nothing]), ...stay].join('\n');
  const read = transcripts - unchanged;
  // Where everything was refused, nothing is to be said of what was read.
  const counted = [
    `${plural(transcripts, 'conversation')}: ${read} with something new${restarted > 0 ? `, ${restarted} of them rewritten and read anew` : ''}`,
    `${plural(report.prompts, 'prompt')} and ${plural(report.ideas, 'idea')} from ${plural(report.lines, 'line')}, ${megabytes(report.bytes)} in ${duration(tookMs)}, all to be found by words now`,
  ];
  const lines = [
    ...(transcripts > 0 ? counted : []),
    ...unreadable.map(
      ({ file, lines: count }) => `WARNING: ${plural(count, 'line')} could not be read in ${stripUnsafe(file)}`,
    ),
    ...failed.map(({ file, why }) => `FAILED: ${stripUnsafe(file)}: ${stripUnsafe(why)}`),
    ...[...new Set(failed.map(({ fix }) => fix ?? 'See that you may read what failed, then run it again.'))].map(
      (fix) => `What to do: ${stripUnsafe(fix)}`,
    ),
    ...stay,
    ...out,
    ...(unknown.length > 0 ? [`${plural(unknown.length, 'file')} left out: no transcript that Cairn knows`] : []),
    ...(report.finished ? [] : ['Stopped before the end. Run it again to go on.']),
  ];
  return lines.join('\n');
}
