// The server of the viewer: node:http on the loopback address, one page, one API. It decides who is let in (guard.ts), finds the
// route, and prints what the route answers; what is shown is made by viewer-api/.

import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CairnError, isSystemError } from '../../errors.ts';
import { parseJson } from '../../model/json.ts';
import { type Contract, ROUTES } from '../../viewer-api/protocol.ts';
import { Viewer, type ViewerOptions } from '../../viewer-api/viewer.ts';
import { ChangeStream } from './change-stream.ts';
import { errorAnswer, refusalAnswer } from './error-answer.ts';
import { HEADERS, Pass, type Refusal, refuseForeign, refuseWrite } from './guard.ts';
import type { PageFile, PageFiles } from './page-files.ts';
import { Body, Query } from './read-query.ts';
import { HANDLERS, routeAt } from './routes.ts';

export type ServerOptions = ViewerOptions & {
  readonly page: PageFiles;
  /** 0 or absent: any that is free. */
  readonly port?: number;
  /** How often open pages are told of changes. */
  readonly lookMs?: number;
};

export type ViewerServer = {
  readonly port: number;
  /** With the token: good as long as the server runs. */
  readonly address: string;
  /** With a code: good once, soon. */
  passingAddress(): string;
  close(): Promise<void>;
};

export const LOOPBACK = '127.0.0.1';
const MAX_BODY = 512 * 1024;
const MAX_URL = 16 * 1024;
/** How long open requests may take once the end has been asked for. */
const GRACE_MS = 2_000;

export async function startServer(options: ServerOptions): Promise<ViewerServer> {
  const { page, port = 0, lookMs, ...viewerOptions } = options;
  const viewer = new Viewer(viewerOptions);
  const changes = new ChangeStream(viewer, lookMs === undefined ? {} : { lookMs });
  const pass = new Pass();
  const project: Project = { viewer, changes, pass, page, port: () => (server.address() as AddressInfo).port };
  const server = http.createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    answer(project, request, response).catch((error: unknown) => sendError(response, error));
  });
  server.maxConnections = 200;
  await listen(server, port);
  const base = `http://${LOOPBACK}:${project.port()}/`;
  // What takes a moment is opened before it is asked for; what fails here is told to whoever asks.
  const warming = viewer.warm().catch(() => undefined);
  return {
    port: project.port(),
    address: `${base}#token=${pass.token}`,
    passingAddress: () => `${base}#code=${pass.newCode()}`,
    async close() {
      changes.close();
      await closed(server);
      await warming;
      await viewer.close();
    },
  };
}

type Project = {
  readonly viewer: Viewer;
  readonly changes: ChangeStream;
  readonly pass: Pass;
  readonly page: PageFiles;
  port(): number;
};

function listen(server: http.Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        isSystemError(error, 'EADDRINUSE', 'EACCES')
          ? new CairnError('IO_ERROR', `The port ${port} cannot be used: ${error.message}.`, {
              fix: 'Choose another with --port, or leave it out to take any that is free.',
            })
          : error,
      ),
    );
    server.listen(port, LOOPBACK, resolve);
  });
}

function closed(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}

async function answer(project: Project, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  const refusal = refuseForeign(request.headers, project.port());
  if (refusal) return refuse(request, response, refusal);
  const url = addressOf(request);
  if (url === undefined)
    return refuse(request, response, { status: 400, code: 'BAD_REQUEST', message: 'The address cannot be read.' });
  if (url.pathname.startsWith('/api/')) return answerApi(project, url, request, response);
  const file = project.page.get(url.pathname);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(request, response, { status: 405, code: 'BAD_REQUEST', message: 'Pages are only read.' });
  if (!file) return refuse(request, response, { status: 404, code: 'NOT_FOUND', message: 'There is no such page.' });
  sendFile(response, file, request.method === 'HEAD');
}

/** Only as a path: what names another host, or is no address at all, is none of ours. */
function addressOf({ url = '' }: IncomingMessage): URL | undefined {
  if (!url.startsWith('/') || url.startsWith('//') || url.length > MAX_URL) return undefined;
  return URL.canParse(url, `http://${LOOPBACK}`) ? new URL(url, `http://${LOOPBACK}`) : undefined;
}

async function answerApi(
  project: Project,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('cache-control', 'no-store');
  const name = routeAt(url.pathname);
  if (name !== 'enter') {
    const refusal = project.pass.refuse(request.headers);
    if (refusal) return refuse(request, response, refusal);
  }
  if (name === undefined)
    return refuse(request, response, { status: 404, code: 'NOT_FOUND', message: 'There is no such route.' });
  const { method } = ROUTES[name];
  if (request.method !== method) {
    response.setHeader('allow', method);
    return refuse(request, response, { status: 405, code: 'BAD_REQUEST', message: `It takes ${method}.` });
  }
  const refusal = method === 'POST' ? refuseWrite(request.headers) : undefined;
  if (refusal) return refuse(request, response, refusal);
  const body = method === 'POST' ? await bodyOf(request) : undefined;
  if (body instanceof Refused) return refuse(request, response, body.refusal);
  if (name === 'enter') return sendJson(response, 200, enter(project.pass, body));
  if (name === 'changes') return stream(project, request, response);
  sendJson(response, 200, await HANDLERS[name](project.viewer, { query: new Query(url.searchParams), body }));
}

function enter(pass: Pass, body: unknown): Contract['enter']['answer'] {
  const token = pass.enter(new Body(body).text('code'));
  if (token !== undefined) return { token };
  throw new CairnError('SECURITY_ERROR', 'This address was used already, or is too old.', {
    fix: 'Use the address that `cairn ui` printed, or start it again.',
  });
}

function stream({ changes }: Project, request: IncomingMessage, response: ServerResponse): void {
  if (changes.isFull) {
    refuse(request, response, { status: 503, code: 'BAD_REQUEST', message: 'Too many pages are open.' });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
  changes.add(response);
}

class Refused {
  readonly refusal: Refusal;
  constructor(status: number, code: string, message: string) {
    this.refusal = { status, code, message };
  }
}

/** A larger body is not read to its end. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const tooLarge = new Refused(413, 'TOO_LARGE', `A change may have ${MAX_BODY} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) return tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY) return tooLarge;
    chunks.push(chunk as Buffer);
  }
  const body = parseJson(Buffer.concat(chunks).toString('utf8'));
  return body === undefined ? new Refused(400, 'BAD_REQUEST', 'The body is no JSON.') : body;
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  // What was not read of the request cannot be followed by another one.
  if (!request.complete) response.setHeader('connection', 'close');
  sendJson(response, refusal.status, refusalAnswer(refusal));
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, body } = errorAnswer(error);
  sendJson(response, status, body);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const bytes = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

function sendFile(response: ServerResponse, { bytes, type, lasting }: PageFile, headOnly: boolean): void {
  response.writeHead(200, {
    'content-type': type,
    'content-length': bytes.length,
    // The names of lasting files change with what is in them.
    'cache-control': lasting ? 'private, max-age=31536000, immutable' : 'no-store',
  });
  response.end(headOnly ? undefined : bytes);
}
