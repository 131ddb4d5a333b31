// The graph in words: the nodes that are seen, or the one in focus with its neighbours. All that the drawing can do, without it.

import { usePageTitle } from '../page-title.ts';
import { KindDot, KindMark } from '../parts/marks.tsx';
import { memoryHref } from '../parts/memory-row.tsx';
import { count, plural, words } from '../wording.ts';
import type { GraphNode, Neighbour } from './graph-model.ts';

const SHOWN = 80;

type NodesProps = { nodes: readonly GraphNode[]; choose: (at: number) => void };

export function NodeList({ nodes, choose }: NodesProps) {
  const best = [...nodes].sort((a, b) => b.degree - a.degree || a.at - b.at).slice(0, SHOWN);
  return (
    <>
      <p class="small muted" aria-live="polite">
        {plural(nodes.length, 'node')}
        {nodes.length > SHOWN && `; the ${SHOWN} best linked are listed`}
      </p>
      <ul class="rows graph-rows">
        {best.map((node) => (
          <li class="row" key={node.at}>
            <div class="row-title">
              <KindDot layer={node.layer} kind={node.kind} />
              <button type="button" class="link" data-row onClick={() => choose(node.at)}>
                {node.title || node.ref}
              </button>
              <span class="end">{plural(node.degree, 'link')}</span>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

type FocusProps = {
  node: GraphNode;
  neighbours: readonly Neighbour[];
  choose: (at: number) => void;
  leave: () => void;
  /** How far a neighbourhood of its own reaches; 0: it is shown in the whole graph. */
  near: number;
  setNear: (depth: number) => void;
  exportIt: () => void;
};

export function FocusedNode({ node, neighbours, choose, leave, near, setNear, exportIt }: FocusProps) {
  usePageTitle(node.title || node.ref, 'Graph');
  return (
    <section class="stack" aria-labelledby="focus-title">
      <header class="span-head">
        <h2 id="focus-title">
          <a href={memoryHref(node)} data-row>
            {node.title || node.ref}
          </a>
        </h2>
        <button type="button" class="quiet" data-key="Escape" onClick={leave} aria-label="Leave the focus">
          ✕
        </button>
      </header>
      <p class="facts">
        <KindMark layer={node.layer} kind={node.kind} />
        <span>{plural(node.degree, 'link')}</span>
      </p>
      <div class="actions">
        <a class="button" href={memoryHref(node)}>
          Open
        </a>
        <button type="button" onClick={exportIt}>
          Export as Markdown
        </button>
      </div>
      <div class="field">
        <label for="near">Show</label>
        <select id="near" value={String(near)} onChange={(event) => setNear(Number(event.currentTarget.value))}>
          <option value="0">among everything</option>
          <option value="1">its neighbours</option>
          <option value="2">two steps around</option>
          <option value="3">three steps around</option>
        </select>
      </div>
      <h3>Neighbours ({count(neighbours.length)})</h3>
      <ul class="rows graph-rows">
        {neighbours.slice(0, SHOWN).map(({ node: other, relation, direction }) => (
          <li class="row" key={other.at}>
            <div class="row-title">
              <KindDot layer={other.layer} kind={other.kind} />
              <button type="button" class="link" data-row onClick={() => choose(other.at)}>
                {other.title || other.ref}
              </button>
              <span class="end">
                {direction === 'out' ? '→' : '←'} {words(relation).toLowerCase()}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
