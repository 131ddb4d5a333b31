// The keyboard: one listener for the whole page. Rows are found in the document itself (`data-row`), so that every list can be
// walked through without knowing about it.

import { useEffect, useRef } from 'preact/hooks';
import { goTo, type PageName } from './route.ts';

/** What `g` and a letter lead to. */
export const GO: { readonly [letter: string]: PageName } = {
  o: 'today',
  c: 'conversations',
  s: 'search',
  g: 'graph',
  t: 'timeline',
  m: 'memory',
  i: 'injections',
  r: 'review',
};

const SEQUENCE_MS = 1_500;

type Keys = { help: () => void; palette: () => void; make: () => void };

export function useKeys({ help, palette, make }: Keys): void {
  const prefixAt = useRef(0);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!document.querySelector('dialog[open]')) palette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]')) return; // a dialog has its own keys
      if (event.key === 'Escape') {
        if (isTyping(event.target)) event.preventDefault(); // a search field would be emptied
        return leave();
      }
      if (isTyping(event.target)) return;
      if (event.key !== 'g' && event.timeStamp - prefixAt.current < SEQUENCE_MS && GO[event.key]) {
        prefixAt.current = 0;
        event.preventDefault();
        return goTo(GO[event.key]!);
      }
      const act = ACTIONS[event.key];
      if (event.key === '?') help();
      else if (event.key === 'n') make();
      else if (event.key === 'g') {
        if (event.timeStamp - prefixAt.current < SEQUENCE_MS) goTo('graph');
        prefixAt.current = event.timeStamp;
      } else if (!act?.()) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [help, palette, make]);
}

/** Each answers whether it did something. */
const ACTIONS: { readonly [key: string]: () => boolean } = {
  '/': search,
  j: () => move(1),
  k: () => move(-1),
  o: open,
  p: preview,
  e: () => press('[data-key="e"]'),
};

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName) || isTextInput(target))
  );
}

const isTextInput = (target: HTMLElement): boolean =>
  target instanceof HTMLInputElement && !/^(?:checkbox|radio|button)$/.test(target.type);

/** The field of the page itself where it has one, the Search page otherwise. */
function search(): boolean {
  const field = document.querySelector<HTMLInputElement>('main [data-search]');
  if (field) {
    field.focus();
    field.select();
  } else goTo('search');
  return true;
}

function move(step: number): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')].filter(
    (row) => row.getClientRects().length > 0,
  );
  if (rows.length === 0) return false;
  const active = document.activeElement;
  const at = rows.findIndex((row) => row === active || row.contains(active) || row.closest('.row')?.contains(active));
  const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step));
  rows[next]!.focus();
  rows[next]!.scrollIntoView({ block: 'nearest' });
  return true;
}

function open(): boolean {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || !active.closest('main')) return false;
  const target = active.matches('[data-row]')
    ? active
    : active.closest('.row')?.querySelector<HTMLElement>('[data-row]');
  target?.click();
  return target !== undefined && target !== null;
}

/** Of the row that has the focus. */
function preview(): boolean {
  const button = document.activeElement?.closest('.row')?.querySelector<HTMLElement>('[data-preview]');
  button?.click();
  return button !== null && button !== undefined;
}

function press(selector: string): boolean {
  const button = document.querySelector<HTMLElement>(`main ${selector}`);
  button?.click();
  return button !== null;
}

/** Out of a field first, then whatever the page itself calls leaving (`data-key="Escape"`); a form is left as a whole. */
function leave(): void {
  const active = document.activeElement;
  const isField = active instanceof HTMLElement && isTyping(active);
  const isLeft = (!isField || active.closest('form.edit') !== null) && press('[data-key="Escape"]');
  if (isField && !isLeft) active.blur();
}
