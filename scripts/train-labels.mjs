// Makes src/extraction/labels/weights.ts from labelled statements, and says how well such weights do on conversations they were not made from:
//   node scripts/train-labels.mjs --data DIR             cross-validation by conversation, then the weights of all
//   node scripts/train-labels.mjs --data DIR --dry       the cross-validation alone; --l2, --balance … try other settings (labels/training.mjs)
//   node scripts/train-labels.mjs --data DIR --projects  also each project by weights of the others: what a new project may expect
// DIR is the folder that `npm run eval` takes. Further labels are in bench/quality/labels: more-labels.tsv, made-up-turns.txt.
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../bench/bundle.mjs';
import {
  calibrate,
  crossValidate,
  DEFAULTS,
  labelOf,
  measure,
  prepare,
  trainOn,
  weightsText,
} from './labels/training.mjs';

const has = (name) => process.argv.includes(name);
const argument = (name) => (has(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const data = argument('--data');
if (!data || !fs.existsSync(path.join(data, 'labels'))) {
  process.stderr.write(
    'node scripts/train-labels.mjs --data DIR   (DIR: the folder with labels/ that npm run eval takes)\n',
  );
  process.exit(2);
}
const settings = Object.fromEntries(
  Object.entries(DEFAULTS).map(([name, value]) => [name, Number(argument(`--${name}`) ?? value)]),
);
const prepared = await prepare(data);
const { rows, LABELS } = prepared;
console.log(`${rows.length} statements; not found again: ${JSON.stringify(prepared.missing)}`);
const judged = crossValidate(prepared, settings);
const calibration = calibrate(prepared, judged);
console.log(JSON.stringify(calibration));
const natural = [...rows.keys()].filter((at) => rows[at].file === 'statements');
const drawn = [...rows.keys()].filter((at) => rows[at].isNatural || rows[at].file === 'drawn');
reportAll('cross-validated by conversation', judged, calibration.lean);
if (has('--projects')) {
  const others = crossValidate(prepared, settings, { folds: prepared.projects });
  reportAll('by weights of the other projects', others, calibrate(prepared, others).lean);
  for (const project of new Set(prepared.projects.values()))
    report(
      `${project} alone, all that was drawn`,
      drawn.filter((at) => prepared.projects.get(rows[at].session) === project),
      { judged: others, lean: calibration.lean },
    );
}
if (!has('--dry')) {
  const text = weightsText(prepared, trainOn(prepared, rows, settings), calibration);
  fs.writeFileSync(path.join(root, 'src/extraction/labels/weights.ts'), text);
  console.log(`src/extraction/labels/weights.ts: ${Math.round(text.length / 1024)} KB`);
}

function reportAll(how, judged, lean) {
  report(`${how}: natural draw`, natural, { judged, lean });
  report(`${how}: all that was drawn`, drawn, { judged, lean });
  report(
    `${how}: all labels`,
    [...rows.keys()].filter((at) => judged[at]),
    { judged, lean },
  );
  reportWorth(natural, judged);
}

function report(name, chosen, { judged, lean }) {
  const { parts, accuracy, f1 } = measure(prepared, judged, chosen, lean);
  const told = chosen.filter((at) => labelOf(judged[at], lean) < LABELS.length - 2);
  const junk = told.filter((at) => rows[at].worth === 'junk').length / told.length;
  console.log(
    `${name}: ${chosen.length}, accuracy ${accuracy.toFixed(3)}, macro-F1 ${f1.toFixed(3)}, junk among telling labels ${junk.toFixed(3)} of ${told.length}`,
  );
  console.log(
    parts.map(({ label, precision, recall }) => `  ${label} ${precision.toFixed(2)}/${recall.toFixed(2)}`).join(''),
  );
}

function reportWorth(chosen, judged) {
  const worth = (at) => judged[at].worths[2] + 0.3 * judged[at].worths[1];
  const keep = chosen.filter((at) => rows[at].worth === 'keep');
  const rest = chosen.filter((at) => rows[at].worth !== 'keep');
  const wins = (a) => rest.reduce((n, b) => n + (worth(a) > worth(b) ? 1 : worth(a) === worth(b) ? 0.5 : 0), 0);
  const auc = keep.reduce((sum, a) => sum + wins(a), 0) / keep.length / rest.length;
  const best = [...chosen].sort((a, b) => worth(b) - worth(a)).slice(0, Math.round(chosen.length / 10));
  const share = (grade) => (best.filter((at) => rows[at].worth === grade).length / best.length).toFixed(2);
  console.log(`worth: AUC ${auc.toFixed(3)}, best tenth keep ${share('keep')}, junk ${share('junk')}`);
}
