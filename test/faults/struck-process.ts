// A process that goes one writing path and waits for the word at which of its calls it is to be struck (struck-writer.ts).

import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { Bundle } from '../fixtures/bundle.ts';
import type { Site, WritingPath } from './writing-paths.ts';

const PRELOAD = path.join(import.meta.dirname, 'failing-fs.cjs');

export type Struck = {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  readonly ended: Promise<{ signal: string | null; said: string }>;
  strike(fault: string, at: number): void;
};

export function startStruck(program: Bundle, writingPath: WritingPath, site: Site): Struck {
  const child = spawn(process.execPath, ['--require', PRELOAD, program.file, writingPath.name, site.base], {
    stdio: 'pipe',
  });
  let said = '';
  const ready = new Promise<void>((resolve) =>
    child.stdout.on('data', (chunk: Buffer) => {
      said += String(chunk);
      if (said.includes('ready\n')) resolve();
    }),
  );
  child.stderr.on('data', (chunk: Buffer) => {
    said += String(chunk);
  });
  const ended = new Promise<{ signal: string | null; said: string }>((resolve) =>
    child.on('close', (_, signal) => resolve({ signal, said })),
  );
  return { child, ready, ended, strike: (fault, at) => void child.stdin.write(`${fault} ${at}\n`) };
}
