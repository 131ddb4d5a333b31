// What went wrong in SQLite, as a CairnError that says what to do. Translated once, where the store is entered.

import { CairnError, messageOf } from '../../errors.ts';

type Reason = { readonly numbers: readonly number[]; readonly names: readonly string[]; readonly say: Words };
type Words = (file: string) => { readonly what: string; readonly fix: string };

const REASONS: readonly Reason[] = [
  {
    numbers: [11, 26],
    names: ['CORRUPT', 'NOTADB'],
    say: (file) => ({
      what: `The database ${file} is damaged`,
      fix: 'Run `cairn reindex`: it replaces the database and fills it again from your files and transcripts.',
    }),
  },
  {
    numbers: [5, 6],
    names: ['BUSY', 'LOCKED'],
    say: (file) => ({
      what: `The database ${file} is in use by another process`,
      fix: 'Try again when the other Cairn process is done; `cairn doctor` names it.',
    }),
  },
  {
    numbers: [13],
    names: ['FULL'],
    say: (file) => ({ what: `The disk of ${file} is full`, fix: 'Free some space and try again; nothing was lost.' }),
  },
  {
    numbers: [10],
    names: ['IOERR'],
    say: (file) => ({
      what: `The disk of ${file} failed, or is full`,
      fix: 'Check the disk and its free space, then try again; `cairn reindex` makes a database anew that was damaged.',
    }),
  },
  {
    numbers: [8, 14],
    names: ['READONLY', 'CANTOPEN'],
    say: (file) => ({
      what: `The database ${file} cannot be opened for writing`,
      fix: 'Check the owner and the permissions of the file and of its folder.',
    }),
  },
];

/** Its folder is made before SQLite is asked; what the system says to that means the same. */
const BY_SYSTEM: ReadonlyMap<string, string> = new Map([
  ...['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EEXIST'].map((code) => [code, 'CANTOPEN'] as const),
  ['ENOSPC', 'FULL'],
  ['EIO', 'IOERR'],
]);

/** The file itself is damaged: nothing but a new one helps. Not that it is held, foreign, closed to us, or without a driver. */
export function isDamage(error: unknown): boolean {
  if (error instanceof CairnError) return error.code === 'STORE_ERROR' && isDamage(error.cause);
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  return (
    /^SQLITE_(?:CORRUPT|NOTADB)/.test(String(code)) ||
    (typeof errcode === 'number' && [11, 26].includes(errcode & 0xff))
  );
}

/** A row that SQLite hands over without a word, and that holds what nobody has written. */
export const damagedRow = (column: string): Error =>
  Object.assign(new Error(`the ${column} of a row are not what was written`), { code: 'SQLITE_CORRUPT_ROW' });

/** SQLite's number comes as `errcode`; a row that we found damaged ourselves has a name (`code`), and what the system says has its own. */
export function storeFailure(error: unknown, file: string): CairnError {
  if (error instanceof CairnError) return error;
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  const number = typeof errcode === 'number' ? errcode & 0xff : -1;
  const name = /^SQLITE_([A-Z]+)/.exec(String(code))?.[1] ?? BY_SYSTEM.get(String(code)) ?? '';
  const reason = REASONS.find(({ numbers, names }) => numbers.includes(number) || names.includes(name));
  const { what, fix } = reason?.say(file) ?? {
    what: `The database ${file} refused an operation`,
    fix: 'Run `cairn doctor`; if that finds nothing, `cairn reindex` makes the database anew.',
  };
  return new CairnError('STORE_ERROR', `${what}: ${messageOf(error)}`, { cause: error, fix });
}
