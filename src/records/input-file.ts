// The staging file that brings a record to `cairn write`. Models name it, so it is untrusted: it must lie in a place
// made for temporary files, and never in the memory itself, because it is removed once its record is saved.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import { parseJsonObject, readText } from '../files/json-file.ts';
import { assertPlainPath, isInside, realPath } from '../files/paths.ts';
import type { JsonObject } from '../model/json.ts';

export type InputPlace = { cwd: string; memoryRoot: string; userRoot: string };

export function readInputFile(named: string, place: InputPlace): JsonObject {
  const file = checkedInput(named, place);
  let text: string | undefined;
  try {
    text = readText(file);
  } catch (error) {
    throw inputError(named, messageOf(error), error);
  }
  if (text === undefined) throw inputError(named, 'there is no such file');
  return parseInput(text, named);
}

export function parseInput(text: string, named: string): JsonObject {
  try {
    return parseJsonObject(text, named);
  } catch (error) {
    throw inputError(named, messageOf(error), error);
  }
}

/** Removes the staging file itself; if it is a link, its target stays. */
export function removeInputFile(named: string, cwd: string): void {
  try {
    fs.unlinkSync(path.resolve(cwd, named));
  } catch (error) {
    if (!isSystemError(error)) throw error; // the record is saved; a file that cannot be removed must not undo that
  }
}

function checkedInput(named: string, place: InputPlace): string {
  assertPlainPath(named);
  if (named.split(/[\\/]/).includes('..')) throw forbidden(named, 'it has a ".." in it');
  const file = path.resolve(place.cwd, named);
  const real = resolved(file, named);
  // A link counts where it leads, because that is read, and where it lies, because there it is removed.
  for (const each of [real, path.join(resolved(path.dirname(file), named), path.basename(file))]) {
    if (isInside(realPath(place.memoryRoot), each)) throw forbidden(named, 'it lies in the memory itself');
    if (!stagingPlaces(place).some((allowed) => isInside(allowed, each)))
      throw forbidden(named, 'it lies outside the places for temporary files');
  }
  return real;
}

/** A circle of links, or a name that no file system takes, is the caller's mistake like any other. */
function resolved(file: string, named: string): string {
  try {
    return realPath(file);
  } catch (error) {
    throw inputError(named, messageOf(error), error);
  }
}

function stagingPlaces(place: InputPlace): string[] {
  const unixTemp = process.platform === 'win32' ? [] : ['/tmp'];
  return [os.tmpdir(), place.userRoot, ...unixTemp].map((each) => realPath(each));
}

function forbidden(named: string, why: string): CairnError {
  return new CairnError('SECURITY_ERROR', `The input file is refused: ${why}.`, {
    details: [['input', named]],
    fix: `Write it into ${os.tmpdir()} and name it by its full path, or send it on standard input with --input -.`,
  });
}

function inputError(named: string, why: string, cause?: unknown): CairnError {
  return new CairnError('INPUT_ERROR', `The input cannot be used: ${why}`, {
    details: [['input', named]],
    fix: 'Give a file that holds one JSON object: the record.',
    ...(cause === undefined ? {} : { cause }),
  });
}
