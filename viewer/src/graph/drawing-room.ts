// The room that a drawing has, and how much of it names take: in the size of letters that the reader has chosen.

import { useEffect, useState } from 'preact/hooks';

export type Size = { readonly width: number; readonly height: number };

export function useSize(of: { current: HTMLElement | null }): Size | undefined {
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    if (!of.current) return;
    const watcher = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: Math.round(entry.contentRect.width), height: Math.round(entry.contentRect.height) });
    });
    watcher.observe(of.current);
    return () => watcher.disconnect();
  }, []);
  return size;
}

/** One where the browser's letters have their usual size. */
export const letterScale = (): number =>
  (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16;

/** Of names in a drawing, 0.75 rem. */
export const LETTER = 6.6;
export const LINE = 14;

/** Words in lines of so many letters; what has no room is said to be missing. */
export function inLines(name: string, letters: number, most: number): string[] {
  const lines: string[] = [''];
  for (const word of name.split(/\s+/)) {
    const last = lines.at(-1)!;
    if (last === '' || last.length + 1 + word.length <= letters)
      lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    else if (lines.length < most) lines.push(word);
    else {
      lines[lines.length - 1] = `${last} …`;
      break;
    }
  }
  return lines;
}

export const cut = (line: string, most: number): string => (line.length > most ? `${line.slice(0, most - 1)}…` : line);

/** Places found anywhere, stretched to the room with air at its sides. */
export function intoRoom(values: Float32Array, room: number, edge: number): (at: number) => number {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return (at) => edge + ((values[at]! - low) / Math.max(1, high - low)) * Math.max(1, room - 2 * edge);
}
