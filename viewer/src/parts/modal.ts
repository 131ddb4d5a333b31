// A dialog that is open as long as it is on the page: it takes the focus, and gives it back to whoever had it.

import { useEffect, useRef } from 'preact/hooks';

export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return dialog;
}
