// The words by which people name times, of the languages that are written in letters; time-words of one language are looked for
// together, never mixed with those of another: “mars” is a month in French and a planet in English.

import { lazy } from '../../model/lazy.ts';

/** What a word does in a phrase that names a time. */
export type Tag =
  | 'month'
  | 'weekday'
  | 'number'
  | 'unit'
  | 'weekend'
  | 'last'
  | 'beforeLast'
  | 'this'
  | 'next'
  | 'ago'
  | 'agoBefore'
  | 'about'
  | 'today'
  | 'yesterday'
  | 'dayBeforeYesterday'
  | 'since'
  | 'from'
  | 'after'
  | 'before'
  | 'until'
  | 'to'
  | 'between'
  | 'and'
  | 'in'
  | 'on'
  | 'onwards'
  | 'of'
  | 'partOfMonth'
  | 'partOfDay'
  | 'clockWord'
  | 'article'
  | 'pronoun';

/** `value`: of a month 0…11, of a weekday 0…6 from Sunday, of a number itself, of a unit its place in UNITS. */
export type TimeWord = {
  readonly tag: Tag;
  readonly value?: number;
  /** A short form, or a word that mostly means something else: it names a time only where its neighbours say so. */
  readonly doubtful?: true;
  readonly plural?: true;
};

export const UNITS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

type Language = {
  /** Forms of the same are parted by a bar, what comes after a plus is doubtful. */
  readonly months: string;
  readonly weekdays: string;
  readonly numbers: string;
  /** In the order of UNITS: one / many. */
  readonly units: string;
  /** Small words that no other of these languages has: whoever uses one speaks it. */
  readonly small?: string;
  /** Phrases of up to three words, parted by commas. */
  readonly words: { readonly [tag in Tag]?: string };
};

const ENGLISH: Language = {
  months:
    'january|+jan february|+feb +march|+mar april|+apr +may june|+jun july|+jul august|+aug september|+sep|+sept october|+oct november|+nov december|+dec',
  weekdays:
    'sunday|+sun monday|+mon tuesday|+tue|+tues wednesday|+wed thursday|+thu|+thur|+thurs friday|+fri saturday|+sat',
  numbers: 'zero a|an|one two|couple three|few|several four five six seven eight nine ten eleven twelve',
  units: 'hour/hours day/days week/weeks month/months quarter/quarters year/years',
  words: {
    weekend: 'weekend',
    last: 'last,past,previous',
    beforeLast: 'before last',
    this: 'this,current',
    next: 'next,coming,upcoming,every,each',
    ago: 'ago,back',
    about: 'about,around,roughly,approximately,some,circa',
    today: 'today,earlier today,tonight',
    yesterday: 'yesterday',
    dayBeforeYesterday: 'day before yesterday',
    since: 'since,starting,beginning',
    from: 'from',
    after: 'after',
    before: 'before,prior to',
    until: 'until,till,by,up to',
    to: 'to,through,thru',
    between: 'between',
    and: 'and',
    in: 'in,during,within,over,throughout',
    on: 'on,at',
    onwards: 'on,onwards,onward',
    of: 'of',
    partOfMonth: 'early,mid,late,end of,beginning of,start of,middle of,week of,half of',
    partOfDay: 'morning,afternoon,evening,night,noon,midnight,lunchtime',
    clockWord: 'at,around,right,shortly,just,after,before,about,am,pm,oclock,in,early,late',
    article: 'the,couple of',
    pronoun: 'we,i,you,it,he,she,they,be,have,not,need,also,the,this,that,cause,fail,break,well,or',
  },
};

const GERMAN: Language = {
  months:
    'januar|jänner|+jan februar|feber|+feb märz|maerz april|+apr mai juni|+jun juli|+jul august|+aug september|+sep|+sept oktober|+okt november|+nov dezember|+dez',
  weekdays: 'sonntag montag dienstag mittwoch donnerstag freitag samstag|sonnabend',
  numbers: 'null ein|eine|einer|einem|einen zwei drei|paar|einigen vier fünf sechs sieben acht neun zehn elf zwölf',
  units:
    'stunde/stunden tag/tage|tagen woche/wochen monat/monate|monaten|monats quartal/quartale jahr/jahre|jahren|jahres',
  words: {
    weekend: 'wochenende',
    last: 'letzte,letzter,letzten,letztes,letztem,vergangene,vergangener,vergangenen,vergangenes,vorige,voriger,vorigen,voriges',
    beforeLast: 'vorletzte,vorletzter,vorletzten,vorletztes',
    this: 'diese,dieser,diesen,dieses,diesem,aktuelle,aktuellen,laufenden',
    next: 'nächste,nächster,nächsten,nächstes,kommende,kommenden,kommender,jeden,jede,jedes',
    about: 'etwa,ungefähr,rund,circa,ca',
    today: 'heute',
    yesterday: 'gestern',
    dayBeforeYesterday: 'vorgestern',
    since: 'seit,ab',
    from: 'von,vom',
    after: 'nach',
    before: 'vor',
    until: 'bis,bis zum,bis zu',
    between: 'zwischen',
    and: 'und',
    in: 'in,im,während',
    on: 'am,an,übers,über',
    onwards: 'an',
    of: 'des,der',
    partOfMonth: 'anfang,mitte,ende',
    partOfDay: 'morgen,früh,vormittag,mittag,nachmittag,abend,nacht,mitternacht,morgens,abends,nachts',
    clockWord: 'um,gegen,uhr,kurz,nach,vor,in',
    article: 'der,die,das,dem,den,des',
  },
};

const FRENCH: Language = {
  months: 'janvier février|fevrier mars avril mai juin juillet août|aout septembre octobre novembre décembre|decembre',
  weekdays: 'dimanche lundi mardi mercredi jeudi vendredi samedi',
  numbers: 'zéro un|une deux trois|quelques quatre cinq six sept huit neuf dix onze douze',
  small:
    'nous vous je tu avons fait qu que qui est et le la les une dans avec pour sur quoi quel quelle pas ce cette avez été',
  units: 'heure/heures jour|journée/jours semaine/semaines mois/mois trimestre/trimestres an|année/ans|années',
  words: {
    weekend: 'week end,weekend',
    last: 'dernier,dernière,derniers,dernières,derniere,passé,passée,précédent,précédente',
    beforeLast: 'avant dernier,avant dernière',
    this: 'ce,cet,cette,ces',
    next: 'prochain,prochaine,chaque,tous les',
    agoBefore: 'il y a,y a',
    about: 'environ,vers,à peu près',
    today: 'aujourd hui',
    yesterday: '+hier', // the German word for here
    dayBeforeYesterday: 'avant hier',
    since: 'depuis,depuis le,dès,à partir de,à partir du',
    from: 'du',
    after: 'après',
    before: 'avant',
    until: 'jusqu à,jusqu au,jusqu en,jusque',
    to: 'à,au,et',
    between: 'entre',
    and: 'et',
    in: 'en,dans,pendant,durant,au cours de,au cours des,au mois de,au mois d',
    on: 'le',
    of: 'de,du,des,d',
    partOfMonth: 'début,fin,mi',
    partOfDay: 'matin,midi,soir,nuit,minuit,après midi',
    clockWord: 'à,vers,peu,après,avant',
    article: 'le,la,les,l',
  },
};

const SPANISH: Language = {
  months: 'enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre',
  weekdays: 'domingo lunes martes miércoles|miercoles jueves viernes sábado|sabado',
  numbers: 'cero un|una|uno dos|par tres|unos|unas|pocos cuatro cinco seis siete ocho nueve diez once doce',
  units: 'hora/horas día|dia/días|dias semana/semanas mes/meses trimestre/trimestres año/años',
  words: {
    weekend: 'fin de semana,finde',
    last: 'pasado,pasada,pasados,pasadas,último,última,últimos,últimas,ultimo,ultima,ultimos,ultimas,anterior',
    beforeLast: 'antepasado,antepasada',
    this: 'este,esta,estos,estas',
    next: 'próximo,próxima,cada,todos los,que viene',
    ago: 'atrás',
    agoBefore: 'hace',
    about: 'unos,unas,aproximadamente,alrededor de,cerca de',
    today: 'hoy,esta mañana,esta tarde,esta noche',
    yesterday: 'ayer,anoche',
    dayBeforeYesterday: 'anteayer,antier,antes de ayer',
    since: 'desde,desde el,a partir de,a partir del',
    after: 'después de,después del,tras',
    before: 'antes de,antes del',
    until: 'hasta,hasta el',
    to: 'a,al,hasta,hasta el',
    between: 'entre',
    and: 'y',
    in: 'en,durante',
    on: 'el',
    of: 'de,del',
    partOfMonth: 'principios de,mediados de,finales de,fines de,inicio de',
    partOfDay: 'mañana,mediodía,tarde,noche,medianoche',
    clockWord: 'a,las,la,por,de,sobre',
    article: 'el,la,los,las,lo',
  },
};

/** Words and phrases of a language, each with all that it may mean. */
export type TimeWords = { readonly words: ReadonlyMap<string, readonly TimeWord[]> };

/** No phrase names a time without one of these words, or without digits: looking for them takes no time, the tables do. */
function neededOf({ months, weekdays, units, words }: Language): ReadonlySet<string> {
  const { weekend = '', today = '', yesterday = '', dayBeforeYesterday = '', partOfDay = '' } = words;
  const all = [months, weekdays, units, weekend, today, yesterday, dayBeforeYesterday, partOfDay].join(' ');
  return new Set(
    all
      .replaceAll('+', '')
      .split(/[ ,|/]/)
      .filter((word) => word.length > 1),
  );
}

type Spoken = {
  readonly needed: () => ReadonlySet<string>;
  readonly table: () => TimeWords;
  readonly isSpokenIn: (words: readonly string[]) => boolean;
};

export const LANGUAGES: readonly Spoken[] = [ENGLISH, GERMAN, FRENCH, SPANISH].map((language) => ({
  needed: lazy(() => neededOf(language)),
  table: lazy(() => tableOf(language)),
  isSpokenIn: (words) => (language.small ?? '').split(' ').some((word) => words.includes(word)),
}));

function tableOf(language: Language): TimeWords {
  const words = new Map<string, TimeWord[]>();
  const add = (written: string, word: TimeWord): void => {
    words.set(written, [...(words.get(written) ?? []), word]);
  };
  const addAll = (tag: Tag, list: string): void => {
    for (const [value, forms] of list.split(' ').entries())
      for (const form of forms.split('|'))
        add(form.replace('+', ''), { tag, value, ...(form.startsWith('+') ? { doubtful: true } : {}) });
  };
  addAll('month', language.months);
  addAll('weekday', language.weekdays);
  addAll('number', language.numbers);
  for (const [value, forms] of language.units.split(' ').entries())
    for (const [place, alike] of forms.split('/').entries())
      for (const form of alike.split('|')) add(form, { tag: 'unit', value, ...(place === 1 ? { plural: true } : {}) });
  for (const [tag, list] of Object.entries(language.words))
    for (const form of list.split(','))
      add(form.replace('+', ''), { tag: tag as Tag, ...(form.startsWith('+') ? { doubtful: true } : {}) });
  return { words };
}
