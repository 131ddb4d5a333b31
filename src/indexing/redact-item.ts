// Takes secrets and private passages out of what was said before anything looks at it: no idea, span, relation or state ever
// holds one.

import { maskText } from '../safety/mask-text.ts';
import type { TraceItem } from '../traces/trace.ts';

export function redactItem(item: TraceItem): TraceItem {
  if (item.kind === 'turn') return masked(item, 'text');
  switch (item.event) {
    case 'commit':
      return masked(item, 'subject');
    case 'answer':
      return masked(masked(item, 'question'), 'answer');
    case 'failure':
      return masked(masked(item, 'tried'), 'text');
    case 'page':
      return masked(masked(item, 'source'), 'text');
    case 'plan':
    case 'todo':
      return masked(item, 'text');
    default:
      return item;
  }
}

function masked<Item extends { readonly [key in Key]: string }, Key extends string>(item: Item, key: Key): Item {
  const text = maskText(item[key]);
  return text === item[key] ? item : { ...item, [key]: text };
}
