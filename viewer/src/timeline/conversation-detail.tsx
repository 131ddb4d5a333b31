// One conversation: its topics and exchanges as a list with what came out, the way to them without a pointer.

import { useEffect, useRef } from 'preact/hooks';
import type { Conversation, SpanBar } from '../../../src/viewer-api/protocol.ts';
import { KindDot } from '../parts/marks.tsx';
import { hrefOf } from '../route.ts';
import { duration, fullTime, plural, words } from '../wording.ts';
import { leadingIntent } from './lanes.tsx';

type ConversationProps = {
  conversation: Conversation;
  choose: (span: SpanBar) => void;
  zoom: () => void;
  close: () => void;
};

export function ConversationDetail({ conversation, choose, zoom, close }: ConversationProps) {
  const { name, startAt, endAt, exchanges, spans, session, counts } = conversation;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), [session]);
  return (
    <>
      <header>
        <h2 tabIndex={-1} ref={title}>
          {name}
        </h2>
        <button type="button" class="quiet" data-key="Escape" onClick={close} aria-label="Close the conversation">
          ✕
        </button>
      </header>
      <p class="facts">
        <span>{fullTime(startAt)}</span>
        <span>{duration(endAt - startAt)}</span>
        <span>{plural(exchanges, 'exchange')}</span>
        <button type="button" class="link" onClick={zoom}>
          Zoom to it
        </button>
        <a href={hrefOf('injections', { session })}>What was injected</a>
      </p>
      <Counts counts={counts} />
      <ul class="rows">
        {spans.map((span) => (
          <li class="row" key={span.ref} data-depth={span.depth}>
            <div class="row-title">
              <KindDot layer="trace" kind={leadingIntent(span)} />
              <button type="button" class="link" data-row onClick={() => choose(span)}>
                {span.asked ?? span.name}
              </button>
              {span.depth === 0 && <span class="end">{plural(span.exchanges, 'exchange')}</span>}
            </div>
            {span.depth > 0 && span.outcome && <p class="small muted clamp">→ {span.outcome}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}

/** “3 decisions, 1 question”. */
export function Counts({ counts }: { counts: { readonly [intent: string]: number } }) {
  const some = Object.entries(counts).filter(([intent, many]) => many > 0 && intent !== 'context');
  if (some.length === 0) return null;
  return (
    <ul class="facts" aria-label="What was said">
      {some.map(([intent, many]) => (
        <li key={intent}>
          <KindDot layer="trace" kind={intent} /> {plural(many, words(intent).toLowerCase())}
        </li>
      ))}
    </ul>
  );
}
