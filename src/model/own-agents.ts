// The subagents that Cairn itself brings along (plugin/agents/): what they say is about memories that are being made, so nothing of
// it is remembered besides. Otherwise every draft would come back as a finding, as a topic and as something left to do.

const OWN_AGENTS: ReadonlySet<unknown> = new Set(['memory:memory-drafter', 'memory:memory-verifier']);

/** `type`: as the client names it, with the name of the plugin before it. */
export const isOwnAgent = (type: unknown): boolean => OWN_AGENTS.has(type);
