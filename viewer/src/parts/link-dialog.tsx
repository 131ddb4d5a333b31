// Choosing the other end of a link: a search among records and notes.

import { useState } from 'preact/hooks';
import { useAnswer } from '../live.ts';
import { perform } from '../memory/perform.ts';
import { KindMark } from './marks.tsx';
import { useModal } from './modal.ts';

type LinkProps = { from: { readonly ref: string; readonly project: string }; close: () => void; refresh: () => void };

export function LinkDialog({ from, close, refresh }: LinkProps) {
  const dialog = useModal(close);
  const [text, setText] = useState('');
  const { data } = useAnswer(
    'search',
    text.trim().length > 1 ? { q: text, layers: ['record', 'note'], limit: 8 } : undefined,
  );
  const hits = (data?.hits ?? []).filter(({ ref }) => ref !== from.ref);
  return (
    <dialog ref={dialog} aria-labelledby="link-title">
      <div class="stack">
        <h2 id="link-title">Link to another record or note</h2>
        <div class="field">
          <label for="link-search">Which one</label>
          <input
            id="link-search"
            type="text"
            autocomplete="off"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <ul class="rows">
          {hits.map((hit) => (
            <li class="row" key={hit.ref}>
              <div class="row-title">
                <KindMark layer={hit.layer} kind={hit.kind} />
                <button
                  type="button"
                  class="link"
                  onClick={() => {
                    close();
                    void perform({ action: 'link', ...from, to: hit.ref }, refresh);
                  }}
                >
                  {hit.title}
                </button>
              </div>
            </li>
          ))}
        </ul>
        <div class="actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </div>
    </dialog>
  );
}
