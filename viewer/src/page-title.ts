// The title of the window: what is open, then the page. A tab that is one of twenty is found by it.

import { useEffect, useLayoutEffect } from 'preact/hooks';
import { dayIn, type Route } from './route.ts';
import { plainDay } from './wording.ts';

const MOST = 80;

const titled = (...parts: readonly string[]): string =>
  `${parts.map((part) => (part.length > MOST ? `${part.slice(0, MOST).trimEnd()}…` : part)).join(' – ')} · Cairn`;

/** What the address alone says. */
export function titleOf({ page, params }: Route, name: string): string {
  const q = params.get('q');
  const day = dayIn(params);
  if (page === 'search' && q) return titled(q, name);
  if ((page === 'conversations' || page === 'injections') && day) return titled(plainDay(day), name);
  if (page === 'injections' && params.get('try') !== null) return titled('What would be told?', name);
  if (page === 'graph' && params.get('all') !== null) return titled('Everything', name);
  return titled(name);
}

/** Before the effects of what is on the page: it may know better. */
export function useRouteTitle(route: Route, name: string): void {
  useLayoutEffect(() => {
    document.title = titleOf(route, name);
  }, [route, name]);
}

/** Of what is open on the page, as soon as it is there. */
export function usePageTitle(...parts: readonly string[]): void {
  useEffect(() => {
    document.title = titled(...parts);
  }, [parts.join('\n'), location.hash]);
}
