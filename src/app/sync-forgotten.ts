// What was forgotten on one machine of a person goes from the others too. Only hashes travel, with the key they were made with; each
// machine finds by them what it has itself. Lists of other machines are kept as they say: what is let in again there is let in here.

import type { Config } from '../config/load.ts';
import { changeForgotten, commitsName, Forgotten, readForgotten, type Tombstone } from '../files/forgotten.ts';
import { STATE_PREFIX, sessionOf, stateIn, threadOf } from '../indexing/transcripts/transcript-state.ts';
import { twinAt, withTwin } from '../indexing/transcripts/twin-transcript.ts';
import { choice, fits, integer, list, number, omittable, openObject, text } from '../model/schema.ts';
import type { ConversationRecord } from '../sync/manifest.ts';
import type { ForgottenThere } from '../sync/place-contents.ts';
import { markdown } from '../transcripts/markdown/reader.ts';
import { conversationsOf, type ForgetOrder, finishForgetting, namesOnly } from './forget.ts';
import { forksOf } from './forget-forks.ts';
import { TraceMemory } from './trace-memory.ts';

export type ForgottenElsewhere = { readonly machine: string; readonly list: ForgottenThere | undefined };

const HASH = text({ pattern: { source: '^[0-9a-f]{32}$', says: 'a hash' } });
const TRAVELS = openObject({
  id: text({ pattern: { source: '^[0-9a-f]{8}$', says: 'an id' } }),
  at: text({ maxLength: 40 }),
  what: choice(['conversations', 'lines', 'text']),
  why: choice(['request']),
  keys: list(HASH, { maxItems: 100_000 }),
  lines: list(
    openObject({
      thread: HASH,
      ranges: list(list(integer({ min: 0 }), { minItems: 2, maxItems: 2 }), { maxItems: 100_000 }),
      names: list(HASH, { maxItems: 1_000_000 }),
    }),
    { maxItems: 1_000 },
  ),
  texts: list(
    openObject({
      length: integer({ min: 1, max: 10_000 }),
      roll: number(),
      hash: HASH,
      as: choice(['remove', 'mask']),
    }),
    { maxItems: 10_000 },
  ),
  forks: omittable(list(HASH, { maxItems: 100_000 })),
});

/** What this machine has forgotten for all of them: neither what became too old on it alone, nor what came from others. */
export function forgottenHere({ paths }: Config): ForgottenThere | undefined {
  const { key, tombstones } = readForgotten(paths.userRoot);
  const own = tombstones.filter((each) => !each.from && each.why !== 'age' && each.what !== 'file');
  if (own.length === 0) return undefined;
  return {
    key,
    tombstones: own.map(({ id, at, what, why, keys, lines, texts, forks }) => ({
      ...{ id, at, what, why, keys, lines, texts },
      ...(forks ? { forks } : {}),
    })),
  };
}

function tombstonesIn({ machine, list: there }: ForgottenElsewhere): Tombstone[] {
  if (!there) return [];
  return there.tombstones.flatMap((each) =>
    fits(TRAVELS, each) ? [{ ...each, counts: {}, from: { machine, key: there.key } } as unknown as Tombstone] : [],
  );
}

/** Whether a conversation was forgotten by anybody's word, so that it has no place at the place. What is only too old here has. */
export function forgottenAnywhere(
  { paths }: Config,
  elsewhere: readonly ForgottenElsewhere[],
): {
  readonly any: boolean;
  readonly holds: (record: Pick<ConversationRecord, 'source' | 'session' | 'reader'>) => boolean;
} {
  const here = readForgotten(paths.userRoot);
  const tombstones = [...here.tombstones.filter(({ why }) => why !== 'age'), ...elsewhere.flatMap(tombstonesIn)];
  const all = new Forgotten({ key: here.key, tombstones });
  return { any: tombstones.length > 0, holds: (record) => isHeld(all, record) };
}

export const isHeld = (
  forgotten: Forgotten,
  { source, session, reader }: Pick<ConversationRecord, 'source' | 'session' | 'reader'>,
): boolean => forgotten.holdsFile(source) || (reader !== markdown.name && forgotten.holdsSession(session));

/** Returns how much of it was new here. */
export async function forgetElsewhere(
  config: Config,
  elsewhere: readonly ForgottenElsewhere[],
  now: () => Date,
): Promise<number> {
  const { userRoot } = config.paths;
  const read = new Set(elsewhere.map(({ machine }) => machine));
  const said = elsewhere.flatMap(tombstonesIn);
  const known = readForgotten(userRoot).tombstones;
  const ids = new Set(known.map(({ id }) => id));
  const added = said.filter(({ id }) => !ids.has(id));
  const isStill = new Set(said.map(({ id }) => id));
  const letIn = known.filter(
    ({ id, from, unfinished }) => from && !unfinished && read.has(from.machine) && !isStill.has(id),
  );
  if (added.length > 0) {
    const ordered = await withOrders(config, added, now);
    await changeForgotten(userRoot, ({ tombstones }) => {
      const there = new Set(tombstones.map(({ id }) => id));
      return [...tombstones, ...ordered.filter(({ id }) => !there.has(id))];
    });
  }
  if (letIn.length > 0) {
    const gone = new Set(letIn.map(({ id }) => id));
    await changeForgotten(userRoot, ({ tombstones }) => tombstones.filter(({ id }) => !gone.has(id)), {
      drop: { ids: [...gone] },
    });
  }
  await finishForgetting(config, now);
  return added.length;
}

async function withOrders(config: Config, added: readonly Tombstone[], now: () => Date): Promise<Tombstone[]> {
  const memory = await TraceMemory.open(config, now);
  try {
    const ordered: Tombstone[] = [];
    for (const tombstone of added) {
      const order = await orderFor(memory, tombstone);
      const own = new Forgotten({ key: tombstone.from?.key ?? '', tombstones: [] });
      const stays = order?.kind === 'conversations' ? (order.forks ?? []).map(own.sessionKey) : [];
      ordered.push({
        ...tombstone,
        ...(stays.length > 0 ? { forks: [...new Set([...(tombstone.forks ?? []), ...stays])] } : {}),
        ...(order ? { unfinished: { ...order } } : {}),
      });
    }
    return ordered;
  } finally {
    await memory.close();
  }
}

/** What has to go from here because it was forgotten on another machine; nothing where nothing of it is here. */
async function orderFor(memory: TraceMemory, tombstone: Tombstone): Promise<ForgetOrder | undefined> {
  const there = new Forgotten({ key: tombstone.from?.key ?? '', tombstones: [tombstone] });
  if (tombstone.what === 'text') return { kind: 'text', as: tombstone.texts[0]?.as ?? 'remove' };
  if (tombstone.what === 'lines') return linesFor(memory, tombstone, there);
  const all = await conversationsOf(memory, false);
  const chosen = all.filter((each) =>
    each.isExport ? each.files.some((file) => there.holdsFile(file)) : there.holdsSession(each.session),
  );
  const isProject = there.holdsSession(commitsName(memory.project.id));
  if (chosen.length === 0 && !isProject) return undefined;
  return {
    kind: 'conversations',
    conversations: chosen.map(namesOnly),
    transcript: false,
    forks: forksOf(memory, chosen, all).map(({ session }) => session),
    ...(isProject ? { commits: memory.project.id } : {}),
  };
}

async function linesFor(memory: TraceMemory, { lines }: Tombstone, there: Forgotten): Promise<ForgetOrder | undefined> {
  const [gone] = lines;
  if (!gone) return undefined;
  for (const { key, value } of await memory.store.state({ prefix: STATE_PREFIX })) {
    const file = key.slice(STATE_PREFIX.length);
    const state = stateIn(value);
    const thread = threadOf(state, file);
    const names = [thread, withTwin(thread, twinAt(state.twin, gone.ranges[0]?.[0] ?? 0))];
    const own = names.find((name) => there.threadKey(name) === gone.thread);
    if (own === undefined) continue;
    return { kind: 'lines', session: sessionOf(state, file), thread: own, file, ranges: gone.ranges, names: [] };
  }
  return undefined;
}
