// The measurements of `npm run eval` as a page: bench/EVAL.md, and what is printed.
import { spawnSync } from 'node:child_process';
import os from 'node:os';
import { root } from '../bundle.mjs';

export const NAMES = ['hit@1', 'hit@5', 'hit@10', 'recall@5', 'recall@10', 'MRR'];
export const BEST = 'hybrid + expansion';

/** `first`: the sections that stand before those of the sets. */
export function pageOf(report, { model, seconds, first }) {
  const git = (...args) => String(spawnSync('git', args, { cwd: root }).stdout).trim();
  const isChanged = git('status', '--porcelain', '--', 'src', 'bench/quality', 'package-lock.json') !== '';
  const commit = `${git('rev-parse', '--short', 'HEAD') || 'unknown'}${isChanged ? ' with uncommitted changes' : ''}`;
  return [
    '# How well conversations are understood, and found again',
    '',
    'Written by `npm run eval -- --data DIR`; every number is from that run. The sets are public conversations with questions whose',
    'answers are known, two of them labelled by hand; they are not part of Cairn. docs/EXTRACTION.md and docs/RANKING.md say what the',
    'parts are and what was tried.',
    '',
    `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC · commit ${commit} · Node ${process.version} · ${os.platform()} ${os.release()} ${os.arch()} · ${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown'} · ${Math.round(os.totalmem() / 2 ** 30)} GB · model ${model} · ${Math.round(seconds / 60)} minutes, ${Math.round(process.cpuUsage().user / 6e7)} of processor time`,
    '',
    ...first,
    ...Object.entries(report).flatMap(([set, part]) => sectionOf(set, part)),
    ...ablationTable(report),
    '',
  ].join('\n');
}

export function sectionOf(set, { floor, ways, baselines, currency, silence }, { types = false } = {}) {
  const rows = [];
  const add = (name, type, row) =>
    rows.push(`| ${name} | ${type} | ${row.queries} | ${NAMES.map((key) => short(row[key])).join(' | ')} |`);
  for (const [name, measured] of [...Object.entries(baselines ?? {}), ...Object.entries(ways)])
    for (const [type, row] of Object.entries(measured))
      if (type === 'all' || types || name === BEST || (baselines && name in baselines)) add(name, type, row);
  return [
    `## ${set}`,
    '',
    ...(floor ? [`Plain BM25 over whole turns, as published with the set: ${floor}.`, ''] : []),
    `| way | type | queries | ${NAMES.join(' | ')} |`,
    `|---|---|---|${NAMES.map(() => '---').join('|')}|`,
    ...rows,
    '',
    ...aheadOf(ways, baselines),
    ...(currency
      ? [
          `Currency: the newest statement is above the first one in ${currency.right} of ${currency.both} (${percent(currency.right / currency.both)}).`,
          '',
        ]
      : []),
    ...(silence
      ? [
          `Relevance: silent on ${percent(silence.silent)} of ${silence.foreign} queries that have no answer here; speaks on ${percent(silence.spoken)} of those that have one, and on ${percent(silence.spokenRight)} of those whose answer is in the first five.`,
          '',
        ]
      : []),
  ];
}

/** Where something simpler is better, the page says so. */
function aheadOf(ways, baselines) {
  const own = ways[BEST];
  if (!own || !baselines) return [];
  const ahead = Object.entries(baselines).flatMap(([name, measured]) =>
    Object.entries(measured).flatMap(([type, row]) =>
      ['hit@5', 'recall@10', 'MRR']
        .filter((key) => row[key] > (own[type]?.[key] ?? 1) + 1e-9)
        .map((key) => `${name}, ${type} ${key} ${short(row[key])} (${BEST}: ${short(own[type][key])})`),
    ),
  );
  return ahead.length === 0
    ? ['No baseline is ahead in hit@5, recall@10 or MRR.', '']
    : [`Ahead of ${BEST}: ${ahead.join('; ')}.`, ''];
}

function ablationTable(report) {
  const sets = Object.entries(report).filter(([, part]) => part.ablations);
  if (sets.length === 0) return [];
  const names = Object.keys(sets[0][1].ablations);
  return [
    '## What each part gains',
    '',
    `One part left out at a time: hit@5 for context-evaluator, recall@10 for the others, then MRR. ${sets.map(([set, { every }]) => `${set}: ${every === 1 ? 'every question' : `one question in ${every}`}`).join('; ')}. Differences below .01 are noise.`,
    '',
    `| without | ${sets.map(([set]) => set).join(' | ')} |`,
    `|---|${sets.map(() => '---').join('|')}|`,
    ...names.map(
      (name) =>
        `| ${name} | ${sets.map(([set, { ablations }]) => `${short(ablations[name][set === 'context-evaluator' ? 'hit@5' : 'recall@10'])} / ${short(ablations[name].MRR)}`).join(' | ')} |`,
    ),
    '',
  ];
}

const short = (value) => value.toFixed(3).replace(/^0/, '');
const percent = (share) => `${(100 * share).toFixed(0)} %`;
