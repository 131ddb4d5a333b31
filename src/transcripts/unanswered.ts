// Whether a conversation has no answer yet: the prompt that is asked now is its first. Looked up before every prompt, so only the head
// of the transcript is read, and as text.

import fs from 'node:fs';
import { isSystemError } from '../errors.ts';

const HEAD_BYTES = 64 * 1024;
const ANSWER = /"(?:type|role)"\s*:\s*"assistant"/;

/** The client writes the file with the first prompt, so none is a first prompt; without a name nothing is known. */
export function isUnanswered(transcript: unknown): boolean {
  if (typeof transcript !== 'string' || transcript === '') return false;
  try {
    const descriptor = fs.openSync(transcript, 'r');
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      const read = fs.readSync(descriptor, head, 0, HEAD_BYTES, 0);
      return read < HEAD_BYTES && !ANSWER.test(head.toString('utf8', 0, read));
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return true;
    if (isSystemError(error)) return false;
    throw error;
  }
}
