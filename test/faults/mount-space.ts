// A mount namespace of one's own, for file systems that are full or may only be read. Real ones: permissions do not bind root,
// and a disk cannot be filled politely. Whoever may not make one is told so; his tests are skipped, not passed.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

export type Mount =
  /** What is there, as a file system that may only be read. A folder or a single file. */
  | { readonly kind: 'read-only'; readonly place: string }
  /** What is there, copied to a disk of its own of this size. With `full`, not a byte is left on it. */
  | { readonly kind: 'small-disk'; readonly place: string; readonly kilobytes: number; readonly full?: boolean };

/** Why there can be no mount namespace here; nothing if there can. */
export function whyNoMounts(): string | undefined {
  if (process.platform !== 'linux') return 'mount namespaces are of Linux';
  try {
    execFileSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=64k none /mnt && command -v nsenter'], {
      stdio: 'ignore',
    });
    return undefined;
  } catch {
    return 'this machine lets nobody mount a file system in a namespace of his own (unshare -rm)';
  }
}

/** Says so where a test is left out: silence would look like success. */
export function sayLoudly(why: string | undefined, what: string): boolean {
  if (why !== undefined) process.stderr.write(`\n*** ${what} do NOT run: ${why}. ***\n\n`);
  return why !== undefined;
}

const SCRIPTS = {
  'read-only': 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"',
  'small-disk': [
    'copy=$(mktemp -d) && cp -a "$1/." "$copy"',
    'mount -t tmpfs -o "size=$2k,mode=700" none "$1" && cp -a "$copy/." "$1" && rm -r "$copy"',
    'if [ "$3" = full ]; then dd if=/dev/zero of="$1/ballast" bs=4k 2>/dev/null || true; fi',
  ].join(' && '),
};

export class MountSpace {
  readonly #holder: ChildProcess;

  private constructor(holder: ChildProcess) {
    this.#holder = holder;
  }

  static async make(mounts: readonly Mount[]): Promise<MountSpace> {
    const steps = mounts.map((mount) => {
      const more = mount.kind === 'small-disk' ? [String(mount.kilobytes), mount.full ? 'full' : ''] : [];
      return `(set -- ${[mount.place, ...more].map(quoted).join(' ')}; ${SCRIPTS[mount.kind]})`;
    });
    const script = `set -e\n${steps.join('\n')}\necho ready\nexec sleep 900`;
    const holder = spawn('unshare', ['-rm', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    holder.stderr!.on('data', (chunk: Buffer) => (said += String(chunk)));
    await new Promise<void>((resolve, reject) => {
      createInterface(holder.stdout!).on('line', (line) => line === 'ready' && resolve());
      holder.on('close', (code) => reject(new Error(`the namespace was not made (${code}): ${said}`)));
    });
    return new MountSpace(holder);
  }

  /** A command line that runs `words` in `cwd` inside. The folder is entered there: the one outside is another. */
  inside(cwd: string, words: readonly string[]): string[] {
    const enter = ['nsenter', '-t', String(this.#holder.pid), '-U', '-m', '--preserve-credentials'];
    return [...enter, 'sh', '-c', 'cd "$0" && exec "$@"', cwd, ...words];
  }

  /** How a file inside is named from outside. */
  seen(file: string): string {
    return path.join(`/proc/${this.#holder.pid}/root`, file);
  }

  close(): void {
    this.#holder.kill('SIGKILL');
  }
}

export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
