// One injection: the prompt, the block as the model saw it, each memory with its reasons and a word on whether it helped.

import type { Injection, SilentPrompt, Verdict } from '../../../src/viewer-api/protocol.ts';
import { perform } from '../memory/perform.ts';
import { useRegistry } from '../registry.tsx';
import { hrefOf } from '../route.ts';
import { count, fullTime, plural } from '../wording.ts';
import { KindMark, When } from './marks.tsx';
import { memoryHref } from './memory-row.tsx';
import { Ranks } from './reasons.tsx';

type Entry = Injection['entries'][number];

export function InjectionItem({ injection, refresh }: { injection: Injection; refresh?: () => void }) {
  const { at, event, session, prompt, tokens, entries } = injection;
  const lines = entries.flatMap(({ line }) => (line === null ? [] : [line]));
  return (
    <li class="panel injection">
      <header>
        <h2>{prompt || 'Start of a conversation'}</h2>
        <p class="facts">
          <span class="badge">{event}</span>
          <time dateTime={new Date(at).toISOString()}>{fullTime(at)}</time>
          <strong>{count(tokens)} tokens</strong>
          <span>{plural(entries.length, 'memory', 'memories')}</span>
          {session && <a href={hrefOf('conversations', { session })}>Conversation</a>}
          {session && (
            <a href={hrefOf('injections', { session })} title={session}>
              All that it was told
            </a>
          )}
          {prompt && <a href={hrefOf('injections', { try: 'true', prompt })}>What would be told now?</a>}
        </p>
      </header>
      {lines.length > 0 && (
        <figure>
          <figcaption class="small muted">As the model saw it</figcaption>
          <pre class="block">{lines.join('\n')}</pre>
        </figure>
      )}
      <ul class="rows">
        {entries.map((entry) => (
          <EntryRow key={`${entry.project} ${entry.ref}`} entry={entry} refresh={refresh} />
        ))}
      </ul>
    </li>
  );
}

function EntryRow({ entry, refresh }: { entry: Entry; refresh: (() => void) | undefined }) {
  return (
    <li class="row entry">
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
        {entry.title !== null && refresh && <Judge entry={entry} refresh={refresh} />}
      </div>
    </li>
  );
}

const WORDS: { readonly [verdict in Verdict]: string } = { useful: 'Useful', wrong: 'Wrong', stale: 'Stale' };

/** In place: whoever sees what was told knows best whether it helped. */
function Judge({ entry, refresh }: { entry: Entry; refresh: () => void }) {
  const { verdicts } = useRegistry();
  const { ref, project } = entry;
  return (
    <fieldset class="verdicts">
      <legend class="hidden-visually">Did it help?</legend>
      {verdicts.map((verdict) => (
        <button
          key={verdict}
          type="button"
          class="small"
          aria-pressed={entry.verdict === verdict}
          onClick={() =>
            void perform(
              { action: 'feedback', ref, project, verdict: entry.verdict === verdict ? null : verdict },
              refresh,
            )
          }
        >
          {WORDS[verdict]}
        </button>
      ))}
    </fieldset>
  );
}

export function SilentItem({ silent: { ref, project, at, prompt, session } }: { silent: SilentPrompt }) {
  return (
    <li class="panel injection silent">
      <header>
        <h2>
          <a class="plain" href={memoryHref({ ref, project })} data-row>
            {prompt}
          </a>
        </h2>
        <p class="facts">
          <span class="badge">Nothing was told</span>
          <When at={at} />
          {session && <a href={hrefOf('conversations', { session })}>Conversation</a>}
          <a href={hrefOf('injections', { try: 'true', prompt })}>What would be told now?</a>
        </p>
      </header>
    </li>
  );
}
