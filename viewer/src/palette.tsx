// Ctrl-K or ⌘-K: search from every page, and go to a page, without leaving the keyboard. A native dialog with a list below a field,
// as screen readers know it (combobox and listbox).

import { useState } from 'preact/hooks';
import type { Hit } from '../../src/viewer-api/protocol.ts';
import { useAnswer } from './live.ts';
import { KindDot } from './parts/marks.tsx';
import { snippet } from './parts/match-words.ts';
import { Marked } from './parts/matched.tsx';
import { memoryHref } from './parts/memory-row.tsx';
import { useModal } from './parts/modal.ts';
import { hrefOf, type PageName, readRoute } from './route.ts';

export type PaletteEntry = { readonly page: PageName; readonly name: string };
type Row = { readonly key: string; readonly href: string; readonly text: string; readonly hit?: Hit };

const MOST = 8;

/** A list that comes up below a resting pointer is not pointed at. */
const isMoved = ({ movementX, movementY }: MouseEvent): boolean => movementX !== 0 || movementY !== 0;

export function Palette({ pages, close }: { pages: readonly PaletteEntry[]; close: () => void }) {
  const dialog = useModal(close);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const project = readRoute().params.get('project');
  const { data, loading } = useAnswer(
    'search',
    text.trim().length > 1 ? { q: text, limit: MOST, ...(project ? { project } : {}) } : undefined,
  );
  const hits = text.trim().length > 1 ? (data?.hits ?? []) : [];
  const terms = data?.analysis.terms ?? [];
  const rows: Row[] = [
    ...pages
      .filter(({ name }) => text.trim() === '' || name.toLowerCase().startsWith(text.trim().toLowerCase()))
      .map(({ page, name }) => ({ key: page, href: hrefOf(page), text: name })),
    ...hits.map((hit) => ({ key: `${hit.project} ${hit.ref}`, href: memoryHref(hit), text: hit.title, hit })),
    ...(text.trim() === '' ? [] : [{ key: 'all', href: hrefOf('search', { q: text }), text: `Search for “${text}”` }]),
  ];
  const chosen = Math.min(at, rows.length - 1);
  const follow = (row: Row | undefined) => {
    if (!row) return;
    close();
    location.hash = row.href;
  };
  const keyed = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setAt((chosen + step + rows.length) % Math.max(1, rows.length));
    else if (event.key === 'Enter') follow(rows[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Search and go">
      <input
        type="text"
        role="combobox"
        aria-label="Ask your memory, or name a page"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={rows[chosen] ? `palette-${chosen}` : undefined}
        placeholder="Ask your memory, or name a page"
        autocomplete="off"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={keyed}
      />
      <div id="palette-list" role="listbox" aria-label="Results" aria-busy={loading}>
        {rows.map((row, place) => (
          <div
            key={row.key}
            id={`palette-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === chosen}
            class="palette-row"
            onMouseMove={(event) => isMoved(event) && setAt(place)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => follow(row)}
            onKeyDown={keyed}
          >
            {row.hit ? (
              <>
                <KindDot layer={row.hit.layer} kind={row.hit.kind} />
                <span class="clamp">
                  <Marked text={snippet(row.hit.text || row.text, terms, 150)} terms={terms} />
                </span>
              </>
            ) : (
              <span>{row.text}</span>
            )}
          </div>
        ))}
      </div>
    </dialog>
  );
}
