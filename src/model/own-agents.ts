// What Cairn itself brings into a conversation: its plugin's commands, skills and subagents (plugin/). What is said there is about memories
// that are being looked for or made, so nothing of it is remembered besides. Otherwise every question to the memory would be the best
// answer to the next one like it, and every draft would come back as a finding, as a topic and as something left to do.

const OWN_PLUGIN = 'memory';
const OWN_AGENTS: ReadonlySet<unknown> = new Set(['memory:memory-drafter', 'memory:memory-verifier']);
/** As it stands in a transcript where the client ran it beside the conversation. */
const OWN_COMMAND = /^\s*\/(?:memory:[a-z-]+|remember)(?=\s|$)/;

/** `type`: as the client names it, with the name of the plugin before it. */
export const isOwnAgent = (type: unknown): boolean => OWN_AGENTS.has(type);
/** The client says of each answer which plugin's command or skill it was given for. */
export const isOwnPlugin = (plugin: unknown): boolean => plugin === OWN_PLUGIN;
export const isOwnCommand = (prompt: string): boolean => OWN_COMMAND.test(prompt);
