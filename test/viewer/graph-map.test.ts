// The graph, local first: the map, a neighbourhood with its depth, everything in groups; and the parts that find places and groups.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { communitiesOf } from '../../viewer/src/graph/communities.ts';
import { groupsOf, groupWith, linksBetween, membersOnly } from '../../viewer/src/graph/graph-groups.ts';
import type { GraphModel, GraphNode } from '../../viewer/src/graph/graph-model.ts';
import { beyond, type Disc, discRadius, intoDisc, packDiscs } from '../../viewer/src/graph/group-places.ts';
import { type Box, spread } from '../../viewer/src/graph/spread-labels.ts';
import { describeViewer, expectClean, visit } from './stage.ts';

describe('places and groups', () => {
  it('push names apart wherever there is room', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 700 })), { maxLength: 20 }),
        (places) => {
          const boxes: Box[] = places.map(([x, y]) => ({ x, y, width: 60, height: 20 }));
          spread(boxes, { width: 1000, height: 700 });
          for (const box of boxes) {
            expect(box.x).toBeGreaterThanOrEqual(29);
            expect(box.x).toBeLessThanOrEqual(971);
          }
        },
      ),
    );
    const two: Box[] = [
      { x: 100, y: 100, width: 60, height: 20 },
      { x: 105, y: 104, width: 60, height: 20 },
    ];
    spread(two, { width: 400, height: 400 });
    expect(Math.abs(two[0]!.y - two[1]!.y) >= 20 || Math.abs(two[0]!.x - two[1]!.x) >= 60).toBe(true);
  });

  it('lay discs of groups apart, wherever they began, and what is in none around them', () => {
    const at = fc.double({ min: -500, max: 500, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(at, at, fc.integer({ min: 4, max: 400 })), { minLength: 1, maxLength: 25 }),
        (all) => {
          const discs: Disc[] = all.map(([x, y, members]) => ({ x, y, r: discRadius(members) }));
          packDiscs(discs);
          for (const [place, one] of discs.entries())
            for (const other of discs.slice(place + 1))
              expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan((one.r + other.r) * 0.98);
          for (const turn of [0, 1, 2, 3, 4, 5, 6]) {
            const { x, y } = beyond(discs, turn);
            for (const disc of discs) expect(Math.hypot(disc.x - x, disc.y - y)).toBeGreaterThan(disc.r);
          }
          const [disc] = discs as [Disc];
          for (const { x, y } of intoDisc(
            [
              { x: 0, y: 0 },
              { x: 9, y: 1 },
              { x: 900, y: 3 },
            ],
            disc,
          ))
            expect(Math.hypot(x - disc.x, y - disc.y)).toBeLessThanOrEqual(disc.r * 1.001);
        },
      ),
    );
  });

  it('find the groups that a hub joins, named by their best linked, and leave out who is alone', () => {
    // Two of five that all know each other, a hub between them, and one that nobody knows.
    const five = [0, 1, 2, 3, 4];
    const clique = (first: number) =>
      five.flatMap((a) => five.filter((b) => b > a).map((b) => [first + a, first + b] as const));
    const edges = [...clique(0), ...clique(5), [10, 0], [10, 5], [1, 6]] as (readonly [number, number])[];
    const node = (at: number): GraphNode => ({
      at,
      ref: `idea:${at}`,
      project: '/p',
      title: `Node ${at}`,
      layer: 'trace',
      kind: 'decision',
      status: 'active',
      degree: edges.filter((edge) => edge.includes(at)).length,
    });
    const model: GraphModel = {
      nodes: Array.from({ length: 12 }, (_, at) => node(at)),
      edges: edges.map(([from, to]) => ({ from, to, relation: 'relates_to' })),
      kinds: [{ layer: 'trace', kind: 'decision', count: 12 }],
      total: { nodes: 12, edges: edges.length },
    };
    const [from, to] = [edges.map(([a]) => a), edges.map(([, b]) => b)];
    const groups = groupsOf(model, communitiesOf(12, from, to));
    expect(groups).toHaveLength(2);
    expect(groups.flatMap(({ members }) => members).includes(11)).toBe(false);
    expect(groups.map(({ title }) => title).sort()).toEqual(['Node 0', 'Node 5']);
    expect(linksBetween(model, groups)).toEqual([{ from: 0, to: 1, links: 1 }]);
    const inside = membersOnly(model, groups[0]!, 3);
    expect(inside.nodes.map(({ at }) => at)).toEqual([0, 1, 2]);
    expect(inside.edges.every(({ from: a, to: b }) => a < 3 && b < 3)).toBe(true);
    expect(inside.total.nodes).toBe(groups[0]!.members.length);
    expect(groupWith(groups, model, 'idea:7')?.title).toBe('Node 5');
    // Two of one name are told apart: the second is called by another of its members.
    const alike = { ...model, nodes: model.nodes.map((each) => (each.degree > 4 ? { ...each, title: 'Hub' } : each)) };
    const names = groupsOf(alike, communitiesOf(12, from, to)).map(({ title }) => title);
    expect(new Set(names).size).toBe(2);
  });

  it('find two groups that hang together by one line', () => {
    const [from, to] = [
      [0, 0, 1, 3, 3, 4, 2],
      [1, 2, 2, 4, 5, 5, 3],
    ];
    const group = communitiesOf(6, from!, to!);
    expect(new Set([group[0], group[1], group[2]]).size).toBe(1);
    expect(new Set([group[3], group[4], group[5]]).size).toBe(1);
  });

  it('give every node a group, the same each time', () => {
    const edge = fc.tuple(fc.nat(29), fc.nat(29));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 80 }), (edges) => {
        const sides = [edges.map(([a]) => a), edges.map(([, b]) => b)] as const;
        const once = communitiesOf(30, ...sides);
        expect(once).toHaveLength(30);
        expect(communitiesOf(30, ...sides)).toEqual(once);
      }),
    );
  });
});

describeViewer('the graph, local first', (stage) => {
  it('lands on a map of few named nodes with the shapes of the legend, and goes on from node to node', async () => {
    const visited = await visit(stage, { hash: '#/graph' });
    const { page } = visited;
    await page.waitForSelector('.map-place svg');
    const nodes = page.locator('.map-node');
    await page.waitForSelector('[data-state="drawn"]');
    expect(await nodes.count()).toBeGreaterThan(8);
    expect(await nodes.count()).toBeLessThanOrEqual(40);
    expect(await page.locator('.map-node text').count()).toBeGreaterThanOrEqual(await nodes.count());
    for (const [layer, shape] of [
      ['record', 'circle'],
      ['entity', 'path'],
      ['note', 'rect.map-shape'],
    ] as const)
      expect(await page.locator(`.map-node[data-layer="${layer}"] ${shape}`).count(), layer).toBeGreaterThan(0);
    await page.locator('.map-node[data-layer="record"]').first().press('Enter');
    await page.waitForSelector('#focus-title');
    const near = await nodes.count();
    await page.selectOption('#near', '2');
    await page.waitForFunction((before) => document.querySelectorAll('.map-node').length > before, near);
    await page.goBack();
    await page.goBack();
    await page.waitForSelector('#graph-search');
    expect(await page.locator('.map-node[data-focus="true"]').count()).toBe(0);
    expectClean(visited, stage);
  });

  it('shows everything as groups, opens one, goes on to what is around a node, and back step by step', async () => {
    const visited = await visit(stage, { hash: '#/graph?all=true' });
    const { page } = visited;
    await page.waitForSelector('svg[data-state="drawn"]');
    const bubbles = page.locator('.bubble');
    expect(await bubbles.count()).toBeGreaterThan(3);
    const sizes = (await page.locator('.bubble-count').allTextContents()).map(Number);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a)); // the largest are those that have room
    const listed = await page.locator('section[aria-labelledby="groups-title"] [data-row]').count();
    expect(listed).toBeGreaterThanOrEqual(sizes.length);
    expect(await page.textContent('[aria-label="Size and export"]')).toMatch(/are here/);
    const title = await page.locator('section[aria-labelledby="groups-title"] [data-row]').first().textContent();
    await bubbles.first().press('Enter');
    await page.waitForFunction((wanted) => document.querySelector('#group-title')?.textContent === wanted, title);
    await page.waitForSelector('[data-state="drawn"] .map-node');
    expect(await page.locator('.map-node').count()).toBeLessThanOrEqual(sizes[0]!);
    await page.locator('.map-node').first().press('Enter');
    await page.waitForSelector('#focus-title');
    expect(page.url()).not.toContain('all=');
    await page.goBack();
    await page.waitForSelector('#group-title');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.bubble');
    await page.fill('#graph-search', 'hold seats ten minutes');
    await page.locator('.graph-rows button', { hasText: 'Hold seats in Redis' }).first().click();
    await page.waitForSelector('#focus-title');
    expectClean(visited, stage);
  });

  it('lets no name lie on another one, at any width', async () => {
    for (const width of [360, 1440]) {
      const { page } = await visit(stage, { hash: '#/graph?all=true', width });
      await page.waitForSelector('svg[data-state="drawn"]');
      const boxes = await page
        .locator('.bubble .map-ground')
        .evaluateAll((all) =>
          all.map((each) => ['x', 'y', 'width', 'height'].map((name) => Number(each.getAttribute(name)))),
        );
      const covered = boxes.filter(([x, y, wide, high], at) =>
        boxes
          .slice(at + 1)
          .some(
            ([a, b, w, h]) =>
              Math.min(x! + wide!, a! + w!) - Math.max(x!, a!) > 2 &&
              Math.min(y! + high!, b! + h!) - Math.max(y!, b!) > 2,
          ),
      );
      expect(covered, String(width)).toEqual([]);
      await page.context().close();
    }
  });
});
