// Which files a tool call writes, as its payload names them. Shared by the guard, which asks before, and the validation,
// which asks after. Nothing in a payload is taken for granted: a model filled it in.

import { findMemoryPath, type MemoryPath } from '../../files/memory-path.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import type { HookContext } from './hook.ts';

const WRITERS = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'];
const FIELDS = ['file_path', 'notebook_path', 'filePath'];

/** The paths of the call that are the memory's, each with its text as given. */
export function memoryPathsOf(payload: JsonObject, { config }: HookContext): { given: string; path: MemoryPath }[] {
  // Without a name it is what the hook was made for.
  if (typeof payload.tool_name === 'string' && !WRITERS.includes(payload.tool_name)) return [];
  const { home, memoryRoot, projectRoot } = config.paths;
  const around = { cwd: directoryOf(payload) ?? projectRoot, home, memoryRoot };
  return [...new Set(writtenPaths(payload))].flatMap((given) => {
    const path = findMemoryPath(given, around);
    return path ? [{ given, path }] : [];
  });
}

function writtenPaths(payload: JsonObject): string[] {
  const { tool_input: input, tool_response: response } = payload;
  const edits = isObject(input) && Array.isArray(input.edits) ? input.edits : [];
  return [input, response, ...edits]
    .flatMap((each) => (isObject(each) ? FIELDS.map((field) => each[field]) : []))
    .filter((value): value is string => typeof value === 'string' && value !== '');
}

/** Where the client was when it called the tool. */
function directoryOf(payload: JsonObject): string | undefined {
  const { cwd } = payload;
  if (typeof cwd === 'string' && /^(?:[\\/]|[a-z]:[\\/])/i.test(cwd) && !cwd.includes('\0')) return cwd;
  try {
    return process.cwd();
  } catch {
    return undefined; // deleted under us
  }
}
