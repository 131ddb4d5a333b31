import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CairnError } from '../errors.ts';
import { TOKEN_BYTES } from '../model/token-bytes.ts';
import type { Embedder, Tokens } from './embedder.ts';
import { MINILM_MODEL, openFolderModel, openMinilm } from './local-embedder.ts';
import { buildGraph, GRAPH_SHA256, locateMinilm, minilmTokenizer } from './minilm-package.ts';
import { openSession } from './onnx-runtime.ts';
import { type Graph, writeOnnx } from './onnx-writer.ts';
import { parseTokenizerJson } from './read-tokenizer.ts';
import { wordPieces } from './wordpiece.ts';

const SENTENCES = [
  'The connection pool ran out of connections after the deploy.',
  'Database clients could not connect any more.',
  'We chose SQLite because it needs no server.',
  'My cat sleeps on the keyboard.',
  'Tests on Windows fail because of the path separator.',
  'Retry three times with a growing pause, then give up.',
  'TODO: rotate the signing key before March',
  'Why does the build take nine minutes on CI?',
];

let folder: string;
let embedder: Embedder;
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-embed-'));
  embedder = await openMinilm({ cacheDir: folder });
});
afterAll(async () => {
  await embedder.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
const one = async (text: string, by = embedder): Promise<Float32Array> => (await by.embed([text]))[0]!;

/** How many of the first token's signs differ from those of a token there. */
const differing = (asked: Uint8Array, signs: Uint8Array, at: number): number =>
  asked
    .slice(0, TOKEN_BYTES)
    .reduce(
      (sum, byte, place) => sum + (byte ^ signs[at * TOKEN_BYTES + place]!).toString(2).replaceAll('0', '').length,
      0,
    );

describe('the local model', () => {
  it('gives unit vectors in the order of the texts, and the same ones whatever else is asked for', async () => {
    const together = await embedder.embed(SENTENCES);
    expect(together.length).toBe(SENTENCES.length);
    for (const [at, text] of SENTENCES.entries()) {
      expect(together[at]!.length).toBe(embedder.dimensions);
      expect(dot(together[at]!, together[at]!)).toBeCloseTo(1, 5);
      expect(together[at]).toEqual(await one(text));
    }
  });

  it('puts what means the same close together', async () => {
    const [pool, clients, , cat] = await embedder.embed(SENTENCES);
    expect(dot(pool!, clients!)).toBeGreaterThan(dot(pool!, cat!) + 0.3);
  });

  it('takes empty, huge and odd texts', async () => {
    for (const text of ['', ' \n', 'x'.repeat(1_000_000), '🦕'.repeat(1_000), '\ud800', 'word '.repeat(100_000)])
      expect(dot(await one(text), await one(text))).toBeCloseTo(1, 5);
  });

  it('gives the tokens beside the same vectors, those of words that say something', async () => {
    const made = await embedder.embedTokens!(SENTENCES);
    for (const [at, text] of SENTENCES.entries()) {
      const { vector, tokens } = made[at]!;
      expect(vector).toEqual(await one(text));
      expect(tokens.signs.length).toBe(tokens.words.length * TOKEN_BYTES);
    }
    expect(made[0]!.tokens.words).toEqual(['connection', 'pool', 'ran', 'out', 'connections', 'after', 'deploy']);
    for (const odd of ['', '!?', 'word '.repeat(1_000)])
      expect((await embedder.embedTokens!([odd]))[0]!.tokens.signs.length).toBeLessThanOrEqual(64 * TOKEN_BYTES);
  });

  it('gives like tokens to words that mean the same where they stand', async () => {
    const [asked, same, other] = await embedder.embedTokens!(['database', 'the db is slow', 'my cat is asleep']);
    const nearest = ({ tokens: { signs } }: { tokens: Tokens }): number =>
      Math.min(
        ...Array.from({ length: signs.length / TOKEN_BYTES }, (_, at) => differing(asked!.tokens.signs, signs, at)),
      );
    expect(nearest(same!)).toBeLessThan(nearest(other!) - 5);
  });

  it('stays close to the same model in 32 bits', async () => {
    const files = await locateMinilm();
    const tokenizer = { ...parseTokenizerJson(minilmTokenizer(files), ''), maxTokens: 256 };
    const exact = await openSession(buildGraph(files.weights, 'fp32'));
    let sum = 0;
    for (const text of SENTENCES) {
      const ids = wordPieces(text, tokenizer);
      const { vectors } = await exact.run({
        input_ids: { values: Int32Array.from(ids), shape: [1, ids.length] },
        position_ids: { values: Int32Array.from(ids, (_, place) => place), shape: [ids.length] },
      });
      const [long, short] = [vectors!.values, await one(text)];
      sum += dot(long, short) / Math.sqrt(dot(long, long));
    }
    await exact.close();
    expect(sum / SENTENCES.length).toBeGreaterThan(0.985);
  });

  it('keeps the graph for the next time, and makes it anew where it was damaged', async () => {
    const kept = path.join(folder, 'models', `${GRAPH_SHA256}.onnx`);
    const bytes = fs.readFileSync(kept);
    const vector = await one(SENTENCES[0]!);
    for (const damage of [bytes.subarray(0, 1_000), Buffer.concat([bytes.subarray(0, -1), Buffer.of(1)])]) {
      fs.writeFileSync(kept, damage);
      const again = await openMinilm({ cacheDir: folder });
      expect(await one(SENTENCES[0]!, again)).toEqual(vector);
      await again.close();
      expect(fs.readFileSync(kept).equals(bytes)).toBe(true);
    }
  });

  it('works where nothing can be kept', async () => {
    const file = path.join(folder, 'a-file');
    fs.writeFileSync(file, '');
    const again = await openMinilm({ cacheDir: file });
    expect(again.model).toBe(MINILM_MODEL);
    await again.close();
  });

  it('refuses weights that are not the ones it knows', () => {
    const file = path.join(folder, 'weights');
    fs.writeFileSync(file, 'something else');
    expect(() => buildGraph(file, 'int8')).toThrow(expect.objectContaining({ code: 'SECURITY_ERROR' }));
  });

  it('stops between texts when it is told to', async () => {
    const stop = new AbortController();
    setImmediate(() => stop.abort(new Error('enough')));
    await expect(embedder.embed(Array(1_000).fill('text'), { signal: stop.signal })).rejects.toThrow('enough');
  });
});

describe('a model from a folder', () => {
  const WORDS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'red', 'green'];
  const tiny = (inputs: readonly string[]): Graph => ({
    name: 'tiny',
    nodes: [{ op: 'Gather', inputs: ['table', 'input_ids'], outputs: ['last_hidden_state'] }],
    tensors: [
      {
        name: 'table',
        type: 'float',
        shape: [6, 2],
        bytes: new Uint8Array(Float32Array.of(0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 1).buffer),
      },
    ],
    inputs: inputs.map((name) => ({ name, type: 'int64', shape: ['batch', 'sequence'] })),
    outputs: [{ name: 'last_hidden_state', type: 'float', shape: ['batch', 'sequence', 2] }],
    opsets: { '': 17 },
  });
  const folderWith = (graph: Graph | undefined, vocabulary = WORDS): string => {
    const place = fs.mkdtempSync(path.join(folder, 'tiny-'));
    if (graph) fs.writeFileSync(path.join(place, 'model.onnx'), Buffer.concat(writeOnnx(graph)));
    fs.writeFileSync(path.join(place, 'vocab.txt'), `${vocabulary.join('\n')}\n`);
    return place;
  };

  it('is run with the inputs it asks for, and its token vectors are averaged', async () => {
    const place = folderWith(tiny(['input_ids', 'attention_mask', 'token_type_ids']));
    const model = await openFolderModel(place);
    expect(model.dimensions).toBe(2);
    expect([...(await one('red', model))]).toEqual([1, 0]);
    expect((await one('Red GREEN', model))[0]).toBeCloseTo(Math.SQRT1_2, 5);
    await model.close();
  });

  it('has another name when its content is another', async () => {
    const names = [];
    for (const vocabulary of [WORDS, WORDS.with(4, 'blue')]) {
      const model = await openFolderModel(folderWith(tiny(['input_ids']), vocabulary));
      names.push(model.model.replace(/^onnx-tiny-\w+-/, ''));
      await model.close();
    }
    expect(names[0]).not.toBe(names[1]);
  });

  it.each([
    ['there is no model', () => folderWith(undefined)],
    ['the path is not absolute', () => 'models/mine'],
    ['the vocabulary is not one of BERT', () => folderWith(tiny(['input_ids']), ['a', 'b'])],
    ['the model wants something unknown', () => folderWith(tiny(['input_ids', 'pixel_values']))],
    [
      'the model is no model',
      () => {
        const place = folderWith(undefined);
        fs.writeFileSync(path.join(place, 'model.onnx'), 'no model');
        return place;
      },
    ],
    [
      'the tokenizer is of another kind',
      () => {
        const place = folderWith(tiny(['input_ids']));
        fs.writeFileSync(path.join(place, 'tokenizer.json'), '{"model":{"type":"BPE","vocab":{}}}');
        return place;
      },
    ],
  ])('is refused with a remedy where %s', async (_, make) => {
    const error = await openFolderModel(make()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CairnError);
    expect(error).toMatchObject({ code: 'CONFIG_ERROR', fix: expect.stringContaining('embeddings.model') });
  });
});
