// Vectors for measuring: of length 1, in clusters as models give them, quickly made. The centres come from the local model where
// it can be opened, because the shape of its space decides how well signs tell vectors apart.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { random } from '../../test/store/made-up.mjs';
import { bundle, root } from '../bundle.mjs';

const DIMENSIONS = 384;
const CENTRES = 256;
const NOISE = 1 << 20;

let made;

/** { model, vector(seed), isReal }: the same vector for the same number; `isReal`: the model can be opened on this machine. */
export function madeUpVectors() {
  made ??= make();
  return made;
}

async function make() {
  const { openMinilm, MINILM_MODEL } = await bundle('embed/local-embedder.ts');
  const sentences = path.join(root, 'bench/quality/labelled-sentences.json');
  const texts = JSON.parse(readFileSync(sentences, 'utf8'))
    .slice(0, CENTRES)
    .map(({ text }) => text);
  let [centres, isReal] = [undefined, true];
  try {
    const embedder = await openMinilm({ cacheDir: path.join(os.tmpdir(), 'cairn-bench-model') });
    centres = [];
    for (let from = 0; from < texts.length; from += 32)
      centres.push(...(await embedder.embed(texts.slice(from, from + 32))));
    await embedder.close();
  } catch {
    isReal = false;
    const draw = random(31);
    centres = texts.map(() => unit(Float32Array.from({ length: DIMENSIONS }, () => draw() - 0.5)));
  }
  const draw = random(37);
  const noise = Float32Array.from({ length: NOISE + DIMENSIONS }, () => draw() + draw() + draw() - 1.5);
  const vector = (seed) => {
    const pick = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
    const centre = centres[pick % centres.length];
    const from = Math.imul(pick ^ (pick >>> 15), 0x85ebca6b) >>> 12; // 20 bits
    const values = new Float32Array(DIMENSIONS);
    for (let at = 0; at < DIMENSIONS; at++) values[at] = centre[at] + 0.07 * noise[from + at];
    return unit(values);
  };
  return { model: MINILM_MODEL ?? 'made-up', vector, isReal };
}

function unit(values) {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at] * values[at];
  const scale = 1 / Math.sqrt(sum);
  for (let at = 0; at < values.length; at++) values[at] *= scale;
  return values;
}
