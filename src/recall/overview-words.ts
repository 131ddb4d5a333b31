// Questions that ask for an overview and not for something: what was done, what is still open, where things stand. Nothing but the
// phrase and a time may be in them: “what did we do last week about logging” asks for something.

import { lazy } from '../model/lazy.ts';

export type OverviewKind = 'done' | 'open' | 'status';

const WE = '(?:we|i|you|claude|they|the team|everyone)';
const DO =
  '(?:do|did|done|do all|work(?:ed)?(?: on)?|been doing|been working(?: on)?|been up to|get done|gotten done|got done|get through|accomplish(?:ed)?|achieve[d]?|finish(?:ed)?|complete[d]?|change[d]?|ship(?:ped)?|build|built|commit(?:ted)?|fix(?:ed)?|solve[d]?|implement(?:ed)?|add(?:ed)?|merge[d]?|release[d]?|manage to do)';
const ALL =
  '(?:the |our |my |all |this |everything |of |for |from |that |on |in |about |what (?:we|i) (?:did|have done) |what happened |a |an |short |quick |brief )*(?:work|day|days|week|month|year|sessions?|conversations?|project|changes|progress|activity|time|past|last|it|everything|what we did|what happened|what has happened)?';

const PHRASES: readonly (readonly [OverviewKind, readonly string[]])[] = [
  [
    'status',
    [
      `where (?:were|are|was|am) ${WE}(?: at)?(?: with (?:this|the project|it|things))?`,
      `where (?:did|have|do|had) ${WE} (?:stop|stopped|leave off|left off|leave it|leave things|left it|get to|got to|gotten to|stand)`,
      `where (?:we|i) (?:left off|were|stopped)`,
      `how (?:far|are we|are things|is it|is everything|is the project)(?: (?:did|have|are) ${WE}(?: (?:get|gotten|come|got))?| going| doing| coming along| along)?`,
      `(?:what is |whats |what's |give me |tell me |show me |how is )?(?:the |a |our )?(?:current |latest |project |short )*(?:status|state)(?: update| report)?(?: of (?:things|the project|play|affairs|this project|our work|everything|work))?`,
      'catch (?:me|us) up',
      '(?:bring|get) me (?:back )?up to (?:speed|date)',
      'fill me in',
      `what (?:did|have) i miss(?:ed)?`,
      `(?:remind me )?what (?:were|was|are) ${WE} (?:doing|working(?: on)?|up to|in the middle of|last doing|last working on|busy with)`,
      `(?:remind me )?what (?:we|i) (?:were|was) (?:doing|working on)`,
      `what is going on|what's going on|what's up|what is the latest|what's the latest`,
      'wo (?:waren|stehen|sind|standen) wir(?: stehen ?geblieben)?',
      'wo haben wir aufgehört',
      '(?:was|wie) ist der (?:aktuelle )?stand(?: der dinge)?|stand der dinge|status|wie ist der status',
      'bring mich auf (?:den )?(?:neuesten |aktuellen )?stand',
      'woran (?:waren|sind|arbeiten) wir(?: gerade)?',
      'où (?:en )?(?:étions|sommes|en étions|en sommes)[- ]nous|où en est[- ]on|où on en (?:est|était)',
      "quel est (?:le statut|l'état|l’état|l'avancement)(?: du projet| des choses)?",
      '(?:fais|faites)[- ]moi (?:un point|le point)|mets[- ]moi à jour|mettez[- ]moi à jour',
      '(?:¿)?(?:dónde|en qué) (?:estábamos|estamos|quedamos|nos quedamos|íbamos)',
      '(?:¿)?cuál es el estado(?: del proyecto| actual)?|ponme al (?:día|corriente)|(?:¿)?cómo vamos',
      'どこまで(?:やった|進んだ|進みました)か?|今の状況(?:は)?|进展如何|进度如何|我们到哪了|做到哪了',
    ],
  ],
  [
    'open',
    [
      `what(?:'s| is| are|s| was)? (?:still |yet )?(?:there )?(?:still )?(?:open|left|unfinished|pending|outstanding|missing|to do|to be done|remaining|undone|incomplete|not done|not finished|not done yet|unresolved|next)(?: open| over| undone| unfinished| to do| to be done| to finish| now)?`,
      `what (?:remains|needs doing|needs to be done|still needs doing|still needs to be done|has to be done|must be done)(?: to be done| open| to do)?`,
      `what (?:do|did|have|should|must) ${WE} (?:still )?(?:have to do|need to do|not finish|leave open|leave unfinished|leave undone|left open|to do|do next|do now|work on next)`,
      `(?:(?:is|are) there )?(?:any |anything |our |my |the |list |show |show me |all )*(?:(?:still )?(?:open|unfinished|pending|outstanding|remaining|left|undone) (?:ends|things|work|stuff|business|matters)|loose ends|anything (?:left|open|still open|unfinished|pending|outstanding)|(?:left|open|unfinished|pending) (?:to do)?)`,
      '(?:is|was) (?:there )?anything (?:still )?(?:left|open|unfinished|pending|outstanding|missing)(?: to do| open)?',
      'was (?:ist|wäre|bleibt|blieb|war) (?:noch |denn noch )?(?:offen|übrig|zu tun|unerledigt|unfertig|liegen ?geblieben|offen geblieben)',
      'was (?:fehlt|steht|müssen wir)(?: noch)?(?: (?:an|aus|tun|machen|offen))?|was haben wir (?:noch )?(?:offen|vor uns)',
      "qu['’]est[- ]ce qui (?:reste|est)(?: encore)?(?: à faire| ouvert| en suspens| inachevé| en cours)?|qu['’]est[- ]ce qu['’]il (?:nous )?reste(?: à faire)?",
      'que (?:nous )?reste[- ]t[- ]il(?: à faire)?|il reste quoi(?: à faire)?',
      '(?:¿)?qué (?:nos )?(?:queda|falta|sigue|hay|está|quedó)(?: todavía| aún)?(?: por hacer| pendiente| abierto| sin terminar)?',
      '残っている(?:こと|もの|タスク)は?(?:何)?(?:ですか)?|まだ終わっていない(?:こと|もの)は?|还有什么(?:没做完|没完成|未完成|没做|要做)|还剩(?:下)?什么',
    ],
  ],
  [
    'done',
    [
      `what (?:did|have|has|had|do|'ve|all did) ${WE} (?:all |been |just |already |actually |even )*${DO}(?: together| so far| here| all| then)?`,
      `what (?:did|have|had) ${WE} (?:talk(?:ed)? about|discuss(?:ed)?|cover(?:ed)?|push(?:ed)?|touch(?:ed)?)`,
      `(?:what|which) (?:topics?|commits?|changes|things|pull requests|prs) (?:did|have|had) ${WE} (?:make|made|push(?:ed)?|merge[d]?|open(?:ed)?|talk(?:ed)? about|discuss(?:ed)?|cover(?:ed)?|touch(?:ed)?|${DO})`,
      `what (?:have|has) ${WE} (?:all |already )?(?:been )?(?:doing|working(?: on)?)`,
      `what (?:we|i) (?:did|have done|worked on|got done|achieved)`,
      "what(?: all|s| has|'s)? (?:happened|was done|got done|went on|changed|happen|was worked on|was changed|was shipped|was finished|(?:was|were|got|been|have been|has been) (?:fixed|solved|repaired|implemented|built|added|merged|released|committed)|been done|been happening|new|is new)(?: here)?",
      `(?:give me |show me |tell me |make |write |can i have |i want |i need )?(?:a |an |the )?(?:short |quick |brief )?(?:summary|recap|overview|rundown|log|digest|report|review)(?: (?:of|for|about|on|over))? ?${ALL}`,
      `(?:summari[sz]e|recap|review|sum up|go over|list|show|show me) ${ALL}|summari[sz]e|recap|sum up`,
      '(?:our |my |the )?(?:work|activity|progress|changes|standup|stand-up|sessions)(?: from| of| in| for)?',
      'was (?:haben wir|habe ich|hast du|haben wir alles|wurde|wurden)(?: alles| so)? (?:gemacht|getan|geschafft|erledigt|geändert|gebaut|fertig gemacht|erreicht|bearbeitet)',
      'was (?:ist|war)(?: alles)? (?:passiert|geschehen|los)|woran (?:haben wir|habe ich) gearbeitet',
      '(?:fass|fasse|fassen sie)(?: mir)?(?: die| den| das| unsere)?(?: arbeit| woche| tag| monat| alles)? ?zusammen|(?:eine )?(?:zusammenfassung|übersicht|überblick)(?: von| der| des| über)?(?: die| den| der)?',
      "qu['’]avons[- ]nous fait|qu['’]est[- ]ce (?:qu['’]on a|que nous avons|que j['’]ai) fait|on a fait quoi|qu['’]ai[- ]je fait",
      "que s['’]est[- ]il passé|qu['’]est[- ]ce qui s['’]est passé|sur quoi avons[- ]nous travaillé",
      '(?:résume|résumer|résumez|récapitule)(?:[- ]moi)?(?: la| le| les| notre)?(?: semaine| travail| journée| mois)?|(?:un |le )?(?:résumé|récapitulatif|bilan)(?: de| du| de la| des)?',
      '(?:¿)?qué (?:hicimos|hemos hecho|hice|he hecho|se hizo|pasó|ha pasado|cambió|cambiamos|ocurrió)|(?:¿)?en qué (?:trabajamos|hemos trabajado|trabajé)',
      '(?:resume|resumir|haz(?:me)? un resumen(?: de)?|resumen(?: de| del)?)(?: la| el| los| nuestro)?(?: semana| trabajo| día| mes)?',
      '何をした(?:か|の|んだっけ)?|何をやった(?:か|っけ)?|何をしました(?:か)?|何があった(?:か)?|やったこと|まとめて|(?:我们)?做了(?:什么|些什么|哪些事)|(?:我们)?做了什麼|发生了什么|总结(?:一下)?',
    ],
  ],
];

const LEAD =
  '(?:(?:hi|hey|hello|ok|okay|so|and|now|please|can you|could you|would you|bitte|bitte mal|kannst du|s’il te plaît|por favor|tell me|show me|remind me|sag mir|dis[- ]moi|dime)[, ]+)*';
const TRAIL =
  '(?:[, ]+(?:please|again|exactly|so far|here|then|today|together|in this project|on this project|in the project|with this project|for me|bitte|noch|nochmal|hier|genau|en este proyecto|dans ce projet|in diesem projekt|on|at|from|of|in|the|for|der|la|le|el|de|であるか|吗))*';

const patterns = lazy(() =>
  PHRASES.map(([kind, phrases]) => [kind, new RegExp(`^${LEAD}(?:${phrases.join('|')})${TRAIL}$`, 'iu')] as const),
);

/** Long questions ask for something. */
const LONGEST = 120;

/** `rest`: the question without its time; `isTimed`: it names one. A time alone asks for what was done in it. */
export function readOverview(rest: string, isTimed: boolean): OverviewKind | undefined {
  if (rest.length > LONGEST) return undefined;
  const plain = rest
    .replace(/[?？!.。、¿¡"“”:;,]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain === '') return isTimed ? 'done' : undefined;
  if (!mayAsk(plain)) return undefined;
  const kind = patterns().find(([, pattern]) => pattern.test(plain))?.[0];
  // Where we were yesterday is what was done then.
  return kind === 'status' && isTimed ? 'done' : kind;
}

/** No phrase is without one of these words: making the patterns ready takes milliseconds, and most prompts have other ones. */
const FIRST_WORDS =
  'what whats which where how catch bring get fill remind status state project current give tell show summary summarise summarize recap overview rundown log digest report review sum go list is are any anything open unfinished pending outstanding remaining loose left our my the work activity progress changes standup sessions was wo wie woran stand fass fasse zusammenfassung übersicht überblick où quel quelle qu que il on sur fais faites mets mettez résume résumer résumez résumé récapitule récapitulatif bilan un le une eine a an dónde en cuál ponme cómo qué resume resumir resumen haz hazme hi hey hello ok okay so and now please can could would bitte kannst por dime dis sag';
const firstWords = lazy(() => new Set(FIRST_WORDS.split(' ')));

function mayAsk(plain: string): boolean {
  const [first = ''] = /^[a-z\u00c0-\u024f]+/.exec(plain.toLowerCase()) ?? [];
  return first === '' || firstWords().has(first);
}
