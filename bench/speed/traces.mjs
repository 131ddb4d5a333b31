// Conversations: how fast they are read, what one more turn costs at the end of a long one, how much memory a gigabyte takes.
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTurns, removeFolder } from './measure.mjs';

export const title = 'Conversations';
const binary = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../dist/faces/cli/main.js');
const MB = 1e6;

export async function measure(say) {
  const base = mkdtempSync(path.join(os.tmpdir(), 'cairn-bench-'));
  try {
    return [
      ...(await oneTurn(base, say)),
      await throughput(base, say),
      await throughput(base, say, { CAIRN_TRACES_ARCHIVE_MAX_MB: '0' }),
      await memory(base, say),
    ];
  } finally {
    removeFolder(base);
  }
}

async function oneTurn(base, say) {
  const env = environment(base, 'one-turn');
  const project = path.join(base, 'project');
  mkdirSync(project, { recursive: true });
  const cases = [];
  for (const size of [3, 300]) {
    say(`a transcript of ${size} MB`);
    const file = path.join(base, `one-turn-${size}.jsonl`);
    const talk = writeTranscript(file, size * MB, { session: `long-${size}`, cwd: project });
    const payload = { session_id: `long-${size}`, transcript_path: file, cwd: project, hook_event_name: 'PreCompact' };
    await run(['hook', 'index-worker'], { env, input: JSON.stringify(payload) });
    cases.push({
      what: `index one new turn at the end of ${size} MB, the whole process`,
      argv: [binary, 'hook', 'index-worker'],
      input: JSON.stringify(payload),
      before: () => appendFileSync(file, talk.turn()),
      ...(size === 300 ? { budget: 2.5 } : {}),
    });
  }
  return inTurns(cases, { runs: 15, cwd: project, env });
}

async function throughput(base, say, more = {}) {
  const size = 100;
  const folder = path.join(base, 'many');
  if (!statSync(folder, { throwIfNoEntry: false })) {
    say(`${size} MB in 50 transcripts`);
    mkdirSync(folder);
    for (let at = 0; at < 50; at++)
      writeTranscript(path.join(folder, `many-${at}.jsonl`), (size / 50) * MB, {
        session: `many-${at}`,
        cwd: '/work/many',
      });
  }
  const speeds = [];
  for (let round = 0; round < 3; round++) {
    const env = { ...environment(base, `many-${round}-${Object.keys(more).length}`), ...more };
    const { out, cpuMs, ms } = await run(['backfill', folder, '--json'], { env });
    speeds.push({ perCore: JSON.parse(out).bytes / 1e3 / cpuMs, perSecond: JSON.parse(out).bytes / 1e3 / ms });
  }
  const best = speeds.sort((a, b) => b.perCore - a.perCore)[0];
  return {
    what: `\`cairn backfill\`, ${size} MB, ${Object.keys(more).length > 0 ? 'no archive' : 'with the archive'}: per second of processor time (best of 3)`,
    shown: `${best.perCore.toFixed(1)} MB/s (${best.perSecond.toFixed(1)} on the clock)`,
    wanted: '≥ 25 MB/s',
    met: best.perCore >= 25,
  };
}

async function memory(base, say) {
  say('a transcript of 1 GB');
  const file = path.join(base, 'huge.jsonl');
  writeTranscript(file, 1_000 * MB, { session: 'huge', cwd: '/work/huge' });
  const { peakMb } = await run(['backfill', file, '--json'], { env: environment(base, 'huge') });
  rmSync(file);
  return {
    what: 'peak memory of `cairn backfill`, one transcript of 1 GB',
    shown: `${peakMb.toFixed(0)} MB`,
    wanted: '≤ 300 MB',
    met: peakMb <= 300,
  };
}

const environment = (base, name) => ({
  ...process.env,
  HOME: path.join(base, name),
  CAIRN_HOME: path.join(base, name, '.cairn'),
  CLAUDE_PROJECT_DIR: '',
  CAIRN_EMBEDDINGS_PROVIDER: 'none',
});

/** Runs the binary and has it say at its end what it took. */
function run(argv, { env, input = '' }) {
  mkdirSync(env.HOME, { recursive: true });
  const teller = path.join(env.HOME, 'teller.cjs');
  writeFileSync(
    teller,
    `process.on('exit', () => { const u = process.resourceUsage(); require('fs').writeSync(2, '\\nTOOK ' + JSON.stringify({ cpuMs: (u.userCPUTime + u.systemCPUTime) / 1e3, peakMb: u.maxRSS / 1024 }) + '\\n'); });`,
  );
  const begun = performance.now();
  const child = spawn(process.execPath, ['--require', teller, binary, ...argv], { env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      const took = /TOOK (\{.*\})/.exec(err)?.[1];
      if (code !== 0 || took === undefined) reject(new Error(`cairn ${argv.join(' ')} ended with ${code}: ${err}`));
      else resolve({ out, ms: performance.now() - begun, ...JSON.parse(took) });
    });
  });
}

/**
 * A conversation with the proportions of real ones: about eighty statements and four prompts a megabyte, the rest is what
 * tools print, what files hold, and what the client notes about itself.
 */
function writeTranscript(file, bytes, { session, cwd }) {
  const descriptor = openSync(file, 'w');
  let [written, number, time] = [0, 0, Date.UTC(2026, 0, 5, 9)];
  const line = (value) => {
    time += 7_000;
    const more = {
      sessionId: session,
      cwd,
      gitBranch: 'main',
      version: '2.1.325',
      timestamp: new Date(time).toISOString(),
    };
    return `${JSON.stringify({ parentUuid: `p${number}`, isSidechain: false, userType: 'external', ...more, ...value, uuid: `u${number++}` })}\n`;
  };
  const said = (text) => line({ type: 'user', message: { role: 'user', content: text } });
  const answered = (...content) =>
    line({
      type: 'assistant',
      requestId: `r${number}`,
      message: {
        id: `m${number}`,
        type: 'message',
        role: 'assistant',
        model: 'm',
        content,
        usage: { input_tokens: 9, output_tokens: 9 },
      },
    });
  const text = (words) => ({ type: 'text', text: words });
  const printed = (size) => {
    const id = `t${number}`;
    const content = printedText(number, size);
    return (
      answered({ type: 'tool_use', id, name: 'Bash', input: { command: `npm test -- part-${number}` } }) +
      line({ type: 'progress', data: { type: 'bash_progress', output: content.slice(0, 2_000) } }) +
      line({
        type: 'user',
        message: { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content }] },
        toolUseResult: { stdout: content, stderr: '' },
      })
    );
  };
  const turn = () => {
    const part = PARTS[number % PARTS.length];
    const other = PARTS[(number * 7 + 3) % PARTS.length];
    let lines = said(
      `The ${part} is slow since the change of the ${other} in step ${number}. Can you find out why, and fix it?`,
    );
    for (let step = 0; step < 6; step++) lines += printed(3_000 + ((number * 977) % 7_000));
    lines += answered(
      text(
        `I looked at the ${part} and the ${other}.\n\n- The root cause was a query without an index in \`src/${part}/query-${number}.ts\`.\n- Fixed by adding an index on the column that the ${other} sorts by.\n- We decided to keep the cache of the ${part}, because the ${other} reads it on every request.\n\nNext steps:\n\n1. TODO: measure the ${part} with the data of step ${number}\n2. TODO: remove the old switch of the ${other}\n\nShould the ${other} get the same index?`,
      ),
    );
    return lines;
  };
  while (written < bytes) written += writeSync(descriptor, turn());
  closeSync(descriptor);
  return { turn };
}

const PARTS = [
  'gateway',
  'ledger',
  'invoice',
  'search',
  'login',
  'export',
  'queue',
  'cache',
  'report',
  'scheduler',
  'mailer',
];

function printedText(seed, size) {
  const lines = [];
  for (let length = 0, at = 0; length < size; at++) {
    const each = `✓ src/${PARTS[(seed + at) % PARTS.length]}/part-${at}.test.ts (${(seed * 31 + at * 17) % 90} tests) ${(at * 7919 + seed) % 1000}ms  expected "${at}" to equal ${seed % 97}`;
    lines.push(each);
    length += each.length;
  }
  return lines.join('\n');
}
