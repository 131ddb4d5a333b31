// The graph as its readers see it: nodes by key, keys by tag, type and age, links by name. Everything is looked up in the text
// when it is asked for.

import type { GraphNode, GraphProblem } from './graph-node.ts';
import type { GraphText } from './graph-text.ts';
import { LinkNames } from './link-names.ts';

export class Graph {
  readonly #text: GraphText;
  #names: LinkNames | undefined;
  #recent: readonly string[] | undefined;
  #types: ReadonlyMap<string, readonly string[]> | undefined;

  /** Why it could not be written to its file; the answers are right nevertheless. */
  readonly unsaved: string | undefined;

  constructor(text: GraphText, unsaved?: string) {
    this.#text = text;
    this.unsaved = unsaved;
  }

  /** When a node last changed, came or went; empty if there never was one. */
  get updatedAt(): string {
    return this.#text.updatedAt;
  }

  get nodeCount(): number {
    return this.#text.nodeCount;
  }

  /** The node of this very key. `find` also takes what people write. */
  node(key: string): GraphNode | undefined {
    return this.#text.get('nodes', key) as GraphNode | undefined;
  }

  /** The key that a link, a REF or a person means: any case, `note:` and `record:` before it, folders, slugs of records. */
  find(written: string): string | undefined {
    const [, layer = '', rest = ''] = /^\s*((?:record|note):)?(.*?)\s*$/is.exec(written)!;
    const parts = rest.split('/');
    const to = parts.pop()!.replace(/\.(?:md|json)$/i, '');
    const place = layer.toLowerCase() + parts.join('/');
    return this.names.resolve(place === '' ? { to } : { to, in: place });
  }

  /** All nodes, by key. Parses every one: `node`, `ofTag` and `ofType` are for those who want a few. */
  *nodes(): Generator<[key: string, node: GraphNode]> {
    for (const [key, node] of this.#text.entries('nodes')) yield [key, node as GraphNode];
  }

  /** All keys, newest first. */
  get recent(): readonly string[] {
    this.#recent ??= this.#text.recent;
    return this.#recent;
  }

  /** The keys with this tag, sorted. */
  ofTag(tag: string): readonly string[] {
    return (this.#text.get('tags', tag.replace(/^#/, '').toLowerCase()) as string[] | undefined) ?? [];
  }

  /** The keys of each type, sorted: note types and record categories. */
  get types(): ReadonlyMap<string, readonly string[]> {
    this.#types ??= new Map(this.#text.entries('types') as Iterable<[string, string[]]>);
    return this.#types;
  }

  ofType(type: string): readonly string[] {
    return this.types.get(type) ?? [];
  }

  get tagCount(): number {
    return this.#text.count('tags');
  }

  get problemCount(): number {
    return this.#text.count('problems');
  }

  /** How many links lead nowhere. Looks only at nodes that have such links. */
  get brokenCount(): number {
    const sources = new Set<string>();
    for (const [, keys] of this.#text.entries('missing')) for (const key of keys as string[]) sources.add(key);
    return [...sources].reduce((sum, key) => sum + (this.node(key)?.broken?.length ?? 0), 0);
  }

  /** Files that are no node, with the reason. */
  *problems(): Generator<[path: string, problem: GraphProblem]> {
    for (const [path, problem] of this.#text.entries('problems')) yield [path, problem as GraphProblem];
  }

  get names(): LinkNames {
    this.#names ??= new LinkNames(this.#text);
    return this.#names;
  }

  toJson(): string {
    return this.#text.publicText;
  }
}
