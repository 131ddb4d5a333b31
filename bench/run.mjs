// `npm run bench`: everything that is measured about speed and size, as one report. Times of processes are ratios beside bare
// `node -e 0`, taken in turns in one run, because machines are noisy and only ratios travel.
//   npm run bench                      all pages, each written to bench/RESULTS.md when it is done
//   npm run bench -- hooks recall      only the pages whose names begin so, printed
//   npm run bench -- hooks --write     and their sections of RESULTS.md replaced
//   npm run bench -- --quick           small sizes, to see that everything runs; never written
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './bundle.mjs';
import { putSection, sectionText, verdicts } from './report.mjs';
import { removeStores } from './speed/filled-store.mjs';

// They make every start of Node slower, also the bare one that all others are measured by, which makes everything look good.
for (const name of ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS']) delete process.env[name];

const PAGES = [
  'hooks',
  'server',
  'cold-start',
  'recall',
  'traces',
  'vectors',
  'records',
  'notes',
  'peers',
  'viewer',
  'viewer-talks',
  'client',
];
const results = path.join(root, 'bench/RESULTS.md');
const say = (line) => process.stderr.write(`${line}\n`);

const words = process.argv.slice(2);
const wanted = words.filter((each) => !each.startsWith('--'));
const quick = words.includes('--quick');
const isWritten = !quick && (wanted.length === 0 || words.includes('--write'));
const unknown = [
  ...words.filter((each) => each.startsWith('--') && !['--quick', '--write'].includes(each)),
  ...wanted.filter((each) => !PAGES.some((page) => page.startsWith(each))),
];
if (unknown.length > 0) {
  say(`npm run bench -- [PAGE…] [--write] [--quick]   there is no ${unknown.join(', ')}; pages: ${PAGES.join(', ')}`);
  process.exit(2);
}

buildIfOld();
const failed = [];
const begun = Date.now();
for (const page of PAGES.filter((each) => wanted.length === 0 || wanted.some((name) => each.startsWith(name)))) {
  const file = path.join(root, 'bench/speed', `${page}.mjs`);
  if (!existsSync(file)) {
    say(`${page}: not there, passed over`);
    continue;
  }
  const { title, measure } = await import(file);
  const busy = busyShare();
  say(`${title} … (${page}; others use ${percent(busy)} of the processor)`);
  const start = Date.now();
  let result;
  try {
    result = await measure((line) => say(`  ${elapsed(start)} ${line}`), { quick });
  } catch (error) {
    failed.push(page);
    say(`  FAILED: ${error.stack}`);
    result = {
      rows: [],
      notes: [`**This page could not be measured:** ${String(error.message).split('\n')[0].slice(0, 400)}`],
    };
  }
  const facts = { ...surroundings(), busy, seconds: Math.round((Date.now() - start) / 1_000) };
  const text = sectionText(page, title, result, facts);
  console.log(text);
  if (isWritten && !failed.includes(page))
    writeFileSync(results, putSection(existsSync(results) ? readFileSync(results, 'utf8') : '', page, text, PAGES));
}
removeStores();
say(`${elapsed(begun)} in all`);
if (isWritten) {
  const { met, missed } = verdicts(readFileSync(results, 'utf8'));
  say(`bench/RESULTS.md: ${met.length} budgets met, ${missed.length} missed`);
  for (const { what, measured, budget } of missed) say(`  MISSED ${what}: ${measured}, wanted ${budget}`);
}
if (failed.length > 0) {
  say(`could not be measured: ${failed.join(', ')}`);
  process.exitCode = 1;
}

/** What is measured is the build; one older than the sources would be somebody else's numbers. */
function buildIfOld() {
  const built = statSync(path.join(root, 'dist/faces/cli/main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs);
  if (built >= Math.max(...sources)) return;
  say('dist/ is older than src/: building …');
  execFileSync(process.execPath, [path.join(root, 'scripts/build.mjs')], { stdio: 'inherit', cwd: root });
}

function surroundings() {
  const git = (...args) => String(spawnSync('git', args, { cwd: root }).stdout).trim();
  const isChanged = git('status', '--porcelain', '--', 'src', 'bench', ':!bench/*.md', 'package-lock.json') !== '';
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    commit: `${git('rev-parse', '--short', 'HEAD') || 'unknown'}${isChanged ? ' with uncommitted changes' : ''}`,
    node: process.version,
    system: `${os.platform()} ${os.release()} ${os.arch()}`,
    cores: `${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown'}`,
    memory: `${Math.round(os.totalmem() / 2 ** 30)} GB`,
  };
}

/** Of all cores, in a second in which nothing of ours runs. */
function busyShare() {
  const sum = () => {
    const times = os.cpus().map(({ times: each }) => each);
    const total = times.reduce((all, each) => all + each.user + each.nice + each.sys + each.idle + each.irq, 0);
    return { total, idle: times.reduce((all, each) => all + each.idle, 0) };
  };
  const before = sum();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  const after = sum();
  return 1 - (after.idle - before.idle) / Math.max(1, after.total - before.total);
}

function percent(share) {
  return `${Math.round(100 * share)} %`;
}

function elapsed(since) {
  const seconds = Math.round((Date.now() - since) / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
