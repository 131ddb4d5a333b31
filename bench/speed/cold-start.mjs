// Where the time of a command hook goes: starting Node, the binary, opening the bundle, each of Node's own modules, the handler; and
// whose code the bundle is.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../bundle.mjs';
import { filledStore } from './filled-store.mjs';
import { awaitWorkers, BARE, binary, median, timeOf, withFolder } from './measure.mjs';

export const title = 'Cold start, hook by hook';
const EVENTS = {
  'pre-tool-use': 'PreToolUse',
  'post-tool-use': 'PostToolUse',
  capture: 'PostToolUse',
  'user-prompt-submit': 'UserPromptSubmit',
  'pre-compact': 'PreCompact',
  stop: 'Stop',
  'session-start': 'SessionStart',
  'session-end': 'SessionEnd',
};

/**
 * Required before the binary. It notes when that began, when the bundle was compiled and run, when the process had done its work,
 * and how long each of Node's modules took that was loaded on the way (without those that it loads itself).
 */
const WATCH = `
const { performance } = require('perf_hooks');
const [vm, Module, fs] = [require('vm'), require('module'), require('fs')];
const began = performance.now();
const seen = { began, modules: {} };
const Real = vm.Script;
vm.Script = function (source, options) {
  seen.opened = performance.now();
  const script = new Real(source, options);
  seen.compiled = performance.now();
  const run = script.runInThisContext.bind(script);
  script.runInThisContext = () => {
    const made = run();
    return (...args) => {
      made(...args);
      seen.loaded = performance.now();
    };
  };
  return script;
};
const load = Module._load;
let inner = 0;
Module._load = function (name, ...rest) {
  const [outer, start] = [inner, performance.now()];
  inner = 0;
  try {
    return load.call(this, name, ...rest);
  } finally {
    const took = performance.now() - start;
    const shown = /^[a-z]:|^[./]/i.test(name) ? require('path').basename(name) : name;
    seen.modules[shown] = (seen.modules[shown] ?? 0) + took - inner;
    inner = outer + took;
  }
};
process.on('exit', () => {
  seen.done = performance.now();
  fs.writeFileSync(process.env.CAIRN_BENCH_SEEN, JSON.stringify(seen));
});
`;

export const measure = (say, { quick = false } = {}) =>
  withFolder(async (base) => {
    const records = quick ? 100 : 1_000;
    say(`${records} records and ${records * 10} ideas`);
    const store = await filledStore({ records, ideas: records * 10 });
    const watch = path.join(base, 'watch.cjs');
    writeFileSync(watch, WATCH);
    const transcript = path.join(base, 'talk.jsonl');
    writeFileSync(transcript, TALK);
    mkdirSync(path.join(base, 'home'));
    const { lines, modules } = measured({ base, watch, transcript, store, say, runs: quick ? 2 : 15 });
    return { rows: [], tables: [TIMES(records, lines), MODULES(modules), shares()], notes: NOTES };
  });

const TIMES = (records, lines) => ({
  title: `Milliseconds, with ${records.toLocaleString('en')} records and ${(records * 10).toLocaleString('en')} ideas`,
  head: [
    'hook',
    'all',
    'beside bare node',
    'Node',
    'the binary',
    'compile the bundle',
    'run it',
    'the handler',
    'the end',
  ],
  lines,
});
const MODULES = (lines) => ({
  title: 'What the bundles and handlers load, in milliseconds (each without what it loads itself)',
  head: ['hook', 'slowest modules'],
  lines,
});
const NOTES = [
  '“Node” is from the start of the process to the first line of ours, “the end” from the last line of ours until the process is ' +
    'gone, with what the system needed to start it. The watching costs about a millisecond in each; the other pages measure without it. “Compile” is little because the compiled ' +
    'form is kept (V8’s code cache). Workers are switched off here.',
];

function measured({ base, watch, transcript, store, say, runs }) {
  const { project, home, questions } = store;
  const record = path.join(project, '.claude/memory/decisions/record-0.json');
  const [lines, modules] = [[], []];
  for (const [event, name] of Object.entries(EVENTS)) {
    say(event);
    const input = JSON.stringify({
      session_id: `cold-${event}`,
      cwd: project,
      hook_event_name: name,
      transcript_path: transcript,
      prompt: questions[100],
      tool_name: 'Write',
      tool_input: { file_path: record, content: 'x' },
      tool_response: { filePath: record },
      source: 'startup',
    });
    const seenFile = path.join(base, 'seen.json');
    const env = {
      CAIRN_HOME: home,
      HOME: base,
      CLAUDE_PROJECT_DIR: '',
      CAIRN_TRACES_ENABLED: 'false',
      CAIRN_EMBEDDINGS_PROVIDER: 'none',
      CAIRN_BENCH_SEEN: seenFile,
    };
    const rounds = [];
    for (let run = -2; run < runs; run++) {
      const bare = timeOf(BARE);
      const ms = timeOf({ what: event, argv: ['--require', watch, binary, 'hook', event], input, env, cwd: project });
      awaitWorkers();
      if (run >= 0) rounds.push({ bare, ms, ...JSON.parse(readFileSync(seenFile, 'utf8')) });
    }
    lines.push(timesOf(event, rounds));
    modules.push(modulesOf(event, rounds));
  }
  return { lines, modules };
}

function timesOf(event, rounds) {
  const of = (pick) => median(rounds.map(pick));
  const ms = (pick) => of(pick).toFixed(1);
  return [
    event,
    ms((round) => round.ms),
    `${(of((round) => round.ms) / of((round) => round.bare)).toFixed(2)} ×`,
    ms((round) => round.began),
    ms((round) => round.opened - round.began),
    ms((round) => round.compiled - round.opened),
    ms((round) => round.loaded - round.compiled),
    ms((round) => round.done - round.loaded),
    ms((round) => round.ms - round.done),
  ];
}

function modulesOf(event, rounds) {
  const names = new Set(rounds.flatMap(({ modules }) => Object.keys(modules)));
  const times = [...names].map((name) => [name, median(rounds.map(({ modules }) => modules[name] ?? 0))]);
  const slowest = times.filter(([name, ms]) => ms >= 0.2 && name !== 'main.js').sort((a, b) => b[1] - a[1]);
  const shown = slowest.slice(0, 6).map(([name, ms]) => `${name} ${ms.toFixed(1)}`);
  return [event, shown.join(', ') || 'none of 0.2 or more'];
}

/** What each hook's bundle is made of, in bytes as they are read. */
function shares() {
  const { outputs } = JSON.parse(readFileSync(path.join(root, 'dist/faces/hooks/bundles.meta.json'), 'utf8'));
  const lines = Object.keys(EVENTS).map((event) => {
    const [, output] = Object.entries(outputs).find(([file]) => file.endsWith(`/${event}.js`));
    const folders = new Map();
    for (const [file, { bytesInOutput }] of Object.entries(output.inputs)) {
      const folder = /^src\/(?:faces\/)?([^/]+)\//.exec(file)?.[1] ?? 'roots';
      folders.set(folder, (folders.get(folder) ?? 0) + bytesInOutput);
    }
    const files = Object.entries(output.inputs).sort((a, b) => b[1].bytesInOutput - a[1].bytesInOutput);
    const percent = (bytes) => `${Math.round((100 * bytes) / output.bytes)} %`;
    const largest = [...folders].sort((a, b) => b[1] - a[1]).slice(0, 5);
    return [
      event,
      `${(output.bytes / 1_000).toFixed(0)} KB`,
      files.length,
      largest.map(([folder, bytes]) => `${folder} ${percent(bytes)}`).join(', '),
      files
        .slice(0, 3)
        .map(([file, { bytesInOutput }]) => `${path.basename(file)} ${percent(bytesInOutput)}`)
        .join(', '),
    ];
  });
  return {
    title: 'What the bundles are made of',
    head: ['hook', 'bundle', 'files', 'largest folders', 'largest files'],
    lines,
  };
}

const TALK = Array.from({ length: 8 }, (_, at) => {
  const role = at % 2 === 0 ? 'user' : 'assistant';
  const text = `Step ${at} is done and the tests pass.`;
  return `${JSON.stringify({ type: role, uuid: `u${at}`, message: { role, content: [{ type: 'text', text }] } })}\n`;
}).join('');
