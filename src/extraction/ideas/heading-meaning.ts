// What a heading, or the sentence before a list, says about all that stands below it: “Next steps” makes todos of items
// that only name a thing. Words are looked up rather than matched by patterns: every worker reads a few headings, and making a
// dozen patterns for the letters of all languages ready took longer than all else it does with them.

import type { Intent, Turn } from '../../model/trace.ts';

/** Whole words, and pieces that may stand anywhere. */
type Signs = { readonly words: ReadonlySet<string>; readonly pieces: readonly string[] };

const signs = (words: string, ...pieces: readonly string[]): Signs => ({
  words: new Set(words.split(' ')),
  pieces: pieces.flatMap((each) => each.split('|')),
});

/** The first that fits. */
const MEANINGS: readonly (readonly [Intent, Signs])[] = [
  ['context', signs('context background overview current before', 'kontext|contexte|contexto|背景|概要')],
  ['question', signs('question questions unknowns', 'offene fragen|questions ouvertes|preguntas|質問|问题待')],
  [
    'conclusion',
    signs(
      'finding findings conclusion conclusions insight insights ursache ursachen',
      'root cause|takeaway|lessons|原因|结论|結論',
    ),
  ],
  [
    'decision',
    signs(
      'decision decisions decided agreed chosen convention conventions rules',
      'entscheidung|décision|decisiones|決定|决定',
    ),
  ],
  [
    'todo',
    signs(
      'todo todos remaining task tasks roadmap acceptance verify verification',
      'next step|to-do|followup|follow-up|follow up|action item|open items|open points|need to|needs to|needed to|nächste schritte|offene punkte|prochaines étapes|próximos pasos|次のステップ|下一步|待办',
    ),
  ],
  [
    'problem',
    signs(
      'problem problems issue issues bug bugs risk risks limitation limitations symptom symptoms error errors friction blocker blockers caveat caveats failure failures',
      'fehler|erreur|fallos|問題|问题',
    ),
  ],
  ['solution', signs('fix fixes fixed solution solutions resolution', 'workaround|lösung|解決|解决')],
];
const CHANGES = signs(
  'change changes changed implemented summary update updates',
  'what i did|what i done|what i built|what was did|what was done|what was built|what we did|what we done|what we built|modified file|new file|änderungen|modifications|cambios|変更|修改',
);
/** A plan tells how things will be as often as what to do: only its wording says which. */
const PLANS = signs('plan planned implementation requirement requirements');

export function headingMeaning(heading: string, role: Turn['role']): Intent | undefined {
  const text = heading.toLowerCase();
  const words = text.match(/\w+/g) ?? [];
  const has = (sought: Signs): boolean =>
    words.some((word) => sought.words.has(word)) || sought.pieces.some((piece) => text.includes(piece));
  for (const [intent, sought] of MEANINGS) if (has(sought)) return intent;
  return role === 'assistant' && has(CHANGES) && !has(PLANS) ? 'solution' : undefined;
}
