// What was changed when: each change as a difference between what was and what is, word by word, and the way back to what was.

import type { HistoryEntry, MemoryPage } from '../../../src/viewer-api/protocol.ts';
import { When } from '../parts/marks.tsx';
import { fullDay, words } from '../wording.ts';
import { perform } from './perform.ts';
import { wordDiff } from './word-diff.ts';

type HistoryProps = { memory: MemoryPage; refresh: () => void };

export function History({ memory, refresh }: HistoryProps) {
  const { history, actions } = memory;
  if (history.length === 0) return null;
  const canEdit = actions.some(({ action, allowed }) => action === 'edit' && allowed);
  return (
    <section class="panel" aria-labelledby="history-title">
      <h2 id="history-title">History of changes</h2>
      <ol class="history">
        {history.map((entry, index) => (
          <li key={index}>
            <p>
              {entry.summary} <span class="muted small">{entry.at !== null && <When at={entry.at} />}</span>
            </p>
            {entry.field !== null && (entry.was !== null || entry.is !== null) && (
              <Change entry={entry} field={entry.field} />
            )}
            {canEdit && <Restore memory={memory} entry={entry} refresh={refresh} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Change({ entry: { was, is }, field }: { entry: HistoryEntry; field: string }) {
  const name = words(field.replace(/^content\./, ''));
  if (was === null || is === null)
    return (
      <p class="small change">
        <span class="muted">{name}:</span> {was !== null && <del>{shown(was)}</del>}
        {is !== null && <ins>{shown(is)}</ins>}
      </p>
    );
  return (
    <p class="small change">
      <span class="muted">{name}:</span>{' '}
      {wordDiff(shown(was), shown(is)).map(({ how, text }, at) =>
        how === 'gone' ? <del key={at}>{text}</del> : how === 'new' ? <ins key={at}>{text}</ins> : text,
      )}
    </p>
  );
}

/** Only of what an edit can set, and where it is not so already. */
function Restore({ memory, entry, refresh }: HistoryProps & { entry: HistoryEntry }) {
  const edit = restoring(memory, entry);
  const { ref, project, version } = memory;
  if (!edit || version === null) return null;
  return (
    <button
      type="button"
      class="small"
      onClick={() => void perform({ action: 'edit', ref, project, version, edit }, refresh)}
    >
      Restore what was
    </button>
  );
}

export function restoring({ record }: MemoryPage, { field, was, at }: HistoryEntry) {
  if (!record || field === null || was === null) return undefined;
  const summary = `Restored ${field.replace(/^content\./, '')}${at === null ? '' : ` as it was before ${fullDay(at)}`}`;
  const name = /^content\.(\w+)$/.exec(field)?.[1];
  const now = name ? record.content[name] : field === 'title' ? record.title : undefined;
  if (now === undefined && !name) return undefined;
  if (JSON.stringify(now) === JSON.stringify(was)) return undefined;
  if (name) return { content: { [name]: was }, summary };
  return typeof was === 'string' ? { title: was, summary } : undefined;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join('; ');
  return JSON.stringify(value);
}
