// The frame around the pages: navigation, theme, the state of the stream, help, messages. Moves the focus when the page changes,
// so that a screen reader starts where the eye does.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { enter, ServerError } from './client.ts';
import { HelpDialog } from './help-dialog.tsx';
import { useKeys } from './keys.ts';
import { type LiveState, useAnswer, useLive } from './live.ts';
import { GraphPage } from './pages/graph-page.tsx';
import { InjectionsPage } from './pages/injections-page.tsx';
import { MemoryPage } from './pages/memory-page.tsx';
import { OverviewPage } from './pages/overview-page.tsx';
import { SearchPage } from './pages/search-page.tsx';
import { TimelinePage } from './pages/timeline-page.tsx';
import { PageIcon, ThemeIcon } from './parts/icons.tsx';
import { Failure } from './parts/states.tsx';
import { Registry } from './registry.tsx';
import { hrefOf, type PageName, type Route, useRoute } from './route.ts';
import { useTheme } from './theme.ts';
import { Toasts } from './toasts.tsx';

/** Named by its content, so that it is kept: browsers ask for a page's icon again whenever the address changes. */
const BRAND = new URL('./cairn.svg', import.meta.url).href;
const NAVIGATION: readonly { page: PageName; name: string }[] = [
  { page: 'overview', name: 'Overview' },
  { page: 'search', name: 'Search' },
  { page: 'graph', name: 'Graph' },
  { page: 'timeline', name: 'Timeline' },
  { page: 'memory', name: 'Memories' },
  { page: 'injections', name: 'Injections' },
];
const LIVE_WORDS: { readonly [state in LiveState]: string } = {
  starting: 'Connecting',
  on: 'Live',
  lost: 'Connection lost',
};
const THEME_WORDS = { system: 'System theme', light: 'Light theme', dark: 'Dark theme' } as const;

export function App() {
  const [door, setDoor] = useState<'opening' | 'open' | ServerError>('opening');
  useEffect(() => {
    enter().then(
      () => setDoor('open'),
      (error: unknown) => setDoor(error instanceof ServerError ? error : 'open'),
    );
  }, []);
  if (door === 'opening') return null;
  if (door === 'open') return <Frame />;
  return (
    <main>
      <h1>Cairn</h1>
      <Failure error={door} />
    </main>
  );
}

function Frame() {
  const route = useRoute();
  const live = useLive();
  const { data: registry, error } = useAnswer('kinds', {});
  const [helping, setHelping] = useState(false);
  const help = useCallback(() => setHelping(true), []);
  const main = useRef<HTMLElement>(null);
  useKeys({ help });
  useFocusOnChange(route, main);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <div class="frame">
        <Side page={route.page} project={registry?.project.name ?? ''} live={live} help={help} />
        <main id="main" tabIndex={-1} ref={main} class={isWide(route) ? 'wide' : ''}>
          {error && !registry ? (
            <>
              <h1>Cairn</h1>
              <Failure error={error} />
            </>
          ) : (
            registry && (
              <Registry.Provider value={registry}>
                <Page route={route} />
              </Registry.Provider>
            )
          )}
        </main>
      </div>
      {helping && <HelpDialog close={() => setHelping(false)} />}
      <Toasts />
    </>
  );
}

const isWide = ({ page }: Route): boolean => page === 'graph' || page === 'timeline';

function useFocusOnChange(route: Route, main: { current: HTMLElement | null }): void {
  const place = `${route.page} ${route.params.get('ref') ?? ''}`;
  const before = useRef(place);
  useEffect(() => {
    const name = NAVIGATION.find(({ page }) => page === route.page)?.name ?? '';
    document.title = `${name} · Cairn`;
    if (before.current === place) return;
    before.current = place;
    window.scrollTo(0, 0);
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [place, route.page, main]);
}

function Page({ route }: { route: Route }) {
  const { page, params } = route;
  if (page === 'search') return <SearchPage params={params} />;
  if (page === 'graph') return <GraphPage params={params} />;
  if (page === 'timeline') return <TimelinePage params={params} />;
  if (page === 'memory') return <MemoryPage params={params} />;
  if (page === 'injections') return <InjectionsPage params={params} />;
  return <OverviewPage params={params} />;
}

type SideProps = { page: PageName; project: string; live: LiveState; help: () => void };

function Side({ page, project, live, help }: SideProps) {
  const { theme, next } = useTheme();
  return (
    <header class="side">
      <a class="brand" href={hrefOf('overview')}>
        <img src={BRAND} alt="" />
        <span>
          <strong>Cairn</strong>
          <span title={project}>{project || 'memory'}</span>
        </span>
      </a>
      <nav aria-label="Pages">
        <ul class="pages">
          {NAVIGATION.map(({ page: each, name }) => (
            <li key={each}>
              <a href={hrefOf(each)} aria-current={each === page ? 'page' : undefined}>
                <PageIcon page={each} />
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="tools">
        <p class="live" data-state={live} title={LIVE_WORDS[live]}>
          <span>{LIVE_WORDS[live]}</span>
        </p>
        <button type="button" class="quiet" onClick={next} title="Change the theme">
          <ThemeIcon />
          <span class="word">{THEME_WORDS[theme]}</span>
        </button>
        <button type="button" class="quiet" onClick={help}>
          <kbd>?</kbd>
          <span class="word">Keys and help</span>
        </button>
      </div>
    </header>
  );
}
