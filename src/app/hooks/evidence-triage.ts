// Triage by evidence (`triage.mode: evidence`): judges what the finished exchange shows, prepares a draft of what no record has yet, and
// asks the model in one line to save it, seldom. What it may not ask about now waits as a draft for `cairn inbox`.

import type { JsonObject } from '../../model/json.ts';
import { readDrafts, type StoredDraft } from '../../records/drafts.ts';
import { askFor } from '../../triage/evidence/ask.ts';
import { confidenceOf, type Finding } from '../../triage/evidence/finding.ts';
import { afterAsk, afterTurn, isSeen, mayAsk, mayAskAtAll, type Pace, withSeen } from '../../triage/evidence/pace.ts';
import { type HookContext, type HookHandler, SILENT } from './hook.ts';
import { mayWriteHere } from './may-capture.ts';
import { isUnfinished } from './stop-transcript.ts';
import { keepPace, paceName, readPace } from './triage-pace.ts';

/** Beside what this turn shows, what waits from earlier ones of the conversation. */
const MOST_ASKED = 3;

export const evidenceTriage: HookHandler = async (payload, context) => {
  if (!mayJudge(payload, context)) return SILENT;
  const session = paceName(payload.session_id);
  const pace = afterTurn(readPace(context), session);
  const evidence = mayAskAtAll(pace, session) ? await import('./find-evidence.ts') : undefined;
  const found = await evidence?.findingsOf(payload, pace, context);
  const isAsked = evidence && found && mayAsk(pace, session, found.findings[0]?.score ?? 0);
  const waiting = isAsked ? waitingOf(payload, pace, context) : [];
  const chosen = isAsked ? surest(found.findings, waiting) : [];
  // What may not be asked about is left to the worker, which nobody waits for. Who cannot remember having asked would ask again.
  const next = isAsked ? withSeen(afterAsk(pace, session), chosen) : pace;
  if (!keepPace(next, context) || !isAsked) return SILENT;
  const made = await evidence.draft(found, payload, context);
  const drafts = [
    ...made.filter((_, at) => chosen.some((each) => each === found.findings[at])),
    ...waiting.filter((each) => chosen.includes(each)),
  ];
  if (made.length === 0 || drafts.length === 0) return SILENT;
  if (drafts.some((each) => !isSeen(next, each))) keepPace(withSeen(next, drafts), context); // a masked title is another one
  const additionalContext = askFor(drafts);
  return { exit: 0, stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: 'Stop', additionalContext } }) };
};

type Asked = Finding | StoredDraft;

/** The best of this turn, and the surest of what else it shows and what waits: a decision that could not be asked about goes before a doubtful limit of today. */
function surest(findings: readonly Finding[], waiting: readonly StoredDraft[]): Asked[] {
  const [first, ...others] = findings;
  const rest = [
    ...others.map((each) => ({ each, sure: confidenceOf(each.score) })),
    ...waiting.map((each) => ({ each, sure: each.confidence ?? 0 })),
  ].sort((a, b) => b.sure - a.sure);
  return [...(first ? [first] : []), ...rest.map(({ each }) => each).slice(0, MOST_ASKED - 1)];
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

/** What earlier turns of this conversation have left, newest first, and nobody was asked about yet. */
function waitingOf(payload: JsonObject, pace: Pace, { config, now }: HookContext): StoredDraft[] {
  const session = String(payload.session_id ?? '');
  return readDrafts(config.paths.memoryRoot, now()).filter((each) => each.session === session && !isSeen(pace, each));
}
