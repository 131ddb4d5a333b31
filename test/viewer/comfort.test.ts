// For every hand, eye and size of letters: what is clicked is large enough, what colours say is said without them, letters grow with
// the browser's, titles and dates are of one kind.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeViewer, everyPage, expectClean, go, memoryHash, REF, settled, visit } from './stage.ts';

/**
 * What can be clicked and is smaller than 24 px, with its label where it has one. Exempt by WCAG 2.5.8: links in running text, and what
 * another control on the page does as well (columns of the chart: the list below it; bars of the timeline: the topics of its lanes).
 */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    for (const each of document.querySelectorAll('details')) each.open = true;
    const isInText = (element: Element) =>
      getComputedStyle(element).display === 'inline' &&
      [...element.parentElement!.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim().length > 1,
      );
    const found: string[] = [];
    const all = 'a[href], button, input, select, textarea, summary, [role="button"], [role="option"], [tabindex="0"]';
    for (const element of document.querySelectorAll(all)) {
      if (element.matches('.skip, :disabled, .columns a, .bar-span') || isInText(element)) continue;
      const label = element.matches('input[type="checkbox"], input[type="radio"]') ? element.closest('label') : null;
      const { width, height } = (label ?? element).getBoundingClientRect();
      if (width === 0 || (width > 23.9 && height > 23.9)) continue;
      const name = (element.textContent || element.getAttribute('aria-label') || element.id).trim().slice(0, 40);
      found.push(`${element.tagName} “${name}” ${Math.round(width)} × ${Math.round(height)}`);
    }
    return found;
  });
}

/** Sizes of the letters of everything that says something. */
function letterSizes(page: Page): Promise<{ [path: string]: number }> {
  return page.evaluate(() => {
    const sizes: { [path: string]: number } = {};
    for (const element of document.querySelectorAll('body *')) {
      const says = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      );
      if (!says || element.getClientRects().length === 0) continue;
      const kind = `${element.tagName} ${element.getAttribute('class') ?? ''}`;
      sizes[kind] ??= Number.parseFloat(getComputedStyle(element).fontSize);
    }
    return sizes;
  });
}

/** Text of the page itself, without what memories say and what people type. */
function ownWords(page: Page): Promise<string> {
  return page.evaluate(() => {
    const said = '.content, .transcript, .markdown, .block, .mono, code, pre, .hit-text, .prose, .clamp, .map-node';
    const texts: string[] = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode())
      if (!node.parentElement?.closest(said)) texts.push(node.textContent ?? '');
    return texts.join('\n');
  });
}

describeViewer('the viewer for every hand and eye', (stage) => {
  for (const width of [360, 1440])
    it(`has nothing to click that is smaller than 24 px, at ${width} px`, async () => {
      const visited = await visit(stage, { width });
      const { page } = visited;
      const small: { [name: string]: string[] } = {};
      const look = async (name: string) => {
        const found = await smallTargets(page);
        if (found.length > 0) small[name] = found;
      };
      for (const [name, hash] of Object.entries(everyPage())) {
        await go(page, hash);
        await look(name);
      }
      await go(page, memoryHash(REF));
      await page.click('[data-key="e"]');
      await page.waitForSelector('form.edit');
      await look('edit');
      await page.keyboard.press('Escape');
      await go(page, '#/conversations');
      await page.locator('.talk-title').first().click();
      await page.locator('.exchange-asked').first().click();
      await page.waitForSelector('.exchange-inner [data-row], .exchange-inner .ideas');
      await look('an open conversation');
      for (const [key, name] of [
        ['?', 'help'],
        ['Control+k', 'palette'],
        ['n', 'new'],
      ] as const) {
        await page.keyboard.press(key);
        await page.waitForSelector('dialog[open]');
        await look(name);
        await page.keyboard.press('Escape');
        await page.waitForSelector('dialog', { state: 'detached' });
      }
      expect(small).toEqual({});
      expectClean(visited, stage);
    });

  it('lets nothing in a row lie on something else', async () => {
    for (const width of [360, 768, 1440]) {
      const { page, context } = await visit(stage, { width, hash: '#/memory' });
      const covered: { [name: string]: string[] } = {};
      for (const [name, hash] of Object.entries(everyPage())) {
        await go(page, hash);
        const found = await page.evaluate(() =>
          [...document.querySelectorAll('.row-title, .facts, .head, .switch')].flatMap((row) => {
            const parts = [...row.children].map((each) => ({ each, box: each.getBoundingClientRect() }));
            return parts.flatMap(({ each, box }, at) =>
              parts
                .slice(at + 1)
                .filter(
                  ({ box: other }) =>
                    Math.min(box.right, other.right) - Math.max(box.left, other.left) > 2 &&
                    Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 2,
                )
                .map(({ each: other }) => `${each.outerHTML.slice(0, 90)} on ${other.outerHTML.slice(0, 90)}`),
            );
          }),
        );
        if (found.length > 0) covered[name] = found;
      }
      expect(covered, `${width} px`).toEqual({});
      await context.close();
    }
  });

  it('says without its own colours what it says with them, and shows where the focus is', async () => {
    const visited = await visit(stage, { forcedColors: 'active', theme: 'dark' });
    const { page } = visited;
    const style = (selector: string, pseudo?: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, of) => {
          const { outlineStyle, outlineWidth, borderTopWidth, backgroundColor, textDecorationLine, fill, stroke } =
            getComputedStyle(element, of);
          return { outlineStyle, outlineWidth, borderTopWidth, backgroundColor, textDecorationLine, fill, stroke };
        }, pseudo);
    const canvas = (await style('body')).backgroundColor;
    // The page where one is, and the row that Enter would choose, by an outline that others have not.
    expect(await style('.pages a[aria-current="page"]')).toMatchObject({ outlineStyle: 'solid', outlineWidth: '2px' });
    expect((await style('.pages a:not([aria-current])')).outlineStyle).toBe('none');
    await page.keyboard.press('Control+k');
    await page.waitForSelector('dialog[open]');
    expect((await style('.palette-row[aria-selected="true"]')).outlineStyle).toBe('solid');
    expect((await style('.palette-row[aria-selected="false"]')).outlineStyle).toBe('none');
    await page.keyboard.press('Escape');
    // What is nothing but its ground is drawn.
    expect((await style('.live', '::before')).backgroundColor).not.toBe(canvas);
    expect((await style('.columns a > span')).backgroundColor).not.toBe(canvas);
    expect((await style('.bar > span')).backgroundColor).not.toBe(canvas);
    expect((await style('.kind')).borderTopWidth).toBe('1px');
    await go(page, '#/timeline');
    expect((await style('.bar-span')).borderTopWidth).toBe('1px');
    await go(page, memoryHash(REF));
    expect((await style('.history ins')).textDecorationLine).toContain('underline');
    expect((await style('.history del')).textDecorationLine).toContain('line-through');
    // Drawings have the colours of the system too: a name on its ground, a shape that can be seen.
    await go(page, '#/graph');
    await page.waitForSelector('[data-state="drawn"]');
    expect((await style('.map-shape:not(.ring)')).fill).not.toBe(canvas);
    expect((await style('.map-shape.ring')).stroke).not.toBe(canvas);
    expect((await style('.map-node text')).fill).not.toBe((await style('.map-ground')).fill);
    await page.locator('.map-node').first().focus();
    await page.keyboard.press('Tab');
    const focused = await style('.map-node:focus .map-ground');
    expect(focused.stroke).not.toBe('none');
    expect(focused.stroke).not.toBe(canvas);
    // Wherever the focus goes, it is seen.
    for (const hash of ['#/today', '#/settings', '#/memory']) {
      await go(page, hash);
      await page.evaluate(() => document.querySelector<HTMLElement>('#main')?.focus());
      for (let step = 0; step < 12; step++) {
        await page.keyboard.press('Tab');
        const seen = await page.evaluate(() => {
          if (document.activeElement === document.body) return 'seen'; // behind the last one
          const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!);
          return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
            ? 'seen'
            : document.activeElement!.outerHTML;
        });
        expect(seen.slice(0, 200), hash).toBe('seen');
      }
    }
    expectClean(visited, stage);
  });

  it('grows with the letters of the browser, without scrolling sideways', async () => {
    const visited = await visit(stage, { width: 1440 });
    const { page, context } = visited;
    const session = await context.newCDPSession(page);
    const setSize = (standard: number) =>
      session.send('Page.setFontSizes', { fontSizes: { standard, fixed: Math.round((standard * 13) / 16) } });
    const kept: { [name: string]: string } = {};
    for (const [name, hash] of Object.entries(everyPage())) {
      await setSize(16);
      await go(page, hash);
      const before = await letterSizes(page);
      await setSize(24);
      await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '24px');
      await settled(page);
      const after = await letterSizes(page);
      for (const [kind, size] of Object.entries(before)) {
        const now = after[kind];
        if (now !== undefined && now < size * 1.45) kept[`${name}: ${kind}`] = `${size} → ${now}`;
      }
      const aside = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (aside > 0) kept[name] = `${aside} px aside`;
    }
    expect(kept).toEqual({});
    expectClean(visited, stage);
  });

  it('has a title for each page, and for what is open on it, also after Back', async () => {
    const visited = await visit(stage);
    const { page } = visited;
    const title = (wanted: string | RegExp) => expect.poll(() => page.title(), { timeout: 30_000 }).toMatch(wanted);
    for (const [hash, wanted] of [
      ['#/today', /^Today · Cairn$/],
      ['#/conversations', /^Conversations · Cairn$/],
      ['#/conversations?day=2026-10-21', /^21 Oct 2026 – Conversations · Cairn$/],
      ['#/search', /^Search · Cairn$/],
      ['#/search?q=seats+held', /^seats held – Search · Cairn$/],
      ['#/memory', /^Memories · Cairn$/],
      [memoryHash(REF), /^Hold seats in Redis for ten minutes.* · Cairn$/],
      ['#/graph', /^Graph · Cairn$/],
      ['#/graph?all=true', /^Everything – Graph · Cairn$/],
      [`#/graph?focus=${encodeURIComponent(REF)}`, /^Hold seats in Redis.* – Graph · Cairn$/],
      ['#/timeline', /^Timeline · Cairn$/],
      ['#/injections', /^Injections · Cairn$/],
      ['#/injections?try=true', /^What would be told\? – Injections · Cairn$/],
      ['#/review', /^Review · Cairn$/],
      ['#/settings', /^Settings · Cairn$/],
    ] as const) {
      await go(page, hash);
      await title(wanted);
    }
    await go(page, memoryHash(REF));
    await title(/^Hold seats/);
    await go(page, '#/memory');
    await title(/^Memories/);
    await page.goBack(); // to a memory that is known already
    await title(/^Hold seats/);
    expectClean(visited, stage);
  });

  it('writes every date in one way', async () => {
    const visited = await visit(stage);
    const { page } = visited;
    const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec';
    const strange: { [name: string]: string[] } = {};
    let dates = 0;
    for (const [name, hash] of Object.entries(everyPage())) {
      await go(page, hash);
      const text = await ownWords(page);
      const other = text.match(/\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b|\b(?:AM|PM)\b/g) ?? [];
      const swapped = text.match(new RegExp(`\\b(?:${months})[a-z]* \\d{1,2},? \\d{4}`, 'g')) ?? [];
      if (other.length + swapped.length > 0) strange[name] = [...other, ...swapped];
      dates += (text.match(new RegExp(`\\b\\d{1,2} (?:${months}) \\d{4}\\b`, 'g')) ?? []).length;
      for (const title of await page
        .locator('time')
        .evaluateAll((all) => all.map((each) => each.getAttribute('title')))) {
        if (title && !new RegExp(`^\\d{1,2} (?:${months}) \\d{4}(?:, \\d\\d:\\d\\d)?$`).test(title))
          strange[`${name} (title)`] = [title];
      }
    }
    expect(strange).toEqual({});
    expect(dates).toBeGreaterThan(5);
    expectClean(visited, stage);
  });
});
