// Search: the recall engine with its filters. Every word of the question is in the address, so that a search can be kept and
// gone back to.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Layer, SearchAnswer, SearchQuery } from '../../../src/viewer-api/protocol.ts';
import { exportMarkdown } from '../exporting.ts';
import { useAnswer } from '../live.ts';
import { MemoryRow } from '../parts/memory-row.tsx';
import { SearchFilters } from '../parts/search-filters.tsx';
import { SearchHit } from '../parts/search-hit.tsx';
import { Answer, Empty, Failure } from '../parts/states.tsx';
import { changeParams } from '../route.ts';
import { fullDay, plural, words } from '../wording.ts';

/** How long a letter waits for the answer to those before it; then that answer is dropped. */
const TYPING_MS = 25;
const RECENT = 15;
/** As many as a screen shows. */
const FIRST = 5;

export function SearchPage({ params }: { params: URLSearchParams }) {
  const q = params.get('q') ?? '';
  const query = searchQuery(params);
  const answer = useAnswer('search', q.trim() ? query : undefined);
  const { data, error, loading } = answer;
  const shown = q.trim() ? data : undefined;
  // Drawn anew only when they changed: a question is sent once the page with its words is drawn, and should not wait for these.
  const hits = useMemo(() => shown && <Hits answer={shown} />, [shown]);
  const filtered = new URLSearchParams([...params].filter(([name]) => name !== 'q')).toString();
  const filters = useMemo(() => <SearchFilters params={new URLSearchParams(filtered)} />, [filtered]);
  return (
    <>
      <div class="head">
        <h1>Search</h1>
        <div class="actions">
          <button
            type="button"
            disabled={!shown?.hits.length}
            onClick={() => void exportMarkdown('exportSearch', query)}
          >
            Export as Markdown
          </button>
        </div>
      </div>
      <search>
        <SearchField q={q} isAsking={loading} />
        {filters}
      </search>
      <p class="found" aria-live="polite">
        {shown && foundWords(shown)}
        {loading && !shown && 'Searching …'}
      </p>
      {error && <Failure error={error} />}
      {shown?.problems.map((problem) => (
        <p class="notice warn" key={problem}>
          {problem}
        </p>
      ))}
      {hits ?? (!q.trim() && <Recent project={params.get('project')} />)}
    </>
  );
}

export function searchQuery(params: URLSearchParams): SearchQuery {
  const get = (name: string) => params.get(name) || undefined;
  const layers = get('layers')?.split(',') as Layer[] | undefined;
  const [project, since, until, kind, intent] = ['project', 'since', 'until', 'kind', 'intent'].map(get);
  return {
    q: get('q') ?? '',
    ...(layers ? { layers } : {}),
    ...(kind ? { kinds: [kind] } : {}),
    ...(intent ? { intents: [intent] } : {}),
    ...(project ? { project } : {}),
    ...(since ? { since } : {}),
    ...(until ? { until } : {}),
    ...(get('archived') ? { archived: true } : {}),
  };
}

function SearchField({ q, isAsking }: { q: string; isAsking: boolean }) {
  const [text, setText] = useState(q);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  // Gone back, or followed a link: the field says what is shown, unless it is being typed in.
  useEffect(() => {
    if (document.activeElement !== field.current) setText(q);
  }, [q]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // On to the hits; those that are about to be replaced would take the focus with them.
  const isSettled = !isAsking && text === q;
  const isLeaving = useRef(false);
  const leave = () => {
    isLeaving.current = !isSettled;
    if (isSettled) document.querySelector<HTMLElement>('main [data-row]')?.focus();
  };
  useLayoutEffect(() => {
    if (isSettled && isLeaving.current && document.activeElement === field.current) leave();
  });
  const typed = (next: string) => {
    setText(next);
    isLeaving.current = false;
    clearTimeout(timer.current);
    const put = () => changeParams({ q: next });
    // Asked for at once where nobody else is being answered; of letters that follow faster, the last.
    if (isAsking) timer.current = setTimeout(put, TYPING_MS);
    else put();
  };
  return (
    <div class="field">
      <label for="search-field">Ask your memory</label>
      <input
        id="search-field"
        ref={field}
        data-search
        type="search"
        value={text}
        placeholder="why did we …, problems with …, decisions about … since March"
        autocomplete="off"
        onInput={(event) => typed(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          leave();
        }}
      />
    </div>
  );
}

function foundWords({ hits, analysis, tookMs }: SearchAnswer): string {
  const found = hits.length === 0 ? 'Nothing was found' : `${plural(hits.length, 'memory', 'memories')} found`;
  const about = [
    analysis.entities.length > 0 ? `about ${analysis.entities.join(', ')}` : '',
    analysis.intents.length > 0
      ? `looking for ${analysis.intents.map((each) => words(each).toLowerCase()).join(', ')}`
      : '',
    analysis.since !== null ? `since ${fullDay(analysis.since)}` : '',
    analysis.until !== null ? `until ${fullDay(analysis.until)}` : '',
  ].filter(Boolean);
  return `${found} in ${Math.max(1, Math.round(tookMs))} ms${about.length > 0 ? `; ${about.join('; ')}` : ''}.`;
}

/** Of another question, first those that the screen shows; the others in the frame after. */
function Hits({ answer }: { answer: SearchAnswer }) {
  const { query, hits } = answer;
  const [begun, setBegun] = useState<string>();
  useEffect(() => setBegun(query), [query]);
  if (hits.length === 0) return <Empty>Other words may find it; a filter may hide it.</Empty>;
  const shown = begun === query ? hits : hits.slice(0, FIRST);
  const most = Math.max(...hits.flatMap(({ points }) => points.map((each) => each.points)), Number.MIN_VALUE);
  return (
    <ol class="hits" aria-label="What was found" aria-busy={shown.length < hits.length} data-query={query}>
      {shown.map((hit) => (
        <SearchHit key={`${hit.project} ${hit.ref}`} hit={hit} most={most} />
      ))}
    </ol>
  );
}

/** Before anything is asked: what came last. */
function Recent({ project }: { project: string | null }) {
  const answer = useAnswer('list', { order: 'newest', limit: RECENT, ...(project ? { project } : {}) });
  return (
    <section class="panel" aria-labelledby="recent-title">
      <h2 id="recent-title">Remembered last</h2>
      <Answer of={answer}>
        {({ memories }) =>
          memories.length === 0 ? (
            <Empty>Nothing is remembered yet.</Empty>
          ) : (
            <ul class="rows">
              {memories.map((brief) => (
                <MemoryRow key={`${brief.project} ${brief.ref}`} of={brief} at={brief.createdAt} />
              ))}
            </ul>
          )
        }
      </Answer>
    </section>
  );
}
