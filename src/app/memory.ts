// The composition root: from a place on disk to a memory that can be used. Faces make one of these and call it;
// nothing below it reads the environment or a config file.

import fs from 'node:fs';
import path from 'node:path';
import { type Config, type ConfigOptions, loadConfig } from '../config/load.ts';
import { CairnError, messageOf } from '../errors.ts';
import { commitFiles } from '../files/git-commit.ts';
import { readBytes } from '../files/json-file.ts';
import { ensureGitignore, forCommitting } from '../files/memory-gitignore.ts';
import { askGraph, updateGraph } from '../indexing/graph/graph-file.ts';
import type { GraphPlace } from '../indexing/graph/graph-scan.ts';
import type { Category } from '../model/categories.ts';
import { recordMd5 } from '../model/hash.ts';
import type { Kinds } from '../model/kinds.ts';
import { noteKind } from '../model/notes.ts';
import { changeNote, createNote, type NewNote, type NoteChange, removeNote, type Vault } from '../notes/edit-note.ts';
import { sectionsOfGraph } from '../notes/front-page.ts';
import { type ImportReport, importMarkdown } from '../notes/import-markdown.ts';
import { findNote, loadNotes, notePath, type StoredNote } from '../notes/vault.ts';
import { type CandidateAnswer, type CandidateRequest, findCandidate } from '../records/candidate.ts';
import {
  archiveRecord,
  restoreRecord,
  retireRecord,
  type StatusRequest,
  unarchiveRecord,
} from '../records/change-status.ts';
import { collectGarbage, type Garbage } from '../records/collect-garbage.ts';
import { type CreateRequest, categoryNamed, createRecord } from '../records/create-record.ts';
import type { Outcome } from '../records/critical-section.ts';
import { type Health, healthOf } from '../records/health.ts';
import {
  queryIndex,
  type Rebuilt,
  rebuildIndex,
  refreshIndex,
  type Validation,
  validateIndex,
} from '../records/index-upkeep.ts';
import { indexFile, type RecordStore } from '../records/record-store.ts';
import { type Revised, type Revision, reviseRecord } from '../records/revise.ts';
import { type Saved, type SaveRequest, saveRecord } from '../records/save.ts';
import { type Scan, type ScannedRecord, scanRecords } from '../records/scan.ts';
import { type SearchAnswer, type SearchHit, type SearchOptions, searchRecords } from '../records/search.ts';
import { strayFolders, strayText } from '../records/stray-folders.ts';
import { type UpdateRequest, updateRecord } from '../records/update-record.ts';
import { useForgotten } from './keep-out.ts';
import { openProject } from './project.ts';

export type { Choice, Plan } from '../records/save.ts';
export type { Garbage, Health, ImportReport, Outcome, ScannedRecord, SearchHit, StatusRequest, StoredNote, Validation };
export type ScanProblem = Scan['problems'][number];

export type MemoryOptions = ConfigOptions & { now?: () => Date };

export class Memory {
  readonly config: Config;
  readonly recordStore: RecordStore;
  readonly vault: Vault;

  readonly #place: GraphPlace;

  constructor(config: Config, now: () => Date = () => new Date()) {
    const { recordStore, vault, place } = openProject(config, now);
    useForgotten(config.paths.userRoot);
    this.config = config;
    this.recordStore = recordStore;
    this.vault = vault;
    this.#place = place;
  }

  get kinds(): Kinds {
    return this.recordStore.kinds;
  }

  /** The category of this name; whoever names another one is told which there are. */
  category(name: string): Category {
    return categoryNamed(this.recordStore, name);
  }

  create(request: CreateRequest): Promise<Outcome> {
    return this.#written('create', createRecord(this.recordStore, request));
  }

  /** What was said becomes a record, or goes into the one that it belongs to. */
  async save(request: SaveRequest): Promise<Saved> {
    const saved = await saveRecord(this.recordStore, request);
    return this.#written(saved.choice, saved);
  }

  update(request: UpdateRequest): Promise<Outcome> {
    return this.#written('update', updateRecord(this.recordStore, request));
  }

  /** Changes what a revision names; the rest of the record stays. */
  revise(file: string, revision: Revision): Promise<Revised> {
    return this.#written('update', reviseRecord(this.recordStore, file, revision));
  }

  retire(request: StatusRequest): Promise<Outcome> {
    return this.#written('retire', retireRecord(this.recordStore, request));
  }

  archive(request: StatusRequest): Promise<Outcome> {
    return this.#written('archive', archiveRecord(this.recordStore, request));
  }

  unarchive(request: StatusRequest): Promise<Outcome> {
    return this.#written('unarchive', unarchiveRecord(this.recordStore, request));
  }

  restore(request: StatusRequest): Promise<Outcome> {
    return this.#written('restore', restoreRecord(this.recordStore, request));
  }

  candidate(request: CandidateRequest): Promise<{ answer: CandidateAnswer; warnings: string[] }> {
    return findCandidate(this.recordStore, request);
  }

  rebuildIndex(): Promise<Rebuilt> {
    return rebuildIndex(this.recordStore);
  }

  validateIndex(): Validation {
    return validateIndex(this.recordStore);
  }

  queryIndex(keyword: string): string[] {
    return queryIndex(this.recordStore, keyword);
  }

  health(): Health {
    return healthOf(this.recordStore);
  }

  async collectGarbage(): Promise<Garbage> {
    const garbage = await collectGarbage(this.recordStore);
    garbage.notes.push(...this.#follow(garbage.touched));
    garbage.notes.push(...(await this.#committed('collect garbage', garbage.touched)));
    return garbage;
  }

  search(query: string, options?: SearchOptions): SearchAnswer {
    return searchRecords(this.recordStore, query, options);
  }

  list(): Scan {
    return scanRecords(this.recordStore);
  }

  /**
   * The one record of this slug or `folder/slug`; the beginning of a name will do where it is unmistakable. A whole REF never
   * stands for a beginning: after `use-redis` was renamed, `record:decisions/use-redis` is not `use-redis-2`.
   */
  find(slug: string): ScannedRecord {
    const wanted = slug.replace(/^record:/, '').replace(/\.json$/, '');
    const { records, problems } = this.list();
    const named = (test: (name: string) => boolean): ScannedRecord[] =>
      records.filter((each) => test(each.slug) || test(`${each.category.folder}/${each.slug}`));
    const exact = named((name) => name === wanted);
    const isWhole = exact.length > 0 || wanted === '' || slug.startsWith('record:');
    const found = isWhole ? exact : named((name) => name.startsWith(wanted));
    const [only, ...others] = found;
    if (only && others.length === 0) return only;
    const broken = problems.find(({ path: file }) => `/${file}`.endsWith(`/${wanted}.json`));
    if (found.length === 0 && broken)
      throw new CairnError('READ_ERROR', broken.message, { fix: 'Repair the file with an editor, or remove it.' });
    if (found.length === 0) {
      throw new CairnError('NOT_FOUND', `There is no record ${JSON.stringify(slug)}.`, {
        fix: '`cairn list --all` shows every record with its name.',
      });
    }
    throw new CairnError('NOT_FOUND', `${JSON.stringify(slug)} may be any of ${found.length} records.`, {
      fix: `Say which: ${found
        .slice(0, 5)
        .map((each) => `${each.category.folder}/${each.slug}`)
        .join(', ')}${found.length > 5 ? ', …' : ''}.`,
    });
  }

  /** The one record of this name, with the hash that an update has to give. */
  read(slug: string): ScannedRecord & { readonly hash: string } {
    const found = this.find(slug);
    const bytes = readBytes(found.file);
    if (!bytes) throw new CairnError('NOT_FOUND', `${found.path} is gone.`);
    return { ...found, hash: recordMd5(bytes) };
  }

  async createNote(note: NewNote): Promise<{ id: string; file: string; notes: string[] }> {
    const made = await createNote(this.vault, note);
    return { ...made, notes: await this.#notesWritten(`create ${made.id}`, [made.file]) };
  }

  async changeNote(id: string, change: NoteChange): Promise<{ file: string; changed: boolean; notes: string[] }> {
    const done = await changeNote(this.vault, id, change);
    return { ...done, notes: done.changed ? await this.#notesWritten(`change ${id}`, [done.file]) : [] };
  }

  async removeNote(id: string): Promise<{ file: string; copy: string; notes: string[] }> {
    const removed = await removeNote(this.vault, id);
    return { ...removed, notes: await this.#notesWritten(`remove ${id}`, [removed.file]) };
  }

  async importMarkdown(directory: string, dryRun: boolean): Promise<ImportReport & { notes: string[] }> {
    const report = await importMarkdown(this.vault, { directory, projectRoot: this.recordStore.projectRoot, dryRun });
    const kind = noteKind('decision');
    const files = [...report.created, ...report.updated].flatMap(({ id }) =>
      kind ? notePath(this.recordStore.root, kind, id) : [],
    );
    const wrote = !dryRun && files.length > 0;
    return { ...report, notes: wrote ? await this.#notesWritten(`import ${files.length} notes`, files) : [] };
  }

  findNote(id: string): StoredNote | undefined {
    return findNote(this.recordStore.root, id.replace(/^note:/, ''));
  }

  /** The one note of this id; the beginning of an id will do where it is unmistakable. A whole REF never stands for a beginning. */
  noteNamed(name: string): StoredNote {
    const exact = this.findNote(name);
    if (exact) return exact;
    const isWhole = name.startsWith('note:') || name.trim() === '';
    const begins = isWhole ? [] : this.loadNotes().notes.filter(({ id }) => id.startsWith(name.toLowerCase()));
    const [only, ...others] = begins;
    if (only && others.length === 0) return only;
    throw new CairnError(
      'NOT_FOUND',
      begins.length === 0
        ? `There is no note ${JSON.stringify(name)}.`
        : `${JSON.stringify(name)} may be any of ${begins.length} notes.`,
      {
        fix:
          begins.length === 0
            ? '`cairn note list` shows notes with their ids.'
            : `Say which: ${begins
                .slice(0, 5)
                .map(({ id }) => id)
                .join(', ')}${begins.length > 5 ? ', …' : ''}.`,
      },
    );
  }

  loadNotes(): ReturnType<typeof loadNotes> {
    return loadNotes(this.recordStore.root);
  }

  /** Brings .gitignore and index.md in step with whether session notes are for committing. Nothing where there is no memory. */
  async followSharing(): Promise<void> {
    if (!fs.existsSync(this.recordStore.root)) return;
    ensureGitignore(this.recordStore.root, this.config.settings.capture);
    if (fs.existsSync(indexFile(this.recordStore))) await rebuildIndex(this.recordStore);
  }

  /** Folders whose records nobody reads, in sentences that say what to do. */
  strayFolders(): string[] {
    return strayFolders(this.recordStore).map(strayText);
  }

  async #notesWritten(what: string, files: readonly string[]): Promise<string[]> {
    ensureGitignore(this.recordStore.root, this.config.settings.capture);
    const notes = this.#follow(files);
    const drawn = await this.#draw(notes);
    return [...notes, ...(await this.#committed(what, drawn ? [...files, indexFile(this.recordStore)] : files))];
  }

  /** The note is written: an overview that could not be drawn is no reason to say that nothing was. The next writer draws it. */
  async #draw(notes: string[]): Promise<boolean> {
    try {
      return await refreshIndex(
        this.recordStore,
        askGraph(this.#place, (graph) => sectionsOfGraph(graph, this.config.settings.capture)),
      );
    } catch (error) {
      notes.push(
        `WARNING: index.md does not show it yet (${messageOf(error)}); \`cairn index --rebuild\` makes it do so.`,
      );
      return false;
    }
  }

  /** The graph is derived: what fails here is made good by whoever asks it next. */
  #follow(files: readonly string[]): string[] {
    try {
      updateGraph(this.#place, { files });
      return [];
    } catch (error) {
      return [`WARNING: the graph was not updated: ${messageOf(error)}`];
    }
  }

  async #written<T extends Outcome>(verb: string, work: T | Promise<T>): Promise<T> {
    const outcome = await work;
    if (outcome.touched.length === 0) return outcome;
    ensureGitignore(this.recordStore.root, this.config.settings.capture);
    const title = path.basename(String(outcome.result.target), '.json');
    outcome.notes.push(...this.#follow(outcome.touched));
    outcome.notes.push(...(await this.#committed(`${verb} ${title}`, outcome.touched)));
    return outcome;
  }

  async #committed(what: string, files: readonly string[]): Promise<string[]> {
    if (!this.config.settings.auto_commit) return [];
    const warning = await commitFiles(
      this.recordStore.root,
      forCommitting(this.recordStore.root, files, this.config.settings.capture),
      `memory: ${what}`,
    );
    return warning ? [warning] : [];
  }
}

export function openMemory(options: MemoryOptions = {}): Memory {
  return new Memory(loadConfig(options), options.now);
}
