// A command that failed and works again: what the agent said in between, weightiest first, is what mended it. Only the command and the agent's own
// words are told; what the command printed came from outside.

import type { TraceEvent, TraceItem } from '../../model/trace.ts';
import type { ExchangeIdea } from './exchange-idea.ts';

const TELLING: ReadonlySet<string> = new Set(['conclusion', 'solution', 'problem']);
const MOST_TRIED = 80;

/** `ideas`: those of the exchange so far. Nothing where nobody said what was wrong. */
export function mendedBy(
  success: Extract<TraceEvent, { event: 'success' }>,
  items: readonly TraceItem[],
  ideas: readonly ExchangeIdea[],
): ExchangeIdea[] {
  const failed = items.find(
    (item) => item.kind === 'event' && item.event === 'failure' && item.tried === success.tried,
  );
  if (!failed) return [];
  const between = ideas.filter(
    ({ line, intent, searchOnly, role }) =>
      line > failed.line && line <= success.line && role === 'assistant' && !searchOnly && TELLING.has(intent),
  );
  const [best] = [...between].sort((a, b) => b.worth - a.worth);
  if (!best) return [];
  const tried = [...success.tried.replace(/ ?"\$\(.*$| 2>&1.*$/, '')].slice(0, MOST_TRIED).join('');
  return [
    {
      text: `\`${tried}\` failed and works again: ${best.text}`,
      intent: 'solution',
      stance: 'confirmed',
      confidence: 0.7,
      worth: best.worth,
      role: 'assistant',
      speaker: success.speaker ?? 'assistant',
      provenance: 'said',
      line: success.line,
      time: success.time,
      part: 0,
    },
  ];
}
