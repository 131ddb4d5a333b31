// A model whose every call goes through the ledger: allowed before it is made, counted whatever becomes of it.

import { messageOf } from '../errors.ts';
import type { Ledger, LedgerLimits, Outcome, Reservation } from './ledger.ts';
import { type Llm, LlmError, type LlmFailure, type LlmRequest, mostTokens } from './llm.ts';

/** The service is not well, or not set up: the next call would fare no better. */
const RESTS: readonly LlmFailure[] = ['setup', 'busy', 'unavailable', 'timeout'];
/** The service answered; what it answered is another matter. */
const ANSWERED: readonly LlmFailure[] = ['refused', 'cut', 'garbage', 'rejected'];
/** Nobody can tell whether the provider went on counting: so all that was reserved counts as used. */
const UNKNOWN_COST: readonly LlmFailure[] = ['timeout', 'stopped', 'garbage'];

export function metered(llm: Llm, ledger: Ledger, limits: LedgerLimits): Llm {
  return {
    ...llm,
    async complete(request) {
      const reservation = await ledger.reserve(llm.name, worstCase(llm, request), limits);
      try {
        const reply = await llm.complete(request);
        await settle(ledger, reservation, { ...useOf(reply), failed: false, rest: undefined });
        return reply;
      } catch (error) {
        await settle(ledger, reservation, outcomeOf(error, reservation));
        throw error;
      }
    },
  };
}

function worstCase({ costs }: Llm, { system, prompt, maxTokens }: LlmRequest): number {
  const once = mostTokens(system) + mostTokens(prompt) + maxTokens + (costs?.overheadTokens ?? 0);
  return once * (costs?.mostRequests ?? 1);
}

const useOf = ({ tokensIn, tokensOut }: { tokensIn: number; tokensOut: number }) => ({ tokensIn, tokensOut });

function outcomeOf(error: unknown, { tokens }: Reservation): Outcome {
  const failure = error instanceof LlmError ? error.failure : 'unavailable';
  const use = error instanceof LlmError ? error.use : undefined;
  const unknown = { tokensIn: UNKNOWN_COST.includes(failure) ? tokens : 0, tokensOut: 0 };
  const atLeastMs = error instanceof LlmError ? error.retryAfterMs : undefined;
  const rest = { why: messageOf(error), ...(atLeastMs === undefined ? {} : { atLeastMs }) };
  return {
    ...(use ? useOf(use) : unknown),
    failed: true,
    rest: RESTS.includes(failure) ? rest : ANSWERED.includes(failure) ? undefined : 'as-before',
  };
}

/**
 * A settlement that cannot be written (the lock stays busy, the file was damaged meanwhile) leaves the reservation as it is:
 * too much is counted, never too little. The answer is paid for and must not be lost for it.
 */
async function settle(ledger: Ledger, reservation: Reservation, outcome: Outcome): Promise<void> {
  try {
    await ledger.settle(reservation, outcome);
  } catch {
    // see above
  }
}
