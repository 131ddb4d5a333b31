// Keeps what is shown in step with what is on disk: one stream of changes for the page, and answers that are asked for anew when
// something changed. Old data stays until the new is there, so nothing jumps.

import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { ChangeEvent, Contract } from '../../src/viewer-api/protocol.ts';
import { ask, askOtherTabs, readChanges, ServerError } from './client.ts';

/** `refused`: a server answers, but it is another one, with another token. */
export type LiveState = 'starting' | 'on' | 'lost' | 'refused';
type What = ChangeEvent['what'][number];

const RETRY_MS = 2_000;
/** A stream may break for a moment; nobody is told of that. */
const FIRST_RETRY_MS = 250;
/** Hooks write in bursts; one look after them is enough. */
const CALM_MS = 250;
const listeners = new Set<(what: readonly What[]) => void>();

/** Once, for the whole page. */
export function useLive(): LiveState {
  const [state, setState] = useState<LiveState>('starting');
  useEffect(() => {
    const stop = new AbortController();
    void follow(stop.signal, setState);
    return () => stop.abort();
  }, []);
  return state;
}

async function follow(signal: AbortSignal, setState: (state: LiveState) => void): Promise<void> {
  let wasLost = false;
  let failed = 0;
  let pending: What[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (what: readonly What[]) => {
    pending = [...new Set([...pending, ...what])];
    clearTimeout(timer);
    timer = setTimeout(() => {
      const now = pending;
      pending = [];
      for (const listener of listeners) listener(now);
    }, CALM_MS);
  };
  while (!signal.aborted) {
    try {
      await readChanges((change) => {
        setState('on');
        if (wasLost) tell(['memory', 'store', 'injections', 'feedback', 'settings']);
        else if (change.what.length > 0) tell(change.what);
        wasLost = false;
        failed = 0;
      }, signal);
      failed++;
    } catch (error) {
      failed++;
      // Said by the state; the next round tries again, with the token of another tab if one knows better.
      const isRefused = error instanceof ServerError && error.code === 'UNAUTHORIZED';
      if (isRefused && !signal.aborted && !(await askOtherTabs())) setState('refused');
      else if (!isRefused && !signal.aborted && failed > 1) setState('lost');
    }
    if (signal.aborted) return;
    wasLost = true;
    await new Promise((resolve) => setTimeout(resolve, failed <= 1 ? FIRST_RETRY_MS : RETRY_MS));
  }
}

type Asked = Parameters<typeof ask>[0];

/** Going back shows at once what was there; it is asked for anew all the same. */
const answers = new Map<string, unknown>();
const KEPT_ANSWERS = 40;

function keepAnswer(name: string, data: unknown): void {
  answers.delete(name);
  answers.set(name, data);
  if (answers.size > KEPT_ANSWERS) answers.delete(answers.keys().next().value!);
}

export type Answered<T> = {
  readonly data: T | undefined;
  readonly error: ServerError | undefined;
  readonly loading: boolean;
  readonly refresh: () => void;
};

/** What the server answers now; `query` undefined asks for nothing. */
export function useAnswer<R extends Asked>(
  route: R,
  query: Contract[R]['query'] | undefined,
): Answered<Contract[R]['answer']> {
  const key = query === undefined ? '' : JSON.stringify(query);
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ key: string; data?: Contract[R]['answer']; error?: ServerError }>(() => {
    const known = answers.get(`${route} ${key}`) as Contract[R]['answer'] | undefined;
    return known === undefined ? { key: '' } : { key, data: known };
  });
  const [loading, setLoading] = useState(query !== undefined);
  useEffect(() => {
    const seen = () => setRound((count) => count + 1);
    listeners.add(seen);
    return () => void listeners.delete(seen);
  }, []);
  // At once, not after the next frame: every question waits for this.
  useLayoutEffect(() => {
    if (key === '') {
      setState({ key });
      setLoading(false);
      return;
    }
    const stop = new AbortController();
    setLoading(true);
    ask(route, JSON.parse(key) as Contract[R]['query'], stop.signal).then(
      (data) => {
        keepAnswer(`${route} ${key}`, data);
        setState({ key, data });
        setLoading(false);
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const failure =
          error instanceof ServerError
            ? error
            : new ServerError({
                error: { code: 'PAGE', message: error instanceof Error ? error.message : String(error) },
              });
        setState((before) =>
          before.key === key && before.data ? { ...before, error: failure } : { key, error: failure },
        );
        setLoading(false);
      },
    );
    return () => stop.abort();
  }, [route, key, round]);
  // Also before the effect has run: what is here may answer another question.
  const isLoading = loading || state.key !== key;
  return { data: state.data, error: state.error, loading: isLoading, refresh: () => setRound((count) => count + 1) };
}
