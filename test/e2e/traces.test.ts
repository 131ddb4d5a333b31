// A conversation on the real client is indexed while it goes on: what was said comes out of the memory with its source line,
// and a secret in it does not.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_VERSION, findClient, makePlace, type Place, removePlace, runClient, settled } from './client.ts';

const BINARY = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
const SECRET = `sk-ant-api03-${'q'.repeat(93)}AA`;
const client = findClient();

let place: Place;
let topics: Topic[];

function cairn<T>(...args: string[]): T {
  const env = { PATH: process.env.PATH, HOME: place.home, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  return JSON.parse(
    execFileSync(process.execPath, [BINARY, ...args], { cwd: place.project, env, encoding: 'utf8' }),
  ) as T;
}

type Topic = { ref: string; name: string; source: { file: string } };
type Shown = {
  document: { kind: string; text: string; source: { file: string; line: number } };
  inside: { ref: string; kind: string; text: string }[];
  around: { from: string; lines: { line: number; who: string; text: string }[] };
};

/** What was said in the topic: it is made of exchanges, and these of statements. */
const said = (): Shown['inside'] =>
  cairn<Shown>('show', topics[0]!.ref, '--json').inside.flatMap(
    ({ ref }) => cairn<Shown>('show', ref, '--json').inside,
  );

describe.skipIf(!client)(`conversations on Claude Code ${CLIENT_VERSION}`, { timeout: 240_000 }, () => {
  beforeAll(async () => {
    place = makePlace();
    await runClient({
      place,
      prompt: `How shall we keep the ledger of the shop? The key is ${SECRET}.`,
      turns: [{ text: 'We decided to use Postgres for the ledger, because the bookkeeping needs transactions.' }],
      env: { CAIRN_EMBEDDINGS_PROVIDER: 'none' },
    });
    await settled(place);
    ({ topics } = cairn<{ topics: Topic[] }>('topics', '--json'));
  }, 240_000);
  afterAll(() => removePlace(place));

  it('become a topic with the question and the decision', () => {
    expect(topics).toHaveLength(1);
    expect(said().map(({ kind }) => kind)).toContain('question');
    expect(said().find(({ kind }) => kind === 'decision')?.text).toContain('We decided to use Postgres for the ledger');
  });

  it('say in which line of which transcript something was said', () => {
    const decision = said().find(({ kind }) => kind === 'decision')!;
    const { document, around } = cairn<Shown>('show', decision.ref, '--json');
    const line = fs.readFileSync(document.source.file, 'utf8').split('\n')[document.source.line - 1]!;
    expect(line).toContain('We decided to use Postgres');
    expect(around.lines.map(({ who }) => who)).toEqual(expect.arrayContaining(['user', 'assistant']));
  });

  it('leave no secret behind', () => {
    const root = path.join(place.home, '.cairn');
    for (const name of fs.readdirSync(root, { recursive: true }).map(String)) {
      const file = path.join(root, name);
      if (fs.statSync(file).isFile()) expect(fs.readFileSync(file).includes(SECRET), name).toBe(false);
    }
  });

  it('outlive the transcript', () => {
    fs.rmSync(topics[0]!.source.file);
    const report = cairn<{ prompts: number; failed: unknown[] }>('reindex', '--json');
    expect(report).toMatchObject({ prompts: 1, failed: [] });
    const { topics: again } = cairn<{ topics: Topic[] }>('topics', '--json');
    expect(again.map(({ ref, name }) => [ref, name])).toEqual(topics.map(({ ref, name }) => [ref, name]));
    expect(cairn<Shown>('show', again[0]!.ref, '--json').around.from).toBe('archive');
  });
});
