// The composition root of `cairn redact`: looks through everything that is stored for secrets that are known today and were not when
// they were stored, or that a person wrote into a file by hand. Without `apply` it only tells. It looks more than once: first to learn the
// values, because one that is recognised in one place may stand bare in another, and afterwards to see that nothing is left.

import type { Config } from './config.ts';
import { Look, type Looked, type RedactFind } from './memory-redact-look.ts';
import { KnownValues } from './safety/known-values.ts';

export type { RedactFind } from './memory-redact-look.ts';
export type RedactReport = Looked & {
  /** What a last look still found after masking. */
  readonly left: readonly RedactFind[];
};

export async function redactStored(
  config: Config,
  { apply, now }: { apply: boolean; now: () => Date },
): Promise<RedactReport> {
  const known = new KnownValues();
  const first = await Look.everywhere(config, { apply: false, known, now });
  if (first.finds.length === 0) return { ...first, left: [] };
  const report = await Look.everywhere(config, { apply, known, now });
  if (!apply) return { ...report, left: [] };
  const last = await Look.everywhere(config, { apply: false, known, now });
  const problems = [...new Set([...report.problems, ...last.problems])];
  return { ...report, problems, left: last.finds };
}
