// Which page is shown, in the part of the address behind `#`: the server needs to know one address only, and going back works.

import { useEffect, useState } from 'preact/hooks';

export const PAGES = ['overview', 'search', 'graph', 'timeline', 'memory', 'injections'] as const;
export type PageName = (typeof PAGES)[number];
export type Route = { readonly page: PageName; readonly params: URLSearchParams };

export function readRoute(hash = location.hash): Route {
  const [name = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const page = PAGES.find((each) => each === name) ?? 'overview';
  return { page, params: new URLSearchParams(query) };
}

type Params = { readonly [name: string]: string | number | undefined };

/** The address of a page; what is empty or undefined is left out. */
export function hrefOf(page: PageName, params: Params = {}): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `#/${page}${query ? `?${query}` : ''}`;
}

export function goTo(page: PageName, params: Params = {}): void {
  location.hash = hrefOf(page, params);
}

/** The same place with other words: no step to go back to. */
export function replaceRoute(page: PageName, params: Params = {}): void {
  const href = hrefOf(page, params);
  if (href === location.hash) return;
  history.replaceState(null, '', href);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Some words of the address changed, the others as they are now: two changes may follow each other before anything is drawn. */
export function changeParams(changes: Params): void {
  const { page, params } = readRoute();
  replaceRoute(page, { ...Object.fromEntries(params), ...changes });
}

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const changed = () => setRoute(readRoute());
    window.addEventListener('hashchange', changed);
    return () => window.removeEventListener('hashchange', changed);
  }, []);
  return route;
}
