// How stores keep a vector. One whose numbers are a hundred-odd steps of one size (`rounded` makes it so) takes a byte for each; any other
// is kept as it is, in 32-bit floats. Nothing is lost either way: what comes back is what was stored, bit for bit.

/** Steps from zero to the largest number of a vector. */
const STEPS = 127;
/** So few bits of the size that its products with all steps are exact. */
const SIZE_BITS = 16;
const SIZE_BYTES = 4;

/** The nearest vector that takes a byte for each number: cosines move by less than a thousandth. */
export function rounded(vector: Float32Array): Float32Array {
  const size = stepOf(vector);
  return size === 0 ? vector : vector.map((number) => Math.round(number / size) * size || 0);
}

/** The size of a step, with few bits; 0 where the numbers are none or not such as can be counted in steps. */
function stepOf(vector: Float32Array): number {
  const step = largest(vector) / STEPS;
  if (!(step > 0 && Number.isFinite(step))) return 0;
  const unit = 2 ** (Math.floor(Math.log2(step)) + 1 - SIZE_BITS);
  const size = Math.round(step / unit) * unit;
  return Math.fround(size) === size ? size : 0;
}

function largest(vector: Float32Array): number {
  let most = 0;
  for (let at = 0; at < vector.length; at++) most = Math.max(most, Math.abs(vector[at] ?? 0));
  return most;
}

/**
 * Size of a step, a byte for each number, and one or two that say how many they are: their count is never a multiple of four, as that of
 * the bytes of floats always is.
 */
export function vectorBytes(vector: Float32Array): Uint8Array {
  const size = stepOf(vector);
  const end = (SIZE_BYTES + vector.length) % 4 === 3 ? 2 : 1;
  const bytes = new Uint8Array(SIZE_BYTES + vector.length + end);
  const steps = new Int8Array(bytes.buffer, SIZE_BYTES, vector.length);
  for (let at = 0; at < vector.length; at++) {
    const number = vector[at] ?? 0;
    steps[at] = size === 0 ? 0 : Math.round(number / size);
    if (!Object.is((steps[at] ?? 0) * size, number)) return floatBytes(vector);
  }
  if (size === 0) return floatBytes(vector);
  new DataView(bytes.buffer).setFloat32(0, size, true);
  bytes[bytes.length - 1] = end;
  return bytes;
}

const floatBytes = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** How many numbers so many bytes are, by the last of them. */
const lengthOf = (bytes: Uint8Array): number =>
  bytes.length % 4 === 0 ? bytes.length / 4 : bytes.length - SIZE_BYTES - (bytes.at(-1) ?? 0);

/** A stored vector; without a copy where its floats lie on a number's border. */
export function vectorOf(bytes: Uint8Array): Float32Array {
  return vectorsOf(bytes, 1).floats;
}

/** Several of equal form, side by side. */
export function vectorsOf(bytes: Uint8Array, count: number): { floats: Float32Array; width: number } {
  if (count === 0) return { floats: new Float32Array(), width: 0 };
  const each = bytes.length / count;
  if (each % 4 === 0) {
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
    return { floats: new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2), width: each / 4 };
  }
  const width = Math.max(0, lengthOf(bytes.subarray(0, each)));
  const floats = new Float32Array(count * width);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const steps = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let entry = 0; entry < count; entry++) {
    const size = view.getFloat32(entry * each, true);
    const from = entry * each + SIZE_BYTES;
    const to = entry * width;
    for (let at = 0; at < width; at++) floats[to + at] = (steps[from + at] ?? 0) * size;
  }
  return { floats, width };
}
