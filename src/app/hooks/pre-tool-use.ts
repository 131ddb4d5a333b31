// The write guard: the memory is changed by Cairn, which checks what it writes, and not by the model's own tools.
// People with an editor are not asked; what they break is reported, never undone. Saving a draft that Cairn has prepared needs no question.

import os from 'node:os';
import path from 'node:path';
import type { MemoryPath } from '../../files/memory-path.ts';
import { realPath } from '../../files/paths.ts';
import { cutCodePoints, stripUnsafe } from '../../model/text.ts';
import { type HookAnswer, type HookHandler, SILENT } from './hook.ts';
import { memoryPathsOf } from './written-paths.ts';

/** Settings are for people and models to edit; reading them survives any mistake in them. */
const CONFIG_NAME = 'memory-config.json';
/** Drafts on their way to `cairn write`, and the excerpts that triage hands to their authors. */
const STAGING_NAME = /^\.memory-(?:write-pending.*\.json|draft-.+\.json|triage-context-.+\.txt)$/s;
const SHOWN_PATH = 300;
/** It saves a draft that Cairn has prepared, as a record that Cairn checks: nobody needs to be asked. What the user denies stays denied. */
const SAVE_DRAFT = 'mcp__plugin_memory_cairn__save_draft';
const ALLOWED: HookAnswer = {
  exit: 0,
  stdout: JSON.stringify({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      permissionDecisionReason: 'Cairn saves a draft that it has prepared itself.',
    },
  }),
};

export const preToolUse: HookHandler = (payload, context) => {
  if (payload.tool_name === SAVE_DRAFT) return payload.permission_mode === 'plan' ? SILENT : ALLOWED;
  const refused = memoryPathsOf(payload, context).find(({ path: found }) => !isFree(found));
  if (!refused) return SILENT;
  const answer = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reasonFor(refused.given),
    },
  };
  return { exit: 0, stdout: JSON.stringify(answer) };
};

/** In every reading of the path it must be the settings, so that no link to another file passes for them. */
function isFree(found: MemoryPath): boolean {
  return found.names.every((name) => name === CONFIG_NAME) || isStaged(found);
}

/** A memory root may have been moved to where drafts are staged. Only what lies directly there is a draft. */
function isStaged({ file }: MemoryPath): boolean {
  if (file === undefined || !STAGING_NAME.test(path.basename(file))) return false;
  const places = process.platform === 'win32' ? [os.tmpdir()] : [os.tmpdir(), '/tmp'];
  return places.some((place) => realPath(place) === path.dirname(file));
}

function reasonFor(given: string): string {
  const draft = path.join(os.tmpdir(), '.memory-draft-<name>.json');
  return [
    `Direct writes to the memory directory are blocked, and ${JSON.stringify(cutCodePoints(stripUnsafe(given), SHOWN_PATH))} lies in it.`,
    `Records change through Cairn, which checks them: write the record as JSON to ${draft}, then run`,
    '`cairn write --action create --category <category> --target <path of the record> --input <that file>`',
    '(to change one: `--action update`; to remove one: `--action delete --reason <why>`),',
    'or use the memory tools of the Cairn MCP server where it is connected.',
    '`cairn index --rebuild` makes index.md; `cairn config set <key> <value>` changes settings.',
  ].join(' ');
}
