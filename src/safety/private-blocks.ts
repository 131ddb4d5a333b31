// Takes what was marked as `<private>` out of a line of a transcript. A message is several blocks, and a passage may begin in one of them and
// end in another: what is open goes on over the texts, inputs and results of the message, and to its end if nobody closes it.

import { openPart, removePrivate } from './private-tags.ts';

/** What holds a message together and was said by nobody: it is not hidden by a passage that began before it. */
const STRUCTURE = new Set([
  ...[
    'type',
    'role',
    'id',
    'tool_use_id',
    'name',
    'model',
    'media_type',
    'uuid',
    'timestamp',
    'operation',
    'stop_reason',
  ],
  ...['signature', 'sessionId', 'parentUuid', 'caller', 'status', 'service_tier', 'version', 'commandMode'],
]);

/** `depth`: how many passages of the same message are open before this line, and afterwards behind it. */
export function withoutPrivate(line: unknown, before = 0): { value: unknown; depth: number } {
  if (typeof line !== 'object' || line === null || Array.isArray(line)) {
    const walk = { depth: before };
    return { value: open(line, '', walk), depth: walk.depth };
  }
  // Fields beside the message repeat it in another form: each is read from its own beginning.
  let depth = 0;
  const fields = Object.entries(line).map(([name, value]) => {
    const walk = { depth: name === 'message' ? before : 0 };
    const clean = open(value, name, walk);
    if (name === 'message') depth = walk.depth;
    return [name, value, clean] as const;
  });
  const isSame = fields.every(([, value, clean]) => value === clean);
  return { value: isSame ? line : Object.fromEntries(fields.map(([name, , clean]) => [name, clean])), depth };
}

/** The value itself where nothing is private in it. */
function open(value: unknown, name: string, walk: { depth: number }): unknown {
  if (typeof value === 'string') {
    if (STRUCTURE.has(name) && !/<[\s/]*private/i.test(value)) return value;
    const { text, depth } = openPart(value, walk.depth);
    walk.depth = depth;
    return text === value ? value : removePrivate(text);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const clean = list.map((each) => open(each, name, walk));
    return clean.every((each, index) => each === list[index]) ? list : clean;
  }
  const fields = Object.entries(value);
  const clean = fields.map(([field, each]) => [field, open(each, field, walk)] as const);
  return clean.every(([, each], index) => each === fields[index]![1]) ? value : Object.fromEntries(clean);
}
