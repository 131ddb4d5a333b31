// What an exchange leaves behind. A task or question in an answer is open only where the answer says that it is left (a heading, or words such as
// “pending” or “deferred”), and the user did not say in the next breath that it be done. Requests that were carried out, offers and questions
// that the user went past are settled.

import type { Idea, TraceItem, Turn } from '../../model/trace.ts';

/** Said to be put off: it stays open whatever is talked about next. */
const PUT_OFF =
  /\b(?=)(?:pending|later|future|defer(?:red)?|postponed?|to-?dos?(?! (?:comments?|markers?|notes?))|follow-?ups?|outstanding|unsolved|open (?:questions?|issues?|items?|challenges?|points?|decisions?)|noted for|known (?:issues?|gaps?|limitations?)|später|pendiente|à faire)\b|未対応|保留|待办/i;
/** A fault is put off where it is said of the fault: “if a future change …” and “the todo documents …” put nothing off. */
const FAULT_PUT_OFF =
  /\b(?:pending|for later|(?:future|later) (?:phases?|releases?|work|versions?)|defer(?:red)?|postponed?|a to-?do(?! (?:comment|marker|note))|follow-?ups?|outstanding|unsolved|noted for|später|pendiente|à faire)\b|未対応|保留|待办/i;
/** Said to be left: open while nobody takes it up, at the end of a conversation. */
const LEFT =
  /\b(?:remaining|remains?|left (?:to|for|open|over)|not yet|unresolved|still (?:needs?|open|missing|to|has|have)|needs? to be|you(?:'ll)? (?:still )?need to|you must|before (?:merging|releas|deploy)|after merging|once [^.]{3,60}, (?:you|we)|action required|manual steps?|for you to|offen|noch zu|reste)\b/i;
/** Whoever asks for a task to be written down wants it done another time. */
const WRITTEN_DOWN = /\b(?:add|log|create|file|save|make|write)\b.{0,40}\b(?:to-?dos?|issues?|tickets?|backlog)\b/i;
/** What is wrong and stays so: it was there before, is known, or is not this work's. */
const KNOWN_GAP =
  /\b(?:pre-?existing|known|not introduced|unrelated to (?:this|our|my)|existing gap|dead code|unused|flaky|never (?:called|used)|out of scope|not (?:fixed|addressed|part of) (?:here|this|in this)|LOW-\d+)\b/i;

/** A heading, or the lead of a list, under which an answer says what it leaves. */
const LEAVES =
  /^\W*(?:(?:noted|saved|kept|left|captured|logged) for (?:later|another|future)|deferred|postponed|for later|later|future (?:work|phases?|improvements?)|follow-?ups?|pending(?: to-?dos?| items?| tasks?)?|open (?:questions?|issues?|items?|challenges?|points?|tasks?|ends)|outstanding|remaining (?:work|items?|tasks?|issues?)|still (?:open|missing|to do)|known (?:issues?|gaps?|limitations?)|not (?:yet )?(?:done|covered|included|implemented)|out of scope|(?:new |\w+ )?to-?dos? (?=)(?:added|captured|logged|created)|offen|noch zu tun|später|pendientes?|à faire)\b/i;
const HEADING = /^([^:|]{3,60}): /;
/** Somebody has to do it before the work is of use: what the answer ends on. */
const FOR_YOU =
  /\b(?:you(?:'ll| will)? (?:still )?(?:need|have) to(?! wait)|you must|to complete the (?:setup|configuration|installation|migration|release)|action required|manual steps?|(?:once|after) [^.]{3,60}, (?:you|we|re-?run|push|run|deploy|restart)|after (?:merging|the merge|deploying|the release)|before (?:merging|releasing|deploying))\b/i;
/** Wrong, known and not this work's: said in so many words. */
const STAYS_WRONG =
  /\b(?:pre-?existing (?:bug|issue|problem|failure|gap)|known (?:flaky|issue|bug|gap|limitation)|existing gap|defined but never|not (?:fixed|addressed) (?:here|in this))\b/i;
/** A heading under which an answer says what is no fault. */
const NO_FAULT =
  /^\W*(?:non-?issues?|no issues?|not (?:an? )?(?:issues?|problems?|affected|bugs?)|false (?:positives?|alarms?)|verified|what'?s good|already (?:fixed|handled|covered))\b/i;
/** What was said to be so, done or asked besides is no task. */
const MAY_BE_LEFT: ReadonlySet<string> = new Set(['todo', 'context', 'conclusion', 'problem']);
/** Below a heading that says so everything is left but what was done or is asked: to put something off is a decision, too. */
const DONE =
  /[✅✓✔]|\[x\]|\b(?:fixed|added|updated|removed|created|implemented|resolved|done|completed|merged|closed|addressed)\b/i;
/** How many there are is none of them. */
const COUNTED = /^\W*\d+ (?:pending|open|remaining|left|to-?dos?)\b/i;
export const isHeadedLeft = (text: string, intent: string): boolean => {
  const heading = HEADING.exec(text)?.[1];
  if (heading === undefined || intent === 'question' || !LEAVES.test(heading)) return false;
  const said = text.slice(heading.length);
  return !COUNTED.test(said) && (MAY_BE_LEFT.has(intent) || !DONE.test(said));
};

/**
 * What an answer leaves, whatever its words alone were taken for: it stands below a heading that says so, is named as a fault that stays, or has
 * to be done by the user after the last answer of a conversation.
 */
export function leftAs({ intent, text, role, place }: Said, next: Turn | undefined): 'todo' | 'problem' | undefined {
  if (role !== 'assistant' || place !== 'final') return undefined;
  if (isHeadedLeft(text, intent)) return intent === 'problem' ? 'problem' : 'todo';
  if (MAY_BE_LEFT.has(intent) && STAYS_WRONG.test(text)) return NO_FAULT.test(text) ? undefined : 'problem';
  return next === undefined && FOR_YOU.test(text) && (MAY_BE_LEFT.has(intent) || isStillToDo(text, intent))
    ? 'todo'
    : undefined;
}

/** A change that the user has yet to make was taken for one that was made. */
const isStillToDo = (text: string, intent: string): boolean => intent !== 'question' && !DONE.test(text);

export type Said = Pick<Idea, 'intent' | 'text' | 'role' | 'line'> & { readonly place: 'prompt' | 'between' | 'final' };

/** What became of something that was asked, wanted or wrong, at the end of its exchange; nothing for what is none of these. */
export function fateOf(said: Said, items: readonly TraceItem[], next: Turn | undefined): Idea['fate'] {
  const { intent, text, role, line, place } = said;
  if (intent === 'problem')
    return place === 'final' && (KNOWN_GAP.test(text) || FAULT_PUT_OFF.test(text)) && !NO_FAULT.test(text)
      ? 'left'
      : undefined;
  if (intent !== 'question' && intent !== 'todo') return undefined;
  switch (place) {
    case 'between':
      return 'settled';
    case 'prompt':
      return role !== 'user' || next !== undefined || wasTakenUp(items, line) ? 'settled' : 'left';
    case 'final':
      return isLeft(text, items, next) ? 'left' : 'settled';
  }
}

/** That it might be put off puts nothing off. */
const MIGHT = /\b(?:could|can|may|might) (?:also )?(?:be )?(?:defer|postpone|wait|come later|follow later)/i;

function isLeft(text: string, items: readonly TraceItem[], next: Turn | undefined): boolean {
  if (MIGHT.test(text)) return false;
  if (PUT_OFF.test(text)) return true;
  if (next !== undefined) return false;
  return (
    LEFT.test(text) ||
    items.some((item) => item.kind === 'turn' && item.role === 'user' && WRITTEN_DOWN.test(item.text))
  );
}

/** The agent answered, or was at work on it when the record ends. */
function wasTakenUp(items: readonly TraceItem[], line: number): boolean {
  return items.some(
    (item) =>
      item.line > line &&
      (item.kind === 'turn'
        ? item.role === 'assistant'
        : item.event === 'work' || item.event === 'files' || item.event === 'commit'),
  );
}
