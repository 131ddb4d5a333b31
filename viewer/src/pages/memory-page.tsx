// Memories: all of them by layer, kind and state; or one, with everything that is known about it.

import { useState } from 'preact/hooks';
import type { Brief, Layer, ListQuery } from '../../../src/viewer-api/protocol.ts';
import { act, ask } from '../client.ts';
import { exportMarkdown } from '../exporting.ts';
import { useAnswer } from '../live.ts';
import { MemoryDetail } from '../memory/memory-detail.tsx';
import { MemoryRow } from '../parts/memory-row.tsx';
import { Answer, Empty } from '../parts/states.tsx';
import { kindName, useRegistry } from '../registry.tsx';
import { changeParams } from '../route.ts';
import { say } from '../toasts.tsx';
import { LAYER_NAMES, plural, words } from '../wording.ts';

const LAYERS: readonly Layer[] = ['record', 'note', 'trace'];
const STATUSES = ['active', 'archived', 'retired', 'superseded', 'resolved', 'completed'];
const PAGE = 60;

export function MemoryPage({ params }: { params: URLSearchParams }) {
  const ref = params.get('ref');
  const scope = params.get('project');
  const project = params.get('of') ?? (scope === 'all' ? null : scope);
  if (ref) return <MemoryDetail key={`${project} ${ref}`} ask={{ ref, ...(project ? { project } : {}) }} />;
  return <MemoryList params={params} />;
}

function listQuery(params: URLSearchParams): ListQuery {
  const [layer, kind, status, order, project, session] = ['layer', 'kind', 'status', 'order', 'project', 'session'].map(
    (name) => params.get(name),
  );
  return {
    limit: PAGE,
    order: order === 'oldest' || order === 'updated' ? order : 'newest',
    ...(layer ? { layers: [layer as Layer] } : {}),
    ...(kind ? { kinds: [kind] } : {}),
    ...(status ? { statuses: [status] } : {}),
    ...(project ? { project } : {}),
    ...(session ? { session } : {}),
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
          {({ memories, next }) => (
            <Pages key={JSON.stringify(query)} query={query} first={memories} next={next} refresh={answer.refresh} />
          )}
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
    </div>
  );
}

type PagesProps = { query: ListQuery; first: readonly Brief[]; next: string | null; refresh: () => void };
const keyOf = ({ project, ref }: Brief): string => `${project} ${ref}`;

function Pages({ query, first, next, refresh }: PagesProps) {
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
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  if (memories.length === 0) return <Empty>Nothing of that kind.</Empty>;
  return (
    <>
      {chosen.size > 0 && (
        <Bulk
          memories={memories.filter((brief) => chosen.has(keyOf(brief)))}
          done={() => setChosen(new Set())}
          refresh={refresh}
        />
      )}
      <ul class="rows">
        {memories.map((brief) => (
          <MemoryRow
            key={keyOf(brief)}
            of={brief}
            at={query.order === 'updated' ? brief.updatedAt : brief.createdAt}
            choice={
              <label class="choose-box">
                <input
                  type="checkbox"
                  aria-label={`Choose ${brief.title}`}
                  checked={chosen.has(keyOf(brief))}
                  onChange={(event) => {
                    const next = new Set(chosen);
                    if (event.currentTarget.checked) next.add(keyOf(brief));
                    else next.delete(keyOf(brief));
                    setChosen(next);
                  }}
                />
              </label>
            }
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

/** The same for several: each goes by itself, and what cannot be done is said at the end. */
function Bulk({ memories, done, refresh }: { memories: readonly Brief[]; done: () => void; refresh: () => void }) {
  const run = async (action: 'archive' | 'retire') => {
    const failed: string[] = [];
    let changed = 0;
    for (const { ref, project, title } of memories) {
      try {
        await act({ action, ref, project, reason: 'Chosen in a list' });
        changed++;
      } catch (error) {
        failed.push(`${title}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    const word = action === 'archive' ? 'archived' : 'retired';
    say(
      `${plural(changed, 'memory', 'memories')} ${word}.${failed.length > 0 ? ` Not done: ${failed.slice(0, 3).join(' ')}` : ''}`,
      {
        bad: failed.length > 0,
      },
    );
    done();
    refresh();
  };
  return (
    <div class="bulk" role="status">
      <strong>{plural(memories.length, 'memory', 'memories')} chosen</strong>
      <button type="button" onClick={() => void run('archive')}>
        Archive
      </button>
      <button type="button" class="danger" onClick={() => void run('retire')}>
        Retire
      </button>
      <button type="button" onClick={() => void exportMarkdown('exportList', { refs: memories.map(({ ref }) => ref) })}>
        Export as Markdown
      </button>
      <button type="button" class="quiet" data-key="Escape" onClick={done}>
        Choose none
      </button>
    </div>
  );
}
