// What else can be done with a memory: take it along (ref, link, quotation), keep what was said as a record, link it, call it done,
// forget it after seeing what would go, open its file.

import { useState } from 'preact/hooks';
import type { MemoryPage } from '../../../src/viewer-api/protocol.ts';
import { copyText } from '../parts/copy.tsx';
import { ForgetDialog } from '../parts/forget-dialog.tsx';
import { LinkDialog } from '../parts/link-dialog.tsx';
import { useModal } from '../parts/modal.ts';
import { kindName, useRegistry } from '../registry.tsx';
import { fullDay } from '../wording.ts';
import { perform } from './perform.ts';

type MoreProps = { memory: MemoryPage; refresh: () => void };
const CAN_BE_OPEN = ['question', 'todo', 'problem', 'task', 'tech_debt'];

export function MoreActions({ memory, refresh }: MoreProps) {
  const { project: here } = useRegistry();
  const [asking, setAsking] = useState<'promote' | 'link' | 'forget'>();
  const { ref, project, layer, kind } = memory;
  const isHere = here.scopes.includes(project);
  const isWritten = memory.record !== null || memory.note !== null;
  const named = { ref, project };
  const settle = (state: 'done' | 'dropped') => void perform({ action: 'settle', ...named, state }, refresh);
  return (
    <details class="more-actions">
      <summary class="button">More</summary>
      <div class="actions">
        <button type="button" onClick={() => void copyText(ref, 'the ref')}>
          Copy ref
        </button>
        <button type="button" onClick={() => void copyText(location.href, 'the link')}>
          Copy link
        </button>
        <button type="button" onClick={() => void copyText(quoteOf(memory), 'the quotation')}>
          Copy as quotation
        </button>
        {isHere && layer === 'trace' && (
          <button type="button" onClick={() => setAsking('promote')}>
            Save as a record …
          </button>
        )}
        {isHere && isWritten && (
          <button type="button" onClick={() => setAsking('link')}>
            Link to another …
          </button>
        )}
        {isHere && CAN_BE_OPEN.includes(kind) && (
          <>
            <button type="button" onClick={() => settle('done')}>
              Done
            </button>
            <button type="button" onClick={() => settle('dropped')}>
              Drop
            </button>
          </>
        )}
        {isHere && isWritten && (
          <button type="button" onClick={() => void perform({ action: 'open', ...named }, refresh)}>
            Open the file
          </button>
        )}
        {isHere && layer !== 'entity' && (
          <button type="button" class="danger" onClick={() => setAsking('forget')}>
            Forget …
          </button>
        )}
      </div>
      {asking === 'promote' && <PromoteDialog memory={memory} close={() => setAsking(undefined)} />}
      {asking === 'link' && <LinkDialog from={named} close={() => setAsking(undefined)} refresh={refresh} />}
      {asking === 'forget' && <ForgetDialog of={memory} close={() => setAsking(undefined)} />}
    </details>
  );
}

/** With where it is from, for a ticket or a mail. */
export function quoteOf({ text, title, ref, createdAt, origin, source }: MemoryPage): string {
  const said = (text || title)
    .trim()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
  const from = [
    origin?.text,
    createdAt > 0 ? fullDay(createdAt) : '',
    source ? `${source.file}${source.line === null ? '' : `:${source.line}`}` : '',
    ref,
  ];
  return `${said}\n>\n> — ${from.filter(Boolean).join(', ')}\n`;
}

/** What was said becomes a record: in its own words unless others are typed. */
function PromoteDialog({ memory, close }: { memory: MemoryPage; close: () => void }) {
  const registry = useRegistry();
  const dialog = useModal(close);
  const first = registry.categories.some(({ name }) => name === memory.kind)
    ? memory.kind
    : registry.categories[0]?.name;
  const [category, setCategory] = useState(first ?? '');
  const [text, setText] = useState(memory.text);
  const { ref, project } = memory;
  return (
    <dialog ref={dialog} aria-labelledby="promote-title">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          close();
          void perform(
            {
              action: 'promote',
              ref,
              project,
              category,
              ...(text.trim() && text !== memory.text ? { text: text.trim() } : {}),
            },
            () => undefined,
          );
        }}
      >
        <h2 id="promote-title">Save as a record</h2>
        <div class="field">
          <label for="promote-category">As</label>
          <select id="promote-category" value={category} onChange={(event) => setCategory(event.currentTarget.value)}>
            {registry.categories.map(({ name }) => (
              <option key={name} value={name}>
                {kindName(registry, 'record', name)}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="promote-text">What it says</label>
          <textarea id="promote-text" rows={5} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </div>
        <p class="small muted">What was asked becomes its context, and its history says where it was said.</p>
        <div class="actions">
          <button type="submit" class="primary">
            Save
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
