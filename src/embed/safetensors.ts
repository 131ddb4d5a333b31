// Reads weights in the safetensors format: a JSON header with the place of each tensor, then the numbers.

import { CairnError } from '../errors.ts';
import { any, fits, integer, list, map, openObject, parseAs, text } from '../model/schema.ts';

export type StoredTensor = { readonly shape: readonly number[]; readonly type: string; readonly bytes: Uint8Array };

const TENSOR = openObject({
  dtype: text(),
  shape: list(integer({ min: 0 })),
  data_offsets: list(integer({ min: 0 }), { minItems: 2, maxItems: 2 }),
});
const MAX_HEADER = 16 * 1024 * 1024;

/** Throws IO_ERROR where the file is not what it claims to be. */
export function readSafetensors(file: Buffer): (name: string) => StoredTensor {
  const headerLength = file.length >= 8 ? Number(file.readBigUInt64LE(0)) : MAX_HEADER + 1;
  if (headerLength > MAX_HEADER || 8 + headerLength > file.length) throw broken('it has no header');
  const header = parseAs(map(any()), file.toString('utf8', 8, 8 + headerLength));
  if (!header) throw broken('its header is not JSON');
  const start = 8 + headerLength;
  return (name) => {
    const entry = Object.hasOwn(header, name) ? header[name] : undefined;
    if (!fits(TENSOR, entry)) throw broken(`it has no tensor ${name}`);
    const [from = 0, to = 0] = entry.data_offsets;
    if (!(from >= 0 && from <= to && start + to <= file.length)) throw broken(`${name} lies outside of it`);
    return { shape: entry.shape, type: entry.dtype, bytes: file.subarray(start + from, start + to) };
  };
}

const broken = (what: string): CairnError =>
  new CairnError('IO_ERROR', `The weights cannot be read: ${what}.`, { fix: 'Install Cairn again.' });

let halves: Float32Array | undefined;

/** All 65,536 numbers that two bytes can say, once. */
function halfTable(): Float32Array {
  if (halves) return halves;
  halves = new Float32Array(65_536);
  for (let bits = 0; bits < halves.length; bits++) {
    const exponent = (bits >> 10) & 0x1f;
    const fraction = bits & 0x3ff;
    const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1_024) * 2 ** (exponent - 15);
    const value = exponent === 31 ? (fraction === 0 ? Number.POSITIVE_INFINITY : Number.NaN) : size;
    halves[bits] = bits & 0x8000 ? -value : value;
  }
  return halves;
}

/** 16-bit or 32-bit floats as numbers. */
export function toFloats({ type, bytes }: StoredTensor): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === 'F16') {
    const table = halfTable();
    const floats = new Float32Array(bytes.length / 2);
    for (let i = 0; i < floats.length; i++) floats[i] = table[view.getUint16(i * 2, true)]!;
    return floats;
  }
  if (type !== 'F32') throw broken(`numbers of type ${type} are not known`);
  const floats = new Float32Array(bytes.length / 4);
  for (let i = 0; i < floats.length; i++) floats[i] = view.getFloat32(i * 4, true);
  return floats;
}
