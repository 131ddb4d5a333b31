// all-MiniLM-L6-v2 as an ONNX graph, made from its published weights: six layers of attention and feed-forward, then the mean over
// the tokens. Matrix products are done in 8 bits (weights rounded once per column, inputs as they come), which is what makes it fast
// enough for two cores; the 32-bit form is there to measure what the rounding costs.

import type { Graph, GraphNode, Tensor } from './onnx-writer.ts';
import { type StoredTensor, toFloats } from './safetensors.ts';

export type Precision = 'int8' | 'fp32';

const LAYERS = 6;
const HEADS = 12;
const HIDDEN = 384;
const INNER = 1_536;
const EPSILON = 1e-12;
export const MINILM = { dimensions: HIDDEN, maxTokens: 256, tokens: 'tokens' } as const;

/**
 * Seven bits of weight, not eight: processors without VNNI add products of bytes in 16 bits, and full bytes would overflow there
 * without a word. Vectors are then the same on old and new processors.
 */
const LARGEST_WEIGHT = 63;

const MICROSOFT = 'com.microsoft';
const LAYER_NORM = { epsilon: { float: EPSILON } } as const;

type Read = (name: string) => StoredTensor;

/** Texts of one batch have the same number of tokens: then no padding is needed, and no mask. */
export function minilmGraph(read: Read, precision: Precision): Graph {
  const build = new GraphBuilder(precision);
  embeddings(build, read);
  let hidden = 'embedded';
  for (let layer = 0; layer < LAYERS; layer++)
    hidden = transformerLayer(build, read, {
      layer,
      input: hidden,
      output: layer + 1 < LAYERS ? undefined : MINILM.tokens,
    });
  build.node('ReduceMean', [hidden], 'vectors', { axes: [1], keepdims: 0 });
  return {
    name: `minilm-${precision}`,
    nodes: build.nodes,
    tensors: build.tensors,
    inputs: [
      { name: 'input_ids', type: 'int32', shape: ['batch', 'sequence'] },
      { name: 'position_ids', type: 'int32', shape: ['sequence'] },
    ],
    outputs: [
      { name: 'vectors', type: 'float', shape: ['batch', HIDDEN] },
      // What the mean is taken of: each token in its sentence (token-signs.ts).
      { name: hidden, type: 'float', shape: ['batch', 'sequence', HIDDEN] },
    ],
    opsets: { '': 17, [MICROSOFT]: 1 },
  };
}

class GraphBuilder {
  readonly nodes: GraphNode[] = [];
  readonly tensors: Tensor[] = [];
  readonly precision: Precision;

  constructor(precision: Precision) {
    this.precision = precision;
  }

  node(op: string, inputs: readonly string[], output: string, attributes: GraphNode['attributes'] = {}): string {
    this.nodes.push({ op, inputs, outputs: [output], attributes });
    return output;
  }

  /** An operator of the runtime's own, which does in one step what would be many. */
  fused(op: string, inputs: readonly string[], output: string, attributes: GraphNode['attributes'] = {}): string {
    this.nodes.push({ op, inputs, outputs: [output], attributes, domain: MICROSOFT });
    return output;
  }

  floats(name: string, shape: readonly number[], values: Float32Array): string {
    this.tensors.push({ name, type: 'float', shape, bytes: bytesOf(values) });
    return name;
  }

  bytes(name: string, shape: readonly number[], values: Int8Array): string {
    this.tensors.push({ name, type: 'int8', shape, bytes: bytesOf(values) });
    return name;
  }

  /** x × weights + bias; the weights as they are multiplied: [inputs, outputs]. Without `bias`, the product alone. */
  product(name: string, input: string, weights: Matrix, bias?: Float32Array): string {
    const { rows, columns, values } = weights;
    const biasName = bias ? this.floats(`${name}.bias`, [columns], bias) : '';
    if (this.precision === 'fp32') {
      const matrix = this.floats(`${name}.weight`, [rows, columns], values);
      const product = this.node('MatMul', [input, matrix], bias ? `${name}.product` : name);
      return bias ? this.node('Add', [product, biasName], name) : product;
    }
    const { rounded, scales } = roundColumns(weights);
    const matrix = this.bytes(`${name}.weight`, [rows, columns], rounded);
    const scale = this.floats(`${name}.scale`, [columns], scales);
    const inputs = [input, matrix, scale, ...(bias ? ['', biasName] : [])];
    return this.fused('DynamicQuantizeMatMul', inputs, name);
  }
}

/** Tokens and their places. The kind of a token is always the first one, so its vector is added to the places here. */
function embeddings(build: GraphBuilder, read: Read): void {
  const words = read('embeddings.word_embeddings.weight');
  build.tensors.push({ name: 'words', type: 'float16', shape: words.shape, bytes: words.bytes });
  const places = toFloats(read('embeddings.position_embeddings.weight')).slice(0, MINILM.maxTokens * HIDDEN);
  const kind = toFloats(read('embeddings.token_type_embeddings.weight'));
  for (let i = 0; i < places.length; i++) places[i]! += kind[i % HIDDEN]!;
  build.floats('places', [MINILM.maxTokens, HIDDEN], places);
  build.node('Gather', ['words', 'input_ids'], 'words.half');
  build.node('Cast', ['words.half'], 'words.float', { to: { type: 'float' } });
  build.node('Gather', ['places', 'position_ids'], 'placed');
  build.node('Add', ['words.float', 'placed'], 'embedded.sum');
  const norm = normOf(build, read, 'embeddings.LayerNorm');
  build.node('LayerNormalization', ['embedded.sum', ...norm], 'embedded', { ...LAYER_NORM, axis: -1 });
}

type Layer = { readonly layer: number; readonly input: string; readonly output: string | undefined };

function transformerLayer(build: GraphBuilder, read: Read, { layer, input, output }: Layer): string {
  const at = (name: string): string => `encoder.layer.${layer}.${name}`;
  const floats = (name: string): Float32Array => toFloats(read(at(name)));
  const heads = attention(build, at('heads'), input, {
    weights: beside(['query', 'key', 'value'].map((part) => transposed(read(at(`attention.self.${part}.weight`))))),
    bias: concatenated(['query', 'key', 'value'].map((part) => floats(`attention.self.${part}.bias`))),
  });
  const mixedWeights = transposed(read(at('attention.output.dense.weight')));
  const mixed = build.product(at('mixed'), heads, mixedWeights, floats('attention.output.dense.bias'));
  const attended = build.fused(
    'SkipLayerNormalization',
    [mixed, input, ...normOf(build, read, at('attention.output.LayerNorm'))],
    at('attended'),
    LAYER_NORM,
  );
  const wide = build.product(at('wide'), attended, transposed(read(at('intermediate.dense.weight'))));
  const wideBias = build.floats(at('wide.bias'), [INNER], floats('intermediate.dense.bias'));
  const active = build.fused('BiasGelu', [wide, wideBias], at('active'));
  const narrow = build.product(
    at('narrow'),
    active,
    transposed(read(at('output.dense.weight'))),
    floats('output.dense.bias'),
  );
  const norm = normOf(build, read, at('output.LayerNorm'));
  return build.fused('SkipLayerNormalization', [narrow, attended, ...norm], output ?? at('out'), LAYER_NORM);
}

function attention(
  build: GraphBuilder,
  name: string,
  input: string,
  { weights, bias }: { weights: Matrix; bias: Float32Array },
): string {
  const shape = [weights.rows, weights.columns];
  const biasName = build.floats(`${name}.bias`, [weights.columns], bias);
  if (build.precision === 'fp32') {
    const matrix = build.floats(`${name}.weight`, shape, weights.values);
    return build.fused('Attention', [input, matrix, biasName], name, { num_heads: HEADS });
  }
  const { rounded, scales } = roundColumns(weights);
  const matrix = build.bytes(`${name}.weight`, shape, rounded);
  const scale = build.floats(`${name}.scale`, [weights.columns], scales);
  const zero = build.bytes(`${name}.zero`, [weights.columns], new Int8Array(weights.columns));
  const [bytes, byteScale, byteZero] = ['bytes', 'bytes.scale', 'bytes.zero'].map((part) => `${name}.in.${part}`);
  build.nodes.push({ op: 'DynamicQuantizeLinear', inputs: [input], outputs: [bytes!, byteScale!, byteZero!] });
  const inputs = [bytes!, matrix, biasName, byteScale!, scale, '', byteZero!, zero];
  return build.fused('QAttention', inputs, name, { num_heads: HEADS });
}

function normOf(build: GraphBuilder, read: Read, name: string): [string, string] {
  return [
    build.floats(`${name}.weight`, [HIDDEN], toFloats(read(`${name}.weight`))),
    build.floats(`${name}.bias`, [HIDDEN], toFloats(read(`${name}.bias`))),
  ];
}

type Matrix = { readonly rows: number; readonly columns: number; readonly values: Float32Array };

/** Weights are published as [outputs, inputs]. */
function transposed(tensor: StoredTensor): Matrix {
  const [columns, rows] = tensor.shape as [number, number];
  const source = toFloats(tensor);
  const values = new Float32Array(source.length);
  for (let column = 0; column < columns; column++)
    for (let row = 0; row < rows; row++) values[row * columns + column] = source[column * rows + row]!;
  return { rows, columns, values };
}

/** Matrices of equal height as one wide one. */
function beside(matrices: readonly Matrix[]): Matrix {
  const rows = matrices[0]!.rows;
  const columns = matrices.reduce((sum, matrix) => sum + matrix.columns, 0);
  const values = new Float32Array(rows * columns);
  let from = 0;
  for (const matrix of matrices) {
    for (let row = 0; row < rows; row++)
      values.set(matrix.values.subarray(row * matrix.columns, (row + 1) * matrix.columns), row * columns + from);
    from += matrix.columns;
  }
  return { rows, columns, values };
}

function concatenated(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let from = 0;
  for (const part of parts) {
    whole.set(part, from);
    from += part.length;
  }
  return whole;
}

/** Each column by its own scale, so that one large weight does not cost the others their digits. */
function roundColumns({ rows, columns, values }: Matrix): { rounded: Int8Array; scales: Float32Array } {
  const scales = new Float32Array(columns);
  for (let i = 0; i < values.length; i++) {
    const column = i % columns;
    scales[column] = Math.max(scales[column]!, Math.abs(values[i]!));
  }
  for (let column = 0; column < columns; column++) scales[column] = (scales[column]! || 1) / LARGEST_WEIGHT;
  const rounded = new Int8Array(rows * columns);
  for (let i = 0; i < values.length; i++) rounded[i] = Math.round(values[i]! / scales[i % columns]!);
  return { rounded, scales };
}

const bytesOf = (array: Float32Array | Int8Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
