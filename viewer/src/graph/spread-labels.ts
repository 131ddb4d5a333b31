// Room for names: boxes that overlap are pushed apart, a little at a time, until none does or nobody gets nearer.

export type Box = { x: number; y: number; readonly width: number; readonly height: number };

const ROUNDS = 400;

type Room = { readonly width: number; readonly height: number };

/** How many of the boxes, from the first on, fill this share of the room: fuller, they find no places of their own. */
export function roomFor(boxes: readonly Box[], { width, height }: Room, share: number): number {
  let left = width * height * share;
  const at = boxes.findIndex((box) => {
    left -= box.width * box.height;
    return left < 0;
  });
  return at < 0 ? boxes.length : at;
}

/** Those of the boxes, from the first on, that find places of their own; copies, where they are then. */
export function fitted<T extends Box>(boxes: readonly T[], room: Room, fewest = 1): T[] {
  for (let many = boxes.length; ; many -= Math.max(1, Math.floor(many / 12))) {
    const tried = boxes.slice(0, Math.max(fewest, many)).map((box) => ({ ...box }));
    if (spread(tried, room) || many <= fewest) return tried;
  }
}

/** Moves the boxes in place, and says whether none lies on another; `x` and `y` are their middles. */
export function spread(boxes: readonly Box[], { width, height }: Room): boolean {
  for (let round = 0; round < ROUNDS; round++) {
    let moved = false;
    for (let a = 0; a < boxes.length; a++)
      for (let b = a + 1; b < boxes.length; b++) if (push(boxes[a]!, boxes[b]!, height / width)) moved = true;
    for (const box of boxes) {
      box.x = Math.min(width - box.width / 2, Math.max(box.width / 2, box.x));
      box.y = Math.min(height - box.height / 2, Math.max(box.height / 2, box.y));
    }
    if (!moved) return true;
  }
  return boxes.every((one, at) => boxes.slice(at + 1).every((other) => !isOn(one, other)));
}

/** What is nearer than a hair's breadth is beside each other. */
const HAIR = 2;

function isOn(one: Box, other: Box): boolean {
  const x = (one.width + other.width) / 2 - Math.abs(one.x - other.x);
  const y = (one.height + other.height) / 2 - Math.abs(one.y - other.y);
  return x > HAIR && y > HAIR;
}

/** Along the way that is shorter, for the room: in one that is high and narrow there is more way up and down. */
function push(one: Box, other: Box, slope: number): boolean {
  const x = (one.width + other.width) / 2 - Math.abs(one.x - other.x);
  const y = (one.height + other.height) / 2 - Math.abs(one.y - other.y);
  if (x <= 0 || y <= 0) return false;
  if (x * slope < y) {
    const step = (one.x <= other.x ? -x : x) / 2;
    one.x += step;
    other.x -= step;
  } else {
    const step = (one.y <= other.y ? -y : y) / 2;
    one.y += step;
    other.y -= step;
  }
  return true;
}
