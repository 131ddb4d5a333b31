// The public API: re-exports only. docs/API.md shows how it is used.

export {
  type Cairn,
  type Got,
  type Layer,
  type OpenOptions,
  openCairn,
  type Remembered,
  type RememberOptions,
  type Saved,
  type SaveOptions,
} from './app/cairn.ts';
export { CairnError, type CairnErrorOptions, type ErrorCode, type ErrorDetail } from './errors.ts';
export { version } from './version.ts';
