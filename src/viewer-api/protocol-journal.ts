// The part of the contract that tells what was done: conversations by day. protocol.ts gives it to those who import it.

import type { ScopeQuery } from './protocol-shared.ts';

export type JournalQuery = ScopeQuery & {
  /** Only this day (local, 2026-01-31). */
  readonly day?: string;
  /** Only the day of this conversation. */
  readonly session?: string;
  /** At most so many conversations, the newest; 1 … 200, default 25. A day is told whole. */
  readonly limit?: number;
  readonly cursor?: string;
};

export type JournalAnswer = {
  /** The newest first. */
  readonly days: readonly JournalDay[];
  readonly next: string | null;
  /** Conversations in the scope. */
  readonly total: number;
  /** Every day that has a conversation, the newest first. */
  readonly calendar: readonly { readonly day: string; readonly conversations: number }[];
  /** Where one day was asked for: the days before and after it that have something. */
  readonly nearest: { readonly before: string | null; readonly after: string | null } | null;
  readonly tookMs: number;
};

export type JournalDay = {
  readonly day: string;
  readonly conversations: readonly JournalTalk[];
  /** Records that were saved on that day. */
  readonly saved: readonly JournalItem[];
  /** Commits that somebody made by hand. */
  readonly committed: readonly JournalItem[];
};

export type JournalItem = {
  readonly ref: string;
  readonly project: string;
  readonly title: string;
  readonly kind: string;
};

export type JournalTalk = {
  readonly session: string;
  readonly project: string;
  readonly title: string;
  readonly startAt: number;
  readonly endAt: number;
  /** What came out last; the beginning. */
  readonly outcome: string | null;
  readonly commits: readonly string[];
  readonly decided: readonly string[];
  readonly left: readonly string[];
  /** How many were worked on. */
  readonly files: number;
  readonly exchanges: number;
  readonly topics: readonly JournalTopic[];
};

export type JournalTopic = {
  readonly ref: string;
  readonly name: string;
  readonly startAt: number;
  readonly exchanges: readonly JournalExchange[];
};

export type JournalExchange = {
  readonly ref: string;
  readonly startAt: number;
  readonly asked: string;
  readonly outcome: string | null;
  /** The user broke it off. */
  readonly stopped: boolean;
  readonly commits: number;
  readonly decided: number;
};
