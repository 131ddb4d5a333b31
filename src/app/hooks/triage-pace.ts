// How often triage has spoken in a project, kept in the user's folder. Derived, small and without anything that was said; who cannot read or
// write it goes on as if it were new, which allows at most one ask more.

import fs from 'node:fs';
import path from 'node:path';
import { atomicWrite } from '../../files/atomic-write.ts';
import { readText } from '../../files/json-file.ts';
import { nameHash, projectHash } from '../../model/hash.ts';
import { parseAs } from '../../model/schema.ts';
import { FIRST_PACE, type Pace, paceFile } from '../../triage/evidence/pace.ts';
import type { HookContext } from './hook.ts';

const MAX_BYTES = 64 * 1024;

const fileOf = ({ config: { paths } }: HookContext): string =>
  path.join(paths.userRoot, 'triage', `${projectHash(paths.projectRoot)}.json`);

/** What a conversation is called in there. */
export const paceName = (session: unknown): string => nameHash(String(session ?? ''));

export function readPace(context: HookContext): Pace {
  try {
    return parseAs(paceFile, readText(fileOf(context), MAX_BYTES) ?? '') ?? FIRST_PACE;
  } catch (error) {
    context.problem(error);
    return FIRST_PACE;
  }
}

/** Whether it could be kept: who could not has not asked. */
export function keepPace(pace: Pace, context: HookContext): boolean {
  const file = fileOf(context);
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    atomicWrite(file, JSON.stringify(pace), { mode: 0o600, durable: false });
    return true;
  } catch (error) {
    context.problem(error);
    return false;
  }
}
