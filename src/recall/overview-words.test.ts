import { describe, expect, it } from 'vitest';
import { readOverview } from './overview-words.ts';
import { readDates } from './time/dates.ts';

const NOW = Date.parse('2026-11-18T11:00:00Z');
const overview = (query: string): string | undefined => {
  const { rest, phrase } = readDates(query, NOW, 'UTC');
  return readOverview(rest, phrase !== undefined);
};

describe('an overview is asked for', () => {
  it.each([
    ['done', 'what did we do last week'],
    ['done', 'What did we do yesterday?'],
    ['done', 'what did we do today'],
    ['done', 'what did we do on Monday'],
    ['done', 'what did we do in March'],
    ['done', 'what did I work on yesterday'],
    ['done', 'what have we done so far'],
    ['done', 'what have we been working on this week'],
    ['done', 'what happened yesterday'],
    ['done', 'what changed since Monday'],
    ['done', 'what got done last week?'],
    ['done', 'what was fixed last week'],
    ['done', 'what did we merge on Friday'],
    ['done', 'summarise last week'],
    ['done', 'Summarize the last two weeks, please'],
    ['done', 'give me a summary of last week'],
    ['done', 'recap of yesterday'],
    ['done', 'show me the work of last week'],
    ['done', 'last week'],
    ['done', 'yesterday?'],
    ['done', 'can you tell me what we did yesterday'],
    ['done', "what's new since Friday"],
    ['done', 'was haben wir letzte Woche gemacht'],
    ['done', 'Was ist gestern passiert?'],
    ['done', 'fasse die letzte Woche zusammen'],
    ['done', "qu'avons-nous fait la semaine dernière"],
    ['done', "qu'est-ce qu'on a fait hier ?"],
    ['done', 'résume la semaine dernière'],
    ['done', '¿Qué hicimos la semana pasada?'],
    ['done', 'qué pasó ayer'],
    ['done', 'resumen de la semana pasada'],
    ['done', '先週何をした？'],
    ['done', '上周做了什么'],
    ['open', 'what is still open'],
    ['open', "what's left"],
    ['open', 'what is left to do?'],
    ['open', 'what is unfinished'],
    ['open', 'what remains'],
    ['open', 'any loose ends?'],
    ['open', 'is there anything left to do'],
    ['open', "what's next"],
    ['open', 'what should we do next'],
    ['open', 'what did we leave unfinished last week'],
    ['open', 'was ist noch offen?'],
    ['open', 'was fehlt noch'],
    ['open', "qu'est-ce qui reste à faire"],
    ['open', 'que reste-t-il à faire ?'],
    ['open', '¿qué queda por hacer?'],
    ['open', 'qué falta'],
    ['status', 'where were we'],
    ['status', 'where were we?'],
    ['status', 'where did we leave off'],
    ['status', "what's the status"],
    ['status', 'status'],
    ['status', 'what is the current state of the project'],
    ['status', 'catch me up'],
    ['status', 'bring me up to speed please'],
    ['status', 'what were we working on'],
    ['status', 'what was I doing'],
    ['done', 'what was I doing yesterday'],
    ['status', 'wo waren wir stehen geblieben'],
    ['status', 'was ist der Stand?'],
    ['status', 'où en étions-nous ?'],
    ['status', '¿en qué quedamos?'],
    ['status', 'ponme al día'],
  ])('%s: "%s"', (kind, query) => expect(overview(query)).toBe(kind));

  it.each([
    ...['what did we do about logging last week', 'what happened to the importer', 'what did we decide last week'],
    ...['where were we storing the sessions', 'status code of the health check', 'what is still open about the parser'],
    ...['summarise the migration plan', 'what changed in the schema', 'list the files', 'review the pull request'],
    ...['what is left join', 'open questions', 'todos', 'next steps', 'decisions last week', 'show me the parser'],
    ...['what is the status of the release', 'fix the bug', 'how did we fix it', 'what is the state machine doing'],
    ...['auth gateway last week', 'what failed yesterday', 'go over the top'],
  ])('not by "%s"', (query) => expect(overview(query)).toBeUndefined());
});
