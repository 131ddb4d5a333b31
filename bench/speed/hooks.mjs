// Command hooks: what the client waits for before a prompt, around a tool call and at the end of a turn.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillStore } from './filled-store.mjs';
import { inTurns, removeFolder } from './measure.mjs';

export const title = 'Command hooks';
const binary = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../dist/faces/cli/main.js');
const hook = (event) => [binary, 'hook', event];

export async function measure(say) {
  const base = mkdtempSync(path.join(os.tmpdir(), 'cairn-bench-'));
  try {
    const project = path.join(base, 'project');
    mkdirSync(path.join(project, '.claude/memory/decisions'), { recursive: true });
    const record = path.join(project, '.claude/memory/decisions/a.json');
    const cases = [
      {
        what: 'PreToolUse, the write guard',
        argv: hook('pre-tool-use'),
        input: write(project, path.join(project, 'src/a.ts')),
        budget: 1.3,
      },
      {
        what: 'PostToolUse, validation of a record',
        argv: hook('post-tool-use'),
        input: write(project, record),
        before: () => writeFileSync(record, JSON.stringify(VALID)),
        budget: 1.3,
      },
    ];
    say('transcripts');
    for (const [name, bytes] of [
      ['200 messages', 0],
      ['50 MB', 50 * 1024 * 1024],
    ]) {
      const transcript = path.join(base, `${name.replace(' ', '-')}.jsonl`);
      writeTranscript(transcript, bytes);
      const payload = {
        session_id: 's',
        transcript_path: transcript,
        cwd: project,
        hook_event_name: 'Stop',
        stop_hook_active: false,
      };
      cases.push({
        what: `Stop, triage of a transcript of ${name}`,
        argv: hook('stop'),
        input: JSON.stringify(payload),
        before: () => rmSync(path.join(project, '.claude/.stop_hook_active'), { force: true }),
        exit: 2,
        budget: 1.8,
      });
    }
    for (const size of [100, 1_000, 10_000]) {
      say(`${size} index entries`);
      const place = path.join(base, `index-${size}`);
      writeIndex(place, size);
      const payload = {
        session_id: 's',
        cwd: place,
        hook_event_name: 'UserPromptSubmit',
        prompt: 'how did we settle the storage of part 42 and its queues',
      };
      cases.push({
        what: `UserPromptSubmit, title_tags, ${size} entries`,
        argv: hook('user-prompt-submit'),
        input: JSON.stringify(payload),
        budget: 1.8,
      });
    }
    for (const [records, ideas, budget] of [
      [1_000, 10_000, 1.8],
      [10_000, 100_000, 2.2],
    ])
      cases.push(await hybridCase(base, say, { records, ideas, budget }));
    return inTurns(cases, {
      runs: 21,
      cwd: project,
      env: {
        CAIRN_HOME: path.join(base, 'home'),
        CAIRN_RETRIEVAL_MATCH_STRATEGY: 'title_tags',
        CAIRN_EMBEDDINGS_PROVIDER: 'none', // the workers that Stop starts would run beside the other cases
        HOME: base,
        CLAUDE_PROJECT_DIR: '',
      },
    });
  } finally {
    removeFolder(base);
  }
}

/** A new conversation each time: what one has been told is not told again, and that is cheaper. */
async function hybridCase(base, say, { records, ideas, budget }) {
  say(`${records} records and ${ideas} ideas`);
  const project = path.join(base, `hybrid-${ideas}`);
  const home = path.join(base, `home-${ideas}`);
  mkdirSync(home);
  const prompt = await fillStore({ project, home, records, ideas });
  const payload = { session_id: 's', cwd: project, hook_event_name: 'UserPromptSubmit', prompt };
  return {
    what: `UserPromptSubmit, hybrid, ${records} records and ${ideas} ideas`,
    argv: hook('user-prompt-submit'),
    input: JSON.stringify(payload),
    before: () => rmSync(path.join(home, 'injections'), { recursive: true, force: true }),
    env: { CAIRN_HOME: home, CAIRN_RETRIEVAL_MATCH_STRATEGY: 'hybrid' },
    budget,
  };
}

const write = (cwd, file_path) =>
  JSON.stringify({
    session_id: 's',
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path, content: 'x' },
  });

const VALID = {
  schema_version: '1.0',
  category: 'decision',
  id: 'a',
  title: 'Keep it',
  record_status: 'active',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  tags: ['bench'],
  content: { status: 'accepted', context: 'c', decision: 'd', rationale: ['r'] },
  changes: [],
  times_updated: 0,
};

function writeTranscript(file, bytes) {
  const filler = 'The build is green and the tests pass; nothing else is to say about this step of the work. '.repeat(
    20,
  );
  const line = (role, text) =>
    `${JSON.stringify({ type: role, uuid: 'u', message: { role, content: [{ type: 'text', text }] } })}\n`;
  const pair = line('user', filler) + line('assistant', filler);
  const said =
    'We decided to keep SQLite because it needs no server.\nWe chose WAL because readers must not wait.\nWe went with one file due to backups.';
  writeFileSync(
    file,
    pair.repeat(Math.max(100, Math.ceil(bytes / pair.length))) + line('user', 'and now?') + line('assistant', said),
  );
}

function writeIndex(project, size) {
  mkdirSync(path.join(project, '.claude/memory/decisions'), { recursive: true });
  const lines = [];
  for (let at = 0; at < size; at++) {
    const topic = ['storage', 'login', 'builds', 'search', 'queues'][at % 5];
    lines.push(
      `- [DECISION] Record ${at} about ${topic} and part ${at % 97} -> .claude/memory/decisions/record-${at}.json #tags:bench,part-${at % 97},${topic}`,
    );
    if (at % 50 === 0)
      writeFileSync(
        path.join(project, `.claude/memory/decisions/record-${at}.json`),
        JSON.stringify({ ...VALID, id: `record-${at}` }),
      );
  }
  writeFileSync(
    path.join(project, '.claude/memory/index.md'),
    `# Memory Index\n\n<!-- Auto-generated -->\n\n${lines.join('\n')}\n`,
  );
}
