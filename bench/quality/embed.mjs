// What the local embedders cost and how close the 8-bit model is to its 32-bit form, on sentences of the labelled sample.
//   node bench/quality/embed.mjs [CACHE-FOLDER]   the folder keeps the model
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../bundle.mjs';

const SECONDS = 3;
const here = path.dirname(fileURLToPath(import.meta.url));
const names = ['local-embedder', 'minilm-package', 'onnx-runtime', 'read-tokenizer', 'wordpiece'];
const embed = await bundle(...names.map((name) => `embed/${name}.ts`));
const cacheDir = process.argv[2] ?? path.join(os.tmpdir(), 'cairn-bench-embed');
const texts = JSON.parse(readFileSync(path.join(here, 'labelled-sentences.json'), 'utf8')).map(({ text }) => text);

const begun = performance.now();
const minilm = await embed.openMinilm({ cacheDir });
await minilm.embed(['first']);
console.log(`local model: first vector after ${(performance.now() - begun).toFixed(0)} ms`);
await speed('local model', minilm);
await closeness();
await minilm.close();

async function speed(name, embedder) {
  const [start, used] = [performance.now(), process.cpuUsage()];
  let count = 0;
  while (performance.now() - start < SECONDS * 1_000) {
    await embedder.embed(Array.from({ length: 32 }, (_, at) => texts[(count + at) % texts.length]));
    count += 32;
  }
  const { user, system } = process.cpuUsage(used);
  const perSecond = (count / (performance.now() - start)) * 1_000;
  const perProcessorSecond = count / ((user + system) / 1e6);
  const memory = process.memoryUsage().rss / 1e6;
  console.log(
    `${name}: ${perSecond.toFixed(0)} sentences/s (${perProcessorSecond.toFixed(0)} for each second of processor time), ${memory.toFixed(0)} MB`,
  );
}

async function closeness() {
  const files = await embed.locateMinilm();
  const tokenizer = { ...embed.parseTokenizerJson(embed.minilmTokenizer(files), files.tokenizer), maxTokens: 256 };
  const exact = await embed.openSession(embed.buildGraph(files.weights, 'fp32'));
  const cosines = [];
  let tokens = 0;
  for (const text of texts) {
    const ids = embed.wordPieces(text, tokenizer);
    tokens += ids.length;
    const { vectors } = await exact.run({
      input_ids: { values: Int32Array.from(ids), shape: [1, ids.length] },
      position_ids: { values: Int32Array.from(ids, (_, place) => place), shape: [ids.length] },
    });
    const [rounded] = await minilm.embed([text]);
    cosines.push(dot(rounded, vectors.values) / Math.sqrt(dot(vectors.values, vectors.values)));
  }
  await exact.close();
  cosines.sort((a, b) => a - b);
  const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
  console.log(
    `8 against 32 bits, ${texts.length} sentences of ${(tokens / texts.length).toFixed(0)} tokens: cosine ${mean.toFixed(4)}, least ${cosines[0].toFixed(4)}`,
  );
}

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
