// The command line as the binary opens it: one bundle.

export { terminalIo } from './io.ts';
export { run } from './program.ts';
