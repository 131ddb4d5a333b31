// Why a memory was found: a bar for each part of its score, with its number, and what the sum was multiplied with. The server
// made these numbers together with the score; nothing is computed here but widths.

import { number, words } from '../wording.ts';

type Rank = { readonly strategy: string; readonly rank: number };
type ReasonsProps = {
  points: readonly { readonly name: string; readonly points: number }[];
  factors: readonly { readonly name: string; readonly factor: number }[];
  ranks: readonly Rank[];
  /** The points that a full bar stands for. */
  most: number;
};

export function Reasons({ points, factors, ranks, most }: ReasonsProps) {
  const rankOf = new Map(ranks.map(({ strategy, rank }) => [strategy, rank]));
  const shown = points.filter(({ points: value }) => value > 0);
  return (
    <ul class="reasons" aria-label="Why it was found">
      {shown.map(({ name, points: value }) => {
        const rank = rankOf.get(name);
        return (
          <li key={name}>
            <span class="reason-name">
              {words(name)}
              {rank !== undefined && <span class="muted"> no. {rank}</span>}
            </span>
            <span class="bar" aria-hidden="true">
              <span style={{ width: `${Math.max(3, Math.min(100, (100 * value) / most))}%` }} />
            </span>
            <span class="reason-value">{number(value)}</span>
          </li>
        );
      })}
      {ranks
        .filter(({ strategy }) => !shown.some(({ name }) => name === strategy))
        .map(({ strategy, rank }) => (
          <li key={strategy} class="factor">
            {words(strategy)} no. {rank}
          </li>
        ))}
      {factors
        .filter(({ factor }) => Math.abs(factor - 1) > 0.005)
        .map(({ name, factor }) => (
          <li key={name} class="factor">
            {words(name)} × {number(factor)}
          </li>
        ))}
    </ul>
  );
}

/** For injections, of which the ranks alone are kept. */
export function Ranks({ ranks }: { ranks: readonly Rank[] }) {
  if (ranks.length === 0) return null;
  return (
    <ul class="reasons" aria-label="Why it was found">
      {ranks.map(({ strategy, rank }) => (
        <li key={strategy} class="factor">
          {words(strategy)} no. {rank}
        </li>
      ))}
    </ul>
  );
}
