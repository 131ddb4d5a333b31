// What one line of a transcript says, whichever agent wrote it. This is all that anybody outside a format's folder knows of the
// format: indexing (the readers), triage (the tail), session notes (the facts) and learning (the answer) are folds over these values.
// A line is parsed by itself, without those before it; what hangs on earlier lines is for the folds to carry.

import { withoutInjected } from '../safety/injected-elements.ts';
import type { Fields } from './fields.ts';

type TextBlock = { readonly kind: 'text'; readonly text: string };
type ThinkingBlock = { readonly kind: 'thinking'; readonly text: string };

/** Of a tool, by the model. */
export type ToolCall = {
  readonly kind: 'call';
  readonly id: string | undefined;
  /** Empty if the tool has none. */
  readonly name: string;
  readonly input: Fields | undefined;
  /** The files that it reads or writes, as the model named them. */
  readonly files: readonly string[];
  readonly writes: boolean;
  /** The script that it gives to a shell. */
  readonly shell?: string;
};

export type ToolResult = {
  readonly kind: 'result';
  /** The id of its call. */
  readonly call: string | undefined;
  /** A text, or a list of blocks: see `textOf`. */
  readonly content: unknown;
  readonly failed: boolean;
};

/** A picture, a document, or what nobody here knows. */
type OtherBlock = { readonly kind: 'other' };

export type Block = TextBlock | ThinkingBlock | ToolCall | ToolResult | OtherBlock;

/** What a person typed, as far as they typed it. */
export type Prompt = {
  /** Their own words, block by block, none of them blank. That they interrupted the agent is among them. */
  readonly words: readonly string[];
  /** The command that they gave to a shell themselves. */
  readonly shell?: string;
  /** It is the summary that takes the place of what was compacted; `summary` is what it says. */
  readonly isSummary?: true;
  readonly summary?: string;
  /** What a Stop hook had to say, passed on in the user's name. */
  readonly stopFeedback?: string;
};

/** Said, or passed on, in the user's name: a prompt, results of tools, or both. */
export type UserLine = {
  readonly kind: 'user';
  readonly blocks: readonly Block[];
  readonly prompt: Prompt;
  /** The structured result beside the blocks; its shape hangs on the tool. */
  readonly result: unknown;
};

export type AssistantLine = {
  readonly kind: 'assistant';
  /** The lines of one answer share it. */
  readonly message: string | undefined;
  readonly blocks: readonly Block[];
  /** `client`: its own words, such as "API Error". `memory`: Cairn was asked for something, and this is about that. */
  readonly by: 'model' | 'client' | 'memory';
};

/** A prompt that was typed while the agent worked is put in, taken out, or put into the running turn. */
export type QueueLine = {
  readonly kind: 'queue';
  readonly operation: string;
  readonly prompt: Prompt | undefined;
  /** A task of the client's own. */
  readonly isTask: boolean;
  readonly reason: string | undefined;
};

/** The note that such a prompt went into the running turn. `isTyped`: by a person, and not by a command or another agent. */
export type QueuedLine = { readonly kind: 'queued'; readonly prompt: Prompt; readonly isTyped: boolean };

/** What a transcript says about itself, where it has a line of its own for that. `parent`: the session that started this one. */
export type SessionLine = {
  readonly kind: 'session';
  readonly id: string | undefined;
  readonly parent: string | undefined;
};

/** Where what was said before is summed up. */
export type CompactionLine = { readonly kind: 'compaction'; readonly summary?: string };

/** The conversation gets a name. `leaf`: the line that it is about, where it may be one of another conversation. */
export type TitleLine = {
  readonly kind: 'title';
  readonly text: string;
  readonly by: 'user' | 'client';
  readonly leaf?: string;
};

/** The client noticed where a pull request is. */
type PullLinkLine = { readonly kind: 'pull-link'; readonly url: string };

/** The user stopped the agent, where that has a line of its own. */
type InterruptedLine = { readonly kind: 'interrupted' };

/** The call of a tool as a line of its own, in the oldest transcripts. */
type CallLine = { readonly kind: 'call'; readonly name: string };

/** Nothing that is read. `isNote`: a note of the client to itself, and not a message of some kind. */
type OtherLine = { readonly kind: 'other'; readonly isNote: boolean };

/** What a line says about the conversation that it stands in. */
export type LineContext = {
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
  readonly session: string | null;
  readonly cwd: string | null;
  readonly branch: string | null;
  /** The name of the line itself. */
  readonly uuid: string | null;
  /** Of a subagent, in the transcript of the agent that sent it. */
  readonly isSidechain: boolean;
  /** Put there by the client: bodies of skills, reminders, what hooks say. */
  readonly isMeta: boolean;
};

export type LineMeaning =
  | UserLine
  | AssistantLine
  | QueueLine
  | QueuedLine
  | SessionLine
  | CompactionLine
  | TitleLine
  | PullLinkLine
  | InterruptedLine
  | CallLine
  | OtherLine;

export type ParsedLine = LineContext & LineMeaning;

/** How the lines of one agent's transcripts are parsed. */
export type LineFormat = {
  parse(fields: Fields): ParsedLine;
  /** Found in every line with a message, a tool's call or its result, and in few others. */
  readonly message: RegExp;
  /** Whether a long line may say something, from its first characters. */
  isWorthParsing(head: string): boolean;
};

export const textsIn = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));

export const promptText = ({ words }: Prompt): string => words.map((text) => text.trim()).join('\n\n');

/** What the model said, without what was put into it. */
export function answerText(blocks: readonly Block[], thinking: boolean): string {
  return blocks
    .flatMap((block) => (block.kind === 'text' || (block.kind === 'thinking' && thinking) ? [block.text] : []))
    .map((text) => withoutInjected(text).trim())
    .filter(Boolean)
    .join('\n\n');
}
