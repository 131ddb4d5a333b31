// The parts of the page that compute: the scale of time, the form's difference, the exported picture, colours for any kind.

import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAGE_LIMIT, pageSize } from '../../scripts/build-viewer.mjs';
import type { FormField, GraphAnswer } from '../../src/viewer-api/protocol.ts';
import { graphSvg } from '../../viewer/src/graph/graph-export.ts';
import { graphModel, neighbours, seen } from '../../viewer/src/graph/graph-model.ts';
import { hueOf } from '../../viewer/src/kind-colours.ts';
import { type Draft, recordEdit, tidy } from '../../viewer/src/memory/drafts.ts';
import { plainScale, squeezedScale } from '../../viewer/src/timeline/time-scale.ts';
import { pan, placeOf, ticks, zoom } from '../../viewer/src/timeline/time-window.ts';

const HOUR = 3_600_000;
const moments = fc.integer({ min: 0, max: 10_000 * HOUR });
const talks = fc.array(
  fc.tuple(moments, fc.integer({ min: 0, max: 9 * HOUR })).map(([from, length]) => ({ from, to: from + length })),
  { minLength: 1, maxLength: 30 },
);

describe('the scale of the timeline', () => {
  it('keeps the order of moments, can be read both ways, and never makes time longer', () => {
    fc.assert(
      fc.property(talks, moments, moments, (times, a, b) => {
        const scale = squeezedScale(times);
        const [early, late] = [Math.min(a, b), Math.max(a, b)];
        expect(scale.place(late)).toBeGreaterThanOrEqual(scale.place(early));
        expect(scale.place(late) - scale.place(early)).toBeLessThanOrEqual(late - early + 2 * times.length);
        expect(Math.abs(scale.time(scale.place(a)) - a)).toBeLessThan(1 + 10_000 * HOUR * 1e-6);
      }),
    );
  });

  it('zooms around a place that stays, and stays near what there is', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.2, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (factor, at) => {
          const room = { whole: { from: 0, to: 1000 * HOUR }, scale: plainScale };
          const window = { from: 200 * HOUR, to: 700 * HOUR };
          const next = zoom(window, factor, room, at);
          expect(next.from + (next.to - next.from) * at).toBeCloseTo(window.from + (window.to - window.from) * at, -3);
          const moved = pan(next, 50, room);
          expect((moved.from + moved.to) / 2).toBeLessThanOrEqual(room.whole.to + 1);
        },
      ),
    );
  });

  it('puts its marks apart and inside', () => {
    fc.assert(
      fc.property(talks, (times) => {
        const scale = squeezedScale(times);
        const window = { from: scale.busy[0]!.from - HOUR, to: scale.busy.at(-1)!.to + HOUR };
        const places = ticks(window, scale, 0.1).map(({ at }) => placeOf(window, at, scale));
        for (const [index, place] of places.entries()) {
          expect(place).toBeGreaterThanOrEqual(0);
          expect(place).toBeLessThanOrEqual(1);
          if (index > 0) expect(place - places[index - 1]!).toBeGreaterThanOrEqual(0.0999);
        }
      }),
    );
  });
});

describe('what a form sends', () => {
  const fields: FormField[] = [
    { name: 'context', type: 'text', required: true },
    { name: 'rationale', type: 'lines', required: true },
    { name: 'consequences', type: 'lines', required: false },
  ];
  const start = {
    title: 'T',
    tags: ['a'],
    relatedFiles: [],
    content: { context: 'c', rationale: ['r'], consequences: ['x'] },
    summary: '',
  };
  const draft = (values: object): Draft => ({
    version: 'v',
    start,
    values: tidy({ ...start, ...values }) as Draft['values'],
  });

  it('is nothing where nothing changed', () => {
    expect(recordEdit(draft({}), fields)).toEqual({});
  });

  it('is the changed fields alone, without lines that were left empty', () => {
    const content = { ...start.content, rationale: ['r', '', 's'] };
    expect(recordEdit(draft({ content, tags: ['a', 'b'] }), fields)).toEqual({
      tags: ['a', 'b'],
      content: { rationale: ['r', 's'] },
    });
  });

  it('takes an emptied optional field out, and leaves a required one for the server to refuse', () => {
    const content = { context: '', rationale: ['r'], consequences: [''] };
    expect(recordEdit(draft({ content }), fields)).toEqual({ content: { context: '', consequences: null } });
  });
});

const answer: GraphAnswer = {
  nodes: {
    ref: ['record:a', 'note:b', 'idea:c'],
    title: ['<script>alert("&")</script>', 'b', 'c\u0000'],
    kind: [0, 1, 1],
    project: [0, 0, 0],
    status: [0, 0, 0],
    degree: [1, 2, 1],
    depth: [],
  },
  edges: { from: [0, 1], to: [1, 2], relation: [0, 0] },
  kinds: [
    { layer: 'record', kind: 'decision' },
    { layer: 'note', kind: 'task' },
  ],
  projects: ['p'],
  statuses: ['active'],
  relations: ['related'],
  total: { nodes: 3, edges: 2 },
  tookMs: 1,
};

describe('the graph', () => {
  const model = graphModel(answer);
  const colours = {
    ground: '#fff',
    text: '#000',
    line: '#ccc',
    strongLine: '#888',
    faint: '#eee',
    kind: () => '#123456',
  };

  it('finds neighbours in both directions', () => {
    expect(neighbours(model, 1).map(({ node, direction }) => [node.ref, direction])).toEqual([
      ['record:a', 'in'],
      ['idea:c', 'out'],
    ]);
  });

  it('is exported as a picture in which titles are text', () => {
    const all = seen(model, { hidden: new Set(), search: '', focus: undefined, isNear: false });
    const svg = graphSvg({ model, places: { x: Float32Array.of(0, 1, 2), y: Float32Array.of(0, 1, 2) } }, all, colours);
    expect(svg).toContain('&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;');
    expect(svg).not.toMatch(/<script|\u0000/);
    expect(svg.match(/<circle/g)).toHaveLength(3);
  });

  it('leaves out what is hidden, and marks what is searched for', () => {
    const look = seen(model, { hidden: new Set(['note/task']), search: 'script', focus: undefined, isNear: false });
    expect([...look.shown]).toEqual([0]);
    expect([...look.strong]).toEqual([0]);
  });
});

/** Relative luminance of an oklch colour, clipped into sRGB as browsers do, near enough. */
function luminance(lightness: number, chroma: number, hue: number): number {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  return (
    0.2126 * clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) +
    0.7152 * clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) +
    0.0722 * clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  );
}

describe('the colour of a kind', () => {
  it('can be read on its own ground in both themes, whatever the kind is called', () => {
    const contrast = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 30 }), (name) => {
        const { h, c } = hueOf(name);
        expect(contrast(luminance(0.44, c, h), luminance(0.955, c * 0.25, h))).toBeGreaterThanOrEqual(4.5);
        expect(contrast(luminance(0.84, c * 0.8, h), luminance(0.29, c * 0.35, h))).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 400 },
    );
  });

  it('uses the numbers that the style has', () => {
    const css = fs
      .readFileSync(path.resolve(import.meta.dirname, '../../viewer/src/styles/tokens.css'), 'utf8')
      .replace(/\s+/g, ' ');
    expect(css).toContain(
      '--kind-text: light-dark(oklch(44% var(--c) var(--h)), oklch(84% calc(var(--c) * 0.8) var(--h)))',
    );
    expect(css).toContain('oklch(95.5% calc(var(--c) * 0.25) var(--h)), oklch(29% calc(var(--c) * 0.35) var(--h))');
  });
});

const BUILT = path.resolve(import.meta.dirname, '../../dist/viewer');

describe.skipIf(!fs.existsSync(BUILT))('the built page', () => {
  it('is small enough', () => {
    expect(pageSize(BUILT)).toBeLessThanOrEqual(PAGE_LIMIT);
  });

  it('names no other place and has nothing inline', () => {
    const html = fs.readFileSync(path.join(BUILT, 'index.html'), 'utf8');
    expect(html).not.toMatch(/https?:|<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
    for (const name of fs.readdirSync(path.join(BUILT, 'assets'))) {
      const text = fs.readFileSync(path.join(BUILT, 'assets', name), 'utf8');
      const places = [...text.matchAll(/https?:\/\/[\w.-]+[^\s"'`)]*/g)].map(([place]) => place);
      // Names of XML, and one address in a message of a library; nothing that is fetched.
      expect(places.filter((place) => !place.startsWith('http://www.w3.org/'))).toEqual([]);
    }
  });

  it('carries the licences of what it is made of', () => {
    const text = fs.readFileSync(path.join(BUILT, 'LICENSES.txt'), 'utf8');
    for (const name of ['preact', 'sigma', 'graphology']) expect(text).toContain(name);
  });
});
