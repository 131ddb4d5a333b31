// Opens an address in the user's browser, or a file in the user's editor, without a shell: it is one argument, whatever is in it. Where that does not work
// (no desktop, a remote machine) the address was printed, and that is enough.

import { spawn } from 'node:child_process';

const PATIENCE_MS = 5_000;

type Opener = { readonly program: string; readonly args: readonly string[] };

export function openerFor(platform: NodeJS.Platform, address: string): Opener {
  if (platform === 'darwin') return { program: '/usr/bin/open', args: [address] };
  // `start` is a word of the shell; this is what it calls.
  if (platform === 'win32') return { program: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', address] };
  return { program: 'xdg-open', args: [address] };
}

/** Editors with a window of their own; others need a terminal, which a page has not. */
const WITH_WINDOW =
  /^(?:code|code-insiders|codium|cursor|windsurf|zed|zeditor|subl|gedit|kate|mate|gvim|mvim|idea|webstorm|xed)$/;

/** What the user calls their editor, where it has a window; else whatever the system opens such files with. */
export function editorFor(platform: NodeJS.Platform, file: string, env: NodeJS.ProcessEnv): Opener {
  const [program = '', ...flags] = (env.VISUAL || env.EDITOR || '').trim().split(/\s+/);
  const name = program.split(/[\\/]/).at(-1) ?? '';
  // It is not waited for, whatever git or others are told.
  const args = flags.filter((flag) => flag.startsWith('-') && !/^(?:-w|--wait|-f|--nofork|--block)$/.test(flag));
  return WITH_WINDOW.test(name) ? { program, args: [...args, file] } : openerFor(platform, file);
}

export async function openEditor(file: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const editor = editorFor(process.platform, file, env);
  if (await started(editor, env)) return true;
  const system = openerFor(process.platform, file);
  return editor.program !== system.program && started(system, env);
}

export const openBrowser = (address: string, env: NodeJS.ProcessEnv): Promise<boolean> =>
  started(openerFor(process.platform, address), env);

/**
 * Whether it was started; an opener that stays as long as its window does never says, and is believed after a while. It is a process of
 * its own: neither does Ctrl-C end it, nor does it keep us from ending.
 */
function started({ program, args }: Opener, env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args], { env, stdio: 'ignore', detached: true, windowsHide: true });
    const patience = setTimeout(() => resolve(true), PATIENCE_MS);
    patience.unref();
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
    child.unref();
  });
}
