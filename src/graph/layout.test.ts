import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BarnesHut } from './barnes-hut.ts';
import { type Drawn, layOut, type Places } from './layout.ts';

function run(drawn: Drawn): Places {
  const work = layOut(drawn);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

const graph = fc.integer({ min: 0, max: 60 }).chain((nodes) => {
  const end = fc.nat({ max: Math.max(0, nodes - 1) });
  return fc
    .array(fc.tuple(end, end), { maxLength: nodes === 0 ? 0 : 120 })
    .map((edges) => ({ nodes, from: edges.map(([from]) => from), to: edges.map(([, to]) => to) }));
});

const distance = ({ x, y }: Places, a: number, b: number): number => Math.hypot(x[a]! - x[b]!, y[a]! - y[b]!);

describe('the layout of a graph', () => {
  it('gives every node a place within the extent, whatever is linked with what', () => {
    fc.assert(
      fc.property(graph, (drawn) => {
        const { x, y } = run(drawn);
        expect([x.length, y.length]).toEqual([drawn.nodes, drawn.nodes]);
        for (const value of [...x, ...y]) expect(Math.abs(value)).toBeLessThanOrEqual(1_000.000001);
      }),
      { numRuns: 60 },
    );
  });

  it('is the same for the same graph', () => {
    fc.assert(
      fc.property(graph, (drawn) => {
        expect(run(drawn)).toEqual(run(drawn));
      }),
      { numRuns: 30 },
    );
  });

  it('gives no two nodes the same place', () => {
    fc.assert(
      fc.property(graph, (drawn) => {
        const { x, y } = run(drawn);
        expect(new Set([...x].map((value, at) => `${value} ${y[at]}`)).size).toBe(drawn.nodes);
      }),
      { numRuns: 60 },
    );
  });

  it('sets two groups that hardly know each other apart', () => {
    const within = (first: number): [number, number][] =>
      Array.from({ length: 12 }, (_, a) =>
        Array.from({ length: a }, (_, b): [number, number] => [first + a, first + b]),
      ).flat();
    const edges: [number, number][] = [...within(0), ...within(12), [0, 12]];
    const places = run({ nodes: 24, from: edges.map(([from]) => from), to: edges.map(([, to]) => to) });
    const mean = (pairs: [number, number][]): number =>
      pairs.reduce((sum, [a, b]) => sum + distance(places, a, b), 0) / pairs.length;
    const across = Array.from({ length: 12 }, (_, a): [number, number] => [a, 12 + a]);
    expect(mean(within(0))).toBeLessThan(mean(across));
  });

  it('comes in steps, so that others get their turn', () => {
    const work = layOut({ nodes: 500, from: [0, 1, 2], to: [1, 2, 3] });
    let steps = 0;
    while (!work.next().done) steps++;
    expect(steps).toBeGreaterThan(10);
  });
});

describe('what a crowd pushes', () => {
  it('is close to what each pair would push by itself', () => {
    const x = Float64Array.from({ length: 200 }, (_, at) => Math.cos(at * 2.4) * Math.sqrt(at));
    const y = Float64Array.from({ length: 200 }, (_, at) => Math.sin(at * 2.4) * Math.sqrt(at));
    const push = new BarnesHut(x, y).pushes();
    let [off, all] = [0, 0];
    for (let node = 0; node < 200; node++) {
      let [exactX, exactY] = [0, 0];
      for (let other = 0; other < 200; other++) {
        if (other === node) continue;
        const [dx, dy] = [x[node]! - x[other]!, y[node]! - y[other]!];
        exactX += dx / (dx * dx + dy * dy);
        exactY += dy / (dx * dx + dy * dy);
      }
      off += Math.hypot(push.x[node]! - exactX, push.y[node]! - exactY);
      all += Math.hypot(exactX, exactY);
    }
    expect(off / all).toBeLessThan(0.2);
  });

  it('ends for a thousand nodes at one place', () => {
    const push = new BarnesHut(new Float64Array(1_000), new Float64Array(1_000)).pushes();
    expect([...push.x, ...push.y].every(Number.isFinite)).toBe(true);
  });
});
