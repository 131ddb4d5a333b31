// Vectors by their texts, kept on disk between runs: most of what is embedded in one run was embedded in the last. The model is
// opened only for a text that is new. The file is a row of equal records, a hash and its numbers; one cut off at its end is left out.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const HASH_BYTES = 16;

/** An embedder for `embedDocuments`; `sameText` makes texts equal that differ by where the replay has its folders. */
export function keptVectors(cairn, { folder, sameText }) {
  const [model, dimensions] = [cairn.MINILM_MODEL, cairn.MINILM.dimensions];
  const file = path.join(folder, `${model}.vectors`);
  const vectors = readVectors(file, dimensions);
  let opened;
  const keyOf = (text) =>
    createHash('sha256')
      .update(sameText(text))
      .digest('hex')
      .slice(0, 2 * HASH_BYTES);

  async function make(texts) {
    opened ??= await cairn.openMinilm({ cacheDir: folder });
    const made = await opened.embed(texts.map(({ text }) => text));
    const records = [];
    for (const [at, { key }] of texts.entries()) {
      vectors.set(key, made[at]);
      records.push(Buffer.from(key, 'hex'), Buffer.from(new Float32Array(made[at]).buffer));
    }
    fs.appendFileSync(file, Buffer.concat(records));
  }

  return {
    model,
    dimensions,
    async embed(texts) {
      const keyed = texts.map((text) => ({ text, key: keyOf(text) }));
      const missing = [
        ...new Map(keyed.filter(({ key }) => !vectors.has(key)).map((each) => [each.key, each])).values(),
      ];
      if (missing.length > 0) await make(missing);
      return keyed.map(({ key }) => vectors.get(key));
    },
    async close() {
      await opened?.close();
    },
  };
}

function readVectors(file, dimensions) {
  const vectors = new Map();
  if (!fs.existsSync(file)) return vectors;
  const record = HASH_BYTES + 4 * dimensions;
  const { size } = fs.statSync(file);
  if (size % record !== 0) fs.truncateSync(file, size - (size % record)); // a run was stopped while it wrote
  const bytes = fs.readFileSync(file);
  for (let at = 0; at < bytes.length; at += record) {
    const numbers = new Float32Array(dimensions);
    for (let i = 0; i < dimensions; i++) numbers[i] = bytes.readFloatLE(at + HASH_BYTES + 4 * i);
    vectors.set(bytes.toString('hex', at, at + HASH_BYTES), numbers);
  }
  return vectors;
}
