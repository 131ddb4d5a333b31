// Changed files in, changed lines of graph.json out. A rebuild is the same with an empty graph and every file changed, so there is
// one way in which a graph comes about. Whatever else a change touches (links that now lead elsewhere, a second file with
// the same id) is read again from its file: the graph keeps no copy of what files say that could grow old.

import { claim, type FileTable, rowOf } from './file-table.ts';
import { type FileState, type GraphEntry, type GraphNode, type GraphProblem, nameOf, timeOf } from './graph-node.ts';
import type { GraphText, Section } from './graph-text.ts';
import { Names } from './names.ts';
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
  const names = new Names(text.entries('types') as Iterable<[string, string[]]>);
  const decision = settle(text, table, new Map(changes), { names, reread });
  const { old, kept } = decision;
  for (const { key } of old.values()) names.remove(key);
  for (const [key, { entry }] of kept) names.add(key, entry.type);
  const fresh = new Map<string, Fresh>();
  for (const [key, { state, entry }] of kept) fresh.set(key, { state, entry, links: resolveLinks(key, entry, names) });
  editNodes(text, old, fresh);
  editLists(text, old, fresh);
  editRecent(text, old, kept);
  editFiles(text, table, decision);
  return text.nodeCount - old.size + kept.size;
}

/** Reads again what the changes touch, until nothing more is touched. */
function settle(
  text: GraphText,
  table: FileTable,
  states: Changes,
  { names, reread }: { names: Names; reread: Reread },
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
  { names, reread }: { names: Names; reread: Reread },
): void {
  let losers: Map<string, string[]> | undefined;
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
function sourcesOf(text: GraphText, names: Names, { old, kept }: Decision): string[] {
  const types = new Map([...old.values()].map(({ key, node }) => [key, node.type]));
  const touched = new Set<string>();
  for (const key of types.keys()) if (!kept.has(key)) touched.add(nameOf(key));
  for (const [key, { entry }] of kept) if (types.get(key) !== entry.type) touched.add(nameOf(key));
  const sources = new Set<string>();
  for (const name of touched) {
    for (const key of (text.get('missing', name) as string[] | undefined) ?? []) sources.add(key);
    for (const { key } of names.of(name)) {
      sources.add(key); // a record that links to its own slug may mean the new note of that name
      for (const source of (text.get('nodes', key) as GraphNode).linked_from) sources.add(source);
    }
  }
  return [...sources].map((key) => (text.get('nodes', key) as GraphNode).path);
}

function editNodes(text: GraphText, old: Decision['old'], fresh: ReadonlyMap<string, Fresh>): void {
  const backlinks = new ListEdits();
  const before = new Map<string, GraphNode>();
  for (const { key, node } of old.values()) {
    before.set(key, node);
    for (const target of node.links_to) backlinks.remove(target, key);
    if (!fresh.has(key)) text.set('nodes', key, undefined);
  }
  for (const [key, { links }] of fresh) for (const target of links.linksTo) backlinks.add(target, key);
  for (const [key, { state, entry, links }] of fresh) {
    const linkedFrom = backlinks.applyTo(key, before.get(key)?.linked_from ?? []);
    text.set('nodes', key, nodeOf(state, entry, links, linkedFrom));
  }
  for (const target of backlinks.keys()) {
    if (fresh.has(target)) continue;
    const node = before.has(target) ? undefined : (text.get('nodes', target) as GraphNode | undefined);
    if (node) text.set('nodes', target, { ...node, linked_from: backlinks.applyTo(target, node.linked_from) });
  }
}

function editLists(text: GraphText, old: Decision['old'], fresh: ReadonlyMap<string, Fresh>): void {
  const [tags, types, missing] = [new ListEdits(), new ListEdits(), new ListEdits()];
  for (const { key, node } of old.values()) {
    for (const tag of node.tags) tags.remove(tag, key);
    types.remove(node.type, key);
    for (const name of missingNames(node)) missing.remove(name, key);
  }
  for (const [key, { entry, links }] of fresh) {
    for (const tag of entry.tags) tags.add(tag, key);
    types.add(entry.type, key);
    for (const name of missingNames(links)) missing.add(name, key);
  }
  const write = (section: Section, edits: ListEdits): void => {
    for (const name of edits.keys()) {
      const list = edits.applyTo(name, (text.get(section, name) as string[] | undefined) ?? []);
      text.set(section, name, list.length > 0 ? list : undefined);
    }
  };
  write('tags', tags);
  write('types', types);
  write('missing', missing);
}

/** Newest first; equally new ones by key. */
function editRecent(text: GraphText, old: Decision['old'], kept: Decision['kept']): void {
  const gone = new Set([...old.values()].map(({ key }) => key));
  const rest = text.recent.filter((key) => !gone.has(key));
  const fresh = [...kept].map(([key, { state, entry }]): Dated => [key, timeOf(entry, state.mtime)]);
  const recent: string[] = [];
  let at = 0;
  for (const each of fresh.sort(newestFirst)) {
    let [low, high] = [at, rest.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const key = rest[middle]!;
      const node = text.get('nodes', key) as GraphNode;
      if (newestFirst([key, timeOf(node)], each) < 0) low = middle + 1;
      else high = middle;
    }
    for (; at < low; at++) recent.push(rest[at]!);
    recent.push(each[0]);
  }
  for (; at < rest.length; at++) recent.push(rest[at]!);
  text.recent = recent;
}

type Dated = readonly [key: string, time: number];
const newestFirst = (a: Dated, b: Dated): number => b[1] - a[1] || (a[0] < b[0] ? -1 : 1);

function editFiles(
  text: GraphText,
  table: FileTable,
  { states, refused }: Decision & { readonly states: Changes },
): void {
  for (const [path, state] of states) {
    table.setRow(path, state && rowOf(path, state, state.entry?.key));
    const rival = refused.get(path);
    const problem: GraphProblem | undefined = rival
      ? { message: rival, id: state!.entry!.key }
      : state?.problem === undefined
        ? undefined
        : { message: state.problem };
    text.set('problems', path, problem);
  }
}

/** What joins and what leaves a number of sorted lists. */
class ListEdits {
  readonly #joining = new Map<string, string[]>();
  readonly #leaving = new Map<string, string[]>();

  add(list: string, member: string): void {
    push(this.#joining, list, member);
  }

  remove(list: string, member: string): void {
    push(this.#leaving, list, member);
  }

  keys(): Set<string> {
    return new Set([...this.#joining.keys(), ...this.#leaving.keys()]);
  }

  applyTo(list: string, members: readonly string[]): readonly string[] {
    const [join, leave] = [this.#joining.get(list), this.#leaving.get(list)];
    if (!join && !leave) return members;
    if (members.length === 0) return (join ?? []).sort();
    const moved = new Set([...(join ?? []), ...(leave ?? [])]);
    const stay = members.filter((each) => !moved.has(each));
    return join ? [...stay, ...join].sort() : stay;
  }
}

function push(lists: Map<string, string[]>, list: string, member: string): void {
  const known = lists.get(list);
  if (known) known.push(member);
  else lists.set(list, [member]);
}
