// Every route of the contract: reads what is asked, makes one call, gives back the answer. The types hold both ends together.

import { CairnError } from '../../errors.ts';
import { actMore, forgetPlan } from '../../viewer-api/act-more.ts';
import { act } from '../../viewer-api/actions.ts';
import { graphOf } from '../../viewer-api/graph.ts';
import { healthOf } from '../../viewer-api/health.ts';
import { injectionsOf, rehearse } from '../../viewer-api/injections.ts';
import { journalOf } from '../../viewer-api/journal.ts';
import { kindsOf } from '../../viewer-api/kinds.ts';
import { mapOf } from '../../viewer-api/map.ts';
import { memoryPage } from '../../viewer-api/memory-page.ts';
import { exportNeighbourhood, neighbourhoodOf } from '../../viewer-api/neighbourhood.ts';
import { overviewOf } from '../../viewer-api/overview.ts';
import { type Contract, ROUTES } from '../../viewer-api/protocol.ts';
import { reviewOf } from '../../viewer-api/review.ts';
import { exportList, exportSearch, fileToOpen, listOf, type Search, searchFor } from '../../viewer-api/search.ts';
import { settingsOf } from '../../viewer-api/settings.ts';
import { spanPage, timelineOf, transcriptOf } from '../../viewer-api/timeline.ts';
import { todayOf } from '../../viewer-api/today.ts';
import type { View, Viewer } from '../../viewer-api/viewer.ts';
import { openEditor } from './open-browser.ts';
import { actionIn, moreIn } from './read-action.ts';
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
  today: (viewer, { query }) =>
    viewer.use((view) => todayOf(view, present({ project: query.text('project'), since: query.time('since') }))),
  journal: (viewer, { query }) =>
    viewer.use((view) =>
      journalOf(view, {
        limit: query.number('limit', { least: 1, most: 200, usual: 25 }),
        ...present({
          project: query.text('project'),
          day: dayIn(query),
          session: query.text('session'),
          cursor: query.text('cursor'),
        }),
      }),
    ),
  search: (viewer, { query }) => viewer.use((view) => searchFor(view, searchIn(query))),
  review: (viewer) => viewer.use(reviewOf),
  forgetPlan: (viewer, { query }) => viewer.use((view) => forgetPlan(view, query.required('ref'))),
  settings: (viewer) => viewer.use(settingsOf),
  exportList: (viewer, { query }) => viewer.use((view) => exportList(view, query.list('refs') ?? [])),
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
    const given = new Body(body);
    if (given.text('action') === 'open') return openFile(viewer, given.text('ref'), given.maybeText('project'));
    const more = moreIn(given);
    const run: (view: View) => Promise<Contract['act']['answer']> = more
      ? (view) => actMore(view, more)
      : acting(given);
    try {
      return await viewer.use(run);
    } finally {
      viewer.touch();
    }
  },
  rehearsal: (viewer, { query }) => viewer.use((view) => rehearse(view, query.required('prompt'))),
  injections: (viewer, { query }) =>
    viewer.use((view) =>
      injectionsOf(view, {
        limit: query.number('limit', { least: 1, most: 200, usual: 30 }),
        ...present({
          ref: query.text('ref'),
          project: query.text('project'),
          session: query.text('session'),
          day: dayIn(query),
          silent: query.isSet('silent') || undefined,
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
  map: (viewer, { query }) => viewer.use((view) => mapOf(view, query.text('project'))),
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

const dayIn = (query: Query): string | undefined => (DAY.test(query.text('day') ?? '') ? query.text('day') : undefined);

/** Read before anything is opened: what is wrong with it is said at once. */
function acting(given: Body): (view: View) => Promise<Contract['act']['answer']> {
  const action = actionIn(given);
  return (view) => act(view, action);
}

/** The file is the one that the memory lies in, never one that the page names. */
async function openFile(viewer: Viewer, ref: string, project: string | undefined): Promise<Contract['act']['answer']> {
  const { file, ...named } = await viewer.use((view) => fileToOpen(view, ref, project));
  const isOpen = await openEditor(file, process.env);
  if (!isOpen) throw new CairnError('IO_ERROR', `No program opened ${file}.`, { fix: 'Open it yourself.' });
  return { ...named, status: 'opened', message: `Opened ${file}.`, notes: [], version: null, undo: null };
}

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
