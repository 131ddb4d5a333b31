// Tokens per day as columns: each is a link to the injections of its day; a list says the same to those who cannot see it or hit it.

import type { Overview } from '../../../src/viewer-api/protocol.ts';
import { hrefOf } from '../route.ts';
import { count, plainDay, plural } from '../wording.ts';

const HEIGHT = 96;

export function TokensChart({ days }: { days: Overview['injected'] }) {
  const most = Math.max(...days.map(({ tokens }) => tokens), 1);
  const sum = days.reduce((total, { tokens }) => total + tokens, 0);
  const times = days.reduce((total, { injections }) => total + injections, 0);
  const used = days.filter(({ tokens }) => tokens > 0).reverse();
  return (
    <figure class="tokens">
      <figcaption class="small muted">
        {sum === 0
          ? `Nothing was injected in the last ${days.length} days.`
          : `${count(sum)} tokens in ${plural(times, 'injection')} over ${days.length} days; at most ${count(most)} a day.`}
      </figcaption>
      <ul class="columns" style={{ height: `${HEIGHT}px` }}>
        {days.map(({ day, tokens, injections }) => {
          const label = `${plainDay(day)}: ${count(tokens)} tokens, ${plural(injections, 'injection')}`;
          return (
            <li key={day}>
              {tokens > 0 ? (
                <a href={hrefOf('injections', { day })} title={label} aria-label={label}>
                  <span style={{ height: `${Math.max(3, (100 * tokens) / most)}%` }} />
                </a>
              ) : (
                <span class="none" title={label} />
              )}
            </li>
          );
        })}
      </ul>
      <p class="axis" aria-hidden="true">
        <span>{plainDay(days[0]?.day ?? '')}</span>
        <span>{plainDay(days.at(-1)?.day ?? '')}</span>
      </p>
      {used.length > 0 && (
        <details class="small">
          <summary>As a list</summary>
          <ul class="facts">
            {used.map(({ day, tokens }) => (
              <li key={day} class="facts">
                <a href={hrefOf('injections', { day })}>{plainDay(day)}</a>
                <span>{plural(tokens, 'token')}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </figure>
  );
}
