// Search: the recall engine with its filters. Every word of the question is in the address, so that a search can be kept and
// gone back to.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Layer, SearchAnswer, SearchQuery } from '../../../src/faces/web/protocol.ts';
import { exportMarkdown } from '../exporting.ts';
import { useAnswer } from '../live.ts';
import { MemoryRow } from '../parts/memory-row.tsx';
import { SearchFilters } from '../parts/search-filters.tsx';
import { SearchHit } from '../parts/search-hit.tsx';
import { Answer, Empty, Failure } from '../parts/states.tsx';
import { changeParams } from '../route.ts';
import { fullDay, plural, words } from '../wording.ts';

/** Short: an answer to a half-typed word is dropped when the next letter comes. */
const TYPING_MS = 25;
const PAUSE_MS = 200;
const RECENT = 15;

export function SearchPage({ params }: { params: URLSearchParams }) {
  const q = params.get('q') ?? '';
  const query = searchQuery(params);
  const answer = useAnswer('search', q.trim() ? query : undefined);
  const { data, error, loading } = answer;
  const shown = q.trim() ? data : undefined;
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
        <SearchField params={params} />
        <SearchFilters params={params} />
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
      {shown ? <Hits answer={shown} /> : !q.trim() && <Recent project={params.get('project')} />}
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

function SearchField({ params }: { params: URLSearchParams }) {
  const q = params.get('q') ?? '';
  const [text, setText] = useState(q);
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef(params);
  latest.current = params;
  useEffect(() => field.current?.focus(), []);
  // Gone back, or followed a link: the field says what is shown, unless it is being typed in.
  useEffect(() => {
    if (document.activeElement !== field.current) setText(q);
  }, [q]);
  const timer = useRef<{ id?: ReturnType<typeof setTimeout>; last: number }>({ last: 0 });
  useEffect(() => () => clearTimeout(timer.current.id), []);
  const typed = (next: string) => {
    setText(next);
    const put = () => {
      timer.current.last = Date.now();
      changeParams({ q: next });
    };
    clearTimeout(timer.current.id);
    // The first letter is asked for at once; of those that follow quickly, the last.
    if (Date.now() - timer.current.last > PAUSE_MS) put();
    else timer.current.id = setTimeout(put, TYPING_MS);
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
          document.querySelector<HTMLElement>('main [data-row]')?.focus();
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

function Hits({ answer }: { answer: SearchAnswer }) {
  const { hits } = answer;
  if (hits.length === 0) return <Empty>Other words may find it; a filter may hide it.</Empty>;
  const most = Math.max(...hits.flatMap(({ points }) => points.map((each) => each.points)), Number.MIN_VALUE);
  return (
    <ol class="hits" aria-label="What was found" data-query={answer.query}>
      {hits.map((hit) => (
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
