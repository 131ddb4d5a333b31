// Takes secrets and private passages out of what was said before anything looks at it: no idea, span, relation or state ever
// holds one. A line was masked before; here it is looked at once more, because a turn joins what stood in several blocks.

import type { TraceItem } from '../../model/trace.ts';
import { removePrivate } from '../../safety/private-tags.ts';

type Mask = (text: string) => string;

export function redactItem(item: TraceItem, mask: Mask): TraceItem {
  const masked = <Item extends TraceItem, Key extends keyof Item>(each: Item, key: Key): Item => {
    const before = each[key] as string;
    const after = mask(/<[\s/]*private/i.test(before) ? removePrivate(before).trim() : before);
    return after === before ? each : { ...each, [key]: after };
  };
  if (item.kind === 'turn') return masked(item, 'text');
  const maskedIf = <Item extends TraceItem, Key extends keyof Item>(each: Item, key: Key): Item =>
    each[key] === undefined ? each : masked(each, key);
  switch (item.event) {
    case 'commit':
      return maskedIf(masked(item, 'subject'), 'body');
    case 'committed':
      return masked(item, 'subject');
    case 'pull-request':
      return maskedIf(maskedIf(masked(item, 'title'), 'body'), 'url');
    case 'revert':
      return masked(item, 'what');
    case 'compaction':
      return maskedIf(item, 'summary');
    case 'plan-verdict':
      return maskedIf(item, 'words');
    case 'success':
      return masked(item, 'tried');
    case 'answer':
      return masked(masked(item, 'question'), 'answer');
    case 'failure':
      return masked(masked(item, 'tried'), 'text');
    case 'page':
      return masked(masked(item, 'source'), 'text');
    case 'plan':
    case 'title':
    case 'todo':
      return masked(item, 'text');
    case 'files': {
      const files = item.files.map((file) => mask(file));
      return files.every((file, index) => file === item.files[index]) ? item : { ...item, files };
    }
    case 'work':
    case 'interrupted':
      return item;
  }
}
