// Beside the drawing: which kinds are shown, how much of what there is, and the picture as a file.

import { KindDot } from '../parts/marks.tsx';
import { kindName, useRegistry } from '../registry.tsx';
import { count, LAYER_NAMES, plural } from '../wording.ts';
import { type GraphModel, kindKey } from './graph-model.ts';

/**
 * What is drawn: the map of the project, what lies around one memory, everything as groups, one of them, or everything as dots.
 */
export type GraphView = 'map' | 'near' | 'groups' | 'group' | 'dots';

const LIMITS = [500, 2_000, 10_000, 50_000];
export const USUAL_LIMIT = 2_000;

type LegendProps = {
  model: GraphModel;
  hidden: ReadonlySet<string>;
  setHidden: (hidden: ReadonlySet<string>) => void;
  /** All nodes are drawn as dots: shapes would say what the drawing does not. */
  isPlain: boolean;
};

export function Legend({ model, hidden, setHidden, isPlain }: LegendProps) {
  const registry = useRegistry();
  const layers = [...new Set(model.kinds.map(({ layer }) => layer))];
  const toggle = (key: string, on: boolean) =>
    setHidden(new Set(on ? [...hidden].filter((each) => each !== key) : [...hidden, key]));
  return (
    <section class="panel" aria-labelledby="legend-title">
      <header>
        <h2 id="legend-title">Kinds</h2>
        {hidden.size > 0 && (
          <button type="button" class="link small" onClick={() => setHidden(new Set())}>
            Show all
          </button>
        )}
      </header>
      {layers.map((layer) => (
        <fieldset class="legend" key={layer}>
          <legend>{LAYER_NAMES[layer] ?? layer}</legend>
          {model.kinds
            .filter((kind) => kind.layer === layer)
            .map((kind) => (
              <label key={kind.kind}>
                <input
                  type="checkbox"
                  checked={!hidden.has(kindKey(kind))}
                  onChange={(event) => toggle(kindKey(kind), event.currentTarget.checked)}
                />
                <KindDot layer={isPlain ? 'record' : layer} kind={kind.kind} />
                {kindName(registry, layer, kind.kind)}
                <span class="amount">{count(kind.count)}</span>
              </label>
            ))}
        </fieldset>
      ))}
    </section>
  );
}

type OptionsProps = {
  model: GraphModel;
  params: URLSearchParams;
  set: (changes: { [name: string]: string | undefined }) => void;
  view: GraphView;
  save: ((as: 'svg' | 'png') => void) | undefined;
};

export function Options({ model, params, set, view, save }: OptionsProps) {
  const { total, nodes, edges } = model;
  return (
    <section class="panel stack" aria-label="Size and export">
      <p class="small muted">
        {plural(nodes.length, 'node')} and {plural(edges.length, 'link')} are {view === 'dots' ? 'drawn' : 'here'}
        {total.nodes > nodes.length &&
          ` of ${count(total.nodes)} nodes that ${view === 'group' ? 'the group has' : 'there are'}`}
        .
      </p>
      {(view === 'dots' || view === 'groups') && (
        <div class="field">
          <label for="graph-limit">At most</label>
          <select
            id="graph-limit"
            value={params.get('limit') ?? String(USUAL_LIMIT)}
            onChange={(event) => set({ limit: event.currentTarget.value })}
          >
            {LIMITS.map((limit) => (
              <option key={limit} value={String(limit)}>
                {count(limit)} nodes, the best linked
              </option>
            ))}
          </select>
        </div>
      )}
      {view === 'groups' || (
        <div class="actions">
          <button type="button" disabled={!save} onClick={() => save?.('svg')}>
            Save SVG
          </button>
          <button type="button" disabled={!save} onClick={() => save?.('png')}>
            Save PNG
          </button>
        </div>
      )}
    </section>
  );
}
