// Which line of the committed file a line of the file on disk is, where the two differ: a person names the line that they see.

/** More cells than this are not filled: then only lines that are there once are found again. */
const MOST_CELLS = 4_000_000;

export const linesOf = (text: string): string[] => {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};

/** Numbers from 1; `undefined` for a line that was not committed. */
export function committedLine(now: readonly string[], then: readonly string[], line: number): number | undefined {
  let start = 0;
  while (start < now.length && start < then.length && now[start] === then[start]) start += 1;
  if (line <= start) return line;
  let end = 0;
  while (end < now.length - start && end < then.length - start && now.at(-1 - end) === then.at(-1 - end)) end += 1;
  if (line > now.length - end) return line - now.length + then.length;
  const [mine, theirs] = [now.slice(start, now.length - end), then.slice(start, then.length - end)];
  const found =
    mine.length * theirs.length > MOST_CELLS
      ? onlyOne(mine, theirs, line - start - 1)
      : matched(mine, theirs).get(line - start - 1);
  return found === undefined ? undefined : start + found + 1;
}

function onlyOne(mine: readonly string[], theirs: readonly string[], at: number): number | undefined {
  const isOnce = (lines: readonly string[]): boolean =>
    lines.indexOf(mine[at] ?? '') === lines.lastIndexOf(mine[at] ?? '');
  const found = theirs.indexOf(mine[at] ?? '');
  return found !== -1 && isOnce(mine) && isOnce(theirs) ? found : undefined;
}

/** The longest run of lines that both have, in order: place in the first → place in the second. */
function matched(mine: readonly string[], theirs: readonly string[]): Map<number, number> {
  const width = theirs.length + 1;
  const longest = new Uint32Array((mine.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = mine.length - 1; i >= 0; i -= 1)
    for (let j = theirs.length - 1; j >= 0; j -= 1)
      longest[i * width + j] = mine[i] === theirs[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs = new Map<number, number>();
  for (let i = 0, j = 0; i < mine.length && j < theirs.length; ) {
    if (mine[i] === theirs[j]) pairs.set(i++, j++);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}
