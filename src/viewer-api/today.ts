// The first page: what is new since the last visit, what is truly open, what was injected today, and how far setting up has come. Each
// part is bounded and comes from the same code as the command line.

import { isOfSubagent } from '../app/open-items.ts';
import { isDecided, worthOf } from '../app/session-story.ts';
import { isInstalled, lastHookAt } from '../app/set-up.ts';
import { todoOf } from '../app/todo.ts';
import { isSaid, originOf } from '../model/provenance.ts';
import { localDay } from '../model/timestamp.ts';
import type { Document } from '../store/store.ts';
import { injectionsOf } from './injections.ts';
import { talksSince } from './journal.ts';
import { scopesIn } from './snapshot.ts';
import { briefOf, statsOf, type View } from './viewer.ts';

const SHOWN = { open: 30, talks: 6, written: 8, decided: 6, injections: 3 };
const LOOKED_AT = 200;
/** What is worth less is found by whoever asks. */
const WORTH = 0.5;
const DAY = 86_400_000;

export type TodayWanted = { readonly project?: string; readonly since?: number };

export async function todayOf(view: View, { project, since }: TodayWanted) {
  const start = performance.now();
  const now = view.now();
  const scopes = await scopesIn(view, project);
  const from = since ?? now.getTime() - DAY;
  const open = await todoOf(view.recall, { scopes, limit: SHOWN.open });
  const today = await injectionsOf(view, { day: localDay(now), limit: SHOWN.injections });
  return {
    since: from,
    talks: await talksSince(view, { scopes, since: from, most: SHOWN.talks }),
    written: (await newSince(view, scopes, { since: from, layers: ['record', 'note'] }))
      .slice(0, SHOWN.written)
      .map(briefOf),
    decided: (await newSince(view, scopes, { since: from, layers: ['trace'], kinds: ['decision'] }))
      .filter(isWorthTelling)
      .slice(0, SHOWN.decided)
      .map(briefOf),
    open: open.items.map(({ ref, project: of, layer, kind, text, at, by, session, session_title, topic }) => ({
      ...{ ref, project: of, layer, kind, text, by, session, topic },
      at: Date.parse(at),
      sessionTitle: session_title,
    })),
    totalOpen: open.total,
    injected: { total: today.total, last: today.injections },
    steps: await stepsOf(view),
    tookMs: Math.round(performance.now() - start),
  };
}

type Wanted = { readonly since: number; readonly layers: readonly string[]; readonly kinds?: readonly string[] };

async function newSince({ store }: View, scopes: readonly string[], wanted: Wanted): Promise<readonly Document[]> {
  if (scopes.length === 0) return [];
  const filter = { projects: scopes, ...wanted };
  return (await store.list({ filter, order: 'newest', limit: LOOKED_AT })).documents;
}

const isWorthTelling = (idea: Document): boolean =>
  isDecided(idea) && worthOf(idea) >= WORTH && !isOfSubagent(idea) && isSaid(originOf(idea.meta));

/** The three steps from nothing to a memory that works, as they are now. */
async function stepsOf(view: View) {
  const { userRoot } = view.config.paths;
  const { documents } = await statsOf(view);
  return {
    installed: isInstalled(userRoot),
    indexed: documents.some(({ layer }) => layer === 'trace'),
    seen: lastHookAt(userRoot) !== undefined,
  };
}
