// The composition root of `cairn trust`: what a project brings along, in numbers and first lines, and the user's word about it.

import { type Config, type ConfigOptions, loadConfig, type Trust } from '../config/load.ts';
import { showValue } from '../config/settings/setting-values.ts';
import { settingsFor } from '../config/settings/settings.ts';
import { cutCodePoints, stripUnsafe } from '../model/text.ts';
import { readIndex } from '../records/index-file.ts';
import { splitIndex } from '../records/index-sections.ts';
import { indexFile } from '../records/record-store.ts';
import { listMarks, revokeMark, type TrustMark, writeMark } from '../trust/trust-mark.ts';
import { Memory } from './memory.ts';

export type ProjectMemoryContents = {
  readonly project: string;
  readonly memory_root: string;
  readonly state: Trust['state'];
  /** By kind; records are named by their category. */
  readonly records: { readonly [kind: string]: number };
  readonly notes: { readonly [kind: string]: number };
  /** The newest, cleaned and cut. */
  readonly titles: readonly { readonly ref: string; readonly title: string }[];
  /** What people wrote into index.md; a session begins with it. */
  readonly texts: readonly { readonly section: string; readonly text: string }[];
  readonly settings: readonly { readonly key: string; readonly value: string; readonly counts: boolean }[];
  /** Files that could not be read. */
  readonly unreadable: number;
};

const TITLES = 8;
const TITLE_LENGTH = 100;
const TEXT_LENGTH = 300;
const SECTIONS = ['Project Context', 'Current Focus'];

/** What is there, whether or not it counts. */
export function describeProjectMemory(options: ConfigOptions): ProjectMemoryContents {
  const config = loadConfig(options);
  const all = loadConfig({ ...options, env: { ...(options.env ?? {}), CAIRN_TRUST: 'never' } });
  const memory = new Memory(all);
  const { records, problems } = memory.list();
  const { notes, problems: badNotes } = memory.loadNotes();
  const dated = [
    ...records.map((each) => ({
      ref: `record:${each.category.folder}/${each.slug}`,
      title: each.title,
      time: String(each.record.updated_at ?? ''),
    })),
    ...notes.map((note) => ({ ref: `note:${note.id}`, title: note.title, time: note.updated })),
  ].sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
  return {
    project: config.paths.projectRoot,
    memory_root: config.paths.memoryRoot,
    state: config.trust.state,
    records: countBy(records, ({ category }) => category.name),
    notes: countBy(notes, ({ kind }) => kind.type),
    titles: dated.slice(0, TITLES).map(({ ref, title }) => ({ ref: clean(ref), title: clean(title) })),
    texts: textsOf(memory),
    settings: settingsOf(all, config),
    unreadable: problems.length + badNotes.length,
  };
}

/** The user has looked, or does not want to. */
export function trustProject({ paths, trust }: Config, now: Date): void {
  writeMark(paths.userRoot, trust.key, { by: 'agreed', now });
}

/** Whether there was an agreement. */
export function revokeTrust({ paths, trust }: Config, now: Date): boolean {
  const had = revokeMark(paths.userRoot, trust.key, now);
  return had || trust.state === 'agreed'; // a worktree has the word of its repository
}

export function agreements({ paths }: Config): TrustMark[] {
  return listMarks(paths.userRoot);
}

function countBy<T>(items: readonly T[], kindOf: (item: T) => string): { [kind: string]: number } {
  const counts: { [kind: string]: number } = {};
  for (const item of items) counts[kindOf(item)] = (counts[kindOf(item)] ?? 0) + 1;
  return counts;
}

function textsOf(memory: Memory): ProjectMemoryContents['texts'] {
  const { written } = splitIndex(readIndex(indexFile(memory.recordStore)) ?? '');
  return SECTIONS.flatMap((section) => {
    const text = written.get(section)?.trim();
    return text ? [{ section, text: clean(text.replace(/\s+/g, ' '), TEXT_LENGTH) }] : [];
  });
}

function settingsOf(all: Config, config: Config): ProjectMemoryContents['settings'] {
  const own = Object.keys(all.settings.categories);
  return [...settingsFor(own.filter((name) => !settingsFor().has(`categories.${name}.folder`))).keys()]
    .filter((key) => all.sourceOf(key) === 'project')
    .map((key) => ({
      key,
      value: clean(showValue(valueAt(all, key))),
      counts: config.sourceOf(key) === 'project',
    }));
}

function valueAt({ settings }: Config, key: string): unknown {
  let value: unknown = settings;
  for (const part of key.split('.')) value = (value as { [part: string]: unknown } | undefined)?.[part];
  return value;
}

const clean = (text: string, max = TITLE_LENGTH): string => cutCodePoints(stripUnsafe(text), max);
