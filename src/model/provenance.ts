// Who said a statement of a conversation, and whether they said it themselves: the two facts that every idea carries, how they
// stand in the row of a store, and how they are told to people and models. One place, because every face shows them.

/** `tool`: what a command, a web page or a server answered. `subagent`: an agent that the assistant sent. */
export const SPEAKERS = ['user', 'assistant', 'subagent', 'tool'] as const;
export type Speaker = (typeof SPEAKERS)[number];

/**
 * `said`: in the speaker's own words. `quoted`: between quotation marks, in a block quote or in code. `pasted`: put into a prompt from
 * elsewhere: a log, a file, output. `outside`: came in by a tool: a web page, an answer of an MCP server, the output of a command.
 */
export const PROVENANCES = ['said', 'quoted', 'pasted', 'outside'] as const;
export type Provenance = (typeof PROVENANCES)[number];

export type Origin = { readonly speaker: Speaker; readonly provenance: Provenance };

/** Of a row whose `meta` says so; rows of records, notes and topics have none. */
export function originOf(meta: { readonly [key: string]: unknown } | undefined): Origin | undefined {
  const role = meta?.role;
  if (!meta || (role !== 'user' && role !== 'assistant')) return undefined;
  const { speaker, provenance, agent } = meta;
  // Rows of a conversation that exists nowhere else may be older than these fields: they were all taken for said.
  return {
    speaker: isOneOf(SPEAKERS, speaker) ? speaker : agent === undefined ? role : 'subagent',
    provenance: isOneOf(PROVENANCES, provenance) ? provenance : 'said',
  };
}

/**
 * May it be told to somebody who did not ask? Only what a speaker said in their own words: whatever stands in a page, a log or a
 * quotation was written by anybody, and may be written to be obeyed.
 */
export const isSaid = (origin: Pick<Origin, 'provenance'> | undefined): boolean =>
  origin === undefined || origin.provenance === 'said';

const NAMES: { readonly [speaker in Speaker]: string } = {
  user: 'user',
  assistant: 'assistant',
  subagent: 'subagent',
  tool: 'a tool',
};

/** `user said`, `alice said` where it is another's of the team, `quoted by assistant`, `pasted by user`, `from outside`: behind the day in every line that shows a statement. */
export function originText({ speaker, provenance }: Origin, author?: string): string {
  const name =
    author === undefined ? NAMES[speaker] : speaker === 'user' ? author : `the ${NAMES[speaker]} of ${author}`;
  switch (provenance) {
    case 'said':
      return `${name} said`;
    case 'outside':
      return 'from outside';
    default:
      return `${provenance} by ${name}`;
  }
}

const isOneOf = <T extends string>(all: readonly T[], value: unknown): value is T =>
  (all as readonly unknown[]).includes(value);
