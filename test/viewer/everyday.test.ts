// The gestures of every day: links in new tabs, a pasted address, Escape, Back, the chosen project, nothing found, a server that went.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startUi } from './browser.mjs';
import { cairn } from './made-up-project.mjs';
import { describeViewer, expectClean, go, memoryHash, REF, type Stage, settled, visit } from './stage.ts';

/** A conversation of another project, so that there is one to choose. */
function talkElsewhere({ made }: Stage): string {
  const folder = path.join(made.base, 'elsewhere');
  const cwd = path.join(made.base, 'lighthouse');
  fs.mkdirSync(folder, { recursive: true });
  fs.mkdirSync(cwd, { recursive: true });
  const line = (at: number, type: string, content: unknown) =>
    JSON.stringify({
      type,
      sessionId: 'e1e1e1e1-0000-4000-8000-000000000001',
      cwd,
      uuid: `e${at}`,
      timestamp: new Date(Date.now() - 3_600_000 + at * 60_000).toISOString(),
      message: { role: type, content },
    });
  const lines = [
    line(0, 'user', 'Which lamp should the lighthouse have?'),
    line(1, 'assistant', [
      { type: 'text', text: 'We decided to use a xenon lamp for the lighthouse, because it is seen farther.' },
    ]),
  ];
  fs.writeFileSync(path.join(folder, 'e1e1e1e1-0000-4000-8000-000000000001.jsonl'), `${lines.join('\n')}\n`);
  cairn(made, ['backfill', folder]);
  return cwd;
}

describeViewer('the gestures of every day', (stage) => {
  it('opens a link in a new tab, which knows the token from the first one', async () => {
    const visited = await visit(stage, { hash: '#/memory' });
    const { page, context } = visited;
    const link = page.locator('main [data-row]').first();
    const title = await link.textContent();
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click({ modifiers: ['ControlOrMeta'] })]);
    await tab.waitForSelector('#memory-title');
    expect(await tab.locator('#memory-title').textContent()).toBe(title);
    expect(tab.url()).not.toContain('token');
    expectClean(visited, stage);
  });

  it('takes an address that is pasted into the open tab', async () => {
    const visited = await visit(stage, { hash: '#/search', allow: /401/ });
    const { page } = visited;
    await page.evaluate(() => sessionStorage.setItem('cairn-token', 'wrong'));
    await page.reload();
    await page.waitForSelector('.notice.bad');
    await page.evaluate((hash) => {
      location.hash = hash;
    }, new URL(stage.ui.address).hash);
    await page.waitForSelector('.live[data-state="on"]');
    await page.waitForSelector('.totals');
    expect(page.url()).not.toContain('token');
  });

  it('leaves with Escape only what was meant, and brings back an edit that was given up', async () => {
    const visited = await visit(stage, { hash: '#/search' });
    const { page } = visited;
    await page.fill('#search-field', 'seats held');
    await page.waitForSelector('.hits');
    await page.keyboard.press('Escape');
    expect(await page.inputValue('#search-field')).toBe('seats held');
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('search-field');

    await go(page, memoryHash(REF));
    await page.keyboard.press('e');
    await page.waitForSelector('form.edit');
    await page.fill('#edit-title', 'A title that took long to find');
    await page.keyboard.press('Escape');
    await page.waitForSelector('form.edit', { state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForSelector('form.edit');
    expect(await page.inputValue('#edit-title')).toBe('A title that took long to find');
    await page.keyboard.press('Escape');
    expectClean(visited, stage);
  });

  it('keeps the chosen project on every page, also in links', async () => {
    talkElsewhere(stage);
    const visited = await visit(stage);
    const { page } = visited;
    await page.reload();
    await page.waitForSelector('#scope');
    await page.selectOption('#scope', { label: 'lighthouse' });
    const chosen = await page.inputValue('#scope');
    for (const name of await page.locator('.pages a').allTextContents()) {
      await page.locator('.pages a', { hasText: name }).click();
      await settled(page);
      expect(await page.inputValue('#scope'), name).toBe(chosen);
    }
    await page.locator('.pages a', { hasText: 'Memories' }).click();
    await settled(page);
    await page.locator('main [data-row]').first().click();
    await page.waitForSelector('#memory-title');
    expect(await page.inputValue('#scope')).toBe(chosen);
    // Another project has another memory: the one that is open is left.
    await page.selectOption('#scope', 'this');
    await page.waitForSelector('#memory-title', { state: 'detached' });
    expectClean(visited, stage);
  });

  it('goes back step by step, to where the page was scrolled to', async () => {
    const visited = await visit(stage, { hash: '#/memory', height: 500 });
    const { page } = visited;
    await page.selectOption('#list-layer', 'record');
    await settled(page);
    await page.goBack();
    await page.waitForFunction(() => (document.querySelector('#list-layer') as HTMLSelectElement).value === '');
    await settled(page);
    const row = page.locator('main [data-row]').nth(25);
    await row.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => window.scrollY);
    expect(before).toBeGreaterThan(300);
    await row.click();
    await page.waitForSelector('#memory-title');
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await page.waitForFunction((y) => Math.abs(window.scrollY - y) < 4, before);
    expectClean(visited, stage);
  });

  it('shows in the search field what was asked, also after Back and when Search is chosen anew', async () => {
    const visited = await visit(stage, { hash: '#/search?q=tickets' });
    const { page } = visited;
    expect(await page.inputValue('#search-field')).toBe('tickets');
    await go(page, '#/search?q=seats');
    expect(await page.inputValue('#search-field')).toBe('seats');
    await page.focus('#search-field');
    await page.goBack();
    await page.waitForFunction(() => (document.querySelector('#search-field') as HTMLInputElement).value === 'tickets');
    await page.locator('.pages a', { hasText: 'Search' }).click();
    await page.waitForFunction(() => (document.querySelector('#search-field') as HTMLInputElement).value === '');
    await page.keyboard.type('redis seats', { delay: 5 });
    await page.waitForFunction(() => document.querySelector('.hits')?.getAttribute('data-query') === 'redis seats');
    expect(await page.inputValue('#search-field')).toBe('redis seats');
    expectClean(visited, stage);
  });

  it('says what hides it when nothing is found, and takes it away', async () => {
    const visited = await visit(stage, { hash: '#/search?q=redis&until=2001-01-01' });
    const { page } = visited;
    await page.waitForSelector('.nothing');
    await page.getByRole('button', { name: 'Without the last day' }).click();
    await page.waitForSelector('.hits');
    expect(page.url()).not.toContain('until');
    await page.goBack();
    await page.waitForSelector('.nothing');
    expectClean(visited, stage);
  });

  it('says truly whether capturing works: backfilled conversations are no sign of a hook', async () => {
    const visited = await visit(stage);
    const { page } = visited;
    await page.waitForSelector('.health-said[data-state]');
    expect(await page.textContent('.health-said')).toContain('not installed');
    expect(await page.textContent('.health-said')).toContain('cairn install');
    const folder = path.join(stage.made.home, 'log', 'last');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'UserPromptSubmit'), '');
    await page.reload();
    await page.waitForFunction(() => document.querySelector('.health-said')?.textContent?.includes('Capturing works'));
    fs.writeFileSync(
      path.join(stage.made.home, 'log', 'hooks.log'),
      `${JSON.stringify({ time: new Date().toISOString(), event: 'Stop', cause: 'The disk is full' })}\n`,
    );
    await page.reload();
    await page.waitForSelector('.health-said[data-state]');
    expect(await page.textContent('.health-said')).toMatch(/Stop failed .*The disk is full.*cairn doctor/s);
    fs.rmSync(path.join(stage.made.home, 'log'), { recursive: true });
    expectClean(visited, stage);
  });

  it('says that the server went away, and goes on when another one is there', async () => {
    const ui = await startUi(stage.made);
    const other = { ...stage, ui };
    const visited = await visit(other, { hash: '#/memory', allow: /ERR_|Failed to load|network/i });
    const { page } = visited;
    await page.waitForSelector('.live[data-state="on"]');
    await ui.stop();
    await page.waitForSelector('.lost');
    expect(await page.textContent('.lost')).toContain('does not answer');
    expect(await page.locator('main [data-row]').count()).toBeGreaterThan(3); // what was there stays
    expect(await page.textContent('.lost code')).toBe('cairn ui');
  });
});
