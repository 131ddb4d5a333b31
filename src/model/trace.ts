// What a conversation is made of, whichever agent recorded it: turns and events, each with its source line. A reader makes
// these; spans, ideas, entities and relations are made from them and never look at a transcript again.

import type { Provenance, Speaker } from './provenance.ts';

/** Where a line stands that this one was copied from: it has the rows. */
export type OriginalLine = { readonly thread: string; readonly line: number };

/** What somebody said, in one piece: a prompt, or one block of an answer. */
export type Turn = {
  readonly kind: 'turn';
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** The 1-based line of the transcript that holds it. */
  readonly line: number;
  /** Milliseconds since 1970; `undefined` where the transcript does not say. */
  readonly time: number | undefined;
  /** Blocks of one answer share it. */
  readonly message: string | undefined;
  /** Where it is not the one whose role it has: a subagent, which is an assistant too. */
  readonly speaker?: Speaker;
  readonly original?: OriginalLine;
  /** Said beside the prompts: typed while the agent was working, or with a refusal. Its line is no prompt's. */
  readonly aside?: true;
};

/** What happened besides: it marks borders between topics and says more than words about what was done. */
export type TraceEvent = {
  readonly kind: 'event';
  readonly line: number;
  readonly time: number | undefined;
  /** Where it is the work of a subagent. */
  readonly speaker?: Speaker;
  readonly original?: OriginalLine;
} & (
  | {
      /** The agent called a tool: what it said before was not its last word. Once, however many tools follow. */
      readonly event: 'work';
    }
  /** `body`: what stands below the subject of the message. */
  | { readonly event: 'commit'; readonly subject: string; readonly body?: string }
  /** What git answered to it. */
  | { readonly event: 'committed'; readonly subject: string; readonly hash: string }
  | { readonly event: 'pull-request'; readonly title: string; readonly body?: string; readonly url?: string }
  /** Changes were taken back: a commit, or what was not committed yet. `what` names the commit or the files. */
  | { readonly event: 'revert'; readonly what: string }
  /** `summary`: what the client's model wrote about everything before. */
  | { readonly event: 'compaction'; readonly summary?: string }
  /** The conversation got a name: from its user, or from the client's model. */
  | { readonly event: 'title'; readonly text: string; readonly by: 'user' | 'client' }
  /** A question of the agent with the user's answer. */
  | { readonly event: 'answer'; readonly question: string; readonly answer: string }
  | { readonly event: 'plan'; readonly text: string }
  /** What became of the plan before it; `words`: what the user said with a refusal. */
  | { readonly event: 'plan-verdict'; readonly accepted: boolean; readonly words?: string }
  | { readonly event: 'todo'; readonly text: string; readonly state: string }
  /** The user stopped the agent. */
  | { readonly event: 'interrupted' }
  /** A command works that had failed before in this conversation; `tried` is what the failure named. */
  | { readonly event: 'success'; readonly tried: string }
  /** A command or an edit that did not work: what was tried, and what came back. */
  | { readonly event: 'failure'; readonly tried: string; readonly text: string }
  /** The beginning of a web page that the agent read: to be found again, and nobody's word here. */
  | { readonly event: 'page'; readonly source: string; readonly text: string }
  /** Files that a tool touched, relative to the project where they lie in it. */
  | { readonly event: 'files'; readonly files: readonly string[]; readonly wrote: boolean }
);

export type TraceItem = Turn | TraceEvent;

/** What a transcript says about itself. */
export type TraceHead = {
  readonly session: string;
  /** The working directory that it was recorded in. */
  readonly cwd: string | undefined;
  readonly branch: string | undefined;
  /** The subagent whose transcript this is; its session is that of the conversation that started it. */
  readonly agent?: string | undefined;
};

/** One line of a transcript file, without its line ending. */
export type TraceLine = { readonly number: number; readonly text: string };

export type ReaderOptions = {
  /** Keep the thinking of the agent as well. Settled when a file is started. */
  readonly thinking?: boolean;
};

/**
 * `unsaid`: nobody said anything there, and nothing follows from it: a tool printed it, or the client noted it for itself. Most bytes of a
 * transcript are such lines. `parsed`: the line as JSON, where the reader has parsed it; nobody needs to do it again. `open`: what may be kept of the line, where
 * a private passage that reaches over several lines hides a part of it.
 */
export type Reading<State> = {
  readonly state: State;
  readonly items: readonly TraceItem[];
  readonly head?: TraceHead;
  readonly unreadable?: true;
  readonly unsaid?: true;
  readonly parsed?: object;
  readonly open?: string;
};

/**
 * Reads one format. It is a fold: `state` is plain JSON, goes in with the lines that came since, and comes out again, so that
 * reading line by line and reading at once give the same items.
 */
export type TranscriptReader<State = unknown> = {
  readonly name: string;
  /** Is this file one of mine? Judged by its name and its first lines. */
  recognises(file: string, firstLines: readonly string[]): boolean;
  start(file: string, options?: ReaderOptions): State;
  /** What a line means hangs on all lines before it: whoever wants some from the middle has to read from the first. */
  readonly needsAll?: true;
  read(state: State, line: TraceLine): Reading<State>;
};

export const INTENTS = ['decision', 'conclusion', 'question', 'problem', 'solution', 'todo', 'context'] as const;
export type Intent = (typeof INTENTS)[number];

/** How sure the speaker was: a guess, something that did not help, a fact that was confirmed. */
export type Stance = 'hypothesis' | 'dead_end' | 'confirmed' | 'stated';

/** One statement worth finding again. */
export type Idea = {
  readonly text: string;
  readonly intent: Intent;
  readonly stance: Stance;
  /** How likely the label is right, 0 … 1. */
  readonly confidence: number;
  /** How much a colleague would want to be shown it weeks later, 0 … 1. */
  readonly worth: number;
  /** Kept to be found, and never labelled or told unasked: narration, output, what somebody else wrote. */
  readonly searchOnly?: true;
  /** Asked, wanted or wrong: settled by what followed in its exchange, or left open at its end. */
  readonly fate?: 'settled' | 'left';
  readonly role: Turn['role'];
  readonly speaker: Speaker;
  readonly provenance: Provenance;
  readonly line: number;
  /** Its place among the ideas of its line, from 0. */
  readonly part: number;
  readonly time: number | undefined;
};
