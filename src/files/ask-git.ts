// Asks git about a repository that may be anybody's: without a shell, for a short time, and so that nothing which the repository
// brings along (monitors, helpers, filters, other protocols) is started. In a hook only for a prompt that names a release: a process
// costs more than all the work of others.

const TIMEOUT_MS = 5_000;
const MAX_OUTPUT = 16 * 1024 * 1024;

/** Nothing is fetched to answer a question, and no helper runs for it, whatever the repository's own settings say. */
const PROTOCOLS = ['ext', 'file', 'git', 'ssh', 'http', 'https', 'ftp', 'ftps'];
const SAFE = [
  ...['--no-pager', '--no-replace-objects', '--no-optional-locks', '--literal-pathspecs'],
  ...[
    'core.fsmonitor=false',
    // Readable whatever the repository says, and no key is checked: that starts a program which its settings name.
    ...['log.showSignature=false', 'log.follow=false', 'color.ui=false'],
    'protocol.allow=never',
    ...PROTOCOLS.map((name) => `protocol.${name}.allow=never`),
  ].flatMap((setting) => ['-c', setting]),
];

/**
 * What git prints; `undefined` where it fails, takes too long, or is not installed. `common` is the repository's own folder, or that of one
 * of its worktrees.
 */
export function askGit(
  common: string,
  args: readonly string[],
  input = '',
  timeoutMs: number = TIMEOUT_MS,
): string | undefined {
  try {
    // Loaded when it is needed: a worker that indexes one turn would pay for it every time.
    return process.getBuiltinModule('node:child_process').execFileSync('git', ['--git-dir', common, ...SAFE, ...args], {
      cwd: common,
      input,
      timeout: timeoutMs,
      maxBuffer: MAX_OUTPUT,
      windowsHide: true,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}

/** Of these, the ids of commits that a repository has. */
export function commitsAmong(common: string, ids: readonly string[]): string[] {
  const asked = ids.filter((id) => /^[0-9a-f]{40,64}$/.test(id));
  if (asked.length === 0) return [];
  const answer = askGit(common, ['cat-file', '--batch-check'], `${asked.join('\n')}\n`) ?? '';
  return [...answer.matchAll(/^([0-9a-f]{40,64}) commit \d+$/gm)].map(([, id]) => id!);
}

/** By age and use, where a project's history begins; the branch that is checked out now may be one without history. */
const TRUNKS = ['main', 'master'].flatMap((name) => [`refs/heads/${name}`, `refs/remotes/origin/${name}`]);

/** The first commit of the trunk, along first parents: histories that were merged into it later do not count. */
export function firstCommit(common: string): string | undefined {
  const known = (askGit(common, ['for-each-ref', '--format=%(refname)', ...TRUNKS]) ?? '').split('\n');
  const trunk = TRUNKS.find((name) => known.includes(name)) ?? 'HEAD';
  const roots = askGit(common, ['rev-list', '--first-parent', '--max-parents=0', trunk, '--'])?.trim();
  return roots !== undefined && /^[0-9a-f]{40,64}$/.test(roots) ? roots : undefined;
}

/** With the user's own shorthands for addresses (`url.….insteadOf`) resolved. */
export const remoteAddress = (common: string, name: string): string | undefined =>
  askGit(common, ['remote', 'get-url', '--', name])?.trim().split('\n')[0];
