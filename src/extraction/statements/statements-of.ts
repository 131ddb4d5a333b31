// From the text of a turn to its statements, in their order: sentences of paragraphs and items, rows, headings, code. Nothing is judged
// here and nothing is left out but what nobody said.

import { hasForeignLetters } from '../../model/foreign-letters.ts';
import { lazy } from '../../model/lazy.ts';
import type { Turn } from '../../model/trace.ts';
import { blanked, foreignText } from '../../safety/foreign-text.ts';
import { firstNames } from '../first-names.ts';
import { blocksOf } from './blocks.ts';
import { isBlank } from './characters.ts';
import { ForeignPlaces } from './foreign-places.ts';
import { saidSegments } from './injected.ts';
import { LONGEST, sentencesOf } from './sentences.ts';
import { type Block, type Lead, LONGEST_PREFIX, type Range, type Statement } from './statement.ts';

const LONGEST_CODE = 300;
const SHORTEST_CODE = 20;
/** “Jon: …” at the beginning of a chat. */
const ASCII_SPEAKER = /^\s*([A-Z][A-Za-z'.-]{1,24}(?: [A-Z][A-Za-z'.-]{0,24}){0,2}): \S/;
const anySpeaker = lazy(() => /^\s*(\p{Lu}[\p{L}'’.-]{1,24}(?: \p{Lu}[\p{L}'’.-]{0,24}){0,2}): \S/u);
/** No name of a speaker is longer. */
const LONGEST_SPEAKER = 160;
export type TurnText = {
  readonly statements: readonly Statement[];
  /** The name of the person who speaks, where the turn begins with it. */
  readonly speaker: string;
};

/** `text`: without private passages. */
export function statementsOf(text: string, role: Turn['role']): TurnText {
  const foreign = foreignText(text, role);
  const places = new ForeignPlaces(blanked(text, foreign), foreign);
  const speaker = speakerOf(text);
  const builder = new StatementBuilder(text, places, speaker === '' ? '' : `${speaker}: `);
  for (const { start, end } of saidSegments(text)) builder.add(blocksOf(text, start, end));
  return { statements: builder.statements, speaker };
}

class StatementBuilder {
  readonly statements: Statement[] = [];
  readonly #text: string;
  readonly #places: ForeignPlaces;
  readonly #speaker: string;
  #blocks = 0;
  #groups = 0;
  #lead: Lead | undefined;
  #above = { lead: '', prefix: '' };

  constructor(text: string, places: ForeignPlaces, speaker: string) {
    this.#text = text;
    this.#places = places;
    this.#speaker = speaker;
    this.#above = { lead: '', prefix: speaker };
  }

  /** The blocks of one stretch of the turn. */
  add(blocks: readonly Block[]): void {
    const leads = new Set(blocks.map(({ lead }) => lead?.start ?? -1));
    const before = this.#groups;
    for (const block of blocks) {
      this.#add(block, leads, before);
      this.#blocks += 1;
      this.#groups = Math.max(this.#groups, before + block.group + 1);
    }
  }

  #add(block: Block, leads: ReadonlySet<number>, before: number): void {
    const { kind } = block;
    if (kind === 'code' && block.end - block.start < SHORTEST_CODE) return;
    const ranges =
      kind === 'prose' || kind === 'item'
        ? sentencesOf(this.#text, block.start, block.end).flatMap((range) => this.#places.cut(range))
        : [this.#upTo(kind === 'code' ? LONGEST_CODE : LONGEST, block)];
    const { lead, prefix } = this.#aboveOf(block);
    ranges.forEach((range, sentence) => {
      this.statements.push({
        start: range.start,
        end: range.end,
        kind,
        box: block.box,
        provenance: this.#places.provenanceOf(range),
        lead,
        prefix: range.start === 0 ? '' : prefix,
        group: before + block.group,
        block: this.#blocks,
        sentence,
        sentences: ranges.length,
        leads: leads.has(range.start) && range.end - range.start <= LONGEST_PREFIX,
      });
    });
  }

  /** The beginning of a block, and never half a character at its end. */
  #upTo(longest: number, { start, end }: Block): Range {
    if (end - start <= longest) return { start, end };
    const last = this.#text.charCodeAt(start + longest - 1);
    return { start, end: start + longest - (last >= 0xd800 && last < 0xdc00 ? 1 : 0) };
  }

  /** Blocks below one heading follow each other, so that remembering the last one is enough. */
  #aboveOf({ lead }: Block): { lead: string; prefix: string } {
    if (lead === this.#lead) return this.#above;
    this.#lead = lead;
    // A heading of somebody else's says nothing about what follows.
    const isOwn = lead !== undefined && this.#places.provenanceOf(lead) === 'said';
    const name = isOwn ? headingText(this.#text, lead) : '';
    this.#above = { lead: name, prefix: name === '' ? this.#speaker : `${shortened(name)}: ` };
    return this.#above;
  }
}

function speakerOf(text: string): string {
  const end = text.indexOf(': ');
  if (end === -1 || (end > LONGEST_SPEAKER && !isBlank(text.charCodeAt(0)))) return '';
  const name = (hasForeignLetters(text.slice(0, end)) ? anySpeaker() : ASCII_SPEAKER).exec(text)?.[1];
  // “Committed:”, “Verdict:” and every other word before a colon is nobody's name.
  return name !== undefined && firstNames().has((name.split(' ')[0] ?? '').toLowerCase()) ? name : '';
}

const headingText = (text: string, { start, end }: Lead): string =>
  text
    .slice(start, end)
    .replace(/[*`]+|[:：]\**$/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const shortened = (name: string): string =>
  name.length > LONGEST_PREFIX ? `${name.slice(0, LONGEST_PREFIX).replace(/[\ud800-\udbff]$/, '')}…` : name;
