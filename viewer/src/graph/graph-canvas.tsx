// The place where the graph is drawn: loads the drawing code, hands it what is to be seen, takes keys. Says so where the browser
// has no WebGL; the list beside it shows the same.

import { useEffect, useRef, useState } from 'preact/hooks';
import { useThemeChanges } from '../theme.ts';
import { graphColours } from './graph-colours.ts';
import type { GraphModel, Seen } from './graph-model.ts';
import type { SigmaView } from './sigma-view.ts';

type CanvasProps = {
  model: GraphModel;
  seen: Seen;
  focus: number | undefined;
  pick: (at: number) => void;
  leave: () => void;
};

type State = 'loading' | 'drawn' | 'impossible';

export function GraphCanvas({ model, seen, focus, pick, leave }: CanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<SigmaView>();
  const [state, setState] = useState<State>('loading');
  const theme = useThemeChanges();
  const callbacks = useRef({ pick, leave });
  callbacks.current = { pick, leave };
  useEffect(() => {
    let made: SigmaView | undefined;
    let gone = false;
    import('./sigma-view.ts')
      .then(({ hasWebGl, sigmaView }) => {
        if (gone || !place.current) return;
        if (!hasWebGl()) return setState('impossible');
        made = sigmaView(place.current, graphColours(), {
          pick: (at) => callbacks.current.pick(at),
          leave: () => callbacks.current.leave(),
        });
        setView(made);
      })
      .catch(() => setState('impossible'));
    return () => {
      gone = true;
      made?.end();
    };
  }, []);
  useEffect(() => {
    if (!view) return;
    view.show(model);
    view.look(seen, focus);
    setState('drawn');
  }, [view, model]);
  useEffect(() => view?.look(seen, focus), [seen, focus]);
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
