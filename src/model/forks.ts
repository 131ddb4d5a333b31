// Generations of a transcript. One that was rewritten goes another way from some line on, its fork; what came before it is shared. The
// forks of a transcript say, for each of its lines, which generation that line is of, and so which row and which copy.

/** From this line on it is this generation; what was first is generation 1 and has no fork. */
export type Fork = { readonly from: number; readonly generation: number };

export const generationAt = (forks: readonly Fork[], line: number): number =>
  forks.findLast(({ from }) => from <= line)?.generation ?? 1;

/** Of the whole: the newest. */
export const generationOf = (forks: readonly Fork[]): number => forks.at(-1)?.generation ?? 1;

/** Forks that began later than the new one are of lines that are no longer there. */
export const forkedAt = (forks: readonly Fork[], fork: Fork): Fork[] => [
  ...forks.filter(({ from }) => from < fork.from),
  fork,
];

/** What somebody stored; nothing where it makes no sense. */
export function readForks(value: unknown): Fork[] {
  if (!Array.isArray(value)) return [];
  const isFork = ({ from = 0, generation = 0 }: Partial<Fork>): boolean =>
    Number.isSafeInteger(from) && Number.isSafeInteger(generation) && from >= 1 && generation > 1;
  const forks = value as Fork[];
  return forks.every((each) => typeof each === 'object' && each !== null && isFork(each)) ? forks : [];
}
