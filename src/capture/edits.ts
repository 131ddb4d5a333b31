// Remembers in the journal which files were written, and the first line that changed, so that an error that goes away can
// be told together with what was done about it.

import { findMemoryPath } from '../files/memory-path.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import type { CaptureContext } from './capture-context.ts';
import { commonOf, isKnown } from './commands.ts';
import { shortPaths } from './error-text.ts';
import { appendJournal, readJournal } from './journal.ts';
import { cleanLine } from './note-text.ts';
import { projectFile } from './project-file.ts';
import { isSecretPath } from './sensitive-path.ts';

const MAX_SHOWN = 120;
const MAX_LINES = 2_000;

export function captureEdit(context: CaptureContext, payload: JsonObject): void {
  const { sessionId } = context;
  const input = isObject(payload.tool_input) ? payload.tool_input : {};
  const given = [input.file_path, input.notebook_path].find((each) => typeof each === 'string' && each !== '');
  if (sessionId === undefined || typeof given !== 'string' || given.includes('\0') || given.length > 4_096) return;
  const around = { cwd: context.cwd, home: context.home, memoryRoot: context.vault.root };
  if (findMemoryPath(given, around)) return;
  const found = projectFile(context, given);
  const common = commonOf(context, payload);
  if (isKnown(readJournal(context.userRoot, context.projectRoot, sessionId), common.use)) return;
  const line = found && !found.names.some(isSecretPath) ? changedLine(input) : {};
  const path = found?.relative ?? shortPaths(cleanLine(given, 1_000), { projectRoot: context.projectRoot, home: '' });
  appendJournal({ ...context, sessionId }, { ...common, kind: 'edit', path, ...line });
}

/** The first line that differs. Nothing for a whole file: what it was before is not known. */
function changedLine(input: JsonObject): { before?: string; after?: string } {
  const edit = Array.isArray(input.edits) && isObject(input.edits[0]) ? input.edits[0] : input;
  const { old_string: old, new_string: now } = edit;
  if (typeof old !== 'string' || typeof now !== 'string') return {};
  const before = old.split('\n', MAX_LINES);
  const after = now.split('\n', MAX_LINES);
  const at = before.findIndex((line, index) => line.trim() !== (after[index] ?? '').trim());
  const from = at === -1 ? before.length : at;
  const was = cleanLine(before[from] ?? '', MAX_SHOWN);
  const is = cleanLine(after[from] ?? '', MAX_SHOWN);
  return { ...(was === '' ? {} : { before: was }), ...(is === '' ? {} : { after: is }) };
}
