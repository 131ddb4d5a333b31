// `cairn mcp` in the help. The binary itself starts the server, from a bundle of its own (main.ts): no line of the other commands
// is opened for it.

import type { Command } from 'commander';
import { CairnError } from '../../../errors.ts';

export function mcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('Serve the memory to a client over MCP on standard input and output (clients start it)')
    .addHelpText('after', '\nIt takes no options; docs/MCP.md lists its tools.')
    .action(() => {
      throw new CairnError('USAGE_ERROR', 'The server is started by the cairn program only.', {
        fix: 'Run: cairn mcp',
      });
    });
}
