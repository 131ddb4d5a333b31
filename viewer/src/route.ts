// Which page is shown, in the part of the address behind `#`: the server needs to know one address only, and going back works. The
// chosen project goes along to every page; where a step of the history was scrolled to is known when it is gone back to.

import { useEffect, useState } from 'preact/hooks';

export const PAGES = [
  'today',
  'conversations',
  'search',
  'memory',
  'graph',
  'timeline',
  'injections',
  'review',
  'settings',
] as const;
export type PageName = (typeof PAGES)[number];
export type Route = { readonly page: PageName; readonly params: URLSearchParams };

export function readRoute(hash = location.hash): Route {
  const [name = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const page = PAGES.find((each) => each === name) ?? 'today';
  return { page, params: new URLSearchParams(query) };
}

/** The day that the address names, if it is one. */
export function dayIn(params: URLSearchParams): string | undefined {
  const day = params.get('day') ?? '';
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(`${day}T12:00:00`)) ? day : undefined;
}

type Params = { readonly [name: string]: string | number | undefined };

/** The address of a page in the chosen project; what is empty or undefined is left out. */
export function hrefOf(page: PageName, params: Params = {}): string {
  const project = readRoute().params.get('project') ?? undefined;
  const given = Object.entries({ ...params, project: 'project' in params ? params.project : project });
  const query = new URLSearchParams(
    given.filter(([, value]) => value !== undefined && value !== '').map(([name, value]) => [name, String(value)]),
  ).toString();
  return `#/${page}${query ? `?${query}` : ''}`;
}

/** A step that can be gone back from. */
export function goTo(page: PageName, params: Params = {}): void {
  const href = hrefOf(page, params);
  if (href !== location.hash) location.hash = href;
}

/** The same place with other words: no step to go back to. */
export function replaceRoute(page: PageName, params: Params = {}): void {
  const href = hrefOf(page, params);
  if (href === location.hash) return;
  history.replaceState(history.state, '', href);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Some words of the address changed, the others as they are now: two changes may follow each other before anything is drawn. */
const changed = (changes: Params): Params => ({ ...Object.fromEntries(readRoute().params), ...changes });

/** Something was chosen: going back takes it back. */
export const changeParams = (changes: Params): void => goTo(readRoute().page, changed(changes));

/** Something is being typed: going back leaves the page. */
export const retypeParams = (changes: Params): void => replaceRoute(readRoute().page, changed(changes));

/** What names one thing of one project, and nothing of another. */
const OF_ONE_PROJECT = [
  'ref',
  'of',
  'focus',
  'focusProject',
  'near',
  'group',
  'span',
  'spanProject',
  'session',
  'cursor',
];

/** Another project: the same page, without what was open of the one before. */
export function chooseProject(project: string | undefined): void {
  const gone = Object.fromEntries(OF_ONE_PROJECT.map((name) => [name, undefined]));
  changeParams({ ...gone, project });
}

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const seen = () => {
      markStep();
      setRoute(readRoute());
    };
    window.addEventListener('hashchange', seen);
    return () => window.removeEventListener('hashchange', seen);
  }, []);
  return route;
}

// ---- Where the steps of the history were scrolled to

type Step = { readonly step: string };
const scrolled = new Map<string, number>();
let steps = 0;

const stepNow = (): string | undefined => (history.state as Step | null)?.step;

function markStep(): void {
  if (stepNow() === undefined) history.replaceState({ step: `${Date.now()} ${steps++}` }, '', location.href);
}

/** Once, when the page starts: the browser would restore before anything is there to scroll. */
export function rememberScroll(): void {
  history.scrollRestoration = 'manual';
  markStep();
  window.addEventListener(
    'scroll',
    () => {
      const step = stepNow();
      if (step !== undefined) scrolled.set(step, window.scrollY);
    },
    { passive: true },
  );
}

const PATIENCE_MS = 1_500;

/** To where this step was left, as soon as it is long enough; to its beginning if it is new. */
export function scrollToStep(): void {
  const wanted = scrolled.get(stepNow() ?? '') ?? 0;
  const begun = performance.now();
  const own = stepNow();
  const again = () => {
    if (stepNow() !== own) return;
    window.scrollTo(0, wanted);
    if (Math.abs(window.scrollY - wanted) > 2 && performance.now() - begun < PATIENCE_MS) requestAnimationFrame(again);
  };
  again();
}
