// One memory: its words, where they come from, what became of it and what it belongs to. While it is edited, the form keeps what
// was typed, whatever happens on disk.

import { useState } from 'preact/hooks';
import type { MemoryPage, RefQuery } from '../../../src/viewer-api/protocol.ts';
import { exportMarkdown } from '../exporting.ts';
import { useAnswer } from '../live.ts';
import { KindMark, OriginMark, SourceText, StalenessMark, StatusMark, UntrustedMark, When } from '../parts/marks.tsx';
import { Answer } from '../parts/states.tsx';
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
  return <Answer of={answer}>{(memory) => <Memory memory={memory} refresh={answer.refresh} />}</Answer>;
}

function Memory({ memory, refresh }: { memory: MemoryPage; refresh: () => void }) {
  const canEdit = memory.actions.some(({ action, allowed }) => action === 'edit' && allowed);
  const [editing, setEditing] = useState(() => canEdit && hasDraft(memory));
  return (
    <article class="memory" aria-labelledby="memory-title">
      <MemoryHead memory={memory} />
      <MemoryActions memory={memory} editing={editing} edit={() => setEditing(true)} refresh={refresh} />
      <div class="memory-body">
        <div class="stack">
          {editing ? (
            <EditForm memory={memory} close={() => setEditing(false)} refresh={refresh} />
          ) : (
            !saysOnlyItsTitle(memory) && <MemoryContent memory={memory} />
          )}
          {memory.entity && <Mentioning entity={memory.entity.name} project={memory.project} />}
          {memory.ref.startsWith('span:') && <SpanDetail ask={memory} titled={false} />}
          {memory.layer === 'trace' && !memory.ref.startsWith('span:') && memory.source && (
            <section class="panel" aria-labelledby="said-title">
              <h2 id="said-title">What was said</h2>
              <TranscriptLines ask={memory} />
            </section>
          )}
          <History entries={memory.history} />
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
