// Names that somebody may have meant: those that contain what was typed, or differ from it in a few letters.

const SHOWN = 3;
const MAX_LENGTH = 80;

/** The best few of `names`, by what `shown` makes of them. */
export function similarNames(
  typed: string,
  names: readonly string[],
  shown: (name: string) => string = (name) => name,
): string[] {
  const wanted = typed.trim().toLowerCase().slice(0, MAX_LENGTH);
  if (wanted === '') return [];
  const allowed = Math.max(1, Math.floor(wanted.length / 4));
  const found: { name: string; distance: number }[] = [];
  for (const name of names) {
    const text = shown(name).toLowerCase().slice(0, MAX_LENGTH);
    const last = text.slice(text.lastIndexOf('/') + 1);
    const distance = text.includes(wanted)
      ? 0
      : Math.min(distanceOf(wanted, text, allowed), distanceOf(wanted, last, allowed));
    if (distance <= allowed) found.push({ name, distance });
  }
  return found
    .sort((a, b) => a.distance - b.distance || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN)
    .map(({ name }) => name);
}

/** How many letters must be added, removed or replaced; anything above `limit` counts the same. */
function distanceOf(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = above[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      line.push(Math.min(replaced, above[column]! + 1, line[column - 1]! + 1));
    }
    if (Math.min(...line) > limit) return limit + 1;
    above = line;
  }
  return above[b.length]!;
}
