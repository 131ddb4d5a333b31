// When the tags of a repository were made, from git's files alone: no process is started. Tags name releases, and people ask for
// what was "before the release". What cannot be read is not known; nothing here throws.

import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { type GitFolders, gitFolders, readGitFile } from './git-files.ts';

export type GitTag = {
  readonly name: string;
  /** Milliseconds. */
  readonly time: number;
};

const MOST_TAGS = 500;
const MAX_OBJECT = 64 * 1024;
const MAX_INDEX = 64 * 1024 * 1024;
const TAGS = 'refs/tags/';
const WRITTEN_AT = /^(?:tagger|committer) .{0,1000}> (\d{1,12}) [+-]\d{4}$/m;
/** Kinds of objects in a pack; the last two are differences to another object. */
const [COMMIT, TAG, BEFORE, NAMED] = [1, 4, 6, 7];
const MOST_DELTAS = 60;

/** The tags whose time can be told, oldest first. */
export function gitTags(directory: string): GitTag[] {
  const folders = gitFolders(directory);
  if (!folders) return [];
  const refs = [...looseTags(folders), ...packedTags(folders)];
  const known = new Map<string, GitTag>();
  for (const { name, object, made } of refs.slice(-MOST_TAGS)) {
    const time = timeOf(folders, object) ?? made;
    if (time !== undefined && !known.has(name)) known.set(name, { name, time });
  }
  return [...known.values()].sort((a, b) => a.time - b.time || (a.name < b.name ? -1 : 1));
}

type TagRef = { readonly name: string; readonly object: string; readonly made?: number };

function looseTags({ common }: GitFolders): TagRef[] {
  const root = path.join(common, TAGS);
  try {
    return fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).flatMap((name): TagRef[] => {
      const file = path.join(root, name);
      const object = /^[0-9a-f]{40,64}$/.exec(readGitFile(file).trim())?.[0];
      if (object === undefined) return [];
      // Of a tag whose object is packed, the time its file was written is a good guess.
      return [{ name: name.replaceAll('\\', '/'), object, made: fs.statSync(file).mtimeMs }];
    });
  } catch {
    return [];
  }
}

function packedTags({ common }: GitFolders): TagRef[] {
  return [...readGitFile(path.join(common, 'packed-refs')).matchAll(/^([0-9a-f]{40,64}) refs\/tags\/(\S+)$/gm)].map(
    ([, object, name]) => ({ object: object!, name: name! }),
  );
}

function timeOf(folders: GitFolders, object: string): number | undefined {
  const text = looseObject(folders, object) ?? packedObject(folders, object);
  const seconds = text === undefined ? undefined : WRITTEN_AT.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function looseObject({ common }: GitFolders, object: string): string | undefined {
  try {
    const bytes = fs.readFileSync(path.join(common, 'objects', object.slice(0, 2), object.slice(2)));
    const text = zlib.inflateSync(bytes, { maxOutputLength: MAX_OBJECT }).toString('utf8');
    return /^(?:tag|commit) /.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function packedObject({ common }: GitFolders, object: string): string | undefined {
  if (object.length !== 40) return undefined;
  const folder = path.join(common, 'objects', 'pack');
  try {
    for (const name of fs.readdirSync(folder)) {
      const index = path.join(folder, name);
      if (!name.endsWith('.idx') || fs.statSync(index).size > MAX_INDEX) continue;
      const places = fs.readFileSync(index);
      const offset = offsetIn(places, Buffer.from(object, 'hex'));
      if (offset !== undefined) return readPack(index.replace(/\.idx$/, '.pack'), places, offset)?.toString('utf8');
    }
  } catch {
    return undefined;
  }
  return undefined;
}

const INDEX_HEAD = 8;
const FANOUT_END = INDEX_HEAD + 256 * 4;

/** Version 2 of git's pack index: a table of first bytes, then names in order, checksums, places. */
function offsetIn(index: Buffer, object: Buffer): number | undefined {
  if (index.readUInt32BE(0) !== 0xff744f63 || index.readUInt32BE(4) !== 2) return undefined;
  const upTo = (byte: number): number => (byte < 0 ? 0 : index.readUInt32BE(INDEX_HEAD + byte * 4));
  const count = upTo(255);
  let [low, high] = [upTo(object[0]! - 1), upTo(object[0]!)];
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = index.compare(object, 0, 20, FANOUT_END + middle * 20, FANOUT_END + middle * 20 + 20);
    if (order === 0) {
      const offset = index.readUInt32BE(FANOUT_END + count * 24 + middle * 4);
      return offset < 0x80000000 ? offset : undefined;
    }
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

function readPack(file: string, index: Buffer, offset: number): Buffer | undefined {
  const descriptor = fs.openSync(file, 'r');
  try {
    return objectAt({ descriptor, index }, offset, 0);
  } finally {
    fs.closeSync(descriptor);
  }
}

type Pack = { readonly descriptor: number; readonly index: Buffer };

/** A commit or a tag; undefined for all else. Many commits are kept as their difference to another. */
function objectAt(pack: Pack, offset: number, depth: number): Buffer | undefined {
  const bytes = Buffer.alloc(MAX_OBJECT);
  const read = fs.readSync(pack.descriptor, bytes, 0, bytes.length, offset);
  const kind = (bytes[0]! >> 4) & 7;
  const { end } = sizeAt(bytes, 0); // of the object, which nobody here needs
  if (kind === COMMIT || kind === TAG) return inflated(bytes.subarray(end, read));
  if (depth >= MOST_DELTAS || (kind !== BEFORE && kind !== NAMED)) return undefined;
  const base = kind === NAMED ? named(pack, bytes, end) : before(bytes, end, offset);
  const whole = base.offset === undefined ? undefined : objectAt(pack, base.offset, depth + 1);
  return whole && applied(whole, inflated(bytes.subarray(base.end, read)));
}

type Place = { readonly offset: number | undefined; readonly end: number };

const named = ({ index }: Pack, bytes: Buffer, at: number): Place => ({
  offset: offsetIn(index, bytes.subarray(at, at + 20)),
  end: at + 20,
});

/** So many bytes before this one; each further byte of the number counts one more than its bits say. */
function before(bytes: Buffer, at: number, offset: number): Place {
  let end = at;
  let back = bytes[end]! & 0x7f;
  while ((bytes[end++]! & 0x80) !== 0) back = (back + 1) * 128 + (bytes[end]! & 0x7f);
  return { offset: back > 0 && back < offset ? offset - back : undefined, end };
}

/** A number of seven bits to a byte, the lowest first. */
function sizeAt(bytes: Buffer, at: number): { size: number; end: number } {
  let [size, end, bits] = [0, at, 1];
  do {
    size += (bytes[end]! & 0x7f) * bits;
    bits *= 128;
  } while ((bytes[end++]! & 0x80) !== 0);
  return { size, end };
}

/** Pieces of the other object and new bytes, one after the other. */
function applied(base: Buffer, delta: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  const target = sizeAt(delta, sizeAt(delta, 0).end);
  if (target.size > MAX_OBJECT) return undefined;
  for (let at = target.end; at < delta.length; ) {
    const what = delta[at++]!;
    if (what < 0x80) {
      parts.push(delta.subarray(at, at + what));
      at += Math.max(1, what);
      continue;
    }
    let [from, size] = [0, 0];
    for (let byte = 0; byte < 4; byte++) if (what & (1 << byte)) from += delta[at++]! * 256 ** byte;
    for (let byte = 0; byte < 3; byte++) if (what & (16 << byte)) size += delta[at++]! * 256 ** byte;
    parts.push(base.subarray(from, from + (size || 0x10000)));
  }
  const whole = Buffer.concat(parts);
  return whole.length === target.size ? whole : undefined;
}

const inflated = (bytes: Buffer): Buffer =>
  zlib.inflateSync(bytes, { maxOutputLength: MAX_OBJECT, finishFlush: zlib.constants.Z_SYNC_FLUSH });
