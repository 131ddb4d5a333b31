// One memory: its words, where they come from, what became of it and what it belongs to. While it is edited, the form keeps what
// was typed, whatever happens on disk.

import { useState } from 'preact/hooks';
import type { MemoryPage, RefQuery } from '../../../src/viewer-api/protocol.ts';
import type { ServerError } from '../client.ts';
import { exportMarkdown } from '../exporting.ts';
import { useAnswer } from '../live.ts';
import { usePageTitle } from '../page-title.ts';
import { KindMark, OriginMark, SourceText, StalenessMark, StatusMark, UntrustedMark, When } from '../parts/marks.tsx';
import { Answer, Failure } from '../parts/states.tsx';
import { hrefOf } from '../route.ts';
import { SpanDetail } from '../timeline/span-detail.tsx';
import { TranscriptLines } from '../timeline/transcript-lines.tsx';
import { plural } from '../wording.ts';
import { hasDraft } from './drafts.ts';
import { EditForm } from './edit-form.tsx';
import { History } from './history.tsx';
import { MemoryActions } from './memory-actions.tsx';
import { MemoryContent } from './memory-content.tsx';
import { Mentioning } from './mentioning.tsx';
import { Chain, Entities, Files, Injected, Links } from './relations.tsx';

export function MemoryDetail({ ask }: { ask: RefQuery }) {
  const answer = useAnswer('memory', ask);
  if (answer.error && !answer.data) return <NotThere error={answer.error} />;
  return <Answer of={answer}>{(memory) => <Memory memory={memory} refresh={answer.refresh} />}</Answer>;
}

/** Deleted, forgotten or never there: the page says so, and where to go on. */
function NotThere({ error }: { error: ServerError }) {
  return (
    <>
      <div class="head">
        <h1>Memory</h1>
        <div class="actions">
          <a class="button" href={hrefOf('memory')}>
            All memories
          </a>
          <a class="button" href={hrefOf('search')}>
            Search
          </a>
        </div>
      </div>
      <Failure error={error} />
    </>
  );
}

function Memory({ memory, refresh }: { memory: MemoryPage; refresh: () => void }) {
  const canEdit = memory.actions.some(({ action, allowed }) => action === 'edit' && allowed);
  usePageTitle(memory.title || memory.ref);
  const [editing, setEditing] = useState(() => canEdit && hasDraft(memory));
  return (
    <article class="memory" aria-labelledby="memory-title">
      <MemoryHead memory={memory} />
      <MemoryActions memory={memory} editing={editing} edit={() => setEditing(true)} refresh={refresh} />
      <div class="memory-body">
        <div class="stack">
          {editing ? (
            <EditForm
              memory={memory}
              close={() => setEditing(false)}
              reopen={() => setEditing(true)}
              refresh={refresh}
            />
          ) : (
            !saysOnlyItsTitle(memory) && <MemoryContent memory={memory} />
          )}
          {memory.entity && <Mentioning entity={memory.entity.name} project={memory.project} />}
          {memory.ref.startsWith('span:') && <SpanDetail ask={memory} titled={false} />}
          {memory.exchange && <AroundIt memory={memory} exchange={memory.exchange} />}
          {memory.layer === 'trace' && !memory.ref.startsWith('span:') && memory.source && (
            <section class="panel" aria-labelledby="said-title">
              <h2 id="said-title">What was said</h2>
              <TranscriptLines ask={memory} quote={memory.text} />
            </section>
          )}
          <History memory={memory} refresh={refresh} />
        </div>
        <div class="stack">
          <Chain steps={memory.chain} />
          <Links id="links" title="Links to" rows={memory.links} />
          <Links id="backlinks" title="Linked from" rows={memory.backlinks} />
          <Files memory={memory} />
          <Entities memory={memory} />
          <Injected memory={memory} />
        </div>
      </div>
    </article>
  );
}

/** The exchange that a statement stands in. */
function AroundIt({ memory, exchange }: { memory: MemoryPage; exchange: NonNullable<MemoryPage['exchange']> }) {
  const { ref, asked, outcome } = exchange;
  return (
    <section class="panel" aria-labelledby="exchange-title">
      <h2 id="exchange-title">In the exchange</h2>
      <dl class="came-out">
        {asked !== '' && (
          <div>
            <dt>Asked</dt>
            <dd>{asked}</dd>
          </div>
        )}
        {outcome !== '' && (
          <div>
            <dt>Outcome</dt>
            <dd>{outcome}</dd>
          </div>
        )}
      </dl>
      <a href={hrefOf('timeline', { span: ref, spanProject: memory.project })}>Show the exchange</a>
    </section>
  );
}

/** An idea of one sentence is its own title; the transcript below says the rest. */
const saysOnlyItsTitle = ({ record, note, tags, text, title }: MemoryPage): boolean =>
  !record && !note && tags.length === 0 && text.trim() === title.trim();

function MemoryHead({ memory }: { memory: MemoryPage }) {
  const { layer, kind, status, staleness, title, createdAt, updatedAt, source, span, confidence, record } = memory;
  return (
    <header class="memory-head">
      <div class="facts">
        <KindMark layer={layer} kind={kind} />
        <StatusMark status={status} />
        <StalenessMark state={staleness} />
        {memory.untrusted && <UntrustedMark />}
        <OriginMark origin={memory.origin} />
        {memory.stance && <span class="badge">{memory.stance}</span>}
        <span class="mono">{memory.ref}</span>
      </div>
      <h1 id="memory-title">{title}</h1>
      <div class="facts">
        {createdAt > 0 && (
          <span>
            Created <When at={createdAt} />
          </span>
        )}
        {updatedAt > createdAt && (
          <span>
            changed <When at={updatedAt} />
          </span>
        )}
        {record && record.timesUpdated > 0 && <span>{plural(record.timesUpdated, 'update')}</span>}
        <span>confidence {Math.round(confidence * 100)} %</span>
        {source && <SourceText source={source} />}
        {span && <a href={hrefOf('timeline', { span: span.ref, spanProject: memory.project })}>Topic: {span.name}</a>}
        <a href={hrefOf('graph', { focus: memory.ref, focusProject: memory.project })}>Show in the graph</a>
        <button
          type="button"
          class="link"
          onClick={() => void exportMarkdown('exportNeighbourhood', { ref: memory.ref, project: memory.project })}
        >
          Export with neighbours
        </button>
      </div>
    </header>
  );
}
