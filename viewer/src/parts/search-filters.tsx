// The filters of the Search page: layer, kind, intent, project, dates, archived ones. Kinds come from the registry.

import type { ComponentChildren } from 'preact';
import { kindName, useRegistry } from '../registry.tsx';
import { replaceRoute } from '../route.ts';
import { LAYER_NAMES, words } from '../wording.ts';
import { ScopeSelect } from './scope-select.tsx';

const LAYERS = ['record', 'note', 'trace'];

export function SearchFilters({ params }: { params: URLSearchParams }) {
  const registry = useRegistry();
  const set = (name: string, value: string) =>
    replaceRoute('search', { ...Object.fromEntries(params), [name]: value || undefined });
  const layers = (params.get('layers') ?? '').split(',').filter(Boolean);
  const isFiltered = ['layers', 'kind', 'intent', 'since', 'until', 'archived'].some((name) => params.has(name));
  return (
    <div class="filters">
      <fieldset class="field">
        <legend class="label">Layers</legend>
        <div class="choices">
          {LAYERS.map((layer) => (
            <label key={layer}>
              <input
                type="checkbox"
                checked={layers.includes(layer)}
                onChange={(event) => {
                  const on = event.currentTarget.checked;
                  const next = LAYERS.filter((each) => (each === layer ? on : layers.includes(each)));
                  set('layers', next.length === LAYERS.length ? '' : next.join(','));
                }}
              />
              {LAYER_NAMES[layer]}
            </label>
          ))}
        </div>
      </fieldset>
      <Choice id="filter-kind" label="Kind" value={params.get('kind') ?? ''} set={(value) => set('kind', value)}>
        {LAYERS.map((layer) => (
          <optgroup key={layer} label={LAYER_NAMES[layer]!}>
            {registry.kinds
              .filter((kind) => kind.layer === layer)
              .map(({ name }) => (
                <option key={name} value={name}>
                  {kindName(registry, layer, name)}
                </option>
              ))}
          </optgroup>
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
      <ScopeSelect page="search" params={params} />
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
      <div class="choices last">
        <label>
          <input
            type="checkbox"
            checked={params.has('archived')}
            onChange={(event) => set('archived', event.currentTarget.checked ? '1' : '')}
          />
          Archived too
        </label>
        {isFiltered && (
          <button type="button" class="quiet" onClick={() => replaceRoute('search', { q: params.get('q') ?? '' })}>
            Clear filters
          </button>
        )}
      </div>
    </div>
  );
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
