// Tells a session what earlier ones left behind: on a new start, after `/clear`, on resuming, and after compaction, where
// everything told before is gone. A resumed conversation still holds what it was told and what was said in it: it gets the news
// alone. It runs while the user waits, so it reads the graph and the head of index.md, not the notes.

import fs from 'node:fs';
import path from 'node:path';
import { type Config, isTrusted } from '../../config/load.ts';
import { isInside, realPath } from '../../files/paths.ts';
import type { Graph } from '../../graph/graph.ts';
import type { GraphNode } from '../../graph/graph-node.ts';
import { askGraph, type GraphPlace } from '../../indexing/graph/graph-file.ts';
import { contextLines, type SessionMaterial, sessionContext } from '../../inject/session-context.ts';
import { forgetLines, rememberStart, toldAtStart } from '../../learning/already-shown.ts';
import type { JsonObject } from '../../model/json.ts';
import { Kinds } from '../../model/kinds.ts';
import { stripUnsafe } from '../../model/text.ts';
import { frontPage, newestKeys, newestNotes } from '../../notes/front-page.ts';
import { type LastSession, lastSession } from '../../notes/last-session.ts';
import { splitIndex } from '../../records/index-sections.ts';
import { INDEX_NAME } from '../../records/record-store.ts';
import { type EarlierSession, openItems } from '../open-items.ts';
import { overdueCapture } from '../pending-conversations.ts';
import { serverMissed, unwritable } from './blocking-problems.ts';
import { type HookAnswer, type HookContext, type HookHandler, SILENT } from './hook.ts';
import { recentFailures } from './recent-failures.ts';
import { startEndings } from './start-endings.ts';
import { startIndexing } from './start-indexing.ts';

const HEAD_BYTES = 64 * 1024;
const MAX_DECISIONS = 8;
const MAX_PREFERENCES = 5;
const MAX_TASKS = 6;
const MAX_FILES = 6;
const MAX_LOOKED_AT = 60;
const MAX_OPEN = 5;
const MAX_DECIDED = 3;
const MAX_CHANGED = 2;
const MAX_WISHES = 3;
const MAX_STALE = 3;

export const sessionStart: HookHandler = async (payload, context) => {
  forgetTold(payload, context);
  const answer = await greet(payload, context);
  await startIndexing({ ...payload, hook_event_name: 'SessionStart' }, context);
  await startEndings(context);
  return answer;
};

/** After compaction the conversation no longer holds what it was told. */
function forgetTold({ source, session_id: session }: JsonObject, context: HookContext): void {
  if (typeof session !== 'string' || !(source === 'compact' || source === 'clear')) return;
  try {
    forgetLines(context.config.paths.userRoot, session, context.now());
  } catch (error) {
    context.problem(error);
  }
}

async function greet(payload: JsonObject, context: HookContext): Promise<HookAnswer> {
  const { settings, paths, trust } = context.config;
  const maxTokens = settings.injection.session_start_max_tokens;
  const about = noticeFor(payload, context.config);
  if (maxTokens <= 0) return answerWith('', about);
  const material: SessionMaterial[] = [];
  let noted: LastSession | undefined;
  /** One part that fails must not silence the others. */
  const gather = (part: () => SessionMaterial): void => {
    try {
      material.push(part());
    } catch (error) {
      context.problem(error);
    }
  };
  // Where nothing was written yet there is nothing to tell, whatever a graph that came along says.
  if (isTrusted(trust) && trust.state !== 'new' && fs.existsSync(paths.memoryRoot)) {
    gather(() => writtenByPeople(paths.memoryRoot));
    const own = typeof payload.session_id === 'string' ? payload.session_id : '';
    const place = graphPlace(context.config, context.now);
    gather(() => {
      const { noted: last, ...more } = askGraph(place, (graph) =>
        remembered(graph, { memoryRoot: place.root, projectRoot: paths.projectRoot, own }),
      );
      noted = last;
      return more;
    });
  }
  const { trouble, last, told: said } = await fromConversations(payload, context);
  gather(() => ({ trouble: [troubles(context), trouble].filter(Boolean).join(' ') || undefined }));
  gather(() => ({ ...said, lastSession: lastOf(noted, last) }));
  const notice = about ?? (payload.source === 'compact' || trouble === undefined ? undefined : `Cairn: ${trouble}`);
  const isKnown = knownTo(payload, context);
  const told = sessionContext(Object.assign({}, ...material) as SessionMaterial, { maxTokens, isKnown });
  if (told !== '') rememberTold(payload, context, told);
  return answerWith(told, notice);
}

/** What is for the user alone goes beside what is for the model; that needs JSON. */
function answerWith(context: string, notice: string | undefined): HookAnswer {
  if (notice === undefined) return context === '' ? SILENT : { exit: 0, stdout: context };
  const told =
    context === '' ? {} : { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: context } };
  return { exit: 0, stdout: JSON.stringify({ systemMessage: notice, ...told }) };
}

/** Once in a conversation; after compaction it goes on. */
function noticeFor({ source }: JsonObject, { trust, paths }: Config): string | undefined {
  if (source === 'compact') return undefined;
  if (trust.state !== 'untrusted') return unwritable(paths.userRoot);
  return `Cairn: ${stripUnsafe(paths.memoryRoot)} came with this repository and you have not agreed to it. Nothing of it is shown to the model. Look at it and decide: cairn trust`;
}

const isResumed = ({ source }: JsonObject): boolean => source === 'resume';

/** What this conversation was told at its start and still holds. */
function knownTo(payload: JsonObject, { config, problem }: HookContext): (line: string) => boolean {
  try {
    if (isResumed(payload) && typeof payload.session_id === 'string')
      return toldAtStart(config.paths.userRoot, payload.session_id);
  } catch (error) {
    problem(error);
  }
  return () => false;
}

/** Not remembered, a line is told twice. */
function rememberTold({ session_id: session }: JsonObject, { config, problem }: HookContext, text: string): void {
  try {
    if (typeof session === 'string') rememberStart(config.paths.userRoot, session, contextLines(text));
  } catch (error) {
    problem(error);
  }
}

/** Of the conversations of this project, from the store; without one there is nothing to tell. */
async function fromConversations(payload: JsonObject, context: HookContext): Promise<FromConversations> {
  try {
    const own = typeof payload.session_id === 'string' ? payload.session_id : '';
    const found = await openItems(context.config, context.now(), own);
    // A conversation that goes on knows what was said in it.
    const isNews = ({ session }: { session: string | undefined }): boolean =>
      !isResumed(payload) || session !== payload.session_id;
    return {
      ...(found.trouble === undefined ? {} : { trouble: stripUnsafe(found.trouble) }),
      last: found.last,
      told: {
        open: found.open.filter(isNews).slice(0, MAX_OPEN),
        decided: found.decided.filter(isNews).slice(0, MAX_DECIDED),
        changed: found.changed.filter(isNews).slice(0, MAX_CHANGED),
        wishes: found.preferences.filter(isNews).slice(0, MAX_WISHES),
        stale: found.stale.slice(0, MAX_STALE),
      },
    };
  } catch (error) {
    context.problem(error);
    return { told: {} };
  }
}

type FromConversations = {
  readonly trouble?: string;
  readonly last?: EarlierSession | undefined;
  readonly told: SessionMaterial;
};

/** Its note may have been changed by a person; where there is none, or a later conversation has none, the store tells. */
function lastOf(noted: LastSession | undefined, said: EarlierSession | undefined): SessionMaterial['lastSession'] {
  if (noted && (!said || noted.session === said.session || noted.date >= said.date)) return noted;
  if (!said) return undefined;
  const { summary, commits } = said.story;
  return { date: said.date, summary: summary.join(': '), lastCommit: commits.at(-1) };
}

/** Each for itself: where one thing is wrong, another often is. */
function troubles({ config: { paths }, now, env, problem }: HookContext): string | undefined {
  const looks = [
    () => unwritable(paths.userRoot),
    () => serverMissed(paths.userRoot, env),
    () => recentFailures(paths.userRoot, now()),
    () => overdueCapture(paths.userRoot, paths.projectRoot, now()),
  ];
  const told = looks.map((look) => {
    try {
      return look();
    } catch (error) {
      problem(error);
      return undefined;
    }
  });
  return told.filter(Boolean).join(' ') || undefined;
}

function graphPlace({ paths, settings }: Config, now: () => Date): GraphPlace {
  return { root: realPath(paths.memoryRoot), kinds: new Kinds(settings.categories), rules: settings.graph, now };
}

/** The sections stand at the head of index.md; of a long one nothing else is read. */
function writtenByPeople(memoryRoot: string): SessionMaterial {
  const file = path.join(memoryRoot, INDEX_NAME);
  // A link may lead to anybody's file, whose text would be shown to the model.
  if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()) return {};
  const descriptor = fs.openSync(file, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const text = head.toString('utf8', 0, fs.readSync(descriptor, head, 0, HEAD_BYTES, 0));
    const { written } = splitIndex(text.slice(0, endOfSections(text)));
    return { projectContext: written.get('Project Context'), currentFocus: written.get('Current Focus') };
  } finally {
    fs.closeSync(descriptor);
  }
}

function endOfSections(text: string): number {
  const at = text.search(/^## All memories/m);
  return at === -1 ? text.length : at;
}

type Place = { readonly memoryRoot: string; readonly projectRoot: string; readonly own: string };

function remembered(
  graph: Graph,
  { memoryRoot, projectRoot, own }: Place,
): SessionMaterial & { noted: LastSession | undefined } {
  const page = frontPage(newestNotes(graph));
  const noted = lastSession(memoryRoot, graph, own);
  const edited = noted?.files ?? [];
  const summed = page.files.map(({ file, title, gist }) => ({ path: file ?? title, gist, modified: false }));
  const files = [...edited, ...summed.filter((each) => !edited.some(({ path: file }) => file === each.path))];
  return {
    noted,
    tasks: page.tasks.slice(0, MAX_TASKS).map(({ title, status }) => ({ title, inProgress: status === 'in_progress' })),
    decisions: newest(graph, 'decision', MAX_DECISIONS).map((node) => ({ ...node, before: replacedBy(graph, node) })),
    preferences: newest(graph, 'preference', MAX_PREFERENCES).map(({ title }) => title),
    files: files.filter(({ path: file }) => isThere(projectRoot, file)).slice(0, MAX_FILES),
  };
}

/** In the project, whose root a leading slash may mean, and not renamed or removed since. */
const isThere = (projectRoot: string, file: string): boolean =>
  [path.resolve(projectRoot, file), path.join(projectRoot, file)].some(
    (each) => isInside(projectRoot, each) && fs.existsSync(each),
  );

/** The title of what a decision took the place of. */
function replacedBy(graph: Graph, { edges }: GraphNode): string | undefined {
  const older = edges?.supersedes?.[0];
  return older === undefined ? undefined : graph.node(older)?.title;
}

/** The newest active ones, notes and records alike. */
function newest(graph: Graph, type: string, max: number): GraphNode[] {
  const found: GraphNode[] = [];
  for (const key of newestKeys(graph, type).slice(0, MAX_LOOKED_AT)) {
    if (found.length >= max) break;
    const node = graph.node(key);
    if (node?.status === 'active') found.push(node);
  }
  return found;
}
