// The named things in a text: files, technologies, identifiers and other concepts, people, projects. Found by form and by
// tables of names, each under one name whatever its spelling (fold-name.ts), counted. Pure and linear: it runs over every statement
// of every conversation.

import { hasForeignLetters } from '../../model/foreign-letters.ts';
import { lazy } from '../../model/lazy.ts';
import { firstNames } from '../first-names.ts';
import { isCommonWord } from './common-words.ts';
import type { Entity, EntityKind, EntityOptions } from './entity.ts';
import { endsLikeFile, filesIn } from './files-in.ts';
import { foldName } from './fold-name.ts';
import { isKnownName, knownNameAt, type NameTable, nameTable } from './known-names.ts';
import { CAPITALISED, isCapital, properNameAt } from './proper-names.ts';
import { technologyAliases } from './technologies.ts';
import { Words } from './words-in.ts';

const MAX_TEXT = 20_000;
const MAX_ENTITIES = 40;
const LONGEST_TITLE = 64;
const CODE = /`([^`\n]{2,60})`/g;
const IDENTIFIER =
  /(?<![\w$./-])(?:[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w$/-])/g;
/** Seen in one quick walk, and most texts have none. */
const MAY_HAVE_IDENTIFIER = /[a-z0-9][A-Z]|_/;
const ASCII_SPEAKER = /^\s{0,40}\*{0,2}([A-Z][a-z]{1,20})\*{0,2}:\s/;
const anySpeaker = lazy(() => /^\s{0,40}\*{0,2}(\p{Lu}\p{Ll}{1,20})\*{0,2}:\s/u);
/** In it a colon must stand for that pattern to be made ready, which takes half a millisecond. */
const LONGEST_SPEAKER = 90;

/** Sorted by count, then by name: equal texts give equal lists. */
export function entitiesOf(text: string, options: EntityOptions = {}): Entity[] {
  const seen = new Map<string, { name: string; kind: EntityKind; count: number }>();
  const add: Add = (name, kind) => {
    const key = `${kind} ${name}`;
    const known = seen.get(key);
    if (known) known.count++;
    else if (seen.size < MAX_ENTITIES * 4) seen.set(key, { name, kind, count: 1 });
  };
  const body = withoutAddresses(text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);
  const found = filesIn(body, options.files);
  for (const file of found.files) add(file, 'file');
  const prose = withoutFolders(found.prose);
  const table = nameTable(prose, options);
  addIdentifiers(prose, table, add);
  const speaker = speakerOf(body);
  if (speaker && isSpeaker(speaker, body) && !isTechnology(speaker, options)) add(foldName(speaker), 'person');
  addWords(prose, table, { add, isSpoken: speaker !== undefined });
  if (seen.size === 0) return [];
  return [...seen.values()]
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || (a.kind < b.kind ? -1 : 1))
    .slice(0, MAX_ENTITIES);
}

type Add = (name: string, kind: EntityKind) => void;

/** `at render (index.js:12:3)`, `render @ index.js:12`: a pasted trace names what the machine went through, not what anybody speaks of. */
const FRAME = /\bat (?:async )?[\w$.<>[\] ]{1,80} \([^()\n]{0,200}:\d+:\d+\)/g;
const BROWSER_FRAME = /[\w$.]{1,80} @ [^\s@]{1,200}:\d+/g;
const MAY_HAVE_FRAME = /:\d+:\d+\)/;

function withoutAddresses(text: string): string {
  const called = MAY_HAVE_FRAME.test(text) ? text.replace(FRAME, ' ') : text;
  const plain = called.includes(' @ ') ? called.replace(BROWSER_FRAME, ' ') : called;
  return plain.includes('://') ? plain.replace(/\bhttps?:\/\/\S+/g, ' ') : plain;
}

/** Absolute and hidden folders, those written as such, and long paths: `/Users/me/Code`, `.claude/skills`, `tmp/clones/`, `a/b/c`. */
const FOLDER =
  /^(?:(?:~|\.{1,2})?(?:\/[\w@.+-]+){2,}\/?|[~/]{0,2}\.[a-z][\w-]*\/.*|~?\/\.[a-z][\w-]*|[\w@.+-].*\/|(?:[a-z\d_.@-]+\/){2,}[\w.-]+)$/;
const OF_PATH = /[\w@.+~/-]/;
/** Names of tools: `mcp__Claude_Browser__open` says nothing of Claude. */
const TOOL = /\bmcp__\w+/g;

function withoutFolders(prose: string): string {
  const plain = prose.includes('mcp__') ? prose.replace(TOOL, ' ') : prose;
  let kept = '';
  let done = 0;
  for (let slash = plain.indexOf('/'); slash !== -1; ) {
    let [start, end] = [slash, slash + 1];
    while (start > done && OF_PATH.test(plain[start - 1] ?? ' ')) start--;
    while (end < plain.length && OF_PATH.test(plain[end] ?? ' ')) end++;
    if (FOLDER.test(plain.slice(start, end))) {
      kept += `${plain.slice(done, start)} `;
      done = end;
    }
    slash = plain.indexOf('/', end);
  }
  return done === 0 ? plain : kept + plain.slice(done);
}

function addIdentifiers(prose: string, table: NameTable, add: Add): void {
  const hasCode = prose.includes('`');
  const isKnown = (name: string): boolean => isKnownName(name.toLowerCase().replaceAll('_', ' '), table); // found as words
  if (hasCode)
    for (const [, code = ''] of prose.matchAll(CODE)) {
      const name = code.replace(/\(\)$/, '');
      if (isIdentifier(name) && !isKnown(name)) add(foldName(name), 'concept');
    }
  if (!MAY_HAVE_IDENTIFIER.test(prose)) return;
  for (const name of (hasCode ? prose.replace(CODE, ' ') : prose).match(IDENTIFIER) ?? [])
    if (!isKnown(name) && !isRandom(name)) add(foldName(name), 'concept');
}

const PLAIN_WORD = /^[A-Za-z]+$/;
/** `text-sm`, `w-4`, `last:border-b-0`. */
const STYLE_CLASS =
  /^-?[a-z]{1,8}(?:-[a-z]{1,2})?-(?:\d[\d./]*|[xy]|[2-9]?x?[sl]|sm|md|lg|xl|full|auto|none|medium|bold|semibold|center|mono)$/;

/** Code that names something: no call with arguments, path, version, hash, style, or word that means nothing by itself. */
function isIdentifier(code: string): boolean {
  if (!/^[A-Za-z_$@][\w$@.:/-]*$/.test(code) || !/[A-Za-z]{2}/.test(code) || endsLikeFile(code)) return false;
  if (PLAIN_WORD.test(code)) {
    const isOneWord = !/[a-z][A-Z]/.test(code);
    return code.length > 3 && !(isOneWord && isCommonWord(code.toLowerCase()));
  }
  if (/[/@]/.test(code) && !/^@[\w-]+\/[\w.-]+$/.test(code)) return false;
  if (code.includes('.') && !/[A-Z_]/.test(code)) return false;
  return !(/(?<!:):(?!:)|[.:-]$|\..*\./.test(code) || isRandom(code) || STYLE_CLASS.test(code));
}

/** A hash, an id, a key, a number: letters and digits, or small and capital letters, in turns. */
function isRandom(name: string): boolean {
  if (!/\d/.test(name)) return false;
  if (/^0x/i.test(name)) return true;
  const turns = name.match(/\d+/g)?.length ?? 0;
  if (/[a-z]/.test(name) && (name.match(/[A-Z][a-z]?(?=[A-Z\d])/g)?.length ?? 0) > 5) return true;
  const plain = name.replaceAll('-', '');
  return (
    turns > 3 || (plain.length > 6 && /^[\da-f]+$/i.test(plain) && (turns > 1 || /^\d/.test(plain) || plain.length > 9))
  );
}

/** Technologies, projects and settled terms by name; capitalised words inside a sentence as people or concepts. */
function addWords(prose: string, table: NameTable, { add, isSpoken }: { add: Add; isSpoken: boolean }): void {
  const words = new Words(prose);
  const titled = titleEnd(prose);
  for (let at = 0; at < words.count; at++) {
    const known = knownNameAt(words, at, table);
    if (known) {
      add(known.name, known.kind);
      at += known.words - 1;
    } else if (words.startOf(at) >= titled) {
      const proper = properNameAt(words, at);
      if (!proper) continue;
      if (!(proper.kind === 'person' && at === 0 && isSpoken)) add(foldName(proper.name), proper.kind);
      at += proper.words - 1;
    }
  }
}

/** Where what stands above the statement ends, if it is written as a title: its capitals name nothing. */
function titleEnd(prose: string): number {
  const end = prose.indexOf(': ');
  if (end < 1 || end > LONGEST_TITLE) return 0;
  const title = prose.slice(0, end);
  const words = title.match(hasForeignLetters(title) ? /\p{L}{4,}/gu : /[A-Za-z]{4,}/g) ?? [];
  const capitals = words.filter(isCapital).length;
  return words.length > 1 && capitals * 2 > words.length ? end : 0;
}

function speakerOf(text: string): string | undefined {
  const end = text.indexOf(':');
  if (end === -1 || end > LONGEST_SPEAKER) return undefined;
  return (hasForeignLetters(text.slice(0, end)) ? anySpeaker() : ASCII_SPEAKER).exec(text)?.[1];
}

/** “Jon: I would say so”: a given name, or one that speaks more than once. A heading does neither. */
function isSpeaker(name: string, text: string): boolean {
  const lower = name.toLowerCase();
  if (firstNames().has(lower)) return true;
  if (isCommonWord(lower)) return false;
  const turns = text.split('\n').filter((line) => speakerOf(line) === name);
  return turns.length > 1;
}

function isTechnology(word: string, options: EntityOptions): boolean {
  const lower = word.toLowerCase();
  return technologyAliases().has(lower) || Boolean(options.aliases?.has(lower)) || CAPITALISED.has(lower);
}
