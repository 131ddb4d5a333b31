// The memory that somebody names, the same way for every command and tool: by its REF, by its name without the layer where only one memory has
// it, or by an unmistakable beginning. What is in this project goes before what is in another.

import type { Config } from '../config/load.ts';
import { CairnError } from '../errors.ts';
import type { Document, Store } from '../store/store.ts';
import { currentScopes } from './project-scopes.ts';
import { eachDocument } from './topic-tree.ts';

const LAYERS: { readonly [prefix: string]: string } = {
  idea: 'trace',
  span: 'trace',
  record: 'record',
  note: 'note',
  commit: 'commit',
};
const REF = /^(idea|span|record|note|commit):(.*)$/s;
/** A shorter beginning is no name. */
const SHORTEST = 3;
const TOLD = 5;

/** Throws NOT_FOUND where there is none, and where there are several. Records and notes are named as the store knows them. */
export async function namedDocument(store: Store, config: Pick<Config, 'paths'>, written: string): Promise<Document> {
  const scopes = currentScopes(config);
  const name = written.trim();
  const found =
    (await exactly(store, name, scopes)) ??
    (await beginning(store, name, scopes)) ??
    (await beginning(store, name, undefined)) ??
    [];
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  throw found.length === 0 ? none(written) : several(written, found, scopes);
}

/** By a whole REF, or by a name that is whole but for its layer. */
async function exactly(
  store: Store,
  name: string,
  scopes: readonly string[],
): Promise<readonly Document[] | undefined> {
  const refs = REF.test(name) ? [name] : Object.keys(LAYERS).map((prefix) => `${prefix}:${name}`);
  const exact = await store.get({ refs });
  if (exact.length === 0) return undefined;
  const own = exact.filter(({ project }) => scopes.includes(project));
  return own.length > 0 ? own : exact;
}

/**
 * Whole names before beginnings: `use-redis` is that record, though `use-redis-cluster` begins so too. A whole REF of a record or a note never
 * stands for a beginning: after a record was renamed, another one is not meant.
 */
async function beginning(
  store: Store,
  name: string,
  projects: readonly string[] | undefined,
): Promise<readonly Document[] | undefined> {
  const [, prefix, rest = name] = REF.exec(name) ?? [];
  if ([...rest].length < SHORTEST || prefix === 'record' || prefix === 'note') return undefined;
  const begins = (document: Document): boolean =>
    prefix === undefined
      ? withoutLayer(document).startsWith(name) || slugOf(document).startsWith(name)
      : document.ref.startsWith(name);
  const layers = prefix === undefined ? {} : { layers: [LAYERS[prefix] ?? prefix] };
  const found: Document[] = [];
  for await (const document of eachDocument(store, { ...(projects ? { projects } : {}), ...layers }))
    if (begins(document)) found.push(document);
  const whole = found.filter((document) => slugOf(document) === name);
  return whole.length > 0 ? whole : found.length > 0 ? found : undefined;
}

const withoutLayer = ({ ref }: Document): string => ref.slice(ref.indexOf(':') + 1);
/** Of a record without its folder. */
const slugOf = (document: Document): string => withoutLayer(document).replace(/^[^/]*\//, '');

const none = (written: string): CairnError =>
  new CairnError('NOT_FOUND', `There is no memory ${JSON.stringify(written)}.`, {
    fix: '`cairn remember` finds memories with their refs, `cairn topics` lists topics, `cairn list` records.',
  });

function several(written: string, found: readonly Document[], scopes: readonly string[]): CairnError {
  const isElsewhere = found.every(({ project, ref }) => !scopes.includes(project) && ref === found[0]?.ref);
  const named = found.slice(0, TOLD).map(({ ref }) => ref);
  return new CairnError(
    'NOT_FOUND',
    `${JSON.stringify(written)} ${isElsewhere ? 'is in several other projects' : `may be any of ${found.length}`}.`,
    {
      fix: isElsewhere
        ? 'Run the command in the project that is meant.'
        : `Say which: ${named.join(', ')}${found.length > TOLD ? ', …' : ''}.`,
    },
  );
}
