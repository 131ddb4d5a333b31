// A program for the race test: calls a model through the ledger until it is refused, and prints how many calls it made.
// Its arguments: `<ledger> <endpoint> <calls a day>`.

import { LlmError } from '../../src/llm/llm.ts';
import { openLlm } from '../../src/llm/open-llm.ts';

const [ledgerFile, base_url, daily] = process.argv.slice(2) as [string, string, string];
const llm = await openLlm(
  {
    provider: 'openai',
    model: 'm',
    base_url,
    daily_calls: Number(daily),
    daily_tokens: 1_000_000,
    timeout_seconds: 30,
  },
  { env: {}, ledgerFile, now: () => new Date(2026, 2, 10, 12) },
);
let made = 0;
for (;;) {
  try {
    await llm!.complete({ system: 's', prompt: 'p', maxTokens: 5 });
    made += 1;
  } catch (error) {
    if (error instanceof LlmError && error.failure === 'ceiling') break;
    if ((error as { code?: string }).code === 'LOCK_ERROR') continue; // many at once: wait again
    throw error;
  }
}
process.stdout.write(JSON.stringify({ made }));
