import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inWebAssembly, sha256 } from './sha256.ts';
import { SHA256_CODE } from './sha256-code.ts';

const known = (text: string): string => hash('sha256', text, 'hex');

describe('SHA-256', () => {
  it('is the code that scripts/sha256.mjs writes: if not, run `npm run sha256`', async () => {
    const script = new URL('../../scripts/sha256.mjs', import.meta.url).href;
    const { wasm } = (await import(script)) as { wasm: Buffer };
    expect(SHA256_CODE).toBe(wasm.toString('base64'));
  });

  it('gives the digests of the standard', () => {
    expect(inWebAssembly('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(inWebAssembly('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('agrees with node:crypto for every length up to four blocks', () => {
    for (let length = 0; length <= 260; length++) {
      const text = 'x'.repeat(length);
      expect(inWebAssembly(text)).toBe(known(text));
    }
  });

  it('agrees with node:crypto for any text, in WebAssembly and whichever way it takes', () => {
    const unit = fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), fc.string({ maxLength: 80 }));
    const lone = fc.constantFrom('\ud800', '\udfff', '\udc00\ud800', 'é', '漢', '\0');
    const text = fc.array(fc.oneof(unit, lone), { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (each) => {
        expect(inWebAssembly(each)).toBe(known(each));
        expect(sha256(each)).toBe(known(each));
      }),
      { numRuns: 400 },
    );
  });

  it('takes the longest text that fits, and leaves what is longer to node:crypto', () => {
    const longest = '漢'.repeat(20_000);
    expect(inWebAssembly(longest)).toBe(known(longest));
    expect(inWebAssembly(`${longest}x`)).toBeUndefined();
    expect(sha256(`${longest}x`)).toBe(known(`${longest}x`));
  });

  it('is not disturbed by the text before', () => {
    inWebAssembly('a long text '.repeat(500));
    expect(inWebAssembly('b')).toBe(known('b'));
  });
});
