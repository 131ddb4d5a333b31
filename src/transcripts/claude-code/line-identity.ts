// What the client calls a line, and what tells a copy of it: a fork has the lines of the conversation that it was made of, with their
// names and times, under its own session. `docs/TRACES.md`, “Forks”, says what each kind of fork looks like.

import { type Fields, fieldsOf, timeOf } from '../fields.ts';

export type LineIdentity = {
  readonly name: string | undefined;
  readonly time: number | undefined;
  /** The prompt that it belongs to. The client gives one id to all prompts that it copies, and to the first that follows them. */
  readonly prompt: string | undefined;
  /** It says itself that it comes from another conversation. */
  readonly isForeign: boolean;
  /** The border of a compaction: a fork begins there. */
  readonly isBorder: boolean;
};

/** A shorter name may be anybody's. */
const NAME = /^[\w-]{8,64}$/;

/** `line`: as JSON. `session`: that of the transcript which it stands in. */
export function identityOf(line: object, session: string): LineIdentity {
  const { uuid, timestamp, promptId, sessionId, forkedFrom } = line as Fields;
  return {
    name: typeof uuid === 'string' && NAME.test(uuid) ? uuid : undefined,
    time: timeOf(timestamp),
    prompt: typeof promptId === 'string' && NAME.test(promptId) ? promptId : undefined,
    isForeign: fieldsOf(forkedFrom) !== undefined || (typeof sessionId === 'string' && sessionId !== session),
    isBorder: isBorder(line),
  };
}

export const isBorder = (line: object | undefined): boolean =>
  (line as Fields | undefined)?.subtype === 'compact_boundary';

/** All of a line that tells who it is, for whoever does not have the rest. */
export function identityFields(line: object): Fields {
  const { uuid, timestamp, promptId, sessionId, forkedFrom, subtype } = line as Fields;
  return { uuid, timestamp, promptId, sessionId, forkedFrom, subtype };
}
