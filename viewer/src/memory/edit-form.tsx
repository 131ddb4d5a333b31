// Editing a record or a note. The server validates; what it finds wrong is shown at the fields, and the first of them gets the
// focus. A file that changed meanwhile is not overwritten: the form says so and brings both
// together, field by field, or begins anew.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FieldProblem, FormField, MemoryPage } from '../../../src/viewer-api/protocol.ts';
import { act, ServerError } from '../client.ts';
import { useRegistry } from '../registry.tsx';
import { say } from '../toasts.tsx';
import { Conflicts } from './conflicts.tsx';
import {
  type Conflict,
  type Draft,
  draftOf,
  dropDraft,
  freshDraft,
  keepDraft,
  mergeDraft,
  noteEdit,
  recordEdit,
  tidy,
  type Values,
  withValue,
} from './drafts.ts';
import { FieldEditor, idOf } from './form-field.tsx';
import { announce } from './perform.ts';

type EditProps = { memory: MemoryPage; close: () => void; reopen: () => void; refresh: () => void };

const TITLE: FormField = { name: 'title', type: 'text', required: true };
const TAGS: FormField = { name: 'tags', type: 'text', required: false, describe: 'Separated by commas.' };
const FILES: FormField = { name: 'related_files', type: 'lines', required: false };
const SUMMARY: FormField = { name: 'why', type: 'text', required: false, describe: 'For the history of changes.' };

export function EditForm({ memory, close, reopen, refresh }: EditProps) {
  const { categories, noteTypes } = useRegistry();
  const fields = categories.find(({ name }) => name === memory.record?.category)?.fields ?? [];
  const noteForm = noteTypes.find(({ type }) => type === memory.note?.type);
  const [draft, setDraft] = useState(() => draftOf(memory, fields, noteForm));
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const [failure, setFailure] = useState<ServerError>();
  const [saving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => keepDraft(memory, draft), [draft]);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(), []);
  useEffect(() => focusFirstProblem(form.current), [failure]);
  // Escape is pressed by mistake too: what was typed can be had back.
  const leave = () => {
    const isTyped = JSON.stringify(draft.values) !== JSON.stringify(draft.start);
    dropDraft(memory);
    close();
    if (isTyped)
      say('The edit was given up.', {
        undo: () => {
          keepDraft(memory, draft);
          reopen();
        },
      });
  };
  const save = async () => {
    const tidied: Draft = { ...draft, values: tidy(draft.values) as Values };
    setDraft(tidied);
    setSaving(true);
    try {
      const edit = memory.record ? recordEdit(tidied, fields) : noteEdit(tidied);
      const { ref, project } = memory;
      const acted = await act({ action: 'edit', ref, project, version: draft.version, edit });
      dropDraft(memory);
      close();
      announce(acted, memory, refresh);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      setFailure(error);
    } finally {
      setSaving(false);
    }
  };
  const set = (name: string, value: unknown) => setDraft({ ...draft, values: { ...draft.values, [name]: value } });
  const changedBelow = memory.version !== null && memory.version !== draft.version;
  return (
    <form
      class="panel edit"
      aria-label="Edit the memory"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {changedBelow && (
        <div class="notice warn" role="status">
          <p>The file changed since you began. Saving would be refused until the two are brought together.</p>
          <p class="actions">
            <button
              type="button"
              onClick={() => {
                const merged = mergeDraft(draft, freshDraft(memory, fields, noteForm));
                setDraft(merged.draft);
                setConflicts(merged.conflicts);
                setFailure(undefined);
              }}
            >
              Bring both together
            </button>
            <button
              type="button"
              onClick={() => {
                dropDraft(memory);
                setDraft(freshDraft(memory, fields, noteForm));
                setConflicts([]);
                setFailure(undefined);
              }}
            >
              Begin anew from the file
            </button>
          </p>
        </div>
      )}
      {conflicts.length > 0 && (
        <Conflicts
          conflicts={conflicts}
          choose={(path, value) => setDraft(withValue(draft, path, value))}
          done={() => setConflicts([])}
        />
      )}
      {failure && <Refusal failure={failure} />}
      <Fields memory={memory} fields={fields} values={draft.values} set={set} problems={failure?.fields ?? []} />
      <div class="actions">
        <button type="submit" class="primary" disabled={saving}>
          Save
        </button>
        <button type="button" onClick={leave} data-key="Escape">
          Cancel
        </button>
      </div>
    </form>
  );
}

function focusFirstProblem(form: HTMLFormElement | null): void {
  const first = form?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset:has(> .error)');
  first?.focus();
}

/** The whole, for what belongs to no field, and a way to each that has one. */
function Refusal({ failure }: { failure: ServerError }) {
  return (
    <div class="notice bad" role="alert">
      <p>{failure.message}</p>
      {failure.fix && <p>{failure.fix}</p>}
      {failure.fields.length > 0 && (
        <ul>
          {failure.fields.map(({ field, expected }) => (
            <li key={field}>
              <button type="button" class="link" onClick={() => document.getElementById(idOf(field))?.focus()}>
                {field}
              </button>
              : expected {expected}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type FieldsProps = {
  memory: MemoryPage;
  fields: readonly FormField[];
  values: Values;
  set: (name: string, value: unknown) => void;
  problems: readonly FieldProblem[];
};

function Fields({ memory, fields, values, set, problems }: FieldsProps) {
  const { noteTypes } = useRegistry();
  const group = memory.record ? 'content' : 'sections';
  const inner = values[group] as Values;
  const innerFields = useMemo(
    (): readonly FormField[] =>
      memory.record ? fields : Object.keys(inner).map((name) => ({ name, type: 'text', required: false })),
    [memory.record, fields, Object.keys(inner).join('\n')],
  );
  const statuses = noteTypes.find(({ type }) => type === memory.note?.type)?.statuses ?? [];
  const status: FormField = { name: 'status', type: 'choice', required: true, choices: statuses };
  const of = (form: FormField, path: string) => ({
    form,
    path,
    value: values[path],
    set: (value: unknown) => set(path, value),
    problems,
  });
  return (
    <>
      <FieldEditor {...of(TITLE, 'title')} />
      {memory.note && <FieldEditor {...of(status, 'status')} />}
      {innerFields.map((field) => (
        <FieldEditor
          key={field.name}
          form={field}
          path={`${group}.${field.name}`}
          value={inner[field.name]}
          set={(value) => set(group, { ...inner, [field.name]: value })}
          problems={problems}
        />
      ))}
      <TagsEditor {...of(TAGS, 'tags')} />
      {memory.record && <FieldEditor {...of(FILES, 'relatedFiles')} />}
      {memory.record && <FieldEditor {...of(SUMMARY, 'summary')} />}
    </>
  );
}

/** A list in the draft, one line on the page; kept as typed until it is left. */
function TagsEditor({ value, set, ...rest }: Parameters<typeof FieldEditor>[0]) {
  const tags = value as readonly string[];
  const [text, setText] = useState(tags.join(', '));
  const listed = (line: string) =>
    line
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean);
  return (
    <FieldEditor
      {...rest}
      value={text}
      set={(typed) => {
        setText(String(typed));
        set(listed(String(typed)));
      }}
    />
  );
}
