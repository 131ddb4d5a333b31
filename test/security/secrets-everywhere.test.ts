// Secrets planted wherever text comes in (prompt, tool input and result, file names, title, summary, commit, question and answer, task, hook
// events, saved records and notes, their titles and tags), then every byte that Cairn keeps is searched for them: files, unpacked archives, the
// database with its write-ahead log and free pages, and what triage put into the temporary folder.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { newFolder, put } from '../fixtures/temporary.ts';

const MAIN = path.resolve('dist/faces/cli/main.js');
const base = newFolder();
const [home, project, temporary] = ['home', 'project', 'tmp'].map((name) => path.join(base, name)) as [
  string,
  string,
  string,
];
const transcript = path.join(home, '.claude/projects', project.replace(/[^a-z0-9]/gi, '-'), 's1.jsonl');

// Put together at run time, so that no scanner takes this file for a leak.
const PASSWORD = ['Zq7w', '!Lm29', 'xTzK'].join('');
const TOKEN = `ghp_${'a1B2c3D4'.repeat(5)}`;
const KEY = ['AKIA', 'Q3EGRIEN7XAB4C2D'].join('');
const PRINTED = ['9f86d081', '884c7d65', '9a2feaa0', 'c55ad015'].join('');
const HIDDEN = 'the combination of the safe is on the back';
const SECRETS = [PASSWORD, TOKEN, KEY, PRINTED, HIDDEN, TOKEN.toLowerCase(), KEY.toLowerCase()];

function cairn(args: readonly string[], input?: object): string {
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: temporary, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  const text = input === undefined ? '' : JSON.stringify(input);
  const { stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: project,
    env,
    input: text,
    encoding: 'utf8',
  });
  return stdout + stderr;
}

const said = { sessionId: 's1', cwd: project, gitBranch: `fix-${KEY}` };
const user = (content: unknown, more: object = {}) => ({
  type: 'user',
  ...said,
  message: { role: 'user', content },
  ...more,
});
const assistant = (id: string, ...content: object[]) => ({
  type: 'assistant',
  ...said,
  message: { id, role: 'assistant', content },
});
const text = (words: string) => ({ type: 'text', text: words });
const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown, more: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});

const LINES = [
  { type: 'summary', summary: `Deploy with ${TOKEN}`, leafUuid: 'x' },
  { type: 'ai-title', title: `Token ${TOKEN}`, sessionId: 's1' },
  user(`Please deploy. The database password is ${PASSWORD}, and we decided to keep Postgres because of transactions.`),
  assistant(
    'm1',
    text(`I will use ${PASSWORD} then.`),
    call('t1', 'Bash', { command: `deploy --token ${TOKEN} && cat .env` }),
  ),
  user([result('t1', `STRIPE_SECRET=${PRINTED}\nOK`)]),
  assistant('m2', text(`We decided to rotate ${PRINTED} on Friday, because it was printed.`)),
  assistant('m3', call('t2', 'Write', { file_path: path.join(project, `keys/${KEY}-${PRINTED}.txt`), content: TOKEN })),
  user([result('t2', `no such folder ${TOKEN}`, { is_error: true })]),
  assistant('m4', call('t3', 'Bash', { command: `git commit -m "Use ${TOKEN} for the deploy"` })),
  assistant('m5', call('t4', 'AskUserQuestion', { questions: [{ question: `Shall I keep ${KEY}?` }] })),
  user([result('t4', 'answered')], {
    toolUseResult: { answers: { [`Shall I keep ${KEY}?`]: `yes, and ${PASSWORD} too` } },
  }),
  assistant('m6', call('t5', 'TaskCreate', { subject: `Rotate ${TOKEN}` })),
  user([
    text(`Remember, <private>${HIDDEN}`),
    text(`${HIDDEN}</private> and we decided to ship on Monday because of ${PRINTED}.`),
  ]),
  { type: 'queue-operation', operation: 'enqueue', content: `and ${PASSWORD} <private>${HIDDEN}</private>`, ...said },
  assistant(
    'm7',
    text(
      `We decided to use Redis for the queue instead of ${PRINTED}, because it is simpler. The fix works: ${PASSWORD}.`,
    ),
  ),
];

/** Every byte, unpacked where it is packed. */
function bytesBelow(folder: string): [file: string, bytes: string][] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(`${path.sep}cache`))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .flatMap((file) => {
      // Workers of the hooks may still be at it: what they write for a moment comes and goes.
      const bytes = fs.existsSync(file) ? fs.readFileSync(file) : undefined;
      return bytes ? [[file, file + (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')]] : [];
    });
}

describe('a secret', () => {
  beforeAll(() => {
    for (const folder of [home, temporary, path.join(project, '.git')]) fs.mkdirSync(folder, { recursive: true });
    put(transcript, `${LINES.map((line) => JSON.stringify(line)).join('\n')}\n`);
  });
  afterAll(() => removeBusyFolder(base));

  it('is in no byte of what Cairn keeps, wherever it came in', { timeout: 300_000 }, () => {
    const event = { session_id: 's1', transcript_path: transcript, cwd: project };
    cairn([
      'save',
      'decision',
      `Use the token ${TOKEN} because CI has no login`,
      '--title',
      `Deploy with ${TOKEN}`,
      '--tags',
      `ci,${KEY}`,
    ]);
    cairn(['note', 'new', 'discovery', `Found ${TOKEN}`], {});
    cairn(['hook', 'session-start'], { ...event, source: 'startup' });
    cairn(['hook', 'user-prompt-submit'], {
      ...event,
      prompt: `How do we deploy with DB_PASSWORD=${PASSWORD} and ${TOKEN}?`,
    });
    cairn(['hook', 'pre-tool-use'], {
      ...event,
      tool_name: 'Bash',
      tool_input: { command: `curl -u admin:${PASSWORD} https://x` },
    });
    cairn(['hook', 'post-tool-use'], {
      ...event,
      tool_name: 'Write',
      tool_input: { file_path: path.join(project, `src/${TOKEN}.ts`), content: KEY },
      tool_response: { error: `refused ${TOKEN}` },
    });
    cairn(['hook', 'stop'], {
      ...event,
      last_assistant_message: `We decided to use Redis because ${PRINTED} is refused.`,
    });
    cairn(['hook', 'session-end'], { ...event, reason: 'exit' });
    expect(cairn(['backfill'])).toMatch(/\d/);
    const folders = [path.join(home, '.cairn'), path.join(project, '.claude'), temporary];
    const kept = folders.flatMap(bytesBelow);
    expect(kept.some(([file]) => file.endsWith('memory.db'))).toBe(true);
    expect(kept.some(([file]) => file.endsWith('.gz'))).toBe(true);
    const leaks = kept.flatMap(([file, bytes]) =>
      SECRETS.filter((secret) => bytes.includes(secret)).map((secret) => `${path.relative(base, file)}: ${secret}`),
    );
    expect(leaks).toEqual([]);
    expect(cairn(['redact'])).toContain('No secrets were found');
  });
});
