// Search: the recall engine with its filters. Every word of the question is in the address, so that a search can be kept and
// gone back to.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Layer, SearchAnswer, SearchQuery } from '../../../src/viewer-api/protocol.ts';
import { exportMarkdown } from '../exporting.ts';
import { useAnswer } from '../live.ts';
import { MemoryRow } from '../parts/memory-row.tsx';
import { SearchFilters } from '../parts/search-filters.tsx';
import { PLAIN, SearchHit, WEAK } from '../parts/search-hit.tsx';
import { Answer, Empty, Failure } from '../parts/states.tsx';
import { useRegistry } from '../registry.tsx';
import { changeParams, hrefOf, readRoute, retypeParams } from '../route.ts';
import { fullDay, plural, words } from '../wording.ts';

/** How long a letter waits for the answer to those before it; then that answer is dropped. */
const TYPING_MS = 25;
/** Letters that may be on their way at once. */
const MOST_PUT = 2;
const RECENT = 15;
/** As many as a screen shows. */
const FIRST = 5;
/** So many of the best are never folded away. */
const FEWEST = 3;

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
      {shown?.said && <p class="notice">{shown.said}</p>}
      {shown?.overview && (
        <p class="notice">
          For everything that was done then, <a href={hrefOf('conversations', shown.overview)}>see the journal</a>.
        </p>
      )}
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
  // Gone back, or followed a link: the field says what is shown. What was typed here comes back as it is, later than the next letter.
  const put = useRef<readonly string[]>([q]);
  useEffect(() => {
    if (put.current.includes(q)) return;
    put.current = [q];
    clearTimeout(timer.current);
    setText(q);
    if (q === '') field.current?.focus(); // Search was chosen once more
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
    const send = () => {
      put.current = [...put.current.slice(-MOST_PUT), next];
      retypeParams({ q: next });
    };
    // Asked for at once where nobody else is being answered; of letters that follow faster, the last.
    if (isAsking) timer.current = setTimeout(send, TYPING_MS);
    else send();
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
  const { query, hits, analysis } = answer;
  const [begun, setBegun] = useState<string>();
  useEffect(() => setBegun(query), [query]);
  if (hits.length === 0) return <NothingFound answer={answer} />;
  const plain = hits.some(({ relevance }) => relevance >= PLAIN);
  // Where something is plainly meant, what hardly is waits to be asked for.
  const strong = plain ? hits.filter(({ relevance }, at) => at < FEWEST || relevance >= WEAK) : hits;
  const weak = hits.filter((hit) => !strong.includes(hit));
  const shown = begun === query ? strong : strong.slice(0, FIRST);
  const most = Math.max(...hits.flatMap(({ points }) => points.map((each) => each.points)), Number.MIN_VALUE);
  const terms = [
    ...analysis.terms,
    ...analysis.entities.flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u)),
  ];
  return (
    <>
      <ol class="hits" aria-label="What was found" aria-busy={shown.length < strong.length} data-query={query}>
        {shown.map((hit) => (
          <SearchHit key={`${hit.project} ${hit.ref}`} hit={hit} most={most} terms={terms} />
        ))}
      </ol>
      {weak.length > 0 && (
        <details class="weaker" key={query}>
          <summary>{plural(weak.length, 'weaker hit')}</summary>
          <ol class="hits">
            {weak.map((hit) => (
              <SearchHit key={`${hit.project} ${hit.ref}`} hit={hit} most={most} terms={terms} />
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

const FILTERS: readonly (readonly [name: string, text: string])[] = [
  ['kind', 'the kind'],
  ['intent', 'the intent'],
  ['layers', 'where to look'],
  ['since', 'the first day'],
  ['until', 'the last day'],
];

/** What hides it may be a filter, the project or the words: each with its way out. */
function NothingFound({ answer: { query, analysis } }: { answer: SearchAnswer }) {
  const { params } = readRoute();
  const { projects } = useRegistry();
  const set = FILTERS.filter(([name]) => params.get(name));
  const isOne = projects.length > 1 && params.get('project') !== 'all';
  const words = analysis.terms.filter((term) => term.length > 2);
  return (
    <section class="panel nothing" aria-labelledby="nothing-title">
      <h2 id="nothing-title">Nothing is remembered about “{query}”.</h2>
      <ul class="ways">
        {set.map(([name, text]) => (
          <li key={name}>
            <button type="button" onClick={() => changeParams({ [name]: undefined })}>
              Without {text}
            </button>
          </li>
        ))}
        {!params.get('archived') && (
          <li>
            <button type="button" onClick={() => changeParams({ archived: 'true' })}>
              Archived ones too
            </button>
          </li>
        )}
        {isOne && (
          <li>
            <button type="button" onClick={() => changeParams({ project: 'all' })}>
              In all projects
            </button>
          </li>
        )}
        {words.length > 1 &&
          words.slice(0, 5).map((word) => (
            <li key={word}>
              <button type="button" onClick={() => changeParams({ q: word })}>
                Only “{word}”
              </button>
            </li>
          ))}
      </ul>
      <p class="muted small">
        Conversations that are not indexed yet are not found either: <code>cairn backfill</code> reads them.
      </p>
    </section>
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
