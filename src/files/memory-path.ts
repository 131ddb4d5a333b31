// Which paths are the memory's. Everything below a `.claude/memory` is, in any project, and everything below the memory
// root of this one; however the path is spelt, and wherever its links lead. The guard and the validation ask here, so a
// spelling that is missed here is a way around both.

import fs from 'node:fs';
import nodePath from 'node:path';
import { realPath } from './paths.ts';

export type PathSurroundings = {
  /** What a relative path starts from; absolute. */
  readonly cwd: string;
  readonly home: string;
  /** The memory root of this project, which the configuration may have moved. */
  readonly memoryRoot: string;
  /** For tests: the spellings of another system. Its links cannot be followed. */
  readonly platform?: NodeJS.Platform;
};

export type MemoryPath = {
  /** The memory root that the path leads into, links resolved. */
  readonly root: string;
  /** The path below its root in every reading (as written, with links followed), with forward slashes. */
  readonly names: readonly string[];
  /**
   * The directory entry that the path stands for: its links are followed while they stay in the root, and a link that
   * leads out of it is named itself. `undefined` if the path cannot be resolved, or leaves the root in a folder.
   */
  readonly file: string | undefined;
};

type Below = { root: string; name: string };
type PathRules = nodePath.PlatformPath;

/** `undefined` for a path that has nothing to do with any memory. Never throws. */
export function findMemoryPath(given: string, around: PathSurroundings): MemoryPath | undefined {
  const platform = around.platform ?? process.platform;
  const rules = platform === 'win32' ? nodePath.win32 : nodePath.posix;
  const onDisk = platform === process.platform;
  const roots = memoryRoots(around.memoryRoot, onDisk);
  const found: Below[] = [];
  let place: { root: string; file: string } | undefined;
  for (const spelling of spellings(given, around, platform)) {
    const written = rules.resolve(spelling);
    const named = belowRoot(written, roots, rules);
    if (named) found.push(named);
    if (!onDisk) continue;
    for (const real of realReadings(spelling, written)) {
      const reached = named ? belowOwn(real, named) : undefined;
      const really = reached ?? belowRoot(real, roots, rules) ?? belowSameFolder(real, around.memoryRoot);
      if (!really) continue;
      found.push(really);
      place ??= { root: really.root, file: real };
    }
    if (named) place ??= linkItself(written, named);
  }
  const first = found[0];
  if (!first) return undefined;
  const root = place?.root ?? quietRealPath(first.root) ?? first.root;
  return { root, names: [...new Set(found.map((each) => each.name))], file: place?.file };
}

function memoryRoots(memoryRoot: string, onDisk: boolean): string[] {
  const real = onDisk ? quietRealPath(memoryRoot) : undefined;
  return real === undefined || real === memoryRoot ? [memoryRoot] : [memoryRoot, real];
}

/** Every absolute path that a program could take the text for. `..` is kept: links decide what it means. */
function spellings(given: string, around: PathSurroundings, platform: NodeJS.Platform): string[] {
  const rules = platform === 'win32' ? nodePath.win32 : nodePath.posix;
  const texts = [given];
  if (/^file:/i.test(given)) texts.push(pathOfUrl(given, platform));
  const whole = texts.flatMap((text) => (text.includes('\0') ? [text, text.slice(0, text.indexOf('\0'))] : [text]));
  return whole.flatMap((text) => {
    const home = /^~(?=\/|$)/.test(text) || (platform === 'win32' && /^~\\/.test(text));
    const expanded = home ? around.home + text.slice(1) : text;
    // Unix shells on Windows write C:\x as /c/x.
    const drive = platform === 'win32' ? /^[\\/]([a-z])(?=[\\/]|$)/i.exec(expanded) : null;
    const all = drive ? [expanded, `${drive[1]}:${expanded.slice(2) || '\\'}`] : [expanded];
    return all.map((each) => (rules.isAbsolute(each) ? each : `${around.cwd}${rules.sep}${each}`));
  });
}

function pathOfUrl(url: string, platform: NodeJS.Platform): string {
  const text = url.replace(/^file:(?:\/\/[^/\\]*)?/i, '').replace(/[?#].*$/s, '');
  const path = platform === 'win32' ? text.replace(/^[\\/](?=[a-z]:)/i, '') : text;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The outermost `.claude/memory` of the path, else the root of this project. */
function belowRoot(file: string, roots: readonly string[], rules: PathRules): Below | undefined {
  const parts = file.split(rules === nodePath.win32 ? /[\\/]/ : '/');
  for (let at = 1; at < parts.length - 1; at++) {
    if (isDotClaude(parts[at]!, rules) && foldName(parts[at + 1]!, rules) === 'memory') {
      return { root: parts.slice(0, at + 2).join(rules.sep), name: parts.slice(at + 2).join('/') };
    }
  }
  for (const root of roots) {
    const name = nameBelow(root, file, rules);
    if (name !== undefined) return { root, name };
  }
  return undefined;
}

function nameBelow(root: string, file: string, rules: PathRules): string | undefined {
  const relative = rules.relative(root, file);
  if (relative === '..' || relative.startsWith(`..${rules.sep}`) || rules.isAbsolute(relative)) return undefined;
  return relative.replaceAll(rules.sep, '/');
}

function isDotClaude(part: string, rules: PathRules): boolean {
  const name = foldName(part, rules);
  return name === '.claude' || (rules === nodePath.win32 && /^claude~\d+$/.test(name)); // the short name that Windows gives
}

/** No file system takes a longer name, or a longer path: there is nothing to look up. */
const MAX_NAME = 255;
const MAX_WALKED = 8_192;
/** Characters that file systems of macOS leave out when they compare names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * A name as the most forgiving file system compares it: without case, without dots and blanks at its end, without the
 * name of a stream. Systems differ, disks are mounted elsewhere, and nobody needs a second folder of such a name.
 */
function foldName(part: string, rules: PathRules): string {
  if (part.length > MAX_NAME) return part;
  const stem = rules === nodePath.win32 ? part.replace(/:.*$/s, '') : part;
  return stem
    .normalize('NFC')
    .replace(IGNORED, '')
    .toLowerCase()
    .replace(/[. ]+$/, '');
}

/** With links followed: once after `..` was taken off, as Node does, and once step by step, as the system does. */
function realReadings(spelling: string, written: string): string[] {
  const real = quietRealPath(written);
  const readings = real === undefined ? [] : [real];
  if (spelling.length > MAX_WALKED || !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(spelling)) return readings;
  const walked = quietRealPath(walk(spelling));
  if (walked !== undefined && walked !== real) readings.push(walked);
  return readings;
}

function walk(spelling: string): string {
  let current = nodePath.parse(spelling).root;
  for (const part of spelling.slice(current.length).split(nodePath.sep === '/' ? '/' : /[\\/]/)) {
    if (part === '..') current = nodePath.dirname(quietRealPath(current) ?? current);
    else if (part !== '' && part !== '.') current = nodePath.join(current, part);
  }
  return current;
}

/** The root was named in the path and may be a link: then the real path shows no trace of it. */
function belowOwn(real: string, named: Below): Below | undefined {
  const root = quietRealPath(named.root);
  const name = root === undefined ? undefined : nameBelow(root, real, nodePath);
  return root === undefined || name === undefined ? undefined : { root, name };
}

/** The same folder under another name: another case, another mount. Only the file system knows. */
function belowSameFolder(real: string, memoryRoot: string): Below | undefined {
  const wanted = identity(memoryRoot);
  if (wanted === undefined) return undefined;
  for (let folder = real; ; folder = nodePath.dirname(folder)) {
    if (identity(folder) === wanted) return { root: folder, name: nameBelow(folder, real, nodePath) ?? '' };
    if (folder === nodePath.dirname(folder)) return undefined;
  }
}

function identity(folder: string): string | undefined {
  try {
    const stat = fs.statSync(folder, { bigint: true, throwIfNoEntry: false });
    return stat && stat.ino !== 0n ? `${stat.dev}:${stat.ino}` : undefined;
  } catch {
    return undefined;
  }
}

function linkItself(written: string, named: Below): { root: string; file: string } | undefined {
  const root = quietRealPath(named.root);
  const folder = quietRealPath(nodePath.dirname(written));
  if (root === undefined || folder === undefined || nameBelow(root, folder, nodePath) === undefined) return undefined;
  return { root, file: nodePath.join(folder, nodePath.basename(written)) };
}

/** A loop of links, a folder that may not be read, a name that no system takes: then only the spelling counts. */
function quietRealPath(file: string): string | undefined {
  try {
    return realPath(file);
  } catch {
    return undefined;
  }
}
