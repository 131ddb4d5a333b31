// The part of onnxruntime-node 1.17.0 that Cairn uses; the package comes without declarations.

declare module 'onnxruntime-node' {
  type Data = Int32Array | BigInt64Array | Float32Array;

  export class Tensor {
    constructor(type: 'int32', data: Int32Array, dims: readonly number[]);
    constructor(type: 'int64', data: BigInt64Array, dims: readonly number[]);
    readonly data: Data;
    readonly dims: readonly number[];
  }

  export type SessionOptions = {
    intraOpNumThreads: number;
    interOpNumThreads: number;
    executionMode: 'sequential';
    graphOptimizationLevel: 'all';
    enableCpuMemArena: boolean;
    logSeverityLevel: 0 | 1 | 2 | 3 | 4;
  };

  export class InferenceSession {
    static create(model: Uint8Array | string, options: SessionOptions): Promise<InferenceSession>;
    readonly inputNames: readonly string[];
    readonly outputNames: readonly string[];
    run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
    release(): Promise<void>;
  }
}
