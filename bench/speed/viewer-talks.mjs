// The pages of the viewer that people open with many conversations: the journal, a search, the map, each from the question until the
// answer is there (journal, search) or drawn (map), with 50 and with 500 conversations.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromiumPath, launch, startUi } from '../../test/viewer/browser.mjs';
import { binary, makeRepository, median, run, withFolder } from './measure.mjs';
import { writeTranscript } from './transcripts.mjs';

export const title = 'The viewer with many conversations';
const ANSWER_BUDGET = 150;
const MAP_BUDGET = 1_000;
const BYTES = 60_000;
const ROUNDS = 9;
const QUESTIONS = [
  'why does the build fail',
  'what was decided about the cache',
  'error in the login test',
  'rename the queue',
];

export const measure = (say, { quick = false } = {}) =>
  withFolder(async (base) => {
    if (!chromiumPath()) return { rows: [], notes: ['Not measured: there is no Chromium on this machine.'] };
    const rows = [];
    for (const talks of quick ? [20] : [50, 500])
      rows.push(...(await measured(path.join(base, String(talks)), talks, say)));
    return { rows };
  });

async function measured(base, talks, say) {
  const made = await fill(base, talks);
  say(`${talks} conversations`);
  const ui = await startUi(made);
  const browser = await launch();
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(ui.address);
    await page.waitForSelector('main h1');
    await page.waitForTimeout(500);
    const journal = [];
    for (let round = 0; round < ROUNDS; round++) journal.push(await timeOf(page, `journal?limit=25`));
    const searches = [];
    for (let round = 0; round < ROUNDS; round++)
      searches.push(
        await timeOf(page, `search?q=${encodeURIComponent(`${QUESTIONS[round % QUESTIONS.length]} ${round}`)}`),
      );
    const map = await openMap(page);
    const again = [];
    for (let round = 0; round < 3; round++) again.push(await openMap(page));
    return rowsOf(talks, {
      first: journal[0],
      journal: median(journal),
      search: median(searches),
      map,
      again: median(again),
    });
  } finally {
    await browser.close();
    await ui.stop();
  }
}

function rowsOf(talks, { first, journal, search, map, again }) {
  const row = (what, value, budget) => ({
    what: `${what}, ${talks} conversations`,
    shown: `${Math.round(value)} ms`,
    wanted: `≤ ${budget} ms`,
    met: value <= budget,
  });
  return [
    row('Conversations, the first time', first, ANSWER_BUDGET),
    row('Conversations', journal, ANSWER_BUDGET),
    row('Search', search, ANSWER_BUDGET),
    row('the map, from the click until it is drawn, the first time', map, MAP_BUDGET),
    row('the map, again', again, MAP_BUDGET),
  ];
}

async function fill(base, talks) {
  const [project, home, folder] = ['project', 'home', 'transcripts'].map((name) => path.join(base, name));
  for (const each of [project, home, folder]) mkdirSync(each, { recursive: true, mode: 0o700 });
  makeRepository(project, home);
  writeFileSync(path.join(home, 'config.json'), JSON.stringify({ embeddings: { provider: 'none' } }));
  for (let at = 0; at < talks; at++) {
    const session = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
    writeTranscript(path.join(folder, `${session}.jsonl`), BYTES, { session, cwd: project });
  }
  const { PATH } = process.env;
  const env = { PATH, HOME: base, CAIRN_HOME: home };
  await run([binary, 'backfill', folder], { env, cwd: project });
  return { project, env };
}

/** In the page, with its own token. */
const timeOf = (page, question) =>
  page.evaluate(async (asked) => {
    const start = performance.now();
    const answer = await fetch(`/api/${asked}`, {
      headers: { 'x-cairn-token': sessionStorage.getItem('cairn-token') },
    });
    if (!answer.ok) throw new Error(`${asked}: ${answer.status}`);
    await answer.json();
    return performance.now() - start;
  }, question);

async function openMap(page) {
  await page.evaluate(() => {
    location.hash = '#/settings';
  });
  await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Settings');
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const start = performance.now();
        location.hash = '#/graph';
        const look = () => {
          if (!document.querySelector('.map-node text')) return requestAnimationFrame(look);
          requestAnimationFrame(() => resolve(performance.now() - start));
        };
        look();
      }),
  );
}
