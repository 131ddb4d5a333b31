// The colours of the theme as a canvas and a file can use them: plain numbers instead of variables.

import { fillOf, toHex } from '../kind-colours.ts';

export type GraphColours = {
  readonly ground: string;
  readonly text: string;
  readonly line: string;
  readonly strongLine: string;
  readonly faint: string;
  readonly kind: (kind: string) => string;
};

export function graphColours(): GraphColours {
  if (matchMedia('(forced-colors: active)').matches) {
    const [ground, text, faint] = ['Canvas', 'CanvasText', 'GrayText'].map(toHex) as [string, string, string];
    return { ground, text, line: faint, strongLine: text, faint, kind: () => text };
  }
  const dark = isDark();
  const mix = dark
    ? ['#1b1f1c', '#e5e9e4', '#3a423c', '#7f8a82', '#343b36']
    : ['#fffefb', '#20251f', '#d3d1c7', '#8a8c83', '#e2e0d8'];
  const [ground, text, line, strongLine, faint] = mix.map(toHex) as [string, string, string, string, string];
  return { ground, text, line, strongLine, faint, kind: (kind) => fillOf(kind, dark) };
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}
