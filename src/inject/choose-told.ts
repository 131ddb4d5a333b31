// From what recall found for the parts of a prompt to what is told: curated memories by the seeds' own rules (a tag, words of the title,
// a named file), then statements of conversations that are likely of use. Each line says something that no other says.

import { isOwnSummary } from '../model/own-summary.ts';
import { isRelevantEnough } from '../model/relevance.ts';
import { fileNoteId } from '../notes/note-id.ts';
import type { RecallResult } from '../recall/answer.ts';
import { scoreEntry, tokenise } from '../records/score.ts';
import { indexWords } from '../store/index-words.ts';
import type { PromptParts } from './prompt-parts.ts';
import {
  type Asked,
  asSaid,
  type Found,
  isPassage,
  isRuleAbout,
  isSaidBy,
  isTellable,
  likelihood,
  worthIn,
} from './told-candidate.ts';
import { TOLD } from './told-table.ts';

export type Finds = {
  /** Of all layers, for each part. */
  readonly parts: readonly (readonly RecallResult[])[];
  /** Of all layers, for each named file. */
  readonly files: readonly { readonly file: string; readonly results: readonly RecallResult[] }[];
};

export type Told = { readonly result: RecallResult; readonly likelihood: number };

export type Choice = {
  readonly prompt: string;
  readonly asked: PromptParts;
  isTelling(word: string): boolean;
  /** For reasons that have nothing to do with the prompt: told already, said here, known anyway, called wrong. */
  isLeftOut(result: RecallResult): boolean;
  /** How much likelier (or less likely) of use a memory must be, after what was learned about it. */
  shift(memory: { readonly project: string; readonly ref: string }): number;
  readonly maxLines: number;
  readonly maxNotes: number;
};

/** Written by themselves, about what was looked at, tried or done. */
const CAPTURED: ReadonlySet<string> = new Set(['discovery', 'task', 'error', 'file-summary']);
/** What a session was about is told when one begins. */
const isOfSession = ({ kind, telling }: RecallResult): boolean =>
  kind === 'session' || isOwnSummary(kind, telling?.tags ?? []);

export function chooseTold(finds: Finds, choice: Choice): Told[] {
  const curated = chooseCurated(finds, choice);
  const said = chooseSaid(finds, choice);
  const lines = linesFor(choice.maxLines);
  const told: Told[] = [];
  for (const each of [...curated, ...said]) {
    const isSaid = each.result.layer === 'trace';
    if (told.length >= (isSaid ? lines : choice.maxLines)) continue;
    if (isSaid && told.filter(({ result }) => result.session === each.result.session).length >= TOLD.linesOfOne)
      continue;
    if (told.some(({ result }) => isSameMemory(result, each.result))) continue;
    told.push(each);
  }
  return told;
}

const linesFor = (max: number): number => Math.min(max, Math.max(TOLD.lines, Math.round(TOLD.share * max)));

/** Two curated memories are two, however alike they sound: somebody wrote both. */
const isSameMemory = (one: RecallResult, other: RecallResult): boolean =>
  keyOf(one) === keyOf(other) || (other.layer === 'trace' && isSaidBy(textOf(one), textOf(other)));

const textOf = ({ layer, title, gist, text }: RecallResult): string =>
  layer === 'trace' ? text : `${title} ${gist ?? text.slice(0, 300)}`;

/** The best of each memory over all parts. */
function chooseSaid({ parts, files }: Finds, choice: Choice): Told[] {
  const { prompt, asked, isLeftOut } = choice;
  if (!asksEnough(choice)) return [];
  const named = asked.isPlan
    ? []
    : files.map(({ file, results }) => results.filter((each) => isDecisionAbout(each, file)));
  const all = [...parts, ...named].flat().filter(isFound);
  const said = asSaid(prompt);
  const written = asked.isPlan ? writersOf(all, said) : new Set<string>();
  const about: Asked = { words: new Set(indexWords(prompt)), said, written };
  const best = new Map<string, Told>();
  for (const result of all) {
    if (result.layer !== 'trace' || isLeftOut(result) || isReplaced(result, choice)) continue;
    const isRule = isRuleAbout(result, asked);
    if (!isTellable(result, about, isRule)) continue;
    const near = likelihood({ ...result.telling, worth: worthIn(result) }, asked.telling.length);
    const chance = isRule ? Math.max(near, TOLD.likely) : near;
    const key = `${result.project}\0${result.ref}`;
    if (chance > (best.get(key)?.likelihood ?? 0)) best.set(key, { result, likelihood: chance });
  }
  const ranked = [...best.values()].sort(
    (a, b) => b.likelihood - a.likelihood || (a.result.ref < b.result.ref ? -1 : 1),
  );
  const reaches = ({ result, likelihood: chance }: Told, least: number): boolean =>
    chance >= least + choice.shift(result);
  const mayStandAlone = ({ result }: Told): boolean => result.speaker !== 'user' && choice.shift(result) <= 0;
  const likely = ranked.filter((each) => reaches(each, TOLD.likely));
  if (likely.length > 0)
    return likely.filter((each) => each === likely[0] || (reaches(each, TOLD.likelyToo) && isWorthMore(each)));
  return ranked.filter((each) => mayStandAlone(each) && reaches(each, TOLD.likeliest)).slice(0, 1);
}

/** A small change is told where it is what the prompt is about, and not beside something that is: of five such lines none was useful. */
const isWorthMore = ({ result }: Told): boolean => isFound(result) && worthIn(result) >= TOLD.leastWorth;

const isFound = (result: RecallResult): result is Found => result.telling !== undefined;

/** "Where do we keep the ledger?" asks with fewer words than a wish needs. */
function asksEnough({ asked }: Choice): boolean {
  return asked.telling.length >= TOLD.fewestTelling - (asked.isQuestion ? 1 : 0);
}

/** Conversations that hold passages of a pasted plan wrote it: what they found is in it. */
function writersOf(all: readonly Found[], said: string): Set<string> {
  return new Set(all.flatMap(({ session, text }) => (session !== null && isPassage(text, said) ? [session] : [])));
}

/** It names the file with its folder: every folder has an index.ts. */
function isDecisionAbout({ kind, text }: RecallResult, file: string): boolean {
  const named = file.split('/').slice(-2).join('/');
  return kind === 'decision' && named.includes('/') && text.includes(named);
}

/** By something that holds: not by what the user called wrong. */
const isReplaced = ({ project, chain }: RecallResult, { shift }: Choice): boolean =>
  chain.some(({ relation, ref }) => relation === 'superseded_by' && shift({ project, ref }) < 1);

function chooseCurated({ parts, files }: Finds, choice: Choice): Told[] {
  const { asked, isTelling, isLeftOut, maxNotes } = choice;
  if (asked.telling.length === 0 && files.length === 0) return [];
  const words = tokenise(asked.parts.join('\n'));
  const tellingWords = new Set([...words].filter((word) => indexWords(word).some((each) => isTelling(each))));
  const byFile = files.flatMap(({ file, results }) => results.filter((result) => isAboutFile(result, file)));
  const named = new Set(byFile.map(({ ref }) => ref));
  const all = [...new Map([...byFile, ...parts.flat()].map((each) => [keyOf(each), each])).values()];
  const scored = all
    .filter((each) => each.layer !== 'trace' && !isOfSession(each) && !isLeftOut(each))
    .map((result) => ({ result, points: pointsOf(result, { words, tellingWords }), isNamed: named.has(result.ref) }))
    .filter(({ result, points, isNamed }, _, every) => {
      const isOnly = every.filter((each) => each.points > 0).length === 1;
      return isNamed || isCuratedFor(result, { points, isOnly }, choice);
    })
    .filter(({ result, points }) => isStillTold(choice.shift(result), chanceOf(result, points)));
  const most = Math.max(0, ...scored.map(({ points }) => points));
  const chosen = scored
    .filter(({ points, isNamed }) => isNamed || points >= most * TOLD.curatedShare)
    .sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.points - a.points);
  let notes = 0;
  return chosen
    .filter(({ result }) => result.layer !== 'note' || ++notes <= maxNotes)
    .map(({ result, points }) => ({ result, likelihood: chanceOf(result, points) }));
}

/** The rules of the seeds stand, unless something was learned against it: then the match must be a good one. */
const isStillTold = (shift: number, chance: number): boolean => shift <= 0 || chance >= TOLD.likely + shift;

const chanceOf = ({ relevance }: RecallResult, points: number): number =>
  Math.max(relevance, Math.min(1, points / FULL_POINTS));

/** A tag and two words of the title leave no doubt. */
const FULL_POINTS = 7;

const keyOf = ({ project, ref }: RecallResult): string => `${project}\0${ref}`;

type PromptWords = { readonly words: ReadonlySet<string>; readonly tellingWords: ReadonlySet<string> };

/** By the points of `title_tags`; none where only words match that every prompt has. */
function pointsOf({ title, telling }: RecallResult, { words, tellingWords }: PromptWords): number {
  const entry = { title, tags: telling?.tags ?? [] };
  return scoreEntry(tellingWords, entry) > 1 ? scoreEntry(words, entry) : 0;
}

type Match = {
  readonly points: number;
  /** No other record or note that came has a word of the prompt in its title or tags. */
  readonly isOnly: boolean;
};

function isCuratedFor(result: RecallResult, { points, isOnly }: Match, choice: Choice): boolean {
  const coverage = result.telling?.coverage ?? 0;
  if (CAPTURED.has(result.kind))
    return (
      saysSomething(result) && asksEnough(choice) && points > TOLD.curatedPoints && coverage >= TOLD.capturedCoverage
    );
  if (points >= TOLD.curatedPoints || isRelevantEnough(result)) return true;
  return isOnly && points >= TOLD.titleWordPoints && coverage >= TOLD.titleWordCoverage;
}

/** A subagent that begins with “Perfect!” has that for its finding. */
const saysSomething = ({ kind, gist, text }: RecallResult): boolean =>
  kind !== 'discovery' || (gist ?? text).trim().split(/\s+/).length >= FEWEST_OF_GIST;
const FEWEST_OF_GIST = 3;

/** The summary of a named file, and the records about it. */
function isAboutFile(result: RecallResult, file: string): boolean {
  if (result.kind === 'file-summary') return isNoteOf(result.ref, file);
  return result.layer === 'record' && result.why.some(({ strategy }) => strategy === 'entity');
}

/** `auth.ts` names the only `src/auth.ts` that came, too. */
function isNoteOf(ref: string, file: string): boolean {
  const id = fileNoteId(file);
  return ref === `note:${id}` || (!file.includes('/') && ref.endsWith(`-${id.slice('file-'.length)}`));
}
