// How far setting up has come: whether Cairn is installed into the client, and whether one of its hooks ever ran.

import fs from 'node:fs';
import { lastHookRuns, SERVER_MARK } from './hook-activity.ts';
import { pluginFolder } from './install/plugin-files.ts';

export const isInstalled = (userRoot: string): boolean => fs.existsSync(pluginFolder(userRoot));

/** When a hook last did its work; the server by itself is no sign of one. */
export function lastHookAt(userRoot: string): number | undefined {
  const times = [...lastHookRuns(userRoot).values()].flatMap(({ event, at }) =>
    event === SERVER_MARK ? [] : [at.getTime()],
  );
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Changes when it is installed, and when a hook runs for the first time. */
export const setUpMark = (userRoot: string): string =>
  [isInstalled(userRoot), ...[...lastHookRuns(userRoot).keys()].sort()].join(' ');
