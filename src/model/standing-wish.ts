// What a user wants done every time: few statements, told apart when they are stored, so that every question can be compared with them. Nothing
// in their words joins "always show the types" with "how do I write a login?".

/** The tag of such statements. */
export const STANDING_TAG = 'standing';

const STANDING =
  /(?:^|[.!?;:]\s+|\n\s*|\b(?:and|but|so|ok|please|you (?:should|must|can)|we (?:should|must)|let's|want you to),?\s+)(?:please\s+)?(?=)(?:always|never|whenever|every time|from now on|going forward)\b(?!\s*[-=]|\s+(?:mind|been|had|did|was|seen|heard|used|worked|visible))|\balways\b.{3,120}\bwhen(?:ever)? (?:I|you|we)\b|\bI(?:'d| would)? (?:rather|prefer)\b|\bmy preference is\b/i;
/** What is longer is a plan or a document. */
const LONGEST = 400;

export const isStandingWish = (text: string): boolean => text.length <= LONGEST && STANDING.test(text);
