// Made-up documents and vectors for measuring: words as frequent as in real language (Zipf), vectors in clusters as
// models give them. The same in every run.

export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SYLLABLES = 'ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo na no ra ro sa so ta to va vo'.split(
  ' ',
);

/** A vocabulary of 30,000 words, the nth of which is drawn with a weight of 1/(n + 3). */
export function speaker(seed) {
  const draw = random(seed);
  const sums = new Float64Array(30_000);
  let sum = 0;
  for (let n = 0; n < sums.length; n++) {
    sum += 1 / (n + 3);
    sums[n] = sum;
  }
  const word = () => {
    const wanted = draw() * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    let text = '';
    for (let n = low + SYLLABLES.length; n > 0; n = Math.floor(n / SYLLABLES.length))
      text += SYLLABLES[n % SYLLABLES.length];
    return text;
  };
  const sentence = (length) => {
    const words = [];
    for (let size = 0; size < length; size += words.at(-1).length + 1) words.push(word());
    return words.join(' ');
  };
  return { word, sentence };
}

export function document(n, text, { projects = 1 } = {}) {
  const session = `3f2a9c10-0000-4000-8000-${String(Math.floor(n / 50)).padStart(12, '0')}`;
  return {
    ref: `idea:${n}`,
    project: `github.com/acme/project-${n % projects}`,
    layer: 'trace',
    kind: ['context', 'decision', 'question', 'problem', 'solution', 'todo', 'conclusion'][n % 7],
    status: 'active',
    title: '',
    text,
    tags: [],
    confidence: 0.5,
    createdAt: 1_700_000_000_000 + n * 60_000,
    updatedAt: 1_700_000_000_000 + n * 60_000,
    session,
    span: `span:${Math.floor(n / 10)}`,
    source: { file: `/home/someone/.claude/projects/-home-someone-project/${session}.jsonl`, line: n % 50 },
    hash: `${n}`.padStart(32, '0'),
  };
}

/** Vectors of length 1 around 1,500 centres. */
export function vectors(seed, dimensions) {
  const draw = random(seed);
  const normal = () => (draw() + draw() + draw() + draw() - 2) * 1.73;
  const centres = Array.from({ length: 1_500 }, () => Float32Array.from({ length: dimensions }, normal));
  return () => {
    const centre = centres[Math.floor(draw() * centres.length)];
    const vector = centre.map((x) => x + 0.9 * normal());
    const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
    return vector.map((x) => x / length);
  };
}

export function median(times) {
  return [...times].sort((a, b) => a - b)[times.length >> 1];
}

export function percentile90(times) {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.9)];
}
