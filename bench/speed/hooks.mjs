// Command hooks: what the client waits for before a prompt, around a tool call, at the end of a turn, and when a conversation begins
// and ends.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filledStore } from './filled-store.mjs';
import { binary, inTurns, MB, makeRepository, withFolder } from './measure.mjs';

export const title = 'Command hooks';
const hook = (event) => [binary, 'hook', event];
const NO_WORKERS = { CAIRN_TRACES_ENABLED: 'false' };

export const measure = (say, { quick = false } = {}) =>
  withFolder(async (base) => {
    const project = path.join(base, 'project');
    mkdirSync(path.join(project, '.claude/memory/decisions'), { recursive: true });
    writeFileSync(path.join(project, '.claude/memory/decisions/a.json'), JSON.stringify(VALID));
    makeRepository(project, path.join(base, 'home'));
    const sizes = quick ? [1_000, 2_000] : [1_000, 10_000, 100_000];
    const indexed = sizes.filter((size) => size <= 10_000); // nobody keeps more lines in one index.md
    const hybrid = [];
    for (const ideas of sizes) {
      say(`${ideas / 10} records and ${ideas} ideas`);
      hybrid.push({ ideas, ...(await filledStore({ records: ideas / 10, ideas })) });
    }
    say('the hooks');
    const cases = [
      ...aroundTools(project),
      ...stops(base, project, quick ? 5 : 50),
      ...titleTags(base, indexed),
      ...hybrid.flatMap((each) => [prompt(each), begin(each)]),
      ...ends(hybrid[0]),
    ];
    const rows = inTurns(cases, {
      runs: quick ? 2 : 15,
      cwd: project,
      env: {
        CAIRN_HOME: path.join(base, 'home'),
        CAIRN_RETRIEVAL_MATCH_STRATEGY: 'title_tags',
        CAIRN_INJECTION_SESSION_MAX_TOKENS: '0', // all runs are one conversation: it would have been told enough
        CAIRN_EMBEDDINGS_PROVIDER: 'none', // what a worker does with the model is not the hook's
        HOME: base,
        CLAUDE_PROJECT_DIR: '',
      },
    });
    const growth = ([what, over]) => ({
      what,
      values: Object.fromEntries(
        over.map((size) => [size, rows.find((row) => row.what.startsWith(what) && row.what.includes(sized(size))).ms]),
      ),
    });
    return {
      rows,
      growth: [
        ['UserPromptSubmit, hybrid', sizes],
        ['UserPromptSubmit, title_tags', indexed],
        ['SessionStart', sizes],
      ].map(growth),
      notes: [
        'Stop, SessionStart and SessionEnd start a worker that goes on without the client; it is waited for outside of the clock. ' +
          'A Stop that asks the model to save something starts none: the turn goes on and stops again. ' +
          'The row “without indexing” is the hook alone, with `traces.enabled` off.',
      ],
    };
  });

const sized = (size) => ` ${size.toLocaleString('en')} `;

function aroundTools(project) {
  const record = path.join(project, '.claude/memory/decisions/a.json');
  return [
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
}

function stops(base, project, large) {
  const cases = [];
  for (const [name, bytes] of [
    ['200 messages', 0],
    [`${large} MB`, large * MB],
  ]) {
    const transcript = path.join(base, `${name.replace(' ', '-')}.jsonl`);
    writeTranscript(transcript, bytes);
    const payload = {
      session_id: `s-${name.replace(' ', '-')}`, // each its own, as transcripts have: what was looked through is noted for a session
      transcript_path: transcript,
      cwd: project,
      hook_event_name: 'Stop',
      stop_hook_active: false,
    };
    const quiet = {
      what: `Stop, by evidence, ${name}`,
      argv: hook('stop'),
      input: JSON.stringify(payload),
      env: { CAIRN_TRIAGE_MODE: 'evidence' },
      budget: 1.8,
      workers: true,
    };
    const stop = {
      what: `Stop, a transcript of ${name}`,
      env: { CAIRN_TRIAGE_MODE: 'keywords' },
      argv: hook('stop'),
      input: JSON.stringify(payload),
      before: () => rmSync(path.join(project, '.claude/.stop_hook_active'), { force: true }),
      exit: 2,
      budget: 1.8,
      workers: true,
    };
    cases.push(quiet, stop, {
      ...stop,
      what: `the stop that follows it, ${name}`,
      cause:
        'it starts the worker that indexes the turn, for which Node copies the process (and loads its network modules).',
      input: JSON.stringify({ ...payload, stop_hook_active: true }),
      exit: 0,
    });
  }
  return cases;
}

function titleTags(base, sizes) {
  return sizes.map((size) => {
    const place = path.join(base, `index-${size}`);
    writeIndex(place, size);
    makeRepository(place, path.join(base, 'home'));
    const payload = {
      session_id: 's',
      cwd: place,
      hook_event_name: 'UserPromptSubmit',
      prompt: 'how did we settle the storage of part 42 and its queues',
    };
    return {
      what: `UserPromptSubmit, title_tags,${sized(size)}entries`,
      argv: hook('user-prompt-submit'),
      input: JSON.stringify(payload),
      after: isAnswered,
      ...(size <= 10_000 ? { budget: 1.8 } : {}),
      cause:
        'words of the made-up index stand on most of its lines, and lines are scored by code that runs for the first time.',
    };
  });
}

const COLD =
  'a process of its own runs every line for the first time; the page on cold starts shows the parts: loading the code, the handler (database, search, ranking, notes of what was injected), and an end that takes longer than that of bare Node. Through the server a prompt costs less than bare Node.';
const HYBRID_BUDGETS = { 10000: 1.8, 100000: 2.2 };
const own = (home) => ({ CAIRN_HOME: home, CAIRN_RETRIEVAL_MATCH_STRATEGY: 'hybrid' });

function isAnswered(out) {
  if (!out.includes('memory-context')) throw new Error('a prompt was measured that nothing was recalled for');
}

/** A new conversation each time: what one has been told is not told again, and that is cheaper. */
function prompt({ project, home, questions, ideas }) {
  const payload = { cwd: project, hook_event_name: 'UserPromptSubmit', prompt: questions[100] };
  const measured = {
    what: `UserPromptSubmit, hybrid, ${(ideas / 10).toLocaleString('en')} records and${sized(ideas)}ideas`,
    argv: hook('user-prompt-submit'),
    before: (run) => {
      measured.input = JSON.stringify({ session_id: `s${run}`, ...payload });
    },
    after: isAnswered,
    env: own(home),
    budget: HYBRID_BUDGETS[ideas],
    cause: COLD,
  };
  return measured;
}

function begin({ project, home, ideas }) {
  const payload = { session_id: 'new', cwd: project, hook_event_name: 'SessionStart', source: 'startup' };
  return {
    what: `SessionStart, ${(ideas / 10).toLocaleString('en')} records and${sized(ideas)}ideas`,
    argv: hook('session-start'),
    input: JSON.stringify(payload),
    env: own(home),
    workers: true,
  };
}

function ends({ project, home }) {
  const transcript = path.join(path.dirname(home), 'ending.jsonl');
  writeTranscript(transcript, 0);
  const payload = {
    session_id: '7d3c1f52-0000-4000-8000-000000000001',
    cwd: project,
    transcript_path: transcript,
    hook_event_name: 'SessionEnd',
    reason: 'other',
  };
  const end = { argv: hook('session-end'), input: JSON.stringify(payload) };
  return [
    { ...end, what: 'SessionEnd, 200 messages', env: own(home), workers: true },
    {
      ...end,
      what: 'SessionEnd, 200 messages, without indexing',
      env: { ...own(home), ...NO_WORKERS },
      workers: true,
    },
  ];
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

const DECIDED =
  'We decided to keep SQLite because it needs no server.\nWe chose WAL because readers must not wait.\nWe went with one file due to backups.';

function writeTranscript(file, bytes) {
  const filler = 'The build is green and the tests pass; nothing else is to say about this step of the work. '.repeat(
    20,
  );
  const line = (role, text) =>
    `${JSON.stringify({ type: role, uuid: 'u', message: { role, content: [{ type: 'text', text }] } })}\n`;
  const pair = line('user', filler) + line('assistant', filler);
  writeFileSync(
    file,
    pair.repeat(Math.max(100, Math.ceil(bytes / pair.length))) + line('user', 'and now?') + line('assistant', DECIDED),
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
    // A line whose record is not there is not shown.
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
