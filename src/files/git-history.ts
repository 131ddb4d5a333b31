// What git tells about the history of a repository that may be anybody's: commits with their files, and which commit a line is from. Only
// committed content is asked for: to look at files of the work tree, git would run filters that the repository's settings name.

import { askGit } from './ask-git.ts';

export type GitCommit = {
  readonly hash: string;
  readonly parents: readonly string[];
  /** Seconds. When it was first made: it stays when a commit is amended or moved. */
  readonly authored: number;
  readonly committed: number;
  readonly author: string;
  readonly subject: string;
  readonly body: string;
  /** From the top of the repository; of a file that was renamed both names. A merge has none. */
  readonly files: readonly string[];
};

export type BlamedLine = {
  readonly hash: string;
  /** Its number at that commit, and what the file was called there. */
  readonly line: number;
  readonly file: string;
  /** Its number now. */
  readonly now: number;
};

/** A person waits for these, and a long history takes git a while. */
const TIMEOUT_MS = 30_000;
const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** No program of the repository's choosing makes texts or differences. */
const PLAIN = ['--no-textconv', '--no-ext-diff', '--no-color', '--encoding=UTF-8'];
const FIELDS = ['%H', '%P', '%at', '%ct', '%an', '%s', '%b'];
const START = '\x01';
const FORMAT = `--format=%x01${FIELDS.join('%x00')}%x00`;
/** An order of files that a setting names may not be there: that of a file which always is, and orders nothing. */
const ANY_ORDER = '-OHEAD';
const LISTED = ['-z', ANY_ORDER, '-M', '--name-status', ...PLAIN, FORMAT];
const MAX_FILES = 2_000;

export type LogQuery = {
  /** A commit, or `HEAD`; with it all that came before it. */
  readonly from?: string;
  /** Nothing that came before this commit, nor itself. */
  readonly not?: string;
  readonly most: number;
};

/** The newest first; `undefined` where git does not answer. */
export function gitLog(git: string, { from = 'HEAD', not, most }: LogQuery): GitCommit[] | undefined {
  if ([from, not].some((each) => each !== undefined && each !== 'HEAD' && !HASH.test(each))) return undefined;
  const answer = askGit(
    git,
    ['log', `-n${most}`, ...LISTED, from, ...(not === undefined ? [] : [`^${not}`]), '--'],
    '',
    TIMEOUT_MS,
  );
  return answer === undefined ? undefined : commitsIn(answer);
}

export type FileCommit = {
  readonly commit: GitCommit;
  /** What the file was called there. */
  readonly file: string;
};

/** The commits that changed a file, under its earlier names too, the newest first. */
export function fileHistory(git: string, file: string, most: number): FileCommit[] {
  const answer = askGit(git, ['log', `-n${most}`, '--follow', ...LISTED, 'HEAD', '--', file], '', TIMEOUT_MS) ?? '';
  // Asked about one file, git names that file alone.
  const names = new Map(commitsIn(answer).map(({ hash, files }) => [hash, files.at(-1) ?? file]));
  if (names.size === 0) return [];
  const whole = commitsByHash(git, [...names.keys()]);
  return (whole ?? []).map((commit) => ({ commit, file: names.get(commit.hash) ?? file }));
}

/** Of all branches and of what is checked out, by the time they were committed; none that were committed before `since`, in seconds. */
export function newestCommits(git: string, { most, since }: { most: number; since: number }): string[] | undefined {
  const age = since > 0 ? [`--since=@${since}`] : [];
  const answer = askGit(git, ['rev-list', `-n${most}`, ...age, '--branches', 'HEAD', '--'], '', TIMEOUT_MS);
  return answer?.split('\n').filter((hash) => HASH.test(hash));
}

export function commitsByHash(git: string, hashes: readonly string[]): GitCommit[] | undefined {
  const asked = hashes.filter((hash) => HASH.test(hash));
  if (asked.length === 0) return [];
  const input = `${asked.join('\n')}\n`;
  const answer = askGit(git, ['log', '--no-walk=unsorted', ...LISTED, '--stdin'], input, TIMEOUT_MS);
  return answer === undefined ? undefined : commitsIn(answer);
}

/** Read field by field: whatever stands in a message, it ends at the next NUL, and none can stand in it. */
function commitsIn(answer: string): GitCommit[] {
  const tokens = answer.split('\0');
  const commits: GitCommit[] = [];
  let at = 0;
  while (at + FIELDS.length <= tokens.length) {
    const [hash = '', parents = '', authored, committed, author = '', subject = '', body = ''] = tokens.slice(at);
    if (!hash.startsWith(START)) break;
    at += FIELDS.length;
    if (tokens[at] === '') at += 1;
    const files: string[] = [];
    for (let status = statusAt(tokens, at); status !== undefined; status = statusAt(tokens, at)) {
      const names = /^[RC]/.test(status) ? 2 : 1;
      files.push(...tokens.slice(at + 1, at + 1 + names));
      at += 1 + names;
    }
    while (tokens[at] === '' || tokens[at] === '\n') at += 1;
    commits.push({
      hash: hash.slice(START.length),
      parents: parents.split(' ').filter((each) => each !== ''),
      authored: Number(authored),
      committed: Number(committed),
      author,
      subject,
      body: body.trim(),
      files: [...new Set(files)].slice(0, MAX_FILES),
    });
  }
  return commits;
}

const statusAt = (tokens: readonly string[], at: number): string | undefined =>
  /^\n?([A-Z]\d{0,3})$/.exec(tokens[at] ?? '')?.[1];

/** The commit that HEAD stands at. */
export function headCommit(git: string): string | undefined {
  const hash = askGit(git, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])?.trim();
  return hash !== undefined && HASH.test(hash) ? hash : undefined;
}

/** A file as it was committed; `undefined` where it was not. */
export const committedText = (git: string, file: string): string | undefined =>
  askGit(git, ['cat-file', 'blob', `HEAD:${file}`]);

/** The commits of these lines, as they are numbered at HEAD. */
export function gitBlame(
  git: string,
  file: string,
  { from, to }: { from: number; to: number },
): BlamedLine[] | undefined {
  const answer = askGit(
    git,
    ['blame', '--no-textconv', '--porcelain', '-M', '-L', `${from},${to}`, 'HEAD', '--', file],
    '',
    TIMEOUT_MS,
  );
  return answer === undefined ? undefined : linesIn(answer, file);
}

function linesIn(answer: string, asked: string): BlamedLine[] {
  const files = new Map<string, string>();
  const lines: Omit<BlamedLine, 'file'>[] = [];
  for (const row of answer.split('\n')) {
    if (row.startsWith('\t')) continue;
    const [, hash, line, now] = /^([0-9a-f]{40,64}) (\d+) (\d+)(?: \d+)?$/.exec(row) ?? [];
    if (hash !== undefined) lines.push({ hash, line: Number(line), now: Number(now) });
    const named = row.startsWith('filename ') ? unquoted(row.slice('filename '.length)) : undefined;
    const last = lines.at(-1);
    if (named !== undefined && last) files.set(last.hash, named);
  }
  return lines.map((each) => ({ ...each, file: files.get(each.hash) ?? asked }));
}

/** Git writes unusual names in quotation marks, byte by byte. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  const pattern = /\\([0-7]{3})|\\([abfnrtv"\\])|([^\\])/gu;
  const plain: { readonly [key: string]: number } = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '"': 34, '\\': 92 };
  for (const [, octal, escaped, character] of name.slice(1, -1).matchAll(pattern)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (escaped !== undefined) bytes.push(plain[escaped] ?? 63);
    else bytes.push(...Buffer.from(character ?? ''));
  }
  return Buffer.from(bytes).toString('utf8');
}
