#!/usr/bin/env node
// How much the tests notice: small faults are put into the source one at a time (a comparison flipped, a number changed, a statement
// dropped), the tests that reach the file are run, and what no test noticed is listed. Everything happens in a temporary copy; the
// checkout is never touched. Not part of CI: it takes minutes. CONTRIBUTING.md says how to read it.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync } from 'vite';

const ROOT = path.resolve(import.meta.dirname, '..');

/** What can be sampled, and where it lies. */
const FOLDERS = {
  recall: 'src/recall',
  extraction: 'src/extraction',
  relations: 'src/extraction/relations',
  safety: 'src/safety',
  files: 'src/files',
};
/** Inside the others, but sampled on their own. */
const APART = { extraction: [FOLDERS.relations] };
/** Word lists and generated code: a changed entry is a changed vocabulary, and no test is meant to repeat it. */
const DATA = /\/(?:cues|vocabulary)\/|-code\.ts$|\/(?:first-names|technologies|weights)\.ts$/;
/** Tests of the built program would not see the fault; those of damage and of real clients take minutes. */
const OF_THE_BUILD =
  /^test\/(?:bench|conformance|docs|e2e|faults|hooks|llm|plugin|viewer|web)\/|^test\/(?:architecture|package|version|schemas)\.test/;
/** The nearest tests are asked first; where they notice nothing, the others are asked, up to so many files. */
const ROUNDS = [1, 4, 10, 18];
/** A fault may make a loop endless: after so long, or so many times as long as without it, the tests are taken to have noticed. */
const LIMIT_MS = 180_000;
const SLOWER = 4;

const HELP = `Usage: npm run mutants -- [options]

Puts small faults into the source, one at a time, and counts how many the tests notice.

  --folder NAME   only this one: ${Object.keys(FOLDERS).join(', ')}; may be repeated
  --file PART     only files whose path contains this
  --count N       faults for each folder (default 15); 0 takes all there are
  --tests N       ask at most so many test files, the nearest first (default ${ROUNDS.at(-1)}); fewer are quicker and notice less
  --seed N        repeat a sample (default: a new one, which is printed)
  --list          print the faults and run nothing
  --json          print the result as JSON
  --help

Works in a copy below the system's temporary folder, which is removed at the end and on Ctrl-C.
Exit code 0 if at least four of five were noticed in each folder, else 1.`;

const { values: given } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true },
    file: { type: 'string' },
    count: { type: 'string', default: '15' },
    tests: { type: 'string', default: String(ROUNDS.at(-1)) },
    seed: { type: 'string' },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (given.help) {
  console.log(HELP);
  process.exit(0);
}
const count = wholeNumber('--count', given.count);
const mostTests = wholeNumber('--tests', given.tests);
const seed = given.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : wholeNumber('--seed', given.seed);
for (const name of given.folder ?? [])
  if (!Object.hasOwn(FOLDERS, name))
    refuse(`There is no folder ${name}. Choose from: ${Object.keys(FOLDERS).join(', ')}`);

function wholeNumber(name, text) {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) refuse(`${name} takes a whole number, not ${JSON.stringify(text)}.`);
  return number;
}

function refuse(message) {
  console.error(`${message}\nnpm run mutants -- --help says how it is called.`);
  process.exit(2);
}

// ---- the faults

const FLIPPED = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '===': '!==', '!==': '===', '==': '!=', '!=': '==' };
const NEAR = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const EXCHANGED = { '&&': '||', '||': '&&' };

/** Every fault of a file: where it is, what is there, what is put there. */
function faultsOf(file, text) {
  const { program, errors } = parseSync(path.basename(file), text, { lang: 'ts', sourceType: 'module' });
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const faults = [];
  const add = (kind, start, end, to) => {
    if (text.slice(start, end) === to) return;
    const line = text.slice(0, start).split('\n').length;
    faults.push({ file, kind, start, end, to, line, from: text.slice(start, end).replace(/\s+/g, ' ') });
  };
  const operatorOf = (node) => {
    const from = node.left.end;
    const at = text
      .slice(from, node.right.start)
      .replace(/\/\*[\s\S]*?\*\//g, (all) => ' '.repeat(all.length))
      .indexOf(node.operator);
    return [from + at, from + at + node.operator.length];
  };
  walk(program, (node, parent) => {
    switch (node.type) {
      case 'BinaryExpression':
        if (FLIPPED[node.operator]) add('comparison', ...operatorOf(node), FLIPPED[node.operator]);
        if (NEAR[node.operator]) add('boundary', ...operatorOf(node), NEAR[node.operator]);
        break;
      case 'LogicalExpression':
        if (EXCHANGED[node.operator]) add('and-or', ...operatorOf(node), EXCHANGED[node.operator]);
        break;
      case 'Literal':
        if (typeof node.value !== 'number' || isPlace(parent, node)) break;
        add('number', node.start, node.end, `${round(node.value + 1)}`);
        add('number', node.start, node.end, `(${round(node.value - 1)})`);
        if (node.value !== 0) add('number', node.start, node.end, '0');
        break;
      case 'IfStatement':
      case 'ConditionalExpression':
        add('condition', node.test.start, node.test.end, `!(${text.slice(node.test.start, node.test.end)})`);
        break;
      case 'ExpressionStatement':
        if (!node.directive && parent?.type !== 'ArrowFunctionExpression') add('statement', node.start, node.end, ';');
        break;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        if (node.body?.body?.length > 0 && parent?.kind !== 'constructor')
          add('early return', node.body.body[0].start, node.body.body[0].start, 'return undefined as never; ');
        break;
      default:
    }
  });
  return faults;
}

/** `array[0]`, `slice(1)`, a bit of a flag: these are places in code; the rest are numbers that mean something. */
const isPlace = (parent, node) => parent?.type === 'MemberExpression' && parent.property === node;
const round = (value) => Number(value.toPrecision(12));

function walk(node, visit, parent) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const each of node) walk(each, visit, parent);
    return;
  }
  if (typeof node.type !== 'string' || node.type.startsWith('TS')) {
    if (!/^TS(?:AsExpression|NonNullExpression|SatisfiesExpression)$/.test(node.type ?? '')) return;
    walk(node.expression, visit, parent);
    return;
  }
  visit(node, parent);
  for (const name of Object.keys(node)) if (name !== 'type') walk(node[name], visit, node);
}

/** The same sample for the same seed (mulberry32). */
function sampler(start) {
  let state = start >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return (all, most) => {
    const left = [...all];
    const taken = [];
    while (left.length > 0 && (most === 0 || taken.length < most))
      taken.push(...left.splice(Math.floor(random() * left.length), 1));
    return taken;
  };
}

// ---- what lies where, and which tests reach it

function filesBelow(folder) {
  if (!fs.existsSync(path.join(ROOT, folder))) return [];
  return fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

const isTest = (file) => file.endsWith('.test.ts');
const isSource = (file) =>
  !isTest(file) && !file.endsWith('.d.ts') && !file.includes('/fixtures/') && !file.includes('/contract/');

function sourcesOf(name) {
  const apart = (APART[name] ?? []).map((folder) => `${folder}/`);
  return filesBelow(FOLDERS[name])
    .filter((file) => isSource(file) && !DATA.test(file) && !apart.some((folder) => file.startsWith(folder)))
    .filter((file) => given.file === undefined || file.includes(given.file));
}

/** File → the files that import it. */
function importersOf() {
  const importers = new Map();
  for (const file of [...filesBelow('src'), ...filesBelow('test')]) {
    const text = fs.readFileSync(path.join(ROOT, file), 'utf8');
    for (const [, name] of text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const target = path.posix.join(path.posix.dirname(file), name);
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  return importers;
}

/** Tests that pin what a whole part does notice more than others, and are quick. */
const isPinned = (test, file) =>
  test.startsWith('test/ranking/')
    ? /recall|relations/.test(file)
    : test.endsWith('/whole-texts.test.ts') && file.startsWith(path.posix.dirname(test));

/** The tests that reach a file, the nearest first: by steps of imports, then those that are about its folder. */
function testsOf(file, importers) {
  const steps = new Map([[file, 0]]);
  for (const queue = [file]; queue.length > 0; ) {
    const at = queue.shift();
    for (const next of importers.get(at) ?? []) {
      if (steps.has(next)) continue;
      steps.set(next, steps.get(at) + 1);
      if (!isTest(next)) queue.push(next);
    }
  }
  const own = file.replace(/\.ts$/, '.test.ts');
  const folder = path.posix.dirname(file).split('/').at(-1);
  const farness = (test) => {
    if (test === own) return -2;
    if (isPinned(test, file)) return -1;
    return (
      steps.get(test) - (path.posix.dirname(test) === path.posix.dirname(file) || test.includes(`/${folder}/`) ? 1 : 0)
    );
  };
  return [...steps.keys()]
    .filter((each) => isTest(each) && !OF_THE_BUILD.test(each))
    .sort((a, b) => farness(a) - farness(b) || (a < b ? -1 : 1))
    .slice(0, mostTests);
}

// ---- the copy, and the tests in it

let copy;
let running;

function makeCopy() {
  copy = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-mutants-'));
  const linked = ['bench', 'viewer'];
  for (const entry of fs.readdirSync(ROOT)) {
    if (entry === 'node_modules' || entry === '.git') continue;
    if (linked.includes(entry)) link(entry);
    else fs.cpSync(path.join(ROOT, entry), path.join(copy, entry), { recursive: true });
  }
  // A folder of its own, so that what tests and tools keep below node_modules stays here too.
  fs.mkdirSync(path.join(copy, 'node_modules'));
  for (const entry of fs.readdirSync(path.join(ROOT, 'node_modules')))
    if (!entry.startsWith('.') || entry === '.bin') link(path.join('node_modules', entry));
}

const link = (entry) => fs.symlinkSync(path.join(ROOT, entry), path.join(copy, entry), 'junction');

function removeCopy() {
  if (running) stop(running);
  if (copy !== undefined) fs.rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
  copy = undefined;
}

function stop(child) {
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // it has ended by itself
  }
}

/** 'passed', 'failed' or 'timeout'. */
function runTests(files, limit) {
  const vitest = path.join(copy, 'node_modules', 'vitest', 'vitest.mjs');
  const argv = [vitest, 'run', ...files, '--bail=1', '--maxWorkers=1', '--reporter=dot', '--retry=0'];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, argv, {
      cwd: copy,
      stdio: 'ignore',
      detached: process.platform !== 'win32',
      env: { ...process.env, CAIRN_TEST_SEED: '1', CI: 'true' },
    });
    running = child;
    const timer = setTimeout(() => {
      stop(child);
      resolve('timeout');
    }, limit);
    child.on('close', (code) => {
      clearTimeout(timer);
      running = undefined;
      resolve(code === 0 ? 'passed' : 'failed');
    });
  });
}

const clean = new Map();
/** How long these tests take without a fault; `undefined` where they fail even so, and say nothing. */
async function timeOf(files) {
  const key = files.join(' ');
  if (!clean.has(key)) {
    const start = Date.now();
    const ended = await runTests(files, LIMIT_MS);
    clean.set(key, ended === 'passed' ? Date.now() - start : undefined);
    if (ended !== 'passed')
      console.error(`  Without any fault these tests ended with "${ended}", so they count for nothing: ${key}`);
  }
  return clean.get(key);
}

async function withFault({ file, start, end, to }, work) {
  const full = path.join(copy, file);
  const text = fs.readFileSync(full, 'utf8');
  fs.writeFileSync(full, text.slice(0, start) + to + text.slice(end));
  try {
    return await work();
  } finally {
    if (copy !== undefined) fs.writeFileSync(full, text);
  }
}

/** Tests that fail are asked once more without the fault: only then is it the fault that they noticed. */
async function isNoticed(fault, tests) {
  for (const [at, most] of ROUNDS.entries()) {
    const files = tests.slice(ROUNDS[at - 1] ?? 0, most);
    if (files.length === 0) continue;
    const known = clean.get(files.join(' '));
    const limit = known === undefined ? LIMIT_MS : Math.min(LIMIT_MS, Math.max(20_000, known * SLOWER));
    const ended = await withFault(fault, () => runTests(files, limit));
    if (ended === 'passed') continue;
    const usual = await timeOf(files);
    if (usual !== undefined && (ended === 'failed' || usual * 2 < limit)) return true;
  }
  return false;
}

const shown = ({ file, line, kind, from, to }) =>
  `${file}:${line}  ${kind}: ${from === '' ? '' : `${from.slice(0, 60)} → `}${to.slice(0, 60)}`;

// ---- the run

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    removeCopy();
    process.exit(130);
  });
process.on('exit', removeCopy);

const say = (text) => (given.json ? console.error(text) : console.log(text));
say(`Seed: ${seed}`);
const importers = importersOf();
const results = [];
const names = given.folder ?? Object.keys(FOLDERS);
if (!given.list) makeCopy();
for (const name of names) {
  const all = sourcesOf(name).flatMap((file) => faultsOf(file, fs.readFileSync(path.join(ROOT, file), 'utf8')));
  const sample = sampler(seed)(all, count);
  say(`\n${name}: ${sample.length} of ${all.length} faults`);
  if (given.list) {
    for (const fault of sample) say(`  ${shown(fault)}`);
    continue;
  }
  const survivors = [];
  for (const [at, fault] of sample.entries()) {
    const noticed = await isNoticed(fault, testsOf(fault.file, importers));
    if (!noticed) survivors.push(fault);
    say(`  ${String(at + 1).padStart(3)} ${noticed ? 'noticed ' : 'SURVIVED'}  ${shown(fault)}`);
  }
  const noticed = sample.length - survivors.length;
  results.push({ folder: name, faults: all.length, tried: sample.length, noticed, survivors: survivors.map(shown) });
}
removeCopy();

if (!given.list) {
  const share = ({ tried, noticed }) => (tried === 0 ? 1 : noticed / tried);
  say('');
  for (const result of results)
    say(
      `${result.folder.padEnd(12)} ${result.noticed} of ${result.tried} noticed (${Math.round(share(result) * 100)} %)`,
    );
  for (const result of results) for (const survivor of result.survivors) say(`  survived  ${survivor}`);
  say(
    `Repeat it with: npm run mutants -- --seed ${seed} --count ${count}${given.folder ? given.folder.map((each) => ` --folder ${each}`).join('') : ''}`,
  );
  if (given.json) console.log(JSON.stringify({ seed, count, results }, null, 2));
  process.exitCode = results.every((result) => share(result) >= 0.8) ? 0 : 1;
}
