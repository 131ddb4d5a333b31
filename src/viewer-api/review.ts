// The review: what waits for somebody to decide. What `cairn inbox` lists, and records that were never of use, each with its ways out.

import { inboxOf } from '../app/inbox.ts';
import { realPath } from '../files/paths.ts';
import { learnedAbout, readFeedback } from '../learning/feedback.ts';
import { briefOf, type View } from './viewer.ts';

const DAY = 86_400_000;
/** A newer one had no chance yet. */
const OLD_MS = 60 * DAY;
const MOST = 50;
const LOOKED_AT = 1_000;

export async function reviewOf(view: View) {
  const start = performance.now();
  const { drafts, pairs, stale } = await inboxOf(view.recall);
  const project = realPath(view.config.paths.memoryRoot);
  const entry = ({ ref, layer, kind, title, text, at }: (typeof pairs)[number]['a']) => ({
    ...{ ref, project: layer === 'trace' ? null : project, layer, kind, title, text: text.slice(0, 600) },
    at: Date.parse(at),
  });
  return {
    drafts: drafts.map(({ id, category, title, created_at }) => ({ id, category, title, at: Date.parse(created_at) })),
    pairs: pairs.slice(0, MOST).map(({ kind, why, a, b }) => ({ kind, why, a: entry(a), b: entry(b) })),
    stale: stale.slice(0, MOST).map((each) => ({ ...entry(each), files: [...each.files] })),
    replaced: (await withStatus(view, project, 'superseded')).map(briefOf),
    unused: await neverUsed(view, project),
    tookMs: Math.round(performance.now() - start),
  };
}

async function withStatus({ store }: View, project: string, status: string) {
  const filter = { projects: [project], layers: ['record', 'note'], statuses: [status] };
  return (await store.list({ filter, order: 'updated', limit: MOST })).documents;
}

/** Records of some age that no prompt ever got. */
async function neverUsed({ store, config, now }: View, project: string) {
  const filter = { projects: [project], layers: ['record'], statuses: ['active'], until: now().getTime() - OLD_MS };
  const { documents } = await store.list({ filter, order: 'oldest', limit: LOOKED_AT });
  const feedback = readFeedback(config.paths.userRoot);
  return documents
    .filter(({ ref }) => (learnedAbout(feedback, project, ref)?.injected ?? 0) === 0)
    .slice(0, MOST)
    .map(briefOf);
}
