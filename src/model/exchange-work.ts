// What an exchange did to the history and to the files of its project, as its row keeps it: what ties a commit of the repository to the
// exchange that made it, or that made what somebody committed by hand.

type Meta = { readonly [key: string]: unknown } | undefined;

/** Times in seconds since 1970: git knows no others. */
export type MadeCommit = {
  /** Empty where nobody knows it. */
  readonly subject: string;
  /** As git printed it, mostly its first seven characters. */
  readonly hash?: string;
  /** When git was called, and when it had answered. */
  readonly from: number;
  readonly to: number;
};

/** A file that was written in the exchange, with the first and the last time. */
export type FileEdit = { readonly file: string; readonly first: number; readonly last: number };

export type ExchangeWork = { readonly made: readonly MadeCommit[]; readonly edits: readonly FileEdit[] };

/** The kind of entity that names a commit. */
export const COMMIT_ENTITY = 'commit';
const NAME_LENGTH = 7;
/** What a commit is known by, however much of its hash was printed. */
export const hashName = (hash: string): string => hash.slice(0, NAME_LENGTH).toLowerCase();

type Row = readonly (string | number)[];
type WorkMeta = { readonly made?: readonly Row[]; readonly edits?: readonly Row[] };

/** As small as can be: most rows have none of it. */
export function workMeta({ made, edits }: ExchangeWork): WorkMeta {
  return {
    ...(made.length === 0 ? {} : { made: made.map(({ subject, hash = '', from, to }) => [subject, hash, from, to]) }),
    ...(edits.length === 0 ? {} : { edits: edits.map(({ file, first, last }) => [file, first, last]) }),
  };
}

export function exchangeWork(meta: Meta): ExchangeWork {
  return {
    made: rowsOf(meta?.made).flatMap(([subject, hash, from, to]): MadeCommit[] =>
      typeof subject === 'string' && typeof hash === 'string' && typeof from === 'number' && typeof to === 'number'
        ? [{ subject, ...(hash === '' ? {} : { hash }), from, to }]
        : [],
    ),
    edits: rowsOf(meta?.edits).flatMap(([file, first, last]): FileEdit[] =>
      typeof file === 'string' && typeof first === 'number' && typeof last === 'number' ? [{ file, first, last }] : [],
    ),
  };
}

const rowsOf = (value: unknown): readonly unknown[][] =>
  Array.isArray(value) ? value.filter((each): each is unknown[] => Array.isArray(each)) : [];
