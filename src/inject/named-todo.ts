// Which of the things that are left to do a prompt names: "add read-write sharing", where that stands on a list since March. Whoever begins with it
// wants to know that it was put off, and where it was written down. Pure: words against words.

import { indexWords } from '../store/index-words.ts';
import type { Document } from '../store/store.ts';
import type { PromptParts } from './prompt-parts.ts';
import { NAMED_TODO } from './told-table.ts';

/** The name of the list that it stood in, and the file or the numbers behind it. */
const LIST_HEAD = /^[^:|]{3,60}: /;
const BEHIND = /\([^()]*\)(?=\s*(?:\||$))/g;
/** A row of a table: its number, its place and its age say nothing about it. */
const CELL = /\|/;
const TAIL_CELL = /^\s*(?:\d+\s?[a-z]?(?: ago)?|[\w-]+|)\s*$/i;

/** Its own words, as people would name it. */
export function nameOfTodo(text: string): string {
  const bare = text.replace(LIST_HEAD, '').replace(BEHIND, '');
  if (!CELL.test(bare)) return bare;
  const cells = bare.split('|').filter((cell) => !TAIL_CELL.test(cell));
  return cells.join(' ').trim() || bare;
}

/** A plan says itself what it is, and so does whoever says much; one word names nothing. */
export const mayNameTodo = ({ telling, isPlan }: PromptParts): boolean =>
  !isPlan && telling.length >= NAMED_TODO.fewestWords && telling.length <= NAMED_TODO.mostPrompt;

/** The one that the prompt names, if it names one: `todos` in the order in which they are to be preferred. */
export function namedTodo(
  todos: readonly Document[],
  asked: PromptParts,
  isTelling: (word: string) => boolean,
): Document | undefined {
  const { fewestWords, ofTodo, ofPrompt } = NAMED_TODO;
  if (!mayNameTodo(asked)) return undefined;
  const said = new Set(asked.telling);
  let best: { readonly todo: Document; readonly share: number } | undefined;
  for (const todo of todos) {
    const words = [...new Set(indexWords(nameOfTodo(todo.text)))].filter(isTelling);
    const shared = words.filter((word) => said.has(word)).length;
    const share = shared / Math.max(1, words.length);
    if (shared < fewestWords || share < ofTodo || shared < ofPrompt * said.size) continue;
    if (share > (best?.share ?? 0)) best = { todo, share };
  }
  return best?.todo;
}
