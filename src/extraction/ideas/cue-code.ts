// A table of cues as the matcher wants it: words, and numbers about them. Reading a table as it is written takes longer than all
// else about a turn, so the table that nearly every process needs is kept in this form (extraction/ideas/cues/en-code.ts).

export type CueCode = {
  /** Of the classes, by their number. */
  readonly names: readonly string[];
  /** By number; 0 stands for none. */
  readonly words: readonly string[];
  /**
   * The patterns (how many numbers, then these), the classes of each word, the slot of each word in the vocabulary; then, for
   * patterns that begin a sentence and for others, where they go on behind their first word, class or ending.
   */
  readonly numbers: Int32Array;
};

/** The same as text. */
export type PackedCues = { readonly names: string; readonly words: string; readonly numbers: string };

export function packCues({ names, words, numbers }: CueCode): PackedCues {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return { names: names.join(' '), words: words.join(' '), numbers: bytes.toString('base64') };
}

export function unpackCues({ names, words, numbers }: PackedCues): CueCode {
  const bytes = Buffer.from(numbers, 'base64');
  const aligned = new Int32Array(bytes.length / Int32Array.BYTES_PER_ELEMENT);
  new Uint8Array(aligned.buffer).set(bytes);
  return { names: names.split(' '), words: words.split(' '), numbers: aligned };
}
