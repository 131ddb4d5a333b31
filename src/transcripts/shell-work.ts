// Follows the commands that an agent gives to a shell, from the call to what came back: commits and their hashes, pull requests and
// where they are, changes that were taken back, and commands that work after they had failed. Most commands tell nothing, and leave no
// trace in what is carried on.

import { shortHash } from '../model/hash.ts';
import { maskText } from '../safety/mask-text.ts';
import { type GitAction, withoutTrailers } from './git-actions.ts';
import { relativeTo } from './relative-path.ts';

type PullRequest = { readonly title: string; readonly body?: string; readonly url?: string };

/** An event without its place. */
export type ShellEvent =
  | { readonly event: 'commit'; readonly subject: string; readonly body?: string }
  | { readonly event: 'committed'; readonly subject: string; readonly hash: string }
  | ({ readonly event: 'pull-request' } & PullRequest)
  | { readonly event: 'revert'; readonly what: string }
  | { readonly event: 'success'; readonly tried: string };

/** A call whose result will tell something. */
type Awaited = {
  readonly id: string;
  readonly commits?: true;
  readonly pulls?: readonly PullRequest[];
  readonly reverts?: readonly string[];
  /** It failed before: the key of the command. */
  readonly retries?: string;
  /** How the script ends is not how the command ended: it is piped, or another one follows. */
  readonly isDoubtful?: true;
};

/** Plain JSON, of bounded size. It is stored, so its words are masked. */
export type ShellWork = {
  readonly awaited: readonly Awaited[];
  /** The last commit's subject: a commit that a hook refused is tried again with the same words. */
  readonly committed: string | null;
  /** Commands whose failure was told, by their key, with the words in which it was told. */
  readonly failed: readonly (readonly [key: string, tried: string])[];
};

export const NO_SHELL_WORK: ShellWork = { awaited: [], committed: null, failed: [] };

type Found = { readonly work: ShellWork; readonly events: readonly ShellEvent[] };

type ShellCall = {
  /** Without one, nobody knows what came back. */
  readonly id: string | undefined;
  readonly script: string;
  readonly actions: readonly GitAction[];
  readonly cwd: string | null;
};

const MOST_AWAITED = 10;
const MOST_FAILED = 20;
const MOST_ACTIONS = 5;
const MAX_ID = 200;
const MAX_BODY = 4_000;
const MAX_WHAT = 300;
const MAX_URL = 300;
/** A longer one is only ever repeated as it is. */
const MAX_SCRIPT = 4_000;
/** Far enough to find what git says, behind all that hooks print before. */
const MAX_OUTPUT = 65_536;
const COMMITTED = /^\[[^\]\n]{1,200}? ([0-9a-f]{7,40})\] (.+)$/gm;
const PULL_URL = /https?:\/\/[^\s"'<>]{1,200}\/(?:pull|pulls|merge_requests|pull-requests)\/\d+/;
const IN_BACKGROUND = /^Command (?:running|was moved)\b.{0,40}\bbackground\b/;
const LOOKS_FAILED =
  /\b[1-9]\d* (?:fail|error|problem)|\b(?:FAIL|FAILED|ERR!|Traceback|panicked at)\b|error TS\d|^\s*(?:error|fatal)\b|\berror(?:\[\w+\])?:|exit(?:ed with)? (?:code|status):? [1-9]/im;
/** Programs that only show what another one printed. */
const SHOWS =
  /\s*\|\s*(?:tail|head|grep|egrep|rg|cat|tee|less|sort|uniq|wc|sed|awk|cut)\b(?:[^|;&\n"']|"[^"\n]*"|'[^'\n]*')*$/;

export function shellCall(before: ShellWork, { id, script, actions, cwd }: ShellCall): Found {
  const commits = actions.filter((action) => action.did === 'commit');
  const told = commits
    .flatMap(({ subject, body }) => (subject === undefined ? [] : [commitOf(subject, body)]))
    .filter(({ subject }) => subject !== before.committed);
  const pulls = actions.flatMap((action) => (action.did === 'pull-request' ? [pullOf(action.title, action.body)] : []));
  const reverts = actions.flatMap((action) => (action.did === 'revert' ? [revertOf(action.what, cwd)] : []));
  const work = { ...before, committed: told.at(-1)?.subject ?? before.committed };
  if (id === undefined)
    return {
      work,
      events: [...told, ...pulls.map(asEvent), ...reverts.map((what) => ({ event: 'revert' as const, what }))],
    };
  const key = before.failed.length > 0 ? commandKey(script, actions, cwd) : undefined;
  const retries = key !== undefined && before.failed.some(([failed]) => failed === key) ? key : undefined;
  const waits = commits.length > 0 || pulls.length > 0 || reverts.length > 0 || retries !== undefined;
  if (!waits) return { work: told.length > 0 ? work : before, events: told };
  return {
    work: awaiting(work, {
      id,
      ...(commits.length > 0 ? { commits: true } : {}),
      ...(pulls.length > 0 ? { pulls: pulls.slice(0, MOST_ACTIONS) } : {}),
      ...(reverts.length > 0 ? { reverts: reverts.slice(0, MOST_ACTIONS) } : {}),
      ...(retries === undefined ? {} : { retries }),
      ...(/[|;\n]/.test(script.trim()) ? { isDoubtful: true } : {}),
    }),
    events: told,
  };
}

/** A pull request that was asked for without a shell. */
export function pullCall(work: ShellWork, id: string | undefined, title: string, body: string | undefined): ShellWork {
  return id === undefined ? work : awaiting(work, { id, pulls: [pullOf(title, body)] });
}

/** Where a pull request is may be known before the command has ended. */
export function pullLink(work: ShellWork, url: string): ShellWork {
  const call = work.awaited.findLast(({ pulls }) => pulls?.some((pull) => pull.url === undefined));
  if (!call || url.length > MAX_URL) return work;
  const pulls = call.pulls?.map((pull) => (pull.url === undefined ? { ...pull, url: maskText(url) } : pull)) ?? [];
  return { ...work, awaited: work.awaited.map((each) => (each === call ? { ...call, pulls } : each)) };
}

/** What came back; the work itself where nobody waits for it. */
export function shellResult(before: ShellWork, id: string | undefined, output: string, failed: boolean): Found {
  const call = before.awaited.find((each) => each.id === id);
  if (!call) return { work: before, events: [] };
  const work = { ...before, awaited: before.awaited.filter((each) => each !== call) };
  const text = output.slice(0, MAX_OUTPUT);
  if (IN_BACKGROUND.test(text)) return { work, events: [] };
  const commits = call.commits ? committedIn(text) : [];
  if (failed) return { work, events: commits };
  const url = PULL_URL.exec(text)?.[0];
  const pulls = (call.pulls ?? []).map((pull) =>
    asEvent(pull.url === undefined && url !== undefined ? { ...pull, url: maskText(url) } : pull),
  );
  const reverts = (call.reverts ?? []).map((what) => ({ event: 'revert' as const, what }));
  const isDoubtful = call.isDoubtful && commits.length === 0 && (call.commits || LOOKS_FAILED.test(text));
  const mended = call.retries !== undefined && !isDoubtful ? work.failed.filter(([key]) => key === call.retries) : [];
  return {
    work: mended.length === 0 ? work : { ...work, failed: work.failed.filter((each) => !mended.includes(each)) },
    events: [...commits, ...pulls, ...reverts, ...mended.map(([, tried]) => ({ event: 'success' as const, tried }))],
  };
}

/** `tried`: the words in which the failure was told. */
export function shellFailed(work: ShellWork, key: string, tried: string): ShellWork {
  const others = work.failed.filter(([known, words]) => known !== key || words !== tried);
  return { ...work, failed: [...others, [key, tried] as const].slice(-MOST_FAILED) };
}

/**
 * The same for a command however it is tried again: from another folder, with more or less of what it prints, and for a commit with
 * another message. A hash, because it is stored.
 */
export function commandKey(script: string, actions: readonly GitAction[], cwd: string | null): string {
  if (actions.some(({ did }) => did === 'commit')) return 'git commit';
  if (script.length > MAX_SCRIPT) return shortHash(script);
  const own = cwd ? script.replaceAll(cwd.endsWith('/') ? cwd : `${cwd}/`, '') : script;
  return shortHash(
    own
      .trim()
      .replace(/^(?:cd\s+[^\s;&|]+\s*(?:&&|;)\s*)+/, '')
      .replace(/\s*(?:\d|&)?>{1,2}\s*(?:&\d|[^\s;&|]+)/g, '')
      .replace(/\s*(?:;|\|\|)\s*(?:true|echo\b[^;&|\n]*)$/, '')
      .replace(SHOWS, '')
      .replace(SHOWS, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

/** Masked before it is cut: half a secret looks like nothing. */
function commitOf(subject: string, body: string | undefined): Extract<ShellEvent, { event: 'commit' }> {
  return { event: 'commit', subject: maskText(subject), ...bodyOf(body) };
}

function pullOf(title: string, body: string | undefined): PullRequest {
  const line = maskText(title).replace(/\s+/g, ' ').trim().slice(0, MAX_WHAT);
  return { title: line, ...bodyOf(body === undefined ? undefined : withoutTrailers(body)) };
}

function bodyOf(body: string | undefined): { body?: string } {
  const text = body === undefined ? '' : maskText(body).slice(0, MAX_BODY).trim();
  return text === '' ? {} : { body: text };
}

const revertOf = (what: readonly string[], cwd: string | null): string =>
  maskText(what.map((each) => relativeTo(each, cwd)).join(' ')).slice(0, MAX_WHAT);

const asEvent = (pull: PullRequest): ShellEvent => ({ event: 'pull-request', ...pull });

/** What git says when a commit is made: `[main 1a2b3c4] subject`. */
function committedIn(text: string): ShellEvent[] {
  return [...text.matchAll(COMMITTED)].slice(-MOST_ACTIONS * 4).flatMap(([, hash = '', subject = '']): ShellEvent[] => {
    const told = maskText(subject).trim().slice(0, MAX_WHAT).trim();
    return told === '' ? [] : [{ event: 'committed', subject: told, hash }];
  });
}

function awaiting(work: ShellWork, call: Awaited): ShellWork {
  if (call.id.length > MAX_ID) return work;
  const others = work.awaited.filter(({ id }) => id !== call.id);
  return { ...work, awaited: [...others, call].slice(-MOST_AWAITED) };
}
