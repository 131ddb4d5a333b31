// The content of a memory as it is meant to be read: the fields of a record, the sections of a note, the words of an idea.

import type { FormField, MemoryPage, RecordDetail } from '../../../src/viewer-api/protocol.ts';
import { KnownLinks, Markdown } from '../parts/markdown.tsx';
import { useRegistry } from '../registry.tsx';
import { fullDay, words } from '../wording.ts';

export function MemoryContent({ memory }: { memory: MemoryPage }) {
  const { record, note, tags } = memory;
  return (
    <KnownLinks.Provider value={memory.links}>
      <section class="panel content" aria-label="Content">
        {record && <RecordState record={record} />}
        {record ? (
          <RecordFields record={record} />
        ) : note ? (
          <NoteSections note={note} />
        ) : (
          <Markdown text={memory.text} />
        )}
        {tags.length > 0 && (
          <ul class="tags" aria-label="Tags">
            {tags.map((tag) => (
              <li class="badge" key={tag}>
                #{tag}
              </li>
            ))}
          </ul>
        )}
      </section>
    </KnownLinks.Provider>
  );
}

function RecordState({ record: { retired, archived, problems } }: { record: RecordDetail }) {
  return (
    <>
      {retired && (
        <p class="notice bad">
          Retired{retired.at !== null && ` on ${fullDay(retired.at)}`}: {retired.reason || 'no reason was given'}. Its
          file is deleted {retired.deletedAfterDays} days after that; until then it can be restored.
        </p>
      )}
      {archived && (
        <p class="notice">
          Archived{archived.at !== null && ` on ${fullDay(archived.at)}`}: {archived.reason || 'no reason was given'}.
        </p>
      )}
      {problems.length > 0 && (
        <div class="notice warn">
          <p>The file breaks the rules of records:</p>
          <ul>
            {problems.map(({ field, expected, got, fix }) => (
              <li key={field}>
                <span class="mono">{field}</span>: expected {expected}, got {got}. {fix}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function RecordFields({ record }: { record: RecordDetail }) {
  const { categories } = useRegistry();
  const form = categories.find(({ name }) => name === record.category)?.fields ?? [];
  const known = form.map(({ name }) => name);
  const names = [...known, ...Object.keys(record.content).filter((name) => !known.includes(name))];
  return (
    <dl class="record">
      {names
        .filter((name) => !isEmpty(record.content[name]))
        .map((name) => (
          <div key={name}>
            <dt>{words(name)}</dt>
            <dd>
              <Value value={record.content[name]} form={form.find((each) => each.name === name)} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function Value({ value, form }: { value: unknown; form?: FormField | undefined }) {
  if (Array.isArray(value))
    return (
      <ul class="lines">
        {value.map((each, at) => (
          <li key={at}>
            <Value value={each} />
          </li>
        ))}
      </ul>
    );
  if (typeof value === 'object' && value !== null)
    return (
      <dl class="record inner">
        {Object.entries(value).map(([name, inner]) => (
          <div key={name}>
            <dt>{words(name)}</dt>
            <dd>
              <Value value={inner} />
            </dd>
          </div>
        ))}
      </dl>
    );
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>;
  if (form?.type === 'choice') return <span class="badge">{words(String(value))}</span>;
  return <Markdown text={String(value)} />;
}

function NoteSections({ note }: { note: NonNullable<MemoryPage['note']> }) {
  const filled = note.sections.filter(({ text }) => text.trim());
  return (
    <>
      {filled.length === 0 && <p class="muted">The note has no text yet.</p>}
      {filled.map(({ name, text }) => (
        <section key={name} class="note-section">
          <h2>{name}</h2>
          <Markdown text={text.trim()} />
        </section>
      ))}
      {note.fields.length > 0 && (
        <details>
          <summary>Properties</summary>
          <dl class="record inner">
            {note.fields.map(({ name, value }) => (
              <div key={name}>
                <dt class="mono">{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}
