// Every route of the contract: reads what is asked, makes one call, gives back the answer. The types hold both ends together.

import { act } from '../../viewer-api/actions.ts';
import { graphOf } from '../../viewer-api/graph.ts';
import { injectionsOf } from '../../viewer-api/injections.ts';
import { kindsOf } from '../../viewer-api/kinds.ts';
import { memoryPage } from '../../viewer-api/memory-page.ts';
import { exportNeighbourhood, neighbourhoodOf } from '../../viewer-api/neighbourhood.ts';
import { healthOf, overviewOf } from '../../viewer-api/overview.ts';
import { type Contract, ROUTES } from '../../viewer-api/protocol.ts';
import { exportSearch, listOf, type Search, searchFor } from '../../viewer-api/search.ts';
import { spanPage, timelineOf, transcriptOf } from '../../viewer-api/timeline.ts';
import type { Viewer } from '../../viewer-api/viewer.ts';
import { actionIn } from './read-action.ts';
import { Body, present, type Query } from './read-query.ts';

/** What needs no stream and no code. */
export type RouteName = Exclude<keyof typeof ROUTES, 'changes' | 'enter'>;
type Given = { readonly query: Query; readonly body: unknown };
type Routes = { readonly [name in RouteName]: (viewer: Viewer, given: Given) => Promise<Contract[name]['answer']> };

const LAYERS = ['record', 'note', 'trace'] as const;
const DAY = /^\d{4}-\d\d-\d\d$/;

export const HANDLERS: Routes = {
  kinds: (viewer) => viewer.use(kindsOf),
  overview: (viewer, { query }) => viewer.use((view) => overviewOf(view, query.text('project'))),
  health: (viewer) => viewer.use(healthOf),
  search: (viewer, { query }) => viewer.use((view) => searchFor(view, searchIn(query))),
  exportSearch: (viewer, { query }) => viewer.use((view) => exportSearch(view, searchIn(query))),
  list: (viewer, { query }) =>
    viewer.use((view) =>
      listOf(view, {
        limit: query.number('limit', { least: 1, most: 500, usual: 50 }),
        ...present({
          project: query.text('project'),
          layers: query.list('layers'),
          kinds: query.list('kinds'),
          statuses: query.list('statuses'),
          entity: query.text('entity'),
          session: query.text('session'),
          order: query.oneOf('order', ['newest', 'oldest', 'updated']),
          cursor: query.text('cursor'),
        }),
      }),
    ),
  memory: (viewer, { query }) => viewer.use((view) => memoryPage(view, query.required('ref'), query.text('project'))),
  act: async (viewer, { body }) => {
    const action = actionIn(new Body(body));
    try {
      return await viewer.use((view) => act(view, action));
    } finally {
      viewer.touch();
    }
  },
  injections: (viewer, { query }) =>
    viewer.use((view) =>
      injectionsOf(view, {
        limit: query.number('limit', { least: 1, most: 200, usual: 30 }),
        ...present({
          ref: query.text('ref'),
          project: query.text('project'),
          session: query.text('session'),
          day: DAY.test(query.text('day') ?? '') ? query.text('day') : undefined,
          cursor: query.text('cursor'),
        }),
      }),
    ),
  graph: (viewer, { query }) =>
    viewer.use((view) =>
      graphOf(view, {
        limit: query.number('limit', { least: 1, most: 50_000, usual: 2_000 }),
        ...present({ project: query.text('project'), layers: query.list('layers'), kinds: query.list('kinds') }),
      }),
    ),
  neighbourhood: (viewer, { query }) => viewer.use((view) => neighbourhoodOf(view, aroundIn(query))),
  exportNeighbourhood: (viewer, { query }) => viewer.use((view) => exportNeighbourhood(view, aroundIn(query))),
  timeline: (viewer, { query }) =>
    viewer.use((view) =>
      timelineOf(view, {
        limit: query.number('limit', { least: 1, most: 500, usual: 60 }),
        ...present({ project: query.text('project'), from: query.time('from'), to: query.time('to') }),
      }),
    ),
  span: (viewer, { query }) => viewer.use((view) => spanPage(view, query.required('ref'), query.text('project'))),
  transcript: (viewer, { query }) =>
    viewer.use((view) =>
      transcriptOf(view, {
        ref: query.required('ref'),
        before: query.number('before', { least: 0, most: 50, usual: 6 }),
        after: query.number('after', { least: 0, most: 50, usual: 6 }),
        ...present({ project: query.text('project'), line: query.maybeNumber('line') }),
      }),
    ),
};

function searchIn(query: Query): Search {
  const layers = query.list('layers')?.filter((each) => (LAYERS as readonly string[]).includes(each));
  const kinds = [...(query.list('kinds') ?? []), ...(query.list('intents') ?? [])];
  return {
    q: query.text('q') ?? '',
    limit: query.number('limit', { least: 1, most: 200, usual: 20 }),
    archived: query.isSet('archived'),
    ...present({
      project: query.text('project'),
      layers: layers && layers.length > 0 ? layers : undefined,
      kinds: kinds.length > 0 ? kinds : undefined,
      since: query.time('since'),
      until: query.time('until'),
      session: query.text('session'),
    }),
  };
}

function aroundIn(query: Query) {
  return {
    ref: query.required('ref'),
    depth: query.number('depth', { least: 1, most: 3, usual: 1 }),
    limit: query.number('limit', { least: 1, most: 5_000, usual: 300 }),
    ...present({ project: query.text('project') }),
  };
}

const PATHS = new Map(Object.entries(ROUTES).map(([name, { path }]) => [path as string, name as keyof typeof ROUTES]));

export const routeAt = (path: string): keyof typeof ROUTES | undefined => PATHS.get(path);
