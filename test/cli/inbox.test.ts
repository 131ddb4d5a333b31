// `cairn inbox`, and a record made of what was found: what doubles, contradicts or is out of date, and settling it.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Memory } from '../../src/app/memory.ts';
import { loadConfig } from '../../src/config/load.ts';
import { writeDraft } from '../../src/records/drafts.ts';
import { Cli } from '../fixtures/cli.ts';

type Side = { ref: string };
type Listed = { pairs: { kind: string; a: Side; b: Side }[]; stale: { ref: string }[]; drafts: { id: string }[] };

const NO_VECTORS = { env: { CAIRN_EMBEDDINGS_PROVIDER: 'none' } };
const REDIS = 'record:decisions/use-redis-for-login-sessions';
const POSTGRES = 'record:decisions/use-postgresql-for-login-sessions';
let cli: Cli;

const run = async (...argv: string[]): Promise<string> => {
  const { exit, out, err } = await cli.run(argv, NO_VECTORS);
  expect({ argv, exit, err: exit === 0 ? '' : err }).toEqual({ argv, exit: 0, err: '' });
  return out;
};
const inbox = (): Promise<Listed> => cli.json<Listed>(['inbox'], NO_VECTORS);
const shown = async (ref: string): Promise<string> => run('show', ref);

beforeEach(async () => {
  cli = new Cli();
  await run('save', 'decision', 'Use Redis for login sessions because it is quick', '--new');
  await run('save', 'decision', 'Use PostgreSQL for login sessions because we run it anyway', '--new');
});

describe('a contradiction', () => {
  it('is listed with what can be done, and told by recall', async () => {
    expect((await inbox()).pairs).toMatchObject([{ kind: 'contradiction' }]);
    expect(await run('inbox')).toMatch(
      /Contradictions \(1\)[\s\S]*cairn inbox supersede record:\S+ record:\S+ {2}\(or keep\)/,
    );
    expect(await run('remember', 'login sessions')).toContain(`contradicts ${REDIS}`);
  });

  it('is settled when one takes the place of the other, which stays with a link', async () => {
    expect(await run('inbox', 'supersede', POSTGRES, REDIS)).toBe(`Superseded: ${POSTGRES} holds instead of ${REDIS}`);
    expect((await inbox()).pairs).toEqual([]);
    const text = await run('remember', 'login sessions');
    expect(text).toContain(`supersedes ${REDIS}`);
    expect(text).not.toContain('contradicts');
    expect(text.indexOf('Use PostgreSQL')).toBeLessThan(text.indexOf('Use Redis'));
    expect(await shown(REDIS)).toContain(`Superseded by ${POSTGRES}`);
  });

  it('is left alone when both are kept, until one of them changes', async () => {
    await run('inbox', 'keep', 'use-redis', 'use-postgresql');
    expect((await inbox()).pairs).toEqual([]);
    expect(await run('remember', 'login sessions')).not.toContain('contradicts');
    await run('save', 'decision', 'Use Redis for login sessions because it is quick and small', '--update');
    expect((await inbox()).pairs).toHaveLength(1);
  });

  it('of a statement that was made later is settled by a record of it, with its source', async () => {
    talk('later-talk', 'Use PostgreSQL for login sessions from now on, not Redis. We decided that for good.');
    await run('retire', POSTGRES, '--yes');
    await cli.run(['backfill'], NO_VECTORS);
    const [pair] = (await inbox()).pairs;
    expect(pair).toMatchObject({
      kind: 'contradiction',
      a: { ref: expect.stringMatching(/^idea:/) },
      b: { ref: REDIS },
    });
    const report = await cli.json<{ ref: string }>(['inbox', 'supersede', pair!.a.ref, REDIS], NO_VECTORS);
    expect(await shown(report.ref)).toMatch(
      new RegExp(`From ${pair!.a.ref}: user said, \\d{4}-\\d\\d-\\d\\d, conversation later-talk, line 1`),
    );
    expect((await inbox()).pairs.filter(({ b }) => b.ref === REDIS)).toEqual([]);
  });
});

describe('doubles', () => {
  it('become one record with what both say; the other one is archived', async () => {
    await run(
      'save',
      'decision',
      'Sign invoices with the company key because auditors ask',
      '--new',
      '--tags',
      'audit',
    );
    await run(
      'save',
      'decision',
      'Sign all invoices with the company key because customers ask',
      '--new',
      '--tags',
      'law',
    );
    const pair = (await inbox()).pairs.find(({ kind }) => kind === 'double')!;
    await run('inbox', 'merge', pair.a.ref, pair.b.ref);
    const merged = JSON.parse((await shown(pair.a.ref)).split('\n').slice(2).join('\n')) as {
      tags: string[];
      content: { rationale: string[] };
    };
    expect(merged.tags).toEqual(['audit', 'law']);
    expect([...merged.content.rationale].sort()).toEqual(['auditors ask', 'customers ask']);
    expect(await shown(pair.b.ref)).toContain(`"archived_reason": "Merged into ${pair.a.ref}"`);
    expect((await inbox()).pairs.every(({ kind }) => kind !== 'double')).toBe(true);
  });

  it('of notes become one note with the sections of both', async () => {
    const title = 'Parse the price list of the supplier line by line';
    await run('note', 'new', 'discovery', title, '--id', 'discovery-a', '--section', 'Insight=It is large.');
    await run(
      'note',
      'new',
      'discovery',
      `${title} too`,
      '--id',
      'discovery-b',
      '--section',
      'Implications=Memory stays flat.',
    );
    await run('inbox', 'merge', 'discovery-a', 'discovery-b');
    expect(await run('note', 'show', 'discovery-a')).toMatch(/It is large\.[\s\S]*Memory stays flat\./);
    expect(await run('note', 'show', 'discovery-b')).toContain('status: superseded');
  });

  it('of two categories, or of a statement, are not merged', async () => {
    await run('save', 'preference', 'Sign invoices with the company key');
    const { exit, err } = await cli.run(['inbox', 'merge', 'sign-invoices', REDIS], NO_VECTORS);
    expect({ exit, err }).toEqual({ exit: 1, err: expect.stringContaining('are of two categories') });
    expect((await cli.run(['inbox', 'keep', REDIS, REDIS], NO_VECTORS)).exit).toBe(2);
  });
});

describe('stale memories', () => {
  it('are listed when a file of theirs is gone or another, until somebody says that they hold', async () => {
    const file = path.join(cli.project, 'tax.ts');
    fs.writeFileSync(file, 'one');
    await run('save', 'runbook', 'Run the tax job by hand when it failed', '--file', 'tax.ts');
    expect((await inbox()).stale).toEqual([]);
    fs.writeFileSync(file, 'two, longer');
    const [stale] = (await inbox()).stale;
    expect(await run('inbox')).toContain('tax.ts is another now');
    await run('inbox', 'keep', stale!.ref);
    expect((await inbox()).stale).toEqual([]);
    fs.rmSync(file);
    expect((await inbox()).stale).toHaveLength(1);
    expect(await run('inbox')).toContain('tax.ts is gone');
  });
});

describe('drafts', () => {
  it('are listed, saved and thrown away', async () => {
    const config = loadConfig({ cwd: cli.project, env: { HOME: cli.home } });
    const { recordStore } = new Memory(config);
    const ids = ['Cache prices for an hour', 'Cache stock for a minute'].map(
      (title) =>
        writeDraft(
          recordStore.root,
          {
            category: 'decision',
            title,
            tags: ['cache'],
            content: { decision: title },
            related_files: [],
            confidence: 0.7,
            session: 's1',
          },
          new Date(),
        ).id,
    );
    expect((await inbox()).drafts.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(await run('inbox')).toContain(`cairn inbox save ${ids[0]}, or cairn inbox drop ${ids[0]}`);
    expect(await run('inbox', 'save', ids[0]!)).toContain('Cache prices for an hour');
    expect(await run('inbox', 'drop', ids[1]!)).toContain(`Dropped ${ids[1]}`);
    expect((await inbox()).drafts).toEqual([]);
  });
});

describe('cairn save --from', () => {
  it('makes a record of what was said, with what was asked and where it was', async () => {
    talk('invoice-talk', 'We decided to keep invoices in PostgreSQL for ten years because the law asks for it.');
    await cli.run(['backfill'], NO_VECTORS);
    const { results } = await cli.json<{ results: { ref: string; kind: string }[] }>(
      ['remember', 'invoices ten years', '--layer', 'trace'],
      NO_VECTORS,
    );
    const idea = results.find(({ kind }) => kind === 'decision')!.ref;
    await run('save', 'decision', '--from', idea, '--title', 'Keep invoices for ten years');
    const text = await shown('record:decisions/keep-invoices-for-ten-years');
    expect(text).toContain(`From ${idea}: user said`);
    expect(text).toContain('Asked: ');
    expect(text).toContain('the law asks for it');
  });

  it('refuses what is a record already, and asks for a category where none is known', async () => {
    expect((await cli.run(['save', '--from', REDIS], NO_VECTORS)).err).toContain('is a record already');
    await run('note', 'new', 'task', 'Sweep');
    const { exit, err } = await cli.run(['save', '--from', 'task-sweep'], NO_VECTORS);
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining('which is no category') });
  });
});

function talk(session: string, prompt: string): void {
  const folder = path.join(cli.home, '.claude', 'projects', 'p');
  fs.mkdirSync(folder, { recursive: true });
  const line = (type: string, text: string, minute: number): string =>
    JSON.stringify({
      type,
      uuid: `${session}${minute}`,
      sessionId: session,
      cwd: cli.project,
      timestamp: new Date(Date.now() + minute * 60_000).toISOString(),
      message: { role: type, content: type === 'user' ? text : [{ type: 'text', text }] },
    });
  fs.writeFileSync(
    path.join(folder, `${session}.jsonl`),
    `${line('user', prompt, 1)}\n${line('assistant', 'Done.', 2)}\n`,
  );
}
