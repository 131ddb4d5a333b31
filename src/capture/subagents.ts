// What a subagent found out becomes a discovery. The result of one that works in the background comes later, with the
// event of its end; the journal remembers what it was asked. The two events may be two processes side by side: each notes its own
// before it looks for the other's, so whichever comes second finds both.

import { contentHash } from '../model/hash.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { isOwnAgent } from '../model/own-agents.ts';
import { slugOf, withDigest } from '../notes/note-id.ts';
import { loadNote, noteFiles, type StoredNote } from '../notes/vault.ts';
import { maskText } from '../safety/mask-text.ts';
import type { CaptureContext, Captured } from './capture-context.ts';
import { linkTo } from './file-link.ts';
import { insightOf } from './insight.ts';
import { appendJournal, type JournalEntry, readJournal } from './journal.ts';
import { mentionedFiles } from './mentioned-files.ts';
import { cleanLine, withoutColours } from './note-text.ts';
import { lookUp, putCaptured } from './put-captured.ts';
import { sentenceOf } from './summarise/first-comment.ts';
import { plainProse } from './summarise/prose.ts';

const MAX_TEXT = 100_000;
const MIN_WORDS = 3;

/** PostToolUse of Agent or Task. */
export async function captureSubagent(context: CaptureContext, payload: JsonObject): Promise<Captured[]> {
  const input = isObject(payload.tool_input) ? payload.tool_input : {};
  const response = payload.tool_response;
  const status = isObject(response) ? response.status : undefined;
  const title = typeof input.description === 'string' ? input.description : '';
  const type =
    typeof input.subagent_type === 'string' ? input.subagent_type : isObject(response) ? response.agentType : undefined;
  if (isOwnAgent(type)) return [];
  if (status === 'async_launched') {
    const agent = isObject(response) ? response.agentId : undefined;
    return typeof agent === 'string' && noteStart(context, agent, title) ? putEnded(context, agent) : [];
  }
  if (typeof status === 'string' && status !== 'completed') return [];
  return putFinding(context, { title, text: textIn(response), type });
}

/** SubagentStop: only those that were sent to the background, the others were seen above. */
export async function captureSubagentStop(context: CaptureContext, payload: JsonObject): Promise<Captured[]> {
  const { sessionId } = context;
  const { agent_id: agent, agent_type: type, last_assistant_message: text } = payload;
  if (sessionId === undefined || typeof agent !== 'string' || typeof text !== 'string' || isOwnAgent(type)) return [];
  const started = startOf(context, agent);
  if (started) return putFinding(context, { title: started.title, text, type });
  if (!isName(agent)) return [];
  const report = insightOf(maskReport(text));
  if (!saysSomething(report)) return [];
  const time = context.vault.now().toISOString();
  const ended = {
    kind: 'ended',
    time,
    ended: agent,
    text: report,
    type: typeof type === 'string' ? type : '',
  } as const;
  appendJournal({ ...context, sessionId }, ended);
  return putEnded(context, agent);
}

/** Where both its start and its end are noted. */
async function putEnded(context: CaptureContext, agent: string): Promise<Captured[]> {
  const started = startOf(context, agent);
  const ended = journalOf(context).findLast((entry) => entry.kind === 'ended' && entry.ended === agent);
  if (!started || ended?.kind !== 'ended') return [];
  return putFinding(context, { title: started.title, text: ended.text, type: ended.type });
}

/** False where it cannot be noted, or is already. */
function noteStart(context: CaptureContext, agent: string, title: string): boolean {
  const { sessionId } = context;
  if (sessionId === undefined || !isName(agent) || startOf(context, agent)) return false;
  const time = context.vault.now().toISOString();
  appendJournal({ ...context, sessionId }, { kind: 'started', time, started: agent, title: cleanLine(title, 160) });
  return true;
}

function startOf(context: CaptureContext, agent: string): { readonly title: string } | undefined {
  const entry = journalOf(context).findLast((each) => each.kind === 'started' && each.started === agent);
  return entry?.kind === 'started' ? entry : undefined;
}

const journalOf = ({ userRoot, projectRoot, sessionId }: CaptureContext): JournalEntry[] =>
  sessionId === undefined ? [] : readJournal(userRoot, projectRoot, sessionId);

const isName = (agent: string): boolean => agent !== '' && agent.length <= 200;

/** A text, the blocks of one, or an object that holds either. */
function textIn(response: unknown): string {
  if (typeof response === 'string') return response;
  if (Array.isArray(response)) {
    const texts = response.slice(0, 100).map((block: unknown) => {
      if (typeof block === 'string') return block;
      return isObject(block) && block.type === 'text' && typeof block.text === 'string' ? block.text : '';
    });
    return texts.filter(Boolean).join('\n\n');
  }
  if (!isObject(response)) return '';
  return textIn(response.content ?? response.result ?? response.text);
}

async function putFinding(
  context: CaptureContext,
  finding: { title: string; text: string; type: unknown },
): Promise<Captured[]> {
  const text = maskReport(finding.text);
  const insight = insightOf(text);
  if (!saysSomething(insight)) return [];
  const fingerprint = fingerprintOf(text);
  const title =
    cleanLine(finding.title, 120) ||
    cleanLine(sentenceOf(insight.replace(/[#*`]/g, '')), 120) ||
    'Finding of a subagent';
  const id = freeId(context.vault.root, title, fingerprint);
  if (id === undefined) return [];
  const files = mentionedFiles(context, text);
  const type = typeof finding.type === 'string' ? slugOf(finding.type.split(':').at(-1)!).slice(0, 30) : '';
  const note = await putCaptured(context.vault, {
    type: 'discovery',
    id,
    title,
    tags: ['subagent', ...(type === '' ? [] : [type])],
    related: files.map((file) => file.id),
    fields: {
      category: 'finding',
      ...(context.sessionId === undefined ? {} : { session_id: context.sessionId }),
      ...(type === '' ? {} : { agent_type: type }),
      fingerprint,
    },
    sections: {
      Insight: plainProse(insight),
      'Where Used': files.length === 0 ? undefined : files.map((file) => `- ${linkTo(file.id, file.path)}`).join('\n'),
    },
  });
  return note ? [note] : [];
}

/** Before paragraphs are left out or cut. */
const maskReport = (text: string): string => maskText(withoutColours(text.slice(0, MAX_TEXT)));

const saysSomething = (insight: string): boolean =>
  insight.split(/\s+/).filter((word) => /\p{L}|\p{N}/u.test(word)).length >= MIN_WORDS;

/** Blanks, signs and case do not make another finding. */
function fingerprintOf(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return `f${contentHash(words).slice(0, 16)}`;
}

/** `undefined` if the same was found before, whatever it was called. */
function freeId(root: string, title: string, fingerprint: string): string | undefined {
  const isSame = (note: StoredNote | undefined): boolean => note?.frontMatter.text('fingerprint') === fingerprint;
  const slug = slugOf(title).slice(0, 70).replace(/-+$/, '');
  const id = slug === '' ? withDigest('discovery', fingerprint) : `discovery-${slug}`;
  const known = lookUp(root, 'discovery', id);
  if (isSame(known)) return undefined;
  const others = noteFiles(root).filter((file) => file.folder === 'discoveries' && file.name !== id);
  if (others.some((file) => isSame(loadNote(file, [])))) return undefined;
  return known ? withDigest(id, fingerprint) : id;
}
