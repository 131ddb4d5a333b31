// The phrases by which a query tells which kind of statement it wants: asked for in passing ("what did we decide about"), or named
// plainly ("decisions", "open questions", "todos"), which then limits what is looked at.

import { lazy } from '../model/lazy.ts';

export type AskedKind = 'decision' | 'conclusion' | 'question' | 'problem' | 'solution' | 'todo' | 'preference';

export type KindPhrase = {
  readonly kind: AskedKind;
  /** What no match does without: looking for that takes no time, while Node takes a millisecond to make a pattern ready. */
  readonly needed: readonly string[];
  /** With the words that are about asking, so that they are not searched for. */
  readonly asked: () => RegExp;
  /** The kind by its name. */
  readonly named: () => RegExp;
};

/** What may stand before the name: “show me all our open …”. */
const LEAD =
  "(?:(?:show|list|tell|give|find|get|me|us|please|what|what's|which|are|were|is|there|the|all|our|my|any|some|recent|latest|new|known|past|of|" +
  'welche|alle|unsere|die|zeige?|gab es|quelles|quels|toutes|tous|les|nos|qué|cuáles|todas|todos|las|los|nuestras)\\s+)*';
const ABOUT =
  '(?:about|on|regarding|for|around|concerning|from|of|in|with|since|between|made|we|did|have|had|that|were|are|was|over|to|über|zu|zum|zur|aus|von|vom|seit|im|bei|mit|sur|de|du|des|dans|avec|à|depuis|sobre|en|con|del|desde)';

/** The name begins the query and stands before what it is about, or ends it: “the bugs bunny suite” and “fix the findings” name no kind. */
const named = (words: string, cjk: string): (() => RegExp) =>
  lazy(
    () =>
      new RegExp(
        `^[\\s"'¿]*${LEAD}(?:${words})(?=\\s+${ABOUT}(?![\\p{L}-])|\\s*(?:$|[?:,;.!](?:\\s|$)))|(?:${cjk})(?=[はをが？?。\\s]*(?:$|何|有|是))`,
        'iu',
      ),
  );

export const KIND_PHRASES: readonly KindPhrase[] = [
  {
    kind: 'decision',
    needed: [
      'decid',
      'decision',
      'choose',
      'chosen',
      'chose',
      'settle',
      'agree',
      'pick',
      'go with',
      'entsch',
      'décision',
      'decisi',
      '決',
      '决',
    ],
    asked: lazy(
      () =>
        /\b(?:(?:what|why|how) (?:did|have|had) (?:we|i|you) (?:decided?|cho?ose|chosen|settled? on|agreed?(?: on)?|pick(?:ed)?)|what (?:was|were|has been) (?:decided|agreed|settled)|(?:our |my |the )?decisions? (?:about|on|regarding|for|around)|decisions|why did we (?:choose|pick|go with))\b|\bwas (?:haben wir|wurde) (?:\S+ ){0,4}entschieden\b|qu['’]avons[- ]nous décidé|qué decidimos/i,
    ),
    named: named(
      'decisions|decision(?= (?:about|on|regarding))|entscheidungen|décisions|decisiones',
      '決定事項|決定|决定',
    ),
  },
  {
    kind: 'question',
    needed: ['question', 'issue', 'still', 'left', 'frage', 'ouvert', 'pregunta', '質問', '未解決', '问题'],
    asked: lazy(
      () =>
        /\b(?:open|unanswered|unresolved|outstanding|pending) (?:questions?|issues?)|\b(?:still|left) (?:open|unanswered|unresolved)\b|\bquestions? (?:about|on|regarding)\b|^questions$/i,
    ),
    named: named(
      '(?:open|unanswered|unresolved|outstanding|pending) questions?|questions|offene fragen|questions ouvertes|preguntas abiertas',
      '未解決の質問|質問|未决问题',
    ),
  },
  {
    kind: 'problem',
    needed: [
      'problem',
      'issue',
      'bug',
      'error',
      'trouble',
      'failure',
      'pitfall',
      'friction',
      'wrong',
      'broke',
      'fail',
      'fehler',
      'erreur',
      '問題',
      'バグ',
    ],
    asked: lazy(
      () =>
        /\b(?:problems?|issues?|bugs?|errors?|trouble|failures?|pitfalls?|friction) (?=)(?:with|in|about|on|around|we had|did we)\b|\bwhat (?:went wrong|broke|failed)\b|\bwhy did .{1,60} fail\b/i,
    ),
    named: named(
      'problems|bugs|failures|pitfalls|probleme|fehler|problèmes|bugs|erreurs|problemas|errores',
      '問題点|バグ|故障',
    ),
  },
  {
    kind: 'solution',
    needed: ['fix', 'solv', 'solution', 'repair', 'around', 'remed', 'lösung', 'solucion', '解決策', '解决方案'],
    asked: lazy(
      () =>
        /\b(?:how (?:did|do|have) (?:we|i|you) (?=)(?:fix|fixed|solve|solved|resolve|resolved|repair|work around|get around)|how was .{1,60} (?:fixed|solved|resolved)|(?:fix|solution|workaround|remedy) (?:for|to|of)|(?:solutions?|fixes|workarounds) (?:for|to|about))\b/i,
    ),
    named: named('fixes|solutions|workarounds|remedies|lösungen|solutions|correctifs|soluciones', '解決策|解决方案'),
  },
  {
    kind: 'todo',
    needed: [
      'to-do',
      'to do',
      'todo',
      'open',
      'next',
      'left',
      'still',
      'remaining',
      'unfinished',
      'pending',
      'done yet',
      'postpone',
      'put off',
      'deferred',
      'aufgabe',
      'tâche',
      'tarea',
      'pendiente',
      '待办',
      '課題',
    ],
    asked: lazy(
      () =>
        /\b(?:to-?dos?|open (?:tasks?|items?|points?|work)|next steps?|left to do|still (?:to do|open|missing|pending)|(?:remaining|pending|outstanding) (?:work|tasks?|items?)|(?:what(?:'s| is| was)?|anything|something|nothing) (?:still )?left(?: to do)?(?! of\b)|not (?:yet )?done(?: yet)?|(?:did|have) (?:we|i|you) (?:postponed?|put off|deferr?(?:ed)?)|unfinished)\b/i,
    ),
    named: named(
      '(?:open |pending )?to-?dos|(?:open|pending|outstanding|remaining) (?:tasks|items|points|to-?dos?)|next steps|(?:offene )?(?:todos|aufgaben|punkte)|tâches(?: restantes| ouvertes)?|tareas(?: pendientes)?',
      '残タスク|未完了のタスク|待办(?:事项)?',
    ),
  },
  {
    kind: 'conclusion',
    needed: ['learn', 'lesson', 'find', 'found', 'conclu', 'discover', 'insight', 'erkenntnis', 'leçon', 'leccion'],
    asked: lazy(
      () =>
        /\b(?:what (?:did|have) (?:we|i|you) (?=)(?:learn(?:ed|t)?|find out|found out|conclude[d]?|discover(?:ed)?)|lessons? (?:learned|learnt|about|from)|(?:findings?|conclusions?|insights?) (?:about|on|from|regarding))\b/i,
    ),
    named: named(
      'lessons(?: learned| learnt)?|conclusions|insights|findings|erkenntnisse|leçons|conclusions|conclusiones|lecciones',
      '結論|结论',
    ),
  },
  {
    kind: 'preference',
    needed: ['preference', 'prefer', 'vorliebe', 'préférence', 'preferencia'],
    asked: lazy(
      () =>
        /\b(?:(?:our|my|the|user) preferences?|preferences? (?:about|for|on|regarding)|what do (?:i|we) (?:prefer|like|want)|how do (?:i|we) (?:prefer|like) (?:it|to))\b/i,
    ),
    named: named('(?:user )?preferences|vorlieben|préférences|preferencias', '好み|偏好'),
  },
];
