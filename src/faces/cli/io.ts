// The world as a command sees it: where it was started, where it prints, whom it can ask. Tests pass their own.

import fs from 'node:fs';
import process from 'node:process';
import { CairnError, isSystemError } from '../../errors.ts';

export type Io = {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** A person is there to read and to answer. */
  readonly interactive: boolean;
  /** The width of the terminal; absent where the output goes elsewhere. */
  readonly columns?: number | undefined;
  out(text: string): void;
  err(text: string): void;
  /** One answer; `undefined` if nobody is there or the input ended. */
  ask(question: string): Promise<string | undefined>;
  readStdin(): Promise<string>;
  /** One answer that is not shown while it is typed. */
  askSecret?(question: string): Promise<string | undefined>;
};

const WIDTH = 80;
const WIDEST = 120;

/** As wide as the terminal, as far as lines can be read; or what COLUMNS says. */
export const widthOf = ({ columns, env }: Io): number =>
  Math.min(WIDEST, columns || Number.parseInt(env.COLUMNS ?? '', 10) || WIDTH);

const MAX_STDIN_BYTES = 8 * 1024 * 1024;

const [STDIN, STDOUT, STDERR] = [0, 1, 2];

export function terminalIo(): Io {
  return {
    cwd: process.cwd(),
    env: process.env,
    get interactive() {
      return isTerminal(STDIN) && isTerminal(STDOUT);
    },
    get columns() {
      return isTerminal(STDOUT) ? process.stdout.columns : undefined;
    },
    out: printer(STDOUT),
    err: printer(STDERR),
    ask,
    readStdin,
    askSecret,
  };
}

/** Node's own streams take a tenth of a small command to load; they are needed for terminals only. */
function isTerminal(descriptor: number): boolean {
  try {
    if (!fs.fstatSync(descriptor).isCharacterDevice()) return false;
  } catch (error) {
    if (isSystemError(error)) return false; // closed
    throw error;
  }
  return Boolean(
    (descriptor === STDIN ? process.stdin : descriptor === STDOUT ? process.stdout : process.stderr).isTTY,
  );
}

function printer(descriptor: number): (text: string) => void {
  let gone = false;
  return (text) => {
    if (isTerminal(descriptor)) (descriptor === STDOUT ? process.stdout : process.stderr).write(`${text}\n`);
    else if (!gone) gone = !writeAll(descriptor, Buffer.from(`${text}\n`));
  };
}

/** False if nobody reads: `cairn list | head` closes our output early, and that is the reader's good right. */
function writeAll(descriptor: number, bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(descriptor, bytes, at);
    } catch (error) {
      if (isSystemError(error, 'EPIPE', 'EBADF', 'EOF')) return false;
      if (!isSystemError(error, 'EAGAIN')) throw error;
      pause(); // a pipe that is full, and whose reader is slow
    }
  }
  return true;
}

const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);

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

const [BACKSPACE, DELETE, CTRL_C, CTRL_D] = ['\b', '\x7f', '\x03', '\x04'];

/** Keys come one by one, and none of them is printed. */
function askSecret(question: string): Promise<string | undefined> {
  const { stdin } = process;
  process.stderr.write(question);
  stdin.setRawMode(true);
  stdin.resume();
  let typed = '';
  return new Promise((resolve) => {
    const end = (answer: string | undefined): void => {
      stdin.removeListener('data', onData);
      stdin.setRawMode(false);
      stdin.pause();
      process.stderr.write('\n');
      resolve(answer);
    };
    const onData = (bytes: Buffer): void => {
      for (const key of bytes.toString('utf8')) {
        if (['\r', '\n', CTRL_C, CTRL_D].includes(key)) {
          end(key === CTRL_C ? undefined : typed);
          return;
        }
        typed = key === BACKSPACE || key === DELETE ? [...typed].slice(0, -1).join('') : typed + key;
      }
    };
    stdin.on('data', onData);
  });
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
