// A new record or note, from one sentence: the server reads the fields out of it as `cairn save` does; they can be edited afterwards.

import { useState } from 'preact/hooks';
import { act, ServerError } from '../client.ts';
import { kindName, useRegistry } from '../registry.tsx';
import { goTo } from '../route.ts';
import { say } from '../toasts.tsx';
import { words } from '../wording.ts';
import { useModal } from './modal.ts';
import { Failure } from './states.tsx';

export function NewMemory({ close }: { close: () => void }) {
  const registry = useRegistry();
  const dialog = useModal(close);
  const [what, setWhat] = useState(`record ${registry.categories[0]?.name ?? ''}`);
  const [title, setTitle] = useState('');
  const [text, setText] = useState('');
  const [tags, setTags] = useState('');
  const [failure, setFailure] = useState<ServerError>();
  const [layer = 'record', kind = ''] = what.split(' ');
  const save = async () => {
    const common = {
      tags: tags
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean),
    };
    try {
      const acted =
        layer === 'note'
          ? await act({
              action: 'note',
              type: kind,
              title: title.trim() || text.trim().slice(0, 80),
              ...(text.trim() ? { text: text.trim() } : {}),
              ...common,
            })
          : await act({
              action: 'create',
              category: kind,
              text: text.trim(),
              ...(title.trim() ? { title: title.trim() } : {}),
              ...common,
            });
      close();
      say([acted.message, ...acted.notes].join(' '));
      goTo('memory', { ref: acted.ref, of: acted.project });
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      setFailure(error);
    }
  };
  return (
    <dialog ref={dialog} aria-labelledby="new-title-dialog">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <h2 id="new-title-dialog">New memory</h2>
        {failure && <Failure error={failure} />}
        <div class="field">
          <label for="new-kind">What</label>
          <select id="new-kind" value={what} onChange={(event) => setWhat(event.currentTarget.value)}>
            <optgroup label="Record">
              {registry.categories.map(({ name }) => (
                <option key={name} value={`record ${name}`}>
                  {kindName(registry, 'record', name)}
                </option>
              ))}
            </optgroup>
            <optgroup label="Note">
              {registry.noteTypes.map(({ type }) => (
                <option key={type} value={`note ${type}`}>
                  {words(type)}
                </option>
              ))}
            </optgroup>
          </select>
        </div>
        <div class="field">
          <label for="new-text">What it says</label>
          <textarea
            id="new-text"
            rows={4}
            required={layer === 'record'}
            value={text}
            placeholder="Use SQLite because it needs no server."
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="new-name">Title (else made from the words)</label>
          <input
            id="new-name"
            type="text"
            maxLength={120}
            value={title}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="new-tags">Tags, separated by commas</label>
          <input id="new-tags" type="text" value={tags} onInput={(event) => setTags(event.currentTarget.value)} />
        </div>
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
