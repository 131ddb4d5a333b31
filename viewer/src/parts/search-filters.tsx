// The filters of the Search page: layer, kind, intent, dates, archived ones. Kinds come from the registry.

import type { ComponentChildren } from 'preact';
import { kindName, useRegistry } from '../registry.tsx';
import { changeParams, goTo, readRoute } from '../route.ts';
import { LAYER_NAMES, words } from '../wording.ts';

const LAYERS = ['record', 'note', 'trace'];

export function SearchFilters({ params }: { params: URLSearchParams }) {
  const registry = useRegistry();
  const set = (name: string, value: string) => changeParams({ [name]: value || undefined });
  const kinds = new Map(
    registry.kinds
      .filter(({ layer }) => layer !== 'entity')
      .map(({ layer, name }) => [name, kindName(registry, layer, name)]),
  );
  const isFiltered = ['layers', 'kind', 'intent', 'since', 'until', 'archived'].some((name) => params.has(name));
  return (
    <>
      <div class="filters">
        <Choice id="filter-kind" label="Kind" value={params.get('kind') ?? ''} set={(value) => set('kind', value)}>
          {[...kinds].map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </Choice>
        <Choice
          id="filter-intent"
          label="Intent"
          value={params.get('intent') ?? ''}
          set={(value) => set('intent', value)}
        >
          {registry.intents.map((intent) => (
            <option key={intent} value={intent}>
              {words(intent)}
            </option>
          ))}
        </Choice>
        {(['since', 'until'] as const).map((name) => (
          <div class="field" key={name}>
            <label for={`filter-${name}`}>{words(name)}</label>
            <input
              id={`filter-${name}`}
              type="date"
              value={params.get(name) ?? ''}
              onChange={(event) => set(name, event.currentTarget.value)}
            />
          </div>
        ))}
      </div>
      <fieldset class="choices">
        <legend class="hidden-visually">Where to look</legend>
        <Layers params={params} set={(layers) => set('layers', layers)} />
        <label>
          <input
            type="checkbox"
            checked={params.has('archived')}
            onChange={(event) => set('archived', event.currentTarget.checked ? '1' : '')}
          />
          Archived too
        </label>
        {isFiltered && (
          <button type="button" class="link" onClick={() => goTo('search', { q: readRoute().params.get('q') ?? '' })}>
            Clear filters
          </button>
        )}
      </fieldset>
    </>
  );
}

/** None chosen means all. */
function Layers({ params, set }: { params: URLSearchParams; set: (layers: string) => void }) {
  const isOn = (layer: string, now = params) => !now.get('layers') || now.get('layers')!.split(',').includes(layer);
  return LAYERS.map((layer) => (
    <label key={layer}>
      <input
        type="checkbox"
        checked={isOn(layer)}
        onChange={(event) => {
          const on = event.currentTarget.checked;
          const next = LAYERS.filter((each) => (each === layer ? on : isOn(each, readRoute().params)));
          set(next.length === LAYERS.length ? '' : next.join(','));
        }}
      />
      {LAYER_NAMES[layer]}
    </label>
  ));
}

type ChoiceProps = {
  id: string;
  label: string;
  value: string;
  set: (value: string) => void;
  children: ComponentChildren;
};

function Choice({ id, label, value, set, children }: ChoiceProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">Any</option>
        {children}
      </select>
    </div>
  );
}
