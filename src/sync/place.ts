// Where sync puts things: a folder, or a branch of a git repository. Both hold the same few kinds of files, whose names tell nothing.
// Whatever else lies there is nobody's business, and what lies there may be anybody's work: it is checked before it is believed.

import { CairnError } from '../errors.ts';

export const MARKER = 'cairn-sync.json';
export const KEY_FILE = 'key.age';
const MANIFEST = 'manifest.age';
/** More than any object that Cairn writes. */
export const MAX_OBJECT_BYTES: number = 64 * 1024 * 1024;

const NAME = /^(?:cairn-sync\.json|key\.age|[0-9a-f]{32}\/(?:manifest\.age|[0-9a-f]{2}\/[0-9a-f]{62}\.age))$/;

/** Names are relative, with `/` on every system. */
export const isPlaceName = (name: string): boolean => NAME.test(name);
export const manifestName = (folder: string): string => `${folder}/${MANIFEST}`;
export const objectName = (folder: string, hash: string): string =>
  `${folder}/${hash.slice(0, 2)}/${hash.slice(2)}.age`;

export type FlushOptions = {
  /** Something has to go for good: also from what was there earlier, as far as that is ours to say. */
  readonly forget?: boolean;
};

export type Place = {
  /** For people. */
  readonly label: string;
  readonly kind: 'folder' | 'git';
  /** Brings what others have put there since. */
  refresh(): Promise<void>;
  /** Names of ours, whoever put them there. */
  list(): Promise<ReadonlySet<string>>;
  /** Those that are there. */
  read(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Only if there is none yet; false if there is. */
  putNew(name: string, bytes: Uint8Array): Promise<boolean>;
  remove(names: readonly string[]): Promise<void>;
  /** What was put and removed so far is there for the others when this returns. */
  flush(options?: FlushOptions): Promise<void>;
  /** Something that is not Cairn's lies there. */
  isForeign(): Promise<boolean>;
};

export const placeTrouble = (message: string, fix: string, cause?: unknown): CairnError =>
  new CairnError('IO_ERROR', message, { fix, ...(cause === undefined ? {} : { cause }) });
