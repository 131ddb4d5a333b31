// A command that failed and then passes has taught something: the error, and what was changed in between. The failure
// is kept in the journal until the same command succeeds; a failure that nobody fixes makes no note.

import { isObject, type JsonObject } from '../model/json.ts';
import { slugOf, withDigest } from '../notes/note-id.ts';
import type { StoredNote } from '../notes/vault.ts';
import type { CaptureContext, Captured } from './capture-context.ts';
import { evidentCause, fingerprintOf, readError } from './error-text.ts';
import { fileNote, linkTo } from './file-link.ts';
import { appendJournal, type JournalEntry, readJournal } from './journal.ts';
import { cleanLine, cleanSection, codeBlock, inlineCode } from './note-text.ts';
import { lookUp, putCaptured } from './put-captured.ts';
import { isAsking, isLooking, readCommand, type ShellCommand } from './shell-command.ts';

type Failure = JournalEntry & { kind: 'failure' };
type Change = JournalEntry & { kind: 'edit' | 'command' };
/** One error of a command, and what was done until it was gone. */
type Episode = { failure: Failure; fingerprint: string; title: string; changes: Change[] };

const MAX_EPISODES = 3;
const MAX_CHANGES = 12;
const MAX_ERROR = 2_400;
/** Nobody's error: the command did not run. */
const REFUSED =
  /^(?:The user doesn't want|Claude requested permissions|Permission to use|Permission for|This command requires approval|PreToolUse)|\bhook error\b/;

export async function captureCommand(context: CaptureContext, payload: JsonObject): Promise<Captured[]> {
  const input = isObject(payload.tool_input) ? payload.tool_input : {};
  const { sessionId } = context;
  if (typeof input.command !== 'string' || input.command.trim() === '' || sessionId === undefined) return [];
  const outcome = outcomeOf(payload, input);
  if (outcome === undefined) return [];
  const command = readCommand(input.command, context.projectRoot, context.cwd);
  const place = { ...context, sessionId };
  const journal = readJournal(context.userRoot, context.projectRoot, sessionId);
  const common = commonOf(context, payload);
  if (isKnown(journal, common.use)) return [];
  if (outcome.failed) {
    const error = readError(outcome.text, context);
    const said = error.message === '' ? '' : error.message;
    if (isAsking(command) && said === '') return [];
    appendJournal(place, {
      ...common,
      kind: 'failure',
      key: command.key,
      command: command.shown,
      error: cleanSection(said).slice(0, MAX_ERROR),
      ...(error.exit === undefined ? {} : { exit: error.exit }),
    });
    return [];
  }
  const passed: JournalEntry = { ...common, kind: 'command', key: command.key, command: command.shown };
  const episodes = episodesOf(context, journal, command);
  const isFixed = episodes.length > 0 && isBelieved(command, outcome.text, episodes);
  appendJournal(place, passed, ...(isFixed ? [{ ...common, kind: 'fixed' as const, key: command.key }] : []));
  if (!isFixed) return [];
  const notes: Captured[] = [];
  for (const episode of episodes.slice(-MAX_EPISODES)) {
    const note = await putError(context, command, episode);
    if (note) notes.push(note);
  }
  return notes;
}

export function commonOf(
  context: CaptureContext,
  payload: JsonObject,
): { time: string; use?: string; agent?: string; read?: number } {
  const use = payload.tool_use_id;
  return {
    time: context.vault.now().toISOString(),
    ...(typeof use === 'string' && use !== '' && use.length <= 200 ? { use } : {}),
    ...(context.agentId === undefined ? {} : { agent: context.agentId }),
    ...(context.transcriptRead === undefined ? {} : { read: context.transcriptRead }),
  };
}

/** The same call may be reported twice. */
export function isKnown(journal: readonly JournalEntry[], use: string | undefined): boolean {
  return use !== undefined && journal.some((entry) => entry.use === use);
}

/** `undefined` if nothing can be told: it was interrupted, refused, or still runs. */
function outcomeOf(payload: JsonObject, input: JsonObject): { failed: boolean; text: string } | undefined {
  const { tool_response: response, error } = payload;
  if (input.run_in_background === true || payload.is_interrupt === true) return undefined;
  if (payload.hook_event_name === 'PostToolUseFailure' || (typeof error === 'string' && response === undefined)) {
    const text = typeof error === 'string' ? error : '';
    return REFUSED.test(text) ? undefined : { failed: true, text };
  }
  if (typeof response === 'string') return { failed: /^Error: /.test(response), text: response };
  if (!isObject(response) || response.interrupted === true || response.backgroundTaskId !== undefined) return undefined;
  const text = [response.stderr, response.stdout].filter((each) => typeof each === 'string' && each !== '').join('\n');
  const codes = [response.exit_code, response.exitCode, response.returnCode, response.code];
  const failed =
    response.is_error === true ||
    response.isError === true ||
    codes.some((code) => typeof code === 'number' && code !== 0);
  const code = codes.find((each) => typeof each === 'number');
  return { failed, text: failed && code !== undefined ? `Exit code ${code}\n${text}` : text };
}

/** The failures of this command since it last passed, with what came after each. */
function episodesOf(context: CaptureContext, journal: readonly JournalEntry[], command: ShellCommand): Episode[] {
  const own = (entry: JournalEntry): boolean =>
    'key' in entry && entry.key === command.key && entry.agent === context.agentId;
  const last = journal.findLastIndex((entry) => entry.kind === 'fixed' && own(entry));
  const episodes: Episode[] = [];
  for (const entry of journal.slice(last + 1)) {
    const current = episodes.at(-1);
    if (entry.kind === 'failure' && own(entry)) {
      const title = readError(entry.error, context).title;
      const fingerprint = fingerprintOf(command.words[0] ?? '', title || `exit ${entry.exit ?? ''}`);
      if (current?.fingerprint === fingerprint) current.failure = entry;
      else episodes.push({ failure: entry, fingerprint, title, changes: [] });
    } else if (current && isChange(context, entry) && !own(entry)) current.changes.push(entry);
  }
  return episodes;
}

function isChange(context: CaptureContext, entry: JournalEntry): entry is Change {
  if (entry.kind === 'edit') return true;
  return entry.kind === 'command' && !isLooking(readCommand(entry.command, context.projectRoot, context.projectRoot));
}

/** Where a pipe hides the status, the output must not look like a failure. */
function isBelieved(command: ShellCommand, output: string, episodes: readonly Episode[]): boolean {
  if (!command.isMasked) return true;
  const text = output.slice(0, 200_000).replace(/\b(?:0|no) (?:errors?|failed|failures?|failing)\b/gi, '');
  const said = episodes.at(-1)!.title;
  return (
    !/\b(?:errors?|failed|failing|failures?|exception|traceback|panicked)\b/i.test(text) &&
    (said === '' || !text.includes(said))
  );
}

async function putError(
  context: CaptureContext,
  command: ShellCommand,
  episode: Episode,
): Promise<Captured | undefined> {
  const { failure, fingerprint, changes } = episode;
  const ran = inlineCode(plainCommand(command));
  const title =
    episode.title ||
    `${plainCommand(command)} fails${failure.exit === undefined ? '' : ` with exit code ${failure.exit}`}`;
  const { id, note } = errorNote(context.vault.root, title, fingerprint);
  const links = linksOf(context, changes);
  const cause = evidentCause(failure.error);
  const seen = Number(note?.frontMatter.text('count') ?? 0);
  // A retry that needed no change says less than what is known already.
  const isNews = changes.length > 0 || note === undefined;
  return putCaptured(context.vault, {
    type: 'error',
    id,
    title: cleanLine(title, 120),
    status: 'resolved',
    tags: tagsFor(command, title, changes),
    related: [...links.values()].slice(0, MAX_CHANGES),
    fields: {
      session_id: context.sessionId,
      command: failure.command,
      ...(failure.exit === undefined ? {} : { exit_code: failure.exit }),
      count: (Number.isSafeInteger(seen) && seen > 0 ? seen : 0) + 1,
      last_seen: context.vault
        .now()
        .toISOString()
        .replace(/\.\d{3}Z$/, 'Z'),
      fingerprint,
    },
    sections: {
      'Error Message': codeBlock(failure.error || `exit code ${failure.exit ?? 'unknown'}`),
      ...(cause === undefined ? {} : { Cause: cause }),
      ...(isNews ? { Solution: solutionOf(ran, command, episode, links) } : {}),
    },
  });
}

const plainCommand = (command: ShellCommand): string => command.key.replace(/^\S+ /, '').slice(0, 120) || command.shown;

function errorNote(root: string, title: string, fingerprint: string): { id: string; note: StoredNote | undefined } {
  const slug = slugOf(title).slice(0, 60).replace(/-+$/, '');
  const id = slug === '' ? withDigest('error', fingerprint) : `error-${slug}`;
  const note = lookUp(root, 'error', id);
  if (!note || note.frontMatter.text('fingerprint') === cleanLine(fingerprint, 1_000)) return { id, note };
  const other = withDigest(id, fingerprint);
  return { id: other, note: lookUp(root, 'error', other) };
}

/** The notes of the edited files, by path. */
function linksOf(context: CaptureContext, changes: readonly Change[]): Map<string, string> {
  const links = new Map<string, string>();
  for (const change of changes) {
    if (change.kind !== 'edit' || links.has(change.path)) continue;
    const { id, note } = fileNote(context.vault.root, change.path);
    if (note) links.set(change.path, id);
  }
  return links;
}

/** One sentence that says it, then each step in its order. */
function solutionOf(
  ran: string,
  command: ShellCommand,
  { failure, changes }: Episode,
  links: ReadonlyMap<string, string>,
): string {
  const steps = stepsOf(changes);
  const shown = steps.slice(-MAX_CHANGES);
  const { lead } = readCommand(failure.command, '/', '/');
  const again = lead === command.lead ? [] : [`Ran it as ${inlineCode(command.shown)}`];
  if (shown.length + again.length === 0)
    return `Nothing was changed that Cairn saw: ${ran} passed when it was run again.`;
  const lines = [...shown.map((step) => stepText(step, links)), ...again];
  if (steps.length > shown.length) lines.unshift(`… ${steps.length - shown.length} earlier steps`);
  const files = [...new Set(shown.flatMap((step) => (step.kind === 'edit' ? [inlineCode(step.path)] : [])))];
  const commands = [
    ...new Set(shown.flatMap((step) => (step.kind === 'command' ? [inlineCode(cleanLine(step.command, 80))] : []))),
  ];
  const did = [
    ...(files.length > 0 ? [`changed ${listed(files)}`] : []),
    ...(commands.length > 0 ? [`ran ${listed(commands)}`] : []),
  ].join(' and ');
  const sentence =
    did === ''
      ? `${ran} passed when it was run in another way.`
      : `${did[0]!.toUpperCase()}${did.slice(1)}; then ${ran} passed.`;
  return `${sentence}\n\n${lines.map((line, at) => `${at + 1}. ${line}`).join('\n')}`;
}

const listed = (items: readonly string[]): string =>
  items.length > 3 ? `${items.slice(0, 3).join(', ')} and ${items.length - 3} more` : items.join(', ');

/** A file once, with its last change; a command once for each run in a row. */
function stepsOf(changes: readonly Change[]): Change[] {
  const steps: Change[] = [];
  for (const change of changes) {
    const known = steps.findIndex((step) =>
      change.kind === 'edit'
        ? step.kind === 'edit' && step.path === change.path
        : step.kind === 'command' && step.key === change.key,
    );
    if (known === -1) steps.push(change);
    else if (change.kind === 'edit') steps[known] = change;
  }
  return steps;
}

function stepText(step: Change, links: ReadonlyMap<string, string>): string {
  if (step.kind === 'command') return `Ran ${inlineCode(step.command)}`;
  const id = links.get(step.path);
  const name = id === undefined ? inlineCode(step.path) : linkTo(id, step.path);
  if (step.after === undefined && step.before === undefined) return `Changed ${name}`;
  if (!step.before) return `Changed ${name}: added ${inlineCode(step.after ?? '')}`;
  return step.after
    ? `Changed ${name}: ${inlineCode(step.before)} became ${inlineCode(step.after)}`
    : `Changed ${name}: removed ${inlineCode(step.before)}`;
}

/** The tool and the kind of error. */
function tagsFor(command: ShellCommand, title: string, changes: readonly Change[]): string[] {
  const words = command.words.slice(0, 2).filter((word) => /^[a-z][\w:+-]{1,20}$/i.test(word));
  const kind =
    /\b([A-Z]\w*(?:Error|Exception))\b/.exec(title)?.[1] ??
    /\b(TS\d{4}|E\d{4}|ERR_[A-Z_]+|E[A-Z]{4,})\b/.exec(title)?.[1];
  return [
    ...new Set(
      ['error', ...words, ...(kind ? [kind] : []), ...(changes.length === 0 ? ['flaky'] : [])].map((tag) =>
        tag.toLowerCase(),
      ),
    ),
  ];
}
