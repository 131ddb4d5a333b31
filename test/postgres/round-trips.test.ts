// How often one question of a person goes to the server and back: the way there counts as often, and a prompt waits 300 ms in all.
// What does not depend on each other is asked at once, on a real server, and counted on the wire.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recall } from '../../src/recall/recall.ts';
import { connectWithPg } from '../../src/store/postgres/driver.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Change, Store } from '../../src/store/store.ts';
import { postgresBinaries, type Server, startServer } from '../fixtures/postgres-server.ts';
import { Way } from '../fixtures/way-to-server.ts';

const PROJECT = 'github.com/acme/shop';
const NOW = Date.UTC(2026, 4, 1);
const MODEL = 'made up';
const WORDS = ['ledger', 'invoice', 'printer', 'gateway', 'cookie', 'session', 'token', 'queue', 'worker', 'mailer'];
/** As it is built. Before anything was asked at once: 12 for a question by words, 18 with vectors, 10 for a part of a prompt. */
const MOST = { words: 7, vectors: 13, prompt: 7 };
/** A long answer may come in parts, between which the next question goes off: still fewer than one after the other. */
const PARTS = 2;

describe.skipIf(postgresBinaries() === undefined)('a recall from a server', () => {
  let server: Server;
  let way: Way;
  let store: Store;
  /** How deep what was asked stood upon what had been answered, and how much was asked. */
  const asked = { depth: 0, answered: 0, statements: 0 };

  beforeAll(async () => {
    server = await startServer();
    way = await Way.to(server.port);
    way.delayMs = 30;
    const place = { connection: {}, where: 'the server', schema: 'trips', machine: 'test' };
    store = await openPostgresStore(place, { connect });
    await store.apply(changes());
  }, 120_000);
  afterAll(async () => {
    await store?.close();
    await way?.close();
    await server?.remove();
  });

  function connect(searchPath: readonly string[]) {
    const connection = { host: '127.0.0.1', port: way.port, user: 'postgres', database: 'postgres' };
    const made = connectWithPg({ connection, searchPath });
    return async () => {
      const session = await made();
      return {
        get isAlive() {
          return session.isAlive;
        },
        exec: session.exec,
        close: session.close,
        query: async (...given: Parameters<typeof session.query>) => {
          const depth = asked.answered + 1;
          asked.statements++;
          asked.depth = Math.max(asked.depth, depth);
          const rows = await session.query(...given);
          asked.answered = Math.max(asked.answered, depth);
          return rows;
        },
      };
    };
  }

  /** Statements in exchanges in topics, with names, successors and vectors: all that a recall looks for is there. */
  function changes(): Change[] {
    const vector = (n: number) => Float32Array.from({ length: 32 }, (_, at) => Math.sin(n * 31 + at));
    const document = (ref: string, n: number, more: object) => ({
      ...{ ref, project: PROJECT, layer: 'trace', status: 'active', tags: [], confidence: 0.9, hash: `hash ${ref}` },
      ...{ createdAt: NOW - n * 60_000, updatedAt: NOW - n * 60_000, session: 's', ...more },
    });
    const puts = Array.from({ length: 200 }, (_, n): Change[] => {
      const [one, two] = [WORDS[n % 10]!, WORDS[(n * 7 + 3) % 10]!];
      const text = `We decided that the ${one} number ${n} goes to the ${two}.`;
      const exchange = `span:s#${n >> 2}`;
      const spans: Change[] =
        n % 4 === 0
          ? [
              {
                op: 'put',
                document: {
                  ...document(exchange, n, { kind: 'span', title: one, text: one, span: 'span:s' }),
                } as never,
              },
            ]
          : [];
      const links = n > 0 && n % 5 === 0 ? [{ to: `idea:${n - 5}`, relation: 'supersedes', confidence: 1 }] : [];
      return [
        ...spans,
        {
          op: 'put',
          document: document(`idea:${n}`, n, { kind: 'decision', title: text, text, span: exchange }) as never,
          links: links as never,
          mentions: [{ entity: one, kind: 'tool', count: 1 }] as never,
        },
      ];
    }).flat();
    const top: Change = {
      op: 'put',
      document: document('span:s', 0, { kind: 'span', title: 'The shop', text: 'The shop' }) as never,
    };
    const vectors = Array.from({ length: 200 }, (_, n) => ({
      hash: `hash idea:${n}`,
      model: MODEL,
      vector: vector(n),
    }));
    return [top, ...puts, { op: 'vectors', vectors }];
  }

  it.each(['words', 'vectors', 'prompt'] as const)('goes there a bounded number of times (%s)', async (how) => {
    const embedder = {
      model: MODEL,
      embed: (texts: readonly string[]) =>
        Promise.resolve(texts.map(() => Float32Array.from({ length: 32 }, (_, at) => Math.cos(at)))),
    };
    const deps = { store, now: NOW, ...(how === 'vectors' ? { embedder } : {}) };
    const query = {
      ...{ query: 'why does the ledger of the invoice go to the printer?', projects: [PROJECT], limit: 10 },
      ...(how === 'prompt' ? { narrow: false, unasked: { isTelling: () => true } } : {}),
    };
    await recall(deps, query as never); // names that do not change are known from here on
    // The best of five: what a busy machine sends too late goes by itself, and what is not built to go together never does.
    const counts: { depth: number; trips: number }[] = [];
    for (let tries = 0; tries < 5; tries++) {
      Object.assign(asked, { depth: 0, answered: 0, statements: 0 });
      const before = way.trips;
      const { results } = await recall(deps, query as never);
      expect(results.length).toBeGreaterThan(3);
      expect(asked.statements).toBeGreaterThan(asked.depth); // some of it went together
      counts.push({ depth: asked.depth, trips: way.trips - before });
    }
    expect(Math.min(...counts.map(({ depth }) => depth))).toBeLessThanOrEqual(MOST[how] + PARTS);
    expect(Math.min(...counts.map(({ trips }) => trips))).toBeLessThanOrEqual(MOST[how] + PARTS); // on the wire
  });

  it('sends what is asked at once at once', async () => {
    const before = way.trips;
    await Promise.all(Array.from({ length: 20 }, (_, n) => store.get({ refs: [`idea:${n}`] })));
    expect(way.trips - before).toBe(1);
  });
});
