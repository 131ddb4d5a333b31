// The file system that fails: wraps the calls of `node:fs` that Cairn uses, counts those that concern one folder, and at the Nth
// fails with an errno, writes only half, kills the process, or lets a test do something. Required before anything else in a
// process of its own (`node --require`), or by a test in its own process; either way only calls below `under` are touched.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const WRITES = ['writeSync', 'writeFileSync', 'appendFileSync'];
const CHANGES = [
  ...WRITES,
  'openSync',
  'renameSync',
  'mkdirSync',
  'unlinkSync',
  'rmSync',
  'linkSync',
  'utimesSync',
  'ftruncateSync',
  'copyFileSync',
  'chmodSync',
];
const READS = ['readFileSync', 'readSync', 'readdirSync', 'statSync', 'lstatSync', 'fstatSync'];
const ALL = [...CHANGES, 'fsyncSync', ...READS];
/** By these a descriptor is given, not a path; by the others one or the other. */
const BY_DESCRIPTOR = new Set(['writeSync', 'readSync', 'fsyncSync', 'fstatSync', 'ftruncateSync']);

/** Which calls can fail with which errno; `create` is an openSync that may write. */
const CAN_FAIL = {
  ENOSPC: new Set([...WRITES, 'create', 'mkdirSync', 'linkSync', 'copyFileSync', 'fsyncSync']),
  EIO: new Set([...ALL, 'create']),
  EACCES: new Set([
    ...['openSync', 'create', 'mkdirSync', 'renameSync', 'unlinkSync', 'rmSync', 'linkSync', 'utimesSync'],
    ...['copyFileSync', 'writeFileSync', 'appendFileSync', 'readFileSync', 'readdirSync'],
  ]),
  EMFILE: new Set([
    ...['openSync', 'create', 'writeFileSync', 'appendFileSync', 'readFileSync', 'readdirSync', 'copyFileSync'],
  ]),
  EROFS: new Set([
    ...['create', 'mkdirSync', 'renameSync', 'unlinkSync', 'rmSync', 'linkSync', 'utimesSync', 'copyFileSync'],
    ...['writeFileSync', 'appendFileSync'],
  ]),
  // A write that takes only a part and says so: no error, and the caller has to go on.
  SHORT: new Set(['writeSync']),
};
const NUMBERS = { ENOSPC: -28, EIO: -5, EACCES: -13, EMFILE: -24, EROFS: -30 };
/** What stays so until somebody does something about it: every later call fails too. */
const LASTING = new Set(['ENOSPC', 'EROFS']);

const real = Object.fromEntries(ALL.map((name) => [name, fs[name]]));
const descriptors = new Map();
let plan;
let count = 0;
let depth = 0;
let struck = '';
let lastWritten;

/**
 * `under`: the folder. `at`: the call, from 1; 0 only counts. `fault`: an errno, SHORT, KILL (before the call), TORN (in the
 * middle of a write) or DO, which calls `act` before the call. Only calls that the fault can hit are counted, of these with
 * `only` the reading or the changing ones.
 */
function arm(wanted) {
  plan = wanted;
  count = 0;
  lastWritten = undefined;
}

/** Returns how many calls were counted. */
function disarm() {
  plan = undefined;
  return count;
}

/** The call that was struck first, for a report. */
const lastStruck = () => struck;

function hits(name, args) {
  const opens = name === 'openSync' && mayWrite(args[1]);
  const { fault, only } = plan;
  const reads = READS.includes(name) || (name === 'openSync' && !opens);
  if (only !== undefined && (only === 'reads') !== reads) return false;
  if (fault === 'KILL' || fault === 'DO') return name === 'openSync' ? opens : CHANGES.includes(name);
  if (fault === 'TORN') return WRITES.includes(name);
  return (
    CAN_FAIL[fault].has(opens ? 'create' : name) && !(BY_DESCRIPTOR.has(name) === false && isOpen(name, args[0], fault))
  );
}

/** A file that is open already needs no new descriptor and no permission. */
const isOpen = (name, target, fault) =>
  typeof target === 'number' && ['EACCES', 'EMFILE', 'EROFS'].includes(fault) && name !== 'openSync';

/** A file that is written in many pieces counts once: whatever happens at the tenth happens at the first. */
function goesOn(name, target) {
  const before = lastWritten;
  lastWritten = WRITES.includes(name) ? target : undefined;
  return (
    typeof target === 'number' &&
    lastWritten === before &&
    !(LASTING.has(plan.fault) && plan.at > 0 && count >= plan.at)
  );
}

function mayWrite(flags) {
  if (typeof flags === 'number')
    return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT)) !== 0;
  return typeof flags === 'string' && /[wa+]/.test(flags);
}

function concerns(args) {
  const file = typeof args[0] === 'number' ? descriptors.get(args[0]) : String(args[0]);
  return file !== undefined && (file === plan.under || file.startsWith(plan.under + path.sep));
}

for (const name of ALL) {
  fs[name] = function failing(...args) {
    if (depth > 0 || plan === undefined) return run(name, args);
    if (!concerns(args) || !hits(name, args) || goesOn(name, args[0])) return run(name, args);
    count++;
    const now = plan.at > 0 && (count === plan.at || (LASTING.has(plan.fault) && count > plan.at));
    return now ? strike(name, args) : run(name, args);
  };
}

/** Node's own functions call each other: only the outermost call counts. */
function run(name, args) {
  depth++;
  try {
    const result = real[name].apply(fs, args);
    if (name === 'openSync') descriptors.set(result, String(args[0]));
    return result;
  } finally {
    depth--;
  }
}

function strike(name, args) {
  const { fault } = plan;
  if (count === plan.at) {
    const file = typeof args[0] === 'number' ? descriptors.get(args[0]) : String(args[0]);
    struck = `${name} ${path.relative(plan.under, file)}`;
  }
  if (fault === 'DO') {
    plan.act(name, args);
    return run(name, args);
  }
  if (fault === 'KILL') return die();
  if (WRITES.includes(name)) {
    const written = half(name, args);
    if (fault === 'SHORT') return written;
    if (fault === 'TORN') return die();
  }
  const error = new Error(`${fault}: made by a test, ${name.replace(/Sync$/, '')} '${String(args[0])}'`);
  throw Object.assign(error, { code: fault, errno: NUMBERS[fault], syscall: name.replace(/Sync$/, '') });
}

/** What a full disk, or a kill, leaves of a write: its first half. */
function half(name, args) {
  const [target, data, ...rest] = args;
  const bytes =
    typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (name !== 'writeSync') {
    run(name, [target, bytes.subarray(0, bytes.length >> 1), ...rest]);
    return undefined;
  }
  if (typeof data === 'string') return run(name, [target, bytes.subarray(0, bytes.length >> 1)]);
  const [offset = 0, length = bytes.length - offset, position = null] = rest;
  return run(name, [target, bytes, offset, Math.max(1, length >> 1), position]);
}

function die() {
  process.kill(process.pid, 'SIGKILL');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
}

/** What a test itself reads on the way does not count. */
function unhindered(work) {
  depth++;
  try {
    return work();
  } finally {
    depth--;
  }
}

module.exports = { arm, disarm, lastStruck, unhindered };
globalThis.failingFs = module.exports; // for a process that was started with --require
