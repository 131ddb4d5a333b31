// A dialog that is open as long as it is on the page: it takes the focus, and gives it back to whoever had it. It opens before the
// next key can come, not after the next frame: who types on at once types into it.

import { useLayoutEffect, useRef } from 'preact/hooks';

/** `close`: the user closed it. A browser says so with the next frame only, where another one may be open by then. */
export function useModal(close: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  const closing = useRef(close);
  closing.current = close;
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    const closed = () => closing.current();
    element?.addEventListener('close', closed);
    element?.showModal();
    return () => {
      element?.removeEventListener('close', closed);
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return dialog;
}
