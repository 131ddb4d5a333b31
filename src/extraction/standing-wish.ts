// Whether somebody's decision is meant for good ("always", "from now on", "never … again") and not for the work at hand: what a new
// colleague would be told on the first day.

const STANDING =
  /\b(?:from now on|going forward|in (?:the )?future(?=,)|as a (?:general )?rule|every time you|whenever you|(?:i|we)(?: would|'?d)? prefer|(?:i|we)(?: would|'?d) rather|my preference is|(?:i|we) (?:always|never)|you (?:should|must) (?:always|never)|unless i (?:ask|say)|make it a habit|(?:should|must|do|does)(?: not|n'?t)\b.{0,40}\bever|ab jetzt|künftig|désormais|dorénavant|de ahora en adelante)\b|今後|以后/i;
/** The line of a plan that was handed over: what the program shall do, not how to work. */
const OF_PLAN = /^[^\s:][^:]{2,40}: /;
/** Of the work at hand, whatever its wording. */
const AT_HAND =
  /\b(?:this (?:pr|branch|commit|time|simple|one|change|phase)|right now|for now|again|today|current(?:ly)?)\b/i;

/** Said as an order or a habit, it needs no other sign that it is meant so. */
const ORDER =
  /^(?:(?:please|and|also|but|ok(?:ay)?|so|yes|no|btw|bitte)[,. ]+)*(?:from now on|going forward|in (?:the )?future(?=,)|as a (?:general )?rule|(?:always|never)(?! (?:mind|seen|\w+(?:[^su]s|[^e]ed|ing)\b))|(?:do not|don'?t) ever|whenever you|every time you|each time you|stop \w{2,}ing\b(?! (?:it|that|this|the server))|(?:i|we) (?:always|never|prefer)|(?:i|we)(?: would|'?d) (?:prefer|rather)|my preference is|i(?:'d| would)? (?:want|like|need) you to (?:always|never)|you (?:should|must|can|may)(?: not|n'?t)? (?:always|never|ever)|make it a habit|immer|nie(?:mals)?|ab jetzt|toujours|jamais|désormais|siempre|nunca)\b/i;

const isAtHand = (text: string): boolean => AT_HAND.test(text) || OF_PLAN.test(text) || text.includes('?');

export const isStandingOrder = (text: string): boolean => ORDER.test(text) && !isAtHand(text);

export const isStandingWish = (text: string): boolean =>
  isStandingOrder(text) || (STANDING.test(text) && !isAtHand(text));
