// Is this a record of its category? Used by every write, by the PostToolUse hook and by `--validate`.

import { CairnError, type ErrorDetail } from '../errors.ts';
import type { Category } from '../model/categories.ts';
import type { JsonObject } from '../model/json.ts';
import { CHANGES_CAP, recordSchema } from '../model/record.ts';
import { any, type Problem, problemsOf, type Schema } from '../model/schema.ts';

export type ValidateOptions = {
  /** An update brings its new entry on top of a full history; the oldest goes when it is written. */
  anyNumberOfChanges?: boolean;
};

export function recordProblems(category: Category, record: unknown, options: ValidateOptions = {}): Problem[] {
  const schema = recordSchema(category);
  return problemsOf(options.anyNumberOfChanges ? withoutChangesCap(schema) : schema, record);
}

export function assertValid(category: Category, record: JsonObject, options: ValidateOptions = {}): void {
  const problems = recordProblems(category, record, options);
  if (problems.length > 0) throw validationError(problems);
}

export function validationError(problems: readonly Problem[]): CairnError {
  const details = problems.flatMap(({ field, expected, got, fix }): ErrorDetail[] => [
    ['field', field],
    ['expected', expected],
    ['got', got],
    ['fix', fix],
  ]);
  const first = problems[0];
  const more = problems.length > 1 ? ` and ${problems.length - 1} more` : '';
  return new CairnError('VALIDATION_ERROR', `The record is not valid: ${first?.field}${more}.`, { details });
}

function withoutChangesCap(schema: Schema): Schema {
  const { maxItems: _, ...changes } = schema.fields?.changes ?? any();
  return { ...schema, fields: { ...schema.fields, changes } };
}

/** The record with its fields in the order of the schema and its history cut to the newest entries: as it is written. */
export function forWriting(category: Category, record: JsonObject): JsonObject {
  const changes = Array.isArray(record.changes) ? record.changes.slice(-CHANGES_CAP) : record.changes;
  const trimmed: JsonObject = { ...record, changes };
  const order = Object.keys(recordSchema(category).fields ?? {});
  const keys = [
    ...order.filter((key) => trimmed[key] !== undefined),
    ...Object.keys(trimmed).filter((key) => !order.includes(key)),
  ];
  return Object.fromEntries(keys.filter((key) => trimmed[key] !== undefined).map((key) => [key, trimmed[key]]));
}

export const renderRecord = (record: JsonObject): string => `${JSON.stringify(record, null, 2)}\n`;
