// Which commits an exchange made and which files it wrote, with their times, from its events.

import type { FileEdit, MadeCommit } from '../../model/exchange-work.ts';
import type { TraceEvent, TraceItem } from '../../model/trace.ts';

const MOST_MADE = 40;
const MOST_EDITS = 80;

/** A commit that was asked for, and what git answered to it, are one. What git answered alone (`--amend`) is one too. */
export function madeIn(items: readonly TraceItem[]): MadeCommit[] {
  const made: MadeCommit[] = [];
  for (const item of items) {
    const at = item.kind === 'event' ? seconds(item) : undefined;
    if (item.kind !== 'event' || at === undefined) continue;
    if (item.event === 'commit') made.push({ subject: item.subject, from: at, to: at });
    if (item.event !== 'committed') continue;
    const asked = made.findLastIndex(({ hash, subject }) => hash === undefined && isSame(subject, item.subject));
    const from = asked === -1 ? at : (made[asked]?.from ?? at);
    made.splice(asked === -1 ? made.length : asked, asked === -1 ? 0 : 1, {
      subject: item.subject,
      hash: item.hash,
      from,
      to: at,
    });
  }
  return made.slice(-MOST_MADE);
}

/** What git prints is masked and cut at another place than what was typed. */
const isSame = (asked: string, printed: string): boolean => asked.startsWith(printed) || printed.startsWith(asked);

export function editsIn(items: readonly TraceItem[]): FileEdit[] {
  const edits = new Map<string, FileEdit>();
  for (const item of items) {
    const at = item.kind === 'event' && item.event === 'files' && item.wrote ? seconds(item) : undefined;
    if (at === undefined || item.kind !== 'event' || item.event !== 'files') continue;
    for (const file of item.files) edits.set(file, { file, first: edits.get(file)?.first ?? at, last: at });
  }
  return [...edits.values()].slice(-MOST_EDITS);
}

const seconds = ({ time }: TraceEvent): number | undefined =>
  time === undefined ? undefined : Math.floor(time / 1_000);
