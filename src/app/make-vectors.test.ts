import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { MINILM_MODEL } from '../embed/local-embedder.ts';
import { withLock } from '../files/lock.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Change, Store } from '../store/store.ts';
import { type MakeVectors, makeVectors, type VectorsReport } from './make-vectors.ts';
import { progressNote, vectorsProgress } from './vectors-progress.ts';

let config: Config;
let store: Store;
beforeEach(async () => {
  const home = temporaryFolder();
  config = loadConfig({ cwd: home, env: { HOME: home, CAIRN_HOME: path.join(home, '.cairn') } });
  store = await openSqliteStore(path.join(home, '.cairn', 'memory.db'));
});
afterEach(() => store.close());

const put = (at: number): Change => ({
  op: 'put',
  document: {
    ...{ ref: `idea:${at}`, project: '/p', layer: 'trace', kind: 'context', status: 'active', title: '' },
    ...{ text: `text ${at}`, tags: [], confidence: 1, createdAt: at, updatedAt: 0, hash: `hash ${at}` },
  },
});
const fill = (count: number): Promise<void> => store.apply(Array.from({ length: count }, (_, at) => put(at)));
const make = (options: Partial<MakeVectors> = {}): Promise<VectorsReport | undefined> =>
  makeVectors({ config, store }, { env: {}, ...options });
const left = async (): Promise<number> =>
  (await store.list({ filter: { unembedded: MINILM_MODEL }, limit: 9_999 })).documents.length;

describe('makeVectors', () => {
  it('makes a few at once, whoever else could', async () => {
    await fill(3);
    const inBackground = (): Promise<void> => Promise.reject(new Error('not for a few'));
    expect(await make({ inBackground })).toEqual({ embedded: 3, reused: 0, left: 0 });
    expect(await left()).toBe(0);
    expect(await make({ inBackground })).toEqual({ embedded: 0, reused: 0, left: 0 });
  });

  it('leaves many to the background where there is one', async () => {
    await fill(301);
    let started = 0;
    const inBackground = async (): Promise<void> => void started++;
    expect(await make({ inBackground })).toEqual({ embedded: 0, reused: 0, left: 301, by: 'background' });
    expect(started).toBe(1);
    expect(await left()).toBe(301);
  });

  it('makes none where none are wanted', async () => {
    await fill(1);
    const embeddings = { ...config.settings.embeddings, provider: 'none' as const };
    config = { ...config, settings: { ...config.settings, embeddings } };
    expect(await make()).toBeUndefined();
  });

  it('leaves them to another who is at it, or waits for him', async () => {
    await fill(2);
    const lock = path.join(config.paths.userRoot, 'locks', 'vectors.lock');
    fs.mkdirSync(path.dirname(lock), { recursive: true });
    await withLock(lock, async () => {
      expect(await make()).toEqual({ embedded: 0, reused: 0, left: 2, by: 'another' });
      const seen: number[][] = [];
      await store.apply([progressNote({ left: 3, total: 10, begun: 0, at: 0 })]);
      const stopped = (): boolean => seen.length > 0;
      await make({ waits: true, stopped, onProgress: (...at) => void seen.push(at) });
      expect(seen).toEqual([[7, 10]]);
      expect(await vectorsProgress(store)).toEqual({ left: 3, total: 10, begun: 0, at: 0 });
    });
    expect(await make({ waits: true })).toMatchObject({ embedded: 2 });
  });
});
