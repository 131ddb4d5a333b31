// What makes vectors of texts. Every implementation gives unit vectors of one length and names itself by a fingerprint,
// under which the store keeps what it made: another model, other weights or another way to prepare texts is another name.

export type EmbedOptions = { readonly signal?: AbortSignal };

/** A text by its tokens: 16 bytes of signs for each (token-signs.ts), and the words that they are pieces of. */
export type Tokens = { readonly words: readonly string[]; readonly signs: Uint8Array };

/** What is made of one text. */
export type Embedded = { readonly vector: Float32Array; readonly tokens: Tokens };

export type Embedder = {
  /** Model, hash of the weights and version of the preparation; vectors are stored under it. */
  readonly model: string;
  readonly dimensions: number;
  /** Unit vectors in the order of the texts. A text without any words gives some unit vector too. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>;
  /** The same with the tokens of each text, at no further cost; absent where a model gives none. */
  embedTokens?(texts: readonly string[], options?: EmbedOptions): Promise<readonly Embedded[]>;
  close(): Promise<void>;
};

/** Makes it as long as 1, in place. What has no direction gets one, so that no vector is ever zero. */
export function toUnit(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  if (length > 0 && Number.isFinite(length)) for (let i = 0; i < vector.length; i++) vector[i]! /= length;
  else vector.fill(0)[0] = 1;
  return vector;
}
