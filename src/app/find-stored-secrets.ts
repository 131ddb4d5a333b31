// Looks through one after the other of the places where Cairn stores something, for `cairn redact`: records, files, archive, database.
// What is wrong with one of them is reported and keeps nobody from looking at the others.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/load.ts';
import { messageOf } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { filesBelow } from '../files/folder-stats.ts';
import { parseJsonObject, readText } from '../files/json-file.ts';
import { isLockName } from '../files/lock.ts';
import { isLog, rewriteLog } from '../files/rewrite-log.ts';
import { syncFiles } from '../indexing/files/index-files.ts';
import { STATE_PREFIX } from '../indexing/transcripts/index-transcript.ts';
import { inVault } from '../notes/edit-note.ts';
import { criticalSection } from '../records/critical-section.ts';
import type { ScannedRecord } from '../records/scan.ts';
import { assertValid } from '../records/validate.ts';
import { redactLine } from '../safety/redact-line.ts';
import type { KnownValues } from '../safety/secrets/known-values.ts';
import { redactDeep } from '../safety/secrets/redact.ts';
import { compactDatabase } from '../store/sqlite/compact-database.ts';
import type { Change, Document } from '../store/store.ts';
import { openLines, redactEntry } from '../transcripts/archive/redact.ts';
import { indexedFiles } from './indexed-files.ts';
import { Memory } from './memory.ts';
import { storeExists, usesServer } from './open-store.ts';
import { cleanRow, cleanText, masksIn } from './redact-text.ts';
import { TraceMemory } from './trace-memory.ts';
import { archiveRoot, searchTextsFolder, storeFile } from './user-files.ts';

export type RedactFind = {
  readonly where: string;
  /** How the secrets look once they are masked: kind and last characters, never more. */
  readonly masks: readonly string[];
  readonly masked: boolean;
  /** Why it was left as it is. */
  readonly why?: string;
};
export type Looked = { finds: RedactFind[]; problems: string[]; files: number; documents: number };
export type LookOptions = {
  /** Mask what is found; without it the look only tells. */
  readonly apply: boolean;
  /** The values that are masked wherever they stand; it learns those that are found. */
  readonly known: KnownValues;
  readonly now: () => Date;
};

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const PAGE = 500;
/** The database and the archive are looked into by themselves; models, compiled code and who holds which lock are nothing that was said. */
const NOT_FILES = new Set(['archive', 'cache', 'plugin', 'pending', 'locks', '.git', 'node_modules']);
const DATABASE = /^memory\.db/;
/** Settings are the user's: what stands there is told, never changed. */
const SETTINGS = /^(?:memory-)?config\.json$/;
/** Made from notes and records by whoever asks next. */
const DERIVED = /^graph\.json$/;
const TEXT = /\.(?:md|txt|log|jsonl?|invalid|told)(?:\.[\w.-]{1,80})?$/;

export class Look {
  readonly #config: Config;
  readonly #apply: boolean;
  readonly #known: KnownValues;
  readonly #report: Looked;
  readonly #memory: Memory;
  readonly #seen = new Set<string>();

  private constructor(config: Config, { apply, known, now }: LookOptions, report: Looked) {
    this.#config = config;
    this.#apply = apply;
    this.#known = known;
    this.#report = report;
    this.#memory = new Memory(config, now);
  }

  static async everywhere(config: Config, options: LookOptions): Promise<Looked> {
    const report: Looked = { finds: [], problems: [], files: 0, documents: 0 };
    const look = new Look(config, options, report);
    for (const place of [() => look.#records(), () => look.#files(), () => look.#archive(), () => look.#database()])
      try {
        await place();
      } catch (error) {
        report.problems.push(messageOf(error));
      }
    // The words that searches keep are made anew from what the records say now.
    if (options.apply) fs.rmSync(searchTextsFolder(config), { recursive: true, force: true });
    return report;
  }

  /** What is wrong with one place does not keep the others from being looked at. */
  async #found(where: string, masks: readonly string[], mask: () => Promise<void> | void): Promise<void> {
    let why: string | undefined;
    if (this.#apply)
      try {
        await mask();
      } catch (error) {
        why = messageOf(error);
      }
    const masked = this.#apply && why === undefined;
    this.#report.finds.push({ where, masks, masked, ...(why === undefined ? {} : { why }) });
  }

  /** Through the lock of the records and with their rules: a record stays one. */
  async #records(): Promise<void> {
    for (const scanned of this.#memory.list().records) {
      this.#seen.add(scanned.file);
      this.#report.files++;
      const { value, found } = redactDeep(scanned.record, this.#known);
      if (found.length === 0) continue;
      await this.#found(scanned.file, masksIn(scanned.record, value), () => this.#writeRecord(scanned));
    }
  }

  async #writeRecord({ file, path: named, slug, category }: ScannedRecord): Promise<void> {
    const { recordStore } = this.#memory;
    await criticalSection(recordStore, (section) => {
      const record = redactDeep(parseJsonObject(readText(file) ?? '{}', file), this.#known).value;
      assertValid(category, record, { anyNumberOfChanges: true });
      section.commit(file, record);
      section.syncIndex({ list: { target: { file, path: named, slug, category }, record }, drop: [named] });
    });
  }

  /** Notes, what was put aside, last copies of what was removed, logs, refinements, injections: every text in the folders. */
  async #files(): Promise<void> {
    const { memoryRoot, userRoot } = this.#config.paths;
    // What was not looked into was not masked: it must not pass for clean.
    const closed = (folder: string, why: string): void =>
      void this.#report.problems.push(`${folder} was not looked into: ${why}`);
    const { recordStore, vault } = this.#memory;
    const copies = [recordStore.deletedCopies, vault.deletedCopies];
    for (const folder of [memoryRoot, userRoot, ...copies])
      for (const { file, stats } of filesBelow(
        folder,
        (name) => !isLockName(name) && (copies.includes(folder) || !NOT_FILES.has(name)),
        closed,
      )) {
        const name = path.basename(file);
        if (this.#seen.has(file) || DATABASE.test(name) || !TEXT.test(name) || isLockName(name)) continue;
        if (stats.size > MAX_FILE_BYTES) this.#report.problems.push(`${file} is too large to be looked through.`);
        else await this.#file(file, folder === memoryRoot);
      }
  }

  async #file(file: string, inMemory: boolean): Promise<void> {
    this.#seen.add(file);
    this.#report.files++;
    const before = fs.readFileSync(file, 'utf8');
    const after = cleanText(file, before, this.#known);
    if (after === before) return;
    const write = (beforeCommit: () => void): void => {
      if (DERIVED.test(path.basename(file))) {
        fs.rmSync(file, { force: true });
        return;
      }
      const now = fs.readFileSync(file, 'utf8');
      if (Buffer.from(now).length !== fs.statSync(file).size) throw new Error('it is no UTF-8 text');
      if (isLog(file)) rewriteLog(file, (text) => cleanText(file, text, this.#known));
      else atomicWrite(file, cleanText(file, now, this.#known), { mode: 0o600, beforeCommit });
    };
    await this.#found(file, masksIn(before, after), () => {
      if (SETTINGS.test(path.basename(file))) throw new Error('settings are yours to change');
      return inMemory ? inVault(this.#memory.vault, (lock) => write(() => lock.assertHeld())) : write(() => undefined);
    });
  }

  async #archive(): Promise<void> {
    const { openArchive } = await import('../transcripts/archive/archive.ts');
    const archive = openArchive(archiveRoot(this.#config), {
      maxBytes: Number.MAX_SAFE_INTEGER,
      now: () => new Date(),
    });
    const { entries, problems } = archive.survey();
    for (const { file, why } of problems) this.#report.problems.push(`${file} was not looked into: ${why}`);
    for (const entry of entries) {
      this.#report.files++;
      try {
        const masks = [...openLines(entry, this.#known)].flatMap(({ before, after }) => masksIn(before, after));
        if (masks.length > 0) await this.#found(entry.file, [...new Set(masks)], () => redactEntry(entry, this.#known));
      } catch (error) {
        this.#report.problems.push(messageOf(error));
      }
    }
  }

  /** Rows of records and notes follow their files; those of conversations, and what is kept about them, are put again. */
  async #database(): Promise<void> {
    const file = storeFile(this.#config);
    if (!storeExists(this.#config)) return;
    const memory = await TraceMemory.open(this.#config);
    let changed = false;
    try {
      if (this.#apply && fs.existsSync(this.#config.paths.memoryRoot))
        await syncFiles(memory.store, indexedFiles(this.#config));
      const { changes, masks } = await this.#openRows(memory);
      changed = changes.length > 0;
      if (changed)
        await this.#found(file, masks, async () => {
          for (let at = 0; at < changes.length; at += PAGE) await memory.store.apply(changes.slice(at, at + PAGE));
          const { failed } = await memory.readAnew(transcriptsIn(changes));
          for (const { file: transcript, why } of failed)
            this.#report.problems.push(`What was derived from ${transcript} could not be made anew: ${why}`);
        });
    } finally {
      await memory.close();
    }
    if (this.#apply && (changed || this.#report.finds.some(({ masked }) => masked)) && !usesServer(this.#config))
      compactDatabase(file);
  }

  async #openRows({ store }: TraceMemory): Promise<{ changes: Change[]; masks: string[] }> {
    const changes: Change[] = [];
    const masks = new Set<string>();
    const note = (before: unknown, after: unknown, change: Change): void => {
      for (const mask of masksIn(before, after)) masks.add(mask);
      changes.push(change);
    };
    let cursor: string | undefined;
    do {
      const page: { documents: readonly Document[]; next?: string } = await store.list({
        order: 'ref',
        limit: PAGE,
        ...(cursor ? { cursor } : {}),
      });
      for (const document of page.documents) {
        if (document.author !== undefined) continue; // another's, and his to mask
        this.#report.documents++;
        const clean = cleanRow(document, this.#known);
        if (clean !== document) note(document, clean, { op: 'put', document: clean });
      }
      cursor = page.next;
    } while (cursor !== undefined);
    for (const { key, value } of await store.state({})) {
      const clean = redactLine(value, { known: this.#known });
      if (clean !== value && clean !== '') note(value, clean, { op: 'state', key, value: clean });
    }
    return { changes, masks: [...masks] };
  }
}

/** Conversations that had a secret: topics, entities and states hold single words of it, which look like nothing. */
function transcriptsIn(changes: readonly Change[]): Set<string> {
  const found = new Set<string>();
  for (const change of changes) {
    if (change.op === 'put' && change.document.layer === 'trace' && change.document.source)
      found.add(change.document.source.file);
    if (change.op === 'state' && change.key.startsWith(STATE_PREFIX)) found.add(change.key.slice(STATE_PREFIX.length));
  }
  return found;
}
