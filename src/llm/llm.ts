// The seam to language models: one question, one answer, what it cost. Models are optional, so every failure has a kind that
// tells the caller whether to give up on this question or on the model for now; the deterministic path takes over either way.

import type { Settings } from '../config/settings/settings.ts';
import { CairnError, type CairnErrorOptions, type ErrorCode } from '../errors.ts';

export type LlmRequest = {
  readonly system: string;
  readonly prompt: string;
  /** Of the answer. */
  readonly maxTokens: number;
  readonly signal?: AbortSignal;
};

export type LlmUse = { readonly tokensIn: number; readonly tokensOut: number };
export type LlmReply = LlmUse & { readonly text: string };

export type Llm = {
  /** `anthropic:claude-haiku-5-5`: the provider and its model. */
  readonly name: string;
  complete(request: LlmRequest): Promise<LlmReply>;
  /** What a call may cost besides its own words; the ceiling is checked against the worst. */
  readonly costs?: {
    /** Tokens that the provider adds to each request. */
    readonly overheadTokens: number;
    /** How many requests one call can become. */
    readonly mostRequests: number;
  };
};

/** What each provider is made from. */
export type ProviderOptions = {
  readonly settings: Settings['llm'];
  readonly env: NodeJS.ProcessEnv;
  /** The user's own client, where it is not `claude` on the path. */
  readonly claudeBinary?: string;
};

export type LlmFailure =
  /** Today's calls or tokens are used up. */
  | 'ceiling'
  /** It failed a moment ago and is left alone for a while. */
  | 'resting'
  /** The key, the model, the address or the program is wrong: a person has to do something. */
  | 'setup'
  /** Too many requests. */
  | 'busy'
  /** Nobody there, or it failed inside. */
  | 'unavailable'
  | 'timeout'
  /** The caller gave up. */
  | 'stopped'
  /** The request was not accepted: too long, for instance. */
  | 'rejected'
  /** The model declined to answer. */
  | 'refused'
  /** The answer was longer than allowed. */
  | 'cut'
  /** What came back is no answer. */
  | 'garbage';

export type LlmErrorOptions = CairnErrorOptions & {
  /** From `Retry-After`. */
  readonly retryAfterMs?: number;
  /** What the failed call cost, where that is known. */
  readonly use?: LlmUse;
};

const CODES: { readonly [failure in LlmFailure]: ErrorCode } = {
  ceiling: 'LIMIT_ERROR',
  resting: 'LIMIT_ERROR',
  setup: 'CONFIG_ERROR',
  busy: 'IO_ERROR',
  unavailable: 'IO_ERROR',
  timeout: 'IO_ERROR',
  stopped: 'IO_ERROR',
  rejected: 'IO_ERROR',
  refused: 'IO_ERROR',
  cut: 'IO_ERROR',
  garbage: 'IO_ERROR',
};

export class LlmError extends CairnError {
  readonly failure: LlmFailure;
  readonly retryAfterMs: number | undefined;
  readonly use: LlmUse | undefined;

  constructor(failure: LlmFailure, message: string, options: LlmErrorOptions = {}) {
    super(CODES[failure], message, options);
    this.name = 'LlmError';
    this.failure = failure;
    this.retryAfterMs = options.retryAfterMs;
    this.use = options.use;
  }
}

/**
 * More than a text can be in practice: prose has about four bytes to a token, code and other scripts two or three. A ceiling
 * that is checked before a call must not be passed by it.
 */
export const mostTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 2);

/** A count as a provider reports it; 0 where it says nothing usable. */
export const tokenCount = (value: unknown): number =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0;
