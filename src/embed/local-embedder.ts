// Vectors made on this machine: the model that comes with Cairn, or a BERT-like ONNX model from a folder. Texts go through one by one:
// 8-bit models scale their numbers by what is in a batch, so only then is a vector a function of its text alone; on one thread
// batches would gain little (docs/EMBEDDINGS.md).

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import { isObject, parseJson } from '../model/json.ts';
import { type Embedded, type Embedder, toUnit } from './embedder.ts';
import { MINILM } from './minilm-graph.ts';
import { locateMinilm, minilmBytes, minilmTokenizer, VECTORS_OF } from './minilm-package.ts';
import { type Output, openSession, type Session } from './onnx-runtime.ts';
import { parseTokenizerJson, readTokenizer } from './read-tokenizer.ts';
import { tellingTokens, tokenSigns } from './token-signs.ts';
import { TOKENIZER_VERSION, type Tokenizer, wordPieces, wordTokens } from './wordpiece.ts';

/** Under this name the vectors of the model that comes with Cairn are stored. */
export const MINILM_MODEL = `minilm-l6-v2-int8-${VECTORS_OF}-t${TOKENIZER_VERSION}`;

export type LocalOptions = {
  /** Where the model is kept once it is made; without one it is made at every opening. */
  readonly cacheDir?: string | undefined;
};

export async function openMinilm({ cacheDir }: LocalOptions): Promise<Embedder> {
  const files = await locateMinilm();
  const tokenizer = { ...parseTokenizerJson(minilmTokenizer(files), files.tokenizer), maxTokens: MINILM.maxTokens };
  const session = await openSession(await minilmBytes(cacheDir));
  const run = (ids: readonly number[]) =>
    session.run({
      input_ids: { values: Int32Array.from(ids), shape: [1, ids.length] },
      position_ids: { values: Int32Array.from(ids, (_, place) => place), shape: [ids.length] },
    });
  const infer = async (ids: readonly number[]): Promise<Float32Array> => (await run(ids)).vectors!.values;
  const inferTokens = async (text: string): Promise<Embedded> => {
    const { ids, words } = wordTokens(text, tokenizer);
    const outputs = await run(ids);
    const places = tellingTokens(words);
    const signs = tokenSigns(outputs[MINILM.tokens]!.values, MINILM.dimensions, places);
    return { vector: toUnit(outputs.vectors!.values), tokens: { words: places.map((place) => words[place]!), signs } };
  };
  const plain = embedderOf({ model: MINILM_MODEL, dimensions: MINILM.dimensions, tokenizer, infer, session });
  return {
    ...plain,
    embedTokens: async (texts, { signal } = {}) => {
      const made: Embedded[] = [];
      for (const text of texts) {
        await new Promise(setImmediate);
        signal?.throwIfAborted();
        made.push(await orRefused(() => inferTokens(text)));
      }
      return made;
    },
  };
}

/** A folder with model.onnx (or onnx/model.onnx) and tokenizer.json or vocab.txt. */
export async function openFolderModel(folder: string): Promise<Embedder> {
  const file = ['model.onnx', 'onnx/model.onnx'].map((name) => path.join(folder, name)).find((each) => isFile(each));
  if (!path.isAbsolute(folder) || file === undefined) throw noModel(folder);
  const { tokenizer, bytes } = readTokenizer(folder, maxTokensOf(folder));
  const hash = createHash('sha256').update(bytes);
  for (const part of [file, `${file}_data`, `${file}.data`]) if (isFile(part)) await addFile(hash, part);
  const session = await openSession(file);
  const infer = (ids: readonly number[]): Promise<Float32Array> => inferBert(session, ids);
  const probe = await infer(wordPieces('probe', tokenizer));
  const model = `onnx-${path.basename(folder)}-${hash.digest('hex').slice(0, 12)}-t${TOKENIZER_VERSION}`;
  return embedderOf({ model, dimensions: probe.length, tokenizer, infer, session });
}

type Parts = {
  readonly model: string;
  readonly dimensions: number;
  readonly tokenizer: Tokenizer;
  readonly infer: (ids: readonly number[]) => Promise<Float32Array>;
  readonly session: Session;
};

function embedderOf({ model, dimensions, tokenizer, infer, session }: Parts): Embedder {
  return {
    model,
    dimensions,
    embed: async (texts, { signal } = {}) => {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        // The runtime works on this thread; whoever else lives here (a server, a signal handler) gets its turn in between.
        await new Promise(setImmediate);
        signal?.throwIfAborted();
        vectors.push(toUnit(await orRefused(() => infer(wordPieces(text, tokenizer)))));
      }
      return vectors;
    },
    close: () => session.close(),
  };
}

async function orRefused<Made>(infer: () => Promise<Made>): Promise<Made> {
  try {
    return await infer();
  } catch (error) {
    if (error instanceof CairnError) throw error;
    throw new CairnError('INPUT_ERROR', `The model failed on a text: ${messageOf(error)}`, { cause: error });
  }
}

/** Whatever of the usual inputs the model asks for; the mean over the tokens, unless it gives one vector itself. */
async function inferBert(session: Session, ids: readonly number[]): Promise<Float32Array> {
  const shape = [1, ids.length];
  const known: Readonly<Record<string, () => BigInt64Array>> = {
    input_ids: () => BigInt64Array.from(ids, BigInt),
    attention_mask: () => new BigInt64Array(ids.length).fill(1n),
    token_type_ids: () => new BigInt64Array(ids.length),
    position_ids: () => BigInt64Array.from(ids, (_, place) => BigInt(place)),
  };
  const inputs = session.inputNames.map((name) => {
    const make = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!make)
      throw new CairnError('CONFIG_ERROR', `The model wants an input ${name}, which is not known.`, FOLDER_FIX);
    return [name, { values: make(), shape }] as const;
  });
  const outputs = await session.run(Object.fromEntries(inputs));
  const whole = outputs.sentence_embedding ?? Object.values(outputs).find((output) => output.shape.length === 2);
  if (outputs.sentence_embedding && whole) return whole.values.slice();
  const tokens = outputs.last_hidden_state ?? Object.values(outputs).find((output) => output.shape.length === 3);
  if (tokens) return meanOf(tokens);
  if (whole) return whole.values.slice();
  throw new CairnError('CONFIG_ERROR', 'The model gives neither token vectors nor a vector of the text.', FOLDER_FIX);
}

function meanOf({ values, shape }: Output): Float32Array {
  const width = shape[2]!;
  const mean = new Float32Array(width);
  for (let i = 0; i < values.length; i++) mean[i % width]! += values[i]!;
  return mean;
}

const MAX_TOKENS = 512;

/** As far as the model was made to read. */
function maxTokensOf(folder: string): number {
  const limits = [
    ['sentence_bert_config.json', 'max_seq_length'],
    ['config.json', 'max_position_embeddings'],
  ] as const;
  for (const [name, key] of limits) {
    const file = path.join(folder, name);
    if (!isFile(file)) continue;
    const settings = parseJson(fs.readFileSync(file, 'utf8'));
    const value = isObject(settings) ? settings[key] : undefined;
    if (typeof value === 'number' && value >= 8) return Math.min(MAX_TOKENS, Math.floor(value));
  }
  return MINILM.maxTokens;
}

async function addFile(hash: ReturnType<typeof createHash>, file: string): Promise<void> {
  for await (const chunk of fs.createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
}

function isFile(file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

const FOLDER_FIX = {
  fix: 'Set embeddings.model to a folder with a BERT-like model (docs/EMBEDDINGS.md), or leave it empty for the one that comes with Cairn.',
};

const noModel = (folder: string): CairnError =>
  new CairnError('CONFIG_ERROR', `embeddings.model is no folder with a model.onnx: ${folder}`, FOLDER_FIX);
