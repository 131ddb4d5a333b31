// Places for a large graph so that its groups are told apart: each group is a disc of its own, laid out inside by itself, and the discs
// are pushed apart until none lies on another. Laid out as one, real conversations become a ball: everything is two steps from all.

export type Disc = { x: number; y: number; readonly r: number };

const ROUNDS = 300;
const AIR = 1.12;

/** Moves the discs in place: towards the middle, as far as the others let them. The larger ones give way less. */
export function packDiscs(discs: readonly Disc[]): void {
  for (let round = 0; round < ROUNDS; round++) {
    const pull = round < ROUNDS * 0.7 ? 0.02 : 0;
    for (const disc of discs) {
      disc.x *= 1 - pull;
      disc.y *= 1 - pull;
    }
    let hasMoved = false;
    for (let a = 0; a < discs.length; a++)
      for (let b = a + 1; b < discs.length; b++) if (part(discs[a]!, discs[b]!, a)) hasMoved = true;
    if (!hasMoved && pull === 0) return;
  }
}

function part(one: Disc, other: Disc, turn: number): boolean {
  const [x, y] = [other.x - one.x, other.y - one.y];
  const apart = Math.hypot(x, y);
  const missing = (one.r + other.r) * AIR - apart;
  if (missing <= 0) return false;
  // Two at the same place part in a direction of their own.
  const [dx, dy] = apart > 1e-6 ? [x / apart, y / apart] : [Math.cos(turn * 2.4), Math.sin(turn * 2.4)];
  const share = other.r ** 2 / (one.r ** 2 + other.r ** 2);
  one.x -= dx * missing * share;
  one.y -= dy * missing * share;
  other.x += dx * missing * (1 - share);
  other.y += dy * missing * (1 - share);
  return true;
}

/** How large a disc so many nodes need. */
export const discRadius = (members: number): number => 6 + 9 * Math.sqrt(members);

/** The places of one group, found anywhere, put into its disc. */
export function intoDisc(places: readonly { x: number; y: number }[], { x, y, r }: Disc): { x: number; y: number }[] {
  const middle = (of: readonly number[]) => of.reduce((sum, each) => sum + each, 0) / Math.max(1, of.length);
  const [mx, my] = [middle(places.map((each) => each.x)), middle(places.map((each) => each.y))];
  const far = places.map((each) => Math.hypot(each.x - mx, each.y - my)).sort((a, b) => a - b);
  // What is farther out than nearly all is drawn at the rim: one outlier must not make a dot of the rest.
  const most = far[Math.floor((far.length - 1) * 0.92)] || far.at(-1) || 1;
  return places.map((each) => {
    const [dx, dy] = [each.x - mx, each.y - my];
    const away = Math.hypot(dx, dy);
    const scale = (Math.min(away, most) / most) * (r / (away || 1));
    return { x: x + dx * scale, y: y + dy * scale };
  });
}

const RIM = 24;

/** In this direction from the middle, just outside of all discs. */
export function beyond(discs: readonly Disc[], turn: number): { x: number; y: number } {
  const [dx, dy] = [Math.cos(turn), Math.sin(turn)];
  let far = 0;
  for (const { x, y, r } of discs) {
    const along = x * dx + y * dy;
    const inside = (r + RIM) ** 2 - (x * x + y * y - along * along);
    if (inside > 0) far = Math.max(far, along + Math.sqrt(inside));
  }
  return { x: far * dx, y: far * dy };
}
