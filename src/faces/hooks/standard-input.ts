// Standard input without Node's streams, which cost more to load than the work of most hooks. A pipe or a socket is watched by the
// event loop, as the streams do it, through the same part of Node: a read in its thread pool could not be taken back, and
// `process.exit` would wait for it as long as the client leaves the input open. Where Node does not hand that part out, streams do.

import fs from 'node:fs';
import type { Readable } from 'node:stream';

/** Gives one chunk each time it is asked; `undefined` is the end. */
export type Input = (give: (chunk: Buffer | undefined) => void) => void;

const STDIN = 0;
const CHUNK = 64 * 1024;

export function standardInput(): Input {
  const kind = kindOf(STDIN);
  if (kind?.isFile()) return fromFile;
  const watched = kind?.isFIFO() || kind?.isSocket() ? fromHandle() : undefined;
  return watched ?? fromStream(process.stdin); // a terminal, a device, or closed: the stream knows what to do
}

function kindOf(descriptor: number): fs.Stats | undefined {
  try {
    return fs.fstatSync(descriptor);
  } catch {
    return undefined; // closed
  }
}

/** A file never keeps anybody waiting. */
function fromFile(give: (chunk: Buffer | undefined) => void): void {
  const chunk = Buffer.allocUnsafe(CHUNK);
  fs.read(STDIN, chunk, 0, CHUNK, null, (error, bytes) =>
    give(error || bytes === 0 ? undefined : chunk.subarray(0, bytes)),
  );
}

/** What `net.Socket` is made of. Node documents neither, so nothing here is taken for granted. */
type Handle = { open(descriptor: number): number; readStart(): number; readStop(): number; onread: unknown };
type Bindings = {
  pipe_wrap: { Pipe: new (type: number) => Handle; constants: { SOCKET: number } };
  stream_wrap: { streamBaseState: Int32Array; kReadBytesOrError: number; kArrayBufferOffset: number };
};

function fromHandle(): Input | undefined {
  try {
    const { binding } = process as unknown as { binding<Name extends keyof Bindings>(of: Name): Bindings[Name] };
    const { Pipe, constants } = binding('pipe_wrap');
    const { streamBaseState: state, kReadBytesOrError: bytes, kArrayBufferOffset: offset } = binding('stream_wrap');
    const handle = new Pipe(constants.SOCKET);
    if ([state[bytes], state[offset]].includes(undefined) || handle.open(STDIN) !== 0) return undefined;
    return (give) => {
      handle.onread = (buffer: ArrayBuffer | undefined) => {
        const read = state[bytes] ?? 0;
        if (read === 0) return; // nothing yet
        handle.readStop();
        give(read < 0 || !buffer ? undefined : Buffer.from(buffer, state[offset], read));
      };
      if (handle.readStart() !== 0) give(undefined);
    };
  } catch {
    return undefined; // not handed out: a later Node, or its permission model
  }
}

function fromStream(stream: Readable): Input {
  return (give) => {
    const once = (chunk: Buffer | undefined): void => {
      stream.off('data', once).off('end', end).off('error', end).pause();
      give(chunk);
    };
    const end = (): void => once(undefined);
    stream.on('data', once).on('end', end).on('error', end).resume(); // once paused it does not flow by itself again
  };
}
