// Every way in which Cairn writes something down, as a person or a client sets it off: the command, or the hook. Run in this process, so
// that a test can let single calls of the file system fail, or kill the process at one.

import fs from 'node:fs';
import path from 'node:path';
import { capture } from '../../src/app/hooks/capture.ts';
import type { HookHandler } from '../../src/app/hooks/hook.ts';
import { indexWorker } from '../../src/app/hooks/index-worker.ts';
import { sessionEndWorker } from '../../src/app/hooks/session-end.ts';
import { userPromptSubmit } from '../../src/app/hooks/user-prompt-submit.ts';
import type { Io } from '../../src/faces/cli/io.ts';
import { run } from '../../src/faces/cli/program.ts';
import { runHook } from '../../src/faces/hooks/run-hook.ts';
import type { JsonObject } from '../../src/model/json.ts';

export type Site = { readonly base: string; readonly home: string; readonly project: string };
/** `text`: everything that was said; `out`: the answer alone. */
export type Said = { readonly exit: number; readonly text: string; readonly out: string };

export type WritingPath = {
  readonly name: string;
  /** What is there before; without faults. */
  readonly prepare?: (site: Site) => Promise<void>;
  readonly act: (site: Site) => Promise<Said>;
  /** A hook answers 0 whatever happens: its exit code promises nothing. */
  readonly isHook?: boolean;
  /** The action itself is done again to recover, and may then say that there is nothing left to do. */
  readonly again?: RegExp;
  /** What is different each time that it is done: not compared, only read. */
  readonly varies?: RegExp;
  /** Talks to the database, which does not go through the calls that fail. */
  readonly store?: boolean;
};

export const SESSION = 'fa117000-0000-4000-8000-000000000001';
const SECRET = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

export function siteAt(base: string): Site {
  return { base, home: path.join(base, 'home'), project: path.join(base, 'project') };
}

export const memoryRoot = ({ project }: Site): string => path.join(project, '.claude/memory');
export const userRoot = ({ home }: Site): string => path.join(home, '.cairn');

export async function cairn(site: Site, argv: readonly string[], stdin = ''): Promise<Said> {
  const lines: string[] = [];
  const answer: string[] = [];
  const io: Io = {
    cwd: site.project,
    env: { HOME: site.home, PATH: '', CAIRN_EMBEDDINGS_PROVIDER: 'none' },
    interactive: false,
    out: (text) => {
      lines.push(text);
      answer.push(text);
    },
    err: (text) => void lines.push(text),
    ask: async () => undefined,
    readStdin: async () => stdin,
  };
  const exit = await run(argv, io);
  return { exit, text: lines.join('\n'), out: answer.join('\n') };
}

async function must(site: Site, argv: readonly string[], stdin?: string): Promise<void> {
  const { exit, text } = await cairn(site, argv, stdin);
  if (exit !== 0) throw new Error(`cairn ${argv.join(' ')} failed: ${text}`);
}

export async function hook(site: Site, event: string, handler: HookHandler, payload: JsonObject): Promise<Said> {
  const common = { session_id: SESSION, cwd: site.project, transcript_path: transcriptOf(site) };
  const bytes = [Buffer.from(JSON.stringify({ ...common, ...payload }))];
  const lines: string[] = [];
  const exit = await runHook(event, handler, {
    env: { HOME: site.home, PATH: '', CAIRN_EMBEDDINGS_PROVIDER: 'none' },
    cwd: () => site.project,
    input: (give) => give(bytes.shift()),
    out: (said) => void lines.push(said),
    err: (said) => void lines.push(said),
  });
  return { exit, text: lines.join(''), out: lines.join('') };
}

/** What comes by itself: the end of the next session puts the overview in index.md right. */
export const nextSessionEnds = (site: Site): Promise<Said> =>
  hook(site, 'session-end-worker', sessionEndWorker, {
    hook_event_name: 'SessionEnd',
    session_id: 'another',
    transcript_path: '',
  });

/** What comes by itself after each turn. */
export const nextTurnIsIndexed = (site: Site): Promise<Said> =>
  hook(site, 'index-worker', indexWorker, {
    hook_event_name: 'PreCompact',
    session_id: 'another',
    transcript_path: '',
  });

/** An empty home and an empty project. */
export function found({ home, project }: Site): void {
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
  fs.mkdirSync(path.join(home, '.cairn'), { recursive: true, mode: 0o700 });
}

export const transcriptOf = ({ home }: Site): string => path.join(home, '.claude/projects/p', `${SESSION}.jsonl`);

export function writeTranscript(site: Site, said: readonly string[], from = 0): string {
  const lines = said.map((content, at) => {
    const role = (from + at) % 2 === 0 ? 'user' : 'assistant';
    const message = { id: `m${from + at}`, role, content: [{ type: 'text', text: content }] };
    const timestamp = new Date(Date.UTC(2026, 2, 1, 9, 0, from + at)).toISOString();
    return `${JSON.stringify({ type: role, message, uuid: `u${from + at}`, sessionId: SESSION, cwd: site.project, timestamp })}\n`;
  });
  const file = transcriptOf(site);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, lines.join(''), { flag: from === 0 ? 'w' : 'a' });
  return lines.join('');
}

export const TALK = [
  'which queue should we take for the mails?',
  'We decided to use one queue per tenant because a slow tenant must not block the others.',
  'and where do the counts of herons go?',
  'The herons are counted at dawn. We chose SQLite for the counts because the ferry has no network.',
];

const record = (title: string, decision: string): string =>
  JSON.stringify({
    title,
    tags: ['faults', 'herons'],
    content: { status: 'accepted', context: 'The ferry', decision, rationale: ['It is small'] },
  });

const target = (slug: string): string[] => ['--target', `.claude/memory/decisions/${slug}.json`];
const create = (slug: string): string[] => [
  'write',
  '--action',
  'create',
  '--category',
  'decision',
  ...target(slug),
  '--input',
  '-',
];

async function withRecords(site: Site): Promise<void> {
  for (const slug of ['counted-at-dawn', 'one-queue'])
    await must(site, create(slug), record(slug.replaceAll('-', ' '), 'As it was'));
}

type Unhindered = { failingFs?: { unhindered<T>(work: () => T): T } };
const calmly = <T>(work: () => T): T => (globalThis as Unhindered).failingFs?.unhindered(work) ?? work();

function change(site: Site, title: string): Promise<Said> {
  const file = path.join(memoryRoot(site), 'decisions/counted-at-dawn.json');
  const old = calmly(() => (fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as JsonObject) : {}));
  const changes = [...((old.changes as object[] | undefined) ?? []), { date: '2026-03-02', summary: 'Changed' }];
  const content = { ...(old.content as JsonObject), decision: 'Quite another' };
  return cairn(
    site,
    ['write', '--action', 'update', ...target('counted-at-dawn'), '--input', '-'],
    JSON.stringify({ ...old, title, content, changes }),
  );
}

const action = (name: string, word: string, before: readonly string[], again: RegExp): WritingPath => ({
  name: `record: ${name}`,
  again,
  prepare: async (site) => {
    await withRecords(site);
    for (const each of before) await must(site, ['write', '--action', each, ...target('counted-at-dawn')]);
  },
  act: (site) => cairn(site, ['write', '--action', word, ...target('counted-at-dawn')]),
});

const RECORDS: readonly WritingPath[] = [
  {
    name: 'record: create',
    prepare: withRecords,
    act: (site) => cairn(site, create('new-one'), record('New one', 'Brand new')),
    again: /already an active record/,
  },
  {
    name: 'record: the first of all',
    act: (site) => cairn(site, create('new-one'), record('New one', 'Brand new')),
    again: /already an active record/,
  },
  {
    name: 'record: update',
    varies: /decisions\/counted/, // done again it is one more change
    prepare: withRecords,
    act: (site) => change(site, 'counted at dawn'),
    again: /changes/,
  },
  {
    name: 'record: update with another name',
    varies: /decisions\/(?:counted|only)|index\.md/, // killed between its two halves, the next update puts it right, and is one more
    prepare: withRecords,
    act: (site) => change(site, 'Only at dusk, never at noon'),
    again: /no such record|changes/,
  },
  action('retire', 'delete', [], /already|retired/),
  action('archive', 'archive', [], /already|archived/),
  action('unarchive', 'unarchive', ['archive'], /is active/),
  action('restore', 'restore', ['delete'], /is active/),
  {
    name: 'record: collect garbage',
    prepare: async (site) => {
      await withRecords(site);
      await must(site, ['config', 'set', 'delete.grace_period_days', '1']);
      await must(site, ['write', '--action', 'delete', ...target('counted-at-dawn')]);
      const file = path.join(memoryRoot(site), 'decisions/counted-at-dawn.json');
      fs.writeFileSync(
        file,
        fs.readFileSync(file, 'utf8').replace(/"retired_at": "[^"]+"/, '"retired_at": "2020-01-01T00:00:00Z"'),
      );
    },
    act: (site) => cairn(site, ['index', '--gc']),
  },
  {
    name: 'index.md: rebuild',
    prepare: async (site) => {
      await withRecords(site);
      fs.rmSync(path.join(memoryRoot(site), 'index.md'));
    },
    act: (site) => cairn(site, ['index', '--rebuild']),
  },
];

const withNotes = async (site: Site): Promise<void> => {
  await must(site, [
    'note',
    'new',
    'decision',
    'Where herons sleep',
    '--id',
    'decision-1-herons',
    '--section',
    'Context=By the lake',
  ]);
  await must(site, ['note', 'new', 'discovery', 'Reeds', '--id', 'discovery-reeds']);
  await must(site, ['graph', '--json']);
};

const NOTES: readonly WritingPath[] = [
  {
    name: 'note: new',
    prepare: withNotes,
    act: (site) =>
      cairn(site, ['note', 'new', 'discovery', 'Boats', '--id', 'discovery-boats', '--related', 'discovery-reeds']),
    again: /already/,
  },
  {
    name: 'note: set',
    prepare: withNotes,
    act: (site) =>
      cairn(site, ['note', 'set', 'decision-1-herons', '--section', 'Context=On the island', '--add-tags', 'birds']),
  },
  {
    name: 'note: link',
    prepare: withNotes,
    act: (site) => cairn(site, ['note', 'link', 'discovery-reeds', 'decision-1-herons']),
  },
  {
    name: 'note: rm',
    prepare: withNotes,
    act: (site) => cairn(site, ['note', 'rm', 'discovery-reeds', '--yes']),
    again: /no note/i,
  },
  { name: 'graph.json: rebuild', prepare: withNotes, act: (site) => cairn(site, ['graph', '--rebuild']) },
  {
    name: 'hook: capture of a failure',
    varies: /sessions\/.*\.jsonl/, // the journal names a note when it changes, and the second time it does not
    isHook: true,
    prepare: withNotes,
    act: (site) =>
      hook(site, 'capture', capture, {
        ...{ hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', tool_use_id: 'toolu_1' },
        ...{
          tool_input: { command: 'npm run count-herons' },
          error: 'Exit code 1\nError: missing script: count-herons',
        },
      }),
  },
  {
    name: 'hook: note of a session',
    varies: /nodes\/sessions\//, // a note that cannot be read just now is not linked in it
    isHook: true,
    prepare: async (site) => {
      await withNotes(site);
      writeTranscript(site, TALK);
    },
    act: (site) =>
      hook(site, 'session-end-worker', sessionEndWorker, {
        hook_event_name: 'SessionEnd',
        reason: 'other',
        ended_at: '2026-03-01T10:00:00Z',
      }),
  },
  {
    name: 'import of Markdown',
    prepare: async (site) => {
      await withNotes(site);
      fs.mkdirSync(path.join(site.project, 'adr'));
      for (const [at, what] of ['queues', 'boats'].entries())
        fs.writeFileSync(
          path.join(site.project, `adr/000${at + 1}-${what}.md`),
          `# ${at + 1}. Take ${what}\n\n## Status\n\nAccepted\n\n## Context\n\nC\n\n## Decision\n\nWe take ${what}.\n`,
        );
    },
    act: (site) => cairn(site, ['import', '--markdown', 'adr']),
  },
];

const OTHERS: readonly WritingPath[] = [
  {
    name: 'config: set',
    prepare: withRecords,
    act: (site) => cairn(site, ['config', 'set', 'retrieval.max_inject', '3']),
  },
  {
    name: 'config: set for the user',
    act: (site) => cairn(site, ['config', 'set', '--user', 'retrieval.max_inject', '3']),
  },
  {
    name: 'config: move the memory',
    prepare: (site) => must(site, ['config', 'set', 'retrieval.max_inject', '3']),
    act: (site) => cairn(site, ['config', 'set', 'memory_root', 'docs/memory']),
  },
  {
    name: 'hook: injection log',
    varies: /injections\//,
    isHook: true,
    prepare: withRecords,
    act: (site) =>
      hook(site, 'user-prompt-submit', userPromptSubmit, {
        hook_event_name: 'UserPromptSubmit',
        prompt: 'what was counted at dawn by the ferry',
      }),
  },
  {
    name: 'feedback',
    store: true,
    prepare: async (site) => {
      await withRecords(site);
      await must(site, ['backfill']);
      await must(site, ['feedback', 'record:decisions/one-queue', 'useful']);
    },
    act: (site) => cairn(site, ['feedback', 'record:decisions/counted-at-dawn', 'wrong']),
  },
  {
    name: 'backfill: the first part',
    store: true,
    prepare: async (site) => void writeTranscript(site, TALK),
    act: (site) => cairn(site, ['backfill']),
  },
  {
    name: 'backfill: a further part',
    store: true,
    prepare: async (site) => {
      writeTranscript(site, TALK);
      await must(site, ['backfill']);
      writeTranscript(
        site,
        ['and the boats?', 'We decided to paint the boats green because it hides the rust.'],
        TALK.length,
      );
    },
    act: (site) => cairn(site, ['backfill']),
  },
  {
    name: 'hook: the lines of a turn',
    store: true,
    isHook: true,
    prepare: async (site) => {
      writeTranscript(site, TALK.slice(0, 2));
      await must(site, ['backfill']);
      writeTranscript(site, TALK.slice(2), 2);
    },
    act: turn,
  },
  {
    name: 'backfill: packing what turns left',
    store: true,
    prepare: async (site) => {
      writeTranscript(site, TALK.slice(0, 2));
      await turn(site);
      writeTranscript(site, TALK.slice(2), 2);
      await turn(site);
    },
    act: (site) => cairn(site, ['backfill']),
  },
  {
    name: 'redact --apply',
    store: true,
    prepare: async (site) => {
      await withRecords(site);
      await withNotes(site);
      const plant = (file: string, from: string): void =>
        fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(from, `${from} ${SECRET}`));
      plant(path.join(memoryRoot(site), 'decisions/one-queue.json'), 'As it was');
      plant(path.join(memoryRoot(site), 'nodes/decisions/decision-1-herons.md'), 'By the lake');
      await plantInArchive(site);
    },
    act: (site) => cairn(site, ['redact', '--apply']),
  },
  {
    name: 'export to a file',
    varies: /out\.md/, // a record that cannot be read just now is not in it
    store: true,
    prepare: withRecords,
    act: (site) => cairn(site, ['export', '--markdown', '-o', 'out.md']),
    again: /exists already/,
  },
  {
    name: 'install for another client',
    prepare: async ({ home }) => {
      fs.mkdirSync(path.join(home, '.cursor'));
      fs.writeFileSync(path.join(home, '.cursor/mcp.json'), '{\n  "mcpServers": { "other": { "command": "x" } }\n}\n');
    },
    act: (site) => cairn(site, ['install', '--client', 'cursor']),
  },
];

export function turn(site: Site): Promise<Said> {
  return hook(site, 'index-worker', indexWorker, { hook_event_name: 'PreCompact' });
}

/** As an older version archived it, which did not know this kind of secret. */
async function plantInArchive(site: Site): Promise<void> {
  const { openArchive } = await import('../../src/transcripts/archive/archive.ts');
  const archive = openArchive(path.join(userRoot(site), 'archive'), { maxBytes: 1e9, now: () => new Date() });
  const lines = writeTranscript(
    site,
    TALK.map((said) => `${said} ${SECRET}`),
  )
    .trimEnd()
    .split('\n');
  await archive.add(transcriptOf(site), {
    ...{ fromLine: 1, lines, offset: 100, line: lines.length, mark: 'm', reader: 'claude-code', project: site.project },
    head: { session: SESSION, cwd: site.project },
  });
  fs.rmSync(transcriptOf(site));
}

export const WRITING_PATHS: readonly WritingPath[] = [...RECORDS, ...NOTES, ...OTHERS];
export const HALVES: readonly (readonly WritingPath[])[] = [
  [...RECORDS, ...OTHERS.filter(({ store }) => !store)],
  [...NOTES, ...OTHERS.filter(({ store }) => store)],
];
