// A program that the crash and race tests start: it writes records until it is killed, or until its share is done, and
// says on standard output what it has finished. Its arguments: `crash <project> <round>` or `race <project> <number>`.

import fs from 'node:fs';
import path from 'node:path';
import { type Memory, openMemory } from '../../src/app/memory.ts';
import { CairnError } from '../../src/errors.ts';
import { recordMd5 } from '../../src/model/hash.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { CREATES, SHARED, SLOTS, UPDATES } from './shares.ts';

const [mode, project, number] = process.argv.slice(2) as [string, string, string];
const DAY = 86_400_000;
let time = Date.parse('2026-01-01T00:00:00Z') + Number(number) * 1000 * DAY;
// Each step is more than a day, so that the names of retired records can be taken again.
const now = (): Date => {
  time += mode === 'crash' ? 1.1 * DAY : 1000;
  return new Date(time);
};
const memory = openMemory({ cwd: project, projectRoot: project, env: { HOME: path.join(project, '../home') }, now });
const say = (line: object): number => fs.writeSync(1, `${JSON.stringify(line)}\n`);

function record(title: string, marker: string): JsonObject {
  return {
    title,
    tags: ['crash', 'test'],
    content: { status: 'accepted', context: marker, decision: 'x'.repeat(2_000), rationale: ['so'] },
  };
}

const target = (slug: string) => ({
  target: path.join(memory.recordStore.root, 'decisions', `${slug}.json`),
  cwd: memory.recordStore.root,
});

/** What an update of this file sends: the record as it is, another title, one more entry. */
function next(slug: string, title: string): { request: Parameters<Memory['update']>[0]; old: JsonObject } {
  const bytes = fs.readFileSync(target(slug).target);
  const old = JSON.parse(bytes.toString('utf8')) as JsonObject;
  const changes = [...((old.changes as unknown[]) ?? []), { date: '2026-01-01', summary: title }];
  return { request: { ...target(slug), record: { ...old, title, changes }, hash: recordMd5(bytes) }, old };
}

/** Create, update, rename, retire, over and over, in a few places. */
async function crash(): Promise<never> {
  for (let step = 0; ; step++) {
    const slot = (step + Number(number)) % SLOTS;
    const marker = `${number}-${step}`;
    let slug = `slot-${slot}`;
    const created = await memory
      .create({ category: 'decision', ...target(slug), record: record(`Slot ${slot}`, marker) })
      .catch(refusal);
    if (created instanceof CairnError) {
      // A killed writer left it active: go on with what it made.
      await memory.retire(target(slug)).catch(refusal);
      continue;
    }
    say({ marker, times: 0, status: 'active' });
    for (let times = 1; times <= 3; times++) {
      const title = times === 2 ? `Renamed number ${marker} for good` : `Slot ${slot} again`;
      const { result } = await memory.update(next(slug, title).request);
      slug = String(result.id);
      say({ marker, times, status: 'active' });
    }
    await memory.retire(target(slug));
    say({ marker, times: 3, status: 'retired' });
    if (step % 10 === 9) await memory.collectGarbage();
  }
}

function refusal(error: unknown): CairnError {
  if (error instanceof CairnError) return error;
  throw error;
}

/** The same share for each of many processes at once: own records, and entries in one record that all want to change. */
async function race(): Promise<void> {
  for (let at = 0; at < CREATES; at++) {
    const slug = `own-${number}-${at}`;
    await persistently(() =>
      memory.create({ category: 'decision', ...target(slug), record: record(`Own ${number} ${at}`, slug) }),
    );
    if (at === 0) await persistently(() => memory.archive({ ...target(slug), reason: 'race' }));
    if (at === 1) await persistently(() => memory.retire({ ...target(slug), reason: 'race' }));
  }
  for (let at = 0; at < UPDATES; at++) {
    await persistently(() => {
      const { request, old } = next(SHARED, `${number}-${at}`);
      return memory.update({ ...request, record: { ...request.record, title: old.title } });
    });
  }
  say({ done: true });
}

/** Somebody else was quicker, or the lock was busy: read again and try again, as the error says. */
async function persistently(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof CairnError) || !['OCC_CONFLICT', 'LOCK_ERROR'].includes(error.code)) throw error;
    }
  }
}

say({ ready: true });
if (mode === 'crash') {
  await new Promise((resolve) => process.stdin.once('data', resolve));
  await crash();
} else {
  await race();
}
