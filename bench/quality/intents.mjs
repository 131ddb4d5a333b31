// How well statements are classified without a model: precision, recall and F1 for each intent, over a sample written and
// labelled by hand. Rules are tuned on one half of it; the other half is only ever measured.
//   node bench/quality/intents.mjs [--errors]   --errors lists the misjudged sentences of the half that is tuned on
//   node bench/quality/intents.mjs --json
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../bundle.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const INTENTS = ['decision', 'conclusion', 'question', 'problem', 'solution', 'todo', 'context'];

/** The two halves: 0 and 3 of every four, because roles and languages come in pairs. */
const isTuned = (index) => index % 4 === 0 || index % 4 === 3;

const { ideasOf } = await bundle('extraction/ideas/ideas-of.ts');
const sample = JSON.parse(readFileSync(path.join(here, 'labelled-sentences.json'), 'utf8')).map((sentence, index) => ({
  ...sentence,
  half: isTuned(index) ? 'dev' : 'held-out',
  found: judge(sentence),
}));
const report = Object.fromEntries(['dev', 'held-out'].map((half) => [half, scores(half)]));

/** Markdown for the evaluation. */
export function intentTable() {
  const row = (name, of) => `| ${name} | ${of(report.dev).toFixed(3)} | ${of(report['held-out']).toFixed(3)} |`;
  return [
    `| intents of ${sample.length} labelled sentences | dev | held out |`,
    '|---|---|---|',
    row('macro-F1', ({ macroF1 }) => macroF1),
    row('accuracy, with “carries nothing”', ({ accuracy }) => accuracy),
    ...INTENTS.map((intent) => row(`${intent} F1`, ({ intents }) => intents[intent].f1)),
    row('stance right', ({ stance }) => stance),
    '',
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--json')) console.log(JSON.stringify(report, null, 2));
  else for (const [half, scored] of Object.entries(report)) print(half, scored);
  if (process.argv.includes('--errors')) printErrors();
}

/** A sentence is a turn of its own here. Where it is taken apart, its sharpest part speaks for it. */
function judge({ role, text }) {
  const ideas = ideasOf({ kind: 'turn', role, text, line: 1, time: undefined, message: undefined });
  const sharp = ideas.filter(({ intent }) => intent !== 'context').sort((a, b) => b.confidence - a.confidence);
  const { intent, stance, confidence } = sharp[0] ?? ideas[0] ?? { intent: 'none', stance: 'stated', confidence: 0 };
  return { intent, stance, confidence };
}

function scores(half) {
  const rows = sample.filter((row) => row.half === half);
  const intents = Object.fromEntries([...INTENTS, 'none'].map((intent) => [intent, f1(rows, intent)]));
  const said = rows.filter(({ intent }) => intent !== 'none');
  const stance = said.filter((row) => row.found.stance === (row.stance ?? 'stated')).length / said.length;
  const accuracy = rows.filter((row) => row.found.intent === row.intent).length / rows.length;
  const macroF1 = INTENTS.reduce((sum, intent) => sum + intents[intent].f1, 0) / INTENTS.length;
  return { sentences: rows.length, macroF1, accuracy, stance, stances: stanceScores(said), intents };
}

function stanceScores(rows) {
  return Object.fromEntries(
    ['hypothesis', 'dead_end', 'confirmed'].map((stance) => [
      stance,
      rate(
        rows.filter((row) => row.found.stance === stance && row.stance === stance).length,
        rows.filter((row) => row.found.stance === stance).length,
        rows.filter((row) => row.stance === stance).length,
      ),
    ]),
  );
}

function f1(rows, intent) {
  return rate(
    rows.filter((row) => row.found.intent === intent && row.intent === intent).length,
    rows.filter((row) => row.found.intent === intent).length,
    rows.filter((row) => row.intent === intent).length,
  );
}

function rate(right, found, wanted) {
  const precision = found === 0 ? 0 : right / found;
  const recall = wanted === 0 ? 0 : right / wanted;
  return { precision, recall, f1: right === 0 ? 0 : (2 * precision * recall) / (precision + recall), wanted };
}

function print(half, { sentences, macroF1, accuracy, stance, stances, intents }) {
  console.log(`\n${half} (${sentences} sentences)   precision  recall     F1`);
  const line = (name, { precision, recall, f1, wanted }) =>
    console.log(
      `  ${name.padEnd(12)} ${String(wanted).padStart(4)}        ${[precision, recall, f1].map((n) => n.toFixed(3).padStart(6)).join('   ')}`,
    );
  for (const [intent, scored] of Object.entries(intents)) line(intent, scored);
  for (const [name, scored] of Object.entries(stances)) line(`(${name})`, scored);
  console.log(
    `  macro-F1 over the seven intents ${macroF1.toFixed(3)}, accuracy ${accuracy.toFixed(3)}, stance ${stance.toFixed(3)}`,
  );
}

/** Of the tuned half alone: the other must stay unread. */
function printErrors() {
  for (const { half, intent, stance = 'stated', role, text, found } of sample) {
    if (half !== 'dev') continue;
    if (found.intent === intent && (intent === 'none' || found.stance === stance)) continue;
    console.log(`${intent}/${stance} ≠ ${found.intent}/${found.stance} [${role}] ${text}`);
  }
}
