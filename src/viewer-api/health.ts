// Whether capturing works, in one true sentence with what to do about it, and what the doctor finds. Only what a hook itself left behind
// counts as a sign of life: files that `cairn backfill` made say nothing about hooks.

import path from 'node:path';
import { examine, type Finding } from '../app/doctor.ts';
import { isInstalled, lastHookAt } from '../app/set-up.ts';
import type { Config } from '../config/load.ts';
import { filesBelow } from '../files/folder-stats.ts';
import { failuresOf } from './overview.ts';
import type { View } from './viewer.ts';

export type HealthState = 'well' | 'quiet' | 'off' | 'failing';
type Said = { state: HealthState; sentence: string; command: string | null };

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** After so long without a conversation it is worth saying when the last one was. */
const QUIET_MS = 7 * DAY;
const SHOWN_CAUSE = 160;

export async function healthOf({ config, env, now }: View) {
  const findings = [
    ...(await examine(config, { env, now, quick: true })),
    ...recentFailures(config, now()),
    ...overdueCaptures(config, now()),
  ];
  const well = findings.every(({ level }) => level !== 'attention');
  const seenAt = lastHookAt(config.paths.userRoot);
  return { well, ...saidOf(config, { findings, seenAt, now: now().getTime() }), seenAt: seenAt ?? null, findings };
}

type Known = { readonly findings: readonly Finding[]; readonly seenAt: number | undefined; readonly now: number };

function saidOf(config: Config, { findings, seenAt, now }: Known): Said {
  const [failure] = failuresOf(config);
  // A hook that worked since then has got over it.
  if (failure && now - failure.at < DAY && failure.at >= (seenAt ?? 0) - HOUR)
    return {
      state: 'failing',
      sentence: `The hook ${failure.event} failed ${span(now - failure.at)} ago: ${cut(failure.cause)}`,
      command: 'cairn doctor',
    };
  if (seenAt === undefined) return neverSeen(config);
  const bad = findings.find(({ level }) => level === 'attention');
  if (bad)
    return {
      state: 'failing',
      sentence: `${firstUpper(bad.area)}: ${cut(bad.text)}.`,
      command: commandIn(bad.fix) ?? 'cairn doctor',
    };
  if (now - seenAt > QUIET_MS)
    return {
      state: 'quiet',
      sentence: `Capturing worked when it was last needed, ${span(now - seenAt)} ago. If you talked to Claude Code since then, it was not seen.`,
      command: 'cairn doctor',
    };
  return { state: 'well', sentence: `Capturing works: a hook last ran ${span(now - seenAt)} ago.`, command: null };
}

function neverSeen({ paths }: Config): Said {
  if (!isInstalled(paths.userRoot))
    return {
      state: 'off',
      sentence: 'Nothing is captured: Cairn is not installed into Claude Code.',
      command: 'cairn install',
    };
  return {
    state: 'off',
    sentence: 'Cairn is installed, and has seen no conversation yet. Start one in Claude Code; this page notices it.',
    command: 'cairn doctor',
  };
}

/** The first command that a finding tells to run. */
const commandIn = (fix: string | undefined): string | null =>
  /`(cairn [^`]+)`/.exec(fix ?? '')?.[1] ?? /(?:^|: )(cairn [a-z-]+(?: --?[a-z-]+)*)/.exec(fix ?? '')?.[1] ?? null;

const firstUpper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const cut = (text: string): string => (text.length > SHOWN_CAUSE ? `${text.slice(0, SHOWN_CAUSE).trimEnd()} …` : text);

function span(ms: number): string {
  const [amount, unit] =
    ms < HOUR
      ? [Math.max(1, Math.round(ms / 60_000)), 'minute']
      : ms < 2 * DAY
        ? [Math.round(ms / HOUR), 'hour']
        : [Math.round(ms / DAY), 'day'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

function recentFailures(config: Config, now: Date): Finding[] {
  const [last] = failuresOf(config);
  if (!last) return [{ area: 'failures', level: 'ok', text: 'none' }];
  const level = now.getTime() - last.at < DAY ? 'attention' : 'note';
  const text = `last: ${new Date(last.at).toISOString()} ${last.event}: ${last.cause}`;
  return [
    { area: 'failures', level, text, fix: `${path.join(config.paths.userRoot, 'log', 'hooks.log')} has all of them.` },
  ];
}

/** A turn is indexed within seconds; what waits longer than an hour waits for nobody. */
function overdueCaptures({ paths }: Config, now: Date): Finding[] {
  const waiting = [...filesBelow(path.join(paths.userRoot, 'pending'))].map(({ stats }) => stats.mtime.getTime());
  const overdue = waiting.filter((since) => now.getTime() - since > HOUR);
  if (overdue.length === 0) return [{ area: 'captures', level: 'ok', text: `${waiting.length} under way` }];
  const text = `${overdue.length} waiting to be indexed since ${new Date(Math.min(...overdue)).toISOString()}`;
  return [{ area: 'captures', level: 'attention', text, fix: 'Run `cairn backfill --all`; it says what is wrong.' }];
}
