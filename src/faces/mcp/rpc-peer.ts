// JSON-RPC 2.0 in lines: the wire of the server, without a word about memory. Whatever comes in, it answers or passes over;
// nothing that a client sends can end the process. (A library for this would cost more to load than all of Cairn.)

import { messageOf } from '../../errors.ts';
import { isObject, type JsonObject, parseJson } from '../../model/json.ts';

export type RpcId = string | number;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** An answer of the protocol itself; what a tool could not do is a result of that tool instead. */
export class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export type RpcHandlers = {
  request(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown>;
  notification(method: string, params: JsonObject): void;
  /** A fault of ours, for the log: the client is told no more than that there was one. */
  fault(error: unknown): void;
};

/** As much as a hook may bring: a tool call with the file that it wrote, before and after. */
const MAX_LINE = 32 * 1024 * 1024;
const NEWLINE = 0x0a;

export class RpcPeer {
  readonly #write: (line: string) => void;
  readonly #handlers: RpcHandlers;
  readonly #running = new Map<RpcId, AbortController>();
  readonly #asked = new Map<RpcId, (answer: JsonObject) => void>();
  #chunks: Buffer[] = [];
  #size = 0;
  #asks = 0;

  constructor(write: (line: string) => void, handlers: RpcHandlers) {
    this.#write = write;
    this.#handlers = handlers;
  }

  /** How many requests are being worked on. */
  get running(): number {
    return this.#running.size;
  }

  feed(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at));
      from = at + 1;
      this.#line();
    }
    this.#keep(chunk.subarray(from));
  }

  /** Of a line that is too long only its length is kept. */
  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > MAX_LINE) this.#chunks = [];
    else if (part.length > 0) this.#chunks.push(part);
  }

  #line(): void {
    const isTooLong = this.#size > MAX_LINE;
    const text = Buffer.concat(this.#chunks).toString('utf8').trim();
    this.#chunks = [];
    this.#size = 0;
    if (isTooLong) this.#fail(null, INVALID_REQUEST, `A message may have ${MAX_LINE} bytes at most.`);
    else if (text !== '') this.#read(text);
  }

  #read(text: string): void {
    const message = parseJson(text);
    if (message === undefined) this.#fail(null, PARSE_ERROR, 'This line is not JSON.');
    else if (isObject(message)) this.#take(message);
    else this.#fail(null, INVALID_REQUEST, 'A message is one JSON object.');
  }

  #take(message: JsonObject): void {
    const { id, method } = message;
    const params = isObject(message.params) ? message.params : {};
    if (typeof method === 'string') {
      if (id === undefined) this.#notified(method, params);
      else if (isId(id)) void this.#answer(id, method, params);
      else this.#fail(null, INVALID_REQUEST, 'An id is a string or a number.');
    } else if (isId(id) && ('result' in message || 'error' in message)) {
      this.#asked.get(id)?.(message);
      this.#asked.delete(id);
    } else this.#fail(isId(id) ? id : null, INVALID_REQUEST, 'The message has no method.');
  }

  #notified(method: string, params: JsonObject): void {
    if (method === 'notifications/cancelled') {
      if (isId(params.requestId)) this.#running.get(params.requestId)?.abort();
      return;
    }
    try {
      this.#handlers.notification(method, params);
    } catch (error) {
      this.#handlers.fault(error);
    }
  }

  async #answer(id: RpcId, method: string, params: JsonObject): Promise<void> {
    const work = new AbortController();
    this.#running.set(id, work);
    try {
      const result = await this.#handlers.request(method, params, work.signal);
      if (!work.signal.aborted) this.#send({ id, result });
    } catch (error) {
      if (!(error instanceof RpcError)) this.#handlers.fault(error);
      const code = error instanceof RpcError ? error.code : INTERNAL_ERROR;
      if (!work.signal.aborted) this.#fail(id, code, messageOf(error));
    } finally {
      if (this.#running.get(id) === work) this.#running.delete(id);
    }
  }

  /** Asks the client. `undefined` if it refuses, or does not answer in time. */
  ask(method: string, timeoutMs: number): Promise<unknown> {
    const id = `cairn-${++this.#asks}`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#asked.delete(id);
        resolve(undefined);
      }, timeoutMs);
      this.#asked.set(id, ({ result }) => {
        clearTimeout(timer);
        resolve(result);
      });
      this.#send({ id, method });
    });
  }

  #fail(id: RpcId | null, code: number, message: string): void {
    this.#send({ id, error: { code, message } });
  }

  #send(message: object): void {
    this.#write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

const isId = (value: unknown): value is RpcId =>
  (typeof value === 'string' && value.length <= 1_000) || (typeof value === 'number' && Number.isFinite(value));
