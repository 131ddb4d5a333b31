// What a statement was said in: the exchange around it, compared with the query. An answer often has no word of the question, because the
// question stands in the prompt that it answers. The shorter a query, the more it leaves to what was talked about; a long one
// says itself what it wants.

import type { Document, Store } from '../store/store.ts';
import { type Comparing, keyOf } from './candidates.ts';
import type { Ranked } from './fuse.ts';
import type { Weights } from './weights.ts';

/** Points for the best candidates, and how near their context is. What stands in no exchange (a record, a note, a topic) is its own context. */
export async function addExchanges(
  ranked: readonly Ranked[],
  { store, model, vector, words }: Comparing & { readonly words: number },
  { exchange, short }: Weights,
): Promise<void> {
  const most = exchange.points * shortnessOf(words, short);
  if (model === undefined || !vector) return;
  const best = [...ranked].sort((a, b) => b.score - a.score || (keyOf(a.document) < keyOf(b.document) ? -1 : 1));
  const looked = best.slice(0, exchange.look);
  const around = await exchangesOf(store, looked);
  const hashes = [...new Set([...around.values()].map(({ hash }) => hash))];
  const cosines = hashes.length === 0 ? new Map() : await store.cosines({ model, vector, hashes });
  for (const each of looked) {
    const span = around.get(exchangeKey(each.document));
    each.context = (span && cosines.get(span.hash)) ?? each.cosine;
    const points = most * (each.context ?? 0);
    if (points <= 0) continue;
    each.score += points;
    each.details.push({ name: span ? 'its exchange' : 'its own context', points });
  }
}

/** 1 for a query of few words, 0 for one of many. */
export function shortnessOf(words: number, { fewWords, manyWords }: Weights['short']): number {
  return Math.min(1, Math.max(0, (manyWords - words) / (manyWords - fewWords)));
}

async function exchangesOf(store: Store, ranked: readonly Ranked[]): Promise<Map<string, Document>> {
  const statements = ranked.map(({ document }) => document).filter(({ kind, span }) => kind !== 'span' && span);
  const refs = [...new Set(statements.flatMap(({ span }) => span ?? []))];
  if (refs.length === 0) return new Map();
  const projects = [...new Set(statements.map(({ project }) => project))];
  const found = await store.get({ refs, projects });
  return new Map(found.map((document) => [keyOf(document), document]));
}

const exchangeKey = ({ project, kind, span }: Document): string =>
  kind === 'span' ? '' : keyOf({ project, ref: span ?? '' });
