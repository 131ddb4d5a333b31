// "Before the release", "since v2.0": a time that only the project knows. It is looked up among the tags of the repository, and
// among the commits and memories that say they are a release. What nobody knows stays in the query as words.

import { COMMITTED } from '../model/logged-work.ts';
import type { Document, Store } from '../store/store.ts';

/** What names a moment. `time` in milliseconds. */
export type Release = { readonly name: string; readonly time: number };

/** How the phrase was understood; without a name, nothing is known of such a release. */
export type NamedRelease = { readonly phrase: string; readonly release: Release | undefined };

export type ReleaseWindow = {
  readonly since: number | undefined;
  readonly until: number | undefined;
  /** The query without the phrase, where it was understood. */
  readonly rest: string;
  readonly named: NamedRelease | undefined;
};

export type ReleaseOptions = {
  readonly store: Store;
  readonly projects?: readonly string[] | undefined;
  readonly now: number;
  /** The tags of the repository, read only when a phrase asks for them. */
  readonly tags?: (() => Promise<readonly Release[]>) | undefined;
};

const VERSION = 'v?\\d{1,5}(?:\\.\\d{1,5}){0,3}(?:-[a-z0-9][a-z0-9.]{0,30})?';
/** No phrase matches without one of these: looking for that takes no time. */
const MAYBE = /release|launch|version|\bv\d/i;
const PHRASE = new RegExp(
  `\\b(before|after|since|until|till|by|from)\\s+(?:` +
    `(?:the\\s+|our\\s+)?(?:(last|latest|newest|current|previous|first)\\s+)?(?:release|launch)(?:\\s+(?:of\\s+)?(?:version\\s+)?(${VERSION})(?![\\w.]*\\w))?|` +
    `(?:the\\s+)?version\\s+(${VERSION})(?![\\w.]*\\w)|` +
    `(?:the\\s+)?(v\\d{1,5}(?:\\.\\d{1,5}){0,3}(?:-[a-z0-9][a-z0-9.]{0,30})?)(?:\\s+(?:release|launch))?(?![\\w.]*\\w)` +
    `)(?!\\s+(?:process|notes?|script|branch|candidate|pipeline|plan)\\b)`,
  'i',
);
const SAYS_RELEASE =
  /\b(?:releas(?:e|ed|ing)|publish(?:ed)?|bump(?:ed)?|tagg?(?:ed)?|version|launch(?:ed)?|shipped)\b/i;
const IN_TEXT = new RegExp(`(?<![\\w.])${VERSION}(?![\\w.]*\\w)`, 'gi');
const LOOKED_AT = 40;

export async function readRelease(text: string, options: ReleaseOptions): Promise<ReleaseWindow> {
  const nothing = { since: undefined, until: undefined, rest: text, named: undefined };
  const match = MAYBE.test(text) ? PHRASE.exec(text) : null;
  if (!match) return nothing;
  const [phrase, how, which, ...versions] = match;
  const version = versions.find((each) => each !== undefined);
  const release = await find(version, which?.toLowerCase(), options);
  if (!release) return { ...nothing, named: { phrase, release: undefined } };
  const before = /^(?:before|until|till|by)$/i.test(how!);
  return {
    since: before ? undefined : release.time,
    until: before ? release.time : undefined,
    rest: `${text.slice(0, match.index)} ${text.slice(match.index + phrase.length)}`,
    named: { phrase, release },
  };
}

async function find(
  version: string | undefined,
  which: string | undefined,
  options: ReleaseOptions,
): Promise<Release | undefined> {
  const tags = ((await options.tags?.()) ?? []).filter(({ name }) => versionsIn(name).length > 0);
  // A tag is a release, whatever else speaks of one.
  const tagged = chosen(tags, version, which, options.now);
  return tagged ?? chosen(await told(version, options), version, which, options.now);
}

function chosen(
  releases: readonly Release[],
  version: string | undefined,
  which: string | undefined,
  now: number,
): Release | undefined {
  const past = releases
    .filter(({ name, time }) => time <= now && (version === undefined || versionsIn(name).some(isVersion(version))))
    .sort((a, b) => a.time - b.time || (a.name < b.name ? -1 : 1));
  if (version !== undefined || which === 'first') return past[0];
  return past.at(which === 'previous' ? -2 : -1);
}

const versionsIn = (text: string): string[] => text.replace(/^.*[/@]/, '').match(IN_TEXT) ?? [];

/** `2.0` is `v2.0` and `2.0.0`, and not `2.0.1`. */
function isVersion(wanted: string): (written: string) => boolean {
  const plain = (version: string): string =>
    version
      .toLowerCase()
      .replace(/^v/, '')
      .replace(/(?:\.0)+$/, '');
  return (written) => plain(written) === plain(wanted);
}

/** Commits and memories that say that something was released. */
async function told(version: string | undefined, { store, projects }: ReleaseOptions): Promise<Release[]> {
  const words = ['release', 'released', 'version', 'bump', 'publish', 'launch', ...(version ? [version] : [])];
  const hits = await store.search({
    terms: words.map((text) => ({ text })),
    filter: projects ? { projects } : {},
    limit: LOOKED_AT * 5,
  });
  if (hits.length === 0) return [];
  const documents = await store.get({
    refs: hits.map(({ ref }) => ref),
    projects: [...new Set(hits.map(({ project }) => project))],
  });
  return documents.filter(isRelease).map(({ title, text, createdAt, layer }) => ({
    name: layer === 'trace' ? text.slice(COMMITTED.length).split('\n')[0]!.slice(0, 120) : title,
    time: createdAt,
  }));
}

/** A commit that is a release, or a record or note that has one as its title. Talk about releases is not one. */
function isRelease({ layer, text, title, status }: Document): boolean {
  if (status === 'retired' || status === 'deleted') return false;
  if (layer === 'trace' && !text.startsWith(COMMITTED)) return false;
  const named = layer === 'trace' ? text.slice(COMMITTED.length).split('\n')[0]! : title;
  const [first] = named.match(IN_TEXT) ?? [];
  return first !== undefined && (SAYS_RELEASE.test(named) || named.trim() === first);
}
