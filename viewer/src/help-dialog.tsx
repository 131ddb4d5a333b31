// What the keys do. A native dialog: the browser keeps the focus inside, closes it on Escape and gives the focus back.

import { useModal } from './parts/modal.ts';

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['Ctrl', 'K'], 'search and go from everywhere (⌘ K on a Mac)'],
  [['/'], 'search'],
  [['j', 'k'], 'next and previous row'],
  [['o', 'Enter'], 'open the row'],
  [['n'], 'new record or note'],
  [['p'], 'preview of the hit'],
  [['e'], 'edit the memory'],
  [['Esc'], 'leave a field, an edit, a focus'],
  [['g', 'o'], 'Today'],
  [['g', 'c'], 'Conversations'],
  [['g', 's'], 'Search'],
  [['g', 'g'], 'Graph'],
  [['g', 't'], 'Timeline'],
  [['g', 'm'], 'Memories'],
  [['g', 'i'], 'Injections'],
  [['g', 'r'], 'Review'],
  [['+', '−', '←', '→', '0'], 'zoom and move the graph or the timeline, once it has the focus'],
  [['?'], 'this help'],
];

export function HelpDialog({ close }: { close: () => void }) {
  const dialog = useModal(close);
  return (
    <dialog ref={dialog} aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {KEYS.map(([keys, what]) => (
          <>
            <dt key={`${what} keys`}>
              {keys.map((key) => (
                <>
                  <kbd key={key}>{key}</kbd>{' '}
                </>
              ))}
            </dt>
            <dd key={what}>{what}</dd>
          </>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="primary">
          Close
        </button>
      </form>
    </dialog>
  );
}
