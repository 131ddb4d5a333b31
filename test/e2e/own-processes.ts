// Which processes of Cairn are running for a place: those whose command line names our program, or our plugin's copy of it, and whose
// home is that of the place. Linux only, like the client that the tests run.

import fs from 'node:fs';
import path from 'node:path';
import type { Place } from './client.ts';

/** Their command lines. */
export function ownProcesses({ base, home }: Place): string[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const words = read(pid, 'cmdline');
      const ours = words.some((word) => word.startsWith(base) || word.endsWith(path.join('faces', 'cli', 'main.js')));
      return ours && read(pid, 'environ').includes(`HOME=${home}`) ? [`${pid} ${words.join(' ')}`] : [];
    });
}

/** Nothing of a process that is gone, or not ours to look at. */
function read(pid: string, name: string): string[] {
  try {
    return fs.readFileSync(path.join('/proc', pid, name), 'utf8').split('\0');
  } catch {
    return [];
  }
}
