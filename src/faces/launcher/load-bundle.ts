// Opens a bundle with V8's code cache. Compiling the hooks would be a third of what a hook costs, and they run before every prompt
// and every tool call; the command line is larger still. The first run on a machine keeps the compiled form, the next ones read it.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import { OPTIMISING_LESS } from './optimise-less.ts';

// This file is bundled as CommonJS.
declare const __dirname: string;
declare const require: NodeJS.Require;

export type Loaded<T> = {
  readonly exports: T;
  /**
   * Call it when the work is done: what was compiled on the way is worth keeping too. `isWhole`: there was work. What a run kept that
   * had little to do is replaced by the first that had, or every later one would compile the rest again. In a bundle that `grows`, the
   * first was not the last word either.
   */
  keepCompiled(isWhole?: boolean): void;
};

/**
 * What a bundle that grows has kept is looked at again by one run in so many, as long as it was a day ago at most that it grew, and
 * written again if it would grow by a hundredth. A first turn of one line made all later ones a twelfth slower, and a first prompt that
 * found little all later ones an eighth.
 */
const ONE_IN = 8;
const GROWS_FOR_MS = 24 * 60 * 60 * 1000;
const WORTHWHILE = 1.01;

/**
 * `file` from the binary's folder; `name` tells apart what is to be kept: the bundle, its build, what it is used for. `grows`: its
 * runs differ in what they have to do.
 */
export function loadBundle<T>(bundle: { file: string; name: string; grows?: boolean }): Loaded<T> {
  const file = path.join(__dirname, bundle.file);
  // V8 takes nothing that was kept under other settings than its own.
  const settings = OPTIMISING_LESS.some((each) => process.execArgv.includes(each)) ? '-less' : '';
  const name = `${bundle.name}-${process.version}-${process.arch}${settings}`;
  const folders = [path.dirname(file), path.join(userRoot(), 'cache')];
  const whole = folders.map((folder) => path.join(folder, `${name}.cache`));
  const part = folders.map((folder) => path.join(folder, `${name}.part.cache`));
  const wholeKept = firstOwn(whole);
  const cachedData = (wholeKept ?? firstOwn(part))?.data;
  // A function of what is passed below (scripts/build.mjs); the build sees to it that it is ASCII.
  const script = new vm.Script(fs.readFileSync(file, 'latin1'), {
    filename: file,
    ...(cachedData ? { cachedData } : {}),
  });
  const module = { exports: {} as T };
  // In a script from the cache `import()` does not work, so bundles call this one (scripts/build.mjs).
  const late = (name: string): Promise<unknown> => import(name);
  // All bundles find the same packages as this file does; a `require` of their own would cost a module of Node's.
  script.runInThisContext()(module.exports, require, module, file, late, require);
  const isNew = !cachedData || script.cachedDataRejected === true;
  const keepCompiled = (isWhole = true): void => {
    if (isNew || (isWhole && !wholeKept)) keep(script.createCachedData(), isWhole || wholeKept ? whole : part);
    else if (bundle.grows && isWhole && wholeKept) grow(script, wholeKept, whole);
    if (isWhole && !wholeKept) for (const place of part) discard(place);
  };
  return { exports: module.exports, keepCompiled };
}

function userRoot(): string {
  const given = process.env.CAIRN_HOME;
  return given && path.isAbsolute(given) ? given : path.join(os.homedir(), '.cairn');
}

type Kept = { readonly data: Buffer; readonly since: number };

/** It is code: only a file that belongs to this user, or to the one who installed the program, and that no other may write is read. */
function firstOwn(places: readonly string[]): Kept | undefined {
  for (const place of places) {
    if (!fs.existsSync(place)) continue; // an error, though caught, would take a tenth of a millisecond
    let descriptor: number | undefined;
    try {
      descriptor = fs.openSync(place, 'r');
      const { uid, mode, mtimeMs } = fs.fstatSync(descriptor);
      const trusted = process.getuid === undefined || ((uid === process.getuid() || uid === 0) && (mode & 0o022) === 0);
      if (trusted) return { data: fs.readFileSync(descriptor), since: mtimeMs };
    } catch {
      // not there, or not readable: the next place, or no cache
    } finally {
      if (descriptor !== undefined) fs.closeSync(descriptor);
    }
  }
  return undefined;
}

function grow(script: vm.Script, { data, since }: Kept, places: readonly string[]): void {
  const now = Date.now();
  if (now % ONE_IN !== 0 || Math.abs(now - since) > GROWS_FOR_MS) return;
  const more = script.createCachedData();
  if (more.length > data.length * WORTHWHILE) keep(more, places);
}

/** Beside the bundle if that can be written, else in the user's own folder; nowhere is fine too. */
function keep(data: Buffer, places: readonly string[]): void {
  for (const place of places) {
    const temporary = `${place}.${process.pid}`;
    try {
      if (place !== places[0]) fs.mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 });
      fs.writeFileSync(temporary, data, { mode: 0o600, flag: 'wx' });
      fs.renameSync(temporary, place);
      return;
    } catch {
      discard(temporary);
    }
  }
}

/** `force` forgives only what is not there: a folder that may not be entered must not fail what the command has done. */
function discard(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // nothing was kept there, and nothing can be
  }
}
