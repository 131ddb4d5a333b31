// The server that lives as long as a conversation: how soon it answers, what a hook costs that goes to it instead of starting a
// process, and how much memory it holds.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { filledStore } from './filled-store.mjs';
import { madeUpVectors } from './made-up-vectors.mjs';
import { openMcp } from './mcp-process.mjs';
import { BARE, binary, median, memoryOf, timeOf } from './measure.mjs';

export const title = 'The running server';
const LARGE = 100_000;

export async function measure(say, { quick = false } = {}) {
  const { isReal } = await madeUpVectors();
  const sizes = quick ? [1_000] : [1_000, 10_000, LARGE];
  const rows = [];
  const growth = [
    { what: 'a prompt through the server, with the model', values: {} },
    { what: 'the tool `recall`, with the model', values: {} },
    { what: 'memory of the server in use', values: {}, show: (value) => `${value.toFixed(0)} MB` },
  ];
  for (const ideas of sizes) {
    say(`${ideas / 10} records and ${ideas} ideas`);
    const store = await filledStore({ records: ideas / 10, ideas });
    const seen = await use(store, { say, rounds: quick ? 3 : 41, isLargest: ideas === sizes.at(-1) });
    growth[0].values[ideas] = median(seen.prompts);
    growth[1].values[ideas] = median(seen.recalls);
    growth[2].values[ideas] = seen.inUse;
    if (ideas === sizes.at(-1)) rows.push(...rowsOf(seen, ideas));
  }
  return {
    rows,
    growth,
    notes: isReal
      ? []
      : ['**The local model could not be opened on this machine: prompts were answered by words alone.**'],
  };
}

async function use({ project, home, questions }, { say, rounds, isLargest }) {
  const env = { CAIRN_HOME: home, HOME: home, CLAUDE_PROJECT_DIR: project };
  const open = () => openMcp([binary, 'mcp'], { env, cwd: project });
  const seen = {
    bare: [],
    starts: [],
    prompts: [],
    recalls: [],
    guards: [],
    checks: [],
    first: 0,
    idle: 0,
    withModel: 0,
    inUse: 0,
  };
  if (isLargest) {
    for (let round = -1; round < Math.min(rounds, 15); round++) {
      const bare = timeOf(BARE);
      const server = await open();
      await server.close();
      if (round >= 0) {
        seen.bare.push(bare);
        seen.starts.push(server.startMs);
      }
    }
  }
  const server = await open();
  try {
    await server.request('tools/list');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    seen.idle = memoryOf(server.pid).now;
    const begun = performance.now();
    await server.call('recall', { query: questions[0] }); // waits for the model; a prompt would go on without
    seen.first = performance.now() - begun;
    seen.withModel = memoryOf(server.pid).now;
    say(`  the model is open after ${seen.first.toFixed(0)} ms`);
    await rounded({ server, project, home, questions, seen, rounds });
    seen.inUse = memoryOf(server.pid).peak;
  } finally {
    await server.close();
  }
  return seen;
}

async function rounded({ server, project, home, questions, seen, rounds }) {
  const hook = (event, hook_event_name, more) =>
    server.call('cairn_hook', { event, hook_event_name, session_id: 'bench', cwd: project, ...more });
  const timed = async (times, work) => {
    const begun = performance.now();
    const answer = await work();
    times?.push(performance.now() - begun);
    return answer;
  };
  const record = path.join(project, '.claude/memory/decisions/record-0.json');
  const writing = (file) => ({ tool_name: 'Write', tool_input: JSON.stringify({ file_path: file, content: 'x' }) });
  let spoken = 0;
  for (let round = -3; round < rounds; round++) {
    const isCounted = round >= 0;
    const into = (times) => (isCounted ? times : undefined);
    const question = questions[(round + 7) % questions.length];
    rmSync(path.join(home, 'injections'), { recursive: true, force: true }); // a new conversation each time
    const bare = timeOf(BARE);
    if (isCounted) seen.bare.push(bare);
    const answer = await timed(into(seen.prompts), () =>
      hook('user-prompt-submit', 'UserPromptSubmit', { prompt: question }),
    );
    if (answer.content[0].text.includes('memory-context')) spoken++;
    await timed(into(seen.recalls), () => server.call('recall', { query: question }));
    await timed(into(seen.guards), () => hook('pre-tool-use', 'PreToolUse', writing(path.join(project, 'src/a.ts'))));
    await timed(into(seen.checks), () => hook('post-tool-use', 'PostToolUse', writing(record)));
  }
  if (spoken === 0) throw new Error('no prompt was answered');
}

function rowsOf(seen, ideas) {
  const bare = median(seen.bare);
  const size = `${(ideas / 10).toLocaleString('en')} records and ${ideas.toLocaleString('en')} ideas`;
  const row = (what, times, budget) => ({ what, ms: median(times), ratio: median(times) / bare, budget });
  return [
    { what: BARE.what, ms: bare, ratio: 1 },
    row('start of the server, until its first answer', seen.starts, 4),
    row(`UserPromptSubmit through the server, with the model, ${size}`, seen.prompts, 0.7),
    row('PreToolUse through the server, the write guard', seen.guards),
    row('PostToolUse through the server, validation of a record', seen.checks),
    row(`the tool \`recall\`, with the model, ${size}`, seen.recalls),
    { what: 'the first recall, which opens store and model', ms: seen.first, ratio: seen.first / bare },
    megabytes('memory of the server, idle', seen.idle, 90),
    megabytes('memory of the server with the model, after the first question', seen.withModel, 200),
    megabytes(`memory of the server in use, the most it ever held, ${size}`, seen.inUse, 300),
  ];
}

const megabytes = (what, value, limit) => ({
  what,
  shown: `${value.toFixed(0)} MB`,
  wanted: `≤ ${limit} MB`,
  met: value <= limit,
});
