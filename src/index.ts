// The public API: re-exports only.
export { CairnError } from './errors.ts';
