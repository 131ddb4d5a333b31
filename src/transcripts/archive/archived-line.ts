// A line of a transcript as the archive keeps it: without its secrets, and without the pictures and documents that were pasted into
// it. Nobody reads those back, and in conversations with screenshots they were more than half of the archive.

import { redactLine } from '../../safety/redact-line.ts';
import type { KnownValues } from '../../safety/secrets/known-values.ts';

/** Shorter lines hold none that would be worth the look. */
const LONG_LINE = 10_000;
const LONG_DATA = 2_000;
/** Of `{type: 'base64', media_type, data}` in a block, in the result of a tool, in a line. */
const MAX_DEPTH = 12;

/** `parsed`: the same line, where somebody has parsed it already. */
export function archivedLine(line: string, how: { parsed?: object; known?: KnownValues } = {}): string {
  const light = withoutAttachments(line, how.parsed);
  return redactLine(light, light === line ? how : { ...(how.known ? { known: how.known } : {}) });
}

/** The line as it is where nothing is attached to it. */
export function withoutAttachments(line: string, parsed?: object): string {
  if (line.length < LONG_LINE || !line.includes('"base64"')) return line;
  const value: unknown = parsed ?? parsedOrNothing(line);
  const light = withoutAttached(value, 0);
  return light === value ? line : JSON.stringify(light);
}

/** What is no JSON is kept as it is. */
function parsedOrNothing(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The value itself where nothing is attached to it. */
function withoutAttached(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const light = list.map((each) => withoutAttached(each, depth + 1));
    return light.every((each, index) => each === list[index]) ? list : light;
  }
  const { type, data } = value as { type?: unknown; data?: unknown };
  if (type === 'base64' && typeof data === 'string' && data.length >= LONG_DATA) return { ...value, data: '' };
  const fields = Object.entries(value);
  const light = fields.map(([name, each]) => [name, withoutAttached(each, depth + 1)] as const);
  return light.every(([, each], index) => each === fields[index]![1]) ? value : Object.fromEntries(light);
}
