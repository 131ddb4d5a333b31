// What a hook is: a payload in, an answer out. The handlers know no process and no stream, so that a command hook and
// the running server can share them.

import type { ChildProcess } from 'node:child_process';
import type { Config } from '../../config/load.ts';
import type { JsonObject } from '../../model/json.ts';
import type { PromptRecall } from './recall-for-prompt.ts';

export type HookContext = {
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => Date;
  /** The configuration of the project that the payload is about. */
  readonly config: Config;
  /** Remembers that something went wrong that the user must not be stopped by; it reaches the log, not the protocol. */
  problem(cause: unknown): void;
  /** Starts work that is too long for a hook, as an event of its own; see faces/launcher/start-worker.ts. */
  start(event: string, payload: JsonObject): Promise<void>;
  /** Starts a process that makes vectors for this one; see app/embed-helpers.ts. */
  startHelper?(): ChildProcess;
  /** There was work to do, though maybe nothing to say: what was compiled for it is worth keeping. */
  worked?(): void;
  /** Who has a store open already, with its model, answers prompts with it: the running server. */
  openRecall?(): Promise<PromptRecall | undefined>;
};

export type HookAnswer = {
  /** 0 goes on; 2 blocks, with `stderr` as the reason (Stop only). */
  readonly exit: 0 | 2;
  readonly stdout?: string;
  readonly stderr?: string;
};

export type HookHandler = (payload: JsonObject, context: HookContext) => HookAnswer | Promise<HookAnswer>;

/** Nothing to say: the conversation goes on as if Cairn were not there. */
export const SILENT: HookAnswer = { exit: 0 };
