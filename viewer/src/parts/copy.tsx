// Copying to the clipboard, with a word that it was done.

import { say } from '../toasts.tsx';

export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied ${what}.`);
  } catch {
    say(`The browser did not let ${what} be copied.`, { bad: true });
  }
}

/** A command for the terminal, and a button that copies it. */
export function CopyCommand({ command }: { command: string }) {
  return (
    <span class="command">
      <code>{command}</code>
      <button type="button" class="small" onClick={() => void copyText(command, 'the command')}>
        Copy
      </button>
    </span>
  );
}
