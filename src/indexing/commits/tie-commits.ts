// Which exchange a commit of the repository comes from: by the hash that git printed in it, by its subject, by the moment in which it was
// made, or by its files, where somebody committed by hand what an exchange had written. Pure: commits and exchanges in, ties out, each
// with how sure it is and why.

import type { GitCommit } from '../../files/git-history.ts';
import { type ExchangeWork, exchangeWork } from '../../model/exchange-work.ts';
import { maskText } from '../../safety/mask-text.ts';
import type { Document } from '../../store/store.ts';

/** An exchange with what it did. */
export type Worked = ExchangeWork & { readonly document: Document };

export type CommitTie = {
  readonly exchange: Document;
  readonly way: 'hash' | 'subject' | 'time' | 'files';
  readonly certainty: 'certain' | 'likely' | 'possible';
  /** For people: "by hash", "by its files, 12 minutes later". */
  readonly how: string;
};

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
/** Git counts seconds, and a clock is read twice. */
const SLACK = 5;
/** Between the call and its answer a person may have been asked; longer says nothing. */
const LONGEST_CALL = 15 * MINUTE;
/** Files that were written longer before are too likely somebody else's work by then. */
const [SOON, LATEST] = [4 * HOUR, 7 * DAY];
const LEAST_SHARE = 0.3;
/** A shorter subject is said again and again. */
const TELLING_WORDS = 3;

export const workedOf = (documents: readonly Document[]): Worked[] =>
  documents.flatMap((document) =>
    document.meta?.level === 'exchange' ? [{ document, ...exchangeWork(document.meta) }] : [],
  );

/**
 * By hash. `history`: commits around these, with which of a file's changes were committed earlier is told from others; those that are to be
 * tied are part of it.
 */
export function tieCommits(
  commits: readonly GitCommit[],
  worked: readonly Worked[],
  history: readonly GitCommit[] = commits,
): Map<string, CommitTie> {
  const ties = new Map<string, CommitTie>();
  const own = new Set<string>();
  for (const commit of new Set([...commits, ...history])) {
    const tie = byHash(commit, worked) ?? bySubject(commit, worked) ?? byTime(commit, worked);
    if (tie && tie.certainty !== 'possible') own.add(commit.author);
    if (tie) ties.set(commit.hash, tie);
  }
  for (const commit of commits) {
    const tie = ties.get(commit.hash);
    if (tie && tie.certainty !== 'possible') continue;
    const byThem = byFiles(commit, worked, history);
    // Whoever commits what agents wrote here is somebody else: it may be their own work on the same files.
    const isStranger = own.size > 0 && !own.has(commit.author);
    if (byThem) ties.set(commit.hash, isStranger ? { ...byThem, certainty: 'possible' } : byThem);
  }
  const wanted = new Set(commits.map(({ hash }) => hash));
  return new Map([...ties].filter(([hash]) => wanted.has(hash)));
}

function byHash({ hash }: GitCommit, worked: readonly Worked[]): CommitTie | undefined {
  const found = worked.find(({ made }) => made.some((each) => each.hash !== undefined && hash.startsWith(each.hash)));
  return found && { exchange: found.document, way: 'hash', certainty: 'certain', how: 'by hash' };
}

/** What a host adds when it merges is no part of what was typed. */
const plain = (subject: string): string =>
  maskText(subject)
    .replace(/ \(#\d+\)$/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
    .trim();

function bySubject(commit: GitCommit, worked: readonly Worked[]): CommitTie | undefined {
  const subject = plain(commit.subject);
  const found = worked.flatMap(({ document, made }) =>
    made
      .filter((each) => each.subject !== '' && plain(each.subject) === subject && commit.authored >= each.from - MINUTE)
      .map((each) => ({ document, each, away: awayFrom(commit, each) })),
  );
  const [best, ...others] = found.sort((a, b) => a.away - b.away);
  if (!best) return undefined;
  const { document: exchange, each, away } = best;
  const moved = each.hash === undefined ? '' : `; git called it ${each.hash} then, so it was amended or moved since`;
  const isOne = others.every((other) => other.document.session === exchange.session);
  const isTelling = subject.split(' ').length >= TELLING_WORDS;
  if (away === 0)
    return { exchange, way: 'subject', certainty: 'certain', how: `by its subject and its minute${moved}` };
  if (away > DAY && !isTelling) return undefined;
  const certainty = isTelling && isOne ? 'likely' : 'possible';
  return { exchange, way: 'subject', certainty, how: `by its subject, ${later(away)}${moved}` };
}

/** How long after the call a commit was made, in seconds; 0 for one that this call has made. */
function awayFrom({ authored }: GitCommit, { from, to }: Worked['made'][number]): number {
  const end = Math.min(to === from ? from + MINUTE : to, from + LONGEST_CALL);
  return authored >= from - SLACK && authored <= end + SLACK ? 0 : Math.abs(authored - to);
}

/** An amended commit may have another subject and hash, but keeps the time when it was first made. */
function byTime(commit: GitCommit, worked: readonly Worked[]): CommitTie | undefined {
  const found = worked.filter(({ made }) => made.some((each) => awayFrom(commit, each) === 0));
  const sessions = new Set(found.map(({ document }) => document.session));
  const [first] = found;
  if (!first || sessions.size > 1) return undefined;
  const wrote = worked
    .filter(({ document }) => document.session === first.document.session)
    .some(({ edits }) => edits.some(({ file }) => commit.files.some((each) => isSameFile(each, file))));
  if (!wrote && commit.files.length > 0) return undefined;
  const how = 'by its minute: it was made when this exchange committed, and has another subject since';
  return { exchange: first.document, way: 'time', certainty: 'likely', how };
}

type Edit = { readonly worked: Worked; readonly at: number; readonly isExact: boolean };

/** The last who wrote a file before a commit, unless that was committed already. */
function lastEdit(
  file: string,
  commit: GitCommit,
  worked: readonly Worked[],
  history: readonly GitCommit[],
): Edit | undefined {
  const since = history.reduce(
    (latest, each) =>
      each.hash !== commit.hash && each.authored < commit.authored && each.files.includes(file)
        ? Math.max(latest, each.authored)
        : latest,
    Number.NEGATIVE_INFINITY,
  );
  let best: Edit | undefined;
  for (const each of worked)
    for (const edit of each.edits) {
      if (!isSameFile(file, edit.file) || edit.first > commit.authored + SLACK || edit.last < since) continue;
      const found = { worked: each, at: Math.min(edit.last, commit.authored), isExact: file === edit.file };
      const isBetter = best === undefined || (found.isExact === best.isExact ? found.at >= best.at : found.isExact);
      if (isBetter) best = found;
    }
  return best;
}

function byFiles(commit: GitCommit, worked: readonly Worked[], history: readonly GitCommit[]): CommitTie | undefined {
  const edits = commit.files.flatMap((file) => lastEdit(file, commit, worked, history) ?? []);
  const young = edits.filter(({ at }) => commit.authored - at <= LATEST);
  const bySession = groupBy(young);
  const [best, second] = [...bySession.values()].sort((a, b) => b.length - a.length || latestOf(b) - latestOf(a));
  if (!best) return undefined;
  const share = best.length / commit.files.length;
  const away = commit.authored - latestOf(best);
  if (share < LEAST_SHARE) return undefined;
  const byExchange = [...groupBy(best, ({ worked: { document } }) => document.ref).values()];
  const [most] = byExchange.sort((a, b) => b.length - a.length || latestOf(b) - latestOf(a));
  const exchange = most?.[0]?.worked.document;
  if (!exchange) return undefined;
  const isDivided = second !== undefined && second.length === best.length;
  const certainty = away <= SOON && share >= 0.5 && !isDivided ? 'likely' : 'possible';
  const part = best.length === commit.files.length ? '' : ` (${best.length} of ${commit.files.length})`;
  const others = second ? '; another conversation wrote the rest' : '';
  return { exchange, way: 'files', certainty, how: `by its files${part}, ${later(away)}${others}` };
}

const latestOf = (edits: readonly Edit[]): number => Math.max(...edits.map(({ at }) => at));

function groupBy(
  edits: readonly Edit[],
  key: (edit: Edit) => string = ({ worked: { document } }) => document.session ?? document.ref,
): Map<string, Edit[]> {
  const groups = new Map<string, Edit[]>();
  for (const edit of edits) groups.set(key(edit), [...(groups.get(key(edit)) ?? []), edit]);
  return groups;
}

/** A transcript names a file from where the agent stood, or by its whole path. */
export const isSameFile = (one: string, other: string): boolean =>
  one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);

/** "12 minutes later". */
export function later(seconds: number): string {
  const [amount, unit] =
    seconds < 2 * HOUR
      ? [Math.max(0, Math.round(seconds / MINUTE)), 'minute']
      : seconds < 2 * DAY
        ? [Math.round(seconds / HOUR), 'hour']
        : [Math.round(seconds / DAY), 'day'];
  return amount === 0 ? 'at once' : `${amount} ${unit}${amount === 1 ? '' : 's'} later`;
}

/** Who changed a file between its commit before and this one, the newest first. */
export function changersOf(
  file: string,
  { commit, worked, history }: { commit: GitCommit; worked: readonly Worked[]; history: readonly GitCommit[] },
): Document[] {
  const before = history.filter(
    ({ hash, authored, files }) => hash !== commit.hash && authored < commit.authored && files.includes(file),
  );
  const since = Math.max(Number.NEGATIVE_INFINITY, ...before.map(({ authored }) => authored));
  return worked
    .flatMap(({ document, edits }) => {
      const own = edits.find((edit) => isSameFile(file, edit.file));
      const isIn = own && own.first <= commit.authored + SLACK && own.last >= since;
      return isIn ? [{ document, at: Math.min(own.last, commit.authored) }] : [];
    })
    .sort((a, b) => b.at - a.at)
    .map(({ document }) => document);
}
