// A transcript that may not be read: it was forgotten, is too old, or is kept out.

import type { IndexOptions } from './index-options.ts';
import type { Refusal, TranscriptReport } from './transcript-report.ts';

/** Thrown before anything was written. */
export class Refused extends Error {
  readonly why: Refusal;
  readonly session: string;
  constructor(why: Refusal, session: string) {
    super(why);
    this.why = why;
    this.session = session;
  }
}

export async function refusedReport(
  file: string,
  { why, session }: Refused,
  { onForgotten }: IndexOptions,
): Promise<TranscriptReport> {
  if (why === 'forgotten' || why === 'aged') await onForgotten?.(file);
  const numbers = { lines: 0, prompts: 0, ideas: 0, unreadable: 0, bytes: 0 };
  return { file, session, project: '', ...numbers, restarted: false, finished: true, refused: why };
}
