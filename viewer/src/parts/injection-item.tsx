// One injection: the prompt, the moment, the memories with their reasons, the tokens.

import type { Injection } from '../../../src/viewer-api/protocol.ts';
import { hrefOf } from '../route.ts';
import { count, fullTime, plural } from '../wording.ts';
import { KindMark, When } from './marks.tsx';
import { memoryHref } from './memory-row.tsx';
import { Ranks } from './reasons.tsx';

export function InjectionItem({ injection }: { injection: Injection }) {
  const { at, event, session, prompt, tokens, entries } = injection;
  return (
    <li class="panel injection">
      <header>
        <h2>{prompt || 'Start of a conversation'}</h2>
        <p class="facts">
          <span class="badge">{event}</span>
          <time dateTime={new Date(at).toISOString()}>{fullTime(at)}</time>
          <When at={at} />
          <strong>{count(tokens)} tokens</strong>
          <span>{plural(entries.length, 'memory', 'memories')}</span>
          {session && (
            <a href={hrefOf('injections', { session })} title={session}>
              conversation {session.slice(0, 8)}
            </a>
          )}
        </p>
      </header>
      <ul class="rows">
        {entries.map((entry) => (
          <li class="row entry" key={`${entry.project} ${entry.ref}`}>
            <div class="row-title">
              {entry.kind && entry.layer && <KindMark layer={entry.layer} kind={entry.kind} />}
              {entry.title === null ? (
                <span class="muted">{entry.ref} (gone)</span>
              ) : (
                <a href={memoryHref(entry)} data-row class="clamp">
                  {entry.title}
                </a>
              )}
              <span class="end">{count(entry.tokens)} tokens</span>
            </div>
            <div class="entry-why">
              <span class="relevance">
                Relevance {Math.round(entry.relevance * 100)} %
                <span class="bar" aria-hidden="true">
                  <span style={{ width: `${Math.round(entry.relevance * 100)}%` }} />
                </span>
              </span>
              <Ranks ranks={entry.ranks} />
            </div>
          </li>
        ))}
      </ul>
    </li>
  );
}
