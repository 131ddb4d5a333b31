// Which conversations are kept out from the start (`traces.exclude`): patterns as .gitignore writes them, compared with the folder
// that a conversation began in, with its transcript and with the project that the folder belongs to.

import os from 'node:os';
import path from 'node:path';
import { IgnorePatterns } from './ignore-patterns.ts';
import { projectFacts } from './project-identity.ts';

export type ConversationPlace = {
  /** Where it began, if that is known. */
  readonly cwd?: string | undefined;
  /** Its transcript, if there is one. */
  readonly file?: string | undefined;
};

/** `undefined` where nothing is excluded: nobody has to ask. */
export function exclusionOf(
  patterns: readonly string[],
  home = os.homedir(),
): ((place: ConversationPlace) => boolean) | undefined {
  if (patterns.length === 0) return undefined;
  const ignore = new IgnorePatterns(patterns.map((pattern) => patternOf(pattern, home)));
  const known = new Map<string, boolean>();
  const isExcluded = (name: string): boolean => ignore.ignores(segmentsOf(name));
  return ({ cwd, file }) => {
    const key = `${cwd ?? ''}\0${file ?? ''}`;
    let excluded = known.get(key);
    if (excluded === undefined) {
      const project = cwd === undefined ? undefined : projectFacts(cwd);
      const names = [cwd, file, project?.place, project?.remote];
      excluded = names.some((name) => typeof name === 'string' && name !== '' && isExcluded(name));
      known.set(key, excluded);
    }
    return excluded;
  };
}

/** `~` is the home; what a person copies from Windows has its separators. */
function patternOf(written: string, home: string): string {
  const kept = written.startsWith('!') ? '!' : '';
  const pattern = written.slice(kept.length).trim();
  const whole = /^~(?=[\\/]|$)/.test(pattern) ? path.join(home, pattern.slice(1)) : pattern;
  return kept + (/^[A-Za-z]:[\\/]/.test(whole) ? whole.replaceAll('\\', '/') : whole);
}

/** An address of a file in segments, without what an absolute one begins with. */
const segmentsOf = (name: string): string => name.replace(/^[\\/]+/, '').replaceAll('\\', '/');
