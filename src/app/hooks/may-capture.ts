// Whether hooks may write notes by themselves here. Two places are not theirs: another memory that a stranger's project leads to,
// and a project that is gone, such as a worktree that was removed: it would come back as a folder with nothing in it but notes.
// Nor do they take notes of a conversation that was forgotten, or is excluded.

import fs from 'node:fs';
import type { Config } from '../../config/load.ts';
import type { JsonObject } from '../../model/json.ts';
import { isKeptOut } from '../keep-out.ts';

export const mayCapture = (config: Config, payload: JsonObject): boolean =>
  mayWriteHere(config) && !isKeptOut(config, { session: payload.session_id, transcript: payload.transcript_path });

export const mayWriteHere = ({ trust, paths }: Config): boolean =>
  !(trust.state === 'untrusted' && trust.leadsOut) &&
  (fs.existsSync(paths.memoryRoot) || fs.existsSync(paths.projectRoot));
