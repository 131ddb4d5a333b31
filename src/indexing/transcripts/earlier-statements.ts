// Statements of other conversations of the project that a new one may refer to: those that share its telling words. Few
// statements are worth the look: it costs more than all else about them together.

import { mayChange, mayReferBack, type Statement } from '../../extraction/relations/relations-of.ts';
import { topicWords } from '../../extraction/topic-words.ts';
import { isSaid, originOf } from '../../model/provenance.ts';
import { INTENTS } from '../../model/trace.ts';
import type { Document, Store } from '../../store/store.ts';
import type { TracePlace } from './trace-rows.ts';

const SETTLED = ['decision', 'conclusion', 'solution'];
const MOST = 12;
const TELLING_WORDS = 5;
const FEWEST_WORDS = 3;

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

  constructor(store: Store) {
    this.#store = store;
  }

  /** To be called when rows are removed: another statement may get the name of one that was there. */
  forget(): void {
    this.#known.clear();
    this.#first.clear();
  }

  async for(statement: Statement, place: TracePlace): Promise<Statement[]> {
    if (!mayReferBack(statement)) return [];
    const words = tellingWords(statement.text);
    if (words.length < FEWEST_WORDS || (await this.#isFirst(place))) return [];
    // What a user says of their own affairs stands in questions and remarks as often as in decisions.
    const kinds = mayChange(statement) ? INTENTS : SETTLED;
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
});

/** Long words tell more than short ones, and each costs a look. */
const tellingWords = (text: string): string[] =>
  [...new Set(topicWords(text))].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, TELLING_WORDS);
