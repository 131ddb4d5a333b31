// `cairn hook` in the help. The binary itself runs hooks, each from a bundle of its own (main.ts): no line of the other commands is
// opened for them.

import type { Command } from 'commander';
import { CairnError } from '../../../errors.ts';
import { HOOK_EVENTS } from '../../launcher/hook-events.ts';

export function hookCommand(program: Command): void {
  program
    .command('hook')
    .description('Answer one event of Claude Code, which sends it as JSON on standard input (the plugin runs it)')
    .argument('<event>', HOOK_EVENTS.join(', '))
    .addHelpText(
      'after',
      '\nExit code 0: done, or failed, which ~/.cairn/log/hooks.log tells; 2: stop asks to save something first.\nCAIRN_DISABLE=1 makes every hook do nothing.',
    )
    .action(() => {
      throw new CairnError('USAGE_ERROR', 'Hooks are run by the cairn program only.', { fix: 'Run: cairn hook EVENT' });
    });
}
