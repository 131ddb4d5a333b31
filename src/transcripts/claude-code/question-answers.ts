// What the agent asked its user (AskUserQuestion), and what they answered: chosen, in words of their own, or as a note beside the choice.

import { maskText } from '../../safety/mask-text.ts';
import { type Fields, fieldsOf, wordsOf } from '../fields.ts';

const MOST_QUESTIONS = 12;
export const MAX_QUESTION = 2_000;
/** What the client tells the model below the answers. */
const CLIENT_REMARK = /\.? (?:You can now continue with|Read the answers carefully)[\s\S]*$/;
const NOTHING_CHOSEN = /^\(no option selected\)$/;

export function questionsOf(input: Fields): string[] {
  const asked = Array.isArray(input.questions) ? input.questions : [input];
  return asked
    .flatMap((each) => wordsOf(fieldsOf(each)?.question) ?? [])
    .slice(0, MOST_QUESTIONS)
    .map((question) => maskText(question).slice(0, MAX_QUESTION));
}

/** Pairs of question and answer: from the structured result, else from its text (`"question"="answer"`). */
export function answersOf(questions: readonly string[], result: unknown, text: string): [string, string][] {
  const given = fieldsOf(fieldsOf(result)?.answers);
  if (!given) return questions.flatMap((question) => answerIn(text, question, questions) ?? []);
  const notes = fieldsOf(fieldsOf(result)?.annotations) ?? {};
  return [...new Set([...Object.keys(given), ...Object.keys(notes)])].flatMap((question): [string, string][] => {
    const answer = Object.hasOwn(given, question) ? given[question] : undefined;
    const chosen = Array.isArray(answer) ? answer.filter((each) => typeof each === 'string').join(', ') : answer;
    const note = wordsOf(fieldsOf(Object.hasOwn(notes, question) ? notes[question] : undefined)?.notes)?.trim();
    const answered = withNote(wordsOf(chosen)?.trim(), note);
    return answered === undefined || question.trim() === '' ? [] : [[question, answered]];
  });
}

/** Who chose nothing may still have written something. */
function withNote(answer: string | undefined, note: string | undefined): string | undefined {
  if (!answer || NOTHING_CHOSEN.test(answer)) return note;
  return note && !answer.includes(note) ? `${answer} (${note})` : answer;
}

/**
 * An answer may hold quotes: it ends where the next question begins, or with the last quote before what the client adds. Where the user
 * would rather talk about the questions first, what they had answered until then stands below each of them.
 */
function answerIn(text: string, question: string, questions: readonly string[]): [[string, string]] | undefined {
  const start = placeOf(text, question, 0);
  if (start === -1) return undefined;
  const from = text.indexOf('"', start) + question.length + 2;
  const next = questions.map((other) => placeOf(text, other, from)).filter((at) => at !== -1);
  const rest = text.slice(from, next.length > 0 ? Math.min(...next) : text.length).replace(CLIENT_REMARK, '');
  const chosen = /^="([\s\S]*)"/.exec(rest)?.[1] ?? /^\s*Answer: (.+)/.exec(rest)?.[1];
  const note = /(?:^=\(no option selected\) notes: | user notes: |\n\s*User notes: )([\s\S]*)$/.exec(rest)?.[1];
  const answered = withNote(chosen?.trim(), note?.replace(/(?:, |\.|\n-)?\s*$/, '').trim());
  return answered ? [[question, answered]] : undefined;
}

function placeOf(text: string, question: string, from: number): number {
  const answered = text.indexOf(`"${question}"=`, from);
  return answered === -1 ? text.indexOf(`- "${question}"\n`, from) : answered;
}
