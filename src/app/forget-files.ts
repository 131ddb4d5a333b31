// Masks a text that the user named in every file below the memory root and the user's folder, by the kind of file it is: a record stays
// a valid one, a note keeps its front matter, JSON stays JSON. Files that are named after it get another name, and links follow them.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/load.ts';
import { CairnError, messageOf } from '../errors.ts';
import { atomicRename, atomicWrite } from '../files/atomic-write.ts';
import { filesBelow } from '../files/folder-stats.ts';
import { FrontMatter, type PropertyValue } from '../files/front-matter.ts';
import { type Lock, withLock } from '../files/lock.ts';
import { isLog, rewriteLog } from '../files/rewrite-log.ts';
import { GRAPH_NAME } from '../indexing/graph/graph-file.ts';
import { isObject, parseJson } from '../model/json.ts';
import { deepNamed, holdsNamed, maskNamed, renameNamed } from '../safety/secrets/named-texts.ts';
import { Memory } from './memory.ts';

export type MaskedFiles = { masked: string[]; renamed: string[]; left: string[]; problems: string[] };

const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** The database and the archive of conversations are cleaned by themselves; models and compiled code hold nothing that was said. */
const NOT_FILES = new Set(['transcripts', 'cache', 'plugin', 'pending', 'locks', '.git', 'node_modules']);
const TEXT = /\.(?:md|txt|log|jsonl?|invalid|told)(?:\.[\w.-]{1,80})?$/;
const SETTINGS = /^(?:memory-)?config\.json$/;
const OWN = /^(?:memory\.db|forgotten\.json)/;

/** Without `apply` it only tells. */
export async function maskFiles(config: Config, apply: boolean): Promise<MaskedFiles> {
  const done: MaskedFiles = { masked: [], renamed: [], left: [], problems: [] };
  const { memoryRoot, userRoot } = config.paths;
  if (fs.existsSync(memoryRoot)) {
    const { vault } = new Memory(config);
    if (apply) await withLock(vault.lockDir, (lock) => maskBelow(vault.root, done, lock));
    else maskBelow(memoryRoot, done, undefined);
  }
  maskBelow(userRoot, done, apply ? 'free' : undefined);
  return done;
}

function maskBelow(root: string, done: MaskedFiles, lock: Lock | 'free' | undefined): void {
  const files = [...filesBelow(root, (name) => !NOT_FILES.has(name))]
    .filter(({ file }) => TEXT.test(file) && !OWN.test(path.basename(file)))
    .filter(({ file, stats }) => {
      if (stats.size <= MAX_FILE_BYTES) return true;
      done.problems.push(`${file} is too large to be looked through.`);
      return false;
    })
    .map(({ file }) => file);
  const names = renamesIn(files);
  for (const file of files)
    try {
      maskFile(file, { names, done, lock });
    } catch (error) {
      done.problems.push(`${file} was left as it is: ${messageOf(error)}`);
    }
  for (const [file, renamed] of names.files) {
    done.renamed.push(file);
    if (lock !== undefined && fs.existsSync(file)) atomicRename(file, renamed);
  }
}

type Renames = { readonly files: ReadonlyMap<string, string>; readonly ids: readonly (readonly [string, string])[] };

/** By file, and by what links call it; the longest name first, because one may begin like another. */
function renamesIn(files: readonly string[]): Renames {
  const taken = new Set(files);
  const renamed = new Map<string, string>();
  const ids: [string, string][] = [];
  for (const file of files) {
    const name = path.basename(file);
    if (!holdsNamed(name)) continue;
    const { dir, name: stem, ext } = path.parse(path.join(path.dirname(file), renameNamed(name)));
    let free = path.join(dir, stem + ext);
    for (let count = 2; taken.has(free); count++) free = path.join(dir, `${stem}-${count}${ext}`);
    taken.add(free);
    renamed.set(file, free);
    ids.push([path.parse(file).name, path.parse(free).name]);
  }
  return { files: renamed, ids: ids.sort(([a], [b]) => b.length - a.length) };
}

function maskFile(
  file: string,
  { names, done, lock }: { names: Renames; done: MaskedFiles; lock: Lock | 'free' | undefined },
): void {
  const before = fs.readFileSync(file, 'utf8');
  const change = (text: string): string =>
    maskedText(
      file,
      names.ids.reduce((linked, [from, to]) => linked.replaceAll(from, to), text),
    );
  const after = change(before);
  if (after === before) return;
  if (SETTINGS.test(path.basename(file))) {
    done.left.push(`${file}: settings are yours to change`);
    return;
  }
  done.masked.push(file);
  if (lock === undefined) return;
  // Made from the others by whoever asks next.
  if (path.basename(file) === GRAPH_NAME) fs.rmSync(file, { force: true });
  else if (isLog(file)) rewriteLog(file, change);
  else atomicWrite(file, after, { mode: 0o600, ...(lock === 'free' ? {} : { beforeCommit: () => lock.assertHeld() }) });
}

function maskedText(file: string, text: string): string {
  if (!holdsNamed(text) && !text.includes('\\')) return text;
  if (/\.json$/.test(file)) return maskedJson(text, 2) ?? maskedLines(text);
  if (isLog(file)) return maskedLines(text);
  return /\.md$/.test(file) ? maskedNote(text) : maskNamed(text);
}

const maskedLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => maskedJson(line) ?? maskNamed(line))
    .join('\n');

/** Fields that hold names, which a mask would make invalid: there another word takes the place of the text. */
const NAMES = ['id', 'tags', 'related', 'supersedes', 'depends_on'];
const inNames = (value: unknown): unknown => deepNamed(value, renameNamed);

function withNamesOnly(value: unknown): unknown {
  if (!isObject(value)) return value;
  const changed = NAMES.filter((name) => Object.hasOwn(value, name) && inNames(value[name]) !== value[name]);
  if (changed.length === 0) return value;
  return { ...value, ...Object.fromEntries(changed.map((name) => [name, inNames(value[name])])) };
}

/** Undefined where it is no JSON. */
function maskedJson(text: string, indent?: number): string | undefined {
  const value = parseJson(text);
  if (value === undefined) return undefined;
  const clean = deepNamed(withNamesOnly(value));
  return clean === value ? text : JSON.stringify(clean, null, indent) + (indent === undefined ? '' : '\n');
}

/** A mask begins with a bracket, which in front matter means a list: properties are set, not replaced as text. */
function maskedNote(text: string): string {
  const note = FrontMatter.parse(text);
  if (!note.exists || note.problem !== undefined) return maskNamed(text);
  for (const key of note.keys) {
    const value = note.get(key);
    const clean = (NAMES.includes(key) ? inNames(value) : deepNamed(value)) as typeof value;
    if (clean !== undefined && clean !== value) setQuietly(note, key, clean);
  }
  note.body = maskNamed(note.body);
  const whole = note.toString();
  return holdsNamed(whole) ? maskNamed(whole) : whole; // a comment, a map, the name of a property
}

/** What cannot be set is masked as text afterwards. */
function setQuietly(note: FrontMatter, key: string, value: PropertyValue): void {
  try {
    note.set(key, value);
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
  }
}
