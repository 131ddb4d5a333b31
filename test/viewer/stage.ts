// What the viewer's tests stand on: one project, one `cairn ui`, one browser for a file of tests. The project is the made-up one;
// where evaluation data lies beside the project, some of its conversations join it, because real ones are less tidy.

import fs from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { newFolder } from '../fixtures/temporary.ts';
import { chromiumPath, launch, startUi, type Ui } from './browser.mjs';
import { BINARY, cairn, type MadeProject, makeProject } from './made-up-project.mjs';

const DATA = path.resolve(import.meta.dirname, '../../../shared/data/context-evaluator/transcripts');
/** `CAIRN_TEST_SLOWER=6`: the page as on a machine that is six times slower, to find tests and gestures that are too quick for one. */
const SLOWER = Number(process.env.CAIRN_TEST_SLOWER ?? 1);
const BORROWED_TALKS = 6;
const BORROWED_BYTES = 700_000;

export type Stage = { made: MadeProject; ui: Ui; browser: Browser };
export type Visit = { page: Page; context: BrowserContext; problems: string[]; requests: string[] };
type VisitOptions = {
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  forcedColors?: 'active';
  hash?: string;
  allow?: RegExp;
};

const isPossible =
  chromiumPath() !== undefined && fs.existsSync(path.join(path.dirname(BINARY), '../../viewer/index.html'));
if (!isPossible)
  process.stderr.write(
    '\n!!!! THE VIEWER IS NOT TESTED: it needs Chromium (set CAIRN_CHROMIUM, or install it) and a build (npm run build). !!!!\n\n',
  );
else if (!fs.existsSync(DATA))
  process.stderr.write('The viewer is tested with the made-up project alone: no data beside it.\n');

/** A block of tests with the stage set; skipped, loudly, where there is no browser. */
export function describeViewer(name: string, tests: (stage: Stage) => void): void {
  describe.skipIf(!isPossible)(name, { timeout: 180_000 }, () => {
    const stage = {} as Stage;
    const base = newFolder();
    beforeAll(async () => {
      stage.made = makeProject(base, { settings: { embeddings: { provider: 'none' } } });
      borrowTalks(stage.made);
      [stage.ui, stage.browser] = await Promise.all([startUi(stage.made), launch()]);
    }, 240_000);
    afterEach(async () => {
      for (const context of stage.browser?.contexts() ?? []) await context.close();
    });
    afterAll(async () => {
      await stage.browser?.close();
      await stage.ui?.stop();
      await removeBusyFolder(base);
    });
    tests(stage);
  });
}

/** Copies that claim to be of this project; the originals are never written to. */
function borrowTalks(made: MadeProject): void {
  if (!fs.existsSync(DATA)) return;
  const folder = path.join(made.base, 'borrowed');
  fs.mkdirSync(folder);
  const small = fs
    .readdirSync(DATA)
    .sort()
    .filter((name) => name.endsWith('.jsonl') && fs.statSync(path.join(DATA, name)).size < BORROWED_BYTES)
    .slice(0, BORROWED_TALKS);
  for (const name of small) {
    const text = fs.readFileSync(path.join(DATA, name), 'utf8');
    const cwd = /"cwd":"([^"]+)"/.exec(text)?.[1];
    fs.writeFileSync(
      path.join(folder, name),
      cwd ? text.replaceAll(`"cwd":"${cwd}"`, `"cwd":"${made.project}"`) : text,
    );
  }
  cairn(made, ['backfill', folder]);
}

/** A fresh browser profile on a page of the viewer. Errors of the page and requests are collected from the start. */
export async function visit({ browser, ui }: Stage, options: VisitOptions = {}): Promise<Visit> {
  const { width = 1280, height = 800, theme = 'light', forcedColors, hash, allow } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    ...(forcedColors ? { forcedColors } : {}),
    locale: 'en-GB',
    acceptDownloads: true,
  });
  context.setDefaultTimeout(45_000); // for busy machines; nothing waits that long on others
  const page = await context.newPage();
  const problems: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !allow?.test(text)) problems.push(text);
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  if (SLOWER > 1) {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  }
  await page.goto(ui.address);
  await page.waitForSelector('main h1');
  if (hash) await go(page, hash);
  else await settled(page);
  return { page, context, problems, requests };
}

export async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.waitForFunction((to) => location.hash === to, hash);
  await settled(page);
}

/** Nothing is waited for any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForTimeout(50);
  await page.waitForFunction(
    () => document.querySelector('main h1') !== null && document.querySelector('[aria-busy="true"]') === null,
  );
}

/** No error on the page, and nothing asked of anybody but the server. */
export function expectClean({ problems, requests }: Visit, { ui }: Stage): void {
  expect(problems).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(`${ui.origin}/`) && !/^(?:blob|data):/.test(url))).toEqual([]);
}

/** Every page that there is, with what can be on it. */
export const everyPage = (): { [name: string]: string } => ({
  today: '#/today',
  conversations: '#/conversations',
  'nothing found': '#/search?q=redis&until=2001-01-01',
  search: '#/search?q=redis+seats',
  'search without words': '#/search',
  graph: '#/graph',
  everything: '#/graph?all=true',
  'every node': '#/graph?all=true&dots=true',
  review: '#/review',
  settings: '#/settings',
  rehearsal: '#/injections?try=true&prompt=why+are+seats+held+in+redis',
  'graph in focus': `#/graph?focus=${encodeURIComponent(REF)}`,
  timeline: '#/timeline',
  'memory list': '#/memory',
  record: memoryHash(REF),
  'retired record': memoryHash('record:decisions/sessions-in-cookies'),
  note: memoryHash('note:error-hold-lost-after-failover'),
  injections: '#/injections',
});

export const REF = 'record:decisions/hold-seats-in-redis';
export const memoryHash = (ref: string): string => `#/memory?ref=${encodeURIComponent(ref)}`;
