// For everybody: axe on every page in both themes, a tour with the keyboard alone, narrow and wide screens.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeViewer, everyPage, expectClean, go, memoryHash, REF, settled, visit } from './stage.ts';

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
type Finding = {
  id: string;
  impact: string | null;
  help: string;
  nodes: { target: unknown; failureSummary?: string }[];
};

const PAGES = everyPage();

/** Through the debugger, not through the page: its policy allows no script of ours, which is the point of it. */
async function seriousFindings(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  const { violations } = await page.evaluate(
    async ({ source, only }) => {
      const scope = globalThis as unknown as { axe?: { run: (options: object) => Promise<{ violations: Finding[] }> } };
      // biome-ignore lint/security/noGlobalEval: our own package, in a page of a test
      if (!scope.axe) globalThis.eval(source);
      return scope.axe!.run({ resultTypes: ['violations'], ...(only ? { runOnly: only } : {}) });
    },
    // The dark page is the same page in other colours.
    { source: AXE, only: theme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined },
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id} ${JSON.stringify(node.target)} ${node.failureSummary}`));
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describeViewer('the viewer for everybody', (stage) => {
  for (const theme of ['light', 'dark'] as const)
    it(`has no serious finding of axe on any page, ${theme}`, async () => {
      const visited = await visit(stage, { theme });
      const { page } = visited;
      const found: { [name: string]: string[] } = {};
      for (const [name, hash] of Object.entries(PAGES)) {
        await go(page, hash);
        await page.waitForTimeout(150);
        found[name] = await seriousFindings(page, theme);
      }
      await go(page, memoryHash(REF));
      await page.keyboard.press('e');
      await page.waitForSelector('form.edit');
      found.edit = await seriousFindings(page, theme);
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.waitForSelector('dialog[open]');
      found.help = await seriousFindings(page, theme);
      await page.keyboard.press('Escape');
      await go(page, '#/timeline');
      await page.locator('.lane-name').first().click();
      await page.waitForSelector('.detail [data-row]');
      await page.locator('.detail [data-row]').first().click();
      await page.waitForSelector('.ideas');
      found.topic = await seriousFindings(page, theme);
      expect(Object.fromEntries(Object.entries(found).filter(([, each]) => each.length > 0))).toEqual({});
      expectClean(visited, stage);
    });

  it('has no serious finding of axe on a phone', async () => {
    const visited = await visit(stage, { width: 360 });
    const { page } = visited;
    const found: { [name: string]: string[] } = {};
    for (const [name, hash] of Object.entries(PAGES)) {
      await go(page, hash);
      const each = await seriousFindings(page, 'light');
      if (each.length > 0) found[name] = each;
    }
    expect(found).toEqual({});
    expectClean(visited, stage);
  });

  for (const width of [360, 768, 1440, 2560])
    it(`needs no scrolling sideways at ${width} px`, async () => {
      const visited = await visit(stage, { width, height: 800 });
      const { page } = visited;
      const wide: string[] = [];
      for (const [name, hash] of Object.entries(PAGES)) {
        await go(page, hash);
        if ((await overflow(page)) > 0) wide.push(name);
      }
      await go(page, memoryHash(REF));
      await page.click('[data-key="e"]');
      await page.waitForSelector('form.edit');
      if ((await overflow(page)) > 0) wide.push('edit');
      expect(wide).toEqual([]);
      const navigation = await page.locator('.pages').boundingBox();
      expect(navigation).not.toBeNull();
      // At the bottom of a phone, at the left of a desk.
      if (width === 360) expect(navigation!.y).toBeGreaterThan(700);
      else expect(navigation!.width).toBeLessThan(260);
      expectClean(visited, stage);
    });

  it('can be toured with the keyboard alone', async () => {
    const visited = await visit(stage);
    const { page } = visited;
    // One right after the other, as a hand does it: waiting for each would be slower than `g` waits for its letter.
    const press = async (...keys: string[]) => {
      await Promise.all(keys.map((key) => page.keyboard.press(key)));
    };
    const heading = (text: string) =>
      page.waitForFunction((wanted) => document.querySelector('h1')?.textContent?.includes(wanted), text);
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');

    await press('Tab');
    expect(await focused()).toBe('Skip to the page');
    await press('Enter');
    await page.waitForFunction(() => document.activeElement?.id === 'main');

    await press('?');
    await page.waitForSelector('dialog[open]');
    await press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });

    await press('g', 'i');
    await heading('Injections');
    await press('g', 't');
    await heading('Timeline');
    await press('g', 'g');
    await heading('Graph');
    await press('g', 'm');
    await heading('Memories');
    await settled(page);
    await press('j', 'j', 'k');
    const first = await page.locator('main [data-row]').first().textContent();
    expect(await focused()).toBe(first);

    await press('/');
    await heading('Search');
    await page.waitForFunction(() => document.activeElement?.id === 'search-field');
    await page.keyboard.type('seats held redis');
    await press('Enter'); // before the answer is there
    await page.waitForFunction(() => document.activeElement?.hasAttribute('data-row'));
    expect(await page.getAttribute('.hits', 'data-query')).toBe('seats held redis');
    await press('j', 'k', 'o');
    await page.waitForSelector('#memory-title');
    await go(page, memoryHash(REF));
    await press('e');
    await page.waitForSelector('form.edit');
    await page.waitForFunction(() => document.activeElement?.id === 'edit-title');
    await press('Escape');
    await page.waitForSelector('form.edit', { state: 'detached' });
    await press('g', 'o');
    await heading('Today');
    expectClean(visited, stage);
  });

  it('changes the theme by its button and remembers it', async () => {
    const visited = await visit(stage);
    const { page } = visited;
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByRole('button', { name: /theme/i }).click();
    await page.getByRole('button', { name: /light theme/i }).click();
    await page.getByRole('button', { name: /dark theme/i }).waitFor();
    expect(await ground()).not.toBe(light);
    await page.reload();
    await settled(page);
    expect(await ground()).not.toBe(light);
    expectClean(visited, stage);
  });
});
