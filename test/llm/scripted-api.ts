// A model's endpoint on loopback that does what a script says, one step per request: answers, refusals, garbage, silence. It
// speaks Anthropic's and OpenAI's language, and streams where it is asked to, as the real client does.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Step =
  | { readonly say: string; readonly stop?: string; readonly usage?: object | null }
  | { readonly status: number; readonly message?: string; readonly headers?: http.OutgoingHttpHeaders }
  /** These bytes as they are, with status 200. */
  | { readonly raw: string }
  /** Nothing, until the other side gives up. */
  | { readonly hang: true }
  /** Half an answer, then the line is cut. */
  | { readonly drop: string };

export type Received = {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: whatever a client sends; tests look into it
  readonly body: any;
};

export type ScriptedApi = { readonly url: string; readonly requests: Received[]; close(): Promise<void> };

/** Past the end of the script, its last step is repeated. A function may look at the request. */
export async function scriptedApi(script: readonly Step[] | ((request: Received) => Step)): Promise<ScriptedApi> {
  const requests: Received[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      if (request.method !== 'POST') return response.writeHead(404).end();
      const received = { path: request.url!.split('?')[0]!, headers: request.headers, body: JSON.parse(text || '{}') };
      requests.push(received);
      const step =
        typeof script === 'function' ? script(received) : script[Math.min(requests.length, script.length) - 1]!;
      return play(step, received, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close };
}

/** The same for one test. */
export async function apiForTest(script: Parameters<typeof scriptedApi>[0]): Promise<ScriptedApi> {
  const api = await scriptedApi(script);
  onTestFinished(() => api.close());
  return api;
}

function play(step: Step, { path, body }: Received, response: http.ServerResponse): unknown {
  if ('hang' in step) return undefined;
  if ('drop' in step) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(step.drop.length + 100) });
    return response.write(step.drop, () => response.destroy());
  }
  if ('raw' in step) return response.writeHead(200, { 'content-type': 'application/json' }).end(step.raw);
  if ('status' in step) {
    const error = { type: 'scripted_error', message: step.message ?? `scripted ${step.status}` };
    response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers });
    return response.end(JSON.stringify({ type: 'error', error }));
  }
  if (path.endsWith('/chat/completions')) return send(response, completionOf(step, body.model));
  return body.stream ? stream(response, messageOf(step, body.model)) : send(response, messageOf(step, body.model));
}

type Saying = Extract<Step, { say: string }>;

const completionOf = ({ say, stop = 'stop', usage }: Saying, model: string): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: say }, finish_reason: stop }],
  ...(usage === null ? {} : { usage: usage ?? { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } }),
});

const messageOf = ({ say, stop = 'end_turn', usage }: Saying, model: string) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  content: [{ type: 'text', text: say }],
  stop_reason: stop,
  stop_sequence: null,
  usage: usage ?? { input_tokens: 100, cache_creation_input_tokens: 7, cache_read_input_tokens: 5, output_tokens: 20 },
});

function send(response: http.ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function stream(response: http.ServerResponse, message: ReturnType<typeof messageOf>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  event('message_start', { message: { ...message, content: [], stop_reason: null } });
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: message.content[0]!.text } });
  event('content_block_stop', { index: 0 });
  event('message_delta', { delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: message.usage });
  event('message_stop', {});
  response.end();
}
