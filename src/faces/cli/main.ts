#!/usr/bin/env node
// The binary. It only picks a face, so that each pays for its own imports.

import { terminalIo } from './io.ts';
import { run } from './program.ts';

process.exitCode = await run(process.argv.slice(2), terminalIo());
