// One recall inside a running process, as the memory grows to a million ideas of one project. The vector of the query is given;
// making it takes the model about 6 ms more.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { speaker } from '../../test/store/made-up.mjs';
import { addIdeas, load } from './filled-store.mjs';
import { madeUpVectors } from './made-up-vectors.mjs';
import { binary, median, sizeOf, withFolder } from './measure.mjs';

export const title = 'Recall in a running process';
const QUESTIONS = 80;
const PROJECT = '/work/measured';
const WAYS = ['words and vectors', 'words'];

export const measure = (say, { quick = false } = {}) =>
  withFolder(async (base) => {
    const { openSqliteStore } = await load();
    const file = path.join(base, 'memory.db');
    const sizes = quick ? [1_000, 3_000] : [1_000, 10_000, 100_000, 1_000_000];
    const voice = speaker(11);
    await madeUpVectors();
    const medians = Object.fromEntries(WAYS.map((way) => [way, {}]));
    const disk = {};
    const fill = {};
    let from = 0;
    for (const ideas of sizes) {
      const begun = performance.now();
      let store = await openSqliteStore(file);
      const questions = [];
      for (let at = from; at < ideas; at += 50_000) {
        const to = Math.min(ideas, at + 50_000);
        questions.push(...(await addIdeas(store, { project: PROJECT, from: at, to, say: voice })).slice(0, QUESTIONS));
        say(`${to} ideas`);
      }
      fill[ideas] = (performance.now() - begun) / (ideas - from);
      from = ideas;
      await store.close();
      disk[ideas] = sizeOf(file) / 1e6;
      // Opened anew: what filling left in memory is not what a process finds that asks.
      store = await openSqliteStore(file);
      const asked = questions.filter((_, at) => at % Math.ceil(questions.length / QUESTIONS) === 0);
      for (const way of WAYS) medians[way][ideas] = median(await askAll(store, asked, way));
      await store.close();
    }
    const million = quick ? [] : [...sizeRows(disk), ...commandRows(base, say)];
    return {
      rows: [...rowsOf(medians, quick), ...million],
      growth: [
        ...WAYS.map((way) => ({ what: `one recall by ${way}`, values: medians[way] })),
        { what: 'the database', values: disk, show: (value) => `${value.toFixed(value < 10 ? 1 : 0)} MB` },
        { what: 'putting one idea and its vector', values: fill, show: (value) => `${value.toFixed(2)} ms` },
      ],
    };
  });

/** Before vectors took a byte for each number. */
const BYTES_BEFORE = 2_539;

function sizeRows(disk) {
  const each = disk[1_000_000];
  return [
    {
      what: 'the database, for each of 1,000,000 ideas with a vector',
      shown: `${each.toFixed(0)} bytes`,
      wanted: `≤ ${Math.round((BYTES_BEFORE * 2) / 3)} bytes`,
      met: each <= (BYTES_BEFORE * 2) / 3,
    },
  ];
}

/** Commands that look at all of it; the best of three, because the first reads from the disk. */
function commandRows(home, say) {
  const project = path.join(home, 'project');
  mkdirSync(path.join(project, '.git'), { recursive: true });
  return ['stats', 'doctor'].map((command) => {
    say(`cairn ${command}`);
    const times = [1, 2, 3].map(() => {
      const begun = performance.now();
      const env = { ...process.env, CAIRN_HOME: home, HOME: home, CLAUDE_PROJECT_DIR: '' };
      const { stdout } = spawnSync(process.execPath, [binary, command, '--json'], { cwd: project, env });
      JSON.parse(String(stdout)); // a doctor that finds something ends with 1
      return performance.now() - begun;
    });
    const seconds = Math.min(...times) / 1_000;
    return {
      what: `\`cairn ${command}\`, 1,000,000 ideas`,
      shown: `${seconds.toFixed(2)} s`,
      wanted: '≤ 1 s',
      met: seconds <= 1,
    };
  });
}

async function askAll(store, questions, way) {
  const { recall } = await load();
  const { model, vector } = await madeUpVectors();
  const embed = async (texts) => texts.map((text) => vector(text.length * 7919 + text.charCodeAt(3)));
  const ask = (query) =>
    recall(
      { store, now: 1_780_000_000_000, ...(way === 'words' ? {} : { embedder: { model, embed } }) },
      { query, projects: [PROJECT], limit: 10 },
    );
  for (const query of questions.slice(0, 20)) await ask(query);
  const times = [];
  for (const query of questions) {
    const begun = performance.now();
    await ask(query);
    times.push(performance.now() - begun);
  }
  return times;
}

function rowsOf(medians, quick) {
  if (quick) return [];
  const [both] = WAYS;
  const at = medians[both][100_000];
  const growth = at / medians[both][10_000];
  const most = medians[both][1_000_000];
  return [
    ...(most === undefined
      ? []
      : [
          {
            what: `one recall by ${both}, 1,000,000 ideas, median of ${QUESTIONS}`,
            shown: `${most.toFixed(1)} ms`,
            wanted: '≤ 30 ms',
            met: most <= 30,
          },
        ]),
    {
      what: `one recall by ${both}, 100,000 ideas, median of ${QUESTIONS}`,
      shown: `${at.toFixed(1)} ms`,
      wanted: '≤ 15 ms',
      met: at <= 15,
    },
    {
      what: 'growth of it from 10,000 to 100,000 ideas',
      shown: `${growth.toFixed(2)} ×`,
      wanted: '≤ 2 ×',
      met: growth <= 2,
    },
  ];
}
