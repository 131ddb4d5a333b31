// Opens an address in the user's browser, without a shell: the address is one argument, whatever is in it. Where that does not work
// (no desktop, a remote machine) the address was printed, and that is enough.

import { spawn } from 'node:child_process';

type Opener = { readonly program: string; readonly args: readonly string[] };

export function openerFor(platform: NodeJS.Platform, address: string): Opener {
  if (platform === 'darwin') return { program: '/usr/bin/open', args: [address] };
  // `start` is a word of the shell; this is what it calls.
  if (platform === 'win32') return { program: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', address] };
  return { program: 'xdg-open', args: [address] };
}

/**
 * Whether the browser was started; an opener that stays as long as the browser does never says. It is a process of its own: neither
 * does Ctrl-C end it, nor does it keep us from ending.
 */
export function openBrowser(address: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const { program, args } = openerFor(process.platform, address);
  return new Promise((resolve) => {
    const child = spawn(program, [...args], { env, stdio: 'ignore', detached: true, windowsHide: true });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
    child.unref();
  });
}
