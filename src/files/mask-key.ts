// The key with which Cairn hashes the secrets that a conversation gave away, so that it knows them again without keeping them. Random, the
// user's alone, made when it is first needed. Lost, it costs what was known: values are then recognised anew, beside their names.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../errors.ts';

const KEY = /^[0-9a-f]{64}$/;

export const maskKeyFile = (userRoot: string): string => path.join(userRoot, 'mask.key');

export function maskKey(userRoot: string): string {
  const file = maskKeyFile(userRoot);
  const known = readKey(file);
  if (known !== undefined) return known;
  const key = randomBytes(32).toString('hex');
  fs.mkdirSync(userRoot, { recursive: true, mode: 0o700 });
  try {
    fs.writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
    return key;
  } catch (error) {
    // Another process was quicker, or the one before was killed while it wrote.
    if (!isSystemError(error, 'EEXIST')) throw error;
    const theirs = readKey(file);
    if (theirs !== undefined) return theirs;
    fs.writeFileSync(file, `${key}\n`, { mode: 0o600 });
    return key;
  }
}

function readKey(file: string): string | undefined {
  try {
    const key = fs.readFileSync(file, 'utf8').trim();
    return KEY.test(key) ? key : undefined;
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
