// A database that another version of Cairn has made. Of a newer one nothing is changed, and what can be read is; of an older one no
// conversation is lost, though neither its transcript nor a copy of it is left, and whenever the process that takes it over is killed.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sessionStart } from '../../src/app/hooks/session-start.ts';
import { openDriver } from '../../src/store/sqlite/driver.ts';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { seededRandom } from '../fixtures/seed.ts';
import { newFolder } from '../fixtures/temporary.ts';
import { conversation } from '../traces/conversation.ts';
import { FULL, Tally } from './tally.ts';
import { cairn, found, hook, type Site, siteAt, turn, userRoot } from './writing-paths.ts';

const random = seededRandom();

const CONVERSATIONS = 12;
const KILLS = FULL ? 200 : 40;

const tally = new Tally('databases of other versions');
let site: Site;
let sound: Buffer;
let program: Bundle;
const database = (): string => path.join(userRoot(site), 'memory.db');
const transcripts = (): string => path.join(site.home, '.claude/projects/p');
const archive = (): string => path.join(userRoot(site), 'archive');

beforeAll(async () => {
  program = await bundle('test/faults/taker.ts');
  site = siteAt(newFolder());
  found(site);
  fs.mkdirSync(transcripts(), { recursive: true });
  for (let number = 0; number < CONVERSATIONS; number++) {
    const { session, lines } = conversation(number, 30, site.project);
    fs.writeFileSync(path.join(transcripts(), `${session}.jsonl`), lines.map((line) => `${line}\n`).join(''));
  }
  expect(await cairn(site, ['backfill', '--all'])).toMatchObject({ exit: 0 });
  ask('PRAGMA wal_checkpoint(TRUNCATE)');
  sound = fs.readFileSync(database());
  // The client has deleted its transcripts, and the archive was lost: the database is the last that knows of them.
  fs.rmSync(transcripts(), { recursive: true });
  fs.rmSync(archive(), { recursive: true });
});
afterAll(() => {
  program?.remove();
  fs.rmSync(site.base, { recursive: true, force: true });
});
beforeEach(() => restore());

function restore(version?: number, more = ''): void {
  for (const suffix of ['', '-wal', '-shm']) fs.rmSync(database() + suffix, { force: true });
  fs.rmSync(path.join(userRoot(site), 'log'), { recursive: true, force: true });
  fs.writeFileSync(database(), sound, { mode: 0o600 });
  if (version !== undefined) ask(`${more}; PRAGMA user_version = ${version}; PRAGMA wal_checkpoint(TRUNCATE)`);
}

function ask(sql: string): void {
  const driver = openDriver(database());
  driver.exec(sql);
  driver.close();
}

/** What SQLite itself says is there: every document, link, mention and state of conversations, by names and not by numbers. */
function rows(): string[] {
  const driver = openDriver(database());
  try {
    return [
      `SELECT 'document', p.value, d.ref, l.value, k.value, a.value, d.created_at, d.updated_at, d.confidence, d.session, d.span,
         s.file, d.line, d.hash, d.title, d.tags, d.meta, d.text, d.context FROM document d
         JOIN facet p ON p.id = d.project JOIN facet l ON l.id = d.layer AND l.value = 'trace' JOIN facet k ON k.id = d.kind
         JOIN facet a ON a.id = d.status LEFT JOIN source s ON s.id = d.source`,
      `SELECT 'link', p.value, l.from_ref, l.to_ref, l.relation, l.confidence, l.rule FROM link l JOIN facet p ON p.id = l.project`,
      `SELECT 'mention', e.name, e.kind, d.ref, m.count FROM mention m JOIN entity e ON e.id = m.entity JOIN document d ON d.id = m.document`,
      `SELECT 'state', key, value FROM state WHERE key LIKE 'transcript:%'`,
      `SELECT 'vector', m.name, e.hash FROM embedding e JOIN embedding_model m ON m.id = e.model`,
    ]
      .flatMap((sql) => driver.prepare(sql).all())
      .map((row) => JSON.stringify(Object.values(row)))
      .sort();
  } finally {
    driver.close();
  }
}

describe('a database of a newer schema', { timeout: 120_000 }, () => {
  it('is read, and no command, hook or worker changes anything in it', async () => {
    const before = rows();
    const wrong: string[] = [];
    const ways: readonly (readonly [string, () => Promise<{ exit: number; text: string }>, boolean])[] = [
      ['remember', () => cairn(site, ['remember', 'which tool for the ledger']), true],
      ['topics', () => cairn(site, ['topics']), true],
      ['stats', () => cairn(site, ['stats']), true],
      ['backfill', () => cairn(site, ['backfill', '--all']), false],
      ['reindex', () => cairn(site, ['reindex']), false],
      ['reindex --forget-gone', () => cairn(site, ['reindex', '--forget-gone']), false],
      ['redact --apply', () => cairn(site, ['redact', '--apply']), true],
      ['forget --all-projects', () => cairn(site, ['forget', '--before', '0d', '--all-projects', '--yes']), false],
      ['doctor', () => cairn(site, ['doctor']), false],
      ['hook: a turn', () => turn(site), true],
      ['hook: session start', () => hook(site, 'session-start', sessionStart, { source: 'startup' }), true],
    ];
    for (const [what, act, succeeds] of ways) {
      restore(9_999);
      const { exit, text } = await act();
      const bad: string[] = [];
      if (succeeds ? exit !== 0 : exit !== 1) bad.push(`it ended with ${exit}: ${text.slice(0, 300)}`);
      if (!succeeds && !/made by Cairn \d+\.\d+\.\d+\S* \(schema 9999\)[\s\S]*Update this Cairn/.test(text))
        bad.push(`it does not say who made it and what to do: ${text.slice(0, 400)}`);
      ask('PRAGMA user_version');
      if (JSON.stringify(rows()) !== JSON.stringify(before)) bad.push('its rows are others');
      if (fs.existsSync(path.join(userRoot(site), 'forgotten.json')))
        bad.push('forgetting was begun, and cannot go on');
      wrong.push(...tally.count('newer schema', what, bad));
    }
    expect(wrong).toEqual([]);
  });

  it('that lacks what this version reads is left alone, and says so', async () => {
    restore(9_999, 'ALTER TABLE document RENAME COLUMN text TO body');
    const bytes = fs.readFileSync(database());
    const { exit, text } = await cairn(site, ['remember', 'which tool for the ledger']);
    expect({ exit, text }).toMatchObject({
      exit: 1,
      text: expect.stringMatching(/cannot read it \(document\.text is not there\)/),
    });
    expect((await cairn(site, ['reindex'])).exit).toBe(1);
    expect(fs.readFileSync(database()).equals(bytes)).toBe(true);
  });

  it('is told to the user when a session starts', async () => {
    restore(9_999);
    const { text } = await hook(site, 'session-start', sessionStart, { source: 'startup' });
    expect(JSON.parse(text)).toMatchObject({ systemMessage: expect.stringContaining('(schema 9999)') });
  });
});

describe('a database of an older schema', { timeout: 240_000 }, () => {
  it('hands every conversation over, with its links, mentions and vectors, and goes then', async () => {
    ask(`INSERT INTO embedding_model (id, name, dimensions) VALUES (1, 'm', 2);
      INSERT INTO embedding (model, hash, vector) SELECT 1, hash, x'0000803f00000000' FROM document GROUP BY hash`);
    const before = rows();
    ask('PRAGMA user_version = 1');
    expect(await cairn(site, ['backfill', '--all'])).toMatchObject({ exit: 0 });
    expect(rows()).toEqual(before);
    const driver = openDriver(database());
    expect(driver.prepare(`SELECT name FROM sqlite_schema WHERE name LIKE 'v1!_%' ESCAPE '!'`).all()).toEqual([]);
    driver.close();
    const answer = await cairn(site, ['remember', 'which tool for the ledger', '--json']);
    expect((JSON.parse(answer.out) as { results: unknown[] }).results.length).toBeGreaterThan(0);
  });

  it('survives reindex, which keeps what is nowhere else, and lets go of it when asked to', async () => {
    const before = rows();
    ask('PRAGMA user_version = 1');
    expect(await cairn(site, ['reindex'])).toMatchObject({
      exit: 0,
      text: expect.stringContaining(`${CONVERSATIONS} conversations kept`),
    });
    expect(rows()).toEqual(before);
    expect(await cairn(site, ['reindex', '--forget-gone'])).toMatchObject({ exit: 0 });
    expect(rows()).toEqual([]);
  });

  it('with columns that this version does not know, or without some that it can do without, is taken over', async () => {
    const before = rows();
    restore(1, 'ALTER TABLE document ADD COLUMN mood TEXT; DROP TABLE about');
    await cairn(site, ['stats']);
    expect(rows()).toEqual(before);
  });

  it('that cannot be understood stays aside, and doctor says so', async () => {
    restore(1, 'ALTER TABLE document RENAME COLUMN text TO body');
    const { exit, text } = await cairn(site, ['doctor']);
    expect(exit).toBe(1);
    expect(text).toMatch(/rows of an older Cairn \(schema 1\) are kept aside: .*document\.text is not there/);
    const driver = openDriver(database());
    expect(Number(driver.prepare('SELECT COUNT(*) AS n FROM v1_document').get()?.n)).toBeGreaterThan(100);
    driver.close();
  });

  it('loses nothing by kills at any moment', async () => {
    const before = rows();
    const wrong: string[] = [];
    for (let kills = 0, round = 0; kills < KILLS; round++) {
      restore(1);
      let ended = await take(random() * 250);
      for (; ended.signal === 'SIGKILL' && kills < KILLS; ended = await take(random() * 250)) {
        kills++;
        tally.count('killed while taking over', String(kills), []);
      }
      if (ended.signal !== null) ended = await take();
      const bad = ended.said.includes('done []') ? [] : [`it ended with ${ended.said}`];
      if (JSON.stringify(rows()) !== JSON.stringify(before)) bad.push('its rows are others');
      wrong.push(...tally.count('taken over after kills', String(round), bad));
      expect(round).toBeLessThan(10 * KILLS);
    }
    expect(wrong).toEqual([]);
  });
});

/** `ms`: when it is killed. */
function take(ms?: number): Promise<{ signal: string | null; said: string }> {
  const child = spawn(process.execPath, [program.file, site.home, site.project], { stdio: 'pipe' });
  let said = '';
  const hear = (chunk: Buffer): void => {
    said += String(chunk);
    if (said === 'ready\n') {
      child.stdin.write('go\n');
      if (ms !== undefined) setTimeout(() => child.kill('SIGKILL'), ms);
    }
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  return new Promise((resolve) => child.on('close', (_, signal) => resolve({ signal, said })));
}
