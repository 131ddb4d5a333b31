// The part of the contract for acting on more than one memory: review, forgetting, switches, new ones. protocol.ts gives it to those
// who import it.

import type { Brief } from './protocol-shared.ts';

export type ReviewEntry = {
  readonly ref: string;
  /** Null for what was said in a conversation. */
  readonly project: string | null;
  readonly layer: string;
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  readonly at: number;
};

export type ReviewAnswer = {
  /** Prepared by triage, saved by nobody. */
  readonly drafts: readonly {
    readonly id: string;
    readonly category: string;
    readonly title: string;
    readonly at: number;
  }[];
  /** Doubled or contradicting; the newer one first. */
  readonly pairs: readonly {
    readonly kind: string;
    readonly why: string;
    readonly a: ReviewEntry;
    readonly b: ReviewEntry;
  }[];
  /** Their files changed or are gone. */
  readonly stale: readonly (ReviewEntry & {
    readonly files: readonly { readonly path: string; readonly is: 'gone' | 'changed' }[];
  })[];
  readonly replaced: readonly Brief[];
  /** Old enough, and no prompt ever got them. */
  readonly unused: readonly Brief[];
  readonly tookMs: number;
};

/** What forgetting would remove; `token` is what the action must name. */
export type ForgetPlanAnswer = {
  readonly goes: readonly {
    readonly name: string;
    readonly title: string;
    readonly from: number | null;
    readonly to: number | null;
  }[];
  readonly counts: readonly { readonly place: string; readonly count: number }[];
  readonly stays: readonly string[];
  readonly forks: readonly string[];
  readonly token: string;
};

export type SettingsAnswer = {
  readonly switches: readonly {
    readonly key: string;
    /** What it stops, in words. */
    readonly stops: string;
    /** null: as it is by default. */
    readonly on: string | null;
    readonly off: string;
    readonly value: string;
    readonly isOn: boolean;
  }[];
  readonly fields: readonly {
    readonly key: string;
    readonly stops: string;
    readonly kind: 'number' | 'list';
    readonly hint: string;
    /** Of a list each item on a line. */
    readonly value: string;
  }[];
  readonly changed: readonly {
    readonly key: string;
    readonly value: string;
    readonly preset: string | null;
    readonly description: string;
    readonly canReset: boolean;
  }[];
  readonly files: { readonly user: string; readonly project: string };
};

/** Refs of this project's memories. */
export type ExportListQuery = { readonly refs: readonly string[] };

export type MoreAction =
  | {
      readonly action: 'create';
      readonly category: string;
      readonly text: string;
      readonly title?: string;
      readonly tags?: readonly string[];
    }
  | {
      readonly action: 'note';
      readonly type: string;
      readonly title: string;
      readonly text?: string;
      readonly tags?: readonly string[];
    }
  /** What was said becomes a record. */
  | {
      readonly action: 'promote';
      readonly ref: string;
      readonly project?: string;
      readonly category: string;
      readonly text?: string;
    }
  | { readonly action: 'link'; readonly ref: string; readonly project?: string; readonly to: string }
  /** Only with the token of the plan that was shown. */
  | { readonly action: 'forget'; readonly ref: string; readonly token: string }
  | {
      readonly action: 'review';
      readonly how: 'keep' | 'merge' | 'supersede';
      readonly ref: string;
      readonly other?: string;
    }
  | { readonly action: 'draft'; readonly how: 'save' | 'drop'; readonly id: string }
  /** null takes the setting back. */
  | { readonly action: 'setting'; readonly key: string; readonly value: string | null }
  /** In whatever program opens such files. */
  | { readonly action: 'open'; readonly ref: string; readonly project?: string };
