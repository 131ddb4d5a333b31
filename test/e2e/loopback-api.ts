// A scripted Messages API on loopback: what the real client is made to talk to, so that a test sees what a model would see.

import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type ToolCall = { name: string; input: object };
export type Turn = {
  text?: string;
  tools?: ToolCall[];
  /** Serve it only to a conversation whose first message contains this: a subagent has its own. */
  when?: string;
  /** Says what depends on what was asked, in place of `text` and `tools`. */
  reply?: (request: ApiRequest) => { text?: string; tools?: ToolCall[] };
  /** As many tokens as the client shall believe it has used: enough of them, and it compacts. */
  tokens?: number;
};

type Message = {
  role: string;
  content: string | { type: string; text?: string; content?: unknown; is_error?: boolean }[];
};
export type ApiRequest = {
  model: string;
  system?: unknown;
  messages: Message[];
  tools?: { name: string }[];
  stream?: boolean;
};

export type LoopbackApi = { url: string; requests: ApiRequest[]; close(): Promise<void> };

/** The client wants a summary before it compacts a conversation. */
const SUMMARY_WANTED = 'CRITICAL: Respond with TEXT ONLY';
/** It says nothing, so that whatever is known afterwards comes from elsewhere. */
const SUMMARY: Turn = { text: '<summary>The conversation went well.</summary>' };

/** Replies with the turns in order, then with "Done."; requests without tools (titles and such) get a reply of their own. */
export async function startApi(turns: readonly Turn[]): Promise<LoopbackApi> {
  const left = [...turns];
  const requests: ApiRequest[] = [];
  let served = 0;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url?.split('?')[0];
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as ApiRequest;
      if (path === '/v1/messages/count_tokens') return send(response, { input_tokens: 100 });
      if (request.method !== 'POST' || path !== '/v1/messages') {
        response.writeHead(404, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ type: 'error', error: { type: 'not_found_error', message: 'not here' } }));
      }
      const wantsSummary = JSON.stringify(sinceLastAnswer(body)).includes(SUMMARY_WANTED);
      const main = (body.tools?.length ?? 0) > 0 && !wantsSummary;
      if (main) requests.push(body);
      const turn = main ? said(next(left, body), body) : wantsSummary ? SUMMARY : { text: '{"title":"a title"}' };
      const message = messageOf(turn, body.model, ++served);
      return body.stream ? stream(response, message) : send(response, message);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The client may append what it has to tell besides, as a message of its own: what is wanted is not always the last one. */
const sinceLastAnswer = ({ messages = [] }: ApiRequest): Message[] =>
  messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);

function next(left: Turn[], body: ApiRequest): Turn {
  const first = JSON.stringify(body.messages[0] ?? '');
  const at = left.findIndex((turn) =>
    turn.when === undefined
      ? !left.some((each) => each.when !== undefined && first.includes(each.when))
      : first.includes(turn.when),
  );
  return at === -1 ? { text: 'Done.' } : left.splice(at, 1)[0]!;
}

/** A script that fails says so where the test looks: in the conversation. */
function said(turn: Turn, body: ApiRequest): Turn {
  if (!turn.reply) return turn;
  try {
    return { ...turn, ...turn.reply(body) };
  } catch (error) {
    return { text: `The script failed: ${String(error)}` };
  }
}

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: object };

function messageOf(turn: Turn, model: string, serial: number) {
  const content: Block[] = [];
  if (turn.text !== undefined) content.push({ type: 'text', text: turn.text });
  for (const [at, tool] of (turn.tools ?? []).entries()) {
    content.push({ type: 'tool_use', id: `toolu_${serial}_${at}`, name: tool.name, input: tool.input });
  }
  return {
    id: `msg_${serial}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: turn.tools?.length ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: turn.tokens ?? 100,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 20,
    },
  };
}

function send(response: http.ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function stream(response: http.ServerResponse, message: ReturnType<typeof messageOf>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const event = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  event('message_start', { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of message.content.entries()) {
    const empty = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
    const delta =
      block.type === 'text'
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    event('content_block_start', { index, content_block: empty });
    event('content_block_delta', { index, delta });
    event('content_block_stop', { index });
  }
  event('message_delta', { delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: message.usage });
  event('message_stop', {});
  response.end();
}

/** All text that the model was sent in one request, the system prompt left out. */
export function seenByModel(request: ApiRequest | undefined): string {
  return (request?.messages ?? [])
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : content.map((block) => block.text ?? JSON.stringify(block)),
    )
    .join('\n');
}
