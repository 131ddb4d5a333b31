// Words by which somebody says that something is gone, ruled out, denied, left open or brought up to date.

// Of each pattern below, pieces of which every match has one. Nearly no statement has any, so most patterns are never even made
// ready, which takes Node a millisecond each: as long as all else about a statement.
const OPEN_WORDS = [
  ...[
    'open',
    'undecided',
    'unclear',
    'unknown',
    'to be decided',
    'not sure',
    'not decided',
    'not known',
    'not settled',
  ],
  ...['not yet', 'know yet', 'to ask', 'noch offen', 'unklar'],
];
function hasOne(text: string, pieces: readonly string[]): boolean {
  const lower = text.toLowerCase();
  for (const piece of pieces) if (lower.includes(piece)) return true;
  return false;
}

const REMOVING_WORDS = [
  ...[
    'instead of',
    'rather than',
    'in place of',
    'no longer',
    'replac',
    'revert',
    'drop',
    'ditch',
    'rid of',
    'remov',
    'delet',
    'gone',
  ],
  ...['abandon', 'statt', 'nicht mehr', 'au lieu', 'en lugar', 'ではなく', '代わりに', '不再', '代替'],
];
/** Of “moved from”, which stands in many statements without the other: every match has both. */
const MOVING_WORDS = ['switch', 'migrat', 'mov', 'chang'];
/** What is gone stands behind these words. */
const REMOVED =
  /\b(?:instead of|rather than|in place of|no longer (?:us(?:e|es|ing)|call(?:s|ing)?|need(?:s|ing)?|show(?:s|ing)?|render(?:s|ing)?|on|with|in)|replac(?:e|ed|es|ing)|remov(?:e|ed|es|ing)|delet(?:e|ed|es|ing)|(?:switch|migrat|mov|chang)(?:e|ed|es|ing)?(?: (?!to\b)\S+){0,5}? (?:away )?from|revert(?:ed|ing)?|dropp(?:ed|ing)|ditch(?:ed|ing)|got rid of|abandon(?:ed|ing)?|statt|nicht mehr|au lieu de|en lugar de)\b(?: (?:the|a|an|our|my|both|all|old))*\s+(?=([^.;:!?\n—]{2,90}(?:\.\w[^.;:!?\n—]{0,40})?))|([^。、\n]{2,24})(?:ではなく|の代わりに)|(?:不再使用|不再用|代替)([^。，\n]{2,24})/gi;
/** Or before them: “The strategy badge was removed”. */
const IS_GONE =
  /(?:^|[.;:—] |\*\*)([^.;:!?\n—]{4,60}?) (?:(?:is|are|was|were|has been|have been) (?:now )?(?=)(?:removed|deleted|reverted|replaced|dropped|gone)\b|removed(?:\*\*| entirely))/i;
const ENDS_THERE =
  /\b(?:to|with|by|in favou?r of|because|since|so|so that|and|which|as|for|from|in|on|of|at|into|beside|before|after|when|that|—)\s|,\s/i;

/** The words that name what is not there any more, and those that say where it was. */
export function takenAway(text: string): { readonly what: string; readonly from: string }[] {
  if (!hasOne(text, REMOVING_WORDS) && !(hasOne(text, [' from']) && hasOne(text, MOVING_WORDS))) return [];
  const phrases = [...text.matchAll(REMOVED)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  const gone = IS_GONE.exec(text)?.[1];
  return [...phrases, ...(gone === undefined ? [] : [gone])].flatMap((phrase) => {
    const what = phrase.split(ENDS_THERE)[0]?.trim() ?? '';
    const from = /^\s*(?:\w+ )?(?:from|in)\s([^,]*)/i.exec(phrase.slice(what.length))?.[1] ?? '';
    return what === '' ? [] : [{ what, from }];
  });
}

/** That something was changed, which advice never says. */
export const reportsChange = (text: string): boolean =>
  /\b(?:switch(?:ed|ing)|replaced|chang(?:ed|ing) (?:from|to)|migrat(?:ed|ing)|moved|moving|revert(?:ed|ing)?|dropp(?:ed|ing)|ditched|abandoned|no longer|any ?more|going with|went with|on second thought|(?:am|is|are|we|i) now|stattdessen|nicht mehr)\b|ではなく|代わりに|改为|不再/i.test(
    text,
  );

/** That what was thought before is not so. */
export const refutes = (text: string): boolean =>
  /\b(?:(?:that|this|it)(?:'s| is| was|n'?t) not (?:the )?(?=)(?:issue|problem|cause|it|culprit|reason)|(?:is|was)n'?t the (?:issue|problem|cause|culprit)|not the (?:root )?(?:cause|culprit)|ruled out|(?:was|were|is|are) (?:\w+ )?(?:correct(?:ly)?|fine|working|right) all along|turns out (?:it|that|the)|i was wrong|my (?:assumption|guess|theory) was wrong|actually,? no\b|red herring)\b/i.test(
    text,
  );

export const guesses = (text: string): boolean =>
  /\b(?:likely|probably|perhaps|maybe|presumably|i (?:think|suspect|guess)|might (?:be|have)|may be|could be|seems? (?:to|like))\b/i.test(
    text,
  );

/** That what was tried changed nothing. */
export const failedToHelp = (text: string): boolean =>
  /\b(?:(?:did not|didn'?t) (?:help|fix|solve|change (?:anything|it))|(?:made|makes) no difference|had no effect|to no avail)\b/i.test(
    text,
  );

/** That a value is newer than what was said before. */
export const bringsUpToDate = (text: string): boolean =>
  /\b(?:now (?:has|have|had|is|at|up|down|reached|stands|a total|i have|we have)|(?:has|have|is|are|was|it's|i'm|we're) now|new|newest|latest|recently|updat(?:e|ed|ing)|chang(?:e|ed|ing)|mov(?:e|ed|ing)|re-?schedul(?:e|ed|ing)|postpon(?:e|ed|ing)|push(?:ed|ing) (?:back|to)|extend(?:ed|ing)?|increas(?:ed|es|e (?:to|from))|decreas(?:ed|es)|improved|raised|lowered|reduced (?:to|from|by)|cut to|adjust(?:ed|ing)?|reach(?:ed|ing)|grow(?:n|th|ing)?|grew|(?:went|gone) (?:up|down)|dropp?ed|bump(?:ed|ing)|instead|no longer|actually|turned out|total of|corrected|jetzt|inzwischen|neu(?:e[rsn]?)?|maintenant|désormais|ahora)\b/i.test(
    text,
  );

/** That a day or an hour is another one now. */
export const movesInTime = (text: string): boolean =>
  /\b(?:new|now|mov(?:e|ed|ing)|re-?schedul(?:e|ed|ing)|postpon(?:e|ed|ing)|push(?:ed|ing)|extend(?:ed|ing)?|chang(?:e|ed|ing)|instead|updat(?:e|ed|ing)|delay(?:ed)?|brought forward|verschoben|repoussé|aplazad\w+)\b/i.test(
    text,
  );

/** That something is not settled: whoever says so has answered nothing. */
export const leavesOpen = (text: string): boolean =>
  hasOne(text, OPEN_WORDS) &&
  /\b(?:(?:left|leave|leaving|kept|keep|keeping) (?:that|this|it|the question) open|(?:is|are|remains?|still|that's|it's) (?:still )?(?:open|undecided|unclear|unknown|to be decided)|not (?:yet )?(?:sure|decided|known|settled)(?: yet)?|(?:don't|do not) know yet|(?:have|has|need|needs) to ask|noch offen|unklar)\b/i.test(
    text,
  );

/** What somebody says they never did or had: the words behind “never”. */
export function deniedIn(text: string): string | undefined {
  if (!hasOne(text, ['never'])) return undefined;
  return /\b(?:i|we)(?:'ve| have|'d| had)? (?:actually |really )?never\s+([^.;!?\n]{4,90})/i
    .exec(text)?.[1]
    ?.split(/\b(?:so|but|and|because|before,)\b/i)[0]
    ?.trim();
}
