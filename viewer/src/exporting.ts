// The exports that the server writes: asked for, saved, and said.

import type { Contract } from '../../src/viewer-api/protocol.ts';
import { ask } from './client.ts';
import { saveFile } from './parts/save-file.ts';
import { say } from './toasts.tsx';
import { plural } from './wording.ts';

type Exports = 'exportSearch' | 'exportNeighbourhood' | 'exportList';

export async function exportMarkdown<R extends Exports>(route: R, query: Contract[R]['query']): Promise<void> {
  try {
    const { fileName, markdown, memories } = await ask(route, query);
    saveFile(fileName, markdown, 'text/markdown');
    say(`Saved ${plural(memories, 'memory', 'memories')} as ${fileName}.`);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), { bad: true });
  }
}
