// What a transcript knows of its descent: which of its lines others may begin with, when it was begun, and which of its lines are copies.
// All of it is told by its lines, so that it does not matter which of two transcripts is read first.

import type { LineIdentity } from '../../transcripts/claude-code/line-identity.ts';

type Range = readonly [from: number, to: number];

export type Lineage = {
  /** The lines that a copy may begin with, by name and time: the first that says something, and those where it was compacted. */
  readonly begins: readonly string[];
  /** When it was begun: the time of its first line that is no copy. Missing while all of them say that they are. */
  readonly born?: number;
  /** The id that its first prompts have in common; empty once another came. */
  readonly prompt?: string;
  /** Older transcripts whose lines give no rows here. */
  readonly of?: readonly string[];
  /** Lines that are copies. */
  readonly copied?: readonly Range[];
  /** Something was said since the last of them, in a line without a name. */
  readonly apart?: true;
  /** The line with which it goes its own way; missing while copies may follow. */
  readonly own?: string;
};

export const NO_LINEAGE: Lineage = { begins: [] };

/** Of two transcripts with the same lines the older one has their rows. Where nothing tells, the name of the session decides. */
export type Age = { readonly born: number | undefined; readonly session: string };

export function isOlder(one: Age, two: Age): boolean {
  const [first, second] = [one.born ?? Number.POSITIVE_INFINITY, two.born ?? Number.POSITIVE_INFINITY];
  return first === second ? one.session < two.session : first < second;
}

/** Before anybody has spoken: a line of the client's own, which it writes when it begins the file. */
export const begun = (lineage: Lineage, { name, time, isForeign }: LineIdentity): Lineage =>
  name !== undefined || time === undefined || isForeign || lineage.born !== undefined
    ? lineage
    : { ...lineage, born: time };

/**
 * After a line in which something was said. Prompts with one id are copies but for the last of them, so that one tells when the file was
 * begun.
 */
export function spoken(
  lineage: Lineage,
  { time, prompt, isForeign }: LineIdentity,
  { isPrompt }: { isPrompt: boolean },
): Lineage {
  if (isForeign || (lineage.prompt === '' && lineage.born !== undefined)) return lineage;
  const isSame = isPrompt && lineage.prompt !== undefined && lineage.prompt === prompt;
  const born =
    lineage.born === undefined ? time : isSame && time !== undefined ? later(lineage.born, time) : lineage.born;
  const first = isPrompt && !isSame ? (lineage.prompt === undefined ? (prompt ?? '') : '') : lineage.prompt;
  return {
    ...lineage,
    ...(born === undefined ? {} : { born }),
    ...(first === undefined ? {} : { prompt: first }),
  };
}

const later = (one: number, two: number): number => Math.max(one, two);

/** Copies may still follow. */
export const isAmongCopies = ({ of = [], own }: Lineage): boolean => of.length > 0 && own === undefined;

export function withCopy(lineage: Lineage, line: number): Lineage {
  const { apart, copied = [], ...rest } = lineage;
  const last = copied.at(-1);
  const goesOn = last !== undefined && apart === undefined;
  return { ...rest, copied: goesOn ? [...copied.slice(0, -1), [last[0], line]] : [...copied, [line, line]] };
}

export const isCopied = ({ copied = [] }: Lineage, line: number): boolean =>
  copied.some(([from, to]) => line >= from && line <= to);

/** However it came about, the same is stored as the same. */
export function inOrder({ begins, born, prompt, of, copied, apart, own }: Lineage): Lineage {
  return {
    begins,
    ...(born === undefined ? {} : { born }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(of === undefined ? {} : { of }),
    ...(copied === undefined ? {} : { copied }),
    ...(apart === undefined ? {} : { apart }),
    ...(own === undefined ? {} : { own }),
  };
}
