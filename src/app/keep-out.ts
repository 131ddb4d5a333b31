// What must not be written down, asked by everything that writes: conversations that were forgotten or are excluded, and texts that
// the user named. Small, because hooks ask it too.

import path from 'node:path';
import type { Config } from '../config/load.ts';
import { exclusionOf } from '../files/excluded.ts';
import { type Forgotten, readForgotten } from '../files/forgotten.ts';
import { useNamedTexts } from '../safety/secrets/named-texts.ts';

/** From now on this process masks the texts that the user named. Returns what else was forgotten. */
export function useForgotten(userRoot: string): Forgotten {
  const forgotten = readForgotten(userRoot);
  const { key, texts } = forgotten;
  useNamedTexts({ key, texts });
  return forgotten;
}

/** Whether nothing of a conversation may be kept: it was forgotten, or its place is excluded. */
export function isKeptOut(
  { settings, paths }: Pick<Config, 'settings' | 'paths'>,
  { session, transcript }: { session: unknown; transcript?: unknown },
): boolean {
  if (useForgotten(paths.userRoot).holdsSession(String(session ?? ''))) return true;
  const excluded = exclusionOf(settings.traces.exclude, paths.home);
  const file = typeof transcript === 'string' ? transcript : undefined;
  return excluded?.({ cwd: paths.projectRoot, file }) === true;
}

const DAY_MS = 86_400_000;

/** What would be forgotten for its age is not read in first. */
export function isTooOld(
  { settings }: Pick<Config, 'settings'>,
  { ended }: { file: string; ended?: number },
  now: Date,
): boolean {
  const days = settings.retention.conversation_days;
  return days > 0 && ended !== undefined && ended < now.getTime() - days * DAY_MS;
}

/** Whether a transcript that is on the disk is not to be read in, for any of these reasons: nobody waits for it. */
export function isNotRead(
  config: Config,
  transcript: { file: string; cwd?: string | undefined; ended?: number },
  now: Date,
): boolean {
  const { file, cwd } = transcript;
  const forgotten = readForgotten(config.paths.userRoot);
  // Codex puts the id at the end of the name, behind the time.
  const name = path.basename(file, path.extname(file));
  const session = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.exec(name)?.[0] ?? name;
  if (forgotten.holdsFile(file) || forgotten.holdsSession(name) || forgotten.holdsSession(session)) return true;
  const excluded = exclusionOf(config.settings.traces.exclude, config.paths.home);
  return excluded?.({ cwd, file }) === true || isTooOld(config, transcript, now);
}
