// The second thread of a backfill: reads transcripts ahead of the indexer, a few megabytes at most, and hands over what it made of them. What it
// cannot do the indexer does itself.

import type { MessagePort, Worker } from 'node:worker_threads';
import { maskKey } from '../files/mask-key.ts';
import {
  type Ahead,
  type AheadOfFile,
  type FileLook,
  type LineAhead,
  lookOf,
  ReadAheadStale,
  readAhead,
} from '../indexing/transcripts/read-ahead.ts';
import { useForgotten } from './keep-out.ts';

/** What the thread is told when it starts. */
export type ReadAheadJob = {
  readonly files: readonly string[];
  readonly thinking: boolean;
  readonly archives: boolean;
  readonly userRoot: string;
};

type FromThread =
  | { readonly file: string; readonly look: FileLook }
  | { readonly lines: readonly LineAhead[] }
  | { readonly end: true };

/** So many bytes of a transcript are handed over at once, and so many times before the indexer has to ask for more. */
const PART_BYTES = 512 * 1024;
const PART_LINES = 512;
const MOST_AHEAD = 12;

/** What the thread does. */
export async function readInThread(port: MessagePort, { files, userRoot, ...job }: ReadAheadJob): Promise<void> {
  useForgotten(userRoot);
  let credit = MOST_AHEAD;
  let wake = (): void => undefined;
  port.on('message', () => {
    credit++;
    wake();
  });
  const say = async (message: FromThread): Promise<void> => {
    while (credit <= 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    if ('lines' in message) credit--;
    port.postMessage(message);
  };
  for (const file of files) {
    const look = lookOf(file);
    if (!look) continue;
    await say({ file, look });
    try {
      for (const lines of inParts(readAhead(file, { ...job, maskKey: () => maskKey(userRoot) }))) await say({ lines });
      await say({ end: true });
    } catch {
      // The indexer comes to the same place, and says what is wrong with it.
    }
  }
  port.close();
}

function* inParts(lines: Iterable<LineAhead>): Generator<LineAhead[]> {
  let part: LineAhead[] = [];
  let from = 0;
  for (const line of lines) {
    part.push(line);
    if (part.length < PART_LINES && line.end - from < PART_BYTES) continue;
    yield part;
    part = [];
    from = line.end;
  }
  if (part.length > 0) yield part;
}

/** What the indexer sees of it. */
export function aheadOf(thread: Worker, files: readonly string[]): Ahead & { close(): Promise<void> } {
  const wanted = new Set(files);
  const waiting: FromThread[] = [];
  let isOver = false;
  let wake = (): void => undefined;
  const over = (): void => {
    isOver = true;
    wake();
  };
  thread.on('message', (message: FromThread) => {
    waiting.push(message);
    wake();
  });
  thread.on('error', over);
  thread.on('exit', over);
  const next = async (): Promise<FromThread | undefined> => {
    while (waiting.length === 0 && !isOver)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    const message = waiting.shift();
    if (message && 'lines' in message && !isOver) thread.postMessage('more');
    return message;
  };
  async function* linesOf(): AsyncGenerator<readonly LineAhead[]> {
    for (;;) {
      const message = await next();
      if (message && 'lines' in message) yield message.lines;
      else if (message && 'end' in message) return;
      else {
        if (message) waiting.unshift(message); // the next file: this one could not be read to its end
        throw new ReadAheadStale();
      }
    }
  }
  return {
    of: async (file): Promise<AheadOfFile | undefined> => {
      if (!wanted.delete(file)) return undefined;
      for (;;) {
        const message = await next();
        if (!message) return undefined;
        if (!('file' in message)) continue; // of a file that was not read to its end
        if (message.file === file) return { look: message.look, lines: linesOf() };
        // Those before it were not wanted after all; those behind it come later.
        if (files.indexOf(message.file) > files.indexOf(file)) {
          waiting.unshift(message);
          return undefined;
        }
      }
    },
    close: async () => void (await thread.terminate()),
  };
}
