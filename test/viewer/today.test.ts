// The first page: what is new, what is open and how it is settled, the steps of setting up on an empty store.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { newFolder } from '../fixtures/temporary.ts';
import { startUi } from './browser.mjs';
import { cairn, cairnEnv } from './made-up-project.mjs';
import { describeViewer, expectClean, settled, visit } from './stage.ts';

describeViewer('today', (stage) => {
  it('settles what is open with one click, and takes it back', async () => {
    const visited = await visit(stage);
    const { page } = visited;
    await page.waitForSelector('.open-row');
    const row = page.locator('.open-row').first();
    const text = (await row.locator('.open-said > a').textContent()) ?? '';
    const before = (await page.textContent('#open-title')) ?? '';
    await row.getByRole('button', { name: /^Done/ }).click();
    await page.waitForFunction((was) => document.querySelector('#open-title')?.textContent !== was, before);
    expect(await page.locator('.open-said > a').allTextContents()).not.toContain(text);
    const settledNow = JSON.parse(cairn(stage.made, ['todo', '--settled', '--json']));
    expect(JSON.stringify(settledNow)).toContain('done');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForFunction((was) => document.querySelector('#open-title')?.textContent === was, before);
    expect(await page.locator('.open-said > a').allTextContents()).toContain(text);
    expectClean(visited, stage);
  });

  it('tells what is new since the last visit', async () => {
    const visited = await visit(stage);
    const { page } = visited;
    expect(await page.textContent('#new-title')).toContain('in the last day');
    // A visit a month ago: everything since then is new.
    await page.evaluate(() => {
      const visits = JSON.parse(localStorage.getItem('cairn-visits') ?? '{}');
      for (const key of Object.keys(visits)) visits[key].now = Date.now() - 30 * 86_400_000;
      localStorage.setItem('cairn-visits', JSON.stringify(visits));
    });
    await page.reload();
    await settled(page);
    expect(await page.textContent('#new-title')).toContain('since your last visit');
    expect(await page.locator('section[aria-labelledby="new-title"] [data-row]').count()).toBeGreaterThan(2);
    await page.reload(); // the same visit
    await settled(page);
    expect(await page.textContent('#new-title')).toContain('since your last visit');
    expectClean(visited, stage);
  });

  it('leads through three steps on an empty store, ticked as they are done', async () => {
    const base = newFolder();
    const [project, home] = [path.join(base, 'fresh'), path.join(base, 'home')];
    for (const folder of [project, home]) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(home, 'config.json'), JSON.stringify({ embeddings: { provider: 'none' } }));
    const made = { ...stage.made, base, project, home, env: cairnEnv(base, home) };
    const ui = await startUi(made);
    try {
      const visited = await visit({ ...stage, ui, made });
      const { page } = visited;
      await page.waitForSelector('.onboarding');
      expect(await page.locator('.onboarding li[data-done="false"]').count()).toBe(3);
      expect(await page.textContent('.onboarding')).toContain('cairn install');
      fs.mkdirSync(path.join(home, 'log', 'last'), { recursive: true });
      fs.writeFileSync(path.join(home, 'log', 'last', 'SessionStart'), '');
      cairn(made, ['backfill', stage.made.transcripts]);
      await page.waitForSelector('.onboarding', { state: 'detached' });
      expectClean(visited, { ...stage, ui });
    } finally {
      await ui.stop();
      await removeBusyFolder(base);
    }
  });
});
