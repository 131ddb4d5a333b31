// What a subagent found out becomes a discovery. The result of one that works in the background comes later, with the
// event of its end; the journal remembers what it was asked.

import { contentHash } from '../model/hash.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { isOwnAgent } from '../model/own-agents.ts';
import { slugOf, withDigest } from '../notes/note-id.ts';
import { loadNote, noteFiles, type StoredNote } from '../notes/vault.ts';
import { maskText } from '../safety/mask-text.ts';
import type { CaptureContext, Captured } from './capture-context.ts';
import { linkTo } from './file-link.ts';
import { insightOf } from './insight.ts';
import { appendJournal, readJournal } from './journal.ts';
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
    remember(context, isObject(response) ? response.agentId : undefined, title);
    return [];
  }
  if (typeof status === 'string' && status !== 'completed') return [];
  return putFinding(context, { title, text: textIn(response), type });
}

/** SubagentStop: only those that were sent to the background, the others were seen above. */
export async function captureSubagentStop(context: CaptureContext, payload: JsonObject): Promise<Captured[]> {
  const { sessionId } = context;
  const { agent_id: agent, last_assistant_message: text } = payload;
  if (sessionId === undefined || typeof agent !== 'string' || typeof text !== 'string') return [];
  const journal = readJournal(context.userRoot, context.projectRoot, sessionId);
  const started = journal.findLast((entry) => entry.kind === 'started' && entry.started === agent);
  return started?.kind === 'started'
    ? putFinding(context, { title: started.title, text, type: payload.agent_type })
    : [];
}

function remember(context: CaptureContext, agent: unknown, title: string): void {
  const { sessionId } = context;
  if (sessionId === undefined || typeof agent !== 'string' || agent === '' || agent.length > 200) return;
  const journal = readJournal(context.userRoot, context.projectRoot, sessionId);
  if (journal.some((entry) => entry.kind === 'started' && entry.started === agent)) return;
  const time = context.vault.now().toISOString();
  appendJournal({ ...context, sessionId }, { kind: 'started', time, started: agent, title: cleanLine(title, 160) });
}

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
  const text = maskText(withoutColours(finding.text.slice(0, MAX_TEXT))); // before paragraphs are left out or cut
  const insight = insightOf(text);
  if (insight.split(/\s+/).filter((word) => /\p{L}|\p{N}/u.test(word)).length < MIN_WORDS) return [];
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
