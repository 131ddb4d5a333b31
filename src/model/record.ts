// A record: one piece of curated knowledge, one JSON file. The fields around `content` are the same for every category.

import type { Category } from './categories.ts';
import {
  any,
  choice,
  type Infer,
  integer,
  list,
  literal,
  number,
  object,
  optional,
  type Schema,
  text,
  timestamp,
} from './schema.ts';

export const SCHEMA_VERSION = '1.0';
export const TITLE_MAX = 120;
export const TAG_CAP = 12;
export const CHANGES_CAP = 50;
export const SUMMARY_MAX = 300;
export const ID_MAX = 80;
const ID_PATTERN = '^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$';

export const RECORD_STATUSES = ['active', 'retired', 'archived'] as const;
export type RecordStatus = (typeof RECORD_STATUSES)[number];

/** What can have happened to the thing that a record is about. */
export const LIFECYCLE_EVENTS = ['resolved', 'removed', 'reversed', 'superseded', 'deprecated'] as const;
export type LifecycleEvent = (typeof LIFECYCLE_EVENTS)[number];

const change = object({
  date: timestamp(),
  summary: text({ maxLength: SUMMARY_MAX }),
  field: optional(text()),
  old_value: optional(any()),
  new_value: optional(any()),
});

export type ChangeEntry = Infer<typeof change>;

const reason = optional(text({ maxLength: SUMMARY_MAX }));

const baseFields = {
  schema_version: literal(SCHEMA_VERSION),
  id: text({
    pattern: { source: ID_PATTERN, says: `1 to ${ID_MAX} characters of a-z, 0-9 and -, not starting or ending with -` },
  }),
  title: text({ minLength: 1, maxLength: TITLE_MAX, describe: 'One line that says what this is about.' }),
  record_status: optional(choice(RECORD_STATUSES, 'Changed only by retire, archive, unarchive and restore.')),
  created_at: timestamp('When the record was made (UTC).'),
  updated_at: timestamp('When it was last changed (UTC).'),
  tags: list(text(), { minItems: 1, describe: 'Words to find it by, lower case.' }),
  related_files: optional(list(text(), { describe: 'Paths from the project root.' })),
  confidence: optional(number({ min: 0, max: 1 })),
  changes: optional(list(change, { maxItems: CHANGES_CAP, describe: 'What changed when; append-only.' })),
  times_updated: optional(integer()),
  retired_at: optional(timestamp()),
  retired_reason: reason,
  archived_at: optional(timestamp()),
  archived_reason: reason,
};

/** The whole schema of one category's records, in the order in which the fields are written. */
export function recordSchema(category: Category): Schema {
  const { schema_version, ...others } = baseFields;
  return object({ schema_version, category: literal(category.name), ...others, content: category.content });
}

/** A record's status; a file from before there was one counts as active. */
export function statusOf(record: { record_status?: unknown }): RecordStatus {
  const status = record.record_status;
  return status === 'retired' || status === 'archived' ? status : 'active';
}
