// Takes out of a turn what nobody said: elements that the client, an editor or Cairn itself put there. Remembering
// `<memory-context>` would make memories of memories.

import { opensWithMachineWords, outsideInjected, type Segment } from '../../safety/injected-elements.ts';

/** What the client adds behind a plan, to the end of the prompt. */
const ADDED = '\n\nIf you need specific details from before exiting plan mode';

/** Turns that are none: written by the client in the user's name. */
export function isMachineTurn(text: string): boolean {
  return opensWithMachineWords(text);
}

/** The parts between injected elements. */
export function saidSegments(text: string): Segment[] {
  const added = text.indexOf(ADDED);
  return outsideInjected(text, added === -1 ? text.length : added);
}
