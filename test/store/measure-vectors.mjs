// The ways to find the nearest of 100,000 vectors of 384 numbers that were compared before store/sqlite/sign-pages.ts was chosen:
//   node test/store/measure-vectors.mjs      (needs sqlite-vec; made-up vectors in clusters)

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync, enhance } from '@photostructure/sqlite';
import { getLoadablePath } from 'sqlite-vec';
import { median, vectors } from './made-up.mjs';

const COUNT = 100_000;
const DIMENSIONS = 384;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-vectors-'));
const database = enhance(new DatabaseSync(path.join(folder, 'vectors.db'), { allowExtension: true }));
database.enableLoadExtension(true);
database.loadExtension(getLoadablePath());
database.pragma('journal_mode = WAL');

const make = vectors(3, DIMENSIONS);
const all = Array.from({ length: COUNT }, make);
const queries = Array.from({ length: 30 }, make);
const bytes = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);
const signs = (vector) => {
  const words = new Uint32Array(DIMENSIONS / 32);
  vector.forEach((x, at) => {
    if (x > 0) words[at >> 5] |= 1 << (at & 31);
  });
  return words;
};
const small = (vector) => Int8Array.from(vector, (x) => Math.max(-127, Math.min(127, Math.round((x * 127) / 0.2))));
const dot = (a, b) => {
  let sum = 0;
  for (let at = 0; at < DIMENSIONS; at++) sum += a[at] * b[at];
  return sum;
};
const exact = queries.map((query) => {
  const scores = all.map((vector, id) => ({ id, score: dot(vector, query) })).sort((a, b) => b.score - a.score);
  return scores.slice(0, 10).map(({ id }) => id);
});

database.exec(`
  CREATE VIRTUAL TABLE float_table USING vec0 (id INTEGER PRIMARY KEY, v FLOAT[${DIMENSIONS}] distance_metric=cosine);
  CREATE VIRTUAL TABLE int8_table USING vec0 (id INTEGER PRIMARY KEY, v INT8[${DIMENSIONS}] distance_metric=cosine);
  CREATE VIRTUAL TABLE bit_table USING vec0 (id INTEGER PRIMARY KEY, v BIT[${DIMENSIONS}]);
  CREATE TABLE plain_bits (id INTEGER PRIMARY KEY, v BLOB);
  CREATE TABLE plain_floats (id INTEGER PRIMARY KEY, v BLOB);`);
const fill = (sql, blobOf) => {
  const statement = database.prepare(sql);
  database.transaction(() => {
    for (const [id, vector] of all.entries()) statement.run(BigInt(id), bytes(blobOf(vector)));
  })();
};
fill('INSERT INTO float_table VALUES (?, ?)', (vector) => vector);
fill('INSERT INTO int8_table VALUES (?, vec_int8(?))', small);
fill('INSERT INTO bit_table VALUES (?, vec_bit(?))', signs);
fill('INSERT INTO plain_bits VALUES (?, ?)', signs);
fill('INSERT INTO plain_floats VALUES (?, ?)', (vector) => vector);
database.pragma('wal_checkpoint(TRUNCATE)');

function measure(name, search) {
  const times = [];
  let found = 0;
  queries.forEach((query, n) => {
    const start = process.cpuUsage();
    const ids = new Set(search(query));
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
    found += exact[n].filter((id) => ids.has(id)).length;
  });
  const share = ((100 * found) / (queries.length * 10)).toFixed(1);
  process.stdout.write(`${name.padEnd(50)} ${median(times).toFixed(1).padStart(7)} ms   ${share} % of the true 10\n`);
}

const prepare = (sql) => database.prepare(sql).pluck();
const vectorOf = prepare('SELECT v FROM plain_floats WHERE id = ?');
const rescore = (query, ids) => {
  const scored = ids.map((id) => {
    const blob = vectorOf.get(id);
    return { id, score: dot(new Float32Array(blob.buffer, blob.byteOffset, DIMENSIONS), query) };
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .map(({ id }) => id);
};

const floats = prepare('SELECT id FROM float_table WHERE v MATCH ? AND k = 10');
measure('vec0, float', (query) => floats.all(bytes(query)));
const int8s = prepare('SELECT id FROM int8_table WHERE v MATCH vec_int8(?) AND k = 10');
measure('vec0, int8', (query) => int8s.all(bytes(small(query))));
const bits = prepare('SELECT id FROM bit_table WHERE v MATCH vec_bit(?) AND k = ?');
for (const k of [50, 256])
  measure(`vec0, bits, ${k} compared exactly`, (query) => rescore(query, bits.all(bytes(signs(query)), k)));
const plain = prepare('SELECT id FROM plain_bits ORDER BY vec_distance_hamming(vec_bit(v), vec_bit(?)) LIMIT 256');
measure('vec_distance_hamming, plain table, 256 compared', (query) => rescore(query, plain.all(bytes(signs(query)))));
const cosines = prepare('SELECT id FROM plain_floats ORDER BY vec_distance_cosine(v, ?) LIMIT 10');
measure('vec_distance_cosine, plain table', (query) => cosines.all(bytes(query)));
const every = database.prepare('SELECT id, v FROM plain_floats');
measure('JavaScript over all floats', (query) => {
  const scored = [];
  for (const { id, v } of every.iterate()) {
    scored.push({ id, score: dot(new Float32Array(v.buffer, v.byteOffset, DIMENSIONS), query) });
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .map(({ id }) => id);
});
const packed = new Uint32Array((COUNT * DIMENSIONS) / 32);
for (const [id, vector] of all.entries()) packed.set(signs(vector), (id * DIMENSIONS) / 32);
measure('JavaScript over packed signs, 256 compared', (query) =>
  rescore(query, nearestSigns(packed, signs(query), 256)),
);

function nearestSigns(pages, wanted, count) {
  const width = wanted.length;
  const distances = new Uint16Array(pages.length / width);
  const counts = new Uint32Array(DIMENSIONS + 1);
  for (let at = 0, offset = 0; at < distances.length; at++, offset += width) {
    let distance = 0;
    for (let n = 0; n < width; n++) {
      let x = pages[offset + n] ^ wanted[n];
      x -= (x >>> 1) & 0x55555555;
      x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
      distance += Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    distances[at] = distance;
    counts[distance]++;
  }
  let last = 0;
  for (let sum = counts[0]; sum < count; sum += counts[last]) last++;
  const ids = [];
  for (let id = 0; id < distances.length; id++) if (distances[id] <= last) ids.push(id);
  return ids;
}

database.close();
fs.rmSync(folder, { recursive: true });
