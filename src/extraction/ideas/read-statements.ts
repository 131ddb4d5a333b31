// From blocks to judged statements: cuts each block into sentences, judges them below what stands above, and leaves out
// what carries nothing.

import { hasForeignLetters } from '../../model/foreign-letters.ts';
import { lazy } from '../../model/lazy.ts';
import type { Provenance } from '../../model/provenance.ts';
import type { Intent, Turn } from '../../model/trace.ts';
import { blanked, type Foreign } from '../../safety/foreign-text.ts';
import { isBlank } from './characters.ts';
import { ForeignPlaces } from './foreign-places.ts';
import { headingMeaning } from './heading-meaning.ts';
import { judge } from './judge.ts';
import { type Language, languageOf } from './language.ts';
import { LONGEST, sentencesOf } from './sentences.ts';
import { type Block, type Judgement, type Lead, LONGEST_PREFIX, type Range, type Statement } from './statement.ts';

const COLON = 0x3a;
const WIDE_COLON = 0xff1a;
const LONGEST_LEAD = 80;
const LEADS_ON = /\b(?:the following|as follows|below|folgende[nrs]?|suivante?s?|siguientes?)\b|以下|次の/i;
const LONGEST_CODE = 300;
const SHORTEST_CODE = 20;
/** “Jon: …” at the beginning of a chat. */
const ASCII_SPEAKER = /^\s*([A-Z][A-Za-z'.-]{1,24}(?: [A-Z][A-Za-z'.-]{0,24}){0,2}): \S/;
const anySpeaker = lazy(() => /^\s*(\p{Lu}[\p{L}'’.-]{1,24}(?: \p{Lu}[\p{L}'’.-]{0,24}){0,2}): \S/u);
/** No name of a speaker is longer. */
const LONGEST_SPEAKER = 160;
const LABELS =
  /^(?:note|notes|update|warning|error|caution|important|example|input|output|edit|ps|re|subject|title|goal|fix|hint|tip|status)$/i;
const CONTEXT: Judgement = { intent: 'context', stance: 'stated', confidence: 0.6, weight: 0, worth: 'kept' };
const WEAK: Judgement = { ...CONTEXT, confidence: 0.5, worth: 'weak' };

type Above = { readonly prefix: string; readonly intent: Intent | undefined };

/** What the speaker took from elsewhere is kept to be found; what it says is nobody's decision, question or task here. */
const FOREIGN_CONFIDENCE = { said: 1, quoted: 0.4, pasted: 0.3, outside: 0.3 };

/** All statements in the order of the text, also those that carry nothing: what stands beside them may. */
export function readStatements(
  text: string,
  blocks: readonly Block[],
  { role, foreign }: { role: Turn['role']; foreign: readonly Foreign[] },
): Statement[] {
  return new StatementReader(text, role, foreign).read(blocks);
}

class StatementReader {
  readonly #text: string;
  /** The same with blanks where somebody else speaks: what cues are read in. */
  readonly #own: string;
  readonly #foreign: ForeignPlaces;
  readonly #role: Turn['role'];
  readonly #statements: Statement[] = [];
  readonly #speaker: string;
  readonly #language: Language;
  #lead: Lead | undefined;
  #above: Above = { prefix: '', intent: undefined };
  #order = 0;

  constructor(text: string, role: Turn['role'], foreign: readonly Foreign[]) {
    this.#text = text;
    this.#own = blanked(text, foreign);
    this.#foreign = new ForeignPlaces(this.#own, foreign);
    this.#language = languageOf(text);
    this.#speaker = speakerOf(text, role);
    // Somebody with a name is a person, whoever wrote the transcript: what people are about to do is worth knowing.
    this.#role = this.#speaker === '' ? role : 'user';
    this.#above = { prefix: this.#speaker, intent: undefined };
  }

  read(blocks: readonly Block[]): Statement[] {
    const used = new Set(blocks.map(({ lead }) => lead?.start ?? -1));
    for (let index = 0; index < blocks.length; index += 1) this.#block(blocks[index]!, index, used);
    return this.#statements;
  }

  #block(block: Block, index: number, leads: ReadonlySet<number>): void {
    const { kind, start, end } = block;
    if (kind === 'prose' || kind === 'item') {
      this.#sentences(block, index, leads);
      return;
    }
    this.#order += 1;
    if (kind === 'heading') {
      // A heading is said before what stands below it; if nothing does, or not all of it is, it stands for itself.
      const isSaid = leads.has(start) && end - start <= LONGEST_PREFIX;
      this.#push({ start, end }, isSaid ? WEAK : CONTEXT, block, index);
    } else if (kind === 'code') {
      if (end - start >= SHORTEST_CODE) this.#push(this.#upTo(LONGEST_CODE, block), WEAK, block, index);
    } else this.#push(this.#upTo(LONGEST, block), CONTEXT, block, index);
  }

  /** The beginning of a block, and never half a character at its end. */
  #upTo(longest: number, { start, end }: Block): Range {
    if (end - start <= longest) return { start, end };
    const last = this.#text.charCodeAt(start + longest - 1);
    return { start, end: start + longest - (last >= 0xd800 && last < 0xdc00 ? 1 : 0) };
  }

  #sentences(block: Block, index: number, leads: ReadonlySet<number>): void {
    const above = block.box === 'open' ? 'todo' : this.#aboveOf(block).intent;
    const kind = block.kind === 'item' ? 'item' : 'prose';
    const speech = {
      role: this.#role,
      language: this.#language,
      above,
      kind,
      below: block.lead !== undefined,
    } as const;
    for (const sentence of sentencesOf(this.#text, block.start, block.end))
      for (const range of this.#foreign.cut(sentence)) {
        this.#order += 1;
        // What is said again before each item of its list need not be said alone.
        const isLead = leads.has(range.start) || this.#leadsOn(range);
        const isOwn = this.#foreign.provenanceOf(range) === 'said';
        // Of what somebody else says, only whether it is worth keeping is asked.
        const judgement = isLead ? WEAK : judge(isOwn ? this.#own : this.#text, range, speech);
        if (judgement.repairs && isOwn) this.#blame(index);
        this.#push(range, judgement, block, index);
      }
  }

  /** “Implement the following plan:” says nothing beside the plan. */
  #leadsOn({ start, end }: Range): boolean {
    const last = this.#text.charCodeAt(end - 1);
    return (
      (last === COLON || last === WIDE_COLON) &&
      end - start <= LONGEST_LEAD &&
      LEADS_ON.test(this.#text.slice(start, end))
    );
  }

  /** “The output is cut. Let me fix that.” What is to be put right is a problem, however calmly it is told. */
  #blame(block: number): void {
    const before = this.#statements.at(-1);
    if (!before || before.block !== block || before.judgement.worth !== 'kept') return;
    if (before.provenance !== 'said') return;
    if (before.judgement.intent !== 'context') return;
    const judgement: Judgement = { ...before.judgement, intent: 'problem', confidence: 0.5, weight: 2 };
    this.#statements[this.#statements.length - 1] = { ...before, judgement };
  }

  #push({ start, end }: Range, judgement: Judgement, block: Block, index: number): void {
    const prefix = start === 0 ? '' : this.#aboveOf(block).prefix;
    const order = this.#order;
    const provenance = this.#foreign.provenanceOf({ start, end });
    this.#statements.push({
      start,
      end,
      judgement: provenance === 'said' ? judgement : foreignJudgement(judgement, provenance),
      provenance,
      prefix,
      group: block.group,
      block: index,
      order,
      last: order,
    });
  }

  /** Blocks below one heading follow each other, so that remembering the last one is enough. */
  #aboveOf({ lead }: Block): Above {
    if (lead === this.#lead) return this.#above;
    this.#lead = lead;
    // A heading of somebody else's says nothing about what follows.
    const isOwn = lead !== undefined && this.#foreign.provenanceOf(lead) === 'said';
    const name = isOwn ? headingText(this.#text, lead) : '';
    this.#above = {
      prefix: name === '' ? this.#speaker : `${name}: `,
      intent: isOwn ? headingMeaning(name, this.#role) : undefined,
    };
    return this.#above;
  }
}

const foreignJudgement = ({ worth }: Judgement, provenance: Provenance): Judgement => ({
  ...CONTEXT,
  confidence: FOREIGN_CONFIDENCE[provenance],
  worth,
});

function speakerOf(text: string, role: Turn['role']): string {
  const end = text.indexOf(': ');
  if (end === -1 || (end > LONGEST_SPEAKER && !isBlank(text.charCodeAt(0)))) return '';
  const name = (hasForeignLetters(text.slice(0, end)) ? anySpeaker() : ASCII_SPEAKER).exec(text)?.[1];
  return name === undefined || LABELS.test(name) || headingMeaning(name, role) !== undefined ? '' : `${name}: `;
}

function headingText(text: string, { start, end }: Lead): string {
  const plain = text
    .slice(start, end)
    .replace(/[*`]+|[:：]\**$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > LONGEST_PREFIX ? `${plain.slice(0, LONGEST_PREFIX).replace(/[\ud800-\udbff]$/, '')}…` : plain;
}
