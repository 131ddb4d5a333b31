// A home in which everything that Cairn keeps holds something of two conversations: one to be forgotten, one to stay. And `strings` over
// all of it: every file below the user's folder and the memory root, archives unpacked, the database as bytes with its log.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { logFailure } from '../../src/app/failure-log.ts';
import { noteEnding } from '../../src/app/hooks/pending-endings.ts';
import { saveSummary } from '../../src/app/hooks/save-summary.ts';
import { openProject } from '../../src/app/project.ts';
import { appendJournal } from '../../src/capture/journal.ts';
import { loadConfig } from '../../src/config/load.ts';
import { appendInjection } from '../../src/learning/injection-log.ts';
import { writeSessionNote } from '../../src/notes/session-note.ts';
import type { RecordStore } from '../../src/records/record-store.ts';
import { searchRecords } from '../../src/records/search.ts';
import type { Cli } from '../fixtures/cli.ts';

export const GONE = '11111111-aaaa-4aaa-8aaa-111111111111';
export const STAYS = '22222222-bbbb-4bbb-8bbb-222222222222';
export const NO_VECTORS = { env: { CAIRN_EMBEDDINGS_PROVIDER: 'none' } };

/** Words that only the first conversation has, in each kind of thing that is kept. */
export const PLANTED = ['quibblefax', 'drozzelmint', 'vantrickle', 'snorbeldick'];

/** Where triage keeps contexts for the model. The folder is one for the whole machine, so each process of tests has names of its own. */
export const triageFolder = (session: string): string =>
  path.join(os.tmpdir(), `cairn-triage-${process.getuid?.() ?? 'user'}`, `bad${process.pid}-${session}`);

type Said = { user: string; assistant: string };

export function transcript(
  cli: Cli,
  session: string,
  said: readonly Said[],
  options: { cwd?: string; day?: number } = {},
): string {
  const file = path.join(cli.home, '.claude', 'projects', 'p', `${session}.jsonl`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  let time = Date.UTC(2026, 4, options.day ?? 10, 9);
  const lines = said.flatMap(({ user, assistant }, at) => {
    const common = { sessionId: session, cwd: options.cwd ?? cli.project, gitBranch: 'main', version: '2.1.325' };
    const stamp = (): string => {
      time += 30_000;
      return new Date(time).toISOString();
    };
    return [
      {
        type: 'user',
        ...common,
        uuid: `${session.slice(0, 8)}-u${at}-0000`,
        timestamp: stamp(),
        message: { role: 'user', content: user },
      },
      {
        type: 'assistant',
        ...common,
        uuid: `${session.slice(0, 8)}-a${at}-0000`,
        timestamp: stamp(),
        message: {
          id: `m${session.slice(0, 4)}${at}`,
          role: 'assistant',
          content: [{ type: 'text', text: assistant }],
        },
      },
    ];
  });
  fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

export const SAID_GONE: readonly Said[] = [
  {
    user: 'How do we store the quibblefax of the gateway?',
    assistant: 'We decided to use Redis for the quibblefax, because drozzelmint is too slow.',
  },
  {
    user: 'The vantrickle job fails with a timeout.',
    assistant: 'The root cause was a missing retry. Fixed by adding snorbeldick to the vantrickle job.',
  },
];
export const SAID_STAYS: readonly Said[] = [
  {
    user: 'Which database do we take for the ledger?',
    assistant: 'We decided to use Postgres for the ledger, because SQLite is too small for it.',
  },
  {
    user: 'And the search index?',
    assistant: 'We decided to use Kafka for the search index. It keeps up with the load.',
  },
];

/** Both conversations indexed, and every other place filled. */
/** A search keeps the words of records from the first on, as it does in a large memory. */
const keptFromOne = ({ searchTexts }: RecordStore) => (searchTexts ? { searchTexts: { ...searchTexts, from: 0 } } : {});

export async function fillEverything(cli: Cli): Promise<{ gone: string; stays: string }> {
  const gone = transcript(cli, GONE, SAID_GONE);
  const stays = transcript(cli, STAYS, SAID_STAYS, { day: 20 });
  await cli.json(['backfill'], NO_VECTORS);
  const config = loadConfig({ cwd: cli.project, env: { HOME: cli.home } });
  const { userRoot, projectRoot } = config.paths;
  const time = '2026-05-10T09:05:00.000Z';
  for (const [session, word] of [
    [GONE, 'quibblefax'],
    [STAYS, 'ledger'],
  ] as const) {
    const openedProject = openProject(config, () => new Date(time));
    const facts = {
      sessionId: session,
      startedAt: new Date(time),
      endedAt: new Date(time),
      story: {
        title: `Store the ${word}`,
        summary: [`Store the ${word}`],
        decided: [],
        fixed: [],
        commits: [`feat: store the ${word}`],
        left: [],
        preferences: [],
      },
      tasks: [],
      decisions: [],
      discoveries: [],
      errors: [],
      files: [{ path: `src/${word}.ts`, edits: 1 }],
    };
    await writeSessionNote(openedProject.vault, facts);
    await saveSummary(openedProject, facts);
    searchRecords({ ...openedProject.recordStore, ...keptFromOne(openedProject.recordStore) }, word);
    appendJournal(
      { userRoot, projectRoot, sessionId: session },
      { kind: 'command', time, key: 'k', command: `run ${word}` },
    );
    const prompt = { hash: 'h', start: `Store the ${word}` };
    const entries: never[] = [];
    appendInjection(userRoot, {
      time,
      event: 'UserPromptSubmit',
      session,
      project: projectRoot,
      prompt,
      entries,
      tokens: 3,
    });
    await logFailure(userRoot, 'index-worker', new Error(`${session}.jsonl was not indexed: ${word}`));
    noteEnding(userRoot, projectRoot, { session_id: session, transcript_path: '/x', cwd: projectRoot, ended_at: time });
    const triage = triageFolder(session);
    fs.mkdirSync(triage, { recursive: true });
    fs.writeFileSync(path.join(triage, 'decision.txt'), word);
  }
  await cli.run(['graph', '--rebuild']);
  await cli.run(['index', '--rebuild']);
  await cli.run(['remember', 'ledger'], NO_VECTORS);
  return { gone, stays };
}

const HALF_TOO = { finishFlush: constants.Z_SYNC_FLUSH };

/** Every file with its bytes as text; what is packed, unpacked, also what a killed writer of the archive left half. */
export function allBytes(cli: Cli): Map<string, string> {
  const found = new Map<string, string>();
  for (const root of [path.join(cli.home, '.cairn'), cli.root])
    for (const entry of fs.existsSync(root) ? fs.readdirSync(root, { recursive: true, withFileTypes: true }) : []) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const bytes = fs.readFileSync(file);
      found.set(file, (file.endsWith('.gz') ? gunzipSync(bytes, HALF_TOO) : bytes).toString('utf8').toLowerCase());
    }
  return found;
}

/** `file: word` for each that is found. */
export const stringsOf = (cli: Cli, words: readonly string[]): string[] =>
  [...allBytes(cli)].flatMap(([file, text]) =>
    words.filter((word) => text.includes(word.toLowerCase())).map((word) => `${path.basename(file)}: ${word}`),
  );
