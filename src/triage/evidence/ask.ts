// What the model is told about drafts, and the user sees on the screen: one line, no data.

import { snippetForPrompt } from '../../safety/sanitise.ts';
import { cut } from './wording.ts';

type Named = { readonly id: string; readonly category: string; readonly title: string };

/** With what the client puts before it, one draft fits on one line of a wide terminal. */
const TITLE_LENGTH = 48;

export function askFor(drafts: readonly Named[]): string {
  const each = drafts.map(
    ({ id, category, title }) =>
      `${id}, ${category.replaceAll('_', ' ')}: “${cut(snippetForPrompt(title), TITLE_LENGTH)}”`,
  );
  return `Memory draft${drafts.length === 1 ? '' : 's'} ${each.join('; ')} · save_draft if true and lasting, else end`;
}
