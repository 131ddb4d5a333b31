// What the Stop hook says when something is worth saving: a list for the model to read, then the same as data for the
// skill that saves it.

import type { Settings } from '../config/settings/settings.ts';
import { snippetForPrompt } from '../safety/sanitise.ts';
import { MAX_SNIPPET_SOURCE } from './context-text.ts';
import type { TriageResult, Trigger } from './triage.ts';

export type RenderOptions = {
  /** By category. */
  readonly contextFiles: ReadonlyMap<string, string>;
  readonly parallel: Settings['triage']['parallel'];
  readonly redact: (text: string) => string;
};

export function renderTriage(result: TriageResult, { contextFiles, parallel, redact }: RenderOptions): string {
  const data = {
    categories: result.triggers.map(({ category, description, score }) => ({
      category,
      score: Math.round(score * 10_000) / 10_000,
      ...(contextFiles.has(category) ? { context_file: contextFiles.get(category) } : {}),
      ...(description ? { description } : {}),
    })),
    parallel_config: {
      enabled: parallel.enabled,
      category_models: parallel.category_models,
      verification_model: parallel.verification_model,
      default_model: parallel.default_model,
    },
  };
  return [
    'This turn holds something worth remembering:',
    ...result.triggers.map((trigger) => itemOf(trigger, result, redact)),
    '',
    'Use the memory-management skill to save each item, then stop again.',
    '',
    '<triage_data>',
    // No text inside can close the element.
    JSON.stringify(data, null, 2).replaceAll('<', '\\u003c'),
    '</triage_data>',
    '',
  ].join('\n');
}

function itemOf(trigger: Trigger, { lines, activity }: TriageResult, redact: (text: string) => string): string {
  const { category, description, counted, score } = trigger;
  const about = description ? `(${snippetForPrompt(description)}) ` : '';
  const first = counted[0];
  const summary =
    first === undefined
      ? `${activity.toolUses} tool uses across ${activity.distinctTools} tools, ${activity.exchanges} exchanges`
      : snippetForPrompt(redact(lines[first]!.slice(0, MAX_SNIPPET_SOURCE)));
  return `- [${category.toUpperCase()}] ${about}${summary} (score: ${score.toFixed(2)})`;
}
