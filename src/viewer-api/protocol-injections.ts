// The part of the contract about what was put into prompts. protocol.ts gives it to those who import it.

export type InjectionsQuery = {
  readonly ref?: string;
  readonly session?: string;
  /** Only of this day (local, 2026-01-31). */
  readonly day?: string;
  /** Also prompts of the same conversations that got nothing. */
  readonly silent?: boolean;
  /** 1 … 200, default 30. */
  readonly limit?: number;
  readonly cursor?: string;
};
export type InjectionsAnswer = {
  readonly injections: readonly Injection[];
  /** Where they were asked for. */
  readonly silent: readonly SilentPrompt[];
  readonly next: string | null;
  /** Of all that was asked for, not of this page; null where there were too many to count. */
  readonly total: { readonly injections: number; readonly tokens: number } | null;
};

export type Injection = {
  readonly at: number;
  readonly event: string;
  readonly session: string | null;
  /** The directory that the prompt was about. */
  readonly project: string;
  /** The beginning of the prompt; that is all that is kept. */
  readonly prompt: string;
  readonly tokens: number;
  readonly entries: readonly {
    readonly ref: string;
    readonly project: string;
    /** Null where it is gone. */
    readonly title: string | null;
    readonly layer: string | null;
    readonly kind: string | null;
    readonly score: number;
    readonly relevance: number;
    readonly ranks: readonly { readonly strategy: string; readonly rank: number }[];
    readonly tokens: number;
    /** As the model saw it; null of an older Cairn, which kept none. */
    readonly line: string | null;
    readonly verdict: 'useful' | 'wrong' | 'stale' | null;
  }[];
};

/** A prompt to which nothing was told, by its exchange. */
export type SilentPrompt = {
  readonly ref: string;
  readonly project: string;
  readonly session: string | null;
  readonly at: number;
  readonly prompt: string;
};

export type RehearsalQuery = { readonly prompt: string };

/** What would be told to a prompt now. */
export type RehearsalAnswer = {
  /** Why nothing was looked for, where nothing was. */
  readonly silent: string | null;
  /** As the model would see it; empty: nothing. */
  readonly text: string;
  readonly tokens: number;
  readonly told: readonly (Rehearsed & { readonly likelihood: number; readonly tokens: number })[];
  /** What just missed, the likeliest first. */
  readonly missed: readonly (Rehearsed & { readonly why: string; readonly likelihood: number | null })[];
  readonly tookMs: number;
};

type Rehearsed = {
  readonly ref: string;
  readonly project: string;
  readonly layer: string;
  readonly kind: string;
  readonly title: string;
};
