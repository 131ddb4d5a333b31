// `node scripts/screenshots.mjs [FOLDER [NAME …]]`: a picture of every page of the viewer, or of those that are named, into docs/images/,
// from a made-up project. Needs a build (dist/) and Chromium.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromiumPath, launch, startUi } from '../test/viewer/browser.mjs';
import { makeProject } from '../test/viewer/made-up-project.mjs';
import { packPng } from './screenshots-png.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.resolve(process.argv[2] ?? path.join(root, 'docs/images'));
const only = process.argv.slice(3);
const SIZE = { width: 1280, height: 820 };

const calm = async (page) => {
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
  await page.waitForTimeout(400);
};
const refOf = 'record:decisions/hold-seats-in-redis';
const at = (page, params = {}) => `#/${page}?${new URLSearchParams(params)}`;

const PICTURES = [
  ['today', at('today')],
  ['today-dark', at('today'), { theme: 'dark' }],
  ['conversations', at('conversations'), { prepare: openTalk }],
  ['search', at('search', { q: 'why are seats held in redis' })],
  ['graph', at('graph'), { prepare: drawn }],
  ['everything', at('graph', { all: 'true' }), { prepare: drawn }],
  ['graph-dark', at('graph', { focus: refOf }), { theme: 'dark', prepare: drawn }],
  ['memory', at('memory', { ref: refOf })],
  ['edit', at('memory', { ref: refOf }), { prepare: edit }],
  ['injections', at('injections')],
  [
    'rehearsal',
    at('injections', { try: 'true', prompt: 'Why do we hold seats for ten minutes, and can tickets be used offline?' }),
  ],
  ['review', at('review')],
  ['settings', at('settings')],
  ['phone', at('search', { q: 'tickets offline' }), { size: { width: 390, height: 780 } }],
];

async function drawn(page) {
  await page.waitForSelector('[data-state="drawn"]');
  await page.waitForTimeout(900);
}

/** Where the pictures were made is nobody's business. */
function atHome(base) {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode())
    if (node.nodeValue.includes(base)) node.nodeValue = node.nodeValue.replaceAll(base, '~');
}

async function openTalk(page) {
  await page.click('.talk-title >> nth=0');
  await page.waitForSelector('.exchange');
}

async function edit(page) {
  await page.click('[data-key="e"]');
  await page.fill('#edit-title', '');
  await page.click('text=Save');
  await page.waitForSelector('.error');
}

if (!chromiumPath()) throw new Error('There is no Chromium; say where it is with CAIRN_CHROMIUM.');
mkdirSync(folder, { recursive: true });
const base = mkdtempSync(path.join(os.tmpdir(), 'cairn-pictures-'));
const made = makeProject(base);
// As after a day of work: a hook ran some minutes ago.
mkdirSync(path.join(made.home, 'log', 'last'), { recursive: true });
writeFileSync(path.join(made.home, 'log', 'last', 'UserPromptSubmit'), '');
const ui = await startUi(made);
const browser = await launch();
try {
  for (const [name, hash, { theme = 'light', size = SIZE, prepare } = {}] of PICTURES) {
    if (only.length > 0 && !only.includes(name)) continue;
    const context = await browser.newContext({
      viewport: size,
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
    });
    const page = await context.newPage();
    page.on('console', (message) => {
      // The refused edit is part of the picture of editing.
      if (message.type() === 'error' && !message.text().includes('422')) console.error(`${name}: ${message.text()}`);
    });
    page.on('pageerror', (error) => console.error(`${name}: ${error.message}`));
    await page.goto(ui.address);
    await page.waitForSelector('main h1');
    await page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await page.waitForTimeout(200);
    await calm(page);
    await prepare?.(page);
    await calm(page);
    await page.mouse.move(0, 0);
    await page.evaluate(atHome, base);
    const file = path.join(folder, `${name}.png`);
    const picture = packPng(await page.screenshot());
    writeFileSync(file, picture);
    console.log(`${name}.png  ${Math.round(picture.length / 1000)} KB`);
    await context.close();
  }
} finally {
  await browser.close();
  await ui.stop();
  rmSync(base, { recursive: true, force: true });
}
