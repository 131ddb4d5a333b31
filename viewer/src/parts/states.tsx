// What a part shows while it waits, when it has nothing, and when something failed.

import type { ComponentChildren } from 'preact';
import type { ServerError } from '../client.ts';

export function Failure({ error }: { error: ServerError }) {
  return (
    <div class="notice bad" role="alert">
      <p>{error.message}</p>
      {error.fix && <p>{error.fix}</p>}
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

type Answered<T> = { readonly data: T | undefined; readonly error: ServerError | undefined };

/** The parts of a page that need an answer: waiting, failed, or there (also with an error of a later question; that nobody answers is said once, for the whole page). */
export function Answer<T>({ of, children }: { of: Answered<T>; children: (data: T) => ComponentChildren }) {
  if (of.data !== undefined)
    return (
      <>
        {of.error && of.error.code !== 'GONE' && <Failure error={of.error} />}
        {children(of.data)}
      </>
    );
  if (of.error) return <Failure error={of.error} />;
  return (
    <p class="empty" aria-busy="true">
      Loading …
    </p>
  );
}
