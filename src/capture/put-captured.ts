// Writes a note that capture made, again and again, without ever writing over a person. The note remembers a digest of
// each section as it was written; a section that no longer matches its digest is the person's, as is one that they
// removed or added. The write path keeps a mark over the whole note besides, which tells pruning the same.

import fs from 'node:fs';
import { isSystemError } from '../errors.ts';
import type { PropertyValue } from '../files/front-matter.ts';
import { contentHash } from '../model/hash.ts';
import { NODES_FOLDER, type NoteType, noteKind } from '../model/notes.ts';
import { changeInside, inVault, isOccupied, type NoteChange, type Vault, writeNew } from '../notes/edit-note.ts';
import { sectionOf } from '../notes/note.ts';
import { findNote, loadNote, notePath, type StoredNote } from '../notes/vault.ts';
import type { Captured } from './capture-context.ts';
import { cleanSection, insideSection } from './note-text.ts';

export type CapturedNote = {
  type: NoteType;
  id: string;
  title: string;
  status?: string;
  /** Of a new note; a person may take tags off, and they stay off. */
  tags?: readonly string[];
  related?: readonly string[];
  /** Of a note that is there already. */
  dependsOn?: readonly string[];
  fields?: { readonly [key: string]: PropertyValue | undefined };
  /** `undefined` takes a section out again that has nothing to say any more. */
  sections: { readonly [section: string]: string | undefined };
  /** The title of a note that is there is changed too, if it is still `from`. */
  retitle?: { from: string };
};

const MARKS = 'captured';

/** What was made or changed; `undefined` if the note was like this already. */
export async function putCaptured(vault: Vault, note: CapturedNote): Promise<Captured | undefined> {
  const sections = Object.fromEntries(
    Object.entries(note.sections).map(([name, text]) => [name, text && cleanSection(insideSection(text))]),
  );
  return inVault(vault, (lock) => {
    const known = lookUp(vault.root, note.type, note.id) ?? findNote(vault.root, note.id);
    if (!known) {
      if (isOccupied(vault, note.type, note.id)) return undefined; // `cairn graph --check` names it
      const present = Object.entries(sections).filter((entry): entry is [string, string] => Boolean(entry[1]));
      const fields = Object.entries(note.fields ?? {}).filter(
        (entry): entry is [string, PropertyValue] => entry[1] !== undefined,
      );
      const made = writeNew(vault, lock, {
        ...{ type: note.type, id: note.id, title: note.title, generated: true },
        ...(note.status === undefined ? {} : { status: note.status }),
        ...(note.tags === undefined ? {} : { tags: note.tags }),
        ...(note.related === undefined ? {} : { related: note.related }),
        fields: { ...Object.fromEntries(fields), [MARKS]: present.map(([name, text]) => markOf(name, text)) },
        sections: Object.fromEntries(present),
      });
      return { ...made, type: note.type, created: true };
    }
    const { file, changed } = changeInside(vault, lock, known, changeOf(known, note, sections));
    return changed ? { id: known.id, type: note.type, file, created: false } : undefined;
  });
}

function changeOf(known: StoredNote, note: CapturedNote, sections: CapturedNote['sections']): NoteChange {
  const marks = marksOf(known);
  const own = Object.entries(sections).filter(([name]) => marks !== undefined && isOurs(known, name, marks));
  const written = new Map(marks);
  for (const [name, text] of own) {
    if (text) written.set(slug(name), digest(text));
    else written.delete(slug(name));
  }
  const isNamed = note.retitle !== undefined && known.title === note.retitle.from;
  return {
    generated: true,
    ...(isNamed ? { title: note.title } : {}),
    ...(note.status === undefined ? {} : { status: note.status }),
    fields: { ...note.fields, ...(marks ? { [MARKS]: [...written].map(([name, hash]) => `${name}.${hash}`) } : {}) },
    sections: Object.fromEntries(own.map(([name, text]) => [name, text || undefined])),
    addLinks: [
      ...(note.related ?? []).map((to) => ({ to, relation: 'related' as const })),
      ...(note.dependsOn ?? []).map((to) => ({ to, relation: 'depends_on' as const })),
    ],
  };
}

/** Written by capture and not touched since; or not there at all, and never was. */
function isOurs(note: StoredNote, name: string, marks: ReadonlyMap<string, string>): boolean {
  const text = sectionOf(note.body, name);
  const mark = marks.get(slug(name));
  return text === undefined ? mark === undefined : mark === digest(text);
}

/** `undefined` for a note that capture did not make: its body is the person's. */
function marksOf(note: StoredNote): Map<string, string> | undefined {
  if (!note.frontMatter.keys.includes(MARKS)) return undefined;
  const pairs = note.frontMatter.list(MARKS).map((item): [string, string] => {
    const dot = item.lastIndexOf('.');
    return [item.slice(0, dot), item.slice(dot + 1)];
  });
  return new Map(pairs);
}

const markOf = (name: string, text: string): string => `${slug(name)}.${digest(text)}`;
const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '_');

/** Blanks at the ends of lines do not count: editors take them away without anybody's will. */
function digest(text: string): string {
  const plain = text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  return contentHash(plain).slice(0, 8);
}

/** The note in the file that is named after it: one look, where `findNote` reads the whole vault for a missing note. */
export function lookUp(root: string, type: NoteType, id: string): StoredNote | undefined {
  const kind = noteKind(type)!;
  const file = notePath(root, kind, id);
  try {
    const stat = fs.lstatSync(file);
    if (!stat.isFile()) return undefined;
    const relativePath = `${NODES_FOLDER}/${kind.folder}/${id}.md`;
    const found = { file, relativePath, folder: kind.folder, name: id, mtimeMs: stat.mtimeMs, size: stat.size };
    const note = loadNote(found, []);
    return note?.id.toLowerCase() === id.toLowerCase() ? note : undefined;
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
