// All nodes push each other apart, the nearer the more. Done pair by pair that would take a hundred million steps for ten thousand
// nodes; here a square that is far enough away pushes as one, from the middle of what is in it (Barnes and Hut, 1986).

/** A square this many times as far away as it is wide pushes as one. */
const FAR = 0.75;
const MAX_DEPTH = 22;
/** Nodes at nearly the same place would push without measure. */
const NEAR = 0.02;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const NONE = -1;
const SEVERAL = -2;

export class BarnesHut {
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  /** Four children of each square; a square is at its place in all of these. */
  #child: Int32Array;
  #count: Float64Array;
  #sumX: Float64Array;
  #sumY: Float64Array;
  /** The only node of a square that has one; SEVERAL where it is not divided further. */
  #node: Int32Array;
  #squares = 1;
  #left = Number.POSITIVE_INFINITY;
  #top = Number.POSITIVE_INFINITY;
  #width = 1e-6;

  constructor(x: Float64Array, y: Float64Array) {
    this.#x = x;
    this.#y = y;
    const room = x.length * 2 + 64;
    this.#child = new Int32Array(room * 4).fill(NONE);
    this.#count = new Float64Array(room);
    this.#sumX = new Float64Array(room);
    this.#sumY = new Float64Array(room);
    this.#node = new Int32Array(room).fill(NONE);
    let right = Number.NEGATIVE_INFINITY;
    let bottom = Number.NEGATIVE_INFINITY;
    for (let node = 0; node < x.length; node++) {
      this.#left = Math.min(this.#left, x[node]!);
      this.#top = Math.min(this.#top, y[node]!);
      right = Math.max(right, x[node]!);
      bottom = Math.max(bottom, y[node]!);
    }
    this.#width = Math.max(right - this.#left, bottom - this.#top, 1e-6) * 1.0001;
    for (let node = 0; node < x.length; node++) this.#add(node);
  }

  /** What pushes each node. */
  pushes(): { x: Float64Array; y: Float64Array } {
    const push = { x: new Float64Array(this.#x.length), y: new Float64Array(this.#x.length) };
    const squares = new Int32Array(4 * MAX_DEPTH + 8);
    const widths = new Float64Array(4 * MAX_DEPTH + 8);
    for (let node = 0; node < this.#x.length; node++) this.#pushOne(node, push, { squares, widths });
    return push;
  }

  #pushOne(
    node: number,
    push: { x: Float64Array; y: Float64Array },
    { squares, widths }: { squares: Int32Array; widths: Float64Array },
  ): void {
    const x = this.#x[node]!;
    const y = this.#y[node]!;
    let left = 1;
    squares[0] = 0;
    widths[0] = this.#width;
    while (left > 0) {
      left--;
      const square = squares[left]!;
      const width = widths[left]!;
      const count = this.#count[square]!;
      if (count === 0 || this.#node[square] === node) continue;
      let dx = x - this.#sumX[square]! / count;
      let dy = y - this.#sumY[square]! / count;
      let apart = dx * dx + dy * dy;
      const first = square * 4;
      if (this.#node[square] === NONE && apart < width * width * FAR * FAR) {
        for (let quarter = 0; quarter < 4; quarter++) {
          const inner = this.#child[first + quarter]!;
          if (inner === NONE) continue;
          squares[left] = inner;
          widths[left] = width / 2;
          left++;
        }
        continue;
      }
      if (apart < 1e-12) {
        // Two at the very same place part in a direction of their own.
        dx = Math.cos(node * GOLDEN) * 0.1;
        dy = Math.sin(node * GOLDEN) * 0.1;
        apart = NEAR;
      }
      const strength = count / Math.max(apart, NEAR);
      push.x[node]! += dx * strength;
      push.y[node]! += dy * strength;
    }
  }

  #add(node: number): void {
    let square = 0;
    let left = this.#left;
    let top = this.#top;
    let width = this.#width;
    const moved = node;
    for (let depth = 0; ; depth++) {
      const count = this.#count[square]!;
      this.#count[square] = count + 1;
      this.#sumX[square]! += this.#x[moved]!;
      this.#sumY[square]! += this.#y[moved]!;
      if (count === 0) {
        this.#node[square] = moved;
        return;
      }
      // Too deep to tell them apart: they stay together in this square.
      if (depth >= MAX_DEPTH) {
        this.#node[square] = SEVERAL;
        return;
      }
      const alone = this.#node[square]!;
      if (alone !== NONE) {
        this.#node[square] = NONE;
        const inner = this.#inner(square, this.#quarter(alone, { left, top, width }));
        this.#count[inner] = 1;
        this.#sumX[inner] = this.#x[alone]!;
        this.#sumY[inner] = this.#y[alone]!;
        this.#node[inner] = alone;
      }
      const quarter = this.#quarter(moved, { left, top, width });
      width /= 2;
      if (quarter % 2 === 1) left += width;
      if (quarter >= 2) top += width;
      square = this.#inner(square, quarter);
    }
  }

  #quarter(node: number, { left, top, width }: { left: number; top: number; width: number }): number {
    return (this.#x[node]! >= left + width / 2 ? 1 : 0) + (this.#y[node]! >= top + width / 2 ? 2 : 0);
  }

  #inner(square: number, quarter: number): number {
    const known = this.#child[square * 4 + quarter]!;
    if (known !== NONE) return known;
    if (this.#squares >= this.#count.length) this.#grow();
    this.#child[square * 4 + quarter] = this.#squares;
    return this.#squares++;
  }

  #grow(): void {
    const room = this.#count.length * 2;
    const wider = <T extends Int32Array | Float64Array>(now: T, next: T): T => {
      next.set(now as never);
      return next;
    };
    this.#child = wider(this.#child, new Int32Array(room * 4).fill(NONE));
    this.#node = wider(this.#node, new Int32Array(room).fill(NONE));
    this.#count = wider(this.#count, new Float64Array(room));
    this.#sumX = wider(this.#sumX, new Float64Array(room));
    this.#sumY = wider(this.#sumY, new Float64Array(room));
  }
}
