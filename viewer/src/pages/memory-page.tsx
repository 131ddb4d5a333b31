// Memories: all of them by layer, kind and state; or one, with everything that is known about it.

import { useState } from 'preact/hooks';
import type { Brief, Layer, ListQuery } from '../../../src/viewer-api/protocol.ts';
import { ask } from '../client.ts';
import { useAnswer } from '../live.ts';
import { MemoryDetail } from '../memory/memory-detail.tsx';
import { MemoryRow } from '../parts/memory-row.tsx';
import { ScopeSelect } from '../parts/scope-select.tsx';
import { Answer, Empty } from '../parts/states.tsx';
import { kindName, useRegistry } from '../registry.tsx';
import { changeParams } from '../route.ts';
import { say } from '../toasts.tsx';
import { LAYER_NAMES, words } from '../wording.ts';

const LAYERS: readonly Layer[] = ['record', 'note', 'trace'];
const STATUSES = ['active', 'archived', 'retired', 'superseded', 'resolved', 'completed'];
const PAGE = 60;

export function MemoryPage({ params }: { params: URLSearchParams }) {
  const ref = params.get('ref');
  const project = params.get('project');
  if (ref) return <MemoryDetail key={`${project} ${ref}`} ask={{ ref, ...(project ? { project } : {}) }} />;
  return <MemoryList params={params} />;
}

function listQuery(params: URLSearchParams): ListQuery {
  const [layer, kind, status, order, project] = ['layer', 'kind', 'status', 'order', 'project'].map((name) =>
    params.get(name),
  );
  return {
    limit: PAGE,
    order: order === 'oldest' || order === 'updated' ? order : 'newest',
    ...(layer ? { layers: [layer as Layer] } : {}),
    ...(kind ? { kinds: [kind] } : {}),
    ...(status ? { statuses: [status] } : {}),
    ...(project ? { project } : {}),
  };
}

function MemoryList({ params }: { params: URLSearchParams }) {
  const query = listQuery(params);
  const answer = useAnswer('list', query);
  return (
    <>
      <div class="head">
        <div>
          <h1>Memories</h1>
          <p>Everything that is kept, also what is archived or retired.</p>
        </div>
      </div>
      <ListFilters params={params} />
      <section class="panel" aria-label="Memories">
        <Answer of={answer}>
          {({ memories, next }) => <Pages key={JSON.stringify(query)} query={query} first={memories} next={next} />}
        </Answer>
      </section>
    </>
  );
}

function ListFilters({ params }: { params: URLSearchParams }) {
  const registry = useRegistry();
  const layer = params.get('layer') ?? '';
  const set = (changes: { [name: string]: string }) => changeParams(changes);
  const kinds = registry.kinds.filter((kind) => kind.layer !== 'entity' && (!layer || kind.layer === layer));
  const names = new Map(kinds.map((kind) => [kind.name, kindName(registry, kind.layer, kind.name)]));
  const choices = {
    layer: LAYERS.map((each) => [each, LAYER_NAMES[each]!] as const),
    kind: [...names],
    status: STATUSES.map((each) => [each, words(each)] as const),
  };
  return (
    <div class="filters">
      {(['layer', 'kind', 'status'] as const).map((name) => (
        <div class="field" key={name}>
          <label for={`list-${name}`}>{words(name)}</label>
          <select
            id={`list-${name}`}
            value={params.get(name) ?? ''}
            onChange={(event) => set({ ...(name === 'layer' ? { kind: '' } : {}), [name]: event.currentTarget.value })}
          >
            <option value="">Any</option>
            {choices[name].map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </div>
      ))}
      <div class="field">
        <label for="list-order">Order</label>
        <select
          id="list-order"
          value={params.get('order') ?? 'newest'}
          onChange={(event) => set({ order: event.currentTarget.value })}
        >
          <option value="newest">Newest first</option>
          <option value="updated">Changed last first</option>
          <option value="oldest">Oldest first</option>
        </select>
      </div>
      <ScopeSelect params={params} />
    </div>
  );
}

type PagesProps = { query: ListQuery; first: readonly Brief[]; next: string | null };

function Pages({ query, first, next }: PagesProps) {
  const [more, setMore] = useState<{ memories: readonly Brief[]; next: string | null } | undefined>();
  const cursor = more ? more.next : next;
  const known = new Set(first.map(({ ref, project }) => `${project} ${ref}`));
  const memories = [...first, ...(more?.memories ?? []).filter(({ ref, project }) => !known.has(`${project} ${ref}`))];
  const load = () => {
    if (cursor === null) return;
    ask('list', { ...query, cursor }).then(
      (page) => setMore({ memories: [...(more?.memories ?? []), ...page.memories], next: page.next }),
      (error: Error) => say(error.message, { bad: true }),
    );
  };
  if (memories.length === 0) return <Empty>Nothing of that kind.</Empty>;
  return (
    <>
      <ul class="rows">
        {memories.map((brief) => (
          <MemoryRow
            key={`${brief.project} ${brief.ref}`}
            of={brief}
            at={query.order === 'updated' ? brief.updatedAt : brief.createdAt}
          />
        ))}
      </ul>
      {cursor !== null && (
        <p class="more">
          <button type="button" onClick={load}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}
