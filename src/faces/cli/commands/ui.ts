// `cairn ui`: serves the viewer on this machine and opens it in the browser, until Ctrl-C.

import process from 'node:process';
import { type Command, InvalidArgumentError } from 'commander';
import { loadConfig, warningText } from '../../../config/load.ts';
import { openBrowser } from '../../web/open-browser.ts';
import { pageFolder, readPageFiles } from '../../web/page-files.ts';
import { startServer } from '../../web/server.ts';
import type { Io } from '../io.ts';

type Options = { port?: number; open: boolean; json?: true };

export function uiCommand(program: Command, io: Io): void {
  program
    .command('ui')
    .description('Look at what is remembered, in the browser: serves a page on this machine until Ctrl-C')
    .option('--port <number>', 'this port instead of any that is free', portOf)
    .option('--no-open', 'only print the address')
    .option('--json', 'print data instead of text')
    .addHelpText(
      'after',
      '\nThe address ends in a token: whoever has it can read and change the memory. See docs/VIEWER.md.',
    )
    .action(async (options: Options) => {
      for (const each of loadConfig({ cwd: io.cwd, env: io.env }).warnings) io.err(`WARNING: ${warningText(each)}`);
      const end = untilEnded();
      const server = await startServer({
        cwd: io.cwd,
        env: io.env,
        page: readPageFiles(pageFolder()),
        ...(options.port === undefined ? {} : { port: options.port }),
      });
      try {
        const { address, port } = server;
        if (options.json) io.out(JSON.stringify({ address, port, pid: process.pid }));
        else io.out(`${address}\nCtrl-C ends it.`);
        const opened = options.open ? openBrowser(server.passingAddress(), io.env) : Promise.resolve(true);
        void opened.then((isOpen) => isOpen || io.err('The browser could not be opened: use the address above.'));
        await end;
      } finally {
        await server.close();
      }
    });
}

/** The first signal ends the server in peace, the second the process. */
function untilEnded(): Promise<void> {
  return new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    const stop = (): void => {
      for (const signal of signals) process.removeListener(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new InvalidArgumentError('Expected a port from 1 to 65535.');
}
