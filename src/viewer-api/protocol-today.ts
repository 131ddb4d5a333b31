// The part of the contract that the first page asks for. protocol.ts gives it to those who import it.

import type { Injection } from './protocol-injections.ts';
import type { Brief, ScopeQuery } from './protocol-shared.ts';

export type TodayQuery = ScopeQuery & {
  /** What is newer is new; a day ago if absent. */
  readonly since?: number;
};

export type TodayAnswer = {
  readonly since: number;
  /** Conversations that went on since then; where there are none, the last one. */
  readonly talks: {
    readonly total: number;
    readonly shown: readonly TodayTalk[];
    readonly last: TodayTalk | null;
  };
  /** Records and notes, and what was decided in conversations. */
  readonly written: readonly Brief[];
  readonly decided: readonly Brief[];
  /** As `cairn todo` lists it, the newest first. */
  readonly open: readonly OpenMatter[];
  readonly totalOpen: number;
  readonly injected: {
    readonly total: { readonly injections: number; readonly tokens: number } | null;
    readonly last: readonly Injection[];
  };
  /** From nothing to a memory that works. */
  readonly steps: { readonly installed: boolean; readonly indexed: boolean; readonly seen: boolean };
  readonly tookMs: number;
};

export type TodayTalk = {
  readonly session: string;
  readonly project: string;
  readonly title: string;
  readonly startAt: number;
  readonly outcome: string | null;
  readonly commits: number;
  readonly exchanges: number;
};

export type OpenMatter = {
  readonly ref: string;
  readonly project: string;
  readonly layer: string;
  readonly kind: string;
  readonly text: string;
  readonly at: number;
  readonly by: string | null;
  readonly session: string | null;
  readonly sessionTitle: string | null;
  readonly topic: { readonly ref: string; readonly name: string } | null;
};
