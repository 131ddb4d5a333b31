// Short messages at the edge of the page: what was done, with a way back where there is one, and what went wrong.

import { useEffect, useState } from 'preact/hooks';

type Toast = {
  readonly id: number;
  readonly text: string;
  readonly bad: boolean;
  readonly undo?: () => void;
};

const SHOWN_MS = 12_000;
let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

export function say(text: string, options: { bad?: boolean; undo?: () => void } = {}): void {
  const { bad = false, undo } = options;
  const toast = { id: nextId++, text, bad, ...(undo ? { undo } : {}) };
  set([...toasts.slice(-2), toast]);
  setTimeout(() => dismiss(toast.id), SHOWN_MS);
}

export function Toasts() {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = () => redraw((count) => count + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, bad, undo }) => (
        <div class={`toast ${bad ? 'bad' : ''}`} key={id}>
          <p>{text}</p>
          {undo && (
            <button
              type="button"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              Undo
            </button>
          )}
          <button type="button" class="quiet" aria-label="Dismiss the message" onClick={() => dismiss(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
