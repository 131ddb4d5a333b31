// Times whole processes in turns, so that what else the machine does hits all of them alike; and what one process took.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../bundle.mjs';

export const binary = path.join(root, 'dist/faces/cli/main.js');
export const MB = 1e6;

/** A folder for one page; what is in it goes when the page ends. */
export async function withFolder(work) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-bench-'));
  try {
    return await work(folder);
  } finally {
    removeFolder(folder);
  }
}

/**
 * `cases`: [{ what, argv, input?, before?, after?, budget?, clock?, cause?, env?, cwd?, exit?, workers? }]. The first row is bare node itself.
 * `clock`: milliseconds that nobody minds who types the command; where the ratio would say little, because it is work and not a start.
 * `workers`: the case starts processes that outlive it; they are waited for, outside of the clock, so that they do not disturb
 * the case that follows.
 */
export function inTurns(cases, { runs = 15, env, cwd } = {}) {
  const all = [BARE, ...cases];
  const times = all.map(() => []);
  for (let run = -1; run < runs; run++) {
    for (const [at, each] of all.entries()) {
      if (each.workers && run % 2 === 1) continue; // waiting takes long: half as many runs
      each.before?.(run);
      const ms = timeOf(each, { env, cwd });
      if (each.workers) awaitWorkers();
      if (run >= 0) times[at].push(ms); // the first round warms the disk cache
    }
  }
  const bare = median(times[0]);
  return all.map((each, at) => {
    const ms = median(times[at]);
    const row = { what: each.what, ms, ratio: ms / bare, budget: each.budget, cause: each.cause };
    if (each.clock === undefined) return row;
    const shown = `${ms.toFixed(0)} ms (${row.ratio.toFixed(2)} ×)`;
    return { ...row, shown, wanted: `≤ ${each.clock} ms`, met: ms <= each.clock };
  });
}

export const BARE = { what: 'bare `node -e 0`', argv: ['-e', '0'] };

/** Milliseconds from the start of a process to its end. */
export function timeOf(each, { env, cwd } = {}) {
  const start = process.hrtime.bigint();
  const result = spawnSync(each.program ?? process.execPath, each.argv, {
    input: each.input ?? '',
    env: { ...process.env, ...env, ...each.env },
    cwd: each.cwd ?? cwd,
    maxBuffer: 64 * 1024 * 1024,
  });
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  if (result.status !== (each.exit ?? 0))
    throw new Error(`${each.what}: exit ${result.status}: ${result.error ?? ''}${result.stderr}${result.stdout}`);
  try {
    each.after?.(String(result.stdout));
  } catch (error) {
    throw new Error(`${each.what}: ${error.message}`);
  }
  return ms;
}

/** As projects are: a git repository, whose memory the user has agreed to. */
export function makeRepository(project, home) {
  spawnSync('git', ['init', '-q', project]);
  timeOf({
    what: 'cairn trust',
    argv: [binary, 'trust', '--yes'],
    cwd: project,
    env: { CAIRN_HOME: home, CLAUDE_PROJECT_DIR: '' },
  });
}

const WORKER = /main\.js hook (?:index|session-end|vector|embed)-worker/;

/** Until no worker of this tree runs any more. */
export function awaitWorkers(seconds = 120) {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; sleep(20))
    if (!commandLines().some((line) => line.includes(root) && WORKER.test(line))) return;
  throw new Error(`workers were still running after ${seconds} s`);
}

function commandLines() {
  if (!existsSync('/proc/self/cmdline')) return String(spawnSync('ps', ['-Ao', 'args=']).stdout).split('\n');
  const lines = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      lines.push(readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' '));
    } catch {
      // it has ended
    }
  }
  return lines;
}

export const sleep = (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const TELLER = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const took = { cpuMs: (userCPUTime + systemCPUTime) / 1e3, peakMb: maxRSS / 1024 };
  require('fs').writeSync(2, '\\nTOOK ' + JSON.stringify(took) + '\\n');
});`;

/** Runs a Node program and has it say at its end what it took: { out, ms, cpuMs, peakMb }. */
export function run(argv, { env = process.env, input = '', cwd } = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-bench-teller-'));
  const teller = path.join(folder, 'teller.cjs');
  writeFileSync(teller, TELLER);
  const begun = performance.now();
  const child = spawn(process.execPath, ['--require', teller, ...argv], { env, cwd });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const ms = performance.now() - begun;
      rmSync(folder, { recursive: true, force: true });
      // A thread of it says so too when it ends; the process has the last word.
      const took = [...err.matchAll(/TOOK (\{.*\})/g)].at(-1)?.[1];
      if (code === 0 && took !== undefined) resolve({ out, ms, ...JSON.parse(took) });
      else reject(new Error(`${argv.join(' ')} ended with ${code}: ${err}${out.slice(0, 2_000)}`));
    });
  });
}

/** Resident memory of a running process in MB: now, and the most it ever had (where the system tells). */
export function memoryOf(pid) {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  const read = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  if (status !== '') return { now: read('VmRSS'), peak: read('VmHWM') };
  const now = Number(String(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)]).stdout)) / 1024;
  return { now, peak: now };
}

/** What hooks have started may still be writing: then the rest of the folder is left to the system. */
export function removeFolder(folder) {
  for (let tries = 0; tries < 40; tries++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch {
      sleep(250);
    }
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Bytes of a file, or of all files below a folder. */
export function sizeOf(place) {
  const found = statSync(place, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.size ?? 0;
  return readdirSync(place).reduce((sum, name) => sum + sizeOf(path.join(place, name)), 0);
}
