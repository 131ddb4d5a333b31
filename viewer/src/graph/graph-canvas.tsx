// The place where the graph is drawn: loads the drawing code, hands it what is to be seen, takes keys. Says so where the browser
// has no WebGL; the list beside it shows the same.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useThemeChanges } from '../theme.ts';
import { graphColours } from './graph-colours.ts';
import type { GraphModel, Seen } from './graph-model.ts';
import type { Sight, SigmaView } from './sigma-view.ts';
import type { Places } from './use-layout.ts';

type CanvasProps = {
  model: GraphModel;
  places: Places;
  seen: Seen;
  focus: number | undefined;
  pick: (at: number) => void;
  leave: () => void;
};

type State = 'loading' | 'drawn' | 'impossible';

export function GraphCanvas({ model, places, seen, focus, pick, leave }: CanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<SigmaView>();
  const [state, setState] = useState<State>('loading');
  const theme = useThemeChanges();
  const latest = useRef({ pick, leave, sight: { model, places, seen, focus } });
  latest.current = { pick, leave, sight: { model, places, seen, focus } };
  const drawn = useRef<Sight | undefined>(undefined);
  useLayoutEffect(() => {
    let made: SigmaView | undefined;
    let gone = false;
    import('./sigma-view.ts')
      .then(({ hasWebGl, sigmaView }) => {
        if (gone || !place.current) return;
        if (!hasWebGl()) return setState('impossible');
        const { sight } = latest.current;
        made = sigmaView(
          { container: place.current, sight, colours: graphColours() },
          {
            pick: (at) => latest.current.pick(at),
            leave: () => latest.current.leave(),
          },
        );
        drawn.current = sight;
        setView(made);
        setState('drawn');
      })
      .catch(() => setState('impossible'));
    return () => {
      gone = true;
      made?.end();
    };
  }, []);
  useEffect(() => {
    const before = drawn.current;
    const sight = { model, places, seen, focus };
    const isSame =
      before?.model === model && before.places === places && before.seen === seen && before.focus === focus;
    if (!view || isSame) return;
    drawn.current = sight;
    view.look(sight);
  }, [view, model, places, seen, focus]);
  useEffect(() => {
    if (theme > 0) view?.paint(graphColours());
  }, [theme]);
  useEffect(() => {
    if (view && focus !== undefined) view.goTo(focus);
  }, [view, model, focus]);
  return (
    <div class="graph-stage" data-state={state}>
      {state === 'impossible' && (
        <p class="notice warn" role="status">
          This browser has no WebGL, so the graph cannot be drawn. The list shows the same nodes.
        </p>
      )}
      <div
        class="graph-place"
        ref={place}
        tabIndex={0}
        role="group"
        aria-label="Drawing of the graph; the list beside it says the same. Plus and minus zoom, arrows move."
        onKeyDown={(event) => view && keyed(event, view)}
      />
      {view && (
        <fieldset class="graph-zoom">
          <legend class="hidden-visually">Zoom</legend>
          <button type="button" aria-label="Zoom in" onClick={() => view.zoom('in')}>
            +
          </button>
          <button type="button" aria-label="Zoom out" onClick={() => view.zoom('out')}>
            −
          </button>
          <button type="button" aria-label="Show all" onClick={() => view.zoom('all')}>
            ⤢
          </button>
        </fieldset>
      )}
    </div>
  );
}

function keyed(event: KeyboardEvent, view: SigmaView): void {
  const acts: { readonly [key: string]: () => void } = {
    '+': () => view.zoom('in'),
    '=': () => view.zoom('in'),
    '-': () => view.zoom('out'),
    '0': () => view.zoom('all'),
    ArrowLeft: () => view.move(-1, 0),
    ArrowRight: () => view.move(1, 0),
    ArrowUp: () => view.move(0, 1),
    ArrowDown: () => view.move(0, -1),
  };
  const act = acts[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
}
