import { describe, expect, it } from 'vitest';
import { readSafetensors } from './safetensors.ts';

function weights(header: string, numbers = Buffer.alloc(8)): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, Buffer.from(header), numbers]);
}

describe('weights', () => {
  it('are found by the place that the header gives', () => {
    const tensor = readSafetensors(weights('{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'))('a');
    expect(tensor).toMatchObject({ type: 'F32', shape: [2] });
    expect(tensor.bytes).toHaveLength(8);
  });

  it.each(['', '{"a":', '[]', 'null', '{}', '{"a":7}', '{"a":{"dtype":"F32","shape":2,"data_offsets":[0,8]}}'])(
    'with the header %j are refused with words, not with a crash',
    (header) => {
      expect(() => readSafetensors(weights(header))('a')).toThrow(/^The weights cannot be read: /);
    },
  );

  it('that end too early are refused', () => {
    const cut = weights('{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}');
    expect(() => readSafetensors(cut)('a')).toThrow('lies outside');
    expect(() => readSafetensors(Buffer.alloc(3))).toThrow('no header');
  });
});
