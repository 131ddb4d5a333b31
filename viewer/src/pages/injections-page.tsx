// Injections: what was put into which prompt, when, why, and what it cost.

import { useEffect, useState } from 'preact/hooks';
import type { Injection, InjectionsAnswer, InjectionsQuery } from '../../../src/viewer-api/protocol.ts';
import { ask } from '../client.ts';
import { useAnswer } from '../live.ts';
import { InjectionItem } from '../parts/injection-item.tsx';
import { Answer, Empty } from '../parts/states.tsx';
import { changeParams, hrefOf } from '../route.ts';
import { say } from '../toasts.tsx';
import { count, plural } from '../wording.ts';

export function InjectionsPage({ params }: { params: URLSearchParams }) {
  const query = injectionsQuery(params);
  const answer = useAnswer('injections', query);
  const set = (name: string, value: string) => changeParams({ [name]: value || undefined });
  return (
    <>
      <div class="head">
        <div>
          <h1>Injections</h1>
          <p>What Cairn put into prompts, for which prompt, why, and what it cost.</p>
        </div>
        <div class="field">
          <label for="injections-day">Day</label>
          <input
            id="injections-day"
            type="date"
            value={query.day ?? ''}
            onChange={(event) => set('day', event.currentTarget.value)}
          />
        </div>
      </div>
      {(query.ref || query.session) && (
        <p class="notice">
          Only injections {query.ref ? 'of ' : 'in the conversation '}
          <span class="mono">{query.ref ?? query.session}</span>. <a href={hrefOf('injections')}>Show all</a>
        </p>
      )}
      <Answer of={answer}>{(first) => <Injections key={JSON.stringify(query)} query={query} first={first} />}</Answer>
    </>
  );
}

function injectionsQuery(params: URLSearchParams): InjectionsQuery {
  const [day, ref, session] = ['day', 'ref', 'session'].map((name) => params.get(name));
  return { ...(day ? { day } : {}), ...(ref ? { ref } : {}), ...(session ? { session } : {}) };
}

function Injections({ query, first }: { query: InjectionsQuery; first: InjectionsAnswer }) {
  const { more, next, load } = useMore(query, first);
  const injections = [...first.injections, ...more];
  if (injections.length === 0) return <Empty>Nothing was injected{query.day ? ` on ${query.day}` : ' yet'}.</Empty>;
  return (
    <>
      <p class="found" aria-live="polite">
        {first.total
          ? `${plural(first.total.injections, 'injection')}, ${count(first.total.tokens)} tokens in all.`
          : 'More injections than were counted.'}
      </p>
      <ol class="injections">
        {injections.map((injection) => (
          <InjectionItem key={`${injection.at} ${injection.session} ${injection.prompt}`} injection={injection} />
        ))}
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
