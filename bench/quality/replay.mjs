// What Cairn would have told, unasked, in conversations that really took place: every prompt, session start and end of a turn of a data
// set, in the order of time, through the code that the hooks run, with a store that holds only what was said before.
//   npm run replay -- --data DIR [--set NAME,…] [--way warm|first|cold] [--judged FILE,…] [--out FILE] [--quick] [--held-out] [--sessions N]
// DIR/<set>/transcripts/**/*.jsonl are the conversations of one project, wherever it lay (default: cipher-box and context-evaluator).
// DIR/<set>/questions.jsonl may give prompts with known answers ({"query","type":"prompt","gold":[{"session","line"}]}), asked at the end;
// DIR/labels/sessions.jsonl decisions that triage should ask for ({"session","decisions":[{"line","text","quote"}]}).
// FILE gets one JSON object for each line that was told: to which prompt, session:line, what agent and user said next, and an empty
// `judgement` to fill in: useful | on_topic | noise. Filled in, it is what --judged takes; what that does not know goes to
// FILE.unjudged.jsonl. FILE.all has every prompt, start and end of a turn, silent or not.
// warm runs in this process, some minutes for both sets; first and cold start the built program (npm run build) for each prompt.
// --held-out reads every conversation by weights that were made without its labels; else it is read by those of the build, which have
// seen them. --quick is without vectors; --sessions takes the first N conversations alone. Vectors are kept in the temporary folder, cairn-replay.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { weightsByFold } from './labels/fold-weights.mjs';
import { inTime, projectFolders, readConversations } from './replay-conversations.mjs';
import { replay } from './replay-events.mjs';
import { readJudgements } from './replay-judgements.mjs';
import { loadCairn, ReplayProject } from './replay-project.mjs';
import { BINARY, openWay, WAYS } from './replay-prompts.mjs';
import { reportOf } from './replay-report.mjs';

const SETS = ['cipher-box', 'context-evaluator'];
const argument = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const [data, way] = [argument('--data'), argument('--way') ?? 'warm'];
if (!data || !fs.existsSync(data) || !WAYS.includes(way)) {
  console.error(`npm run replay -- --data DIR [--way ${WAYS.join('|')}]   (see the head of bench/quality/replay.mjs)`);
  process.exit(2);
}
if (way !== 'warm' && !fs.existsSync(BINARY)) {
  console.error(`--way ${way} starts the built program: npm run build`);
  process.exit(2);
}
const vectors = !process.argv.includes('--quick');
const heldOut = process.argv.includes('--held-out');
const cache = path.join(os.tmpdir(), 'cairn-replay');
fs.mkdirSync(cache, { recursive: true, mode: 0o700 });
const out =
  argument('--out') ?? path.join(cache, `replay-${way}${vectors ? '' : '-quick'}${heldOut ? '-held-out' : ''}.jsonl`);
const verdictOf = readJudgements(argument('--judged')?.split(',') ?? []);
const started = Date.now();
const say = (line) => process.stderr.write(`${Math.round((Date.now() - started) / 1_000)} s  ${line}\n`);

const cairn = await loadCairn();
const cairnOf = heldOut ? await heldOutCairn() : undefined;
const all = [];
for (const set of argument('--set')?.split(',') ?? SETS) {
  const rows = (await replaySet(set)).map((row) => ({ set, way, ...row }));
  all.push(...rows);
  console.log(
    [
      `## ${set}, ${way}${vectors ? '' : ', without vectors'}${heldOut ? ', held out' : ''}`,
      '',
      ...reportOf(rows, verdictOf),
    ].join('\n'),
  );
}
const forReader = all.filter(({ judgement }) => judgement !== undefined);
write(
  out,
  forReader.map((row) => ({ ...row, judgement: verdictOf(row) ?? '' })),
);
write(`${out}.all`, all);
const unjudged = forReader.filter((row) => verdictOf(row) === undefined);
if (argument('--judged')) write(`${out.replace(/\.jsonl$/, '')}.unjudged.jsonl`, unjudged);
say(
  `${out} has ${forReader.length} lines to judge, ${unjudged.length} of them not judged; every prompt is in ${out}.all`,
);

async function replaySet(set) {
  const conversations = readConversations(cairn, path.join(data, set, 'transcripts'));
  const events = inTime(conversations);
  const taken = new Set(
    [...new Set(events.map(({ conversation }) => conversation))].slice(0, Number(argument('--sessions') ?? Infinity)),
  );
  const folder = freeFolder();
  // What the hooks keep in the temporary folder goes with the rest.
  const temporary = process.env.TMPDIR;
  process.env.TMPDIR = path.join(folder, 'tmp');
  fs.mkdirSync(process.env.TMPDIR);
  const project = new ReplayProject(cairn, {
    folder,
    cache,
    vectors,
    places: projectFolders(conversations),
    ...(cairnOf ? { cairnOf } : {}),
  });
  const opened = openWay(way, cairn, project);
  try {
    const gold = rowsOf(path.join(data, set, 'questions.jsonl')).filter(({ type }) => type === 'prompt');
    const labels = rowsOf(path.join(data, 'labels', 'sessions.jsonl'));
    const some = events.filter(({ conversation }) => taken.has(conversation));
    return await replay({
      cairn,
      project,
      way: opened,
      events: some,
      gold,
      labels,
      say: (line) => say(`${set}: ${line}`),
    });
  } finally {
    for (const [text, times] of project.problems) say(`${set}: ${times} × ${text}`);
    await opened.close();
    await project.close();
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** What reads a conversation: the code of this build with the weights of the fold that never saw it. */
async function heldOutCairn() {
  const { texts, foldOf } = await weightsByFold(data, say);
  const builds = [];
  for (const text of texts) builds.push(await loadCairn({ 'extraction/labels/weights.ts': text }));
  return (session) => builds[foldOf(session)];
}

/** The same from run to run where it is free: its name stands in texts, and texts are compared. */
function freeFolder() {
  for (let number = 1; ; number++) {
    const folder = path.join(cache, `run-${number}`);
    const mark = path.join(folder, 'pid');
    const pid = fs.existsSync(mark) ? Number(fs.readFileSync(mark, 'utf8')) : undefined;
    if (fs.existsSync(folder) && (pid === undefined || isRunning(pid))) continue;
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder);
    fs.writeFileSync(mark, String(process.pid));
    return folder;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function rowsOf(file) {
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}

function write(file, rows) {
  fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  fs.writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}
