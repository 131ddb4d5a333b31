// Makes a believable project with its memory: files, git history, records, notes, conversations that Cairn itself reads, and what
// would have been injected, as Cairn itself would have found it. Tests, screenshots and nothing else use it.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { NOTES, RECORDS } from './made-up/ferrybook-records.mjs';
import { PROMPTS, TALKS } from './made-up/ferrybook-talks.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const BINARY = path.join(root, 'dist/faces/cli/main.js');
const FOLDERS = {
  decision: 'decisions',
  constraint: 'constraints',
  runbook: 'runbooks',
  tech_debt: 'tech-debt',
  preference: 'preferences',
  session_summary: 'sessions',
};
const NOTE_FOLDERS = {
  'file-summary': 'files',
  decision: 'decisions',
  discovery: 'discoveries',
  task: 'tasks',
  error: 'errors',
};

/** `settings` are the user's own; `talks` false leaves the conversations out. */
export function makeProject(base, { settings = {}, talks = true } = {}) {
  const project = path.join(base, 'ferrybook');
  const home = path.join(base, 'home');
  const transcripts = path.join(base, 'transcripts');
  const memory = path.join(project, '.claude', 'memory');
  const env = cairnEnv(base, home);
  for (const folder of [project, home, transcripts]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeSources(project);
  write(path.join(home, 'config.json'), JSON.stringify(settings, null, 2));
  for (const each of RECORDS) write(path.join(memory, FOLDERS[each.category], `${each.id}.json`), recordText(each));
  for (const each of NOTES) write(path.join(memory, 'nodes', NOTE_FOLDERS[each.type], `${each.id}.md`), noteText(each));
  git(project, 'init', '-q', '-b', 'main');
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '-m', 'Ferrybook');
  const made = { base, project, home, transcripts, memory, env };
  cairn(made, ['trust', '--yes']);
  cairn(made, ['index', '--rebuild']);
  if (talks) {
    for (const each of TALKS) write(path.join(transcripts, `${each.session}.jsonl`), transcriptText(each, project));
    cairn(made, ['backfill', transcripts]);
    writeInjections(made);
  }
  // One file changes after it was written about, so that something is stale.
  write(
    path.join(project, 'src/payments/charge.ts'),
    'export const charge = (hold: string) => hold; // with retries\n',
  );
  return made;
}

export function cairnEnv(base, home) {
  const { PATH, LANG = 'C.UTF-8' } = process.env;
  return { PATH, LANG, HOME: base, CAIRN_HOME: home };
}

export function cairn({ project, env }, args, input = '') {
  return execFileSync(process.execPath, [BINARY, ...args], {
    cwd: project,
    env,
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
}

function git(project, ...args) {
  const identity = [
    '-c',
    'user.name=Ferrybook',
    '-c',
    'user.email=dev@ferrybook.example',
    '-c',
    'commit.gpgsign=false',
  ];
  execFileSync('git', [...identity, ...args], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
}

function write(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function writeSources(project) {
  const files = new Set([...RECORDS.flatMap((each) => each.files ?? []), 'README.md']);
  for (const file of files) write(path.join(project, file), `// ${file}\n`);
}

/** So many days ago, at an hour of that day. */
const moment = (days, hour = 9, minute = 0) => {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, hour, minute).getTime();
};
const stamp = (days, hour) => new Date(Math.min(moment(days, hour), Date.now())).toISOString().replace(/\.\d+Z$/, 'Z');

function recordText({ category, id, title, days, updated = days, tags, files, changes = [], retired, content }) {
  const record = {
    schema_version: '1.0',
    category,
    id,
    title,
    record_status: retired ? 'retired' : 'active',
    created_at: stamp(days),
    updated_at: stamp(updated),
    tags: [...tags].sort(),
    ...(files ? { related_files: files } : {}),
    confidence: 0.9,
    changes: [...changes].reverse().map(([ago, summary, field, before, after]) => ({
      date: stamp(ago),
      summary,
      ...(field ? { field, old_value: before, new_value: after } : {}),
    })),
    times_updated: changes.length,
    ...(retired ? { retired_at: stamp(retired[0]), retired_reason: retired[1] } : {}),
    content,
  };
  return `${JSON.stringify(record, null, 2)}\n`;
}

function noteText({ type, id, title, days, status = 'active', tags, fields = {}, sections }) {
  const heading = type === 'file-summary' ? title : `${type[0].toUpperCase()}${type.slice(1)}: ${title}`;
  const front = [
    `id: ${id}`,
    `type: ${type}`,
    `created: ${stamp(days)}`,
    `updated: ${stamp(days)}`,
    `tags: [${tags.join(', ')}]`,
    `status: ${status}`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
  ];
  const body = Object.entries(sections).map(([name, text]) => `## ${name}\n${text}\n`);
  return `---\n${front.join('\n')}\n---\n\n# ${heading}\n\n${body.join('\n')}`;
}

function transcriptText({ session, days, at, turns }, cwd) {
  let minute = 0;
  const lines = [];
  for (const turn of turns) {
    minute += turn === '---' ? 30 : 3 + (turn.length % 4);
    if (turn === '---') continue;
    const common = {
      sessionId: session,
      cwd,
      gitBranch: 'main',
      version: '2.1.325',
      timestamp: new Date(moment(days, at, minute)).toISOString(),
    };
    const id = lines.length;
    const message = turn.startsWith('> ')
      ? { role: 'user', content: turn.slice(2) }
      : { id: `m${id}`, role: 'assistant', content: [{ type: 'text', text: turn }] };
    lines.push(JSON.stringify({ type: message.role, ...common, uuid: `t${id}`, message }));
  }
  return `${lines.join('\n')}\n`;
}

/** The log that hooks would have written: for each prompt what recall finds for it now. */
/** As the hook writes it: the kind, the title and the gist, the day, the name. */
function toldLine({ ref, kind, title, text, gist, created_at }) {
  const said = gist ?? text.split('\n')[0];
  const words = said === title ? title : `${title}: ${said}`;
  return `- [${kind.toUpperCase().replaceAll('-', '_')}] ${words} (${created_at.slice(0, 10)}) -> ${ref}`;
}

function writeInjections(made) {
  const answers = cairn(
    made,
    ['remember', '--json', '--limit', '3', '--batch', '-'],
    `${PROMPTS.map(([, , text]) => text).join('\n')}\n`,
  )
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const log = new Map();
  for (const [index, [days, hour, prompt]] of PROMPTS.entries()) {
    const time = new Date(Math.min(moment(days, hour, 12), Date.now() - 60_000)).toISOString();
    const entries = answers[index].results.map((result) => {
      const { ref, project, score, relevance, why } = result;
      const line = toldLine(result);
      return { ref, project, score, relevance, why, line, tokens: Math.ceil(line.length / 4) };
    });
    const injection = {
      time,
      event: 'UserPromptSubmit',
      session: TALKS[Math.min(TALKS.length - 1, Math.floor(index / 2))].session,
      project: made.project,
      prompt: { hash: `p${index}`, start: prompt },
      entries,
      tokens: entries.reduce((sum, { tokens }) => sum + tokens, 24),
    };
    const month = time.slice(0, 7);
    log.set(month, [...(log.get(month) ?? []), JSON.stringify(injection)]);
  }
  for (const [month, lines] of log)
    write(path.join(made.home, 'injections', `${month}.jsonl`), `${lines.join('\n')}\n`);
}
