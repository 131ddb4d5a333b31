// From plain text to a record: what a person typed is spread over the fields of the category, what can be read from the
// wording is read, and what is missing is asked for or marked as not stated. Nothing here guesses facts.

import { CairnError } from '../errors.ts';
import type { Category } from '../model/categories.ts';
import type { JsonObject } from '../model/json.ts';
import { NOT_STATED } from '../model/not-stated.ts';
import { TITLE_MAX } from '../model/record.ts';
import type { Schema } from '../model/schema.ts';
import { cutCodePoints, stripUnsafeText } from '../model/text.ts';
import { removePrivate } from '../safety/private-tags.ts';
import { redact, withoutMasks } from '../safety/secrets/redact.ts';
import { tokenise } from './score.ts';

export type Given = {
  /** May be left out where a title and fields say it all. */
  text?: string | undefined;
  title?: string | undefined;
  tags?: readonly string[] | undefined;
  relatedFiles?: readonly string[] | undefined;
  confidence?: number | undefined;
  /** Content fields by name, as typed; a list takes several. */
  fields?: { readonly [name: string]: readonly string[] } | undefined;
  /** Content fields as data. */
  content?: JsonObject | undefined;
};

/** Asks a person for a field; `undefined` means that there is nobody to ask or nothing was answered. */
export type Ask = (field: string, schema: Schema) => Promise<string | undefined>;

export type Draft = {
  record: JsonObject & { title: string; tags: string[]; related_files?: string[]; confidence?: number };
  /** The content that somebody gave or the wording says, without what is only usual or not stated. */
  stated: JsonObject;
  /** Fields that had to be marked as not stated. */
  assumed: string[];
  notes: string[];
};

const TAGS = 5;
/** Words that join a title together and would find everything. */
const LINKING = new Set(
  'because since instead using needs when than over only always never every each all any new old now does'.split(' '),
);

/** What a choice is until somebody says otherwise. */
const USUAL: { readonly [category: string]: JsonObject } = {
  decision: { status: 'accepted' },
  session_summary: { outcome: 'partial', completed: [], next_actions: [] },
  constraint: { kind: 'limitation', severity: 'medium', active: true },
  tech_debt: { status: 'open', priority: 'medium' },
  preference: { strength: 'default' },
};

export async function draftRecord(category: Category, given: Given, ask?: Ask): Promise<Draft> {
  // Before it is spread: a key or a private passage of several lines cannot be told from its pieces.
  const said = safe(wordsOf(given));
  const text = said.text.trim();
  const named = given.title === undefined ? undefined : safe(given.title);
  const title = named?.text ?? titleOf(splitReason(text).statement);
  const stated: JsonObject = {
    ...read(category, text, title),
    ...typedFields(category, given.fields ?? {}),
    ...given.content,
  };
  const content: JsonObject = { ...USUAL[category.name], ...stated };
  const assumed: string[] = [];
  for (const [field, schema] of Object.entries(category.content.fields ?? {})) {
    if (schema.optional || content[field] !== undefined) continue;
    const answer = (await ask?.(field, schema))?.trim();
    content[field] = typed(schema, [answer || NOT_STATED]);
    if (answer) stated[field] = content[field];
    else assumed.push(field);
  }
  const record: Draft['record'] = {
    category: category.name,
    title,
    tags: given.tags?.length ? [...given.tags] : tagsFrom(title),
    content,
    ...(given.relatedFiles?.length ? { related_files: [...given.relatedFiles] } : {}),
    ...(given.confidence === undefined ? {} : { confidence: given.confidence }),
  };
  const kinds = new Set([...said.found, ...(named?.found ?? [])].map(({ kind }) => kind));
  const notes = [...kinds].map((kind) => `WARNING: a secret was masked in the text (${kind})`);
  return { record, stated, assumed, notes };
}

function wordsOf({ text, title, fields, content }: Given): string {
  if (text?.trim()) return text;
  if (title && (fields || content)) return title;
  throw new CairnError('INPUT_ERROR', 'There is nothing to save.', {
    fix: 'Say what to remember, or give a title and the fields of the content.',
  });
}

const safe = (text: string) => redact(removePrivate(stripUnsafeText(text)));

const tagsFrom = (title: string): string[] =>
  [...tokenise(withoutMasks(title))].filter((word) => !LINKING.has(word)).slice(0, TAGS);

/** The first sentence or line, cut at a word. */
export function titleOf(text: string): string {
  const start = text.replace(/^(?:(?:[-*•]|#+|\d+[.)])\s+)+/, ''); // a bullet, a heading, a number of a list; not "404 pages"
  const first = /^[^\n]*?(?:[.!?](?=\s|$)|[。！？])|^[^\n]*/.exec(start)?.[0] ?? '';
  const sentence = first.replace(/[.。]$/, '').trim();
  if ([...sentence].length <= TITLE_MAX) return sentence;
  const cut = cutCodePoints(sentence, TITLE_MAX - 1);
  return `${cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut}…`;
}

/** What the wording itself says: the reason behind "because", the steps of a list, what comes next. */
function read(category: Category, text: string, title: string): JsonObject {
  const { statement, reason } = splitReason(text);
  const lines = text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
    .filter(Boolean);
  const rest = lines.slice(1);
  switch (category.name) {
    case 'decision':
      return { decision: statement, ...(reason ? { rationale: [reason] } : {}) };
    case 'runbook':
      return { trigger: lines[0] ?? title, steps: rest.length > 0 ? rest : [text] };
    case 'constraint':
      return { rule: statement, ...(reason ? { impact: [reason] } : {}) };
    case 'tech_debt':
      return { description: statement, ...(reason ? { reason_deferred: reason } : {}) };
    case 'preference':
      return { topic: title, value: statement, ...(reason ? { reason } : {}) };
    case 'session_summary': {
      const isNext = (line: string): boolean => /^(?:next|todo|then)\b[:\s]*/i.test(line);
      const next = rest.filter(isNext).map((line) => line.replace(/^(?:next|todo|then)\b[:\s]*/i, ''));
      const completed = rest.filter((line) => !isNext(line));
      return {
        goal: lines[0] ?? title,
        ...(completed.length > 0 ? { completed } : {}),
        ...(next.length > 0 ? { next_actions: next } : {}),
      };
    }
    default: {
      const first = Object.entries(category.content.fields ?? {}).find(([, schema]) => schema.type === 'string')?.[0];
      return first ? { [first]: text } : {};
    }
  }
}

function splitReason(text: string): { statement: string; reason?: string } {
  const at = /\s*[,;]?\s+(?:because|since|due to|so that)\s+/i.exec(text);
  if (!at || at.index === 0) return { statement: text };
  const reason = text.slice(at.index + at[0].length).trim();
  return reason === '' ? { statement: text } : { statement: text.slice(0, at.index).trim(), reason };
}

function typedFields(category: Category, fields: NonNullable<Given['fields']>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, values]) => {
      const schema = category.content.fields?.[name];
      return [name, schema ? typed(schema, values) : values.join(' ')]; // an unknown field is left for the validator to name
    }),
  );
}

function typed(schema: Schema, values: readonly string[]): unknown {
  const last = values.at(-1) ?? '';
  if (schema.type === 'list') return [...values];
  if (schema.type === 'boolean')
    return /^(?:true|yes|y|1)$/i.test(last) ? true : /^(?:false|no|n|0)$/i.test(last) ? false : last;
  if (schema.type === 'number' || schema.type === 'integer')
    return last.trim() === '' || Number.isNaN(Number(last)) ? last : Number(last);
  return last;
}
