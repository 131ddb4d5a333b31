// What memories that are known by ref and project say, for lists of refs: what was injected, what was learned.

import type { Config } from '../config/load.ts';
import { readable } from '../model/readable.ts';
import { openStore, storeExists } from './open-store.ts';
import { sameScopesIn } from './project-scopes.ts';

export type ToldMemory = {
  readonly kind: string;
  readonly status: string;
  /** Of a statement its words, of everything else its title. */
  readonly text: string;
  /** ISO 8601. */
  readonly created_at: string;
};
type Named = { readonly ref: string; readonly project: string };

/** By ref and project; what is gone since is missing. */
export async function toldMemories(
  config: Pick<Config, 'paths' | 'settings'>,
  named: readonly Named[],
): Promise<(memory: Named) => ToldMemory | undefined> {
  if (named.length === 0 || !storeExists(config)) return () => undefined;
  const same = sameScopesIn(config);
  const projects = [...new Set(named.flatMap(({ project }) => [project, ...same(project)]))];
  const store = await openStore(config);
  try {
    const documents = await store.get({ refs: [...new Set(named.map(({ ref }) => ref))], projects });
    return ({ ref, project }) => {
      const scopes = [project, ...same(project)];
      const found = documents.find((each) => each.ref === ref && scopes.includes(each.project));
      if (!found) return undefined;
      const { kind, status, layer, text, title, createdAt } = found;
      const isSaid = layer === 'trace' && kind !== 'span';
      return { kind, status, text: readable(isSaid ? text : title), created_at: new Date(createdAt).toISOString() };
    };
  } finally {
    await store.close();
  }
}
