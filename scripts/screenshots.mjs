// `node scripts/screenshots.mjs`: a picture of every page of the viewer into docs/images/, from a made-up project. Needs a build
// (dist/) and Chromium.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromiumPath, launch, startUi } from '../test/viewer/browser.mjs';
import { makeProject } from '../test/viewer/made-up-project.mjs';
import { packPng } from './screenshots-png.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.resolve(process.argv[2] ?? path.join(root, 'docs/images'));
const SIZE = { width: 1280, height: 820 };

const calm = async (page) => {
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
  await page.waitForTimeout(400);
};
const refOf = 'record:decisions/hold-seats-in-redis';
const at = (page, params = {}) => `#/${page}?${new URLSearchParams(params)}`;

const PICTURES = [
  ['overview', at('overview')],
  ['overview-dark', at('overview'), { theme: 'dark' }],
  ['search', at('search', { q: 'why are seats held in redis' })],
  ['graph', at('graph'), { prepare: drawn }],
  ['graph-dark', at('graph', { focus: refOf, near: '2' }), { theme: 'dark', prepare: drawn }],
  ['timeline', at('timeline'), { prepare: openTopic }],
  ['memory', at('memory', { ref: refOf })],
  ['edit', at('memory', { ref: refOf }), { prepare: edit }],
  ['injections', at('injections')],
  ['phone', at('search', { q: 'tickets offline' }), { size: { width: 390, height: 780 } }],
];

async function drawn(page) {
  await page.waitForSelector('[data-state="drawn"]');
  await page.waitForTimeout(900);
}

async function openTopic(page) {
  await page.click('.lane-name >> nth=1');
  await page.waitForTimeout(300);
  await page.click('[data-chosen] .bar-span >> nth=0');
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
const ui = await startUi(made);
const browser = await launch();
try {
  for (const [name, hash, { theme = 'light', size = SIZE, prepare } = {}] of PICTURES) {
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
