// The part of the composition root that answers questions about links. It stands apart from memory.ts because it needs
// little of it: a query is over before all of that is loaded.

import { type Config, type ConfigOptions, loadConfig } from '../config/load.ts';
import { CairnError } from '../errors.ts';
import { MAX_JSON_BYTES, readSmallText, readText } from '../files/json-file.ts';
import { realPath } from '../files/paths.ts';
import { checkGraph, type GraphCheck, isFaulty } from '../graph/check-graph.ts';
import { dotLines } from '../graph/dot.ts';
import type { Graph } from '../graph/graph.ts';
import { type GraphNode, refOf } from '../graph/graph-node.ts';
import { type Answer, type Found, type GraphQuery, queryGraph } from '../graph/query.ts';
import { askGraph, GRAPH_NAME, type GraphPlace, rebuildGraph } from '../indexing/graph/graph-file.ts';
import { Kinds } from '../model/kinds.ts';
import { NOTE_KINDS, NOTE_TYPES } from '../model/notes.ts';
import { RECORD_STATUSES } from '../model/record.ts';

export type { Graph, GraphCheck, GraphQuery };
/** `ref`: what the other commands call it. */
export type FoundNode = Found & { readonly ref: string };
export type GraphAnswer = Omit<Answer, 'found'> & {
  readonly found: readonly FoundNode[];
  readonly tookMs: number;
  readonly unsaved: string | undefined;
};

export class GraphMemory {
  readonly config: Config;
  readonly place: GraphPlace;

  constructor(config: Config, now: () => Date = () => new Date()) {
    this.config = config;
    this.place = {
      root: realPath(config.paths.memoryRoot),
      kinds: new Kinds(config.settings.categories),
      rules: config.settings.graph,
      now,
    };
  }

  get file(): string {
    return `${this.place.root}/${GRAPH_NAME}`;
  }

  /**
   * A question to the graph after a look at every file, or after every file was read again. The graph is closed when it is answered.
   */
  ask<T>(question: (graph: Graph) => T, { rebuild = false } = {}): T {
    return rebuild ? question(rebuildGraph(this.place)) : askGraph(this.place, question, { look: 'all' });
  }

  /** `faulty`: something in it is for its owner to mend. */
  check(options: { rebuild?: boolean } = {}): { check: GraphCheck; faulty: boolean } {
    const check = this.ask(checkGraph, options);
    return { check, faulty: isFaulty(check) };
  }

  /** For Graphviz. */
  dot(graph: Graph): string {
    return [...dotLines(graph)].join('\n');
  }

  query(query: GraphQuery): GraphAnswer {
    const start = performance.now();
    return askGraph(this.place, (graph) => {
      const knownTypes = [...new Set([...NOTE_TYPES, ...this.place.kinds.names])];
      const knownStatuses = [...new Set([...NOTE_KINDS.flatMap((kind) => kind.statuses), ...RECORD_STATUSES])];
      const answer = queryGraph(graph, query, { knownTypes, knownStatuses, readBody: (node) => this.textOf(node) });
      const found = answer.found.map((each) => ({ ...each, ref: refOf(each.key) }));
      return { ...answer, found, unsaved: graph.unsaved, tookMs: Math.round((performance.now() - start) * 10) / 10 };
    });
  }

  /** The whole file of a node; `undefined` if it is gone or cannot be read. */
  textOf(node: GraphNode): string | undefined {
    try {
      const file = `${this.place.root}/${node.path}`;
      return readSmallText(file) ?? readText(file, MAX_JSON_BYTES);
    } catch (error) {
      if (error instanceof CairnError) return undefined;
      throw error;
    }
  }
}

export function openGraph(options: ConfigOptions & { now?: () => Date } = {}): GraphMemory {
  return new GraphMemory(loadConfig(options), options.now);
}
