// A memory with something of every layer in it, and the real server of the viewer on it: real files, a real store, real sockets.

import { createHash } from 'node:crypto';
import http from 'node:http';
import path from 'node:path';
import { startServer, type ViewerServer } from '../../src/faces/web/server.ts';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { appendInjection } from '../../src/learning/injection-log.ts';
import { isObject, type JsonObject } from '../../src/model/json.ts';
import { TOKEN_HEADER } from '../../src/viewer-api/protocol.ts';
import { Cli } from '../fixtures/cli.ts';
import { newFolder, put } from '../fixtures/temporary.ts';

export const SESSION = '6d3b0f2e-9a41-4c55-8b1f-2f0b7f6f1c11';
/** Made for this test; it has the shape of one and opens nothing. */
export const SECRET = `ghp_${createHash('sha256').update('viewer').digest('hex').slice(0, 36)}`;
export const HTML = '<img src=x onerror=alert(1)><script>alert(2)</script>';

const PAGE = new Map([
  [
    '/',
    { bytes: Buffer.from('<!doctype html><title>Cairn</title>'), type: 'text/html; charset=utf-8', lasting: false },
  ],
  ['/assets/index-1.js', { bytes: Buffer.from('1;'), type: 'text/javascript; charset=utf-8', lasting: true }],
]);

export type Answer = { status: number; headers: http.IncomingHttpHeaders; text: string; json: JsonObject };
export type Asked = {
  method?: string;
  path?: string;
  headers?: { [name: string]: string | undefined };
  body?: string;
  query?: { [name: string]: string | number | boolean };
};

export class Served {
  readonly cli: Cli;
  readonly server: ViewerServer;
  readonly token: string;

  private constructor(cli: Cli, server: ViewerServer) {
    this.cli = cli;
    this.server = server;
    this.token = server.address.split('#token=')[1]!;
  }

  /** `fill: false` leaves the memory empty. */
  static async start({ fill = true }: { fill?: boolean } = {}): Promise<Served> {
    const cli = new Cli(newFolder());
    if (fill) await fillMemory(cli);
    const server = await startServer({ cwd: cli.project, env: envOf(cli), page: PAGE, lookMs: 50 });
    return new Served(cli, server);
  }

  async end(): Promise<void> {
    await this.server.close();
    await removeBusyFolder(this.cli.base);
  }

  get host(): string {
    return `127.0.0.1:${this.server.port}`;
  }

  /** The headers that our own page sends, but for what is changed. */
  ask({ method = 'GET', path: at = '/', headers = {}, body, query = {} }: Asked = {}): Promise<Answer> {
    const all = {
      host: this.host,
      [TOKEN_HEADER]: this.token,
      ...(method === 'POST' ? { origin: `http://${this.host}`, 'content-type': 'application/json' } : {}),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as {
      [name: string]: string;
    };
    const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    const search = new URLSearchParams(pairs).toString();
    return new Promise((resolve, reject) => {
      const request = http.request(
        { host: '127.0.0.1', port: this.server.port, method, path: search ? `${at}?${search}` : at, headers: sent },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: response.statusCode!, headers: response.headers, text, json: jsonOf(text) });
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  /** A call of the page that must succeed. */
  async get<T = JsonObject>(name: string, query: Asked['query'] = {}): Promise<T> {
    const { status, json, text } = await this.ask({ path: `/api/${name}`, query });
    if (status !== 200) throw new Error(`${name} answered ${status}: ${text}`);
    return json as T;
  }

  act(action: JsonObject): Promise<Answer> {
    return this.ask({ method: 'POST', path: '/api/act', body: JSON.stringify(action) });
  }
}

function jsonOf(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export const envOf = (cli: Cli): { [name: string]: string } => ({
  HOME: cli.home,
  PATH: process.env.PATH ?? '',
  CAIRN_EMBEDDINGS_PROVIDER: 'none',
});

async function fillMemory(cli: Cli): Promise<void> {
  put(path.join(cli.project, 'src/session.ts'), 'export const cookie = true;\n');
  const saved = [
    create(cli, 'sign-sessions', record('Sign sessions into a cookie', ['auth', 'cookie'])),
    create(cli, 'html-title', record(`Escape ${HTML}`, ['html'])),
  ];
  for (const each of await Promise.all(saved)) if (each.exit !== 0) throw new Error(each.out + each.err);
  put(
    path.join(cli.root, 'nodes/discoveries/discovery-cookie-limit.md'),
    [
      '---',
      'id: discovery-cookie-limit',
      'type: discovery',
      'created: 2026-03-01T10:00:00Z',
      'updated: 2026-03-01T10:00:00Z',
      'tags: [cookie]',
      'status: active',
      '---',
      '',
      '# Discovery: Cookies hold four kilobytes',
      '',
      '## Insight',
      'A cookie holds at most 4096 bytes, so [[record:decisions/sign-sessions]] keeps the session small.',
      '',
      '## Where Used',
      'src/session.ts',
      '',
    ].join('\n'),
  );
  const folder = path.join(cli.home, '.claude', 'projects', 'p');
  put(path.join(folder, `${SESSION}.jsonl`), transcript(cli.project));
  const { exit, out, err } = await cli.run(['backfill', '--no-vectors'], { env: envOf(cli) });
  if (exit !== 0) throw new Error(out + err);
  inject(cli, 'Where do sessions live?', '2026-03-02T10:00:00.000Z');
}

const create = (cli: Cli, name: string, made: JsonObject) =>
  cli.write('create', `decisions/${name}`, made, ['--category', 'decision']);

/** As the hook for prompts writes it. */
export function inject(cli: Cli, prompt: string, time = new Date().toISOString()): void {
  const entry = { ref: 'record:decisions/sign-sessions', project: cli.root, score: 1.5, relevance: 0.8, tokens: 40 };
  appendInjection(path.join(cli.home, '.cairn'), {
    time,
    event: 'UserPromptSubmit',
    session: SESSION,
    project: cli.project,
    prompt: { hash: createHash('sha256').update(prompt).digest('hex'), start: prompt },
    entries: [{ ...entry, why: [{ strategy: 'keyword', rank: 1 }] }],
    tokens: 40,
  });
}

export const record = (title: string, tags: readonly string[]): JsonObject => ({
  title,
  tags: [...tags],
  related_files: ['src/session.ts'],
  content: {
    status: 'accepted',
    context: 'Sessions must survive a restart of the server',
    decision: title,
    rationale: ['No state on the server'],
  },
});

function transcript(cwd: string): string {
  const said = [
    ['user', 'Should the session live in Redis or in a signed cookie?'],
    ['assistant', 'We decided to sign the session into a cookie, because Redis is one more thing to run.'],
    ['user', `The deploy token is ${SECRET}, please keep it out of the logs. ${HTML}`],
    [
      'assistant',
      'The problem was that the cookie grew over 4 KB. The fix is to keep only the user id in src/session.ts.',
    ],
    ['user', 'TODO: rotate the signing key every month. How do we roll back a bad key?'],
    ['assistant', 'I will write a runbook for the rotation of the signing key next.'],
  ] as const;
  return said
    .map(([role, text], at) => {
      const content = role === 'user' ? text : [{ type: 'text', text }];
      const message = { role, content, ...(role === 'assistant' ? { id: `msg_${at}`, type: 'message' } : {}) };
      const timestamp = new Date(Date.parse('2026-03-01T09:00:00Z') + at * 60_000).toISOString();
      return JSON.stringify({ type: role, sessionId: SESSION, cwd, uuid: `u${at}`, timestamp, message });
    })
    .join('\n')
    .concat('\n');
}
