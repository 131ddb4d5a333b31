// The composition root of `cairn doctor`: looks at everything that Cairn keeps and says how it is. It changes nothing, and whatever
// is broken must not keep it from looking at the rest.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/load.ts';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import { bytesBelow, checkFolder, newestBelow } from '../files/folder-stats.ts';
import { trackedBelow } from '../files/git-commit.ts';
import { SESSION_NOTES } from '../files/memory-gitignore.ts';
import { STATE_PREFIX, stateIn } from '../indexing/transcripts/transcript-state.ts';
import { readLedger, useOn } from '../llm/ledger.ts';
import { stripUnsafe } from '../model/text.ts';
import { localDay } from '../model/timestamp.ts';
import { checkDatabase } from '../store/sqlite/check-database.ts';
import { MEND_ASIDE, storesAside } from './damaged-store.ts';
import { lastHookRuns } from './hook-activity.ts';
import { isNotRead } from './keep-out.ts';
import { usesServer } from './open-store.ts';
import { TraceMemory } from './trace-memory.ts';
import { archiveRoot, cacheFolder, ledgerFile, storeFile } from './user-files.ts';
import { vectorsProgress } from './vectors-progress.ts';

/** `attention`: something for the user to do. `note`: not as it could be, yet in order. */
export type Finding = {
  readonly area: string;
  readonly level: 'ok' | 'note' | 'attention';
  readonly text: string;
  readonly fix?: string;
};

export type DoctorOptions = {
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => Date;
  /** Leaves out what takes long: reading the whole database, opening the model. */
  readonly quick?: boolean;
  /** Reads all of the database, however large it is. */
  readonly wholeDatabase?: boolean;
};

/** A session in progress is always a little ahead of its index. */
const LAG_BYTES = 256 * 1024;
const LAG_AGE_MS = 3_600_000;
/** Of many broken files the first tell enough. */
const SHOWN_FILES = 3;
/** So many are looked through for one without a vector in a tenth of a second; of more, these. */
const MANY_DOCUMENTS = 100_000;
const NEWEST = 2_000;
/** A database of so many bytes is read in less than half a second. */
const READ_WHOLE = 200 * 1024 * 1024;
const LITTLE_ROOM = 200 * 1024 * 1024;

export async function examine(config: Config, options: DoctorOptions): Promise<Finding[]> {
  const findings: Finding[] = [...placesOf(config)];
  const step = async (area: string, look: () => Finding[] | Promise<Finding[]>): Promise<void> => {
    try {
      findings.push(...(await look()));
    } catch (error) {
      const fix = error instanceof CairnError ? error.fix : undefined;
      findings.push({ area, level: 'attention', text: messageOf(error), ...(fix ? { fix } : {}) });
    }
  };
  if (!options.quick) await step('records', () => recordsOf(config, options.now));
  if (
    usesServer(config) ||
    (options.quick ? fs.existsSync(storeFile(config)) : await databaseOf(config, step, options))
  ) {
    const memory = await openOr(config, step);
    if (memory) {
      await step('index', () => lagOf(memory, options.now()));
      if (!options.quick) await step('vectors', () => vectorsOf(memory, options));
      await memory.close();
    }
  }
  await step('database', () => asidesOf(config));
  await step('sessions', () => sessionsOf(config));
  await step('archive', () => archiveOf(config));
  await step('model', () => modelOf(config, options.now()));
  await step('disk', () => diskOf(config));
  return findings;
}

type Step = (area: string, look: () => Finding[] | Promise<Finding[]>) => Promise<void>;

async function databaseOf(config: Config, step: Step, { wholeDatabase = false }: DoctorOptions): Promise<boolean> {
  let sound = false;
  await step('database', () => {
    const file = storeFile(config);
    const wrong = checkDatabase(file, wholeDatabase ? {} : { upTo: READ_WHOLE });
    if (wrong === undefined)
      return [{ area: 'database', level: 'note', text: `none yet at ${file}`, fix: '`cairn backfill` makes it.' }];
    sound = wrong.length === 0;
    if (sound && !wholeDatabase && fs.statSync(file).size > READ_WHOLE) {
      const text = `sound as far as it was looked at: ${file} (\`cairn doctor --database\` reads all of it)`;
      return [{ area: 'database', level: 'ok', text }];
    }
    if (sound) return [{ area: 'database', level: 'ok', text: `sound: ${file}` }];
    const fix = 'Run `cairn reindex`: it makes the database anew from your files and transcripts.';
    return [{ area: 'database', level: 'attention', text: `damaged: ${wrong.join('; ')}`, fix }];
  });
  return sound;
}

/** Damaged ones that may hold what is nowhere else: whether they are needed is for the user to say, and nothing is broken meanwhile. */
const asidesOf = (config: Config): Finding[] =>
  storesAside(config).map((file) => ({
    area: 'database',
    level: 'note',
    text: `a damaged database lies aside, and may hold conversations that are nowhere else: ${file} (${sizeText(fs.statSync(file).size)})`,
    fix: MEND_ASIDE,
  }));

async function openOr(config: Config, step: Step): Promise<TraceMemory | undefined> {
  let memory: TraceMemory | undefined;
  await step('database', async () => {
    memory = await TraceMemory.open(config);
    const { problems } = memory;
    const { readOnly } = memory.store;
    const left = readOnly ? [] : await memory.store.leftBehind();
    return [
      ...(usesServer(config)
        ? [{ area: 'database', level: 'ok', text: `${(await memory.store.stats()).engine} (store.url)` } as const]
        : []),
      ...(readOnly
        ? [{ area: 'database', level: 'attention', text: readOnly.message, fix: readOnly.fix ?? '' } as const]
        : []),
      ...left.map((version): Finding => {
        const text = `rows of an older Cairn (schema ${version}) are kept aside: ${problems.join(' ') || 'they are not taken over yet'}`;
        return { area: 'database', level: 'attention', text, fix: '`cairn backfill` tries again to take them over.' };
      }),
    ];
  });
  return memory;
}

function placesOf({ paths }: Config): Finding[] {
  const kept = [
    { area: 'user folder', place: paths.userRoot, isPrivate: true },
    { area: 'memory', place: paths.memoryRoot, isPrivate: false },
  ];
  return kept.map(({ area, place, isPrivate }): Finding => {
    const { exists, mode, writable } = checkFolder(place);
    if (!exists) return { area, level: 'note', text: `${place} is not there yet` };
    const shown = mode === undefined ? '' : ` (${mode.toString(8).padStart(4, '0')})`;
    if (!writable)
      return {
        area,
        level: 'attention',
        text: `${place}${shown} cannot be written`,
        fix: 'Check its owner and its mode.',
      };
    if (isPrivate && mode !== undefined && (mode & 0o077) !== 0)
      return { area, level: 'attention', text: `${place}${shown} is open to others`, fix: `chmod 700 '${place}'` };
    return { area, level: 'ok', text: place + shown };
  });
}

/** What people and merges broke: nobody else looks at every file. */
async function recordsOf(config: Config, now: () => Date): Promise<Finding[]> {
  if (!fs.existsSync(config.paths.memoryRoot)) return [];
  const [{ openProject }, { healthOf }] = await Promise.all([import('./project.ts'), import('../records/health.ts')]);
  const { totals, sync, unreadable, invalid, stray } = healthOf(openProject(config, now).recordStore);
  const outOfStep = sync.missing.length + sync.stale.length;
  const text = `${totals.active} active, ${totals.retired} retired, ${totals.archived} archived`;
  return [
    { area: 'records', level: 'ok', text },
    ...unreadable.slice(0, SHOWN_FILES).map(
      ({ path: file, message }): Finding => ({
        area: 'records',
        level: 'attention',
        text: stripUnsafe(message.includes(file) ? message : `${file}: ${message}`),
        fix: 'Repair the file with an editor, or remove it.',
      }),
    ),
    ...stray.map(
      ({ path: folder, message, fix }): Finding => ({
        area: 'records',
        level: 'attention',
        text: `${folder} ${message}`,
        fix,
      }),
    ),
    ...attention(
      invalid.length,
      `${invalid.length} of them do not fit their schema`,
      '`cairn index --validate` names each fault.',
    ),
    ...attention(outOfStep, `${outOfStep} lines of index.md and files do not agree`, 'Run `cairn index --rebuild`.'),
  ];
}

/** Private, and yet in the repository: only the user can take them out, because others may have them already. */
async function sessionsOf({ settings, paths }: Config): Promise<Finding[]> {
  if (settings.capture.commit_sessions) return [];
  const tracked = await trackedBelow(paths.memoryRoot, SESSION_NOTES);
  if (tracked.length === 0) return [];
  const text = `${tracked.length} session ${tracked.length === 1 ? 'note is' : 'notes are'} in the repository, though they are private (capture.commit_sessions)`;
  const fix = `\`git -C '${paths.memoryRoot}' rm -r --cached --quiet -- nodes/sessions\` takes them out of the next commit and leaves the files; what was pushed stays in the history. To commit them on purpose: \`cairn config set capture.commit_sessions true\``;
  return [{ area: 'sessions', level: 'attention', text, fix }];
}

const attention = (count: number, text: string, fix: string): Finding[] =>
  count === 0 ? [] : [{ area: 'records', level: 'attention', text, fix }];

async function lagOf(memory: TraceMemory, now: Date): Promise<Finding[]> {
  const rows = await memory.store.state({ prefix: STATE_PREFIX });
  const read = new Map(rows.map(({ key, value }) => [key.slice(STATE_PREFIX.length), offsetIn(value)]));
  const gone = await memory.onlyArchived();
  const here = memory.find([]).filter((each) => !isNotRead(memory.config, each, now));
  const late = here
    .map(({ file, size, ended }) => ({ bytes: size - (read.get(file) ?? 0), ended }))
    .filter(({ bytes, ended }) => bytes > 0 && (bytes > LAG_BYTES || now.getTime() - ended > LAG_AGE_MS));
  const behind = [...gone.map(({ size }) => ({ bytes: size })), ...late];
  const all = gone.length + here.length;
  const bytes = behind.reduce((sum, each) => sum + each.bytes, 0);
  if (behind.length === 0)
    return [{ area: 'index', level: 'ok', text: `up to date: ${conversations(all)} of this project` }];
  const text = `${behind.length} of ${conversations(all)} of this project ${behind.length === 1 ? 'waits' : 'wait'} to be indexed (${sizeText(bytes)})`;
  return [{ area: 'index', level: 'attention', text, fix: 'Run `cairn backfill`.' }];
}

const conversations = (count: number): string => `${count} conversation${count === 1 ? '' : 's'}`;

function offsetIn(value: string): number {
  const { offset, from } = stateIn(value);
  return from === 'archive' ? Number.POSITIVE_INFINITY : offset;
}

async function vectorsOf(memory: TraceMemory, { env }: DoctorOptions): Promise<Finding[]> {
  const { vectors, engine, bytes, documents } = await memory.store.stats();
  const count = documents.reduce((sum, each) => sum + each.count, 0);
  const first: Finding = { area: 'database', level: 'ok', text: `${count} documents, ${sizeText(bytes)}, ${engine}` };
  const { embeddings } = memory.config.settings;
  if (embeddings.provider === 'none')
    return [first, { area: 'vectors', level: 'ok', text: 'switched off (embeddings.provider)' }];
  const { openEmbedder } = await import('../embed/open-embedder.ts');
  const embedder = await openEmbedder(embeddings, { cacheDir: cacheFolder(memory.config), env });
  if (!embedder) return [first];
  try {
    const made = vectors.find(({ model }) => model === embedder.model)?.count ?? 0;
    const text = `${made} of ${embedder.model}`;
    if (!(await areMissing(memory, embedder.model, count))) return [first, { area: 'vectors', level: 'ok', text }];
    return [
      first,
      { area: 'vectors', level: 'note', text: `${text}; more are to be made`, fix: '`cairn backfill` makes them.' },
    ];
  } finally {
    await embedder.close();
  }
}

/** Among a great many the newest tell: whoever makes vectors notes how far he is, and what is new comes last. */
async function areMissing({ store }: TraceMemory, model: string, documents: number): Promise<boolean> {
  if ((await vectorsProgress(store)) !== undefined) return true;
  if (documents <= MANY_DOCUMENTS)
    return (await store.list({ filter: { unembedded: model }, limit: 1 })).documents.length > 0;
  const { documents: newest } = await store.list({ order: 'newest', limit: NEWEST });
  const hashes = new Set(newest.map(({ hash }) => hash));
  return (await store.vectors({ model, hashes: [...hashes] })).length < hashes.size;
}

async function archiveOf(config: Config): Promise<Finding[]> {
  const { mendingOf, openArchive } = await import('../transcripts/archive/archive.ts');
  const maxBytes = config.settings.traces.archive_max_mb * 1024 * 1024;
  const archive = openArchive(archiveRoot(config), { maxBytes, now: () => new Date() });
  const problems = archive.problems();
  const text = `${conversations(archive.entries().length)}, ${sizeText(archive.size())} of ${sizeText(maxBytes)}`;
  const wrong = problems.slice(0, 3).map(
    ({ file, why }): Finding => ({
      area: 'archive',
      level: 'attention',
      text: why.includes(file) ? why : `${file}: ${why}`,
      fix: `${mendingOf(file)} \`cairn doctor --archive\` reads all of it.`,
    }),
  );
  return [{ area: 'archive', level: 'ok', text }, ...wrong];
}

function modelOf(config: Config, now: Date): Finding[] {
  const { provider, daily_calls: calls, daily_tokens: tokens } = config.settings.llm;
  const reading = readLedger(ledgerFile(config));
  const use = useOn(reading, localDay(now));
  if (provider === 'none' && use.calls === 0) return [{ area: 'model', level: 'ok', text: 'none (llm.provider)' }];
  const used = use.tokensIn + use.tokensOut + use.reserved;
  const text = `${provider}: today ${use.calls} of ${calls} calls, ${used} of ${tokens} tokens, ${use.failures} failed`;
  const resting = [...reading.resting].filter(([, { until }]) => until > now.getTime());
  return [
    { area: 'model', level: 'ok', text },
    ...resting.map(
      ([name, { why, until }]): Finding => ({
        area: 'model',
        level: 'attention',
        text: `${name} is left alone until ${new Date(until).toISOString()}: ${why}`,
      }),
    ),
  ];
}

function diskOf({ paths }: Config): Finding[] {
  const text = `${sizeText(bytesBelow(paths.userRoot))} in ${paths.userRoot}, ${sizeText(bytesBelow(paths.memoryRoot))} in ${paths.memoryRoot}`;
  const free = freeAt(paths.userRoot);
  if (free === undefined || free > LITTLE_ROOM) return [{ area: 'disk', level: 'ok', text }];
  return [
    { area: 'disk', level: 'attention', text: `${text}; only ${sizeText(free)} are free`, fix: 'Free some space.' },
  ];
}

function freeAt(place: string): number | undefined {
  try {
    const { bavail, bsize } = fs.statfsSync(fs.existsSync(place) ? place : path.dirname(place));
    return bavail * bsize;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** In the order of a conversation, as the client calls them. */
const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUse-capture',
  'PostToolUseFailure',
  'SubagentStop',
  'Stop',
  'PreCompact',
  'SessionEnd',
  'index-worker',
  'session-end-worker',
  'server',
];

/** When each hook last succeeded, and the last thing that each kind of them has left behind; `undefined`: never. */
export function lastSigns({ paths }: Config): { event: string; at: Date | undefined; way?: 'warm' | 'command' }[] {
  const nodes = path.join(paths.memoryRoot, 'nodes');
  const marks = lastHookRuns(paths.userRoot);
  return [
    ...EVENTS.map((event) => ({ at: undefined, ...marks.get(event), event })),
    { event: 'UserPromptSubmit (injected)', at: newestBelow(path.join(paths.userRoot, 'injections'), /\.jsonl$/) },
    { event: 'PostToolUse (noted)', at: newestBelow(nodes, /\.md$/, (name) => name !== 'sessions') },
    { event: 'Stop, PreCompact (indexed)', at: newestBelow(archiveRoot({ paths }), /\.json$/) },
    { event: 'SessionEnd (session note)', at: newestBelow(path.join(nodes, 'sessions'), /\.md$/) },
  ];
}

function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let [size, unit] = [bytes, 0];
  for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024;
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}
