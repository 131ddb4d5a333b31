// `cairn blame FILE[:LINE]`: the commit of a line, the conversation that made it, what was asked and why.

import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { blameText } from '../../../app/blame-text.ts';
import { type BlameQuery, RecallMemory } from '../../../app/recall-memory.ts';
import { warningsOf, warningText } from '../../../config/load.ts';
import { type Io, widthOf } from '../io.ts';

type Options = { json?: true };

export function blameCommand(program: Command, io: Io): void {
  program
    .command('blame')
    .description(
      'Tell where a file or a line comes from: its commit, the conversation that made it, what was asked and why',
    )
    .argument('<file>', 'FILE, FILE:LINE or FILE:FROM-TO')
    .option('--json', 'print data instead of text')
    .addHelpText(
      'after',
      '\nWithout a line: the commits of the file that come from conversations, and the exchanges that changed it.\n\nExamples:\n  cairn blame src/app.ts\n  cairn blame src/app.ts:42\n  cairn blame src/app.ts:40-60',
    )
    .action(async (written: string, options: Options) => {
      const memory = await RecallMemory.open({ cwd: io.cwd, env: io.env });
      try {
        for (const each of warningsOf(memory.config)) io.err(`WARNING: ${warningText(each)}`);
        const answer = await memory.blame(queryOf(written, io.cwd), io.cwd);
        io.out(options.json ? JSON.stringify(answer) : blameText(answer, widthOf(io)));
      } finally {
        await memory.close();
      }
    });
}

/** A file may be called `a:1`: one that is there is meant. */
function queryOf(written: string, cwd: string): BlameQuery {
  const [, file, from, to] = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(written) ?? [];
  if (file === undefined || fs.existsSync(path.resolve(cwd, written))) return { file: written };
  return { file, from: Number(from), to: Number(to ?? from) };
}
