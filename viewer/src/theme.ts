// Light or dark: the system's choice until the user makes his own, which this browser keeps.

import { useEffect, useState } from 'preact/hooks';

export type Theme = 'system' | 'light' | 'dark';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
const KEY = 'cairn-theme';
const CHANGED = 'cairn-theme-changed';

export function chosenTheme(): Theme {
  try {
    return THEMES.find((each) => each === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system'; // storage is switched off: nothing is kept, nothing breaks
  }
}

export function applyTheme(theme = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // kept for this page only
  }
  applyTheme(theme);
  window.dispatchEvent(new Event(CHANGED));
}

export function useTheme(): { readonly theme: Theme; readonly next: () => void } {
  const [theme, setTheme] = useState(chosenTheme);
  const next = () => {
    const following = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
    chooseTheme(following);
    setTheme(following);
  };
  return { theme, next };
}

/** A number that grows when the colours change: for what is drawn on a canvas. */
export function useThemeChanges(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const changed = () => setChanges((count) => count + 1);
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', changed);
    window.addEventListener(CHANGED, changed);
    return () => {
      system.removeEventListener('change', changed);
      window.removeEventListener(CHANGED, changed);
    };
  }, []);
  return changes;
}

export const prefersStillness = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
