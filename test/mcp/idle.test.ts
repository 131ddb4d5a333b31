// What the server keeps warm, it lets go again; and what was built can still load its packages when it starts from the code cache.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ServerSession } from '../../src/faces/mcp/server-session.ts';
import { WarmPrompts } from '../../src/faces/mcp/warm-prompts.ts';
import { put } from '../fixtures/temporary.ts';
import { makePlace, type Place } from './server-process.ts';

let place: Place;
let session: ServerSession;
beforeEach(() => {
  place = makePlace();
  put(path.join(place.home, '.cairn/config.json'), { embeddings: { provider: 'none' } });
  session = new ServerSession({ env: place.env, cwd: place.project, now: () => new Date(), idleMs: 50 });
});

describe('what is warm', () => {
  it('is opened for the first question and let go when nobody asks', async () => {
    expect(session.isWarm).toBe(false);
    const { value } = await session.recall((memory) => memory.ask({ query: 'anything' }));
    expect(value.results).toEqual([]);
    expect(session.isWarm).toBe(true);
    await expect.poll(() => session.isWarm).toBe(false);
    await session.recall((memory) => memory.ask({ query: 'again' }));
    expect(session.isWarm).toBe(true);
    await session.release();
  });

  it('answers questions one after the other, each with its own problems', async () => {
    const order: string[] = [];
    const ask = (name: string) =>
      session.recall(async (memory) => {
        order.push(`${name} begins`);
        memory.problems.push(name);
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push(`${name} ends`);
      });
    const answers = await Promise.all([ask('a'), ask('b')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    expect(answers.map(({ problems }) => problems)).toEqual([['a'], ['b']]);
    await session.release();
  });

  it('of prompts is one store, opened anew when something was learned', async () => {
    const prompts = new WarmPrompts();
    const config = await session.config();
    const context = {
      env: place.env,
      config,
      now: () => new Date(),
      problem: () => undefined,
      start: async () => undefined,
    };
    expect(await prompts.openRecall(context)).toBeUndefined(); // no store yet
    await session.recall((memory) => memory.refresh());
    const first = (await prompts.openRecall(context))!;
    expect(await first.refresh()).toBe(true);
    await first.close();
    const second = (await prompts.openRecall(context))!;
    expect(second.feedback).toBe(first.feedback);
    const together = (await prompts.openRecall(context))!; // while the second is lent
    expect(together.feedback).not.toBe(first.feedback);
    await Promise.all([together.close(), second.close()]);
    put(path.join(place.home, '.cairn/feedback.json'), { memories: {} });
    const third = (await prompts.openRecall(context))!;
    expect(third.feedback).not.toBe(first.feedback);
    expect((await third.ask('anything at all', { limit: 3, isTelling: () => true })).results).toEqual([]);
    await third.close();
    await prompts.release();
    await session.release();
  });
});

describe('the built bundles', () => {
  it('import packages through their loader: from the code cache they cannot by themselves', () => {
    const dist = path.resolve(import.meta.dirname, '../../dist/faces');
    for (const face of ['cli', 'hooks', 'mcp'].filter((each) => fs.existsSync(path.join(dist, each)))) {
      const names = fs.readdirSync(path.join(dist, face)).filter((name) => name.endsWith('.js') && name !== 'main.js');
      for (const name of names) {
        const text = fs.readFileSync(path.join(dist, face, name), 'utf8');
        expect({ name, own: /[^\w.$]import\("/.test(text) }).toEqual({ name, own: false });
      }
    }
  });
});
