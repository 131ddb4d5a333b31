// What a heading, or the sentence before a list, says about all that stands below it: “Next steps” makes todos of items
// that only name a thing. Asked once for each heading, so plain patterns will do.

import type { Intent, Turn } from '../trace.ts';

/** The first that fits. */
const MEANINGS: readonly (readonly [Intent, RegExp])[] = [
  [
    'question',
    /\b(?:open |unanswered )?questions?\b|\bunknowns\b|offene fragen|questions ouvertes|preguntas|質問|问题待/i,
  ],
  [
    'conclusion',
    /root cause|\bfindings?\b|\bconclusions?\b|takeaways?|lessons|\binsights?\b|\bursachen?\b|原因|结论|結論/i,
  ],
  [
    'decision',
    /\bdecisions?\b|\bdecided\b|\bagreed\b|\bchosen\b|\bconventions?\b|\brules\b|entscheidung|décisions?|decisiones|決定|决定/i,
  ],
  [
    'todo',
    /next steps?|\bto-?dos?\b|\bremaining\b|follow[- ]?ups?|action items?|open (?:items|points)|\btasks?\b|\broadmap\b|\bneed(?:s|ed)? to\b|\bacceptance\b|\bverif(?:y|ication)\b|nächste schritte|offene punkte|prochaines étapes|próximos pasos|次のステップ|下一步|待办/i,
  ],
  [
    'problem',
    /\bproblems?\b|\bissues?\b|\bbugs?\b|\brisks?\b|\blimitations?\b|\bsymptoms?\b|\berrors?\b|\bfriction\b|\bblockers?\b|\bcaveats?\b|\bfailures?\b|fehler|erreurs?|fallos|問題|问题/i,
  ],
  ['solution', /\bfix(?:e[sd])?\b|\bsolutions?\b|workarounds?|\bresolution\b|lösung|解決|解决/i],
];
const CHANGES =
  /\bchanges?\b|\bchanged\b|\bimplemented\b|what (?:i|was|we) (?:did|done|built)|\bsummary\b|\bmodified files?\b|\bnew files?\b|\bupdates?\b|änderungen|modifications|cambios|変更|修改/i;
/** A plan tells how things will be as often as what to do: only its wording says which. */
const PLANS = /\bplan(?:ned)?\b|\bimplementation\b|\brequirements?\b/i;
const BACKGROUND =
  /\bcontext\b|\bbackground\b|\boverview\b|\bcurrent(?: state)?\b|\bbefore\b|kontext|contexte|contexto|背景|概要/i;

export function meaningOf(heading: string, role: Turn['role']): Intent | undefined {
  if (BACKGROUND.test(heading)) return 'context';
  for (const [intent, pattern] of MEANINGS) if (pattern.test(heading)) return intent;
  if (CHANGES.test(heading) && role === 'assistant' && !PLANS.test(heading)) return 'solution';
  return undefined;
}
