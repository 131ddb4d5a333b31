// Writes ONNX models: the few messages of the format that a graph needs, as protocol buffers. Weights come with the package as
// plain tensors, so the graph around them is made here instead of being one more file to download and to trust.

const VARINT = 0;
const BYTES = 2;
const FIXED32 = 5;

const TYPE = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10 } as const;
export type TensorType = keyof typeof TYPE;

export type Tensor = {
  readonly name: string;
  readonly type: TensorType;
  readonly shape: readonly number[];
  /** Little endian, row by row. */
  readonly bytes: Uint8Array;
};

export type Attribute = number | { readonly float: number } | readonly number[] | { readonly type: TensorType };

export type GraphNode = {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, Attribute>>;
  /** Empty for the operators of ONNX itself. */
  readonly domain?: string;
};

export type GraphValue = {
  readonly name: string;
  readonly type: TensorType;
  readonly shape: readonly (number | string)[];
};

export type Graph = {
  readonly name: string;
  readonly nodes: readonly GraphNode[];
  readonly tensors: readonly Tensor[];
  readonly inputs: readonly GraphValue[];
  readonly outputs: readonly GraphValue[];
  readonly opsets: Readonly<Record<string, number>>;
};

/** A message under construction: pieces that are joined at the end, so that no weight is copied at every level. */
type Message = Uint8Array[];

const encoder = new TextEncoder();

function varint(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) return signedVarint(BigInt(value));
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

/** Negative numbers take ten bytes: they are written as 64 bits. */
function signedVarint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

const number = (field: number, value: number): Message => [varint((field << 3) | VARINT), varint(value)];

function float(field: number, value: number): Message {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return [varint((field << 3) | FIXED32), bytes];
}

function bytes(field: number, pieces: Message): Message {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return [varint((field << 3) | BYTES), varint(length), ...pieces];
}

const text = (field: number, value: string): Message => bytes(field, [encoder.encode(value)]);
const many = <T>(items: readonly T[], write: (item: T) => Message): Message => items.flatMap(write);

/** TensorProto: dims = 1, data_type = 2, name = 8, raw_data = 9. */
const tensorMessage = ({ name, type, shape, bytes: data }: Tensor): Message => [
  ...many(shape, (size) => number(1, size)),
  ...number(2, TYPE[type]),
  ...text(8, name),
  ...bytes(9, [data]),
];

/** AttributeProto: name = 1, f = 2, i = 3, ints = 8, type = 20 (1: float, 2: int, 7: ints). */
function attributeMessage([name, value]: readonly [string, Attribute]): Message {
  const head = text(1, name);
  if (typeof value === 'number') return [...head, ...number(3, value), ...number(20, 2)];
  if ('float' in value) return [...head, ...float(2, value.float), ...number(20, 1)];
  if ('type' in value) return [...head, ...number(3, TYPE[value.type]), ...number(20, 2)];
  return [...head, ...many(value, (each) => number(8, each)), ...number(20, 7)];
}

/** NodeProto: input = 1, output = 2, op_type = 4, attribute = 5, domain = 7. */
const nodeMessage = ({ op, inputs, outputs, attributes = {}, domain = '' }: GraphNode): Message => [
  ...many(inputs, (name) => text(1, name)),
  ...many(outputs, (name) => text(2, name)),
  ...text(4, op),
  ...many(Object.entries(attributes), (entry) => bytes(5, attributeMessage(entry))),
  ...(domain ? text(7, domain) : []),
];

/** ValueInfoProto: name = 1, type = 2 { tensor_type = 1 { elem_type = 1, shape = 2 { dim = 1 { value = 1, param = 2 } } } }. */
function valueMessage({ name, type, shape }: GraphValue): Message {
  const dimensions = many(shape, (size) => bytes(1, typeof size === 'number' ? number(1, size) : text(2, size)));
  return [...text(1, name), ...bytes(2, bytes(1, [...number(1, TYPE[type]), ...bytes(2, dimensions)]))];
}

/** The pieces of a ModelProto: ir_version = 1, producer_name = 2, graph = 7, opset_import = 8. */
export function writeOnnx(graph: Graph): Uint8Array[] {
  // GraphProto: node = 1, name = 2, initializer = 5, input = 11, output = 12.
  const body: Message = [
    ...many(graph.nodes, (node) => bytes(1, nodeMessage(node))),
    ...text(2, graph.name),
    ...many(graph.tensors, (tensor) => bytes(5, tensorMessage(tensor))),
    ...many(graph.inputs, (value) => bytes(11, valueMessage(value))),
    ...many(graph.outputs, (value) => bytes(12, valueMessage(value))),
  ];
  return [
    ...number(1, 8),
    ...text(2, 'cairn'),
    ...bytes(7, body),
    ...many(Object.entries(graph.opsets), ([domain, version]) => bytes(8, [...text(1, domain), ...number(2, version)])),
  ];
}
