// Vectors: how many a second on all cores that are idle, when the telling ones are there, and what the processes take that make them.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { binary, MB, memoryOf, run, withFolder } from './measure.mjs';
import { writeTranscript } from './transcripts.mjs';

export const title = 'Vectors';

const LEAST_EACH_SECOND = 300;
const MOST_MB = 350;
/** Real conversations of 370 MB have about so many statements; the first fifth of them is what most questions need. */
const STATEMENTS = 47_000;
const FIRST_SHARE = 0.2;
const MOST_SECONDS = 60;
const HELPER = /main\.js hook embed-worker/;

export const measure = (say, { quick = false } = {}) =>
  withFolder(async (base) => {
    const size = quick ? 8 : 60;
    const home = path.join(base, 'home');
    mkdirSync(home);
    const env = { ...process.env, HOME: home, CAIRN_HOME: path.join(home, '.cairn'), CLAUDE_PROJECT_DIR: '' };
    const talk = path.join(base, 'talk');
    mkdirSync(talk);
    say(`${size} MB of conversations`);
    for (let at = 0; at < size / 4; at++)
      writeTranscript(path.join(talk, `talk-${at}.jsonl`), 4 * MB, { session: `talk-${at}`, cwd: '/work/talk' });
    await run([binary, 'backfill', talk, '--no-vectors', '--json'], { env, cwd: home });
    say('their vectors');
    const peaks = new Map();
    const watch = setInterval(() => {
      for (const pid of helpers()) peaks.set(pid, memoryOf(pid).peak);
    }, 100);
    let answer;
    try {
      answer = JSON.parse((await run([binary, 'backfill', talk, '--json'], { env, cwd: home })).out);
    } finally {
      clearInterval(watch);
    }
    const { embedded } = answer.vectors;
    const eachSecond = (embedded / answer.upkeep_ms) * 1_000;
    const soon = (STATEMENTS * FIRST_SHARE) / eachSecond;
    const peak = Math.max(0, ...peaks.values());
    const cores = os.availableParallelism();
    return {
      rows: [
        {
          what: `vectors a second, ${embedded.toLocaleString('en')} statements as long as real ones, ${peaks.size} processes on ${cores} cores`,
          shown: eachSecond.toFixed(0),
          wanted: `≥ ${LEAST_EACH_SECOND} on two`,
          met: eachSecond >= LEAST_EACH_SECOND,
          cause:
            'the model reads about five thousand pieces of words a second on one core without VNNI; one process runs for each core that was idle when it began.',
        },
        {
          what: `the first fifth of ${STATEMENTS.toLocaleString('en')} (370 MB of real conversations) at that pace`,
          shown: `${soon.toFixed(0)} s`,
          wanted: `≤ ${MOST_SECONDS} s`,
          met: soon <= MOST_SECONDS,
        },
        {
          what: 'peak memory of a process that makes vectors',
          shown: `${peak.toFixed(0)} MB`,
          wanted: `≤ ${MOST_MB} MB`,
          met: peak <= MOST_MB,
        },
      ],
      notes: ['Opening the model and starting the processes is in the time, and so is writing the vectors.'],
    };
  });

/** Where the system tells; elsewhere nothing is said of their memory. */
function helpers() {
  try {
    return readdirSync('/proc').filter((name) => {
      if (!/^\d+$/.test(name)) return false;
      try {
        return HELPER.test(readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' '));
      } catch {
        return false; // it has ended
      }
    });
  } catch {
    return [];
  }
}
