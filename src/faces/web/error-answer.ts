// Errors as the page gets them: a status, and what happened with what to do. The problems of an edit come field by field.

import { CairnError, type ErrorCode, type ErrorDetail, messageOf } from '../../errors.ts';
import type { ErrorAnswer, FieldProblem } from '../../viewer-api/protocol.ts';
import type { Refusal } from './guard.ts';

const STATUS: { readonly [code in ErrorCode]?: number } = {
  USAGE_ERROR: 400,
  INPUT_ERROR: 400,
  PATH_ERROR: 400,
  VALIDATION_ERROR: 422,
  MERGE_ERROR: 422,
  UPDATE_ERROR: 409,
  DELETE_ERROR: 409,
  ARCHIVE_ERROR: 409,
  UNARCHIVE_ERROR: 409,
  RESTORE_ERROR: 409,
  OCC_CONFLICT: 409,
  SECURITY_ERROR: 403,
  NOT_FOUND: 404,
  LIMIT_ERROR: 413,
  LOCK_ERROR: 503,
};

export function errorAnswer(error: unknown): { status: number; body: ErrorAnswer } {
  if (!(error instanceof CairnError))
    return { status: 500, body: { error: { code: 'IO_ERROR', message: messageOf(error) } } };
  const { code, message, fix } = error;
  const fields = fieldsOf(error);
  return {
    status: STATUS[code] ?? 500,
    body: { error: { code, message, ...(fix ? { fix } : {}), ...(fields.length > 0 ? { fields } : {}) } },
  };
}

export const refusalAnswer = ({ code, message, fix }: Refusal): ErrorAnswer => ({
  error: { code, message, ...(fix ? { fix } : {}) },
});

/** Each `field` begins a problem; what follows belongs to it. */
function fieldsOf({ details, message }: CairnError): FieldProblem[] {
  const groups: ErrorDetail[][] = [];
  for (const detail of details) {
    if (detail[0] === 'field') groups.push([detail]);
    else groups.at(-1)?.push(detail);
  }
  return groups.map((group) => {
    const value = (...names: string[]): string => group.find(([name]) => names.includes(name))?.[1] ?? '';
    return {
      field: value('field'),
      expected: value('expected', 'rule'),
      got: value('got', 'removed', 'new'),
      fix: value('fix') || message,
    };
  });
}
