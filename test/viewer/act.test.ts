// Acting on what is shown: injections judged in place, a prompt rehearsed, new memories, records of what was said, links, forgetting,
// several at once, the review and the switches.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { cairn } from './made-up-project.mjs';
import { describeViewer, expectClean, go, memoryHash, REF, settled, visit } from './stage.ts';

describeViewer('acting on it', (stage) => {
  it('judges what was injected in place, and shows prompts that got nothing', async () => {
    const visited = await visit(stage, { hash: '#/injections' });
    const { page } = visited;
    const useful = page.locator('.injection .verdicts button', { hasText: 'Useful' }).first();
    await useful.click();
    await page.waitForSelector('.injection .verdicts button[aria-pressed="true"]');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForSelector('.injection .verdicts button[aria-pressed="true"]', { state: 'detached' });
    await page.getByLabel('Prompts that got nothing too').check();
    await page.waitForSelector('.injection.silent');
    expectClean(visited, stage);
  });

  it('says what would be told to a prompt, and what just missed and why', async () => {
    const visited = await visit(stage, { hash: '#/injections?try=true' });
    const { page } = visited;
    await page.fill('#rehearsal-prompt', 'Why do we hold seats in Redis for ten minutes during checkout?');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#told-title');
    expect(await page.textContent('.block')).toContain('Hold seats in Redis');
    expect(await page.locator('section[aria-labelledby="missed-title"] .row .muted').count()).toBeGreaterThan(0);
    await page.fill('#rehearsal-prompt', 'yes, go on');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('main')?.textContent?.includes('Nothing would be told'));
    // Nothing was recorded.
    expect(cairn(stage.made, ['why', '--json'])).not.toContain(
      'Why do we hold seats in Redis for ten minutes during checkout?',
    );
    expectClean(visited, stage);
  });

  it('makes a record and a note, and says what is wrong', async () => {
    const visited = await visit(stage, { hash: '#/memory' });
    const { page } = visited;
    await page.keyboard.press('n');
    await page.waitForSelector('dialog[open]');
    await page.selectOption('#new-kind', 'record decision');
    await page.fill('#new-text', 'Print tickets on thermal paper because ink fades in salt air.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForSelector('#memory-title');
    expect(await page.textContent('.content')).toContain('thermal paper');
    await page.keyboard.press('n');
    await page.selectOption('#new-kind', 'note discovery');
    await page.fill('#new-name', 'Salt air eats receipts');
    await page.fill('#new-text', 'Seen on the pier.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForFunction(() => document.querySelector('#memory-title')?.textContent?.includes('Salt air'));
    expect(fs.readdirSync(path.join(stage.made.memory, 'nodes/discoveries')).join()).toContain('salt-air');
    expectClean(visited, stage);
  });

  it('saves what was said as a record, links two, and copies a quotation with its source', async () => {
    const visited = await visit(stage, { hash: '#/memory?layer=trace&kind=decision' });
    const { page, context } = visited;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('main a[data-row]').first().click();
    await page.waitForSelector('#memory-title');
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Copy as quotation' }).click();
    await page.waitForSelector('.toast');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^> .+\n>\n> — .*idea:/s);
    await page.getByRole('button', { name: 'Save as a record' }).click();
    await page.selectOption('#promote-category', 'decision');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForFunction(() => location.hash.includes('record%3A'));
    await page.waitForSelector('.history');
    expect(await page.textContent('.history')).toContain('From idea:');

    await go(page, memoryHash(REF));
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Link to another' }).click();
    await page.fill('#link-search', 'offline tickets');
    await page.locator('dialog .row button').first().click();
    await page.waitForFunction(() => document.querySelector('.toasts')?.textContent?.includes('Linked to'));
    expectClean(visited, stage);
  });

  it('forgets only what was shown, after it was shown', async () => {
    const visited = await visit(stage, { hash: memoryHash('record:preferences/small-pull-requests') });
    const { page } = visited;
    const file = path.join(stage.made.memory, 'preferences/small-pull-requests.json');
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Forget …' }).click();
    await page.waitForSelector('.plan li');
    expect(fs.existsSync(file)).toBe(true);
    await page.getByRole('button', { name: 'Forget it' }).click();
    await page.waitForFunction(() => document.querySelector('.toasts')?.textContent?.includes('Forgotten'));
    expect(fs.existsSync(file)).toBe(false);
    expectClean(visited, stage);
  });

  it('archives several at once and exports them', async () => {
    const visited = await visit(stage, { hash: '#/memory?layer=record&kind=runbook' });
    const { page } = visited;
    await page.locator('.rows input[type="checkbox"]').first().check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.bulk').getByRole('button', { name: 'Export as Markdown' }).click(),
    ]);
    expect(fs.readFileSync(await download.path(), 'utf8')).toContain('# 1 memories of the project');
    const before = await page.locator('.rows .row').count();
    await page.locator('.bulk').getByRole('button', { name: 'Archive' }).click();
    await page.waitForSelector('.bulk', { state: 'detached' });
    await go(page, '#/memory?layer=record&kind=runbook&status=archived');
    await settled(page);
    expect(await page.locator('.rows .row').count()).toBe(1);
    expect(before).toBeGreaterThan(0);
    expectClean(visited, stage);
  });

  it('lists what waits to be decided, and settles it', async () => {
    const visited = await visit(stage, { hash: '#/review' });
    const { page } = visited;
    const stale = page.locator('section[aria-label^="Their files changed"]');
    await stale.waitFor();
    const many = await stale.locator('.review-row').count();
    await stale.getByRole('button', { name: 'It still holds' }).first().click();
    await page.waitForFunction(
      (before) => document.querySelectorAll('section[aria-label^="Their files changed"] .review-row').length < before,
      many,
    );
    expectClean(visited, stage);
  });

  it('switches a part off and on, and says what was changed', async () => {
    const visited = await visit(stage, { hash: '#/settings' });
    const { page } = visited;
    await page.getByLabel('Memories before prompts').uncheck();
    await page.waitForFunction(() =>
      document.querySelector('section[aria-labelledby="changed-title"]')?.textContent?.includes('retrieval.enabled'),
    );
    expect(cairn(stage.made, ['config', 'get', 'retrieval.enabled'])).toContain('false');
    await page.getByRole('button', { name: 'Take back' }).first().click();
    await page.waitForFunction(
      () =>
        !document.querySelector('section[aria-labelledby="changed-title"]')?.textContent?.includes('retrieval.enabled'),
    );
    expectClean(visited, stage);
  });

  it('keeps a switch where it was put while the server writes, whatever else changes meanwhile', async () => {
    const visited = await visit(stage, { hash: '#/settings' });
    const { page } = visited;
    let write = () => {};
    const held = new Promise<void>((resolve) => {
      write = resolve;
    });
    await page.route('**/api/act', async (route) => {
      await held;
      await route.continue();
    });
    const changed = page.locator('section[aria-labelledby="changed-title"]');
    await page.getByLabel('Notes made from tool use').click();
    cairn(stage.made, ['config', 'set', '--user', 'triage.enabled', 'false']);
    await changed.getByText('triage.enabled').waitFor();
    expect(await page.getByLabel('Notes made from tool use').isChecked()).toBe(false);
    write();
    await changed.getByText('capture.enabled').waitFor();
    expect(await page.getByLabel('Notes made from tool use').isChecked()).toBe(false);
    for (const key of ['triage.enabled', 'capture.enabled']) cairn(stage.made, ['config', 'unset', '--user', key]);
    await changed.getByText('capture.enabled').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Notes made from tool use').isChecked()).toBe(true);
    expectClean(visited, stage);
  });

  it('offers what README’s “Turning parts off” names, no more and no less', async () => {
    const visited = await visit(stage, { hash: '#/settings' });
    const { page } = visited;
    const readme = fs.readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');
    const table = readme.slice(readme.indexOf('## Turning parts off')).split('\n## ')[0] ?? '';
    const rows = [...table.matchAll(/^\| ([^|]+) \| `cairn config set (?:--user )?(\S+) [^`]+` \|$/gm)];
    expect(rows.length).toBeGreaterThan(6);
    const section = page.locator('section[aria-labelledby="switches-title"]');
    const named = rows.map(([, name, key]) => `${name!.trim().toLowerCase()} ${key}`);
    const shown = await section.locator('label').evaluateAll((all) =>
      all.map((label) => {
        const key = label.querySelector('code')?.textContent ?? '';
        return `${(label.textContent ?? '').replace(key, '').trim().toLowerCase()} ${key}`;
      }),
    );
    expect(shown.sort()).toEqual(named.sort());
    for (const command of ['CAIRN_DISABLE=1', 'cairn uninstall'])
      expect(await section.textContent()).toContain(command);
    expectClean(visited, stage);
  });

  it('sets numbers and patterns by their button, refuses what is none, and takes all of it back', async () => {
    const visited = await visit(stage, { hash: '#/settings', allow: /4\d\d/ });
    const { page } = visited;
    const value = (key: string) => JSON.parse(cairn(stage.made, ['config', 'get', key, '--json'])).value;
    const changed = (text: string) =>
      page.waitForFunction(
        (wanted) => document.querySelector('section[aria-labelledby="changed-title"]')?.textContent?.includes(wanted),
        text,
      );
    const same = (text: string) =>
      page.waitForFunction(
        (wanted) => !document.querySelector('section[aria-labelledby="changed-title"]')?.textContent?.includes(wanted),
        text,
      );
    const [patterns, days] = ['Conversations of some projects or folders', 'Conversations after some time'];
    expect(await page.getByRole('button', { name: `Save: ${patterns}` }).isDisabled()).toBe(true);
    await page.getByLabel(patterns, { exact: false }).first().fill('client-*\n\n  ~/private, really  ');
    await page.getByRole('button', { name: `Save: ${patterns}` }).click();
    await changed('traces.exclude');
    expect(value('traces.exclude')).toEqual(['client-*', '~/private, really']);
    await page.locator('.toast', { hasText: 'traces.exclude' }).getByRole('button', { name: 'Undo' }).click();
    await same('traces.exclude');
    expect(value('traces.exclude')).toEqual([]);

    for (const wrong of ['-1', 'ninety', '1e9']) {
      await page.fill('[id="retention.conversation_days"]', wrong);
      await page.getByRole('button', { name: `Save: ${days}` }).click();
      await page.waitForSelector('.toast.bad');
      expect(await page.inputValue('[id="retention.conversation_days"]')).toBe(wrong); // to be corrected
      await page.locator('.toast.bad').first().getByRole('button').last().click();
      await page.waitForSelector('.toast.bad', { state: 'detached' });
    }
    expect(value('retention.conversation_days')).toBe(0);
    await page.fill('[id="retention.conversation_days"]', '365');
    await page.keyboard.press('Enter');
    await changed('retention.conversation_days');
    expect(value('retention.conversation_days')).toBe(365);
    await page.locator('.row', { hasText: 'by default 0' }).getByRole('button', { name: 'Take back' }).click();
    await same('retention.conversation_days');
    expect(value('retention.conversation_days')).toBe(0);

    await page.getByLabel('The copies of conversations').uncheck();
    await changed('traces.archive_max_mb');
    expect(value('traces.archive_max_mb')).toBe(0);
    await page.getByLabel('The copies of conversations').check();
    await same('traces.archive_max_mb');
    expect(value('traces.archive_max_mb')).toBe(2048);
    expectClean(visited, stage);
  });
});
