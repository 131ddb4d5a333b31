// The .gitignore of a memory root: what Cairn keeps there for itself is not for committing, and neither are session notes, which say
// what a person asked and did, unless the user wants them to be (`capture.commit_sessions`). Everything else is.

import fs from 'node:fs';
import path from 'node:path';
import { atomicWrite, TEMPORARY_SUFFIX } from './atomic-write.ts';
import { isInside } from './paths.ts';

const IGNORED = ['.index.lockdir*', `*${TEMPORARY_SUFFIX}`, '*.invalid.*', 'graph.json'];
/** Below the memory root. */
export const SESSION_NOTES = path.join('nodes', 'sessions');
const SESSIONS_REASON =
  '# Session notes are private; `cairn config set capture.commit_sessions true` takes the next line away.';
const SESSIONS_LINE = '/nodes/sessions/';
/** A person has decided: everything, all notes, or these. */
const DECIDED = /^(?:\*|\/?\*\*?|\/?nodes\/?(?:\*\*?)?|!?\/?(?:nodes\/|\*\*\/)?sessions\/?(?:\*\*?|\*\.md)?)$/;

export type Sharing = { readonly commit_sessions: boolean };

/**
 * Writes it, and the line for session notes if it is missing or no longer wanted; what else a person has made of the file stays. Who
 * does not know the setting (`undefined`) only makes it where there is none.
 */
export function ensureGitignore(memoryRoot: string, sharing?: Sharing): void {
  const file = path.join(memoryRoot, '.gitignore');
  const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
  if (before !== undefined && !sharing) return;
  const plain = `# Kept by Cairn for itself; the records, notes, index.md and the configuration are for committing.\n${IGNORED.join('\n')}\n`;
  const after = withSessions(before ?? plain, !sharing?.commit_sessions);
  if (after !== before) atomicWrite(file, after);
}

function withSessions(text: string, isPrivate: boolean): string {
  const lines = text.split('\n');
  const ours = lines.findIndex(
    (line, at) => line.trimEnd() === SESSIONS_REASON && lines[at + 1]?.trimEnd() === SESSIONS_LINE,
  );
  if (!isPrivate) return ours < 0 ? text : lines.toSpliced(ours, 2).join('\n');
  if (ours >= 0 || lines.some((line) => DECIDED.test(line.trim()))) return text;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${SESSIONS_REASON}\n${SESSIONS_LINE}\n`;
}

/** Of these files those that Cairn may commit by itself; one that git knows already is no exception. */
export function forCommitting(memoryRoot: string, files: readonly string[], sharing: Sharing): string[] {
  const sessions = path.join(memoryRoot, SESSION_NOTES);
  return sharing.commit_sessions ? [...files] : files.filter((file) => !isInside(sessions, file));
}
