// Every page of the viewer, walked through in a real browser against the real server.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { cairn } from './made-up-project.mjs';
import { describeViewer, expectClean, go, memoryHash, REF, settled, visit } from './stage.ts';

describeViewer('the viewer', (stage) => {
  it('takes the token out of the address at once and shows the first page', async () => {
    const visited = await visit(stage);
    const { page } = visited;
    expect(page.url()).not.toContain('token');
    expect(await page.textContent('h1')).toBe('Today');
    expect(await page.textContent('.totals')).toContain('Records14');
    expect(await page.locator('.columns a').count()).toBeGreaterThan(5);
    for (const title of [
      'By layer and kind',
      'Tokens injected per day',
      'New in the last day',
      /^Open/,
      'Told to the model today',
      'Hooks and the doctor',
      'Storage',
    ])
      await page.getByRole('heading', { name: title }).waitFor();
    await page.reload();
    await settled(page);
    expect(await page.textContent('h1')).toBe('Today');
    expectClean(visited, stage);
  });

  it('says what to do when the token is missing or wrong', async () => {
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${stage.ui.origin}/#token=wrong`);
    await page.getByRole('alert').first().waitFor();
    expect(await page.textContent('main')).not.toContain('Redis');
  });

  it('searches, shows reasons with numbers, filters, and opens what was found', async () => {
    const visited = await visit(stage, { hash: '#/search' });
    const { page } = visited;
    await page.fill('#search-field', 'why are seats held in redis');
    await page.waitForSelector('.hit');
    expect(await page.textContent('.found')).toMatch(/memories found in \d+ ms/);
    // Those below the screen are drawn a frame later.
    await page.waitForSelector('.hits[aria-busy="false"]');
    expect(await page.textContent('.found')).toContain(`${await page.locator('.hit').count()} memories`);
    const first = page.locator('.hit').first();
    expect(await first.textContent()).toContain('Hold seats in Redis for ten minutes');
    expect(await first.locator('.reasons').textContent()).toMatch(/Keyword no\. [12]\s*[\d.]+/);
    expect(await first.textContent()).toContain('hold-seats-in-redis.json');
    expect(await first.textContent()).toContain('Files unchanged');
    await page.selectOption('#filter-kind', 'runbook');
    await page.waitForFunction(() => !document.querySelector('.hit .kind:not([title="Records: Runbook"])'));
    expect(await page.textContent('.hit')).toContain('Redis is away');
    expect(page.url()).toContain('kind=runbook');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.uncheck('text=Records');
    await page.uncheck('text=Notes');
    await page.waitForFunction(() => !document.querySelector('.hit .kind:not([data-layer="trace"])'));
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.locator('.hit h2 a', { hasText: /^Hold seats in Redis for ten minutes/ }).click();
    await page.waitForSelector('#memory-title');
    expect(await page.textContent('h1')).toContain('Hold seats in Redis');
    expectClean(visited, stage);
  });

  it('exports a search as Markdown', async () => {
    const { page } = await visit(stage, { hash: '#/search?q=redis' });
    await page.waitForSelector('.hit');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Export as Markdown')]);
    expect(download.suggestedFilename()).toMatch(/\.md$/);
    expect(fs.readFileSync(await download.path(), 'utf8')).toContain('Hold seats in Redis');
  });

  it('shows a memory with history, links and files, and follows a link', async () => {
    const visited = await visit(stage, { hash: memoryHash(REF) });
    const { page } = visited;
    const text = (await page.textContent('main')) ?? '';
    for (const part of ['five', 'Links to', 'Linked from', 'src/booking/seat-hold.ts', 'Where it was injected'])
      expect(text).toContain(part);
    await page.locator('.content a', { hasText: 'Every payment carries' }).click();
    await page.waitForFunction(() => document.querySelector('h1')?.textContent?.includes('idempotency key'));
    await settled(page);
    expect(await page.textContent('main')).toContain('Files changed since');
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('h1')?.textContent?.includes('Hold seats'));
    expectClean(visited, stage);
  });

  it('shows what was said for an idea, and how it came about', async () => {
    const visited = await visit(stage, { hash: '#/search?q=hold+seats+ten+minutes+instead+of+five&layers=trace' });
    const { page } = visited;
    const ofIdea = { hasText: 'instead of five', hasNot: page.locator('.kind', { hasText: /^Span/ }) };
    await page.locator('.hit', ofIdea).locator('h2 a').first().click();
    await page.waitForSelector('.transcript li');
    expect(await page.locator('.transcript [aria-current]').count()).toBe(1);
    expect(await page.textContent('.transcript')).toContain('Bank redirects');
    expectClean(visited, stage);
  });

  it('shows a mistake at its field, keeps what was typed, and then saves and undoes', async () => {
    const visited = await visit(stage, { hash: memoryHash(REF), allow: /422/ });
    const { page } = visited;
    await page.click('[data-key="e"]');
    await page.fill('#edit-title', '');
    await page.fill('#edit-content-context', 'Two people paid for one seat.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForSelector('.field .error');
    expect(await page.getAttribute('#edit-title', 'aria-invalid')).toBe('true');
    await page.waitForFunction(() => document.activeElement?.id === 'edit-title');
    expect(await page.inputValue('#edit-content-context')).toBe('Two people paid for one seat.');
    await page.fill('#edit-title', 'Hold seats in Redis for ten minutes during checkout');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForSelector('.toast');
    await page.waitForSelector('.content >> text=Two people paid for one seat.');
    const file = path.join(stage.made.memory, 'decisions/hold-seats-in-redis.json');
    expect(JSON.parse(fs.readFileSync(file, 'utf8')).content.context).toBe('Two people paid for one seat.');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForSelector('.content >> text=Two people could pay for the same seat');
    expectClean(visited, stage);
  });

  it('retires, restores, archives, and takes feedback, each with a way back', async () => {
    const visited = await visit(stage, { hash: memoryHash('record:runbooks/storm-cancellation') });
    const { page } = visited;
    await page.getByRole('button', { name: 'Retire' }).click();
    await page.fill('#reason', 'no storms any more');
    await page.locator('dialog').getByRole('button', { name: 'Retire' }).click();
    await page.waitForSelector('.notice >> text=no storms any more');
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.waitForSelector('.memory-actions >> text=Retire');
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.waitForSelector('.memory-actions >> text=Unarchive');
    await page
      .locator('.toast', { hasText: /archive/i })
      .last()
      .getByRole('button', { name: 'Undo' })
      .click();
    await page.waitForSelector('.memory-actions >> text=Retire');
    await page.getByRole('button', { name: 'Useful' }).click();
    await page.waitForSelector('.verdicts [aria-pressed="true"] >> text=Useful');
    expectClean(visited, stage);
  });

  it('edits a note', async () => {
    const visited = await visit(stage, { hash: memoryHash('note:task-rotate-signing-key') });
    const { page } = visited;
    await page.click('[data-key="e"]');
    await page.selectOption('#edit-status', 'completed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForSelector('.memory-head >> text=Completed');
    expect(fs.readFileSync(path.join(stage.made.memory, 'nodes/tasks/task-rotate-signing-key.md'), 'utf8')).toContain(
      'status: completed',
    );
    expectClean(visited, stage);
  });

  it('lists memories by kind and state, retired ones too', async () => {
    const visited = await visit(stage, { hash: '#/memory' });
    const { page } = visited;
    await page.selectOption('#list-status', 'retired');
    await page.waitForSelector('.row >> text=Keep sessions in signed cookies');
    await page.selectOption('#list-status', '');
    await page.selectOption('#list-layer', 'note');
    await page.selectOption('#list-kind', 'discovery');
    await page.waitForFunction(() => {
      const rows = [...document.querySelectorAll('main .row')];
      return rows.length === 1 && rows[0]?.textContent?.includes('QR codes');
    });
    expectClean(visited, stage);
  });

  it('shows injections with prompt, reasons and cost, also of one day', async () => {
    const visited = await visit(stage, { hash: '#/injections' });
    const { page } = visited;
    expect(await page.textContent('.found')).toMatch(/16 injections, [\d,]+ tokens/);
    const first = page.locator('.injection').first();
    expect(await first.textContent()).toMatch(
      /idempotency keys of payments.*tokens.*Relevance \d+ %.*Keyword no\. \d/s,
    );
    await go(page, '#/today');
    await page.locator('.columns a').first().click();
    await page.waitForFunction(() => document.querySelectorAll('.injection').length === 1);
    expectClean(visited, stage);
  });

  it('shows a change that another process makes, and loses neither scroll nor an edit in progress', async () => {
    const visited = await visit(stage, { hash: memoryHash('record:preferences/times-are-local') });
    const { page } = visited;
    await page.waitForSelector('.live[data-state="on"]');
    await page.click('[data-key="e"]');
    await page.fill('#edit-content-reason', 'half typed');
    const other = await visit(stage, { hash: '#/memory', height: 400 });
    await other.page.waitForSelector('.live[data-state="on"]');
    await other.page.evaluate(() => window.scrollTo(0, 150));
    cairn(stage.made, [
      'save',
      'preference',
      'Always write tests first because regressions cost seats',
      '--tags',
      'tests',
    ]);
    await other.page.waitForSelector('.row >> text=Always write tests first');
    expect(await other.page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
    const file = path.join(stage.made.memory, 'preferences/times-are-local.json');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('with the weekday', 'with weekday and date'));
    await page.waitForSelector('text=The file changed since you began');
    expect(await page.inputValue('#edit-content-reason')).toBe('half typed');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForSelector('.content >> text=with weekday and date');
    expectClean(visited, stage);
    expectClean(other, stage);
  });
});
