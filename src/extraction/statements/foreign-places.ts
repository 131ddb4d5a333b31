// Where in a turn somebody else speaks, asked for statement after statement: cuts a statement where that begins and ends, and says of each
// whether it is the speaker's own. A quotation inside a statement leaves it the speaker's; a statement that is little else does not.

import { lazy } from '../../model/lazy.ts';
import type { Provenance } from '../../model/provenance.ts';
import type { Foreign } from '../../safety/foreign-text.ts';
import type { Range } from './statement.ts';

// Most turns quote nobody, and classes of all scripts take a stop a millisecond to make.
const anyWord = lazy(() => /[\p{L}\p{N}][\p{L}\p{N}'’_.-]*/gu);
const anyWide = lazy(() => /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]/gu);
/** With fewer words of their own around it, somebody only says that somebody says it: “The page says: …”. */
const FEWEST_OWN = 4;
const FEWEST_OWN_WIDE = 6;
/** Where so much of it is a quotation, the quotation is what it says. */
const NEARLY_ALL = 0.8;
/** Where it is led up to as one and nothing follows, less of it is enough. */
const LED_UP_TO = 0.4;
const NEAR = 100;
const INTRODUCES =
  /\b(?=)(?:sa(?:y|ys|id|ying)|stat(?:es|ed|ing)|reads?|wrote|writes|tells?|told|claims?|recommends?|warns?|quot(?:e|es|ed|ing)|according to|sagt|schreibt|laut|dit|écrit|selon|dice|según)\b/i;
/** What others write; a page of the product that is being built is also called one, so it must say something. */
const WRITINGS =
  '(?:docs?|documentation|web ?page|page|article|readme|web ?site|site|blog(?: post)?|post|e-?mail|ticket|release notes|changelog|wiki(?:pedia)?|man ?page|manual|tutorial|vendor|dokumentation|webseite|seite|artikel|documentación|página)';
const FEW = "(?:[\\w.'’-]{1,30} ){0,4}?";
/** Told by somebody else, without quotation marks: “According to the docs, …”, “The README says: …”. */
const REPORTED = new RegExp(
  `^\\W{0,4}(?:(?:according to|as per|laut|selon|d'après|según) ${FEW}${WRITINGS}\\b|` +
    `(?:the|this|that|their|its|die|der|das|la|le|el) ${FEW}${WRITINGS} ${FEW}` +
    '(?:(?:says?|said|states?|stated|recommends?|claims?|instructs?|warns|tells (?:us|you)|sagt|schreibt|empfiehlt|dit|indique|recommande|dice|recomienda)\\b|reads?:))',
  'i',
);

export class ForeignPlaces {
  readonly #own: string;
  readonly #foreign: readonly Foreign[];
  #at = 0;

  /** `own`: the text with blanks in the place of what is foreign. */
  constructor(own: string, foreign: readonly Foreign[]) {
    this.#own = own;
    this.#foreign = foreign;
  }

  /** Pieces of a statement, where a whole line or more in it is somebody else's. */
  cut({ start, end }: Range): Range[] {
    const borders = this.#in({ start, end })
      .filter((each) => each.as === 'pasted' || this.#isWholeLine(each))
      .flatMap((each) => [each.start, each.end])
      .filter((border) => border > start && border < end);
    if (borders.length === 0) return [{ start, end }];
    const places = [start, ...new Set(borders), end];
    return places.slice(1).map((to, at) => ({ start: places[at]!, end: to }));
  }

  provenanceOf(range: Range): Provenance {
    const inside = this.#in(range);
    const own = this.#own.slice(range.start, range.end);
    if (inside.length === 0) return REPORTED.test(own.slice(0, 200)) ? 'quoted' : 'said';
    const as = inside[0]!.as;
    const foreign = inside.reduce(
      (sum, each) => sum + Math.min(each.end, range.end) - Math.max(each.start, range.start),
      0,
    );
    const wide = own.match(anyWide())?.length ?? 0;
    const words = own.match(anyWord())?.length ?? 0;
    if (wide > 0 ? wide < FEWEST_OWN_WIDE && words < FEWEST_OWN : words < FEWEST_OWN) return as;
    const share = foreign / (range.end - range.start);
    if (share >= NEARLY_ALL) return as;
    const before = own.slice(0, Math.max(0, inside[0]!.start - range.start));
    const behind = own.slice(Math.max(0, inside.at(-1)!.end - range.start)).match(anyWord())?.length ?? 0;
    if (share >= LED_UP_TO && behind < FEWEST_OWN - 1 && INTRODUCES.test(before)) return as;
    return REPORTED.test(own.slice(0, 200)) ? 'quoted' : 'said';
  }

  #isWholeLine({ start, end }: Foreign): boolean {
    const before = this.#own.slice(Math.max(0, start - NEAR), start);
    const behind = this.#own.slice(end, end + NEAR);
    return /(?:^|\n)[^\S\n]*$/.test(before) && /^[^\S\n]*(?:\n|$)/.test(behind);
  }

  /** Those that share something with it. Statements come in the order of the text, headings again and again. */
  #in({ start, end }: Range): Foreign[] {
    const all = this.#foreign;
    while (this.#at > 0 && all[this.#at - 1]!.end > start) this.#at -= 1;
    while (this.#at < all.length && all[this.#at]!.end <= start) this.#at += 1;
    const found: Foreign[] = [];
    for (let at = this.#at; at < all.length && all[at]!.start < end; at += 1) found.push(all[at]!);
    return found;
  }
}
