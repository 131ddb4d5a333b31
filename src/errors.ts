// The one error type that Cairn throws on purpose. The closed set of codes is what faces translate
// (exit codes, protocol answers); `fix` is the sentence that tells a person or a model what to do next.

export type ErrorCode =
  // records: the codes of the write protocol
  | 'VALIDATION_ERROR'
  | 'MERGE_ERROR'
  | 'OCC_CONFLICT'
  | 'PATH_ERROR'
  | 'ANTI_RESURRECTION_ERROR'
  | 'CREATE_ERROR'
  | 'UPDATE_ERROR'
  | 'DELETE_ERROR'
  | 'ARCHIVE_ERROR'
  | 'UNARCHIVE_ERROR'
  | 'RESTORE_ERROR'
  | 'READ_ERROR'
  | 'INPUT_ERROR'
  | 'SECURITY_ERROR'
  | 'LIMIT_ERROR'
  | 'CATEGORY_ERROR'
  // everything else
  | 'LOCK_ERROR'
  | 'INDEX_ERROR'
  | 'CONFIG_ERROR'
  | 'STORE_ERROR'
  | 'NOT_FOUND'
  | 'USAGE_ERROR'
  | 'IO_ERROR';

/** One named fact about a failure, printed as `name: value` under the code. */
export type ErrorDetail = readonly [name: string, value: string];

export type CairnErrorOptions = { cause?: unknown; fix?: string; details?: readonly ErrorDetail[] };

export class CairnError extends Error {
  readonly code: ErrorCode;
  readonly fix: string | undefined;
  readonly details: readonly ErrorDetail[];

  /** By what it has: a part that is loaded late is a bundle of its own, with a class of its own. Classes made of this one are asked as usual. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: which class is asked is the very question
    if (this !== CairnError) return Reflect.apply(Function.prototype[Symbol.hasInstance], this, [value]);
    return value instanceof Error && 'fix' in value && 'details' in value;
  }

  constructor(code: ErrorCode, message: string, options: CairnErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CairnError';
    this.code = code;
    this.fix = options.fix;
    this.details = options.details ?? [];
  }
}

/** The message of whatever was thrown, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** True for a Node system error with one of these codes (`ENOENT`, `EEXIST`, …). */
export function isSystemError(error: unknown, ...codes: string[]): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && (codes.length === 0 || codes.includes(code));
}
