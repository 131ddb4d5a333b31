// Which transcripts there are: in the folders of the clients, below a directory, or one file. Nothing is read but the first
// and the last bytes of each: enough to say to which project it belongs, when it began, and when somebody last spoke in it.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import { parseJsonObject, readText } from '../files/json-file.ts';
import { isOwnAgent } from '../model/own-agents.ts';
import type { ArchiveEntry } from './archive/entry.ts';
import { markdown, namesSpeakers } from './markdown/reader.ts';
import { readerFor } from './readers.ts';

export type FoundTranscript = {
  readonly file: string;
  readonly size: number;
  /** The working directory it was recorded in, where its first lines say so. */
  readonly cwd: string | undefined;
  /** Milliseconds; of the first line with a time, else of the file. */
  readonly began: number;
  /** The same of the last line. */
  readonly ended: number;
};

/** Folders and files that are there and could not be read, by path: whoever looks for transcripts tells of them. */
export type Unread = Map<string, string>;

export type ClientFolders = { readonly clientRoot: string; readonly codexRoot: string };

const HEAD_BYTES = 32 * 1024;
const TAIL_BYTES = 64 * 1024;
/** A first prompt may be long, and the answer comes after it. */
const EXPORT_BYTES = 256 * 1024;
const FIRST_LINES = 8;
const TRANSCRIPT = /\.jsonl$/i;
const EXPORT = /\.(?:md|markdown|txt)$/i;
/** Beside transcripts lie folders with the output of tools; they hold nothing that somebody said. */
const NOT_TRANSCRIPTS = new Set(['tool-results', 'memory', 'node_modules', '.git']);
const MAX_DEPTH = 8;
/** Beside the transcript of a subagent the client says what kind of agent it was. */
const SUBAGENT = /^(agent-.+)\.jsonl$/;
const MAX_META_BYTES = 64 * 1024;

/** Everything that the clients on this machine keep. */
export function allTranscripts(
  { clientRoot, codexRoot }: ClientFolders,
  unread: Unread = new Map(),
): FoundTranscript[] {
  return described(
    [path.join(clientRoot, 'projects'), path.join(codexRoot, 'sessions')].flatMap((folder) => [
      ...filesBelow(folder, TRANSCRIPT, unread),
    ]),
    unread,
  );
}

/** A file, or all transcripts and exports below a directory. */
export function transcriptsAt(place: string, unread: Unread = new Map()): FoundTranscript[] {
  const stats = statOf(place);
  if (!stats)
    throw new CairnError('NOT_FOUND', `There is no ${place}.`, {
      fix: 'Name a transcript, or a directory with transcripts below it.',
    });
  // A pipe is read only once, and whoever opens one that nobody writes to waits for good.
  if (!stats.isDirectory() && !stats.isFile())
    throw new CairnError('READ_ERROR', `${place} is neither a file nor a directory.`, {
      fix: 'Write what comes out of it into a file, and name that.',
    });
  // Whoever names a file means it; below a folder there are read-me files, too.
  return stats.isDirectory()
    ? described(
        [...filesBelow(place, TRANSCRIPT, unread), ...[...filesBelow(place, EXPORT, unread)].filter(isExport)],
        unread,
      )
    : described([place], unread);
}

function statOf(place: string): fs.Stats | undefined {
  try {
    return fs.statSync(place, { throwIfNoEntry: false });
  } catch (error) {
    throw new CairnError('READ_ERROR', `${place} cannot be looked at: ${messageOf(error)}`, {
      cause: error,
      fix: 'Check who may read it, and the folders above it.',
    });
  }
}

function described(files: readonly string[], unread: Unread): FoundTranscript[] {
  return inOrder(files, (file, why) => {
    if (why !== undefined) unread.set(file, why);
    return undefined;
  });
}

const isExport = (file: string): boolean => namesSpeakers(headOf(file, EXPORT_BYTES) ?? '');

/** Why a file that somebody named is no conversation; nothing if it is one, or cannot be read. `asText`: any text will do. */
export function whyNoConversation(file: string, { asText = false }: { asText?: boolean } = {}): string | undefined {
  const head = headOf(file, EXPORT_BYTES);
  if (head === undefined || head === '') return undefined;
  if (head.includes('\0')) return 'it is no text';
  const reader = readerFor(file, head.slice(0, HEAD_BYTES).split('\n', FIRST_LINES));
  if (!reader) return 'it is no transcript of Claude Code or Codex, nor a conversation in a .md or .txt file';
  if (reader.name !== markdown.name || asText || namesSpeakers(head)) return undefined;
  return 'nobody is named in it who speaks, as a line such as `User:` or `## Assistant` would';
}

/** What somebody named: a folder of transcripts, or a file that must be a conversation. One that is none is told in `unread`. */
export function namedTranscripts(
  place: string,
  { unread, asText = false }: { unread?: Unread; asText?: boolean },
): FoundTranscript[] {
  const found = transcriptsAt(place, unread);
  const isFolder = fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  const why = isFolder || found.length === 0 ? undefined : whyNoConversation(place, { asText });
  if (why === undefined) return found;
  unread?.set(place, `It is no conversation: ${why}.`);
  return [];
}

/** The session that its first lines name. */
export const sessionIn = (file: string): string | undefined =>
  /"sessionId" ?: ?"([^"\\]{1,200})"/.exec(headOf(file, HEAD_BYTES) ?? '')?.[1];

/** Nothing where it cannot be read. */
function headOf(file: string, bytes: number): string | undefined {
  try {
    const descriptor = fs.openSync(file, 'r');
    try {
      return readAt(descriptor, 0, bytes);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function* filesBelow(directory: string, names: RegExp, unread: Unread, depth = 0): Generator<string> {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (!isSystemError(error, 'ENOENT', 'ENOTDIR')) unread.set(directory, messageOf(error));
    return;
  }
  for (const entry of entries) {
    const file = path.join(directory, entry.name);
    if (entry.isFile() && names.test(entry.name)) {
      if (!isOfOwnAgent(directory, entry.name)) yield file;
    } else if (entry.isDirectory() && depth < MAX_DEPTH && !NOT_TRANSCRIPTS.has(entry.name))
      yield* filesBelow(file, names, unread, depth + 1);
  }
}

function isOfOwnAgent(directory: string, name: string): boolean {
  const agent = SUBAGENT.exec(name)?.[1];
  if (agent === undefined) return false;
  const meta = path.join(directory, `${agent}.meta.json`);
  try {
    const text = readText(meta, MAX_META_BYTES);
    return text !== undefined && isOwnAgent(parseJsonObject(text, meta).agentType);
  } catch (error) {
    if (error instanceof CairnError || isSystemError(error)) return false; // whoever cannot be told is somebody else
    throw error;
  }
}

/** The oldest conversation first: what comes later may refer to it. `otherwise` describes a file that is gone, or cannot be read: `why`. */
export function inOrder(
  files: readonly string[],
  otherwise: (file: string, why: string | undefined) => FoundTranscript | undefined,
): FoundTranscript[] {
  return files
    .map((file) => {
      const seen = describe(file);
      return typeof seen === 'object' ? seen : otherwise(file, seen);
    })
    .filter((each) => each !== undefined)
    .sort((a, b) => a.began - b.began || (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
}

/** What can be said of a transcript that only the archive still has. `head`: its first lines. */
export function archivedTranscript(entry: ArchiveEntry, head: readonly string[]): FoundTranscript {
  const { source: file, offset: size, cwd, createdAt, updatedAt } = entry;
  const began = timesIn(head.join('\n'))[0] ?? (Date.parse(createdAt) || 0);
  return { file, size, cwd, began, ended: Date.parse(updatedAt) || 0 };
}

/** Or why it cannot be read; nothing if it is gone. */
function describe(file: string): FoundTranscript | string | undefined {
  let descriptor: number;
  try {
    if (!fs.statSync(file).isFile()) return 'it is no file'; // opening a pipe waits for good
    descriptor = fs.openSync(file, 'r');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return isSystemError(error, 'ENOENT') ? undefined : messageOf(error);
  }
  try {
    const { size, mtimeMs } = fs.fstatSync(descriptor);
    const head = readAt(descriptor, 0, Math.min(size, HEAD_BYTES));
    const tail = size > HEAD_BYTES ? readAt(descriptor, Math.max(0, size - TAIL_BYTES), TAIL_BYTES) : head;
    const changed = Math.floor(mtimeMs);
    return { file, size, cwd: cwdIn(head), began: timesIn(head)[0] ?? changed, ended: timesIn(tail).at(-1) ?? changed };
  } finally {
    fs.closeSync(descriptor);
  }
}

function readAt(descriptor: number, position: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString('utf8', 0, fs.readSync(descriptor, bytes, 0, length, position));
}

function cwdIn(text: string): string | undefined {
  const written = /"cwd" ?: ?("(?:[^"\\]|\\.){1,4096}")/.exec(text)?.[1];
  try {
    return written === undefined ? undefined : (JSON.parse(written) as string);
  } catch {
    return undefined;
  }
}

const timesIn = (text: string): number[] =>
  [...text.matchAll(/"timestamp" ?: ?"([^"]{10,40})"/g)]
    .map((match) => Date.parse(match[1]!))
    .filter((time) => Number.isFinite(time));
