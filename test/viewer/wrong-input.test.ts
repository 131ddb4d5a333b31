// What people and programs do wrong: addresses with nonsense, questions without end, letters of every script, memories, files and
// projects that are gone, tokens that are not ours, names of files that a shell would read otherwise. The page says what is the matter,
// and goes on.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../fixtures/temporary.ts';
import { startUi } from './browser.mjs';
import { cairn } from './made-up-project.mjs';
import { describeViewer, expectClean, go, memoryHash, REF, settled, visit } from './stage.ts';

/** Answers that say so; browsers write them to the console as well. */
const REFUSED = /status of 4\d\d/;
const ODD = [
  '#',
  '#/',
  '#//today',
  '#/nowhere',
  '#/today/../settings?x=%',
  '#/search?q=%E0%A4%A',
  '#/search?q=a&q=b&kind=nonsense&layers=none,trace&since=yesterday&until=99999-99-99',
  '#/search?q=%00%1F%7F&session=..%2F..%2Fetc',
  '#/memory?ref=',
  '#/memory?ref=record:../../../etc/passwd',
  '#/memory?ref=idea:999999999999999999999&of=nowhere',
  '#/memory?layer=nonsense&kind=%22&status=%27&order=sideways&cursor=broken',
  '#/graph?focus=record:nobody&near=-7',
  '#/graph?focus=%3Cscript%3E&near=1e99&all=true',
  '#/graph?all=true&group=nobody&limit=minus',
  '#/graph?all=true&dots=true&limit=999999999',
  '#/timeline?span=span:1&session=..&from=x&to=y',
  '#/conversations?day=2026-13-45',
  '#/conversations?day=nonsense&session=nobody&cursor=%7B',
  '#/injections?day=0000-00-00&cursor=x&session=%00',
  '#/injections?try=true&prompt=%F0%9F%92%A9',
  '#/today?project=nowhere',
  '#/settings?project=..%2F..&ref=x',
  `#/${'x'.repeat(5_000)}?${'y=z&'.repeat(500)}`,
];

describeViewer('what is wrong', (stage) => {
  it('leaves a page that can be used, whatever stands in the address', async () => {
    const visited = await visit(stage, { allow: REFUSED });
    const { page } = visited;
    for (const hash of ODD) {
      await page.evaluate((to) => {
        location.hash = to;
      }, hash);
      await settled(page);
      expect(await page.locator('main h1').count(), hash).toBe(1);
      expect(((await page.textContent('main')) ?? '').length, hash).toBeGreaterThan(10);
      await page.locator('.pages a', { hasText: 'Settings' }).click();
      await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Settings');
    }
    expectClean(visited, stage);
  });

  it('answers questions without end and in every script', async () => {
    const visited = await visit(stage, { hash: '#/search', allow: REFUSED });
    const { page } = visited;
    const field = page.locator('#search-field');
    for (const question of [
      'seats '.repeat(3_000),
      'x'.repeat(20_000),
      'Почему места держат в Redis? 座席はなぜ？ لماذا؟ 👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      '"unbalanced AND ( OR NEAR/ * ^ -- \' ; DROP TABLE',
      '\u202eright to left\u202c \u0000 \ud800 lone',
    ]) {
      await field.fill(question);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.hits[aria-busy="false"], .nothing, .notice.bad');
      await settled(page);
      expect(await page.textContent('h1')).toBe('Search');
    }
    await field.fill('seats held in redis');
    await page.waitForFunction(
      () => document.querySelector('.hits')?.getAttribute('data-query') === 'seats held in redis',
    );
    expectClean(visited, stage);
  });

  it('keeps memories in every script as they are, through form, file and page', async () => {
    const visited = await visit(stage, { hash: '#/memory' });
    const { page } = visited;
    const said = 'Schiffe heißen „Żółw“ и «Чайка» · 海鳥 · \u05d0\u05d1 · 🛳️ e\u0301 — because harbours do.';
    await page.keyboard.press('n');
    await page.selectOption('#new-kind', 'record decision');
    await page.fill('#new-text', said);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForSelector('#memory-title');
    expect((await page.textContent('.content'))?.normalize('NFC')).toContain('海鳥');
    await page.keyboard.press('e');
    await page.fill('#edit-title', 'Żółw und Чайка 🛳️');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForFunction(() => document.querySelector('#memory-title')?.textContent?.includes('Чайка'));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Чайка');
    await page.waitForSelector('.palette-row >> text=Чайка');
    expectClean(visited, stage);
  });

  it('says that a memory is gone when its file is, and where to go on', async () => {
    const file = path.join(stage.made.memory, 'preferences/harbour-local-time.json');
    const [name] = fs.readdirSync(path.dirname(file));
    const gone = path.join(path.dirname(file), name!);
    const text = fs.readFileSync(gone);
    const visited = await visit(stage, {
      hash: memoryHash(`record:preferences/${path.basename(gone, '.json')}`),
      allow: REFUSED,
    });
    const { page } = visited;
    await page.waitForSelector('#memory-title');
    try {
      fs.rmSync(gone);
      cairn(stage.made, ['index', '--rebuild']);
      await page.waitForSelector('main .notice.bad');
      expect(await page.textContent('main .notice.bad')).toMatch(/no memory|not found|no record|gone/i);
      await page.reload(); // what was there is not kept for those who come now
      await page.getByRole('link', { name: 'All memories' }).click();
      await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Memories');
    } finally {
      fs.writeFileSync(gone, text);
      cairn(stage.made, ['index', '--rebuild']);
    }
    expectClean(visited, stage);
  });

  it('does not lose an edit of a memory that is deleted meanwhile', async () => {
    const file = path.join(stage.made.memory, 'decisions/hold-seats-in-redis.json');
    const text = fs.readFileSync(file);
    const visited = await visit(stage, { hash: memoryHash(REF), allow: REFUSED });
    const { page } = visited;
    await page.keyboard.press('e');
    await page.fill('#edit-title', 'Typed while it went away');
    try {
      fs.rmSync(file);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForSelector('.toast.bad, .notice.bad, form.edit .error');
      expect(fs.existsSync(file)).toBe(false); // it does not come back by being edited
    } finally {
      fs.writeFileSync(file, text);
      cairn(stage.made, ['index', '--rebuild']);
    }
    await go(page, '#/memory');
    await go(page, memoryHash(REF));
    await page.waitForSelector('form.edit');
    expect(await page.inputValue('#edit-title')).toBe('Typed while it went away');
    await page.keyboard.press('Escape');
    await page.waitForSelector('form.edit', { state: 'detached' });
  });

  it('goes on with the others when a project vanished', async () => {
    const folder = path.join(stage.made.base, 'vanishing-talks');
    const cwd = path.join(stage.made.base, 'vanishing');
    for (const each of [folder, cwd]) fs.mkdirSync(each, { recursive: true });
    const line = (at: number, type: string, content: unknown) =>
      JSON.stringify({
        type,
        sessionId: 'e2e2e2e2-0000-4000-8000-000000000001',
        cwd,
        uuid: `v${at}`,
        timestamp: new Date(Date.now() - 3_600_000 + at * 60_000).toISOString(),
        message: { role: type, content },
      });
    fs.writeFileSync(
      path.join(folder, 'e2e2e2e2-0000-4000-8000-000000000001.jsonl'),
      `${[
        line(0, 'user', 'Which buoy marks the vanishing channel?'),
        line(1, 'assistant', [
          {
            type: 'text',
            text: 'We decided to mark the vanishing channel with a green buoy, because ships pass at its right.',
          },
        ]),
      ].join('\n')}\n`,
    );
    cairn(stage.made, ['backfill', folder]);
    fs.rmSync(cwd, { recursive: true });
    fs.rmSync(folder, { recursive: true });
    const visited = await visit(stage, { allow: REFUSED });
    const { page } = visited;
    await page.waitForSelector('#scope');
    await page.selectOption('#scope', { label: 'vanishing' });
    for (const name of await page.locator('.pages a').allTextContents()) {
      await page.locator('.pages a', { hasText: name }).click();
      await settled(page);
      expect(await page.locator('main .notice.bad').count(), name).toBe(0);
    }
    await page.locator('.pages a', { hasText: 'Memories' }).click();
    await page.locator('main [data-row]', { hasText: 'green buoy' }).first().click();
    await page.waitForSelector('#memory-title');
    expectClean(visited, stage);
  });

  it('says what to do about a token that is not its own, and takes the right one', async () => {
    for (const token of ['wrong', '%00', 'x'.repeat(4_000), '']) {
      const context = await stage.browser.newContext();
      const page = await context.newPage();
      await page.goto(`${stage.ui.origin}/#token=${token}`);
      await page.waitForSelector('[role="alert"]');
      expect(await page.textContent('main')).toContain('cairn ui');
      expect(await page.textContent('main')).not.toContain('Redis');
      await page.evaluate((hash) => {
        location.hash = hash;
      }, new URL(stage.ui.address).hash);
      await page.waitForSelector('.totals');
      await context.close();
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'opens the file in the editor of the user, whatever its name is, and nothing that is no memory',
    async () => {
      const bin = newFolder();
      const said = path.join(bin, 'said');
      const editor = path.join(bin, 'code');
      fs.writeFileSync(
        editor,
        `#!${process.execPath}\nrequire('node:fs').appendFileSync(${JSON.stringify(said)}, JSON.stringify(process.argv.slice(2)) + '\\n');\n`,
        { mode: 0o755 },
      );
      const notes = path.join(stage.made.memory, 'nodes/discoveries');
      const name = 'a $(touch owned) ; & \'quoted\' "name" `x`';
      const note = (id: string) =>
        `---\nid: ${JSON.stringify(id)}\ntype: discovery\ntitle: A strange name\ncreated: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\n---\n\n## Finding\n\nIt has a strange name.\n`;
      fs.writeFileSync(path.join(notes, `${name}.md`), note(name));
      // A link that came with a repository and leads to a program.
      const program = path.join(bin, 'program.sh');
      fs.writeFileSync(program, note('harmless'), { mode: 0o755 });
      fs.symlinkSync(program, path.join(notes, 'harmless.md'));
      cairn(stage.made, ['index', '--rebuild']);
      const made = {
        ...stage.made,
        env: { ...stage.made.env, VISUAL: `${editor} --wait`, PATH: `${bin}:${stage.made.env.PATH}` },
      };
      const ui = await startUi(made);
      try {
        const visited = await visit({ ...stage, ui, made }, { hash: memoryHash(REF), allow: REFUSED });
        const { page } = visited;
        await page.getByText('More', { exact: true }).click();
        await page.getByRole('button', { name: 'Open the file' }).click();
        await page.waitForSelector('.toast >> text=Opened');
        const opened = () =>
          fs
            .readFileSync(said, 'utf8')
            .trim()
            .split('\n')
            .map((each) => JSON.parse(each) as string[]);
        const real = fs.realpathSync(path.join(stage.made.memory, 'decisions/hold-seats-in-redis.json'));
        expect(opened()).toEqual([[real]]);
        await go(page, '#/memory?layer=note');
        const strange = page.locator('main a[data-row]', { hasText: 'A strange name' });
        for (const ref of await strange.evaluateAll((all) =>
          all.map((each) => new URLSearchParams((each.getAttribute('href') ?? '').split('?')[1]).get('ref') ?? ''),
        )) {
          await go(page, memoryHash(ref));
          await page.getByText('More', { exact: true }).click();
          await page.getByRole('button', { name: 'Open the file' }).click();
          await page.waitForSelector('.toast');
          await page.locator('.toast').first().getByRole('button', { name: 'Dismiss the message' }).click();
          await page.waitForSelector('.toast', { state: 'detached' });
        }
        for (const [file, ...more] of opened()) {
          expect(more).toEqual([]);
          expect(file).not.toContain('program.sh');
        }
        expect(fs.existsSync(path.join(stage.made.project, 'owned'))).toBe(false);
      } finally {
        await ui.stop();
        fs.rmSync(path.join(notes, `${name}.md`));
        fs.rmSync(path.join(notes, 'harmless.md'));
        fs.rmSync(bin, { recursive: true, force: true });
      }
    },
  );
});
