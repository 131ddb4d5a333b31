// Follows a list of tasks that is written anew with every change, and tells only what is new: a task the first time it is
// seen, and when it is settled. That work on it has begun says nothing that anybody looks for later.

import { maskText } from '../safety/mask-text.ts';

export type Todo = readonly [text: string, state: string];

const SETTLED = new Set(['completed', 'cancelled', 'deleted']);
const MOST = 100;
const MAX_LENGTH = 1_000;

export function followTodos(
  known: readonly Todo[],
  listed: readonly Todo[],
): { known: readonly Todo[]; changed: readonly Todo[] } {
  const states = new Map(known);
  const changed: Todo[] = [];
  for (const [whole, state] of listed) {
    const text = maskText(whole).trim().slice(0, MAX_LENGTH);
    if (text === '') continue;
    const before = states.get(text);
    if (before === undefined || (before !== state && SETTLED.has(state))) changed.push([text, state]);
    states.delete(text);
    states.set(text, state);
  }
  return { known: [...states].slice(-MOST), changed };
}
