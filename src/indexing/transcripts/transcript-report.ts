// What came of reading one transcript, or why it was not read.

export type TranscriptReport = {
  file: string;
  session: string;
  project: string;
  /** What this run did. */
  lines: number;
  prompts: number;
  ideas: number;
  unreadable: number;
  bytes: number;
  /** The file was not the one that was read before; it was read anew. */
  restarted: boolean;
  /** The file is only the beginning of what is known of it: what was read stays. */
  shorter?: true;
  /** The end was reached; not so if the run was stopped. */
  finished: boolean;
  /** Nothing was read, and why. */
  refused?: Refusal;
};

/**
 * Why a conversation stays out: it was forgotten on request, or for its age (`aged`), is excluded by the settings, or is older than they
 * allow now.
 */
export type Refusal = 'forgotten' | 'aged' | 'excluded' | 'old';
