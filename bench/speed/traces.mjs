// Conversations: how fast they are read, what one more turn costs at the end of a long one, how much memory a long one takes, and
// what is left of them on the disk.
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { bundle } from '../bundle.mjs';
import { addVectors, load } from './filled-store.mjs';
import { binary, inTurns, MB, run, sizeOf, withFolder } from './measure.mjs';
import { writeTranscript } from './transcripts.mjs';

export const title = 'Conversations';

const WORDS_MB = 400;
const WORDS_SECONDS = 30;

export const measure = (say, { quick = false } = {}) =>
  withFolder(async (base) => {
    const size = quick ? 4 : 100;
    const long = quick ? [1, 3] : [3, 30, 300];
    const peaks = [];
    const turns = await oneTurn(base, say, { sizes: long, peaks, runs: quick ? 2 : 15 });
    const [fast, disk] = await throughput(base, say, { size, rounds: quick ? 1 : 3 });
    const [bare] = await throughput(base, say, {
      size,
      rounds: quick ? 1 : 2,
      more: { CAIRN_TRACES_ARCHIVE_MAX_MB: '0' },
    });
    peaks.push(await sparsePeak(base, say, quick ? 10 : 1_000));
    return {
      rows: [...turns, ...fast, ...bare, ...peakRows(peaks)],
      tables: [disk],
      notes: [
        'A dense conversation has about eighty statements a megabyte, with words as common, lengths and names as in real ones ' +
          '(made-up-talk.mjs); the new turn has a conclusion and a decision in it, for which earlier conversations are searched. In a ' +
          'sparse one tools print ten times as much for each statement. The gigabyte is sparse, because reading a dense one takes long. ' +
          'What tools print repeats itself: the archive of real conversations compresses less.',
      ],
    };
  });

async function oneTurn(base, say, { sizes, peaks, runs }) {
  const { OPTIMISING_LESS } = await bundle('faces/launcher/optimise-less.ts');
  const env = environment(base, 'one-turn');
  const project = path.join(base, 'project');
  mkdirSync(project, { recursive: true });
  const cases = [];
  for (const size of sizes) {
    say(`a transcript of ${size} MB`);
    const file = path.join(base, `one-turn-${size}.jsonl`);
    const talk = writeTranscript(file, size * MB, { session: `long-${size}`, cwd: project });
    const { peakMb } = await run([binary, 'backfill', file, '--json'], { env, cwd: project });
    peaks.push({ what: `one dense transcript of ${size} MB`, size, peakMb });
    const payload = { session_id: `long-${size}`, transcript_path: file, cwd: project, hook_event_name: 'PreCompact' };
    cases.push({
      what: `index one new turn at the end of ${size} MB, the whole process`,
      // As a hook starts it (src/faces/launcher/start-worker.ts).
      argv: [...OPTIMISING_LESS, binary, 'hook', 'index-worker'],
      env: { CAIRN_WORKER_PAYLOAD: JSON.stringify(payload) },
      before: () => appendFileSync(file, talk.turn(true)),
      ...(size === sizes.at(-1) ? { budget: 3 } : {}),
      cause:
        'a process of its own runs every line for the first time: reading, judging, relating, writing; the length of the transcript does not matter.',
    });
  }
  say('one turn more');
  const rows = inTurns(cases, { runs, cwd: project, env });
  const growth = rows.at(-1).ms / rows[1].ms;
  rows.push({
    what: `the same at ${sizes.at(-1)} MB beside ${sizes[0]} MB`,
    shown: `${growth.toFixed(2)} ×`,
    wanted: '≤ 1.2 ×',
    met: growth <= 1.2,
  });
  return rows;
}

/** [rows, what is on the disk afterwards] */
async function throughput(base, say, { size, rounds, more = {} }) {
  const folder = path.join(base, 'many');
  const count = 50;
  if (sizeOf(folder) === 0) {
    mkdirSync(folder);
    for (let at = 0; at < count; at++)
      writeTranscript(path.join(folder, `many-${at}.jsonl`), (size / count) * MB, {
        session: `many-${at}`,
        cwd: '/work/many',
      });
  }
  const isWithout = Object.keys(more).length > 0;
  const speeds = [];
  let env;
  for (let round = 0; round < rounds; round++) {
    say(`${size} MB in ${count} transcripts${isWithout ? ', no archive' : ''}`);
    env = { ...environment(base, `many-${round}-${isWithout}`), ...more };
    const { out, cpuMs, ms } = await run([binary, 'backfill', folder, '--json'], { env });
    const { bytes } = JSON.parse(out);
    speeds.push({ perCore: bytes / 1e3 / cpuMs, perSecond: bytes / 1e3 / ms });
  }
  const best = speeds.sort((a, b) => b.perCore - a.perCore)[0];
  const row = {
    what: `\`cairn backfill\`, ${size} MB, ${isWithout ? 'no archive' : 'with the archive'}: per second of processor time (best of ${rounds})`,
    shown: `${best.perCore.toFixed(1)} MB/s (${best.perSecond.toFixed(1)} on the clock)`,
    wanted: '≥ 20 MB/s',
    met: best.perCore >= 20,
    cause:
      'every statement is judged, related and written with its words: reading and masking are a third of it, judging a sixth, writing another, the archive an eighth, the search for what earlier conversations said a tenth.',
  };
  if (isWithout) return [[row]];
  const fastest = Math.max(...speeds.map(({ perSecond }) => perSecond));
  const seconds = WORDS_MB / fastest;
  const words = {
    what: `words of ${WORDS_MB} MB searchable after \`cairn backfill\` starts, at the pace of the fastest run`,
    shown: `${seconds.toFixed(0)} s`,
    wanted: `≤ ${WORDS_SECONDS} s`,
    met: seconds <= WORDS_SECONDS,
  };
  return [[row, words], await onDisk(env.CAIRN_HOME, sizeOf(folder))];
}

async function onDisk(home, transcripts) {
  const { openSqliteStore } = await load();
  const file = path.join(home, 'memory.db');
  const before = await compacted(openSqliteStore, file);
  const store = await openSqliteStore(file);
  const vectors = await addVectors(store);
  await store.close();
  const after = await compacted(openSqliteStore, file);
  const archive = sizeOf(path.join(home, 'archive'));
  const line = (what, bytes) => [
    what,
    `${(bytes / MB).toFixed(1)} MB`,
    `${((bytes / transcripts) * 1_000).toFixed(0)} KB`,
  ];
  return {
    title: 'On the disk',
    head: ['what', `of ${(transcripts / MB).toFixed(0)} MB of transcripts`, 'for each MB of transcript'],
    lines: [
      line('database, words and rows', before),
      line(`vectors (${vectors.toLocaleString('en')}, one for each statement)`, Math.max(0, after - before)),
      line('archive, compressed and redacted', archive),
      line('all', after + archive),
    ],
  };
}

/** Closing writes the log back into the file; what remains of it counts too. */
async function compacted(openSqliteStore, file) {
  await (await openSqliteStore(file)).close();
  return ['', '-wal', '-shm'].reduce((sum, ending) => sum + sizeOf(`${file}${ending}`), 0);
}

async function sparsePeak(base, say, size) {
  say(`a sparse transcript of ${size} MB`);
  const file = path.join(base, 'huge.jsonl');
  writeTranscript(file, size * MB, { session: 'huge', cwd: '/work/huge', sparse: true });
  say('reading it');
  const { peakMb, ms } = await run([binary, 'backfill', file, '--json'], { env: environment(base, 'huge') });
  rmSync(file);
  return {
    what: `one sparse transcript of ${size} MB (${(size / (ms / 1_000)).toFixed(0)} MB/s on the clock)`,
    size,
    peakMb,
  };
}

function peakRows(peaks) {
  return peaks.map(({ what, size, peakMb }) => ({
    what: `peak memory of \`cairn backfill\`, ${what}`,
    shown: `${peakMb.toFixed(0)} MB`,
    ...(size >= 300 ? { wanted: '≤ 300 MB', met: peakMb <= 300 } : {}),
  }));
}

function environment(base, name) {
  const home = path.join(base, name);
  mkdirSync(home, { recursive: true });
  return {
    ...process.env,
    HOME: home,
    CAIRN_HOME: path.join(home, '.cairn'),
    CLAUDE_PROJECT_DIR: '',
    CAIRN_EMBEDDINGS_PROVIDER: 'none',
  };
}
