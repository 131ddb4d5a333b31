// The world as a command sees it: where it was started, where it prints, whom it can ask. Tests pass their own.

import process from 'node:process';
import { CairnError } from '../../errors.ts';

export type Io = {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** A person is there to read and to answer. */
  readonly interactive: boolean;
  out(text: string): void;
  err(text: string): void;
  /** One answer; `undefined` if nobody is there or the input ended. */
  ask(question: string): Promise<string | undefined>;
  readStdin(): Promise<string>;
};

const MAX_STDIN_BYTES = 8 * 1024 * 1024;

export function terminalIo(): Io {
  // `cairn list | head` closes our output early: that is the reader's good right, not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exitCode = 0;
    else throw error;
  });
  return {
    cwd: process.cwd(),
    env: process.env,
    interactive: Boolean(process.stdin.isTTY && process.stdout.isTTY),
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(`${text}\n`),
    ask,
    readStdin,
  };
}

async function ask(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)));
    return await Promise.race([reader.question(question), closed]);
  } finally {
    reader.close();
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += (chunk as Buffer).length;
    if (size > MAX_STDIN_BYTES)
      throw new CairnError('INPUT_ERROR', `Standard input is larger than ${MAX_STDIN_BYTES} bytes.`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
