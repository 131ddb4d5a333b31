// The questions that people open the viewer with, answered by somebody who has never seen it: by clicking alone, from the first page,
// through what can be read there (docs/VIEWER.md, “Five questions”). No address, no key, no name of a class is known to them.

import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { cairn } from './made-up-project.mjs';
import { describeViewer, expectClean, settled, visit } from './stage.ts';

const MOST_CLICKS = 5;

/** Clicks on what has a name, and counts. */
function clicking(page: Page) {
  let clicks = 0;
  const one = async (role: 'link' | 'button', name: string | RegExp, inside = 'body') => {
    clicks++;
    await page.locator(inside).getByRole(role, { name }).first().click();
    await settled(page);
  };
  return {
    link: (name: string | RegExp, inside?: string) => one('link', name, inside),
    button: (name: string | RegExp, inside?: string) => one('button', name, inside),
    text: async (name: string) => {
      clicks++;
      await page.getByText(name, { exact: true }).first().click();
    },
    clicks: () => clicks,
  };
}

describeViewer('five questions, by clicking alone', (stage) => {
  it('what did we do on a given day?', async () => {
    const visited = await visit(stage);
    const { page } = visited;
    const { link, button, clicks } = clicking(page);
    const talk = 'Cancel a whole day of sailings because of a storm?';
    await link('Conversations', 'nav');
    const day = page.locator('.day', { hasText: talk });
    const name = ((await day.getByRole('link').first().textContent()) ?? '').trim();
    await link(name, 'main');
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toHaveLength(1); // that day alone
    await button(talk, 'main');
    await page.waitForSelector('.exchange');
    // What was asked, and what came out of it.
    const said = (await page.textContent('main')) ?? '';
    expect(said).toContain(name);
    expect(await page.locator('.exchange').count()).toBeGreaterThan(1);
    expect(await page.locator('.exchange-outcome').count()).toBeGreaterThan(0);
    expect(clicks()).toBeLessThanOrEqual(MOST_CLICKS);
    expectClean(visited, stage);
  });

  it('why was X decided?', async () => {
    const visited = await visit(stage);
    const { page } = visited;
    const { link, button, clicks } = clicking(page);
    await button(/^Ask/, 'header');
    await page.keyboard.type('why are seats held in redis'); // the question itself is typed
    await page.waitForFunction(() => document.querySelector('#palette-list')?.textContent?.includes('held in Redis'));
    await page.getByRole('option', { name: /^Search for/ }).click();
    await page.waitForSelector('.hits[aria-busy="false"]');
    await link(/^Hold seats in Redis for ten minutes/, '.hits');
    await page.waitForSelector('#memory-title');
    const text = (await page.textContent('main')) ?? '';
    for (const part of ['Context', 'Two people could pay for the same seat', 'Rationale', 'Rejected reason'])
      expect(text).toContain(part);
    expect(clicks() + 1).toBeLessThanOrEqual(MOST_CLICKS);
    expectClean(visited, stage);
  });

  it('what is open?', async () => {
    const visited = await visit(stage);
    const { page } = visited;
    // No click at all: it stands on the first page, each with who said it, and with Done and Drop.
    const open = page.getByRole('region', { name: /^Open/ });
    expect(await open.getByRole('button', { name: /^Done/ }).count()).toBeGreaterThan(1);
    const listed = JSON.parse(cairn(stage.made, ['todo', '--json']));
    const first = String((listed.items ?? listed)[0].title ?? (listed.items ?? listed)[0].text);
    expect(await open.textContent()).toContain(first.slice(0, 30));
    const { link, clicks } = clicking(page);
    await link(first, 'main');
    await page.waitForSelector('#memory-title');
    expect(clicks()).toBeLessThanOrEqual(MOST_CLICKS);
    expectClean(visited, stage);
  });

  it('what did the model see in the last prompt?', async () => {
    const visited = await visit(stage);
    const { page } = visited;
    const { link, clicks } = clicking(page);
    await link('Injections', 'nav');
    // The newest first, with the block as the model saw it.
    const newest = page.locator('.injection').first();
    expect(await newest.textContent()).toContain('What do we know about idempotency keys of payments?');
    expect(await newest.locator('pre').textContent()).toContain('[DECISION] Every payment carries an idempotency key');
    expect(clicks()).toBeLessThanOrEqual(MOST_CLICKS);
    expectClean(visited, stage);
  });

  it('how do I take back a wrong memory?', async () => {
    const visited = await visit(stage);
    const { page } = visited;
    const { link, button, clicks } = clicking(page);
    const file = path.join(stage.made.memory, 'runbooks/storm-cancellation.json');
    await link('Injections', 'nav'); // where it was seen to be wrong
    await link('Memories', 'nav');
    await link(/^Cancel a day of sailings/, 'main');
    await page.waitForSelector('#memory-title');
    await button('Retire', 'main');
    await button('Retire', 'dialog');
    await page.waitForSelector('.toast');
    expect(JSON.parse(fs.readFileSync(file, 'utf8')).status ?? '').not.toBe('active');
    expect(cairn(stage.made, ['search', 'storm', '--json'])).not.toContain('storm-cancellation');
    expect(clicks()).toBeLessThanOrEqual(MOST_CLICKS);
    // And if that was wrong: back again.
    await page.locator('.toast').last().getByRole('button', { name: 'Undo' }).click();
    await page.waitForSelector('.memory-actions >> text=Retire');
    expectClean(visited, stage);
  });

  it('how do I take back something wrong that was said?', async () => {
    const visited = await visit(stage);
    const { page } = visited;
    const { button, text, clicks } = clicking(page);
    const said = 'The provider allows 25 calls a second and blocks the key';
    await button(/^Ask/, 'header');
    await page.keyboard.type('how many calls a second does the provider allow');
    await page.getByRole('option', { name: said }).first().click();
    await page.waitForSelector('#memory-title');
    await text('More');
    await button('Forget …', 'main');
    await page.waitForSelector('.plan li'); // what would go, and what stays
    await button('Forget it', 'dialog');
    await page.waitForFunction(() => document.querySelector('.toasts')?.textContent?.includes('Forgotten'));
    const found = cairn(stage.made, ['remember', 'how many calls does the provider allow', '--json']);
    expect(found).not.toContain(said);
    expect(found).toContain('provider-rate-limit'); // the record about the same is another memory
    expect(clicks() + 1).toBeLessThanOrEqual(MOST_CLICKS);
    expectClean(visited, stage);
  });
});
