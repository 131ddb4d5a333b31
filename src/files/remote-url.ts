// What the address of a git remote says about the project: host and path, however it is spelled. `git@github.com:Owner/Name.git`
// and `https://user:secret@github.com/owner/name/` are one. Nothing that lets somebody in survives: no user, password or token.

import { lazy } from '../model/lazy.ts';

/** Other names of a host, mostly for networks that let nothing but port 443 through. */
const SAME_HOST: { readonly [host: string]: string } = {
  'ssh.github.com': 'github.com',
  'www.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
  'ssh.dev.azure.com': 'dev.azure.com',
};

const SCHEMES = new Set(['ssh', 'git', 'http', 'https', 'git+ssh', 'ssh+git', 'ftp', 'ftps']);
const MOST = 1_024;
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.%]+\])$/i;
/** Classes of all scripts take a hook long to make ready, and hardly an address needs them. */
const FOREIGN_HOST = lazy(() => /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/iu);
const NEITHER_SEEN_NOR_BLANK = lazy(() => /[\p{C}\s]/u);
const UNSEEN = lazy(() => /\p{C}/u);
const ASCII = /^[\x21-\x7e]*$/;

/**
 * `host/path` in lower case, without user, port and `.git`. `undefined` for a folder of this machine, and for what cannot be read
 * with certainty: half a password must not end up in a name.
 */
export function normaliseRemote(url: string): string | undefined {
  const text = url.trim();
  if (text === '' || text.length > MOST) return undefined;
  if (!ASCII.test(text) && NEITHER_SEEN_NOR_BLANK().test(text)) return undefined;
  const found = fromUrl(text) ?? (text.includes('://') ? undefined : fromScp(text));
  if (!found || !(HOST.test(found.host) || FOREIGN_HOST().test(found.host))) return undefined;
  const host = SAME_HOST[found.host.toLowerCase()] ?? found.host.toLowerCase();
  const place = plainPath(found.path, host).toLowerCase();
  // A sign of a user or a password in what should be a path: it was no address of the usual form.
  const isOdd = /[@:]/.test(place) || (!ASCII.test(place) && UNSEEN().test(place));
  return place === '' || isOdd ? undefined : `${host}/${place}`;
}

type Address = { readonly host: string; readonly path: string };

function fromUrl(text: string): Address | undefined {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.+)$/i.exec(text) ?? [];
  if (scheme === undefined || rest === undefined || !SCHEMES.has(scheme.toLowerCase())) return undefined;
  const slash = rest.indexOf('/');
  if (slash === -1) return undefined;
  // A password may hold an `@` itself.
  const host = hostOf(rest.slice(0, slash).replace(/^.*@/, ''));
  const written = rest.slice(slash + 1);
  const path = decoded(/^(?:https?|ftps?)$/i.test(scheme) ? written.replace(/[?#].*$/, '') : written);
  return host === undefined || path === undefined ? undefined : { host, path };
}

/** `user@host:path`, the short form of ssh. One letter before the colon is a drive. */
function fromScp(text: string): Address | undefined {
  if (/^[\w+.-]+::/.test(text)) return undefined; // the name of a helper program
  const bracketed = /^(?:[^@/[\]]+@)?\[([^\]/]+)\]:(.+)$/.exec(text);
  if (bracketed) {
    const inner = bracketed[1]!.replace(/^.*@/, '');
    const isAddress = (inner.match(/:/g)?.length ?? 0) > 1;
    return { host: isAddress ? `[${inner}]` : inner.replace(/:\d*$/, ''), path: bracketed[2]! };
  }
  const [, host, path] = /^(?:[^@/\\]+@)?([^@:/\\]+):(.+)$/.exec(text) ?? [];
  return host === undefined || path === undefined || host.length === 1 ? undefined : { host, path };
}

/** Without the port. Ports tell ways to a server apart, hardly ever two servers. */
function hostOf(authority: string): string | undefined {
  const host = authority.replace(/:\d*$/, '').replace(/\.$/, '');
  return host === '' || (host.includes(':') && !host.startsWith('[')) ? undefined : host;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function plainPath(path: string, host: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  // Azure's two ways to the same repository.
  if (host === 'dev.azure.com' && parts[0] === 'v3' && parts.length === 4)
    return [parts[1], parts[2], '_git', parts[3]].join('/');
  return parts
    .join('/')
    .replace(/\.git$/i, '')
    .replace(/\/+$/, '');
}
