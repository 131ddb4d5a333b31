// The record of category `session_summary` that the end of a session leaves, from what its note is made of: no model, nobody asked. Only the
// worker writes it. A person's hand on it is noticed by a digest in its history, and what is theirs stays.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../../errors.ts';
import { decodeUtf8, parseJsonObject, readBytes } from '../../files/json-file.ts';
import { contentHash, recordMd5 } from '../../model/hash.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import { COMMITTED } from '../../model/logged-work.ts';
import { isOwnSummary, SUMMARY_CATEGORY, SUMMARY_TAG, summaryName } from '../../model/own-summary.ts';
import { statusOf } from '../../model/record.ts';
import { cutCodePoints } from '../../model/text.ts';
import { timestampOf } from '../../model/timestamp.ts';
import type { SessionFacts, SessionStory } from '../../notes/session-note.ts';
import { safeText } from '../../records/auto-fix.ts';
import { createRecord } from '../../records/create-record.ts';
import type { Outcome } from '../../records/critical-section.ts';
import { updateRecord } from '../../records/update-record.ts';
import type { Project } from '../project.ts';

const MOST_FILES = 8;
const MAX_LINE = 300;
const MAX_TITLE = 100;
const DIGEST = /\((c[0-9a-f]{12})\)$/;

/** Whether there is something to sum up, and the user wants it. */
export function wantsSummary({ settings }: Project, { story }: SessionFacts): boolean {
  const rules = settings.categories[SUMMARY_CATEGORY];
  return rules?.enabled === true && rules.auto_capture && story !== undefined && saysMore(story);
}

/** More than what it was about. */
const saysMore = ({ title, summary, decided, fixed, commits, left }: SessionStory): boolean =>
  summary.some((line) => line !== title) || decided.length + fixed.length + commits.length + left.length > 0;

/** Writes it, or writes it anew if the session was resumed; returns the files that changed. */
export async function saveSummary(project: Project, facts: SessionFacts): Promise<string[]> {
  if (!wantsSummary(project, facts) || !facts.story) return [];
  const { recordStore } = project;
  const folder = recordStore.kinds.byName(SUMMARY_CATEGORY)?.folder ?? '';
  const target = path.join(recordStore.root, folder, `${summaryName(facts.sessionId, dayOf(facts))}.json`);
  const content = safeText(contentOf(facts, facts.story)).record;
  const bytes = readBytes(target);
  const request = { category: SUMMARY_CATEGORY, target, cwd: recordStore.root };
  const change = {
    date: timestampOf(recordStore.now()),
    summary: `Written at the end of the session (${digestOf(content)})`,
  };
  if (!bytes) {
    const { commit_sessions: isShared } = project.settings.capture;
    const record = {
      title: titleOf(facts, isShared),
      tags: [SUMMARY_TAG],
      confidence: 0.7,
      content,
      changes: [change],
    };
    return readableForUser(target, await createRecord(recordStore, { ...request, record }));
  }
  const known = parseJsonObject(decodeUtf8(bytes, target), target);
  if (!isStillOurs(known) || digestOf(known.content) === digestOf(content)) return [];
  const record = { ...known, content, changes: [...listOf(known.changes), change] };
  return readableForUser(target, await updateRecord(recordStore, { ...request, record, hash: recordMd5(bytes) }));
}

/** For the user alone, as session notes are. */
function readableForUser(file: string, { touched }: Outcome): string[] {
  fs.chmodSync(file, 0o600);
  return touched;
}

/** Active, with our tag, and as we left it. */
function isStillOurs(record: JsonObject): boolean {
  const last = listOf(record.changes).findLast((each) => isObject(each) && DIGEST.test(String(each.summary)));
  const digest = isObject(last) ? DIGEST.exec(String(last.summary))?.[1] : undefined;
  return (
    statusOf(record) === 'active' &&
    isOwnSummary(SUMMARY_CATEGORY, listOf(record.tags)) &&
    digest === digestOf(record.content)
  );
}

const digestOf = (content: unknown): string => `c${contentHash(JSON.stringify(content)).slice(0, 12)}`;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const dayOf = ({ startedAt }: SessionFacts): string => startedAt.toISOString().slice(0, 10);

/** index.md may be committed: of a session that is not, it says the day alone. */
const titleOf = (facts: SessionFacts, isShared: boolean): string =>
  [`Summary of ${dayOf(facts)}`, ...(isShared ? [cutCodePoints(line(facts.story?.title ?? ''), MAX_TITLE)] : [])]
    .filter(Boolean)
    .join(': ');

function contentOf({ files }: SessionFacts, story: SessionStory): JsonObject {
  const { title, summary, decided, fixed, commits, left, preferences } = story;
  const outcome = summary.filter((each) => each !== title);
  const changed = files.slice(0, MOST_FILES).map(({ path: file }) => file);
  return {
    goal: line(title || outcome[0] || 'Not stated'),
    outcome: left.length === 0 && outcome.length + commits.length > 0 ? 'success' : 'partial',
    completed: [...outcome, ...fixed, ...commits.map((subject) => COMMITTED + subject)].map(line),
    next_actions: left.map(line),
    key_changes: [
      ...decided.map((each) => `Decided: ${each}`),
      ...preferences.map((each) => `Wanted for good: ${each}`),
      ...(changed.length === 0 ? [] : [`Files: ${changed.join(', ')}${files.length > MOST_FILES ? ', …' : ''}`]),
    ].map(line),
  };
}

const line = (text: string): string => {
  const plain = text.replace(/\s+/g, ' ').trim();
  const cut = cutCodePoints(plain, MAX_LINE);
  return cut.length < plain.length ? `${cut.trimEnd()}…` : cut;
};

/** What must not keep a session from its note: the record was retired a moment ago, or is somebody else's. */
export const isRefused = (error: unknown): boolean =>
  error instanceof CairnError && ['CREATE_ERROR', 'ANTI_RESURRECTION_ERROR', 'OCC_CONFLICT'].includes(error.code);
