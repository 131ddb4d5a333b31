// The frame around the pages: navigation, theme, the state of the stream, help, messages. Moves the focus when the page changes,
// so that a screen reader starts where the eye does.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Kinds } from '../../src/viewer-api/protocol.ts';
import { enter, ServerError, takeToken } from './client.ts';
import { HelpDialog } from './help-dialog.tsx';
import { useKeys } from './keys.ts';
import { type LiveState, useAnswer, useLive } from './live.ts';
import { useRouteTitle } from './page-title.ts';
import { ConversationsPage } from './pages/conversations-page.tsx';
import { GraphPage } from './pages/graph-page.tsx';
import { InjectionsPage } from './pages/injections-page.tsx';
import { MemoryPage } from './pages/memory-page.tsx';
import { ReviewPage } from './pages/review-page.tsx';
import { SearchPage } from './pages/search-page.tsx';
import { SettingsPage } from './pages/settings-page.tsx';
import { TimelinePage } from './pages/timeline-page.tsx';
import { TodayPage } from './pages/today-page.tsx';
import { Palette } from './palette.tsx';
import { PageIcon, ThemeIcon } from './parts/icons.tsx';
import { LostServer } from './parts/lost-server.tsx';
import { NewMemory } from './parts/new-memory.tsx';
import { ScopeSelect } from './parts/scope-select.tsx';
import { Failure } from './parts/states.tsx';
import { Registry } from './registry.tsx';
import { hrefOf, type PageName, type Route, scrollToStep, useRoute } from './route.ts';
import { useTheme } from './theme.ts';
import { Toasts } from './toasts.tsx';
import { words } from './wording.ts';

/** Named by its content, so that it is kept: browsers ask for a page's icon again whenever the address changes. */
const BRAND = new URL('./cairn.svg', import.meta.url).href;
const NAVIGATION: readonly { page: PageName; name: string }[] = [
  { page: 'today', name: 'Today' },
  { page: 'conversations', name: 'Conversations' },
  { page: 'search', name: 'Search' },
  { page: 'memory', name: 'Memories' },
  { page: 'graph', name: 'Graph' },
  { page: 'injections', name: 'Injections' },
  { page: 'review', name: 'Review' },
  { page: 'settings', name: 'Settings' },
];
const LIVE_WORDS: { readonly [state in LiveState]: string } = {
  starting: 'Connecting',
  on: 'Live',
  lost: 'Connection lost',
  refused: 'Another server',
};
const THEME_WORDS = { system: 'System theme', light: 'Light theme', dark: 'Dark theme' } as const;

export function App() {
  const [door, setDoor] = useState<'opening' | 'open' | ServerError>('opening');
  const [round, setRound] = useState(0);
  useEffect(() => {
    enter().then(
      () => setDoor('open'),
      (error: unknown) => setDoor(error instanceof ServerError ? error : 'open'),
    );
  }, [round]);
  // The address that a new server printed, pasted into a tab that is open: the browser does not load the page again for that.
  useEffect(() => {
    const pasted = () => {
      if (!takeToken()) return;
      setDoor('opening');
      setRound((count) => count + 1);
    };
    window.addEventListener('hashchange', pasted);
    return () => window.removeEventListener('hashchange', pasted);
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
  const [asking, setAsking] = useState(false);
  const palette = useCallback(() => setAsking(true), []);
  const [making, setMaking] = useState(false);
  const make = useCallback(() => setMaking(true), []);
  useKeys({ help, palette, make });
  useRouteTitle(route, NAVIGATION.find(({ page }) => page === route.page)?.name ?? words(route.page));
  useFocusOnChange(route, main);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <div class="frame">
        <Side route={route} registry={registry} live={live} help={help} palette={palette} make={make} />
        <main id="main" tabIndex={-1} ref={main} class={isWide(route) ? 'wide' : ''}>
          <LostServer state={live} />
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
      {asking && registry && (
        <Registry.Provider value={registry}>
          <Palette pages={NAVIGATION} close={() => setAsking(false)} />
        </Registry.Provider>
      )}
      {making && registry && (
        <Registry.Provider value={registry}>
          <NewMemory close={() => setMaking(false)} />
        </Registry.Provider>
      )}
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
    if (before.current === place) return;
    before.current = place;
    scrollToStep();
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [place, main]);
}

function Page({ route }: { route: Route }) {
  const { page, params } = route;
  if (page === 'conversations') return <ConversationsPage params={params} />;
  if (page === 'search') return <SearchPage params={params} />;
  if (page === 'graph') return <GraphPage params={params} />;
  if (page === 'timeline') return <TimelinePage params={params} />;
  if (page === 'memory') return <MemoryPage params={params} />;
  if (page === 'review') return <ReviewPage />;
  if (page === 'settings') return <SettingsPage />;
  if (page === 'injections') return <InjectionsPage params={params} />;
  return <TodayPage params={params} />;
}

type SideProps = {
  route: Route;
  registry: Kinds | undefined;
  live: LiveState;
  help: () => void;
  palette: () => void;
  make: () => void;
};

function Side({ route: { page, params }, registry, live, help, palette, make }: SideProps) {
  const project = registry?.project.name ?? '';
  const { theme, next } = useTheme();
  return (
    <header class="side">
      <a class="brand" href={hrefOf('today')}>
        <img src={BRAND} alt="" />
        <span>
          <strong>Cairn</strong>
          <span title={project}>{project || 'memory'}</span>
        </span>
      </a>
      {registry && <ScopeSelect registry={registry} params={params} />}
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
        <button type="button" class="quiet" onClick={make} title="New record or note">
          <span aria-hidden="true">+</span>
          <span class="word">
            New <kbd>n</kbd>
          </span>
        </button>
        <button type="button" class="quiet" onClick={palette} title="Search from everywhere">
          <PageIcon page="search" />
          <span class="word">
            Ask <kbd>Ctrl K</kbd>
          </span>
        </button>
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
