// Conversations as a journal, and hits as answers, in the browser.

import { expect, it } from 'vitest';
import { describeViewer, expectClean, go, settled, visit } from './stage.ts';

describeViewer('conversations and answers', (stage) => {
  it('tells conversations by day and opens one in place, down to the lines of an exchange', async () => {
    const visited = await visit(stage, { hash: '#/conversations' });
    const { page } = visited;
    const talks = page.locator('.talk');
    expect(await talks.count()).toBeGreaterThan(2);
    const first = talks.first();
    expect(await first.locator('.exchange').count()).toBe(0);
    await first.locator('.talk-title').click();
    await first.locator('.exchange').first().waitFor();
    await first.locator('.exchange-asked').first().click();
    await first.locator('.came-out').first().waitFor();
    // What is open stays open when it is gone back to.
    await first.locator('.topic h4 a').first().click();
    await page.waitForSelector('#memory-title');
    await page.goBack();
    await page.waitForSelector('.exchange');
    expectClean(visited, stage);
  });

  it('tells one day, and leads to the days around it', async () => {
    const visited = await visit(stage, { hash: '#/conversations' });
    const { page } = visited;
    await page.locator('.day > h2 a').nth(1).click();
    await page.waitForSelector('.day-links');
    await settled(page);
    expect(await page.locator('.day').count()).toBe(1);
    const day = new URL(page.url()).hash;
    await page.locator('.day-links a').first().click();
    await page.waitForFunction((before) => location.hash !== before, day);
    await settled(page);
    expect(await page.locator('.day').count()).toBe(1);
    await go(page, '#/conversations?day=1999-01-01');
    expect(await page.textContent('.empty')).toContain('Nothing happened');
    await page.getByRole('link', { name: '→' }).click();
    await page.waitForSelector('.talk');
    expectClean(visited, stage);
  });

  it('opens the conversation that a link names', async () => {
    const visited = await visit(stage, { hash: '#/search?q=tickets+offline' });
    const { page } = visited;
    await page.waitForSelector('.hits');
    await page.locator('.hit-more a').first().click();
    await page.waitForSelector('.talk-inner');
    expect(await page.locator('.talk-title[aria-expanded="true"]').count()).toBe(1);
    expectClean(visited, stage);
  });

  it('marks the words of the question, says why, previews the very lines and folds weak hits', async () => {
    const visited = await visit(stage, { hash: '#/search?q=why+are+seats+held+in+redis' });
    const { page } = visited;
    await page.waitForSelector('.hits[aria-busy="false"]');
    const marked = (await page.locator('.hit').first().locator('mark').allTextContents()).map((each) =>
      each.toLowerCase(),
    );
    expect(marked).toContain('redis');
    expect(marked).not.toContain('in');
    await page.locator('.why summary').first().click();
    expect(await page.locator('.why-said').first().textContent()).toMatch(/words of the question/);
    const said = page.locator('.hit', { has: page.locator('[data-layer="trace"]') }).first();
    await said.locator('[data-preview]').click();
    await said.locator('.transcript [aria-current="true"]').waitFor();
    expect(await said.locator('.transcript [aria-current="true"] mark').count()).toBe(1);
    expect(await page.locator('.weaker').count()).toBe(1);
    expect(await page.locator('.weaker[open]').count()).toBe(0);
    expectClean(visited, stage);
  });

  it('searches from everywhere with Ctrl-K, by keyboard alone', async () => {
    const visited = await visit(stage, { hash: '#/conversations' });
    const { page } = visited;
    await page.keyboard.press('ControlOrMeta+k');
    await page.waitForSelector('dialog.palette[open]');
    await page.keyboard.type('held in redis');
    await page.waitForSelector('.palette-row mark');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#memory-title');
    expect(await page.locator('dialog[open]').count()).toBe(0);
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('conv');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.startsWith('#/conversations'));
    await page.keyboard.press('ControlOrMeta+k');
    await page.waitForSelector('dialog.palette[open]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    expectClean(visited, stage);
  });

  it('opens the palette before the next key can come, and keeps it though another was closed just before', async () => {
    const visited = await visit(stage, { hash: '#/today' });
    const isOpen = await visited.page.evaluate(async () => {
      /** What is due at once, and no frame. */
      const settle = async () => {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      };
      const isAsking = () => document.activeElement?.closest('dialog.palette[open]') !== null;
      const key = (name: string, ctrlKey = false) =>
        document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: name, ctrlKey, bubbles: true }));
      const seen: boolean[] = [];
      for (const [name, ctrlKey] of [['k', true], ['Enter'], ['k', true]] as const) {
        key(name, ctrlKey);
        await settle();
        seen.push(isAsking());
      }
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      return [...seen, isAsking()];
    });
    expect(isOpen).toEqual([true, false, true, true]);
    expectClean(visited, stage);
  });
});
