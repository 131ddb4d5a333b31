// `cairn import --markdown`: a folder of decision records becomes decision notes. The source files are only read; links
// between them become wiki-links, other links keep pointing where they pointed; who superseded whom is kept; a second run
// finds the notes of the first by their `source` and adds nothing.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../errors.ts';
import { FrontMatter } from '../files/front-matter.ts';
import { readText } from '../files/json-file.ts';
import type { Lock } from '../files/lock.ts';
import { isInside, toPosix } from '../files/paths.ts';
import { contentHash } from '../model/hash.ts';
import { noteKind } from '../model/notes.ts';
import { stripUnsafe, stripUnsafeText } from '../model/text.ts';
import { removePrivate } from '../safety/private-tags.ts';
import { redact, withoutMasks } from '../safety/secrets/redact.ts';
import { type Adr, readAdr } from './adr.ts';
import { inVault, slugOf, type Vault } from './edit-note.ts';
import { loadNotes, MAX_NOTE_BYTES, noteFiles, notePath, type StoredNote, writeNote } from './vault.ts';

export type ImportReport = {
  created: { id: string; source: string }[];
  updated: { id: string; source: string }[];
  unchanged: { id: string; source: string }[];
  skipped: { source: string; why: string }[];
};

export type ImportOptions = { directory: string; projectRoot: string; dryRun?: boolean };

type Source = {
  file: string;
  source: string;
  adr: Adr;
  hash: string;
  id: string;
  known: StoredNote | undefined;
  mtime: Date;
};

const MAX_FILES = 5_000;
const KIND = noteKind('decision')!;

export function importMarkdown(vault: Vault, options: ImportOptions): Promise<ImportReport> {
  const directory = path.resolve(options.directory);
  if (!fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CairnError('INPUT_ERROR', `${directory} is not a directory.`, {
      fix: 'Name the folder that holds the decision records.',
    });
  }
  if (isInside(vault.root, directory))
    throw new CairnError('INPUT_ERROR', 'The memory cannot be imported into itself.');
  return inVault(vault, (lock) => {
    const report: ImportReport = { created: [], updated: [], unchanged: [], skipped: [] };
    const known = new Map(
      loadNotes(vault.root).notes.flatMap((note) => {
        const source = note.frontMatter.text('source');
        return source ? [[source, note] as const] : [];
      }),
    );
    // Whatever has the name, a note by hand or a file that cannot be read, is not written over.
    const taken = new Set(noteFiles(vault.root).map(({ name }) => name.toLowerCase()));
    const sources = readSources({ directory, projectRoot: options.projectRoot, known, taken }, report);
    const supersededBy = successors(sources);
    for (const source of sources)
      writeOne(vault, lock, { source, sources, supersededBy, report, dryRun: options.dryRun ?? false });
    return report;
  });
}

type Place = {
  directory: string;
  projectRoot: string;
  known: ReadonlyMap<string, StoredNote>;
  taken: Set<string>;
};

function readSources({ directory, projectRoot, known, taken }: Place, report: ImportReport): Source[] {
  return markdownFiles(directory).flatMap((file) => {
    const source = toPosix(
      isInside(projectRoot, file)
        ? path.relative(projectRoot, file)
        : path.join(path.basename(directory), path.relative(directory, file)),
    );
    let text: string | undefined;
    try {
      text = readText(file, MAX_NOTE_BYTES);
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      report.skipped.push({ source, why: error.message });
      return [];
    }
    const why = text === undefined ? 'it is gone' : whyNot(path.basename(file), text);
    if (text === undefined || why) {
      report.skipped.push({ source, why: why! });
      return [];
    }
    const adr = readAdr(clean(text), path.basename(file)); // before Markdown is taken off: a token may hold its signs
    const before = known.get(source);
    const id = before?.id ?? freeId(adr, taken);
    taken.add(id.toLowerCase());
    const hash = contentHash(text).slice(0, 16);
    return [{ file, source, adr, hash, id, known: before, mtime: fs.statSync(file).mtime }];
  });
}

function whyNot(name: string, text: string): string | undefined {
  if (text.includes('\0')) return 'it is not a text file';
  if (/^---[ \t]*\S/.test(text) && !/^---[ \t]*\r?\n/.test(text)) return 'its front matter is not plain';
  if (/template/i.test(name)) return 'it is a template';
  if (
    /^(?:readme|index|summary|contributing|changelog)\.(?:md|markdown)$/i.test(name) &&
    !/^(?:#+[ \t]+Status\b|[*_ -]*Status[*_ ]*:)/im.test(text)
  )
    return 'it is a table of contents, not a decision';
  return text.trim() === '' ? 'it is empty' : undefined;
}

function markdownFiles(directory: string, found: string[] = []): string[] {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || found.length >= MAX_FILES) continue;
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) markdownFiles(file, found);
    else if (entry.isFile() && /\.(?:md|markdown)$/i.test(entry.name)) found.push(file);
  }
  return found;
}

/** `decision-007-use-redis`; the number is the record's own, so that people find it again. */
function freeId(adr: Adr, taken: ReadonlySet<string>): string {
  const number = adr.number ? `${adr.number.padStart(3, '0')}-` : '';
  const base = `decision-${number}${slugOf(withoutMasks(adr.title)) || 'untitled'}`.slice(0, 110).replace(/-+$/, '');
  for (let count = 1; ; count++) {
    const id = count === 1 ? base : `${base}-${count}`;
    if (!taken.has(id)) return id;
  }
}

/** Which record a reference means: by its file, by its number, by its title. */
function resolve(target: string, from: Source, sources: readonly Source[]): Source | undefined {
  const plain = decodeURIComponentSafe(target.split('#')[0] ?? '').trim();
  if (plain === '') return undefined;
  const file = path.resolve(path.dirname(from.file), plain);
  const byFile =
    sources.find((each) => each.file === file || each.file === `${file}.md`) ??
    sources.find(
      (each) =>
        path.basename(each.file).replace(/\.\w+$/, '') ===
        path.posix.basename(plain).replace(/\.(?:md|markdown)$/i, ''),
    );
  if (byFile) return byFile;
  const number = /^(?:\D*?)0*(\d{1,5})$/.exec(plain)?.[1];
  if (number) return sources.find((each) => each.adr.number === number && each !== from);
  const slug = slugOf(plain.replace(/^(?:ADR|RFC)[\s#-]*\d+\s*[.:-]?\s*/i, ''));
  return slug === '' ? undefined : sources.find((each) => slugOf(each.adr.title) === slug);
}

/** Who supersedes whom, whichever of the two says so: new id → old ids. */
function successors(sources: readonly Source[]): Map<string, Set<string>> {
  const replaced = new Map<string, Set<string>>();
  const note = (newer: Source, older: Source): void => {
    if (newer !== older) replaced.set(newer.id, (replaced.get(newer.id) ?? new Set()).add(older.id));
  };
  for (const source of sources) {
    for (const { target, relation } of source.adr.references) {
      const other = resolve(target, source, sources);
      if (other && relation === 'supersedes') note(source, other);
      if (other && relation === 'superseded_by') note(other, source);
    }
  }
  return replaced;
}

type Writing = {
  source: Source;
  sources: readonly Source[];
  supersededBy: ReadonlyMap<string, ReadonlySet<string>>;
  report: ImportReport;
  dryRun: boolean;
};

function writeOne(vault: Vault, lock: Lock, { source, sources, supersededBy, report, dryRun }: Writing): void {
  const { id, known } = source;
  const file = known?.file ?? notePath(vault.root, KIND, id);
  const entry = { id, source: source.source };
  if (known?.frontMatter.text('source_hash') === source.hash) {
    report.unchanged.push(entry);
    return;
  }
  if (known && known.frontMatter.text('imported_hash') !== bodyHash(known.body)) {
    report.skipped.push({ source: source.source, why: `${id} was changed by hand since it was imported` });
    return;
  }
  try {
    const text = noteText(source, { sources, supersededBy, file });
    if (!dryRun) writeNote(vault.root, file, text, () => lock.assertHeld());
    (known ? report.updated : report.created).push(entry);
  } catch (error) {
    if (!(error instanceof CairnError) || error.code !== 'UPDATE_ERROR') throw error;
    report.skipped.push({ source: source.source, why: `${id} cannot be changed: ${error.message}` });
  }
}

function noteText(
  source: Source,
  { sources, supersededBy, file }: { sources: readonly Source[]; supersededBy: Writing['supersededBy']; file: string },
): string {
  const { id, adr } = source;
  const date = adr.date ? `${adr.date}T00:00:00Z` : source.mtime.toISOString().replace(/\.\d{3}Z$/, 'Z');
  const body = `\n# Decision: ${stripUnsafe(adr.title)}\n\n${clean(rewriteLinks(adr.body, source, sources, file))}\n`;
  const isReplaced = [...supersededBy.values()].some((old) => old.has(id));
  // Of a note that was imported before, what people added to its properties stays: tags, links, a pin, a state of their own.
  const note = source.known ? FrontMatter.parse(source.known.frontMatter.toString()) : FrontMatter.empty(body);
  const kept = (key: string): string[] => (source.known ? note.list(key) : []);
  const sameState = source.known !== undefined && (note.text('adr_status') ?? '') === stripUnsafe(adr.said);
  note.body = body;
  note.set('id', id);
  note.set('type', KIND.type);
  note.set('created', source.known?.created || date);
  note.set('updated', date);
  const tags = adr.tags.map((tag) => stripUnsafe(tag).replace(/[\s,]+/g, '-'));
  note.setList('tags', [...new Set(['adr', ...tags, ...kept('tags')])]);
  const related = linked(source, sources, ['related', 'depends_on']).map((each) => `[[${each}]]`);
  const all = [...new Set([...related, ...kept('related')])];
  if (all.length > 0) note.setList('related', all);
  const old = [...(supersededBy.get(id) ?? [])].sort();
  if (old.length > 0) note.set('supersedes', old.length === 1 ? `[[${old[0]}]]` : old.map((each) => `[[${each}]]`));
  if (isReplaced || !sameState) note.set('status', isReplaced ? 'superseded' : adr.status);
  if (adr.said) note.set('adr_status', stripUnsafe(adr.said));
  for (const [key, value] of adr.properties) if (!note.keys.includes(key)) note.set(key, value);
  note.set('source', source.source);
  note.set('source_hash', source.hash);
  note.set('imported_hash', bodyHash(body));
  return note.toString();
}

function linked(source: Source, sources: readonly Source[], relations: readonly string[]): string[] {
  const ids = source.adr.references
    .filter((each) => relations.includes(each.relation))
    .flatMap((each) => resolve(each.target, source, sources)?.id ?? []);
  return [...new Set(ids)].filter((id) => id !== source.id).sort();
}

/** Links to imported records become wiki-links; other relative links are rewritten to lead from the note to the same file. */
function rewriteLinks(body: string, source: Source, sources: readonly Source[], file: string): string {
  const definitions = new Map(
    [...body.matchAll(/^[ ]{0,3}\[([^\]^]+)\]:[ \t]*<?(\S+?)>?(?:[ \t]+["'(].*)?$/gm)].map((match) => [
      match[1]!.toLowerCase(),
      match[2]!,
    ]),
  );
  const convert = (whole: string, text: string, target: string): string => {
    if (/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(target)) return whole;
    const other = resolve(target, source, sources);
    const section = target.includes('#')
      ? `#${decodeURIComponentSafe(target.slice(target.indexOf('#') + 1)).replaceAll('-', ' ')}`
      : '';
    if (other && !whole.startsWith('!'))
      return `[[${other.id}${section}|${text.replace(/[[\]|]/g, ' ').trim() || other.adr.title}]]`;
    const absolute = path.resolve(path.dirname(source.file), decodeURIComponentSafe(target.split('#')[0]!));
    const relative = toPosix(path.relative(path.dirname(file), absolute)).replaceAll(' ', '%20');
    return `${whole.startsWith('!') ? '!' : ''}[${text}](${relative}${target.includes('#') ? target.slice(target.indexOf('#')) : ''})`;
  };
  return outsideCode(body, (prose) =>
    prose
      .replace(/!?\[([^\]\n]*)\]\(\s*<?([^)>\s]+)>?(?:\s+["'][^)\n]*["'])?\s*\)/g, convert)
      .replace(/!?\[([^\]\n]+)\]\[([^\]\n]*)\]/g, (whole, text: string, label: string) => {
        const target = definitions.get((label || text).toLowerCase());
        return target ? convert(whole, text, target) : whole;
      })
      .replace(
        /\[\[([^[\]\n|#]+)((?:#[^[\]\n|]*)?)(\|[^[\]\n]*)?\]\]/g,
        (whole, target: string, section: string, text: string | undefined) => {
          const other = resolve(target, source, sources);
          return other ? `[[${other.id}${section}${text ?? `|${target}`}]]` : whole;
        },
      ),
  );
}

/** Applies `change` to the text between code blocks, line groups at a time; code stays as it is. */
function outsideCode(body: string, change: (prose: string) => string): string {
  let fence: string | undefined;
  const groups: { code: boolean; lines: string[] }[] = [];
  for (const line of body.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const code = fence !== undefined || mark !== undefined;
    if (fence === undefined && mark) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence)) fence = undefined;
    if (groups.at(-1)?.code === code) groups.at(-1)!.lines.push(line);
    else groups.push({ code, lines: [line] });
  }
  return groups.map(({ code, lines }) => (code ? lines.join('\n') : aroundCode(lines.join('\n'), change))).join('\n');
}

/** Spans of code are taken out and put back: a link may have one in its text, and one may look like a link. */
function aroundCode(prose: string, change: (prose: string) => string): string {
  const spans: string[] = [];
  const held = prose
    .replace(/[\uE000\uE001]/g, '')
    .replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, (span) => `\uE000${spans.push(span) - 1}\uE001`);
  return change(held).replace(/\uE000(\d+)\uE001/g, (_, at: string) => spans[Number(at)] ?? '');
}

const bodyHash = (body: string): string => contentHash(body).slice(0, 16);
const clean = (text: string): string => redact(removePrivate(stripUnsafeText(text))).text;

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
