// What the model is told about drafts, and the user sees on the screen: one line, no data.

import { snippetForPrompt } from '../../safety/sanitise.ts';
import { cut } from './wording.ts';

type Named = {
  readonly id: string;
  readonly category: string;
  readonly title: string;
  readonly session: string;
  readonly created_at: string;
};

/** With what the client puts before it, one draft fits on one line of a wide terminal. */
const TITLE_LENGTH = 48;

/** What was said in another conversation than this one has its day beside it. */
export function askFor(drafts: readonly Named[], session: string): string {
  const each = drafts.map((draft) => {
    const day = draft.session === session ? '' : ` (${draft.created_at.slice(0, 10)})`;
    return `${draft.id}${day}, ${draft.category.replaceAll('_', ' ')}: “${cut(snippetForPrompt(draft.title), TITLE_LENGTH)}”`;
  });
  return `Memory draft${drafts.length === 1 ? '' : 's'} ${each.join('; ')} · save_draft if true and lasting, else end`;
}
