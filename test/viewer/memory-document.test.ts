// A memory as a document: Markdown, differences that can be taken back, two people who edit the same field.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { describeViewer, expectClean, go, memoryHash, REF, settled, visit } from './stage.ts';

describeViewer('a memory as a document', (stage) => {
  const file = () => path.join(stage.made.memory, 'decisions/hold-seats-in-redis.json');
  const change = (edit: (record: { title: string; content: { [name: string]: unknown } }) => void) => {
    const record = JSON.parse(fs.readFileSync(file(), 'utf8'));
    edit(record);
    fs.writeFileSync(file(), `${JSON.stringify(record, null, 2)}\n`);
  };

  it('renders Markdown from an allow-list, and nothing else', async () => {
    change(({ content }) => {
      content.context =
        'Seats are **scarce**.\n\n- one\n- two\n\n```sh\nredis-cli ping\n```\n\n<b>no</b> [bad](javascript:alert(1)) ![x](https://example.com/x.png) [docs](https://example.com/docs)';
    });
    const visited = await visit(stage, { hash: memoryHash(REF) });
    const { page } = visited;
    await page.waitForSelector('.markdown strong');
    const content = page.locator('.content');
    expect(await content.locator('.markdown li').count()).toBeGreaterThanOrEqual(2);
    expect(await content.locator('pre.code').first().textContent()).toBe('redis-cli ping');
    expect(await content.locator('b, img, [href^="javascript"]').count()).toBe(0);
    expect(await content.textContent()).toContain('<b>no</b>');
    const outside = content.locator('a[href="https://example.com/docs"]');
    expect(await outside.getAttribute('rel')).toBe('noopener noreferrer');
    expectClean(visited, stage);
  });

  it('restores a field from its history, and takes that back', async () => {
    const visited = await visit(stage, { hash: memoryHash(REF) });
    const { page } = visited;
    await page.waitForSelector('.history del');
    const before = await page.textContent('.content');
    await page.getByRole('button', { name: 'Restore what was' }).first().click();
    await page.waitForFunction((was) => document.querySelector('.content')?.textContent !== was, before);
    expect(await page.textContent('.history')).toContain('Restored decision');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForFunction((was) => document.querySelector('.content')?.textContent === was, before);
    expectClean(visited, stage);
  });

  it('brings two edits of the same file together, field by field', async () => {
    const visited = await visit(stage, { hash: memoryHash(REF) });
    const { page } = visited;
    await page.keyboard.press('e');
    await page.waitForSelector('form.edit');
    await page.fill('#edit-content-decision', 'What I typed.');
    change((record) => {
      record.content.decision = 'What somebody else wrote.';
      record.content.context = 'Changed by somebody else.';
    });
    await page.getByRole('button', { name: 'Bring both together' }).click();
    await page.waitForSelector('.conflict');
    expect(await page.locator('.conflict').count()).toBe(1);
    expect(await page.textContent('.conflict')).toContain('What somebody else wrote.');
    expect(await page.inputValue('#edit-content-context')).toBe('Changed by somebody else.');
    await page.getByLabel('In the file now').check();
    expect(await page.inputValue('#edit-content-decision')).toBe('What somebody else wrote.');
    await page.getByLabel('Yours').check();
    await page.getByRole('button', { name: 'Go on with these' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForSelector('form.edit', { state: 'detached' });
    await settled(page);
    const saved = JSON.parse(fs.readFileSync(file(), 'utf8'));
    expect(saved.content).toMatchObject({ decision: 'What I typed.', context: 'Changed by somebody else.' });
    expectClean(visited, stage);
  });

  it('marks the very sentence of a statement in what was said', async () => {
    const visited = await visit(stage, { hash: '#/memory?layer=trace&kind=decision' });
    const { page } = visited;
    await page.locator('main [data-row]').first().click();
    await page.waitForSelector('.transcript [aria-current="true"] mark');
    await go(page, '#/memory');
    expectClean(visited, stage);
  });
});
