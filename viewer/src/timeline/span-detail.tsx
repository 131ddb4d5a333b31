// One topic: what came out of it, and, for each idea, the lines of the transcript that it is from.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefQuery, SpanFields, SpanIdea, SpanPage } from '../../../src/viewer-api/protocol.ts';
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
  const { span, summary, fields, source, parts, ideas, totalIdeas } = page;
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
        {span.depth === 0 && <span>{plural(span.exchanges, 'exchange')}</span>}
        {source && <SourceText source={source} />}
        {titled && <a href={memoryHref(span)}>Open as a memory</a>}
        {!titled && (
          <a href={hrefOf('timeline', { span: span.ref, spanProject: span.project })}>Show in the timeline</a>
        )}
      </p>
      <Counts counts={span.counts} />
      <WhatCameOut fields={fields} summary={summary === span.name ? '' : summary} />
      {parts.length > 0 && (
        <section>
          <h3>Exchanges</h3>
          <ul class="rows">
            {parts.map((part) => (
              <li class="row" key={part.ref}>
                <div class="row-title">
                  <a href={hrefOf('timeline', { span: part.ref, spanProject: part.project })}>
                    {part.asked ?? part.name}
                  </a>
                  <span class="end">{fullTime(part.startAt)}</span>
                </div>
                {part.outcome && <p class="small muted clamp">→ {part.outcome}</p>}
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

/** What was asked and what came of it, line by line; a row that an older Cairn wrote has its summary alone. */
function WhatCameOut({ fields, summary }: { fields: SpanFields; summary: string }) {
  const rows: [name: string, said: readonly string[]][] = [
    ['Asked', fields.asked === '' ? [] : [fields.asked]],
    ['Outcome', fields.outcome === '' ? [] : [fields.outcome]],
    ['Decided', fields.decided],
    ['Fixed', fields.fixed],
    ['Left', fields.left],
    ['Commits', fields.commits],
    ['Files', fields.files],
  ];
  const told = rows.filter(([, said]) => said.length > 0);
  if (told.length === 0) return summary === '' ? null : <p class="prose">{summary}</p>;
  return (
    <dl class="came-out">
      {told.map(([name, said]) => (
        <div key={name}>
          <dt>{name}</dt>
          {said.map((each) => (
            <dd key={each}>{each}</dd>
          ))}
        </div>
      ))}
    </dl>
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
        {idea.stance && <span class="badge">{idea.stance}</span>}
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
