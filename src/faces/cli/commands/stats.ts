// `cairn stats`: the numbers of the memory of conversations.

import type { Command } from 'commander';
import { type DayOfTokens, tokensByDay } from '../../../app/learn-from-answers.ts';
import type { TraceStats } from '../../../app/trace-memory.ts';
import { stripUnsafe } from '../../../model/text.ts';
import type { Io } from '../io.ts';
import { plural } from '../open.ts';
import { openTracesFor } from '../open-traces.ts';
import { duration, megabytes } from '../progress.ts';

/** So many days are summed up; as many of them are shown as fit into a line. */
const [INJECTED_DAYS, SHOWN_DAYS] = [30, 7];

export function statsCommand(program: Command, io: Io): void {
  program
    .command('stats')
    .description('Show how much is remembered of conversations, and what it takes')
    .option('--json', 'print data instead of text')
    .action(async (options: { json?: true }) => {
      const memory = await openTracesFor(io);
      try {
        const stats = await memory.stats();
        const injected = tokensByDay(memory.config.paths.userRoot, new Date(), INJECTED_DAYS);
        io.out(
          options.json ? JSON.stringify({ ...stats, injected }) : [text(stats), ...injectedLine(injected)].join('\n'),
        );
      } finally {
        await memory.close();
      }
    });
}

function text(stats: TraceStats): string {
  const { store, archive } = stats;
  const ideas = Object.entries(stats.ideas).sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  const total = ideas.reduce((sum, [, count]) => sum + count, 0);
  const projects = new Set(store.documents.map(({ project }) => project)).size;
  const everywhere = store.documents.reduce((sum, { count }) => sum + count, 0);
  return [
    `Project   ${stats.project}`,
    `          ${plural(stats.sessions, 'conversation')}, ${plural(stats.spans, 'topic')}, ${plural(stats.exchanges, 'exchange')}, ${plural(total, 'idea')}`,
    ...(ideas.length > 0 ? [`          ${ideas.map(([intent, count]) => `${count} ${intent}`).join(', ')}`] : []),
    ...(stats.entities.length > 0
      ? [`Most      ${stats.entities.map(({ name, documents }) => `${stripUnsafe(name)} ${documents}`).join(', ')}`]
      : []),
    '',
    `Database  ${plural(everywhere, 'memory', 'memories')} of ${plural(projects, 'project')}, ${plural(store.links, 'link')}, ${plural(store.entities, 'entity', 'entities')}, ${megabytes(store.bytes)} (${store.engine})`,
    ...store.vectors.map(({ model, count, dimensions }) => `Vectors   ${count} × ${dimensions} by ${model}`),
    ...makingLine(stats.making),
    `Archive   ${plural(archive.transcripts, 'transcript')}, ${megabytes(archive.bytes)} of at most ${megabytes(archive.maxBytes)}`,
    `Indexed   ${plural(stats.transcripts, 'transcript')}`,
    ...modelLine(stats.model),
  ].join('\n');
}

const QUIET_MS = 120_000;

/** The time left is what those before took. */
function makingLine(making: TraceStats['making']): string[] {
  if (!making) return [];
  const { left, total, begun, at } = making;
  if (Date.now() - at > QUIET_MS)
    return [
      `          ${left} to be made: whoever made them was stopped; the next conversation or \`cairn backfill\` goes on`,
    ];
  const soon = total > left ? `, about ${duration(((at - begun) / (total - left)) * left)}` : '';
  return [`          ${left} are being made${soon}; the most telling came first`];
}

function modelLine({
  provider,
  calls,
  failures,
  tokensIn,
  tokensOut,
  dailyCalls,
  dailyTokens,
}: TraceStats['model']): string[] {
  if (provider === 'none' && calls === 0) return [];
  const failed = failures > 0 ? ` (${failures} failed)` : '';
  return [
    `Model     ${provider} today: ${calls} of ${dailyCalls} calls${failed}, ${tokensIn + tokensOut} of ${dailyTokens} tokens`,
  ];
}

function injectedLine(days: readonly DayOfTokens[]): string[] {
  if (days.length === 0) return [];
  const total = days.reduce((sum, { tokens }) => sum + tokens, 0);
  const shown = days.slice(-SHOWN_DAYS).map(({ day, tokens }) => `${day.slice(5)} ${tokens}`);
  return [`Injected  ${plural(total, 'token')} in ${INJECTED_DAYS} days; by day: ${shown.join(', ')}`];
}
