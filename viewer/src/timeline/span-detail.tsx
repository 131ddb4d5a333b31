// One topic: what came out of it, and, for each idea, the lines of the transcript that it is from.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefQuery, SpanIdea, SpanPage } from '../../../src/viewer-api/protocol.ts';
import { useAnswer } from '../live.ts';
import { KindMark, OriginMark, SourceText, StatusMark } from '../parts/marks.tsx';
import { memoryHref } from '../parts/memory-row.tsx';
import { Answer } from '../parts/states.tsx';
import { hrefOf } from '../route.ts';
import { count, duration, fullTime, plural } from '../wording.ts';
import { Counts } from './conversation-detail.tsx';
import { TranscriptLines } from './transcript-lines.tsx';

/** `titled`: with its name and a way to close it; a page of its own has both already. */
type SpanProps = { ask: RefQuery; titled: boolean; close?: () => void };

export function SpanDetail({ ask, titled, close }: SpanProps) {
  const { ref, project } = ask;
  const answer = useAnswer('span', { ref, ...(project ? { project } : {}) });
  return <Answer of={answer}>{(page) => <Span page={page} titled={titled} close={close} />}</Answer>;
}

function Span({ page, titled, close }: { page: SpanPage; titled: boolean; close: (() => void) | undefined }) {
  const { span, summary, source, parts, ideas, totalIdeas } = page;
  const [lines, setLines] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (titled) title.current?.focus({ preventScroll: true });
  }, [span.ref]);
  return (
    <div class="stack">
      {titled && (
        <header class="span-head">
          <h2 tabIndex={-1} ref={title}>
            {span.name}
          </h2>
          {close && (
            <button type="button" class="quiet" data-key="Escape" onClick={close} aria-label="Close the topic">
              ✕
            </button>
          )}
        </header>
      )}
      <p class="facts">
        <span>{fullTime(span.startAt)}</span>
        <span>{duration(span.endAt - span.startAt)}</span>
        <span>{plural(span.turns, 'turn')}</span>
        {source && <SourceText source={source} />}
        {titled && <a href={memoryHref(span)}>Open as a memory</a>}
        {!titled && (
          <a href={hrefOf('timeline', { span: span.ref, spanProject: span.project })}>Show in the timeline</a>
        )}
      </p>
      <Counts counts={span.counts} />
      {summary && summary !== span.name && <p class="prose">{summary}</p>}
      {parts.length > 0 && (
        <section>
          <h3>Parts</h3>
          <ul class="rows">
            {parts.map((part) => (
              <li class="row" key={part.ref}>
                <div class="row-title">
                  <a href={hrefOf('timeline', { span: part.ref, spanProject: part.project })}>{part.name}</a>
                  <span class="end">{plural(part.turns, 'turn')}</span>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3>Ideas ({count(totalIdeas)})</h3>
        <ul class="rows ideas">
          {ideas.map((idea) => (
            <Idea key={idea.ref} idea={idea} />
          ))}
        </ul>
        {totalIdeas > ideas.length && <p class="small muted">The first {count(ideas.length)} are shown.</p>}
      </section>
      <section>
        <h3>Transcript</h3>
        {lines ? (
          <TranscriptLines ask={{ ref: span.ref, project: span.project }} after={14} before={0} />
        ) : (
          <button type="button" onClick={() => setLines(true)}>
            Read the transcript from its beginning
          </button>
        )}
      </section>
    </div>
  );
}

function Idea({ idea }: { idea: SpanIdea }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li class="row">
      <div class="facts">
        <KindMark layer={idea.layer} kind={idea.kind} />
        <StatusMark status={idea.status} />
        <OriginMark origin={idea.origin} />
        {idea.source?.line && (
          <button type="button" class="link small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'} line {idea.source.line}
          </button>
        )}
      </div>
      <a class="idea-text" href={memoryHref(idea)} data-row>
        {idea.text}
      </a>
      {isOpen && <TranscriptLines ask={{ ref: idea.ref, project: idea.project }} />}
    </li>
  );
}
