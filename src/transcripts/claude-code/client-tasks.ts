// The client's own list of the tasks of a session: a file for each, beside the transcripts. It is the last word on what
// became of a task, also where a hook was missed. The place and the format are the client's and may change: then there is
// nothing to learn here.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../../errors.ts';
import { parseJsonObject, readText } from '../../files/json-file.ts';

const MAX_TASKS = 200;
const MAX_BYTES = 64 * 1024;
const STATUSES = ['pending', 'in_progress', 'completed'];

/** The status of each task by its subject, for a session whose transcript is `<client>/projects/<project>/<session>.jsonl`. */
export function clientTasks(transcript: string, sessionId: string): Map<string, string> {
  const found = new Map<string, string>();
  if (!/^[\w-]+$/.test(sessionId) || !path.isAbsolute(transcript)) return found;
  const folder = path.join(path.dirname(transcript), '..', '..', 'tasks', sessionId);
  for (const name of namesIn(folder).slice(0, MAX_TASKS)) {
    const task = readTask(path.join(folder, name));
    if (task) found.set(task.subject, task.status);
  }
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).filter((name) => /^\w+\.json$/.test(name));
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

function readTask(file: string): { subject: string; status: string } | undefined {
  try {
    const { subject, status } = parseJsonObject(readText(file, MAX_BYTES) ?? '{}', file);
    const sound = typeof subject === 'string' && typeof status === 'string' && STATUSES.includes(status);
    return sound ? { subject: subject.trim(), status } : undefined;
  } catch (error) {
    if (error instanceof CairnError) return undefined;
    throw error;
  }
}
