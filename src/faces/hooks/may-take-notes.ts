// Whether hooks may write notes by themselves here. Two places are not theirs: another memory that a stranger's project leads to,
// and a project that is gone, such as a worktree that was removed: it would come back as a folder with nothing in it but notes.

import fs from 'node:fs';
import type { Config } from '../../config.ts';

export const mayTakeNotes = ({ trust, paths }: Config): boolean =>
  !(trust.state === 'untrusted' && trust.leadsOut) &&
  (fs.existsSync(paths.memoryRoot) || fs.existsSync(paths.projectRoot));
