// One field of a form, drawn from its description: text, choice, yes or no, number, lines, objects. What the server found wrong
// stands at the field it is about.

import type { FieldProblem, FormField } from '../../../src/viewer-api/protocol.ts';
import { words } from '../wording.ts';
import { blank, type Values } from './drafts.ts';

export type FieldProps = {
  form: FormField;
  /** `content.rationale`: its name in what the server says, and (dots made dashes) its id. */
  path: string;
  value: unknown;
  set: (value: unknown) => void;
  problems: readonly FieldProblem[];
};

const LONG = 72;

export function FieldEditor(props: FieldProps) {
  const { form, path, problems } = props;
  const own = problems.filter(({ field }) => field === path || (isPlain(form) && field.startsWith(`${path}.`)));
  const isGroup = form.type === 'lines' || form.type === 'object' || form.type === 'objects';
  const head = (
    <>
      {words(form.name)} {form.required ? <span class="needed">required</span> : null}
    </>
  );
  const rest = (
    <>
      {form.describe && <p class="hint">{form.describe}</p>}
      <Control {...props} />
      {own.map((problem) => (
        <p class="error" id={`${idOf(path)}-error`} key={`${problem.expected} ${problem.got}`}>
          {problemWords(problem)}
        </p>
      ))}
    </>
  );
  if (isGroup)
    return (
      <fieldset class="field" id={idOf(path)} tabIndex={-1} data-field={path}>
        <legend class="label">{head}</legend>
        {rest}
      </fieldset>
    );
  return (
    <div class="field" data-field={path}>
      <label for={idOf(path)}>{head}</label>
      {rest}
    </div>
  );
}

const isPlain = ({ type }: FormField): boolean => type !== 'lines' && type !== 'object' && type !== 'objects';
export const idOf = (path: string): string => `edit-${path.replaceAll('.', '-')}`;
export const problemWords = ({ expected, got, fix }: FieldProblem): string =>
  `Expected ${expected}, got ${got}.${fix ? ` ${fix}` : ''}`;

function Control(props: FieldProps) {
  const { form, path, value, set, problems } = props;
  const wrong = problems.some(({ field }) => field === path);
  const common = {
    id: idOf(path),
    'aria-invalid': wrong ? ('true' as const) : undefined,
    'aria-describedby': wrong ? `${idOf(path)}-error` : undefined,
    'aria-required': form.required ? ('true' as const) : undefined,
  };
  if (form.type === 'choice')
    return (
      <select {...common} value={String(value ?? '')} onChange={(event) => set(event.currentTarget.value)}>
        {(!form.required || !value) && <option value="">Choose</option>}
        {form.choices?.map((choice) => (
          <option key={choice} value={choice}>
            {words(choice)}
          </option>
        ))}
      </select>
    );
  if (form.type === 'boolean')
    return (
      <input
        {...common}
        type="checkbox"
        checked={value === true}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    );
  if (form.type === 'number')
    return (
      <input
        {...common}
        type="number"
        step="any"
        value={String(value ?? '')}
        onInput={(event) => set(event.currentTarget.value === '' ? '' : Number(event.currentTarget.value))}
      />
    );
  if (form.type === 'lines') return <Lines {...props} />;
  if (form.type === 'object') return <Inner {...props} fields={form.fields ?? []} />;
  if (form.type === 'objects') return <Objects {...props} />;
  const text = String(value ?? '');
  return (
    <textarea
      {...common}
      rows={Math.min(10, Math.max(1, text.split('\n').length - 1 + Math.ceil(text.length / LONG)))}
      value={text}
      onInput={(event) => set(event.currentTarget.value)}
    />
  );
}

function Lines({ form, path, value, set, problems }: FieldProps) {
  const lines = Array.isArray(value) ? (value as readonly string[]) : [];
  const put = (at: number, text: string) => set(lines.map((line, index) => (index === at ? text : line)));
  return (
    <>
      {lines.map((line, at) => {
        const own = problems.filter(({ field }) => field === `${path}.${at}`);
        const id = idOf(`${path}.${at}`);
        return (
          <div class="line" key={at}>
            <textarea
              id={id}
              rows={Math.max(1, Math.ceil(line.length / LONG))}
              value={line}
              aria-label={`${words(form.name)}, line ${at + 1}`}
              aria-invalid={own.length > 0 ? 'true' : undefined}
              aria-describedby={own.length > 0 ? `${id}-error` : undefined}
              onInput={(event) => put(at, event.currentTarget.value)}
            />
            <button
              type="button"
              class="quiet"
              aria-label={`Remove line ${at + 1} of ${words(form.name)}`}
              onClick={() => set(lines.filter((_, index) => index !== at))}
            >
              ✕
            </button>
            {own.map((problem) => (
              <p class="error" id={`${id}-error`} key={problem.expected}>
                {problemWords(problem)}
              </p>
            ))}
          </div>
        );
      })}
      <button type="button" class="quiet add" onClick={() => set([...lines, ''])}>
        + Add a line
      </button>
    </>
  );
}

function Objects({ form, path, value, set, problems }: FieldProps) {
  const items = Array.isArray(value) ? (value as readonly Values[]) : [];
  const empty = Object.fromEntries((form.fields ?? []).map((field) => [field.name, blank(field)]));
  return (
    <>
      {items.map((item, at) => (
        <fieldset class="inner-fields" key={at} id={idOf(`${path}.${at}`)}>
          <legend class="label">
            {words(form.name)} {at + 1}
          </legend>
          <Inner
            form={form}
            fields={form.fields ?? []}
            path={`${path}.${at}`}
            value={item}
            set={(next) => set(items.map((each, index) => (index === at ? next : each)))}
            problems={problems}
          />
          <button type="button" class="quiet add" onClick={() => set(items.filter((_, index) => index !== at))}>
            Remove
          </button>
        </fieldset>
      ))}
      <button type="button" class="quiet add" onClick={() => set([...items, empty])}>
        + Add
      </button>
    </>
  );
}

function Inner({ fields, path, value, set, problems }: FieldProps & { fields: readonly FormField[] }) {
  const values = (typeof value === 'object' && value !== null ? value : {}) as Values;
  return (
    <div class="inner-fields">
      {fields.map((field) => (
        <FieldEditor
          key={field.name}
          form={field}
          path={`${path}.${field.name}`}
          value={values[field.name] ?? blank(field)}
          set={(next) => set({ ...values, [field.name]: next })}
          problems={problems}
        />
      ))}
    </div>
  );
}
