// The composition root of `cairn redact`: looks through everything that is stored for secrets that are known today and were not when
// they were stored, or that a person wrote into a file by hand. Without `apply` it only tells. It looks more than once: first to learn the
// values, because one that is recognised in one place may stand bare in another, and afterwards to see that nothing is left.

import fs from 'node:fs';
import type { Config } from '../config/load.ts';
import { maskKey, maskKeyFile } from '../files/mask-key.ts';
import { STATE_PREFIX, stateIn } from '../indexing/transcripts/transcript-state.ts';
import { keyedDigest } from '../safety/keyed-digest.ts';
import { type KnownValue, KnownValues } from '../safety/secrets/known-values.ts';
import { Look, type Looked, type RedactFind } from './find-stored-secrets.ts';
import { storeExists } from './open-store.ts';
import { TraceMemory } from './trace-memory.ts';

export type { RedactFind } from './find-stored-secrets.ts';
export type RedactReport = Looked & {
  /** What a last look still found after masking. */
  readonly left: readonly RedactFind[];
};

export async function redactStored(
  config: Config,
  { apply, now }: { apply: boolean; now: () => Date },
): Promise<RedactReport> {
  const known = new KnownValues([], undefined, await givenAway(config));
  const first = await Look.everywhere(config, { apply: false, known, now });
  if (first.finds.length === 0) return { ...first, left: [] };
  const report = await Look.everywhere(config, { apply, known, now });
  if (!apply) return { ...report, left: [] };
  const last = await Look.everywhere(config, { apply: false, known, now });
  const problems = [...new Set([...report.problems, ...last.problems])];
  return { ...report, problems, left: last.finds };
}

/** The values that conversations gave away, by their hashes: one may stand bare in a line that was kept before it was recognised. */
async function givenAway(config: Config): Promise<KnownValues | undefined> {
  if (!storeExists(config) || !fs.existsSync(maskKeyFile(config.paths.userRoot))) return undefined;
  const values = new Map<string, KnownValue>();
  const memory = await TraceMemory.open(config);
  try {
    for (const { value } of await memory.store.state({ prefix: STATE_PREFIX }))
      for (const each of stateIn(value).mask?.known ?? []) values.set(each[2], each);
  } finally {
    await memory.close();
  }
  return values.size === 0
    ? undefined
    : new KnownValues([...values.values()], keyedDigest(maskKey(config.paths.userRoot)));
}
