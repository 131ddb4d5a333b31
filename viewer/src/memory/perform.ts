// One action of the user: the call, what is said about it, the way back that the server offers, and where the page goes on.

import type { Acted, Action } from '../../../src/viewer-api/protocol.ts';
import { act } from '../client.ts';
import { goTo, readRoute, replaceRoute } from '../route.ts';
import { say } from '../toasts.tsx';

/** Says what happened, offers the way back, and follows a memory whose name changed. */
export function announce(acted: Acted, before: { readonly ref: string }, refresh: () => void): void {
  const { undo } = acted;
  const text = [acted.message, ...acted.notes].join(' ');
  say(text, undo ? { undo: () => void perform(undo.action, refresh) } : {});
  const { page, params } = readRoute();
  if (acted.status === 'created') goTo('memory', { ref: acted.ref, of: acted.project });
  else if (page === 'memory' && params.get('ref') === before.ref && acted.ref !== before.ref)
    replaceRoute('memory', { ref: acted.ref, of: acted.project });
  else refresh();
}

/** Whether it was done; what kept it from it is said. */
export async function perform(action: Action, refresh: () => void): Promise<boolean> {
  try {
    announce(await act(action), 'ref' in action ? action : { ref: '' }, refresh);
    return true;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), { bad: true });
    return false;
  }
}
