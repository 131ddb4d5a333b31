// What stays when something is forgotten, and how it goes too: in the words of the command line, or of the tool that a model calls.

export type ForgetWords = {
  /** So many transcripts of the client are there. */
  readonly transcripts: (count: number) => string;
  readonly fork: (session: string) => string;
  readonly curated: string;
};

const transcripts = (count: number): string =>
  count === 1 ? "the client's own transcript" : `${count} of the client's own transcripts`;
const them = (count: number): string => (count === 1 ? 'it' : 'them');

export const OF_COMMANDS: ForgetWords = {
  transcripts: (count) => `${transcripts(count)}: --transcript removes ${them(count)} too`,
  fork: (session) =>
    `the conversation ${session} has copies of its lines (a fork): \`cairn forget ${session}\` takes it too`,
  curated: 'records and other notes, which are files of the project: forget them by their names, or with --text',
};

export const OF_TOOLS: ForgetWords = {
  transcripts: (count) =>
    `${transcripts(count)}: the user can remove ${them(count)} in a terminal, with \`cairn forget --transcript\``,
  fork: (session) =>
    `the conversation ${session} has copies of its lines (a fork): call forget with "name": "${session}" for it too`,
  curated: 'records and other notes, which are files of the project: call forget with "name" for each, or with "text"',
};
