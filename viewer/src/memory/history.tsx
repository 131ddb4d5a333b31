// What was changed when: each change with what was and what is, where that is known.

import type { HistoryEntry } from '../../../src/viewer-api/protocol.ts';
import { When } from '../parts/marks.tsx';
import { words } from '../wording.ts';

export function History({ entries }: { entries: readonly HistoryEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="history-title">
      <h2 id="history-title">History of changes</h2>
      <ol class="history">
        {entries.map(({ at, summary, field, was, is }, index) => (
          <li key={index}>
            <p>
              {summary} <span class="muted small">{at !== null && <When at={at} />}</span>
            </p>
            {field !== null && (was !== null || is !== null) && (
              <p class="small change">
                <span class="muted">{words(field.replace(/^content\./, ''))}:</span>{' '}
                {was !== null && <del>{shown(was)}</del>} {is !== null && <ins>{shown(is)}</ins>}
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join('; ');
  return JSON.stringify(value);
}
