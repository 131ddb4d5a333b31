// The runtime that executes ONNX models: a native package that is optional, large, and loaded only when a vector is wanted.
// One thread: two would wait for each other in a busy loop, which on a machine that has other work to do is several times slower.

import type { InferenceSession, SessionOptions } from 'onnxruntime-node';
import { CairnError, messageOf } from '../errors.ts';

type Runtime = typeof import('onnxruntime-node');

export type Session = {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Readonly<Record<string, Input>>): Promise<Readonly<Record<string, Output>>>;
  close(): Promise<void>;
};

export type Input = { readonly values: Int32Array | BigInt64Array; readonly shape: readonly number[] };
export type Output = { readonly values: Float32Array; readonly shape: readonly number[] };

const OPTIONS: SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  // Memory goes back to the system between texts instead of being kept for the longest one.
  enableCpuMemArena: false,
  logSeverityLevel: 4, // it would print to the terminal by itself
};

/** A model from its bytes, or from a file that has others beside it. */
export async function openSession(model: Uint8Array | string): Promise<Session> {
  const runtime = await loadRuntime();
  const session = await createSession(runtime, model);
  return {
    inputNames: session.inputNames,
    outputNames: session.outputNames,
    run: async (inputs) => {
      const tensors = Object.entries(inputs).map(([name, input]) => [name, tensorOf(runtime, input)] as const);
      const outputs = Object.entries(await session.run(Object.fromEntries(tensors)));
      return Object.fromEntries(
        outputs.map(([name, { data, dims }]) => {
          if (!(data instanceof Float32Array)) throw unusable(`its output ${name} is not of 32-bit floats`);
          return [name, { values: data, shape: dims }];
        }),
      );
    },
    close: () => session.release(),
  };
}

async function loadRuntime(): Promise<Runtime> {
  try {
    const module = (await import('onnxruntime-node')) as Runtime & { default?: Runtime };
    return module.default ?? module;
  } catch (error) {
    throw new CairnError('NOT_FOUND', `The package onnxruntime-node cannot be loaded: ${firstLine(error)}`, {
      cause: error,
      fix: 'Install Cairn again with its optional packages, or set embeddings.provider to none or openai. Search by words works without.',
    });
  }
}

async function createSession(runtime: Runtime, model: Uint8Array | string): Promise<InferenceSession> {
  try {
    return await runtime.InferenceSession.create(model, OPTIONS);
  } catch (error) {
    throw unusable(firstLine(error), error);
  }
}

const tensorOf = ({ Tensor }: Runtime, { values, shape }: Input): InstanceType<Runtime['Tensor']> =>
  values instanceof Int32Array ? new Tensor('int32', values, shape) : new Tensor('int64', values, shape);

const firstLine = (error: unknown): string => messageOf(error).split('\n', 1)[0]!.slice(0, 300);

const unusable = (why: string, cause?: unknown): CairnError =>
  new CairnError('CONFIG_ERROR', `The model cannot be run: ${why}.`, {
    cause,
    fix: 'Leave embeddings.model empty for the model that comes with Cairn, or name another folder (docs/EMBEDDINGS.md).',
  });
