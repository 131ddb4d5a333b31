// Triage by evidence (`triage.mode: evidence`): judges what the finished exchange shows, prepares a draft of what no record has yet, and
// asks the model in one line to save it, seldom. What it may not ask about now waits as a draft for the next ask, and for `cairn inbox`.

import type { JsonObject } from '../../model/json.ts';
import { readDrafts, type StoredDraft } from '../../records/drafts.ts';
import { askFor } from '../../triage/evidence/ask.ts';
import { type Finding, scoreOf } from '../../triage/evidence/finding.ts';
import { afterAsk, afterTurn, isSeen, mayAsk, mayAskAtAll, type Pace, withSeen } from '../../triage/evidence/pace.ts';
import { type HookContext, type HookHandler, SILENT } from './hook.ts';
import { mayCapture, mayWriteHere } from './may-capture.ts';
import { isUnfinished } from './stop-transcript.ts';
import { keepPace, paceName, readPace } from './triage-pace.ts';

/** What the turn shows and what waits from before, in one line. */
const MOST_ASKED = 3;

export const evidenceTriage: HookHandler = async (payload, context) => {
  if (!mayJudge(payload, context)) return SILENT;
  const session = paceName(payload.session_id);
  const pace = afterTurn(readPace(context), session);
  const evidence = mayAskAtAll(pace, session) ? await import('./find-evidence.ts') : undefined;
  const found = await evidence?.findingsOf(payload, pace, context);
  const waiting = evidence ? waitingDrafts(payload, pace, context) : NONE_WAITING;
  const isAsked = evidence !== undefined && mayAsk(pace, session, bestScore(found?.findings, waiting.own));
  const chosen = isAsked ? chosenOf(found?.findings ?? [], waiting) : [];
  // What may not be asked about is left to the worker, which nobody waits for. Who cannot remember having asked would ask again.
  const next = isAsked ? withSeen(afterAsk(pace, session), chosen) : pace;
  if (!keepPace(next, context) || !isAsked) return SILENT;
  const made = found ? await evidence.draft(found, payload, context) : [];
  const drafts = chosen.flatMap((each) => ('id' in each ? each : (made[found?.findings.indexOf(each) ?? -1] ?? [])));
  if (drafts.length === 0) return SILENT;
  if (drafts.some((each) => !isSeen(next, each))) keepPace(withSeen(next, drafts), context); // a masked title is another one
  const additionalContext = askFor(drafts, String(payload.session_id ?? ''));
  return { exit: 0, stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: 'Stop', additionalContext } }) };
};

type Asked = Finding | StoredDraft;
/** `own`: of this conversation. `others`: of those before it. The surest first. */
type Waiting = { readonly own: readonly StoredDraft[]; readonly others: readonly StoredDraft[] };
const NONE_WAITING: Waiting = { own: [], others: [] };

/** What other conversations left is no reason to ask: it is named beside what is. */
const bestScore = (findings: readonly Finding[] = [], own: readonly StoredDraft[]): number =>
  Math.max(findings[0]?.score ?? 0, scoreOf(own[0]?.confidence));

/**
 * The best of this turn, then the surest of what else it shows and what waits from before: a decision that could not be asked about goes before a
 * doubtful limit of today. Where there is room, what other conversations left.
 */
function chosenOf([first, ...rest]: readonly Finding[], { own, others }: Waiting): Asked[] {
  const sureness = (each: Asked): number => ('id' in each ? scoreOf(each.confidence) : each.score);
  const here = [...rest, ...own].sort((a, b) => sureness(b) - sureness(a));
  return [...(first ? [first] : []), ...here, ...others].slice(0, MOST_ASKED);
}

/** For the worker: what the turn shows, and was not asked about, waits as a draft. */
export async function draftUnasked(payload: JsonObject, context: HookContext): Promise<void> {
  const { mode } = context.config.settings.triage;
  const isWanted = mode === 'evidence' && mayJudge(payload, context) && mayWriteHere(context.config);
  if (!isWanted) return;
  const { draft, findingsOf } = await import('./find-evidence.ts');
  const found = await findingsOf(payload, readPace(context), context);
  if (found) await draft(found, payload, context);
}

/** Nothing is looked at where nothing may be kept, and nothing is proposed for a memory that the user has not agreed to. */
function mayJudge(payload: JsonObject, { config }: HookContext): boolean {
  const { triage, traces, capture } = config.settings;
  if (!triage.enabled || !traces.enabled || !capture.enabled || config.trust.state === 'untrusted') return false;
  return !isUnfinished(payload);
}

/** What earlier turns have left and nobody was asked about yet: of conversations that were heard here, because a repository may bring such files. */
function waitingDrafts(payload: JsonObject, pace: Pace, { config, now }: HookContext): Waiting {
  if (!mayCapture(config, payload)) return NONE_WAITING;
  const session = String(payload.session_id ?? '');
  const waiting = readDrafts(config.paths.memoryRoot, now())
    .filter((each) => pace.sessions[paceName(each.session)] !== undefined && !isSeen(pace, each))
    .sort((a, b) => scoreOf(b.confidence) - scoreOf(a.confidence));
  return {
    own: waiting.filter((each) => each.session === session),
    others: waiting.filter((each) => each.session !== session),
  };
}
