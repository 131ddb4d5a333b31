import { createHash, hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

/** As a new process has it: what it has digested before decides which way a text goes. */
async function fresh(): Promise<typeof import('./hash.ts')> {
  vi.resetModules();
  return await import('./hash.ts');
}

const known = (text: string): string => hash('sha256', text, 'hex');

describe('contentHash', () => {
  it('digests what the standard digests', async () => {
    const { contentHash } = await fresh();
    expect(contentHash('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(contentHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('agrees with node:crypto for every length up to four blocks', async () => {
    for (const each of ['x', 'é', '日']) {
      for (let length = 0; length <= 256; length++) {
        const { contentHash } = length % 16 === 0 ? await fresh() : await import('./hash.ts');
        const text = each.repeat(length).slice(0, length);
        expect(contentHash(text)).toBe(known(text));
      }
    }
  });

  it('agrees with node:crypto for any text, one after the other, and past the first ones of a process', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.array(fc.nat(0xffff), { maxLength: 200 }).map((codes) => String.fromCharCode(...codes)), // half characters too
    );
    let { contentHash } = await fresh();
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 30 }), async (texts) => {
        ({ contentHash } = await fresh());
        for (const each of texts) expect(contentHash(each)).toBe(known(each));
      }),
      { numRuns: 200 },
    );
    for (const length of [19_999, 20_000, 20_001, 100_000]) {
      ({ contentHash } = await fresh());
      expect(contentHash('ß'.repeat(length))).toBe(known('ß'.repeat(length)));
      expect(contentHash('b')).toBe(known('b'));
    }
  });

  it('takes bytes as they are', async () => {
    const { contentHash } = await fresh();
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(contentHash(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
      }),
    );
  });
});

describe('the other hashes', () => {
  it('give what they have always given: names of files, ids and rows are made of them', async () => {
    const { bytesHash, FIRST_SUM, gitBlobId, nameHash, projectHash, recordMd5, runningSum, shortHash } = await fresh();
    const text = 'Größe – 日本 \ud800';
    const bytes = Buffer.from('A record, of some length.\n');
    expect(shortHash(text)).toBe('6ddae2fb499dc6e4');
    expect(shortHash('x'.repeat(30_000))).toBe('258cce3f8ca818a1');
    expect(nameHash(text)).toBe('f808257a');
    expect(projectHash('/home/me/project')).toBe('33818d9682766514');
    expect(bytesHash(bytes)).toBe('d8b9d910ea75c932');
    expect(bytesHash(Buffer.concat([Buffer.from('+'), bytes]).subarray(1))).toBe(bytesHash(bytes));
    expect(runningSum(FIRST_SUM, ['one', text])).toBe('a632b5660d16d16a');
    expect(runningSum(runningSum(FIRST_SUM, ['one']), [text])).toBe(runningSum(FIRST_SUM, ['one', text]));
    expect(recordMd5(Buffer.from('abc'))).toBe('900150983cd24fb0d6963f7d28e17f72');
    expect(gitBlobId(Buffer.from('hello\n'), 'sha1')).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
  });
});
