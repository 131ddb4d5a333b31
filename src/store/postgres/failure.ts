// What went wrong at the server or on the way to it, as a CairnError that says what to do. Translated once, where the store is entered.
// No message names a password: the server is called by host, port and database.

import { CairnError, messageOf } from '../../errors.ts';

type Reason = { readonly codes: RegExp; readonly say: (where: string) => { what: string; fix: string } };

const REASONS: readonly Reason[] = [
  {
    codes: /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT|57P03)$/,
    say: (where) => ({
      what: `The database server ${where} cannot be reached`,
      fix: 'Check that it runs and that `store.url` names it (`cairn store status`). Nothing is lost: what is said meanwhile is indexed when it is back.',
    }),
  },
  {
    codes: /^(?:ETIMEDOUT|TIMEOUT|57014)$/,
    say: (where) => ({
      what: `The database server ${where} took too long`,
      fix: 'Try again when it has less to do; `cairn store status` measures it.',
    }),
  },
  {
    codes: /^28/,
    say: (where) => ({
      what: `The database server ${where} refuses this user`,
      fix: 'Give the password by PGPASSWORD, a service file or ~/.pgpass (docs/TEAM.md), and check the user in `store.url`.',
    }),
  },
  {
    codes: /^3D000$/,
    say: (where) => ({
      what: `There is no such database: ${where}`,
      fix: 'Create it (createdb), or correct `store.url`.',
    }),
  },
  {
    codes: /^(?:53300|53400)$/,
    say: (where) => ({
      what: `The database server ${where} has no connection left`,
      fix: 'Raise max_connections, or put a pooler (session mode) before it; Cairn uses at most two for each process.',
    }),
  },
  {
    codes: /^(?:25006|25P02)$/,
    say: (where) => ({
      what: `The database server ${where} takes no writes (read-only)`,
      fix: 'It is a replica or set to read-only: name the primary in `store.url`. Reading goes on.',
    }),
  },
  {
    codes: /^53100$/,
    say: (where) => ({
      what: `The disk of the database server ${where} is full`,
      fix: 'Free some space there and try again; nothing was lost.',
    }),
  },
  {
    codes: /^42501$/,
    say: (where) => ({
      what: `This user may not do that at ${where}`,
      fix: 'Whoever made the tables runs `cairn store migrate --member <role>` for your role.',
    }),
  },
  {
    codes: /^(?:42P01|42703|3F000|XX001|XX002)$/,
    say: (where) => ({
      what: `The tables of Cairn at ${where} are damaged`,
      fix: 'Run `cairn reindex`: it makes the tables anew and fills them again from your files and transcripts.',
    }),
  },
  {
    codes: /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|CERT_.*|ERR_TLS_.*)$/,
    say: (where) => ({
      what: `The certificate of the database server ${where} is not trusted`,
      fix: 'Name the authority that signed it: add ?sslrootcert=/path/to/ca.pem to `store.url`.',
    }),
  },
];

const LOST = /^(?:ECONNRESET|EPIPE|ECONNABORTED|57P01|57P02|08\w{3})$/;
const LOST_WORDS = /Connection terminated|Client has encountered a connection error|not queryable/;

/** The connection is gone, not the server's will to answer. */
export function isLost(error: unknown): boolean {
  return LOST.test(codeOf(error)) || LOST_WORDS.test(messageOf(error));
}

/** It took longer than somebody was ready to wait. */
export const isTimeout = (error: unknown): boolean => codeOf(error) === 'TIMEOUT';

/** The server is away or slow: what waits in a queue may be tried again later. */
export function isAway(error: unknown): boolean {
  if (error instanceof CairnError) return error.cause !== undefined && isAway(error.cause);
  return isLost(error) || REASONS.slice(0, 2).some(({ codes }) => codes.test(codeOf(error)));
}

/** Nothing but new tables helps. */
export function isDamage(error: unknown): boolean {
  if (error instanceof CairnError) return error.cause !== undefined && isDamage(error.cause);
  return /^(?:42P01|42703|XX001|XX002)$/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  if (Array.isArray(errors)) return codeOf(errors[0]); // one for each address of a name
  return /timeout/i.test(messageOf(error)) ? 'TIMEOUT' : '';
}

export function storeFailure(error: unknown, where: string): CairnError {
  if (error instanceof CairnError) return error;
  const reason = REASONS.find(({ codes }) => codes.test(codeOf(error)));
  const { what, fix } = reason?.say(where) ?? {
    what: isLost(error)
      ? `The connection to the database server ${where} was lost`
      : `The database server ${where} refused an operation`,
    fix: 'Run `cairn store status`; if it finds nothing, try again.',
  };
  return new CairnError('STORE_ERROR', `${what}: ${messageOf(error)}`, { cause: error, fix });
}
