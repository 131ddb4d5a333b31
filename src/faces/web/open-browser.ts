// Opens an address in the user's browser, without a shell: the address is one argument, whatever is in it. Where that does not work
// (no desktop, a remote machine) the address was printed, and that is enough.

import { execFile } from 'node:child_process';

type Opener = { readonly program: string; readonly args: readonly string[] };

export function openerFor(platform: NodeJS.Platform, address: string): Opener {
  if (platform === 'darwin') return { program: '/usr/bin/open', args: [address] };
  // `start` is a word of the shell; this is what it calls.
  if (platform === 'win32') return { program: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', address] };
  return { program: 'xdg-open', args: [address] };
}

const PATIENCE_MS = 15_000;

/** Whether the browser was started, as far as can be told. */
export function openBrowser(address: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const { program, args } = openerFor(process.platform, address);
  return new Promise((resolve) => {
    // Some openers stay as long as the browser does: one that has not failed by then has opened it.
    const patience = setTimeout(() => resolve(true), PATIENCE_MS).unref();
    const child = execFile(program, [...args], { env, windowsHide: true }, (error) => {
      clearTimeout(patience);
      resolve(error === null);
    });
    child.unref();
  });
}
