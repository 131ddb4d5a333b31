// Changed files in, changed entries of graph.json out. A rebuild is the same with an empty graph and every file changed, so there is
// one way in which a graph comes about. Whatever else a change touches (links that now lead elsewhere, a second file with
// the same id) is read again from its file: the graph keeps no copy of what files say that could grow old.

import { claim, type FileTable, rowOf } from './file-table.ts';
import { type FileState, type GraphEntry, type GraphNode, type GraphProblem, nameOf, timeOf } from './graph-node.ts';
import type { GraphText, Section } from './graph-text.ts';
import { LinkNames } from './link-names.ts';
import { missingNames, nodeOf, type Resolved, resolveLinks } from './resolve-links.ts';

export type Changes = Map<string, FileState | undefined>;
/** The file as it is now; `undefined` if it is gone. */
export type Reread = (path: string) => FileState | undefined;

type Old = { readonly key: string; readonly node: GraphNode };
type Kept = { readonly state: FileState; readonly entry: GraphEntry };
type Fresh = Kept & { readonly links: Resolved };
type Decision = {
  /** What these files gave before, by path. */
  readonly old: ReadonlyMap<string, Old>;
  /** What they give now, by key. */
  readonly kept: ReadonlyMap<string, Kept>;
  /** Files whose id another file has, by path. */
  readonly refused: ReadonlyMap<string, string>;
};

/** Returns the number of nodes. The table is not flushed: the caller may have more to say about folders. */
export function applyChanges(text: GraphText, table: FileTable, changes: Changes, reread: Reread): number {
  const names = new LinkNames(text);
  const decision = settle(text, table, new Map(changes), { names, reread });
  const { old, kept } = decision;
  for (const { key } of old.values()) names.remove(key);
  for (const [key, { entry }] of kept) names.add(key, entry.type);
  const fresh = new Map<string, Fresh>();
  for (const [key, { state, entry }] of kept) fresh.set(key, { state, entry, links: resolveLinks(key, entry, names) });
  const before = new Map([...old.values()].map(({ key, node }) => [key, node]));
  editNodes(text, before, fresh);
  editLists(text, before, fresh);
  editRecent(text, before, kept);
  editFiles(text, table, decision);
  return text.nodeCount - old.size + kept.size;
}

/** Reads again what the changes touch, until nothing more is touched. */
function settle(
  text: GraphText,
  table: FileTable,
  states: Changes,
  { names, reread }: { names: LinkNames; reread: Reread },
): Decision & { readonly states: Changes } {
  for (;;) {
    addRivals(text, table, states, { names, reread });
    const decision = decide(text, table, states);
    const more = sourcesOf(text, names, decision).filter((path) => !states.has(path));
    if (more.length === 0) return { ...decision, states };
    for (const path of more) states.set(path, reread(path));
  }
}

/** Every file that claims an id that one of these claimed or claims. */
function addRivals(
  text: GraphText,
  table: FileTable,
  states: Changes,
  { names, reread }: { names: LinkNames; reread: Reread },
): void {
  let losers: Map<string, string[]> | undefined;
  if (isEmpty(text)) return;
  for (const [path, state] of states) {
    const before = table.claimOf(path);
    const now = state?.entry?.key;
    for (const key of before === now ? [now] : [before, now]) {
      if (key === undefined) continue;
      const holders = names.of(nameOf(key)).filter((each) => claim(each.key) === claim(key));
      const rivals = holders.map((each) => (text.get('nodes', each.key) as GraphNode).path);
      losers ??= losersOf(text);
      if (before !== now && losers.size > 0) rivals.push(...(losers.get(claim(key)) ?? []));
      // Entries added to a Map while it is walked are walked too.
      for (const rival of rivals) if (!states.has(rival)) states.set(rival, reread(rival));
    }
  }
}

/** A rebuild starts from nothing, and nothing is touched by it. */
const isEmpty = (text: GraphText): boolean => text.nodeCount === 0 && text.count('problems') === 0;

function losersOf(text: GraphText): Map<string, string[]> {
  const losers = new Map<string, string[]>();
  for (const [path, problem] of text.entries('problems') as Iterable<[string, GraphProblem]>) {
    if (problem.id === undefined) continue;
    losers.set(claim(problem.id), [...(losers.get(claim(problem.id)) ?? []), path]);
  }
  return losers;
}

/** Of several files with one id, the first by path keeps it. */
function decide(text: GraphText, table: FileTable, states: Changes): Decision {
  const old = new Map<string, Old>();
  const winners = new Map<string, Kept>();
  const refused = new Map<string, string>();
  for (const path of [...states.keys()].sort()) {
    const before = table.claimOf(path);
    const node = before === undefined ? undefined : (text.get('nodes', before) as GraphNode | undefined);
    if (node?.path === path) old.set(path, { key: before!, node });
    const state = states.get(path);
    if (!state?.entry) continue;
    const first = winners.get(claim(state.entry.key));
    if (first) refused.set(path, `its id ${state.entry.key} is also that of ${first.state.path}`);
    else winners.set(claim(state.entry.key), { state, entry: state.entry });
  }
  const kept = new Map([...winners.values()].map((each) => [each.entry.key, each]));
  return { old, kept, refused };
}

/** The files of all nodes whose links may lead elsewhere now, because a name came, went or changed its folder. */
function sourcesOf(text: GraphText, names: LinkNames, { old, kept }: Decision): string[] {
  const types = new Map([...old.values()].map(({ key, node }) => [key, node.type]));
  const touched = new Set<string>();
  for (const key of types.keys()) if (!kept.has(key)) touched.add(nameOf(key));
  for (const [key, { entry }] of kept) if (types.get(key) !== entry.type) touched.add(nameOf(key));
  const sources = new Set<string>();
  if (isEmpty(text)) return [];
  for (const name of touched) {
    for (const key of (text.get('missing', name) as string[] | undefined) ?? []) sources.add(key);
    for (const { key } of names.of(name)) {
      sources.add(key); // a record that links to its own slug may mean the new note of that name
      for (const source of (text.get('nodes', key) as GraphNode).linked_from) sources.add(source);
    }
  }
  return [...sources].map((key) => (text.get('nodes', key) as GraphNode).path);
}

function editNodes(text: GraphText, old: ReadonlyMap<string, GraphNode>, fresh: ReadonlyMap<string, Fresh>): void {
  const backlinks = new ListEdits();
  for (const [key, node] of old) {
    backlinks.move(key, node.links_to, fresh.get(key)?.links.linksTo ?? []);
    if (!fresh.has(key)) text.set('nodes', key, undefined);
  }
  for (const [key, { links }] of fresh) if (!old.has(key)) backlinks.move(key, [], links.linksTo);
  for (const [key, { state, entry, links }] of fresh) {
    const linkedFrom = backlinks.applyTo(key, old.get(key)?.linked_from ?? []);
    text.set('nodes', key, nodeOf(state, entry, links, linkedFrom));
  }
  for (const target of backlinks.lists()) {
    if (fresh.has(target) || old.has(target)) continue;
    const node = text.get('nodes', target) as GraphNode;
    text.set('nodes', target, { ...node, linked_from: backlinks.applyTo(target, node.linked_from) });
  }
}

/** The maps from tags, types and names to keys. */
function editLists(text: GraphText, old: ReadonlyMap<string, GraphNode>, fresh: ReadonlyMap<string, Fresh>): void {
  const edit = (
    section: Section,
    before: (key: string) => readonly string[],
    after: (key: string) => readonly string[],
  ): void => {
    const edits = new ListEdits();
    for (const key of old.keys()) edits.move(key, before(key), fresh.has(key) ? after(key) : []);
    for (const key of fresh.keys()) if (!old.has(key)) edits.move(key, [], after(key));
    for (const name of edits.lists()) {
      const list = edits.applyTo(name, (text.get(section, name) as string[] | undefined) ?? []);
      text.set(section, name, list.length > 0 ? list : undefined);
    }
  };
  edit(
    'tags',
    (key) => old.get(key)!.tags,
    (key) => fresh.get(key)!.entry.tags,
  );
  edit(
    'types',
    (key) => [old.get(key)!.type],
    (key) => [fresh.get(key)!.entry.type],
  );
  edit(
    'missing',
    (key) => missingNames(old.get(key)!),
    (key) => missingNames(fresh.get(key)!.links),
  );
  edit('names', otherNames, otherNames);
}

/** The name under which a key must be listed, because it is not written in lower case itself. */
function otherNames(key: string): string[] {
  const name = nameOf(key);
  return key.endsWith(name) ? [] : [name];
}

function editRecent(text: GraphText, old: ReadonlyMap<string, GraphNode>, kept: Decision['kept']): void {
  const before = new Map([...old].map(([key, node]) => [key, timeOf(node)]));
  const after = new Map([...kept].map(([key, { state, entry }]) => [key, timeOf(entry, state.mtime)]));
  const times = new Map(before);
  const timeThen = (key: string): number => {
    const time = times.get(key) ?? timeOf(text.get('nodes', key) as GraphNode);
    times.set(key, time);
    return time;
  };
  const out = [...before].filter(([key, time]) => after.get(key) !== time);
  const into = [...after].filter(([key, time]) => before.get(key) !== time);
  text.setRecent(out, into, timeThen);
}

function editFiles(
  text: GraphText,
  table: FileTable,
  { states, refused }: Decision & { readonly states: Changes },
): void {
  for (const [path, state] of states) {
    table.setRow(path, state && rowOf(path, state, state.entry?.key));
    text.set('problems', path, problemOf(state, refused.get(path)));
  }
}

function problemOf(state: FileState | undefined, rival: string | undefined): GraphProblem | undefined {
  if (rival !== undefined) return { message: rival, id: state!.entry!.key };
  return state?.problem === undefined ? undefined : { message: state.problem };
}

/** What joins and what leaves a number of sorted lists. */
class ListEdits {
  readonly #joining = new Map<string, string[]>();
  readonly #leaving = new Map<string, string[]>();

  /** `member` was in some lists and shall be in others. */
  move(member: string, from: readonly string[], to: readonly string[]): void {
    for (const list of from) if (!to.includes(list)) push(this.#leaving, list, member);
    for (const list of to) if (!from.includes(list)) push(this.#joining, list, member);
  }

  /** Those that change. */
  lists(): Set<string> {
    return new Set([...this.#joining.keys(), ...this.#leaving.keys()]);
  }

  applyTo(list: string, members: readonly string[]): readonly string[] {
    const [join, leave] = [this.#joining.get(list), this.#leaving.get(list)];
    const left = new Set(leave);
    const stay = leave ? members.filter((each) => !left.has(each)) : members;
    return join ? [...stay, ...join].sort() : stay;
  }
}

function push(lists: Map<string, string[]>, list: string, member: string): void {
  const known = lists.get(list);
  if (known) known.push(member);
  else lists.set(list, [member]);
}
