// What is being typed into the form of a memory, kept while the page is open: going elsewhere and coming back loses nothing. Knows
// how a draft begins and what of it changed; all rules about content are the server's.

import type { FormField, MemoryPage, NoteEdit, NoteForm, RecordEdit } from '../../../src/viewer-api/protocol.ts';

export type Values = { readonly [name: string]: unknown };
export type Draft = {
  /** Of the file when the edit began. */
  readonly version: string;
  readonly start: Values;
  readonly values: Values;
};

const drafts = new Map<string, Draft>();
const nameOf = ({ ref, project }: MemoryPage): string => `${project} ${ref}`;

export const hasDraft = (memory: MemoryPage): boolean => drafts.has(nameOf(memory));
export const keepDraft = (memory: MemoryPage, draft: Draft): void => void drafts.set(nameOf(memory), draft);
export const dropDraft = (memory: MemoryPage): void => void drafts.delete(nameOf(memory));

export function draftOf(memory: MemoryPage, fields: readonly FormField[], noteForm: NoteForm | undefined): Draft {
  return drafts.get(nameOf(memory)) ?? freshDraft(memory, fields, noteForm);
}

/** One field that both have changed, each otherwise. */
export type Conflict = {
  readonly path: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
};
export type Merged = { readonly draft: Draft; readonly conflicts: readonly Conflict[] };

/** What was typed here, brought onto the file as it is now: what only one side changed is taken; of what both did, mine until chosen. */
export function mergeDraft(draft: Draft, now: Draft): Merged {
  const [base, mine, theirs] = [flat(draft.start), flat(draft.values), flat(now.values)];
  const conflicts: Conflict[] = [];
  const merged: { [path: string]: unknown } = { ...theirs };
  for (const path of Object.keys(mine)) {
    if (same(mine[path], base[path])) continue;
    merged[path] = mine[path];
    if (!same(theirs[path], base[path]) && !same(theirs[path], mine[path]))
      conflicts.push({ path, base: base[path], mine: mine[path], theirs: theirs[path] });
  }
  return { draft: { version: now.version, start: now.start, values: nested(merged) }, conflicts };
}

const GROUPS = ['content', 'sections'];

function flat(values: Values): { [path: string]: unknown } {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      GROUPS.includes(name)
        ? Object.entries(value as Values).map(([inner, each]) => [`${name}.${inner}`, each])
        : [[name, value]],
    ),
  );
}

export function nested(values: { readonly [path: string]: unknown }): Values {
  const found: { [name: string]: unknown } = {};
  for (const [path, value] of Object.entries(values)) {
    const dot = path.indexOf('.');
    const group = dot < 0 ? undefined : GROUPS.find((each) => path.startsWith(`${each}.`));
    if (group === undefined) found[path] = value;
    else found[group] = { ...(found[group] as Values | undefined), [path.slice(dot + 1)]: value };
  }
  return found;
}

/** The draft with another choice for one field. */
export const withValue = (draft: Draft, path: string, value: unknown): Draft => ({
  ...draft,
  values: nested({ ...flat(draft.values), [path]: value }),
});

/** As it begins from the file, whatever was typed. */
export function freshDraft(memory: MemoryPage, fields: readonly FormField[], noteForm: NoteForm | undefined): Draft {
  const start = memory.record ? recordValues(memory, fields) : noteValues(memory, noteForm);
  return { version: memory.version ?? '', start, values: start };
}

function recordValues({ record }: MemoryPage, fields: readonly FormField[]): Values {
  const content = Object.fromEntries(fields.map((field) => [field.name, record!.content[field.name] ?? blank(field)]));
  return {
    title: record!.title,
    tags: [...record!.tags],
    relatedFiles: [...record!.relatedFiles],
    content,
    summary: '',
  };
}

function noteValues({ note, status }: MemoryPage, form: NoteForm | undefined): Values {
  const written = Object.fromEntries(note!.sections.map(({ name, text }) => [name, text]));
  const missing = Object.fromEntries(
    (form?.sections ?? []).filter((name) => !(name in written)).map((name) => [name, '']),
  );
  return { title: note!.title, status, tags: [...note!.tags], sections: { ...written, ...missing } };
}

export function blank(field: FormField): unknown {
  if (field.type === 'lines' || field.type === 'objects') return [];
  if (field.type === 'object') return {};
  return field.type === 'boolean' ? false : '';
}

/** Lines that were left empty go, so that what the server says about the third line is about the third that is shown. */
export function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy).filter((each) => each !== '' && !isBlankObject(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tidy(each)]));
}

const isBlankObject = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((each) => each === '' || (Array.isArray(each) && each.length === 0));

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const isNothing = (value: unknown): boolean =>
  value === '' || (Array.isArray(value) && value.length === 0) || (typeof value === 'object' && isBlankObject(value));

/** Only what was changed; an optional field that was emptied is taken out. */
export function recordEdit({ start, values }: Draft, fields: readonly FormField[]): RecordEdit {
  const before = start.content as Values;
  const now = values.content as Values;
  const content = Object.fromEntries(
    fields
      .filter(({ name }) => !same(before[name], now[name]))
      .map(({ name, required }) => [name, !required && isNothing(now[name]) ? null : now[name]]),
  );
  return {
    ...changed(start, values, ['title', 'tags', 'relatedFiles']),
    ...(Object.keys(content).length > 0 ? { content } : {}),
    ...(values.summary ? { summary: String(values.summary) } : {}),
  };
}

export function noteEdit({ start, values }: Draft): NoteEdit {
  const before = start.sections as Values;
  const now = values.sections as { readonly [name: string]: string };
  const sections = Object.fromEntries(Object.entries(now).filter(([name, text]) => !same(before[name], text)));
  return {
    ...changed(start, values, ['title', 'status', 'tags']),
    ...(Object.keys(sections).length > 0 ? { sections } : {}),
  };
}

function changed(start: Values, values: Values, names: readonly string[]): Values {
  return Object.fromEntries(
    names.filter((name) => !same(start[name], values[name])).map((name) => [name, values[name]]),
  );
}
