// Where a file, or a line of it, comes from: the commit, the conversation and the exchange that made it, what was asked and why. Git knows
// the commit; the store knows the exchange, tied to it by hash, subject, time or files.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../errors.ts';
import { isShallow, realDirectory, type WorkTree, workTreeAround } from '../files/git-files.ts';
import {
  committedText,
  type FileCommit,
  fileHistory,
  type GitCommit,
  gitBlame,
  gitLog,
  headCommit,
} from '../files/git-history.ts';
import { MAX_JSON_BYTES, readText } from '../files/json-file.ts';
import {
  type CommitTie,
  changersOf,
  isSameFile,
  tieCommits,
  type Worked,
  workedOf,
} from '../indexing/commits/tie-commits.ts';
import { exchangeFields } from '../model/span-fields.ts';
import { maskText } from '../safety/mask-text.ts';
import type { Document, Store } from '../store/store.ts';
import { committedLine, linesOf } from './line-mapping.ts';
import { eachDocument } from './topic-tree.ts';

/** An exchange as it is told. */
export type BlamedExchange = {
  readonly ref: string;
  readonly session: string | null;
  readonly session_title: string | null;
  readonly started_at: string;
  readonly asked: string;
  readonly outcome: string;
  readonly decided: readonly string[];
  /** What goes on with that conversation; null where nobody knows how. */
  readonly resume: string | null;
};

export type BlamedCommit = {
  readonly hash: string;
  readonly subject: string;
  readonly body: string;
  readonly author: string;
  readonly authored_at: string;
  /** What the file was called then. */
  readonly file: string;
  /** How it is known from which conversation it is; null where it is not. */
  readonly tie: Pick<CommitTie, 'way' | 'certainty' | 'how'> | null;
  /** Where it was committed, or where its files were written. */
  readonly exchange: BlamedExchange | null;
  /** Where this file was changed before it, if that was not the same; the newest first. */
  readonly changed_in: readonly BlamedExchange[];
  /** Where nothing ties it: who wrote its files, or talked, shortly before. */
  readonly nearest: readonly BlamedExchange[];
};

export type BlamedLines = {
  readonly from: number;
  readonly to: number;
  /** Of the first of them. */
  readonly text: string;
  /** Null for lines that are not committed. */
  readonly commit: BlamedCommit | null;
};

export type BlameAnswer = {
  /** From the top of the repository. */
  readonly file: string;
  /** The clone was cut off: what it calls the oldest commit may be none. */
  readonly shallow: boolean;
  /** Where lines were asked for: those of one commit together, in their order. */
  readonly lines: readonly BlamedLines[];
  /** Where none were: the commits of the file, the newest first. */
  readonly commits: readonly BlamedCommit[];
  /** Exchanges that changed the file and whose change no commit has, the newest first. */
  readonly uncommitted: readonly BlamedExchange[];
  /** Commits of the file that are not listed, because no conversation is known for them. */
  readonly without_conversation: number;
};

export type BlameQuery = { readonly file: string; readonly from?: number; readonly to?: number };

type Where = {
  readonly store: Store;
  /** What the file counts from. */
  readonly cwd: string;
  /** The scopes that conversations about a directory are in. */
  readonly scopesOf: (directory: string) => readonly string[];
};

const MOST_EXCHANGES = 20_000;
const MOST_COMMITS = 400;
/** Around one commit: enough to see which changes of its files were committed before. */
const HISTORY = 60;
const MOST_LINES = 5_000;
const [SHOWN_COMMITS, SHOWN_EXCHANGES, SHOWN_NEAREST] = [20, 5, 3];
const DAY_MS = 86_400_000;

export async function blame(where: Where, query: BlameQuery): Promise<BlameAnswer> {
  const place = placeOf(where.cwd, query.file);
  const known = await Known.read(where.store, where.scopesOf(place.tree.top));
  const shallow = isShallow(place.tree.common);
  const nothing = { file: place.file, shallow, lines: [], commits: [], uncommitted: [], without_conversation: 0 };
  return query.from === undefined
    ? { ...nothing, ...(await wholeFile(place, known)) }
    : { ...nothing, ...(await someLines(place, known, { from: query.from, to: query.to ?? query.from })) };
}

type Place = { readonly tree: WorkTree; readonly file: string; readonly onDisk: string };

function placeOf(cwd: string, named: string): Place {
  const asked = path.resolve(cwd, named);
  let folder = realDirectory(asked) === undefined ? path.dirname(asked) : asked;
  while (realDirectory(folder) === undefined && path.dirname(folder) !== folder) folder = path.dirname(folder);
  const real = realDirectory(folder);
  const tree = real === undefined ? undefined : workTreeAround(real);
  if (!tree?.isMutual || real === undefined)
    throw new CairnError('NOT_FOUND', `${JSON.stringify(named)} lies in no git repository.`, {
      fix: 'Name a file of a repository, from the folder you are in or by its whole path.',
    });
  const onDisk = path.join(real, path.relative(folder, asked));
  const file = path.relative(tree.top, onDisk).split(path.sep).join('/');
  if (file === '' || file.startsWith('../') || fs.statSync(onDisk, { throwIfNoEntry: false })?.isDirectory())
    throw new CairnError('USAGE_ERROR', `${JSON.stringify(named)} is no file of the repository.`, {
      fix: 'Name one file: cairn blame src/app.ts, cairn blame src/app.ts:42.',
    });
  if (headCommit(tree.git) === undefined)
    throw new CairnError('NOT_FOUND', `${tree.top} has no commit that git can read.`, {
      fix: 'Check that git is installed, and that `git log` works there.',
    });
  return { tree, file, onDisk };
}

async function someLines(
  place: Place,
  known: Known,
  { from, to }: { from: number; to: number },
): Promise<Pick<BlameAnswer, 'lines' | 'uncommitted'>> {
  const { tree, file, onDisk } = place;
  const committed = committedText(tree.git, file);
  const text = readText(onDisk, MAX_JSON_BYTES) ?? committed;
  if (text === undefined) throw unknownFile(place);
  const now = linesOf(text);
  if (to > now.length || from < 1 || to < from)
    throw new CairnError('USAGE_ERROR', `${file} has ${now.length} lines: there are no lines ${from} to ${to}.`, {
      fix: `Name lines from 1 to ${now.length}.`,
    });
  if (to - from >= MOST_LINES)
    throw new CairnError('USAGE_ERROR', `These are ${to - from + 1} lines, more than ${MOST_LINES}.`, {
      fix: `Name fewer, or the file alone: cairn blame ${file}`,
    });
  const then = committed === undefined ? undefined : linesOf(committed);
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const mapped = new Map(numbers.map((line) => [line, then && committedLine(now, then, line)]));
  const asked = [...mapped.values()].filter((line) => line !== undefined);
  const found =
    asked.length === 0 ? [] : gitBlame(tree.git, file, { from: Math.min(...asked), to: Math.max(...asked) });
  if (!found) throw noAnswer(file);
  const byLine = new Map(found.map((each) => [each.now, each]));
  const groups: { from: number; to: number; hash: string | undefined; file: string }[] = [];
  for (const line of numbers) {
    const blamed = byLine.get(mapped.get(line) ?? -1);
    const last = groups.at(-1);
    if (last && last.hash === blamed?.hash && last.file === (blamed?.file ?? file)) last.to = line;
    else groups.push({ from: line, to: line, hash: blamed?.hash, file: blamed?.file ?? file });
  }
  const told = new Map<string, BlamedCommit>();
  for (const group of groups) {
    if (group.hash === undefined || told.has(`${group.hash} ${group.file}`)) continue;
    const history = gitLog(tree.git, { from: group.hash, most: HISTORY });
    const commit = history?.[0];
    if (!history || !commit) throw noAnswer(file);
    const [tie] = [...tieCommits([commit], known.worked, history).values()];
    told.set(`${group.hash} ${group.file}`, known.told({ commit, file: group.file }, { tie, history }));
  }
  const lines = groups.map((group) => ({
    from: group.from,
    to: group.to,
    // What is in no commit may be anything, such as keys that git is told to ignore.
    text: committed === undefined ? '' : maskText(now[group.from - 1] ?? ''),
    commit: (group.hash !== undefined && told.get(`${group.hash} ${group.file}`)) || null,
  }));
  const isOpen = lines.some(({ commit }) => commit === null);
  return {
    lines,
    uncommitted: isOpen
      ? known.uncommitted(
          file,
          commitsOf(place).map(({ commit }) => commit),
        )
      : [],
  };
}

async function wholeFile(
  place: Place,
  known: Known,
): Promise<Pick<BlameAnswer, 'commits' | 'uncommitted' | 'without_conversation'>> {
  const { file } = place;
  const found = commitsOf(place);
  const commits = found.map(({ commit }) => commit);
  if (commits.length === 0 && (!fs.existsSync(place.onDisk) || known.changing(file).length === 0))
    throw unknownFile(place);
  const ties = tieCommits(commits, known.worked);
  const tied = found.filter(({ commit }) => ties.has(commit.hash));
  // Of a file whose commits nobody can tie, the newest are told with what is near.
  const shown = tied.length > 0 ? tied.slice(0, SHOWN_COMMITS) : found.slice(0, SHOWN_NEAREST);
  return {
    commits: shown.map((each) => known.told(each, { tie: ties.get(each.commit.hash), history: commits })),
    uncommitted: known.uncommitted(file, commits),
    without_conversation: commits.length - tied.length,
  };
}

const commitsOf = ({ tree, file }: Place): FileCommit[] => fileHistory(tree.git, file, MOST_COMMITS);

function unknownFile({ file, onDisk }: Place): CairnError {
  const isThere = fs.existsSync(onDisk);
  return new CairnError(
    'NOT_FOUND',
    isThere ? `${file} was never committed, and no conversation changed it.` : `There is no file ${file}.`,
    {
      fix: isThere
        ? 'Git tells where lines come from once the file is committed; `cairn backfill` reads conversations.'
        : 'Check the name: it counts from the folder you are in.',
    },
  );
}

const noAnswer = (file: string): CairnError =>
  new CairnError('READ_ERROR', `Git cannot tell where the lines of ${file} come from.`, {
    fix: `Check that \`git blame -- ${file}\` works there.`,
  });

/** What the store knows of the work in a project. */
class Known {
  readonly worked: readonly Worked[];
  readonly #titles: ReadonlyMap<string, string>;

  private constructor(worked: readonly Worked[], titles: ReadonlyMap<string, string>) {
    this.worked = worked;
    this.#titles = titles;
  }

  static async read(store: Store, projects: readonly string[]): Promise<Known> {
    const exchanges: Document[] = [];
    const titles = new Map<string, string>();
    for await (const span of eachDocument(store, { projects, layers: ['trace'], kinds: ['span'] })) {
      const { session, meta } = span;
      if (meta?.level === 'exchange') exchanges.push(span);
      else if (session !== undefined && typeof meta?.session_title === 'string')
        titles.set(session, meta.session_title);
      if (exchanges.length >= MOST_EXCHANGES) break;
    }
    return new Known(workedOf(exchanges), titles);
  }

  changing(file: string): Worked[] {
    return this.worked.filter(({ edits }) => edits.some((edit) => isSameFile(file, edit.file)));
  }

  told(
    { commit, file }: FileCommit,
    { tie, history }: { tie: CommitTie | undefined; history: readonly GitCommit[] },
  ): BlamedCommit {
    const { hash, authored } = commit;
    const changers = changersOf(file, { commit, worked: this.worked, history });
    const others = tie ? changers.filter(({ ref }) => ref !== tie.exchange.ref) : [];
    // Whoever committed it has mostly written it; where that was another exchange, those that did say why.
    const isWriter = tie !== undefined && changers.some(({ ref }) => ref === tie.exchange.ref);
    return {
      hash,
      subject: maskText(commit.subject),
      body: maskText(commit.body),
      author: maskText(commit.author),
      authored_at: new Date(authored * 1_000).toISOString(),
      file,
      tie: tie ? { way: tie.way, certainty: tie.certainty, how: tie.how } : null,
      exchange: tie ? this.shown(tie.exchange) : null,
      changed_in: (isWriter ? [] : others.slice(0, SHOWN_NEAREST)).map((each) => this.shown(each)),
      nearest: tie ? [] : this.#near(commit).map((each) => this.shown(each)),
    };
  }

  /** Who wrote one of its files before it; else whoever talked on that day. */
  #near({ files, authored }: GitCommit): Document[] {
    const time = authored * 1_000;
    const before = this.worked
      .filter(({ document }) => document.createdAt > 0 && document.createdAt <= time)
      .sort((a, b) => b.document.createdAt - a.document.createdAt);
    const wrote = before.filter(({ edits }) => edits.some((edit) => files.some((file) => isSameFile(file, edit.file))));
    const talked = before.filter(({ document }) => time - document.updatedAt <= DAY_MS);
    return (wrote.length > 0 ? wrote.slice(0, SHOWN_NEAREST) : talked.slice(0, 1)).map(({ document }) => document);
  }

  /** Changed after the newest commit of the file. */
  uncommitted(file: string, commits: readonly GitCommit[]): BlamedExchange[] {
    const newest = Math.max(Number.NEGATIVE_INFINITY, ...commits.map(({ authored }) => authored));
    return this.changing(file)
      .filter(({ edits }) => edits.some((edit) => isSameFile(file, edit.file) && edit.last > newest))
      .sort((a, b) => b.document.createdAt - a.document.createdAt)
      .slice(0, SHOWN_EXCHANGES)
      .map(({ document }) => this.shown(document));
  }

  shown({ ref, session, createdAt, meta, source, title }: Document): BlamedExchange {
    const { asked = '', outcome = '', decided = [] } = exchangeFields(meta) ?? {};
    return {
      ref,
      session: session ?? null,
      session_title: (session !== undefined && this.#titles.get(session)) || null,
      started_at: new Date(createdAt).toISOString(),
      asked: asked || title,
      outcome,
      decided,
      resume: resumeOf(session, source?.file),
    };
  }
}

/** An id that a shell reads as one plain word. */
function resumeOf(session: string | undefined, file: string | undefined): string | null {
  if (session === undefined || file === undefined || !/^[\w-]{8,64}$/.test(session) || session.startsWith('-'))
    return null;
  if (!file.endsWith('.jsonl')) return null;
  return /[\\/]rollout-[^\\/]+$/.test(file) ? `codex resume ${session}` : `claude --resume ${session}`;
}
