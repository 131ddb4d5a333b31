// Words by which somebody says that something was replaced, added to, denied or brought up to date.

// Of each pattern below, pieces of which every match has one. Nearly no statement has any, so most patterns are never even made
// ready, which takes Node a millisecond each: as long as all else about a statement.
const CHANGING_WORDS = [
  ...['switched', 'switching', 'replaced', 'changed', 'changing', 'mind', 'migrated', 'migrating', 'moved', 'moving'],
  ...['reverted', 'reverting', 'dropped', 'dropping', 'renamed', 'ditched', 'abandoned', 'deprecated', 'no longer'],
  ...['instead', 'any more', 'anymore', 'decided', 'going with', 'went with', 'second thought', 'statt', 'nicht mehr'],
  ...['au lieu', 'en lugar', 'ではなく', '代わりに', '改为', '不再'],
];
const REPLACING_WORDS = [
  ...['instead of', 'rather than', 'in place of', 'no longer', 'replac', ' from', 'revert', 'drop', 'ditch', 'rid of'],
  ...['abandon', 'statt', 'nicht mehr', 'au lieu', 'en lugar', 'ではなく', '代わりに', '不再', '代替'],
];
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
const ADDING_WORDS = [
  ...['addition', 'also', 'furthermore', 'moreover', 'on top of', 'besides', 'build', 'extend', 'to add', 'außerdem'],
  ...['zusätzlich', 'de plus', 'además'],
];
const OPPOSING_WORDS = ['wrong', 'not right', 'not true', 'not correct', 'contrary', 'turns out', 'mistaken'];
const SOLVING_WORDS = [
  ...['fix', 'solv', 'longer', 'work', 'avoid', 'prevent', 'helped', 'eliminat', 'behoben', 'gelöst', 'corrigé'],
  ...['resuelto', '解決', '解决'],
];

function hasOne(text: string, pieces: readonly string[]): boolean {
  const lower = text.toLowerCase();
  for (const piece of pieces) if (lower.includes(piece)) return true;
  return false;
}

/** What was replaced stands behind these words; nothing else is taken to be replaced. */
const REPLACED =
  /\b(?:instead of|rather than|in place of|no longer (?:us(?:e|es|ing)|on|with|in)|replac(?:e|ed|es|ing)|(?:switch|migrat|mov|chang)(?:e|ed|es|ing)?(?: (?!to\b)[\w-]+){0,5}? (?:away )?from|revert(?:ed|ing)?|drop(?:ped|ping)|ditch(?:ed|ing)|got rid of|abandon(?:ed|ing)?|statt|nicht mehr|au lieu de|en lugar de)\b(?: the| a| an| our| my)?\s+([^.;:!?\n]{2,80})|([^。、\n]{2,24})(?:ではなく|の代わりに)|(?:不再使用|不再用|代替)([^。，\n]{2,24})/i;
const CHANGED =
  /\b(?:switch(?:ed|ing)|replaced|chang(?:ed|ing)|migrat(?:ed|ing)|moved|moving|revert(?:ed|ing)|dropped|dropping|renamed|ditched|abandoned|deprecated|no longer|instead|any ?more|decided|going with|went with|on second thought|changed? (?:my|our) mind|stattdessen|statt|nicht mehr|au lieu|en lugar)\b|ではなく|代わりに|改为|不再/i;
const ENDS_THERE = /\b(?:to|with|by|in favou?r of|because|since|so that|and|which|as|for)\b/i;

/** The words that name what was replaced. */
export function replacedIn(text: string): string | undefined {
  if (!hasOne(text, CHANGING_WORDS) || !hasOne(text, REPLACING_WORDS) || !CHANGED.test(text)) return undefined;
  const match = REPLACED.exec(text);
  const named = match?.[1] ?? match?.[2] ?? match?.[3];
  return named?.split(ENDS_THERE)[0]?.trim() || undefined;
}

/** That a change was made, which an agent's advice never says. */
export const reportsChange = (text: string): boolean =>
  /\b(?:(?:was|were|been|we|i|have|has|fix was|is now|are now|now) (?:also |just |now )?(?:switch(?:ed|ing)|replaced|replacing|changed|migrated|moved|reverted|dropped|renamed|abandoned|uses?)|^(?:switched|replaced|changed|migrated|moved|reverted|dropped|renamed)|no longer)\b/im.test(
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

export const addsTo = (text: string): boolean =>
  hasOne(text, ADDING_WORDS) &&
  /^(?:additionally|also|furthermore|moreover|in addition|on top of (?:that|this)|besides|building on|extending|to (?:add|extend)|außerdem|zusätzlich|de plus|además)\b|\b(?:builds? on|extends? (?:the|this|that)|on top of (?:the|that|this))\b/i.test(
    text,
  );

export const opposes = (text: string): boolean =>
  hasOne(text, OPPOSING_WORDS) &&
  /\b(?:that(?:'s| is| was) (?:wrong|not (?:right|true|correct))|contrary to (?:what|the)|on the contrary|turns out (?:it|that|the).{0,60}\b(?:not|never|isn'?t|wasn'?t|doesn'?t|didn'?t)|was (?:mistaken|wrong) about)\b/i.test(
    text,
  );

export const solves = (text: string): boolean =>
  hasOne(text, SOLVING_WORDS) &&
  /\b(?:fix(?:e[sd])?|solv(?:e[sd]|ing)|resolv(?:e[sd]|ing)|no longer|now works?|works? (?:now|again)|workaround|avoids?|prevents?|helped|eliminat\w+)\b|behoben|gelöst|corrigé|resuelto|解決|解决/i.test(
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
