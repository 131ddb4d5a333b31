// Capture: notes made from what the tools did, without a model. Always silent; which event makes what is in
// docs/CAPTURE.md. For PostToolUse and PostToolUseFailure, and for SubagentStop where the result of a subagent in the
// background comes with it.

import path from 'node:path';
import type { CaptureContext, Captured } from '../../capture/capture-context.ts';
import { captureCommand } from '../../capture/commands.ts';
import { captureEdit } from '../../capture/edits.ts';
import { captureFile } from '../../capture/file-summary.ts';
import { appendJournal, type JournalEntry } from '../../capture/journal.ts';
import { withoutGivenAway } from '../../capture/session-secrets.ts';
import { captureSubagent, captureSubagentStop } from '../../capture/subagents.ts';
import { captureTaskCreate, captureTaskUpdate, captureTodos } from '../../capture/tasks.ts';
import { realPath } from '../../files/paths.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import { LOCK_NAME } from '../../records/record-store.ts';
import { markFounded } from '../../trust/trust.ts';
import { type HookAnswer, type HookContext, SILENT } from './hook.ts';
import { mayCapture } from './may-capture.ts';

/** A tool call waits for this hook: rather lose a note than a second. */
const LOCK_WAIT_MS = 3_000;
const FAILURE = 'PostToolUseFailure';

type Capture = (
  captureContext: CaptureContext,
  payload: JsonObject,
) => Promise<readonly Captured[]> | readonly Captured[];

const edit: Capture = (captureContext, payload) => {
  captureEdit(captureContext, payload);
  return [];
};
const read: Capture = async (captureContext, payload) => {
  const input = isObject(payload.tool_input) ? payload.tool_input : {};
  const note = await captureFile(captureContext, input.file_path);
  return note ? [note] : [];
};

const BY_TOOL: { readonly [tool: string]: Capture } = {
  Read: read,
  Bash: captureCommand,
  Write: edit,
  Edit: edit,
  MultiEdit: edit,
  NotebookEdit: edit,
  TodoWrite: captureTodos,
  TaskCreate: captureTaskCreate,
  TaskUpdate: captureTaskUpdate,
  Agent: captureSubagent,
  Task: captureSubagent,
};
/** Inside a subagent these are its own business: its list is not the session's, its helpers' reports go into its own. */
const OWN_BUSINESS = /^(?:TodoWrite|TaskCreate|TaskUpdate|Agent|Task)$/;

export async function capture(payload: JsonObject, context: HookContext): Promise<HookAnswer> {
  const { config } = context;
  const work = config.disabled ? undefined : captureFor(payload, context);
  if (!work || !mayCapture(config, payload)) return SILENT;
  const seen = sceneOf(payload, context);
  const { payload: open, read } = withoutGivenAway(seen, payload);
  const captureContext = { ...seen, transcriptRead: read };
  const captured = await work(captureContext, open);
  if (captured.length > 0) {
    await afterwards(captureContext, captured, context);
    context.worked?.();
  }
  return SILENT;
}

function captureFor(payload: JsonObject, { config: { settings } }: HookContext): Capture | undefined {
  if (!settings.capture.enabled) return undefined;
  const { hook_event_name: event, tool_name: tool } = payload;
  if (event === 'SubagentStop') return settings.capture.capture_subagent_results ? captureSubagentStop : undefined;
  if (typeof tool !== 'string' || !Object.hasOwn(BY_TOOL, tool)) return undefined;
  if (event === FAILURE && tool !== 'Bash') return undefined;
  if (OWN_BUSINESS.test(tool)) {
    if (typeof payload.agent_id === 'string') return undefined;
    const isSubagent = tool === 'Agent' || tool === 'Task';
    if (!(isSubagent ? settings.capture.capture_subagent_results : settings.capture.capture_todos)) return undefined;
  }
  return BY_TOOL[tool];
}

function sceneOf(payload: JsonObject, { config, now }: HookContext): CaptureContext {
  const { paths, settings } = config;
  const root = realPath(paths.memoryRoot);
  return {
    vault: {
      found: () => markFounded(paths.userRoot, config.trust, now()),
      root,
      lockDir: path.join(root, LOCK_NAME),
      deletedCopies: path.join(paths.userRoot, 'archive', 'notes'),
      now,
      lockWaitMs: LOCK_WAIT_MS,
    },
    projectRoot: paths.projectRoot,
    userRoot: paths.userRoot,
    home: paths.home,
    cwd: absolute(payload.cwd) ?? paths.projectRoot,
    sessionId: named(payload.session_id),
    agentId: named(payload.agent_id),
    settings: settings.capture,
  };
}

const named = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 200 ? value : undefined;

const absolute = (value: unknown): string | undefined =>
  typeof value === 'string' && path.isAbsolute(value) && !value.includes('\0') ? value : undefined;

/** The journal names the notes, the graph takes them in, git gets them if it is to. None of it may undo the capture. */
async function afterwards(
  captureContext: CaptureContext,
  captured: readonly Captured[],
  context: HookContext,
): Promise<void> {
  const { config, now, problem } = context;
  const files = captured.map((note) => note.file);
  try {
    const { sessionId } = captureContext;
    const time = now().toISOString();
    const entries = captured.map(({ id, type }): JournalEntry => ({ kind: 'note', time, note: id, type }));
    if (sessionId !== undefined) appendJournal({ ...captureContext, sessionId }, ...entries);
    const [{ ensureGitignore }, { updateGraph }, { Kinds }] = await Promise.all([
      import('../../files/memory-gitignore.ts'),
      import('../../indexing/graph/graph-file.ts'),
      import('../../model/kinds.ts'),
    ]);
    ensureGitignore(captureContext.vault.root, config.settings.capture);
    const place = {
      root: captureContext.vault.root,
      kinds: new Kinds(config.settings.categories),
      rules: config.settings.graph,
      now,
    };
    updateGraph(place, { files });
    if (!config.settings.auto_commit) return;
    const { commitFiles } = await import('../../files/git-commit.ts');
    const warning = await commitFiles(
      captureContext.vault.root,
      files,
      `memory: note ${captured.map((note) => note.id).join(', ')}`,
    );
    if (warning) problem(new Error(warning));
  } catch (error) {
    problem(error);
  }
}
