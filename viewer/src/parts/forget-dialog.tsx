// Forgetting: first what would go, from where, and what stays, as `cairn forget` shows it; then, by a second click, gone for good.

import type { MemoryPage } from '../../../src/viewer-api/protocol.ts';
import { useAnswer } from '../live.ts';
import { perform } from '../memory/perform.ts';
import { goTo } from '../route.ts';
import { count, words } from '../wording.ts';
import { useModal } from './modal.ts';
import { Answer } from './states.tsx';

export function ForgetDialog({ of: { ref }, close }: { of: Pick<MemoryPage, 'ref'>; close: () => void }) {
  const dialog = useModal(close);
  const answer = useAnswer('forgetPlan', { ref });
  const forget = async (token: string) => {
    close();
    await perform({ action: 'forget', ref, token }, () => goTo('memory'));
  };
  return (
    <dialog ref={dialog} aria-labelledby="forget-title">
      <div class="stack">
        <h2 id="forget-title">Forget for good</h2>
        <Answer of={answer}>
          {({ goes, counts, stays, forks, token }) => (
            <>
              <p>This goes from everything that Cairn keeps. It cannot be taken back.</p>
              <ul class="plan">
                {goes.slice(0, 12).map(({ name, title }) => (
                  <li key={name}>{title || name}</li>
                ))}
                {goes.length > 12 && <li class="muted">and {count(goes.length - 12)} more</li>}
              </ul>
              {counts.length > 0 && (
                <p class="small muted">
                  {counts.map(({ place, count: many }) => `${words(place)}: ${count(many)}`).join(' · ')}
                </p>
              )}
              {stays.length > 0 && (
                <>
                  <h3>What stays</h3>
                  <ul class="plan small">
                    {stays.map((each) => (
                      <li key={each}>{each}</li>
                    ))}
                  </ul>
                </>
              )}
              {forks.length > 0 && (
                <p class="small muted">
                  Copies stay in {count(forks.length)} other conversations, unless they are named too.
                </p>
              )}
              <div class="actions">
                <button type="button" class="danger" onClick={() => void forget(token)}>
                  Forget it
                </button>
                <button type="button" onClick={close}>
                  Cancel
                </button>
              </div>
            </>
          )}
        </Answer>
      </div>
    </dialog>
  );
}
