// `cairn candidate`: which record new information belongs to. Always answers with JSON.

import fs from 'node:fs';
import { type Command, Option } from 'commander';
import { CairnError } from '../../../errors.ts';
import { LIFECYCLE_EVENTS, type LifecycleEvent } from '../../../model/record.ts';
import type { Io } from '../io.ts';
import { open } from '../open.ts';

type Options = { category: string; newInfo: string; lifecycleEvent?: LifecycleEvent; root?: string };

export function candidateCommand(program: Command, io: Io): void {
  program
    .command('candidate')
    .description('Tell which record to update with new information, or whether to create one or do nothing')
    .requiredOption('--category <category>', 'the category to look in')
    .requiredOption('--new-info <text>', 'the new information')
    .addOption(new Option('--lifecycle-event <event>', 'what happened to it').choices([...LIFECYCLE_EVENTS]))
    .option('--root <dir>', 'the memory root (default: this project’s)')
    .option('--json', 'accepted for symmetry: the answer is JSON anyway')
    .action(async (options: Options) => {
      const memory = open(io, options);
      const category = memory.category(options.category);
      if (memory.config.settings.categories[category.name]?.enabled === false) {
        throw new CairnError('CATEGORY_ERROR', `The category ${category.name} is switched off.`, {
          fix: `Switch it on with: cairn config set categories.${category.name}.enabled true`,
        });
      }
      // Where the project has no memory yet, nothing is similar. A root that was named and is not there is a mistake.
      const { root } = memory.recordStore;
      if (options.root !== undefined && !fs.existsSync(root)) {
        throw new CairnError('INDEX_ERROR', `There is no index.md at ${root}: the memory root does not exist.`, {
          fix: 'Check --root, or leave it out.',
        });
      }
      const { lifecycleEvent } = options;
      const { answer, warnings } = await memory.candidate({
        category,
        newInfo: options.newInfo,
        ...(lifecycleEvent ? { lifecycleEvent } : {}),
      });
      for (const warning of warnings) io.err(warning);
      io.out(JSON.stringify(answer, null, 2));
    });
}
