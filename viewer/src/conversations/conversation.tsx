// One conversation in the journal: its title, outcome and what was kept of it; opened, its topics with each exchange as asked → came out.

import { useState } from 'preact/hooks';
import type { JournalExchange, JournalTalk } from '../../../src/viewer-api/protocol.ts';
import { memoryHref } from '../parts/memory-row.tsx';
import { PlainText } from '../parts/plain-text.tsx';
import { hrefOf } from '../route.ts';
import { SpanDetail } from '../timeline/span-detail.tsx';
import { clock, duration, plural } from '../wording.ts';

const SHOWN = 3;
/** Which are open, as long as the page is: going back finds them so. */
const opened = new Set<string>();

export function Conversation({ talk, isNamed }: { talk: JournalTalk; isNamed: boolean }) {
  const key = `${talk.project} ${talk.session}`;
  const [isOpen, setOpen] = useState(isNamed || opened.has(key));
  const toggle = () => {
    if (isOpen) opened.delete(key);
    else opened.add(key);
    setOpen(!isOpen);
  };
  const { session, title, startAt, endAt, outcome, commits, decided, left, exchanges, topics, files } = talk;
  const span = Math.max(0, endAt - startAt);
  return (
    <article class="talk" id={`talk-${session}`} aria-labelledby={`title-${session}`}>
      <h3 id={`title-${session}`}>
        <button type="button" class="talk-title" data-row aria-expanded={isOpen} onClick={toggle}>
          {title}
        </button>
      </h3>
      <p class="facts">
        <time dateTime={new Date(startAt).toISOString()}>{clock(startAt)}</time>
        {span > 0 && <span>{duration(span)}</span>}
        <span>{plural(exchanges, 'exchange')}</span>
        {files > 0 && <span>{plural(files, 'file')}</span>}
      </p>
      {outcome && (
        <p class="talk-outcome">
          <PlainText text={outcome} />
        </p>
      )}
      <Said name="Committed" texts={commits} isOpen={isOpen} isCode />
      <Said name="Decided" texts={decided} isOpen={isOpen} />
      <Said name="Left" texts={left} isOpen={isOpen} />
      {isOpen && (
        <div class="talk-inner">
          {topics.map((topic) => (
            <section key={topic.ref} class="topic">
              <h4>
                <a href={memoryHref({ ref: topic.ref, project: talk.project })}>{topic.name}</a>
              </h4>
              <ol>
                {topic.exchanges.map((exchange) => (
                  <Exchange key={exchange.ref} exchange={exchange} project={talk.project} />
                ))}
              </ol>
            </section>
          ))}
          <p class="facts">
            <a href={hrefOf('injections', { session })}>What was injected</a>
            <a href={hrefOf('memory', { layer: 'trace', session })}>Everything said</a>
            <span class="mono">{session}</span>
          </p>
        </div>
      )}
    </article>
  );
}

type SaidProps = { name: string; texts: readonly string[]; isOpen: boolean; isCode?: boolean };

function Said({ name, texts, isOpen, isCode = false }: SaidProps) {
  if (texts.length === 0) return null;
  const shown = isOpen ? texts : texts.slice(0, SHOWN);
  const rest = texts.length - shown.length;
  return (
    <div class="talk-said">
      <span class="label">{name}</span>
      <ul>
        {shown.map((text) => (
          <li key={text} class={isCode ? 'mono' : ''}>
            <PlainText text={text} />
          </li>
        ))}
        {rest > 0 && <li class="muted small">and {rest} more</li>}
      </ul>
    </div>
  );
}

function Exchange({ exchange, project }: { exchange: JournalExchange; project: string }) {
  const [isOpen, setOpen] = useState(false);
  const { ref, asked, outcome, stopped, startAt } = exchange;
  return (
    <li class="exchange">
      <button type="button" class="exchange-asked" data-row aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="muted small">{clock(startAt)}</span>
        <span>{asked}</span>
      </button>
      {outcome && (
        <p class={`exchange-outcome ${stopped ? 'muted' : ''}`}>
          <span aria-hidden="true">→ </span>
          <PlainText text={outcome} />
        </p>
      )}
      {isOpen && (
        <div class="exchange-inner">
          <SpanDetail ask={{ ref, project }} titled={false} />
        </div>
      )}
    </li>
  );
}
