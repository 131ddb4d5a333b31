// Injections: what the model saw for which prompt, prompts that got nothing, and what would be told to a prompt now.

import { useEffect, useState } from 'preact/hooks';
import type { Injection, InjectionsAnswer, InjectionsQuery } from '../../../src/viewer-api/protocol.ts';
import { ask } from '../client.ts';
import { useAnswer } from '../live.ts';
import { InjectionItem, SilentItem } from '../parts/injection-item.tsx';
import { Rehearsal } from '../parts/rehearsal.tsx';
import { Answer, Empty } from '../parts/states.tsx';
import { changeParams, dayIn, hrefOf } from '../route.ts';
import { say } from '../toasts.tsx';
import { count, plainDay, plural } from '../wording.ts';

export function InjectionsPage({ params }: { params: URLSearchParams }) {
  const isTrying = params.get('try') !== null;
  return (
    <>
      <div class="head">
        <div>
          <h1>Injections</h1>
          <p>
            {isTrying
              ? 'Type a prompt and see what would be told to the model.'
              : 'What the model saw, for which prompt, and why.'}
          </p>
        </div>
        <nav class="actions" aria-label="What is shown">
          <a class="button" href={hrefOf('injections')} aria-current={isTrying ? undefined : 'true'}>
            What was told
          </a>
          <a class="button" href={hrefOf('injections', { try: 'true' })} aria-current={isTrying ? 'true' : undefined}>
            What would be told?
          </a>
        </nav>
      </div>
      {isTrying ? <Rehearsal given={params.get('prompt') ?? ''} /> : <Told params={params} />}
    </>
  );
}

function Told({ params }: { params: URLSearchParams }) {
  const query = injectionsQuery(params);
  const answer = useAnswer('injections', query);
  const set = (name: string, value: string) => changeParams({ [name]: value || undefined });
  return (
    <>
      <div class="filters">
        <div class="field">
          <label for="injections-day">Day</label>
          <input
            id="injections-day"
            type="date"
            value={query.day ?? ''}
            onChange={(event) => set('day', event.currentTarget.value)}
          />
        </div>
        <label class="choice">
          <input
            type="checkbox"
            checked={query.silent === true}
            onChange={(event) => set('silent', event.currentTarget.checked ? 'true' : '')}
          />
          Prompts that got nothing too
        </label>
      </div>
      {(query.ref || query.session) && (
        <p class="notice">
          Only injections {query.ref ? 'of ' : 'in the conversation '}
          <span class="mono">{query.ref ?? query.session}</span>. <a href={hrefOf('injections')}>Show all</a>
        </p>
      )}
      <Answer of={answer}>
        {(first) => <Injections key={JSON.stringify(query)} query={query} first={first} refresh={answer.refresh} />}
      </Answer>
    </>
  );
}

function injectionsQuery(params: URLSearchParams): InjectionsQuery {
  const [ref, session] = ['ref', 'session'].map((name) => params.get(name));
  const day = dayIn(params);
  return {
    ...(day ? { day } : {}),
    ...(ref ? { ref } : {}),
    ...(session ? { session } : {}),
    ...(params.get('silent') ? { silent: true } : {}),
  };
}

type InjectionsProps = { query: InjectionsQuery; first: InjectionsAnswer; refresh: () => void };

function Injections({ query, first, refresh }: InjectionsProps) {
  const { more, next, load } = useMore(query, first);
  const injections = [...first.injections, ...more];
  const rows = [
    ...injections.map((injection) => ({ at: injection.at, injection, silent: undefined })),
    ...first.silent.map((silent) => ({ at: silent.at, injection: undefined, silent })),
  ].sort((a, b) => b.at - a.at);
  if (rows.length === 0)
    return (
      <Empty>
        Nothing was told to the model{query.day ? ` on ${plainDay(query.day)}` : ' yet'}.{' '}
        <a href={hrefOf('injections', { try: 'true' })}>See what would be told.</a>
      </Empty>
    );
  return (
    <>
      <p class="found" aria-live="polite">
        {first.total
          ? `${plural(first.total.injections, 'injection')}, ${count(first.total.tokens)} tokens in all.`
          : 'More injections than were counted.'}
      </p>
      <ol class="injections">
        {rows.map(({ at, injection, silent }) =>
          injection ? (
            <InjectionItem
              key={`${at} ${injection.session} ${injection.prompt}`}
              injection={injection}
              refresh={refresh}
            />
          ) : (
            <SilentItem key={`${at} ${silent.ref}`} silent={silent} />
          ),
        )}
      </ol>
      {next && (
        <p class="more">
          <button type="button" onClick={load}>
            Show older ones
          </button>
        </p>
      )}
    </>
  );
}

/** Older ones, asked for by hand. New ones push the pages on, so what changes begins anew from the first page. */
function useMore(query: InjectionsQuery, first: InjectionsAnswer) {
  const [more, setMore] = useState<readonly Injection[]>([]);
  const [next, setNext] = useState(first.next);
  useEffect(() => {
    setMore((shown) => (shown.length > 0 && first.next === null ? [] : shown));
    setNext((cursor) => (more.length > 0 ? cursor : first.next));
  }, [first]);
  const load = () => {
    if (next === null) return;
    ask('injections', { ...query, cursor: next }).then(
      (page) => {
        setMore((shown) => [...shown, ...page.injections]);
        setNext(page.next);
      },
      (error: Error) => say(error.message, { bad: true }),
    );
  };
  return { more: withoutDoubles(first.injections, more), next, load };
}

function withoutDoubles(first: readonly Injection[], more: readonly Injection[]): readonly Injection[] {
  const oldest = first.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  return more.filter(({ at }) => at < oldest);
}
