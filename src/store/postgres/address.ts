// `store.url` → where the server is and how to get there. The password comes from the environment (PGPASSWORD), a service file or
// ~/.pgpass, never from the URL, which is shown in settings and messages. Beyond this machine the server must prove who it is.

import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { CairnError, messageOf } from '../../errors.ts';
import type { PostgresPlace } from './postgres-store.ts';

export type Surroundings = {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly machine: string;
};

const KNOWN = ['schema', 'sslmode', 'sslrootcert', 'service'];
const SCHEMA = /^[a-z_][a-z0-9_]{0,40}$/;
const DEFAULT_SCHEMA = 'cairn';
const DEFAULT_PORT = 5432;

export function placeOf(text: string, { env, home, machine }: Surroundings): PostgresPlace {
  const url = parsed(text);
  for (const name of url.searchParams.keys())
    if (!KNOWN.includes(name))
      throw refused(`it has an option that Cairn does not know: ${name}`, `Known are ${KNOWN.join(', ')}.`);
  const named = url.searchParams.get('service');
  const service = named === null ? {} : readService(named, env, home);
  const host = decodeURIComponent(url.hostname) || service.host || env.PGHOST || 'localhost';
  const port = Number(url.port || service.port || env.PGPORT || DEFAULT_PORT);
  const database = decodeURIComponent(url.pathname.slice(1)) || service.dbname || env.PGDATABASE || 'cairn';
  const user = decodeURIComponent(url.username) || service.user || env.PGUSER;
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA;
  if (!SCHEMA.test(schema)) throw refused(`${schema} is no name of a schema`, 'Use small letters, digits and "_".');
  const mode = url.searchParams.get('sslmode') ?? service.sslmode;
  const root = url.searchParams.get('sslrootcert') ?? service.sslrootcert ?? env.PGSSLROOTCERT;
  return {
    connection: {
      host,
      port,
      database,
      ...(user ? { user } : {}),
      // Asked for when the server wants one; the driver's own look into ~/.pgpass prints a warning at every hook.
      password: () => passwordFor({ host, port, database, user }, service, { env, home }),
      ssl: tlsOf(host, mode ?? undefined, root ?? undefined),
    },
    where: `${host}:${port}/${database}`,
    schema,
    machine,
  };
}

type Account = {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user?: string | undefined;
};

function passwordFor(
  { host, port, database, user }: Account,
  service: Service,
  { env, home }: Pick<Surroundings, 'env' | 'home'>,
): string {
  const account = [host, String(port), database, user || os.userInfo().username];
  const found = service.password || env.PGPASSWORD || passwordIn(env.PGPASSFILE || path.join(home, '.pgpass'), account);
  if (found) return found;
  throw Object.assign(new Error('it asks for a password, and there is none'), { code: '28P01' });
}

/** As libpq reads it: the first line that fits, `*` fits everything, a backslash before a colon; a file that others can read is not believed. */
function passwordIn(file: string, account: readonly string[]): string | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)) return undefined;
  for (const line of fs.readFileSync(file, 'utf8').split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = [...line.matchAll(/(?:^|:)((?:\\.|[^:\\])*)/g)].map(([, each = '']) => each.replace(/\\(.)/g, '$1'));
    if (fields.length >= 5 && account.every((each, at) => fields[at] === '*' || fields[at] === each)) return fields[4];
  }
  return undefined;
}

function parsed(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refused('it is no URL', 'It looks like postgres://alice@db.example.com/cairn');
  }
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')
    throw refused(`it begins with ${url.protocol}`, 'It looks like postgres://alice@db.example.com/cairn');
  if (url.password !== '')
    throw refused(
      'it holds a password, and settings are shown and copied',
      'Take it out, and put it into ~/.pgpass (host:port:database:user:password, mode 0600), a service file or PGPASSWORD.',
    );
  return url;
}

/** Nobody listens in on the way to this machine itself. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.startsWith('/') ||
  host === '::1' ||
  host === '[::1]' ||
  (net.isIPv4(host) && host.startsWith('127.'));

function tlsOf(host: string, mode: string | undefined, root: string | undefined): unknown {
  const isOff = mode === 'disable' || mode === 'allow' || mode === 'prefer';
  if (isLoopback(host) && (mode === undefined || isOff)) return false;
  if (isOff)
    throw refused(
      `sslmode=${mode} would send memories to ${host} where others can read them`,
      'Leave sslmode out: the connection is encrypted and the server checked. For a test, use a tunnel to localhost.',
    );
  return { rejectUnauthorized: true, ...(root === undefined ? {} : { ca: readRoot(root) }) };
}

function readRoot(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw refused(
      `the certificate ${file} cannot be read (${messageOf(error)})`,
      'Name the file of the authority that signed the server.',
    );
  }
}

type Service = {
  readonly [key in 'host' | 'port' | 'dbname' | 'user' | 'password' | 'sslmode' | 'sslrootcert']?: string;
};

/** The section of that name in the service file, as libpq reads it. */
function readService(name: string, env: NodeJS.ProcessEnv, home: string): Service {
  const file = env.PGSERVICEFILE || path.join(home, '.pg_service.conf');
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw refused(`the service file ${file} cannot be read (${messageOf(error)})`, 'Make it, or set PGSERVICEFILE.');
  }
  const found: { [key: string]: string } = {};
  let section = '';
  let isThere = false;
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[([^\]]+)\]\s*$/.exec(line);
    if (header) {
      section = header[1] ?? '';
      isThere ||= section === name;
    }
    const entry = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/.exec(line);
    if (entry && section === name) found[entry[1] ?? ''] = entry[2] ?? '';
  }
  if (!isThere) throw refused(`the service file ${file} has no service ${name}`, `Add a section [${name}] to it.`);
  return found;
}

function refused(why: string, fix: string): CairnError {
  return new CairnError('CONFIG_ERROR', `store.url cannot be used: ${why}.`, { fix });
}
