// The composition root of what was said: the store and the archive, for commands and hooks. Apart from memory.ts, as most need no database.

import fs from 'node:fs';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { Config } from '../config/load.ts';
import { CairnError, isSystemError } from '../errors.ts';
import { exclusionOf } from '../files/excluded.ts';
import { type Forgotten, readForgotten } from '../files/forgotten.ts';
import { maskKey } from '../files/mask-key.ts';
import { noteProject } from '../files/note-project.ts';
import { isForeignPath, startFolder } from '../files/project-identity.ts';
import { changeRegistry, type Project, readRegistry, sameScopes } from '../files/project-registry.ts';
import { rememberedSources } from '../indexing/commits/sync-commits.ts';
import type { CommitTie } from '../indexing/commits/tie-commits.ts';
import { archiveReader, archiveWriter, olderReader } from '../indexing/transcripts/archive-transcript.ts';
import { type BackfillOptions, type BackfillReport, backfill, type ToRead } from '../indexing/transcripts/backfill.ts';
import type { IndexOptions } from '../indexing/transcripts/index-transcript.ts';
import { type LinesAround, linesAround } from '../indexing/transcripts/lines-around.ts';
import { type Readability, readability } from '../indexing/transcripts/plan-reindex.ts';
import { rowsWithoutTranscript } from '../indexing/transcripts/rows-without-transcript.ts';
import { saidLines } from '../indexing/transcripts/span-lines.ts';
import { forksIn, isOutdated, STATE_PREFIX, stateIn, stateKey } from '../indexing/transcripts/transcript-state.ts';
import { type LedgerUse, readLedger, useOn } from '../llm/ledger.ts';
import type { Fork } from '../model/forks.ts';
import { localDay } from '../model/timestamp.ts';
import { keyOf } from '../recall/candidates.ts';
import { spansAround } from '../recall/expand.ts';
import type { Document, EntityCount, Link, Stats, Store } from '../store/store.ts';
import { type Archive, type ArchiveEntry, openArchive } from '../transcripts/archive/archive.ts';
import { type LineFilter, lineFilter } from '../transcripts/forgotten-lines.ts';
import {
  allTranscripts,
  archivedTranscript,
  type FoundTranscript,
  inOrder,
  namedTranscripts,
  type Unread,
} from '../transcripts/locate.ts';
import { markdown } from '../transcripts/markdown/reader.ts';
import { entityOptions } from './entity-options.ts';
import { explainIdea } from './explain-idea.ts';
import { isTooOld, useForgotten } from './keep-out.ts';
import { namedDocument } from './named-memory.ts';
import { takeOverOlder } from './older-store.ts';
import { openStore, type StoreOptions, usesServer } from './open-store.ts';
import { projectElsewhere, settleProject } from './project-scopes.ts';
import type { ReadAheadJob } from './read-ahead-thread.ts';
import type { ShownTrace, ShowOptions } from './shown-trace.ts';
import { eachDocument, type TopicsWanted, type TopicTree, topicTrees } from './topic-tree.ts';
import { archiveRoot, ledgerFile } from './user-files.ts';
import { type VectorsProgress, vectorsProgress } from './vectors-progress.ts';

export type { ShownTrace, ShowOptions } from './shown-trace.ts';
export type { BackfillReport, Document, EntityCount, FoundTranscript, LinesAround, Stats, TopicTree, ToRead };

export type FindOptions = { all?: boolean; since?: number; unread?: Unread; asText?: boolean };

export type Running = Pick<BackfillOptions, 'stopped' | 'onProgress' | 'anew' | 'mend'> & {
  /** The end of one turn: what it adds to the archive waits to be packed, and nobody looks through the archive for its limit. */
  turn?: boolean;
  /** The project of plain exports, which say none themselves. */
  into?: string;
  /** Starts the thread that reads ahead where there is much to read; see read-ahead-thread.ts. */
  startReader?: (job: ReadAheadJob) => Promise<Worker>;
};

/** A memory of what was said, with all that belongs to it. */
export type TraceStats = {
  project: string;
  /** Of this project. */
  ideas: { [intent: string]: number };
  /** Topics. */
  spans: number;
  exchanges: number;
  sessions: number;
  entities: readonly EntityCount[];
  /** Of the whole store. */
  store: Stats;
  transcripts: number;
  archive: { transcripts: number; bytes: number; maxBytes: number };
  /** Vectors that are being made now: documents still without, of all that were to get one. */
  making?: VectorsProgress;
  /** What the language model was used for today, and how much of it may be. */
  model: LedgerUse & { provider: string; dailyCalls: number; dailyTokens: number };
};

const TOP_ENTITIES = 12;
const SHOWN_INSIDE = 200;
const HEAD_LINES = 20;

export class TraceMemory {
  readonly config: Config;
  readonly store: Store;
  readonly archive: Archive;
  /** What could not be done when it was opened, in words for the user. */
  readonly problems: string[] = [];
  readonly #now: () => Date;
  /** By directory; those of other projects are noted when work is done. */
  readonly #projects = new Map<string, Project>();
  readonly #toNote = new Set<string>();
  /** Projects of plain exports that the database knew. */
  readonly #filed = new Map<string, string>();

  private constructor(config: Config, store: Store, now: () => Date) {
    this.config = config;
    this.store = store;
    this.#now = now;
    this.archive = openArchive(archiveRoot(config), { maxBytes: archiveLimit(config), now });
  }

  static async open(
    config: Config,
    now: () => Date = () => new Date(),
    options: Pick<StoreOptions, 'closeSoon' | 'secureDelete'> = {},
  ): Promise<TraceMemory> {
    useForgotten(config.paths.userRoot);
    const store = await openStore(config, options);
    const memory = new TraceMemory(config, store, now);
    const problem = await takeOverOlder(store);
    if (usesServer(config)) await (await import('./server-store.ts')).settleShares(store, config);
    if (problem !== undefined) memory.problems.push(problem);
    memory.#projects.set(config.paths.projectRoot, await settleProject(config, store, now()));
    return memory;
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /** What may not come back, as it is now. */
  get forgotten(): Forgotten {
    return readForgotten(this.config.paths.userRoot);
  }

  /** What may still be read of the lines of transcripts. */
  get lineFilter(): LineFilter | undefined {
    return lineFilter(this.forgotten);
  }

  /** The project that this memory was opened for. */
  get project(): Project {
    return this.projectOf(this.config.paths.projectRoot);
  }

  /** The project that a directory belongs to; one that is not known yet is looked at closely. */
  projectOf(directory: string): Project {
    const known = this.#projects.get(directory);
    if (known) return known;
    const registry = readRegistry(this.config.paths.userRoot);
    const noted = noteProject(registry, directory, this.#now());
    this.#projects.set(directory, noted.project);
    if (noted.registry !== registry) this.#toNote.add(directory);
    return noted.project;
  }

  /** Of what a transcript says: where it was held may be gone, or have been another machine. */
  #projectOfCwd(cwd: string, file: string): Project {
    const entry = fs.existsSync(file) ? undefined : ifReadable(() => this.archive.entryFor(file));
    if (entry?.origin) return projectElsewhere(this.config, entry.origin.projects[cwd] ?? entry.project);
    const isHere = !isForeignPath(cwd) && fs.existsSync(cwd);
    return this.projectOf(isHere ? cwd : (startFolder(cwd, file) ?? cwd));
  }

  async #noteOthers(): Promise<void> {
    if (this.#toNote.size === 0) return;
    const directories = [...this.#toNote];
    this.#toNote.clear();
    try {
      await changeRegistry(this.config.paths.userRoot, (registry) =>
        directories.reduce((noted, directory) => noteProject(noted, directory, this.#now()).registry, registry),
      );
    } catch (error) {
      if (!(error instanceof CairnError || isSystemError(error))) throw error; // they are looked at again next time
    }
  }

  /**
   * Transcripts at these places; without one those of this project, or of all. What could not be read, or is a file that was named
   * and is no conversation, goes into `unread`.
   */
  find(places: readonly string[], options: FindOptions = {}): FoundTranscript[] {
    const found =
      places.length > 0
        ? places.flatMap((place) => namedTranscripts(path.resolve(place), options))
        : allTranscripts(this.config.paths, options.unread).filter((each) => options.all || this.#isOurs(each));
    const unique = [...new Map(found.map((each) => [each.file, each])).values()];
    const { since = -Infinity } = options;
    return unique.filter((each) => each.ended >= since);
  }

  #isOurs({ cwd, file }: FoundTranscript): boolean {
    return cwd !== undefined && this.#projectOfCwd(cwd, file).id === this.project.id;
  }

  async backfill(
    found: readonly ToRead[],
    { turn = false, into, startReader, ...running }: Running = {},
  ): Promise<BackfillReport> {
    if (this.store.readOnly) throw this.store.readOnly;
    const young = found.filter((each) => !isTooOld(this.config, each, this.#now()));
    const readAhead = startReader ? { readAhead: this.#readAhead(startReader) } : {};
    const report = await backfill(this.store, young, { ...this.indexOptions(turn, into), ...running, ...readAhead });
    if (young.length < found.length) report.refused.old = found.length - young.length;
    await this.#noteOthers();
    if (turn) return report;
    await this.archive.packTails();
    await this.archive.enforceLimit();
    return report;
  }

  #readAhead(start: NonNullable<Running['startReader']>): NonNullable<BackfillOptions['readAhead']> {
    const { thinking, archive_max_mb: most } = this.config.settings.traces;
    return async (files) => {
      const { aheadOf } = await import('./read-ahead-thread.ts');
      return aheadOf(await start({ files, thinking, archives: most > 0, userRoot: this.config.paths.userRoot }), files);
    };
  }

  /**
   * Conversations that only the archive still has, and that the database does not know as they are read today: it was lost, or a new
   * version of Cairn reads more in them. Of this project, or of all; the oldest first.
   */
  async onlyArchived(options: { all?: boolean; since?: number } = {}): Promise<FoundTranscript[]> {
    const known = new Set([...(await this.#states())].filter(([, value]) => !isOutdated(value)).map(([file]) => file));
    return this.archive
      .entries()
      .filter(({ source, project }) => (options.all || this.project.scopes.includes(project)) && !known.has(source))
      .filter(({ source }) => !hasContent(source))
      .map((entry) => this.#described(entry))
      .filter((each) => options.since === undefined || each.ended >= options.since)
      .sort((a, b) => a.began - b.began);
  }

  /**
   * Everything anew, from the transcripts that are still there and from the archive of those that are not. What is in neither stays as it
   * is, unless it is to be forgotten.
   */
  async reindex({ forgetGone = false, ...running }: Running & { forgetGone?: boolean } = {}): Promise<BackfillReport> {
    if (this.store.readOnly) throw this.store.readOnly;
    // What cannot be archived is not read in: nothing may be cleared that would then stay away.
    if (this.config.settings.traces.archive_max_mb > 0) this.archive.assertWritable();
    const { mendStates, removeAsides, settleAsides, takeOverAsides } = await import('./damaged-store.ts');
    await mendStates(this.store);
    const asides = forgetGone ? [] : await takeOverAsides(this, running.stopped);
    const archived = new Map(this.archive.entries().map((entry) => [entry.source, entry]));
    const states = await this.#states();
    const known = [...states.keys()];
    await this.#noteExports(known);
    const here = [...known, ...archived.keys(), ...allTranscripts(this.config.paths).map(({ file }) => file)];
    const readable = new Map<string, Readability>();
    for (const file of new Set(here)) {
      if (running.stopped?.()) return { ...(await backfill(this.store, [], this.indexOptions())), finished: false };
      readable.set(file, readability(this.archive, file, states.get(file)));
      await new Promise((resolve) => setImmediate(resolve)); // or no Ctrl-C would be heard
    }
    const toRead = inOrder([...readable.keys()], (file) => {
      const entry = archived.get(file);
      return entry && this.#described(entry);
    }).filter(({ file }) => ['once', 'mend', 'twice'].includes(String(readable.get(file))));
    const of = (which: Readability): string[] => known.filter((file) => readable.get(file) === which);
    const gone = forgetGone ? [] : of('nowhere');
    const damaged = new Map(
      [...readable].filter((each): each is [string, CairnError] => each[1] instanceof CairnError),
    );
    const { excluded } = this.indexOptions();
    const keptOut = toRead.filter(({ file, cwd }) => excluded?.({ cwd, file })).map(({ file }) => file);
    const once = new Set([...of('once'), ...of('mend')]);
    await this.store.apply([
      { op: 'clear' },
      ...(await rememberedSources(this.store)),
      ...(await rowsWithoutTranscript(this.store, [...new Set([...gone, ...damaged.keys(), ...keptOut, ...once])])),
    ]);
    const report = await this.backfill(toRead, {
      ...running,
      anew: (file) => once.has(file),
      mend: (file) => readable.get(file) === 'mend',
    });
    const failed = [...damaged].map(([file, error]) => failureOf(file, error, KEPT_AS_KNOWN));
    const all = { ...report, failed: [...failed, ...report.failed], kept: gone, damaged: [...damaged.keys()] };
    if (!report.finished) return all;
    if (forgetGone) removeAsides(this.config);
    const aside = settleAsides(asides, readable);
    return aside.length === 0 ? all : { ...all, aside };
  }

  /** Whether it is still on disk, or archived. */
  canBeRead(file: string): boolean {
    return hasContent(file) || ifReadable(() => this.archive.entryFor(file)) !== undefined;
  }

  /** What came from these conversations, made again; those that are neither on disk nor archived stay as they are. */
  async readAnew(files: ReadonlySet<string>, running: Running = {}): Promise<BackfillReport> {
    const toRead = inOrder([...files], (file) => {
      const entry = ifReadable(() => this.archive.entryFor(file));
      return entry && this.#described(entry);
    });
    const states = await this.#states();
    const damaged = new Map<string, CairnError>();
    for (const { file } of toRead) {
      const found = readability(this.archive, file, states.get(file));
      if (found instanceof CairnError) damaged.set(file, found);
    }
    const report = await this.backfill(
      toRead.filter(({ file }) => !damaged.has(file)),
      { ...running, anew: () => true },
    );
    const failed = [...damaged].map(([file, error]) => failureOf(file, error, KEPT_AS_KNOWN));
    return { ...report, failed: [...failed, ...report.failed] };
  }

  /** What the database knows of each transcript. */
  async #states(): Promise<Map<string, string>> {
    const rows = await this.store.state({ prefix: STATE_PREFIX });
    return new Map(rows.map(({ key, value }) => [key.slice(STATE_PREFIX.length), value]));
  }

  async #noteExports(known: readonly string[]): Promise<void> {
    const exports = known.filter((file) => markdown.recognises(file, []));
    for (const { key, value } of await this.store.state({ keys: exports.map(stateKey) }))
      this.#filed.set(key.slice(STATE_PREFIX.length), stateIn(value).project);
  }

  #described(entry: ArchiveEntry): FoundTranscript {
    return archivedTranscript(entry, ifReadable(() => this.archive.readLines(entry, 1, HEAD_LINES)) ?? []);
  }

  /** A plain export belongs to the project that it was read into first: nothing in it says so, and making all anew must not move it. */
  #projectOfExport(file: string, into: string | undefined): string {
    if (!markdown.recognises(file, [])) return path.dirname(file);
    return (
      this.#filed.get(file) ??
      ifReadable(() => this.archive.entryFor(file))?.project ??
      into ??
      this.projectOf(path.dirname(file)).id
    );
  }

  indexOptions(turn = false, into?: string): IndexOptions {
    const { traces } = this.config.settings;
    const registry = readRegistry(this.config.paths.userRoot);
    return {
      projectOf: (cwd, file) =>
        cwd === undefined ? this.#projectOfExport(file, into) : this.#projectOfCwd(cwd, file).id,
      nameToday: (project) => sameScopes(registry)(project)[0] ?? project,
      entities: entityOptions(this.config, registry),
      maskKey: () => maskKey(this.config.paths.userRoot),
      thinking: traces.thinking,
      forgotten: () => this.forgotten,
      excluded: exclusionOf(traces.exclude, this.config.paths.home),
      // A worker that read it before it was forgotten may have archived it once more.
      onForgotten: (file) => this.archive.remove(file),
      archived: archiveReader(this.archive),
      older: olderReader(this.archive),
      nextGeneration: (file) => this.archive.nextGeneration(file),
      ...(traces.archive_max_mb > 0
        ? { archive: archiveWriter(this.archive, { waits: turn, filter: () => this.lineFilter }) }
        : {}),
    };
  }

  /** Topics with their exchanges, the newest first; of all projects where `all` is set. */
  topics({ all, ...wanted }: Omit<TopicsWanted, 'projects'> & { all?: boolean }): Promise<TopicTree[]> {
    return topicTrees(this.store, { ...wanted, ...(all ? {} : { projects: this.project.scopes }) });
  }

  async stats(): Promise<TraceStats> {
    const store = await this.store.stats();
    const { id: project, scopes } = this.project;
    const own = countsOf(store.documents.filter((each) => scopes.includes(each.project) && each.layer === 'trace'));
    const sessions = new Set<string>();
    const filter = { projects: scopes, layers: ['trace'], kinds: ['span'] };
    let topics = 0;
    for await (const { session, span } of eachDocument(this.store, filter)) {
      if (session !== undefined) sessions.add(session);
      if (span === undefined) topics++;
    }
    return {
      project,
      ideas: Object.fromEntries([...own].filter(([kind]) => kind !== 'span')),
      spans: topics,
      exchanges: (own.get('span') ?? 0) - topics,
      sessions: sessions.size,
      entities: await this.store.entities({ projects: scopes, limit: TOP_ENTITIES }),
      store,
      ...(await makingOf(this.store)),
      transcripts: (await this.store.state({ prefix: STATE_PREFIX })).length,
      archive: {
        transcripts: this.archive.entries().length,
        bytes: this.archive.size(),
        maxBytes: archiveLimit(this.config),
      },
      model: this.#modelUse(),
    };
  }

  #modelUse(): TraceStats['model'] {
    const { provider, daily_calls: dailyCalls, daily_tokens: dailyTokens } = this.config.settings.llm;
    const today = useOn(readLedger(ledgerFile(this.config)), localDay(this.#now()));
    return { provider, dailyCalls, dailyTokens, ...today };
  }

  /** One memory by its ref; the beginning of a ref will do where it is unmistakable. */
  async show(ref: string, options: ShowOptions = { before: 3, after: 3 }): Promise<ShownTrace> {
    const document = await namedDocument(this.store, this.config, ref);
    const projects = [document.project];
    const links = await this.store.links({ refs: [document.ref], projects });
    const others = await this.store.get({ refs: links.map((link) => otherEnd(link, document.ref)), projects });
    const tie = document.layer === 'commit' ? await this.#tieOf(document) : undefined;
    const around = (await spansAround(this.store, [document])).get(keyOf(document));
    const [topic, exchange] = [around?.topic, tie?.exchange ?? around?.exchange];
    const inside = { filter: { projects, spans: [document.ref] }, order: 'oldest', limit: SHOWN_INSIDE } as const;
    return {
      document,
      span: topic,
      exchange,
      inside: document.kind === 'span' ? (await this.store.list(inside)).documents : [],
      relations: links.map((link) => ({ link, other: others.find(({ ref }) => ref === otherEnd(link, document.ref)) })),
      entities: (await this.store.mentions({ projects, refs: [document.ref] })).map(({ entity, kind, count }) => ({
        name: entity,
        kind,
        count,
      })),
      around: await this.#around(document, exchange, options),
      ...(document.layer === 'commit' ? { tie: tie ? { how: tie.how, certainty: tie.certainty } : null } : {}),
      ...(options.explain ? { label: explainIdea(this.archive, document) ?? null } : {}),
    };
  }

  async #tieOf(document: Document): Promise<CommitTie | undefined> {
    const { tiesOf } = await import('./commit-ties.ts');
    return (await tiesOf(this.store, [document], [...new Set([document.project, ...this.project.scopes])])).get(
      document.ref,
    );
  }

  async #around(
    document: Document,
    exchange: Document | undefined,
    { full = false, ...turns }: ShowOptions,
  ): Promise<LinesAround | undefined> {
    const { file, line } = document.source ?? {};
    if (file === undefined || line === undefined) return undefined;
    const meant = { line, generation: generationIn(document), forks: await this.#forksOf(file) };
    const [start, end] = [
      Number(exchange?.meta?.start ?? document.meta?.start),
      Number((exchange ?? document).meta?.end),
    ];
    if (full && end >= start) return saidLines(this.archive, this.lineFilter)(file, { start, end }, meant);
    return linesAround(this.archive, { file, ...meant }, { ...turns, filter: this.lineFilter });
  }

  async #forksOf(file: string): Promise<readonly Fork[]> {
    const state = (await this.store.state({ keys: [stateKey(file)] }))[0]?.value;
    return state === undefined ? [] : forksIn(state);
  }
}

async function makingOf(store: Store): Promise<{ making?: VectorsProgress }> {
  const making = await vectorsProgress(store);
  return making ? { making } : {};
}

/** By kind, over all names of a project. */
function countsOf(documents: Stats['documents']): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, count } of documents) counts.set(kind, (counts.get(kind) ?? 0) + count);
  return counts;
}

const KEPT_AS_KNOWN = 'What is known of the conversation stays as it is.';

function failureOf(file: string, { message, fix }: CairnError, more: string): BackfillReport['failed'][number] {
  return { file, why: `${message} ${more}`, ...(fix === undefined ? {} : { fix }) };
}

/** A power cut may leave a transcript empty. */
const hasContent = (file: string): boolean => (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
/** A damaged archive is named by whoever reads all of it; it must not keep the others from being found. */
function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CairnError && error.code === 'READ_ERROR') return undefined;
    throw error;
  }
}

const generationIn = ({ meta }: Document): number => Number(meta?.generation ?? 1);
const otherEnd = ({ from, to }: Link, ref: string): string => (from === ref ? to : from);
const archiveLimit = ({ settings }: Config): number => settings.traces.archive_max_mb * 1024 * 1024;
