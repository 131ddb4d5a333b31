// The server as a client starts it: a real process, real pipes, a home that is empty.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { isObject, type JsonObject } from '../../src/model/json.ts';
import { temporaryFolder } from '../fixtures/temporary.ts';

export type Place = { base: string; home: string; project: string; env: { [name: string]: string } };

export function makePlace(): Place {
  const base = temporaryFolder();
  const [home, project] = [path.join(base, 'home'), path.join(base, 'project')];
  fs.mkdirSync(home);
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
  return { base, home, project, env: { PATH: process.env.PATH ?? '', HOME: home } };
}

export type Message = JsonObject & { result?: JsonObject; error?: { code: number; message: string } };

export class ServerProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly unasked: Message[] = [];
  /** Answers to what the server asks; without one it gets none. */
  answers: { [method: string]: unknown } = {};
  errors = '';
  readonly ended: Promise<number | null>;
  readonly #waiting = new Map<unknown, (message: Message) => void>();
  #asked = 0;
  #rest = '';

  constructor(program: string, { project, env }: Place, more: { env?: { [name: string]: string }; cwd?: string } = {}) {
    this.child = spawn(process.execPath, [program, 'mcp'], {
      cwd: more.cwd ?? project,
      env: { ...env, ...more.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stdin.on('error', () => undefined);
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk));
    this.child.stderr.on('data', (chunk: Buffer) => (this.errors += String(chunk)));
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  #read(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) this.#take(JSON.parse(line) as Message);
  }

  #take(message: Message): void {
    const { id, method } = message;
    if (typeof method === 'string' && id !== undefined && Object.hasOwn(this.answers, method)) {
      this.send({ jsonrpc: '2.0', id, result: this.answers[method] });
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) waiting(message);
    else this.unasked.push(message);
  }

  send(message: unknown): void {
    this.child.stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
  }

  request(method: string, params: JsonObject = {}): Promise<Message> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.send({ jsonrpc: '2.0', id, method, params });
    });
  }

  async start(params: JsonObject = {}): Promise<JsonObject> {
    const { result } = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'claude-code', version: '2.1.325' },
      ...params,
    });
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return result!;
  }

  /** A tool's result: its data, or the text of what it could not do. */
  async call(
    name: string,
    input: JsonObject = {},
    meta?: JsonObject,
  ): Promise<{ data: JsonObject; text: string; failed: boolean }> {
    const { result, error } = await this.request('tools/call', {
      name,
      arguments: input,
      ...(meta ? { _meta: meta } : {}),
    });
    if (error) throw new Error(error.message);
    const [content] = result!.content as { text: string }[];
    const data = isObject(result!.structuredContent) ? result!.structuredContent : {};
    return { data, text: content?.text ?? '', failed: result!.isError === true };
  }
}
