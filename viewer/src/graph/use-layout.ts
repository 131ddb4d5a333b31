// Places of a graph's nodes, as the worker finds them. Where there is no worker, nodes stand on a spiral: everything can be read then too.

import { useEffect, useState } from 'preact/hooks';
import { type GraphModel, nodeSize } from './graph-model.ts';
import type { LayoutStep, LayoutWanted } from './layout-worker.ts';

export type Places = {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly group: Int32Array;
  readonly isSettled: boolean;
};

/** Undefined until there are first places. */
export function useLayout(model: GraphModel): Places | undefined {
  return useWorker(model, false);
}

/** Which nodes belong together; undefined until it is known. */
export function useGroups(model: GraphModel): Int32Array | undefined {
  return useWorker(model, true)?.group;
}

function useWorker(model: GraphModel, isGroupsOnly: boolean): Places | undefined {
  const [found, setFound] = useState<{ model: GraphModel; places: Places }>();
  useEffect(() => {
    const worker = startWorker();
    if (!worker) return setFound({ model, places: onSpiral(model.nodes.length) });
    worker.addEventListener('message', ({ data: { x, y, group, done } }: MessageEvent<LayoutStep>) => {
      setFound({ model, places: { x, y, group, isSettled: done } });
      if (done) worker.terminate();
    });
    worker.addEventListener('error', () => setFound({ model, places: onSpiral(model.nodes.length) }));
    const wanted: LayoutWanted = {
      nodes: model.nodes.length,
      from: model.edges.map(({ from }) => from),
      to: model.edges.map(({ to }) => to),
      sizes: model.nodes.map(({ degree }) => nodeSize(degree)),
      isGroupsOnly,
    };
    worker.postMessage(wanted);
    return () => worker.terminate();
  }, [model, isGroupsOnly]);
  return found?.model === model ? found.places : undefined;
}

function startWorker(): Worker | undefined {
  try {
    return new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
  } catch {
    return undefined;
  }
}

export function onSpiral(nodes: number): Places {
  const at = (turn: (angle: number) => number) =>
    Float32Array.from({ length: nodes }, (_, place) => 10 * Math.sqrt(place) * turn(place * 2.4));
  return { x: at(Math.cos), y: at(Math.sin), group: new Int32Array(nodes), isSettled: true };
}
