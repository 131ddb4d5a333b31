// Opens a bundle with V8's code cache. Compiling the hooks would be a third of what a hook costs, and they run before every prompt
// and every tool call; the command line is larger still. The first run on a machine keeps the compiled form, the next ones read it.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import vm from 'node:vm';

// This file is bundled as CommonJS.
declare const __dirname: string;
declare const require: NodeJS.Require;

export type Loaded<T> = {
  readonly exports: T;
  /**
   * Call it when the work is done: what was compiled on the way is worth keeping too. `isWhole`: there was work. What a run kept that
   * had little to do is replaced by the first that had, or every later one would compile the rest again.
   */
  keepCompiled(isWhole?: boolean): void;
};

/** `file` from the binary's folder; `name` tells apart what is to be kept: the bundle, its build, what it is used for. */
export function loadBundle<T>(bundle: { file: string; name: string }): Loaded<T> {
  const file = path.join(__dirname, bundle.file);
  const name = `${bundle.name}-${process.version}-${process.arch}`;
  const folders = [path.dirname(file), path.join(userRoot(), 'cache')];
  const whole = folders.map((folder) => path.join(folder, `${name}.cache`));
  const part = folders.map((folder) => path.join(folder, `${name}.part.cache`));
  const wholeData = firstOwn(whole);
  const cachedData = wholeData ?? firstOwn(part);
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
    if (isNew || (isWhole && !wholeData)) keep(script, isWhole || wholeData ? whole : part);
    if (isWhole && !wholeData) for (const place of part) fs.rmSync(place, { force: true });
  };
  return { exports: module.exports, keepCompiled };
}

function userRoot(): string {
  const given = process.env.CAIRN_HOME;
  return given && path.isAbsolute(given) ? given : path.join(os.homedir(), '.cairn');
}

/** It is code: only a file that belongs to this user, or to the one who installed the program, and that no other may write is read. */
function firstOwn(places: readonly string[]): Buffer | undefined {
  for (const place of places) {
    if (!fs.existsSync(place)) continue; // an error, though caught, would take a tenth of a millisecond
    let descriptor: number | undefined;
    try {
      descriptor = fs.openSync(place, 'r');
      const { uid, mode } = fs.fstatSync(descriptor);
      const trusted = process.getuid === undefined || ((uid === process.getuid() || uid === 0) && (mode & 0o022) === 0);
      if (trusted) return fs.readFileSync(descriptor);
    } catch {
      // not there, or not readable: the next place, or no cache
    } finally {
      if (descriptor !== undefined) fs.closeSync(descriptor);
    }
  }
  return undefined;
}

/** Beside the bundle if that can be written, else in the user's own folder; nowhere is fine too. */
function keep(script: vm.Script, places: readonly string[]): void {
  for (const place of places) {
    const temporary = `${place}.${process.pid}`;
    try {
      if (place !== places[0]) fs.mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 });
      fs.writeFileSync(temporary, script.createCachedData(), { mode: 0o600, flag: 'wx' });
      fs.renameSync(temporary, place);
      return;
    } catch {
      fs.rmSync(temporary, { force: true });
    }
  }
}
