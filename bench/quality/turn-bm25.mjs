// Plain BM25 over whole turns, as the transcripts have them: what any keyword search finds without extraction and ranking.
import fs from 'node:fs';
import path from 'node:path';

const [K1, B] = [1.2, 0.75];
const WORD = /[\p{L}\p{N}_]+/gu;
const wordsOf = (text) => text.toLowerCase().match(WORD) ?? [];

/** All that was said in these files: { session, line, text }. `readerFor`: of the build. */
export function turnsOf(readerFor, files) {
  return files.flatMap((file) => {
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    const reader = readerFor(file, lines.slice(0, 8));
    const session = path.basename(file).replace(/\.jsonl.*$/, '');
    let state = reader.start(file);
    return lines.flatMap((text, at) => {
      if (text.trim() === '') return [];
      const read = reader.read(state, { number: at + 1, text });
      state = read.state;
      return read.items
        .filter(({ kind }) => kind === 'turn')
        .map((turn) => ({ session, line: turn.line, text: turn.text }));
    });
  });
}

/** (query, limit) → turns, the best first. */
export function turnSearch(turns) {
  const postings = new Map();
  const lengths = turns.map(({ text }, at) => {
    const words = wordsOf(text);
    const counts = new Map();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) {
      if (!postings.has(word)) postings.set(word, []);
      postings.get(word).push([at, count]);
    }
    return words.length;
  });
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return (query, limit) => {
    const scores = new Map();
    for (const word of new Set(wordsOf(query))) {
      const found = postings.get(word) ?? [];
      const rarity = Math.log(1 + (turns.length - found.length + 0.5) / (found.length + 0.5));
      for (const [at, count] of found) {
        const saturated = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * lengths[at]) / mean));
        scores.set(at, (scores.get(at) ?? 0) + rarity * saturated);
      }
    }
    return [...scores]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, limit)
      .map(([at]) => turns[at]);
  };
}
