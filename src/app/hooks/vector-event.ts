// The name of the worker that makes many vectors: whoever starts it does not load it.

export const VECTOR_EVENT = 'vector-worker';
