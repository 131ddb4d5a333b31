// The .gitignore of a memory root: what Cairn keeps there for itself is not for committing; everything else is.

import fs from 'node:fs';
import path from 'node:path';
import { atomicWrite, TEMPORARY_SUFFIX } from './atomic-write.ts';

const IGNORED = ['.index.lockdir*', `*${TEMPORARY_SUFFIX}`, '*.invalid.*', 'graph.json'];

/** Writes it once; a file that a person has changed stays as it is. */
export function ensureGitignore(memoryRoot: string): void {
  const file = path.join(memoryRoot, '.gitignore');
  if (fs.existsSync(file)) return;
  atomicWrite(
    file,
    `# Kept by Cairn for itself; the records, notes, index.md and the configuration are for committing.\n${IGNORED.join('\n')}\n`,
  );
}
