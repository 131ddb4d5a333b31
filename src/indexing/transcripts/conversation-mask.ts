// Masks a conversation line by line, with what its earlier lines gave away: a value that was recognised once is masked in every later line,
// although nothing beside it tells what it is. What is carried from line to line is plain JSON and part of the indexer's state: keyed
// hashes, never a value.

import type { TraceLine, TranscriptReader } from '../../model/trace.ts';
import { keyedDigest } from '../../safety/keyed-digest.ts';
import { withoutPrivate } from '../../safety/private-blocks.ts';
import { findSecrets, learnFrom } from '../../safety/secrets/find-secrets.ts';
import { type KnownValue, KnownValues } from '../../safety/secrets/known-values.ts';
import { holdsNamed } from '../../safety/secrets/named-texts.ts';
import { holdsSecrets, redact, redactDeep } from '../../safety/secrets/redact.ts';
import { saysSomething } from '../../transcripts/source.ts';

/** `open`: private passages of a message that goes on in the next line. */
export type MaskState = {
  readonly known?: readonly KnownValue[];
  readonly open?: { readonly message: string; readonly depth: number };
};

/** For whoever keeps nothing beyond the process. */
const KEY_OF_PROCESS = String(Math.random());
/** How secrets are named in what tools print: environments, settings, answers of servers. Only such output is looked through. */
const TELLING = ['PASS', 'SECRET', 'TOKEN', 'assword', 'api_key'];
/** Looked for by their rare letters first: a search goes from one first letter of the name to the next. */
const KEYS = [
  { rare: 'KEY', name: '_KEY' },
  { rare: 'Key', name: 'apiKey' },
];
const MAY_BE_PRIVATE = /private|\\u00[3-7]/i;

export class ConversationMask {
  readonly #key: () => string;
  #known: KnownValues | undefined;
  #open: MaskState['open'];

  /** `key` is only asked for when there is something to hash. */
  constructor(key: () => string = () => KEY_OF_PROCESS, { known, open }: MaskState = {}) {
    this.#key = key;
    this.#open = open;
    if (known && known.length > 0) this.#known = new KnownValues(known, keyedDigest(key()));
  }

  get state(): MaskState {
    const known = this.#known?.values ?? [];
    return {
      ...(known.length > 0 ? { known } : {}),
      ...(this.#open ? { open: this.#open } : {}),
    };
  }

  get known(): KnownValues {
    this.#known ??= new KnownValues([], keyedDigest(this.#key()));
    return this.#known;
  }

  /**
   * What a reader makes of a line once its secrets are gone. It reads a line that holds some a second time: what it carries over is stored as
   * well. `clean`: the line as it may be kept. The same for everybody who reads: what one masks, the others mask.
   */
  read(
    reader: TranscriptReader<unknown>,
    before: unknown,
    line: TraceLine,
  ): ReturnType<TranscriptReader['read']> & { clean: string } {
    const first = reader.read(before, line);
    if (!saysSomething(first, before)) {
      if (!first.unsaid || mayTell(line.text)) this.learn(line.text);
      return { ...first, clean: '' };
    }
    const clean = this.line(line.text, first.parsed);
    if (clean === line.text) return { ...first, clean };
    return clean === ''
      ? { state: before, items: [], clean }
      : { ...reader.read(before, { ...line, text: clean }), clean };
  }

  /** The line without its secrets and private passages; as it is where it holds none. `parsed`: what its reader made of it. */
  line(text: string, parsed: object | undefined): string {
    if (parsed === undefined) return this.text(text); // the reader of plain text knows itself what is private
    try {
      const open = this.#withoutPrivate(text, parsed);
      const value = this.#masked(open);
      return value === parsed ? text : JSON.stringify(value);
    } catch {
      return ''; // nested too deep to be checked: nobody says anything there
    }
  }

  text(text: string): string {
    if (this.#known !== undefined || findSecrets(text).length > 0) return redact(text, this.known).text;
    return holdsNamed(text) ? redact(text).text : text;
  }

  /** What the line gives away, though nothing of it is kept. */
  learn(text: string): void {
    if (this.#known || findSecrets(text).length > 0) learnFrom(text, this.known);
  }

  /** Nothing is made for the many conversations that hold no secret: only where one is found a key is needed. */
  #masked(value: unknown): unknown {
    return this.#known || holdsSecrets(value) ? redactDeep(value, this.known).value : value;
  }

  #withoutPrivate(text: string, parsed: object): unknown {
    const message = (parsed as { message?: { id?: unknown } }).message?.id;
    const depth = this.#open !== undefined && this.#open.message === message ? this.#open.depth : 0;
    this.#open = undefined;
    if (depth === 0 && !MAY_BE_PRIVATE.test(text)) return parsed;
    const open = withoutPrivate(parsed, depth);
    if (open.depth > 0 && typeof message === 'string')
      this.#open = { message: message.slice(0, 200), depth: open.depth };
    return open.value;
  }
}

function mayTell(text: string): boolean {
  if (TELLING.some((name) => text.includes(name))) return true;
  return KEYS.some(({ rare, name }) => text.includes(rare) && text.includes(name));
}
