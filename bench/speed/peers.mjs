// Cairn beside what somebody would use instead, in one run, over the same made-up conversations. Peers that npm does not give are
// named. How well Cairn finds on real conversations is measured elsewhere (bench/quality).
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { milliseconds } from '../report.mjs';
import { median, run, sizeOf, timeOf, withFolder } from './measure.mjs';
import { cairnLines } from './peers/cairn-lines.mjs';
import { KINDS, writeCorpus } from './peers/corpus.mjs';
import { grepLines, memoryServerLines, minisearchLines, qmdLines } from './peers/other-lines.mjs';

export const title = 'Beside what else there is';

export const measure = (say, { quick = false } = {}) =>
  withFolder(async (base) => {
    const project = path.join(base, 'project');
    const transcripts = path.join(base, 'transcripts');
    mkdirSync(path.join(project, '.git'), { recursive: true });
    const corpus = writeCorpus(transcripts, { cwd: project, remarks: quick ? 1 : 9, each: quick ? 10 : 50 });
    say(`${corpus.messages.length} messages, ${(sizeOf(transcripts) / 1e6).toFixed(0)} MB`);
    const timing = timingOf(corpus.questions, quick ? 2 : 7);
    const place = { base, project, transcripts, corpus, say, timing };
    const lines = await cairnLines(place);
    const notes = [];
    for (const [name, peer] of Object.entries({
      'grep and ripgrep': grepLines,
      '@modelcontextprotocol/server-memory': memoryServerLines,
      MiniSearch: minisearchLines,
      '@tobilu/qmd': qmdLines,
    })) {
      try {
        const found = await peer(place);
        lines.push(...found.lines);
        notes.push(...found.notes);
      } catch (error) {
        say(`${name}: ${error.message}`);
        notes.push(
          `**${name} could not be had or did not run:** ${String(error.message).split('\n')[0].slice(0, 300)}`,
        );
      }
    }
    return {
      rows: [],
      tables: [speeds(corpus, sizeOf(transcripts), lines), hits(corpus, lines)],
      notes: [...aheadOf(lines), ...notes, ...NOTES],
    };
  });

const NOTES = [
  'The corpus: 20 parts of a product × 30 matters, each said once among remarks about the same parts. One message answers a question; ' +
    'a hit is that message among the first five. Cold is a process from its start to its end, warm the same question to a process ' +
    'that is already there (grep has none): Cairn and server-memory over their protocol, MiniSearch and QMD inside the process. Memory is the most that the answering process ever held.',
];

/** How each system is asked, so that all are asked alike. */
function timingOf(questions, coldRuns) {
  const some = questions.filter((_, at) => at % Math.ceil(questions.length / coldRuns) === 0).map(({ query }) => query);
  const result = (times, found) => ({
    times,
    hits: KINDS.map((_, kind) => {
      const own = questions
        .map((question, at) => ({ ...question, found: found[at] }))
        .filter((each) => each.kind === kind);
      return own.filter((each) => each.found.slice(0, 5).includes(each.gold)).length / own.length;
    }),
  });
  return {
    cold: (of) => some.map((query) => timeOf({ what: query, ...of(query) })),
    coldBy: async (ask) => {
      const times = [];
      for (const query of some) times.push(await timed(() => ask(query)));
      return times;
    },
    warm: async (ask) => {
      const [times, found] = [[], []];
      await ask(questions[0].query);
      for (const { query } of questions) times.push(await timed(async () => found.push(await ask(query))));
      return result(times, found);
    },
    /** `argv` reads the queries from a file and prints { times, found, memory }. */
    inProcess: async (file, argv, idOf, rephrase = (query) => query) => {
      writeFileSync(file, JSON.stringify(questions.map(({ query }) => rephrase(query))));
      const { times, found, memory } = JSON.parse((await run(argv)).out);
      return {
        ...result(
          times,
          found.map((ids) => ids.map(idOf)),
        ),
        memory,
      };
    },
  };
}

async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function speeds({ messages }, bytes, lines) {
  const megabytes = (value) => (value === undefined ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} MB`);
  return {
    title: `Speed and size, ${messages.length.toLocaleString('en')} messages in ${(bytes / 1e6).toFixed(0)} MB of transcripts`,
    head: ['system', 'asked how', 'to index', 'on disk', 'a question, cold', 'warm', 'memory'],
    lines: lines.map(({ system, way, indexMs, disk, cold, times, memory }) => [
      system,
      way,
      indexMs === 0 ? '–' : `${(indexMs / 1_000).toFixed(1)} s`,
      disk === 0 ? '–' : megabytes(disk / 1e6),
      milliseconds(median(cold)),
      milliseconds(median(times)),
      megabytes(memory),
    ]),
  };
}

function hits({ questions }, lines) {
  const each = questions.length / KINDS.length;
  return {
    title: `Found among the first five, of ${each} made-up questions of each kind`,
    head: ['system', 'asked how', ...KINDS],
    lines: lines.map((line) => [line.system, line.way, ...line.hits.map((share) => `${Math.round(100 * share)} %`)]),
  };
}

/** Where Cairn is behind, in words. */
function aheadOf(lines) {
  const own = lines.filter(({ system }) => system === 'Cairn');
  const others = lines.filter(({ system }) => system !== 'Cairn');
  const what = {
    'a cold question': (line) => -median(line.cold),
    'a warm question': (line) => -median(line.times),
    'the time to index': (line) => -line.indexMs,
    'the size on disk': (line) => -line.disk,
    'the memory of the process': (line) => (line.memory === undefined ? Number.NaN : -line.memory),
    ...Object.fromEntries(KINDS.map((kind, at) => [`what is found, ${kind}`, (line) => line.hits[at]])),
  };
  const behind = Object.entries(what).flatMap(([name, of]) => {
    const best = Math.max(...own.map(of));
    const ahead = [...new Set(others.filter((line) => of(line) > best).map(({ system }) => system))];
    return ahead.length > 0 ? [`- ${name}: ${ahead.join(', ')}`] : [];
  });
  return [`Ahead of the better of Cairn’s two ways:\n\n${behind.join('\n') || '- nobody'}`];
}
