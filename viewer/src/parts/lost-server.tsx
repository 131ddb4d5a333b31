// Said on every page as long as nobody answers: what is shown may be old, and how to go on.

import type { LiveState } from '../live.ts';
import { CopyCommand } from './copy.tsx';

export function LostServer({ state }: { state: LiveState }) {
  if (state === 'lost')
    return (
      <div class="notice bad lost" role="alert">
        <p>
          <strong>The server does not answer.</strong> It was ended, or the machine slept. What you see is how things
          were. As soon as it is back at this address, the page goes on by itself; a new one prints a new address, which
          you can paste into this tab.
        </p>
        <CopyCommand command="cairn ui" />
      </div>
    );
  if (state === 'refused')
    return (
      <div class="notice bad lost" role="alert">
        <p>
          <strong>Another server answers here now</strong>, and it does not know this tab. Paste the address that it
          printed into this tab, or start one anew.
        </p>
        <CopyCommand command="cairn ui" />
      </div>
    );
  return null;
}
