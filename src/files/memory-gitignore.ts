// The .gitignore of a memory root: what Cairn keeps there for itself is not for committing, and neither are session notes and
// summaries, which say what a person asked and did, unless the user wants them to be (`capture.commit_sessions`). Everything else is.

import fs from 'node:fs';
import path from 'node:path';
import { SUMMARY_PREFIX } from '../model/own-summary.ts';
import { atomicWrite, TEMPORARY_SUFFIX } from './atomic-write.ts';
import { isInside } from './paths.ts';

const IGNORED = ['.index.lockdir*', `*${TEMPORARY_SUFFIX}`, '*.invalid.*', 'graph.json'];
/** Below the memory root. */
export const SESSION_NOTES = path.join('nodes', 'sessions');
/** Below the memory root; the names of summaries that Cairn wrote. */
const SUMMARIES = { folder: 'sessions', name: new RegExp(`^${SUMMARY_PREFIX}.*\\.json$`) };
/** Each with what a person may have decided instead: everything, all notes, or these. */
const PRIVATE = [
  {
    reason: '# Session notes are private; `cairn config set capture.commit_sessions true` takes the next line away.',
    line: '/nodes/sessions/',
    decided: /^(?:\*|\/?\*\*?|\/?nodes\/?(?:\*\*?)?|!?\/?(?:nodes\/|\*\*\/)?sessions\/?(?:\*\*?|\*\.md)?)$/,
  },
  {
    reason: '# So are the summaries that Cairn makes of them.',
    line: `/${SUMMARIES.folder}/${SUMMARY_PREFIX}*.json`,
    decided: /^(?:\*|\/?\*\*?|!?\/?(?:\*\*\/)?sessions\/?(?:\*\*?|\S*\*\.json)?)$/,
  },
];

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
  const after = PRIVATE.reduce((text, rule) => withRule(text, rule, !sharing?.commit_sessions), before ?? plain);
  if (after !== before) atomicWrite(file, after);
}

function withRule(text: string, { reason, line, decided }: (typeof PRIVATE)[number], isPrivate: boolean): string {
  const lines = text.split('\n');
  const ours = lines.findIndex((each, at) => each.trimEnd() === reason && lines[at + 1]?.trimEnd() === line);
  if (!isPrivate) return ours < 0 ? text : lines.toSpliced(ours, 2).join('\n');
  if (ours >= 0 || lines.some((each) => decided.test(each.trim()))) return text;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${reason}\n${line}\n`;
}

/** Of these files those that Cairn may commit by itself; one that git knows already is no exception. */
export function forCommitting(memoryRoot: string, files: readonly string[], sharing: Sharing): string[] {
  const notes = path.join(memoryRoot, SESSION_NOTES);
  const summaries = path.join(memoryRoot, SUMMARIES.folder);
  const isPrivate = (file: string): boolean =>
    isInside(notes, file) || (path.dirname(file) === summaries && SUMMARIES.name.test(path.basename(file)));
  return sharing.commit_sessions ? [...files] : files.filter((file) => !isPrivate(file));
}
