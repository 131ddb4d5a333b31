// What can be done with a memory: edit, retire, archive, bring back, judge. Each is one call; where the server offers a way back,
// the message offers it too.

import { useState } from 'preact/hooks';
import type { Action, MemoryPage, Verdict } from '../../../src/viewer-api/protocol.ts';
import { useModal } from '../parts/modal.ts';
import { useRegistry } from '../registry.tsx';
import { words } from '../wording.ts';
import { MoreActions } from './more-actions.tsx';
import { perform } from './perform.ts';

type ActionsProps = { memory: MemoryPage; editing: boolean; edit: () => void; refresh: () => void };
type Reasoned = 'retire' | 'archive';

export function MemoryActions({ memory, editing, edit, refresh }: ActionsProps) {
  const [asking, setAsking] = useState<Reasoned>();
  const named = { ref: memory.ref, project: memory.project };
  const offer = (action: Action['action']) => memory.actions.find((each) => each.action === action);
  const allowed = (action: Action['action']) => offer(action)?.allowed === true;
  const whyNot = offer('edit')?.why;
  if (memory.actions.length === 0) return null;
  return (
    <div class="memory-actions">
      {allowed('edit') && (
        <button type="button" class="primary" data-key="e" disabled={editing} onClick={edit}>
          Edit
        </button>
      )}
      {(['archive', 'retire'] as const).filter(allowed).map((action) => (
        <button
          key={action}
          type="button"
          class={action === 'retire' ? 'danger' : ''}
          onClick={() => setAsking(action)}
        >
          {words(action)}
        </button>
      ))}
      {(['restore', 'unarchive'] as const).filter(allowed).map((action) => (
        <button key={action} type="button" onClick={() => void perform({ ...named, action }, refresh)}>
          {words(action)}
        </button>
      ))}
      {allowed('feedback') && <Feedback memory={memory} refresh={refresh} />}
      <MoreActions memory={memory} refresh={refresh} />
      {!allowed('edit') && whyNot && <p class="small muted">{whyNot}</p>}
      {asking && (
        <ReasonDialog
          action={asking}
          close={() => setAsking(undefined)}
          done={(reason) => void perform({ ...named, action: asking, ...(reason ? { reason } : {}) }, refresh)}
        />
      )}
    </div>
  );
}

const VERDICT_WORDS: { readonly [verdict in Verdict]: string } = { useful: 'Useful', wrong: 'Wrong', stale: 'Stale' };

function Feedback({ memory, refresh }: { memory: MemoryPage; refresh: () => void }) {
  const { verdicts } = useRegistry();
  const { ref, project, learned } = memory;
  return (
    <fieldset class="verdicts">
      <legend class="hidden-visually">Feedback</legend>
      {verdicts.map((verdict) => {
        const is = learned.verdict === verdict;
        return (
          <button
            key={verdict}
            type="button"
            aria-pressed={is}
            onClick={() => void perform({ ref, project, action: 'feedback', verdict: is ? null : verdict }, refresh)}
          >
            {VERDICT_WORDS[verdict]}
          </button>
        );
      })}
    </fieldset>
  );
}

const REASON_WORDS = {
  retire: 'It is no longer searched or injected, and its file is deleted after a while. It can be restored until then.',
  archive: 'It is kept, and found only when archived memories are asked for.',
} as const;

type ReasonProps = { action: Reasoned; close: () => void; done: (reason: string) => void };

function ReasonDialog({ action, close, done }: ReasonProps) {
  const dialog = useModal(close);
  const [reason, setReason] = useState('');
  return (
    <dialog ref={dialog} aria-labelledby="reason-title">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          close();
          done(reason.trim());
        }}
      >
        <h2 id="reason-title">{words(action)} this memory</h2>
        <p class="muted">{REASON_WORDS[action]}</p>
        <div class="field">
          <label for="reason">Reason, for the history</label>
          <input id="reason" value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        </div>
        <div class="actions">
          <button type="submit" class="primary">
            {words(action)}
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
