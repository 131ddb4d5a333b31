// Settings of a model for tests, and the failure of a call as a value.

import type { Settings } from '../../src/config/settings/settings.ts';
import { LlmError, type LlmReply } from '../../src/llm/llm.ts';

export const llmSettings = (changes: Partial<Settings['llm']> = {}): Settings['llm'] => ({
  provider: 'anthropic',
  model: '',
  base_url: '',
  daily_calls: 100,
  daily_tokens: 1_000_000,
  timeout_seconds: 20,
  ...changes,
});

export async function failureOf(call: Promise<LlmReply>): Promise<LlmError> {
  const outcome = await call.catch((error: unknown) => error);
  if (outcome instanceof LlmError) return outcome;
  throw new Error(`expected an LlmError, got ${outcome instanceof Error ? outcome.stack : JSON.stringify(outcome)}`);
}
