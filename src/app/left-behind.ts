// What hooks and workers left behind when something did not come to its end: the last failure, captures that wait, sessions that nobody
// closed. `cairn doctor` shows it.

import path from 'node:path';
import type { Config } from '../config/load.ts';
import { filesBelow } from '../files/folder-stats.ts';
import { stripUnsafe } from '../model/text.ts';
import type { Finding } from './doctor.ts';
import { failureLog } from './failure-log.ts';
import { allEndings } from './hooks/pending-endings.ts';
import { loggedFailures } from './logged-failures.ts';

/** Older failures are history. */
const RECENT_MS = 24 * 3_600_000;
/** A turn is indexed within seconds; what waits longer than this waits for nobody. */
const OVERDUE_MS = 3_600_000;
const LONG_MS = 24 * OVERDUE_MS;

export const leftBehind = (config: Config, now: Date): Finding[] => [
  ...failuresOf(config, now),
  ...pendingOf(config, now),
  ...endingsOf(config, now),
];

/** The newest line of the log, as it stands there. */
function failuresOf({ paths }: Config, now: Date): Finding[] {
  for (const { at, line } of loggedFailures(paths.userRoot)) {
    const recent = now.getTime() - at < RECENT_MS;
    const fix = `${failureLog(paths.userRoot)} has all of them.`;
    return [{ area: 'failures', level: recent ? 'attention' : 'note', text: `last: ${line.slice(0, 700)}`, fix }];
  }
  return [{ area: 'failures', level: 'ok', text: 'none' }];
}

function pendingOf({ paths }: Config, now: Date): Finding[] {
  const waiting = [...filesBelow(path.join(paths.userRoot, 'pending'))].map(({ stats }) => stats.mtime);
  const overdue = waiting.filter((since) => now.getTime() - since.getTime() > OVERDUE_MS);
  if (waiting.length === 0) return [{ area: 'captures', level: 'ok', text: 'none waits' }];
  if (overdue.length === 0) return [{ area: 'captures', level: 'ok', text: `${waiting.length} under way` }];
  const oldest = new Date(Math.min(...overdue.map(Number))).toISOString();
  const text = `${overdue.length} ${overdue.length === 1 ? 'project waits' : 'projects wait'} to be indexed, since ${oldest}`;
  return [{ area: 'captures', level: 'attention', text, fix: 'Run `cairn backfill --all`; it says what is wrong.' }];
}

/** Sessions whose end nobody could do yet. Those of the last hours are under way, or wait for the next session of their project. */
function endingsOf({ paths }: Config, now: Date): Finding[] {
  const overdue = allEndings(paths.userRoot).filter(({ since }) => now.getTime() - Date.parse(since) > OVERDUE_MS);
  const [oldest] = overdue;
  if (!oldest) return [];
  const projects = [...new Set(overdue.map(({ project }) => project))].slice(0, 3).map(stripUnsafe);
  const text = `${overdue.length} ${overdue.length === 1 ? 'session has' : 'sessions have'} ended without being closed (session note, limits, index.md), the oldest since ${oldest.since}: ${projects.join(', ')}`;
  const isStuck = overdue.some(({ attempts, since }) => attempts > 0 || now.getTime() - Date.parse(since) > LONG_MS);
  const fix =
    'The next session that begins or ends there does it; if it was tried, the log of the hooks says what was in the way.';
  return [{ area: 'endings', level: isStuck ? 'attention' : 'note', text, fix }];
}
