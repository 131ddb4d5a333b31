// Statements of other conversations of the project that a new one may refer to: those that share its telling words. Few
// statements are worth the look: it costs more than all else about them together.

import { isRule, mayChange, mayReferBack, type Statement, telling } from '../../extraction/relations/relations-of.ts';
import { isSaid, originOf } from '../../model/provenance.ts';
import { INTENTS } from '../../model/trace.ts';
import type { Document, Store } from '../../store/store.ts';
import type { TracePlace } from './row-names.ts';
import type { FindEarlier } from './trace-rows.ts';

const SETTLED = ['decision', 'solution'];
/** A rule is against what was decided, done or demanded. */
const DEMANDED = [...SETTLED, 'todo'];
const LEFT = ['todo', 'problem', 'question'];
const MOST_OPEN = 200;
const MOST = 12;
const TELLING_WORDS = 5;

/** So many statements are remembered; each is some hundred bytes, and its words as much again. */
const MOST_KNOWN = 4_000;
const SOME_TOPICS = 8;

/**
 * Lives as long as one run of the indexer. What it found once it remembers: the same statements are found again and again,
 * and taking them apart takes longer than finding them.
 */
export class EarlierStatements {
  readonly #store: Store;
  /** Undefined for what somebody only quoted or pasted: nothing refers back to that. */
  readonly #known = new Map<string, Statement | undefined>();
  readonly #first = new Map<string, boolean>();
  /** Of the conversation that was asked about last. */
  #open: { readonly key: string; readonly statements: readonly Statement[] } | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** To be called when rows are removed: another statement may get the name of one that was there. */
  forget(): void {
    this.#known.clear();
    this.#first.clear();
    this.#open = undefined;
  }

  at(place: TracePlace): FindEarlier {
    return { for: (statement) => this.for(statement, place), open: () => this.#openElsewhere(place) };
  }

  async for(statement: Statement, place: TracePlace): Promise<Statement[]> {
    if (!mayReferBack(statement)) return [];
    const words = longest(telling(statement));
    if (words.length === 0 || (await this.#isFirst(place))) return [];
    // What a user says of their own affairs stands in questions and remarks as often as in decisions.
    const kinds = mayChange(statement) ? INTENTS : isRule(statement) ? DEMANDED : SETTLED;
    const filter = { projects: [place.project], layers: ['trace'], kinds };
    const terms = words.map((text) => ({ text }));
    // Whoever looks for the first time knows none of them; later most are known.
    const documents = this.#known.size === 0;
    const hits = await this.#store.search({ terms, filter, limit: MOST * 2, documents, rough: true });
    for (const { document } of hits) if (document) this.#learn(document, place.project);
    const refs = hits.map((hit) => hit.ref);
    await this.#remember(refs, place.project);
    return refs
      .flatMap((ref) => this.#known.get(keyOf(place.project, ref)) ?? [])
      .filter(({ session }) => session !== place.session)
      .slice(0, MOST);
  }

  /** Read once for a conversation: what others leave open while it goes on is no business of its own. */
  async #openElsewhere({ project, session }: TracePlace): Promise<readonly Statement[]> {
    const key = keyOf(project, session);
    if (this.#open?.key !== key) {
      const filter = { projects: [project], layers: ['trace'], kinds: LEFT, statuses: ['open'] };
      const { documents } = await this.#store.list({ filter, order: 'newest', limit: MOST_OPEN });
      const left = documents.filter((each) => each.session !== session && isSaid(originOf(each.meta)));
      this.#open = { key, statements: left.map(statementOf) };
    }
    return this.#open.statements;
  }

  /**
   * Is there no other conversation? Asked once: the search would find this one's own statements every time, and the longer it
   * is, the longer that takes. Every conversation has a topic as soon as somebody has said something.
   */
  async #isFirst({ project, session }: TracePlace): Promise<boolean> {
    const key = keyOf(project, session);
    let isFirst = this.#first.get(key);
    if (isFirst === undefined) {
      const filter = { projects: [project], layers: ['trace'], kinds: ['span'] };
      const { documents } = await this.#store.list({ filter, limit: SOME_TOPICS });
      isFirst = documents.length < SOME_TOPICS && documents.every((topic) => topic.session === session);
      this.#first.set(key, isFirst);
    }
    return isFirst;
  }

  async #remember(refs: readonly string[], project: string): Promise<void> {
    if (this.#known.size > MOST_KNOWN) this.#known.clear();
    const unknown = refs.filter((ref) => !this.#known.has(keyOf(project, ref)));
    if (unknown.length === 0) return;
    for (const document of await this.#store.get({ refs: unknown, projects: [project] }))
      this.#learn(document, project);
  }

  #learn(document: Document, project: string): void {
    this.#known.set(keyOf(project, document.ref), isSaid(originOf(document.meta)) ? statementOf(document) : undefined);
  }
}

const keyOf = (project: string, ref: string): string => `${project}\0${ref}`;

const statementOf = (document: Document): Statement => ({
  ref: document.ref,
  text: document.text,
  intent: document.kind as Statement['intent'],
  stance: (document.meta?.stance as Statement['stance']) ?? 'stated',
  role: (document.meta?.role as Statement['role']) ?? 'assistant',
  session: document.session ?? '',
  span: document.span,
  line: document.source?.line ?? 0,
  time: document.createdAt,
  entities: [],
  exchange: -1,
  topic: undefined,
  worth: Number(document.meta?.worth ?? 0),
  ...(document.meta?.search_only === true ? { searchOnly: true as const } : {}),
});

/** Long words tell more than short ones, and each costs a look. */
const longest = (words: Iterable<string>): string[] =>
  [...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, TELLING_WORDS);
