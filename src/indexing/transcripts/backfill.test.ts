import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { transcriptsAt } from '../../transcripts/locate.ts';
import { backfill } from './backfill.ts';

let base: string;
beforeAll(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-backfill-'));
});
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

const said = (text: string): string =>
  `${JSON.stringify({ type: 'user', sessionId: 's', cwd: '/work/app', timestamp: '2026-01-05T09:00:00Z', message: { role: 'user', content: text } })}\n`;

describe('a backfill', () => {
  it('tells how much there is to do before it begins, and ends at all of it', async () => {
    const folder = path.join(base, 'talks');
    fs.mkdirSync(folder);
    for (const name of ['a', 'b'])
      fs.writeFileSync(path.join(folder, `${name}.jsonl`), said(`We keep the queue of ${name} in the database.`));
    const found = transcriptsAt(folder);
    const total = found.reduce((sum, { size }) => sum + size, 0);
    const store = await openSqliteStore(path.join(base, 'memory.db'));
    const told: (readonly [done: number, total: number] | 'archived')[] = [];
    const report = await backfill(store, found, {
      projectOf: () => '/work/app',
      archive: () => void told.push('archived'),
      onProgress: (done, all) => void told.push([done, all]),
    });
    await store.close();
    expect(report).toMatchObject({ transcripts: 2, finished: true });
    expect(told[0]).toEqual([0, total]);
    expect(told.at(-1)).toEqual([total, total]);
  });
});
