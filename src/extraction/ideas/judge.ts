// Says what a statement is: which of the seven intents, how sure the speaker was, and whether it says anything at all.
// Every cue that is found speaks for an intent with its weight; the strongest counts whole, the others for a third.

import { INTENTS, type Intent, type Stance, type Turn } from '../../model/trace.ts';
import { type CueCode, unpackCues } from './cue-code.ts';
import { CueMatcher } from './cue-matcher.ts';
import { readCues } from './cue-reader.ts';
import { de } from './cues/de.ts';
import { enCode } from './cues/en-code.ts';
import { es } from './cues/es.ts';
import { fr } from './cues/fr.ts';
import { ja } from './cues/ja.ts';
import { zh } from './cues/zh.ts';
import { GROUPS, TONES, type Tone, WEIGHTS } from './judge-groups.ts';
import type { Language } from './language.ts';
import type { Judgement } from './statement.ts';
import { CODE, NAME, Words } from './words.ts';

const CUES: { readonly [language in Language]: () => CueCode } = {
  en: () => unpackCues(enCode),
  de: () => readCues(de, GROUPS),
  fr: () => readCues(fr, GROUPS),
  es: () => readCues(es, GROUPS),
  ja: () => readCues(ja, GROUPS),
  zh: () => readCues(zh, GROUPS),
};
const CLEAR = 4;
const SURE = 5.5;
/** What a second and a third cue add. */
const SIDE_SHARE = 0.34;
const MOST_SIDE = 6;
/** What speaks for nothing in particular is background. */
const BACKGROUND = 1.8;
/** Whatever is told about how things are must not hide what is wrong with them. */
const BACKGROUND_SHARE = 0.85;
const QUESTION_MARK = 4.4;
/** What stands above an item says what the item is; a paragraph says it itself. */
const LEAD = { item: 2.3, prose: 1.2 };
/** What is longer says more than what will be done next, or that all went well. */
const LONGEST_NARRATION = 170;
const LONGEST_CHATTER = { user: 50, assistant: 110 };
const MOST_ACKNOWLEDGING = 12;
/** More marks than this share of letters: code or output. */
const MOST_MARKS = 0.4;
const LONGEST_RUN = 120;
/** So many words, most of them names of code: a trace of calls, a listing. */
const LISTING = 12;

const FIRST_TONE = WEIGHTS.length * INTENTS.length;

const DECISION = 0;
const CONCLUSION = 1;
const QUESTION = 2;
const PROBLEM = 3;
const SOLUTION = 4;
const TODO = 5;
const CONTEXT = 6;
/** A list of a user's is a plan more often than not: “shows the error”, “updated by polling” are part of it. */
const SIGN_OF_PROBLEM = PROBLEM * 4 + 1;
const SIGN_OF_SOLUTION = SOLUTION * 4 + 1;
const CLEAR_SOLUTION = SOLUTION * 4 + 2;
const CONFIDENCE = [0.8, 0.7, 0.5, 0.7, 0.75, 0.65, 0.6];
const NARRATED: Judgement = { intent: 'context', stance: 'stated', confidence: 0.3, weight: 0, worth: 'narrated' };
const NOTHING: Judgement = { intent: 'context', stance: 'stated', confidence: 0, weight: 0, worth: 'nothing' };

type Span = { readonly start: number; readonly end: number };

/** Who speaks, in which language, and what is said to stand below: “Next steps”. */
export type Speech = {
  readonly role: Turn['role'];
  readonly language: Language;
  readonly above: Intent | undefined;
  readonly kind: 'item' | 'prose';
  /** Stands below a heading: part of a document, not of the talk. */
  readonly below?: boolean;
};

/** Judges the statements of one language. Keeps its arrays from one statement to the next. */
class Judge {
  readonly #matcher: CueMatcher;
  readonly #words: Words;
  readonly #top = new Float64Array(INTENTS.length);
  readonly #rest = new Float64Array(INTENTS.length);
  readonly #tones = new Uint8Array(TONES.length);
  readonly #acknowledging: number;
  readonly #negating: number;

  constructor(cues: CueCode) {
    this.#matcher = new CueMatcher(cues);
    this.#words = new Words(this.#matcher.vocabulary);
    this.#acknowledging = this.#matcher.maskOf('ack');
    this.#negating = this.#matcher.maskOf('not');
  }

  judge(text: string, { start, end }: Span, { role, above, kind, below }: Speech): Judgement {
    const words = this.#words;
    words.read(text, start, end);
    if (this.#isAcknowledgement(words)) return NOTHING;
    this.#weigh(role, kind);
    const isOutput = this.#isOutput();
    if (!isOutput && this.#isChatter(end - start, role)) return NOTHING;
    const repairs = role === 'assistant' && this.#has('repair') ? ({ repairs: true } as const) : {};
    if (!isOutput && role === 'assistant' && this.#isNarration(end - start, kind === 'prose' && !below)) {
      return { ...NARRATED, worth: this.#names() > 0 ? 'weak' : 'narrated', ...repairs };
    }
    if (words.asks) this.#add(QUESTION, QUESTION_MARK);
    if (above) this.#add(INTENTS.indexOf(above), LEAD[kind]);
    this.#add(CONTEXT, BACKGROUND);
    this.#settle();
    const intent = this.#strongest();
    const stance = this.#stance(intent);
    return {
      intent: INTENTS[intent]!,
      stance,
      confidence: this.#confidence(intent, stance),
      weight: this.#score(intent),
      worth: isOutput ? 'weak' : 'kept',
      ...repairs,
    };
  }

  #weigh(role: Turn['role'], kind: Speech['kind']): void {
    const hits = this.#matcher.match(this.#words);
    this.#top.fill(0);
    this.#rest.fill(0);
    this.#tones.fill(0);
    const isPlan = role === 'user' && kind === 'item';
    for (let i = 0; i < hits.count; i += 1) {
      const group = hits.groups[i]!;
      if (group >= FIRST_TONE) this.#tones[group - FIRST_TONE] = 1;
      else if (group >> 2 === PROBLEM && this.#isNegated(hits.at[i]!)) this.#add(SOLUTION, WEIGHTS[0]!);
      else if (isPlan && (group === SIGN_OF_PROBLEM || group === SIGN_OF_SOLUTION || group === CLEAR_SOLUTION))
        this.#add(group >> 2, WEIGHTS[0]!);
      else this.#add(group >> 2, WEIGHTS[group & 3]! * (group >> 2 === CONTEXT ? BACKGROUND_SHARE : 1));
    }
    // Whoever asks for a thing to be done names it by the bare verb; so does an agent that lists what is to be done.
    if (this.#has('order')) this.#add(TODO, role === 'user' ? CLEAR + 0.8 : WEIGHTS[1]! + 0.2);
    if (this.#has('advice')) this.#add(role === 'user' ? TODO : SOLUTION, WEIGHTS[1]! + 0.4);
  }

  #add(intent: number, weight: number): void {
    const top = this.#top[intent]!;
    this.#top[intent] = Math.max(top, weight);
    this.#rest[intent]! += Math.min(top, weight);
  }

  #score(intent: number): number {
    return this.#top[intent]! + SIDE_SHARE * Math.min(this.#rest[intent]!, MOST_SIDE);
  }

  /** “no errors”, “without crashing”, “fixed the leak”: the trouble is named, but it is not there. */
  #isNegated(at: number): boolean {
    for (let before = Math.max(0, at - 2); before < at; before += 1) {
      if (this.#matcher.isOf(this.#words, before, this.#negating)) return true;
    }
    return false;
  }

  /** Nothing but thanks, yes and names. */
  #isAcknowledgement(words: Words): boolean {
    if (words.count > MOST_ACKNOWLEDGING) return false;
    let names = 0;
    for (let at = 0; at < words.count; at += 1) {
      if (this.#matcher.isOf(words, at, this.#acknowledging)) continue;
      if ((words.flags[at]! & NAME) === 0) return false;
      names += 1;
    }
    return words.count === 0 || (!words.asks && names <= 2 && names < words.count);
  }

  #has(tone: Tone): boolean {
    return this.#tones[TONES.indexOf(tone)] === 1;
  }

  /** More marks than words, or nothing but names: code, a line of a stack, a list of files. */
  #isOutput(): boolean {
    const { symbols, letters, longest, count } = this.#words;
    if (symbols > MOST_MARKS * letters || longest > LONGEST_RUN) return true;
    const names = this.#names();
    return names > 0 && (count - names < 2 || (count >= LISTING && 2 * names > count));
  }

  /** Thanks, praise and “all tests pass”, unless something is told, asked or wanted besides. */
  #isChatter(length: number, role: Turn['role']): boolean {
    if (!this.#has('chatter') || length >= LONGEST_CHATTER[role] || (this.#words.asks && role === 'user')) return false;
    return this.#told() < CLEAR && this.#top[TODO]! < CLEAR && this.#top[QUESTION]! < CLEAR;
  }

  /** What an agent says that it will do next, unless it says more than that. */
  #isNarration(length: number, isTalk: boolean): boolean {
    // “Update the totals:” before it does so; in a list the same words are what is to be done.
    const announces =
      this.#has('order') &&
      isTalk &&
      !this.#has('advice') &&
      this.#top[TODO]! < CLEAR &&
      this.#top[SOLUTION]! < WEIGHTS[1]!;
    if (!(this.#has('narration') || announces) || length >= LONGEST_NARRATION) return false;
    return this.#told() < SURE && this.#top[DECISION]! < CLEAR && this.#top[QUESTION]! < SURE;
  }

  #told(): number {
    return Math.max(this.#top[DECISION]!, this.#top[CONCLUSION]!, this.#top[PROBLEM]!);
  }

  /** How many of the words are code, paths, identifiers and numbers. */
  #names(): number {
    const { flags, count } = this.#words;
    let names = 0;
    for (let at = 0; at < count; at += 1) if ((flags[at]! & CODE) !== 0) names += 1;
    return names;
  }

  /** Where two readings fit, the later one in the course of work wins: what was mended is no problem any more. */
  #settle(): void {
    const top = this.#top;
    if (top[SOLUTION]! >= CLEAR && top[PROBLEM]! <= top[SOLUTION]!) top[PROBLEM]! *= 0.6;
    if (top[CONCLUSION]! >= SURE) top[PROBLEM]! *= 0.7;
    if (top[QUESTION]! >= CLEAR && this.#words.asks) top[PROBLEM]! *= 0.8;
    if (this.#has('dead_end')) top[SOLUTION]! *= 0.5;
    if (this.#words.isLabelled && !this.#words.asks) top[QUESTION]! *= 0.4; // **What it is**: a title
    if (this.#has('fine')) top[PROBLEM]! *= 0.6; // “Good, it does not…”
  }

  #strongest(): number {
    let best = CONTEXT;
    for (let intent = 0; intent < CONTEXT; intent += 1) if (this.#score(intent) > this.#score(best)) best = intent;
    return best;
  }

  #stance(intent: number): Stance {
    if (intent !== CONCLUSION && intent !== PROBLEM && intent !== SOLUTION) return 'stated';
    if (this.#has('dead_end') && intent !== SOLUTION) return 'dead_end';
    if (this.#has('hypothesis')) return 'hypothesis';
    return this.#has('confirmed') && intent !== PROBLEM ? 'confirmed' : 'stated';
  }

  #confidence(intent: number, stance: Stance): number {
    let confidence = CONFIDENCE[intent]!;
    if (this.#has('hedge')) confidence -= 0.25;
    if (this.#has('firm')) confidence += 0.1;
    if (stance === 'hypothesis') confidence = Math.min(confidence, 0.4);
    if (stance === 'confirmed') confidence = Math.max(confidence, 0.9);
    return Math.round(100 * confidence) / 100;
  }
}

/** Built when they are first needed: most runs of the program judge nothing, and most others English alone. */
const judges: { [language in Language]?: Judge } = {};

/** Judges a part of `text`: what it is, if it was said like that. */
export function judge(text: string, span: Span, speech: Speech): Judgement {
  const { language } = speech;
  judges[language] ??= new Judge(CUES[language]());
  return judges[language].judge(text, span, speech);
}
