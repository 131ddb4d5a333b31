// What keeps Cairn from working at all, in words for the user: a folder that cannot be written, and then not even the log can; a
// server that did not run though hooks go to it. Looked for when a session starts, because no other hook could tell.

import fs from 'node:fs';
import path from 'node:path';
import { conversationWithoutServer } from '../hook-activity.ts';

/** `undefined` if there is none. */
export function unwritable(userRoot: string): string | undefined {
  let folder = userRoot;
  while (!fs.existsSync(folder) && folder !== path.dirname(folder)) folder = path.dirname(folder); // it would be made
  try {
    if (!fs.statSync(folder).isDirectory()) return refusal(userRoot, `${folder} is no folder`);
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
    return undefined;
  } catch (error) {
    return refusal(userRoot, (error as NodeJS.ErrnoException).code ?? 'unknown');
  }
}

const refusal = (userRoot: string, why: string): string =>
  `Cairn cannot write to ${userRoot} (${why}): conversations are not remembered until it can. \`cairn doctor\` says more.`;

/** Only where the hooks of the plugin that was loaded go to the server. */
export function serverMissed(userRoot: string, { CLAUDE_PLUGIN_ROOT: plugin }: NodeJS.ProcessEnv): string | undefined {
  if (!plugin || !goesToServer(path.join(plugin, 'hooks', 'hooks.json'))) return undefined;
  const since = conversationWithoutServer(userRoot);
  return since && missedText(since);
}

export const missedText = (since: Date): string =>
  `The memory server did not run in the conversation that began at ${since.toISOString()}, so prompts got no memories and writes were not checked. \`/mcp\` in the client shows why; \`cairn install --hooks command\` does without it.`;

function goesToServer(hooks: string): boolean {
  try {
    return fs.readFileSync(hooks, 'utf8').includes('"mcp_tool"');
  } catch {
    return false; // a plugin that is no longer there
  }
}
