// Other clients that speak MCP, and where each keeps the servers it starts. One entry is put in or taken out; the rest of their
// files is theirs and stays as it is. A file that cannot be read safely is not touched: the user is told what to add.

import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CairnError, messageOf } from '../../errors.ts';
import { parseCommentedObject, removeFromJson, setInJson } from '../../files/edit-json.ts';
import { readExactText } from '../../files/json-file.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import type { Scope } from './claude-client.ts';
import { BACKUP_SUFFIX, changeTo, type FileChange } from './planned-change.ts';

export const MCP_CLIENTS = ['codex', 'cursor', 'gemini', 'vscode'] as const;
export type McpClient = (typeof MCP_CLIENTS)[number];

export type ClientPlaces = {
  readonly home: string;
  readonly codexRoot: string;
  readonly projectRoot: string;
  readonly env: NodeJS.ProcessEnv;
};
export type McpServer = { readonly command: string; readonly args: readonly string[] };

const NAME = 'cairn';
const SECTION = { codex: 'mcp_servers', cursor: 'mcpServers', gemini: 'mcpServers', vscode: 'servers' } as const;

export function clientFile(client: McpClient, scope: Scope, places: ClientPlaces): string {
  if (scope === 'local')
    throw new CairnError('USAGE_ERROR', `${client} has no local scope.`, {
      fix: 'Use --scope user or --scope project.',
    });
  const { home, codexRoot, projectRoot } = places;
  if (scope === 'project') {
    const [folder, name] = {
      codex: ['.codex', 'config.toml'],
      cursor: ['.cursor', 'mcp.json'],
      gemini: ['.gemini', 'settings.json'],
      vscode: ['.vscode', 'mcp.json'],
    }[client] as [string, string];
    return path.join(projectRoot, folder, name);
  }
  return {
    codex: path.join(codexRoot, 'config.toml'),
    cursor: path.join(home, '.cursor', 'mcp.json'),
    gemini: path.join(home, '.gemini', 'settings.json'),
    vscode: path.join(vscodeFolder(places), 'mcp.json'),
  }[client];
}

function vscodeFolder({ home, env }: ClientPlaces): string {
  if (process.platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Code', 'User');
  if (process.platform === 'win32')
    return path.join(env.APPDATA ?? path.join(home, 'AppData', 'Roaming'), 'Code', 'User');
  const config = env.XDG_CONFIG_HOME;
  return path.join(config && path.isAbsolute(config) ? config : path.join(home, '.config'), 'Code', 'User');
}

/** Nothing if the entry is there already. */
export async function addServer(client: McpClient, file: string, server: McpServer): Promise<FileChange | undefined> {
  const text = readExactText(file) ?? '';
  if (client === 'codex') {
    const { setTable, tableText } = await import('../../files/edit-toml.ts');
    const entry = { command: server.command, args: server.args };
    const edit = (): string => setTable(text, TABLE, entry);
    return changeTo(file, tomlEdited(file, edit, `Add this yourself:\n${tableText(TABLE, entry)}`), { backup: true });
  }
  const entry = entryFor(client, server);
  const say = { [SECTION[client]]: { [NAME]: entry } };
  const after = jsonEdited(file, text, {
    edit: (before) => setInJson(before, [SECTION[client], NAME], entry),
    section: SECTION[client],
    fix: `Correct it, or add this yourself: ${JSON.stringify(say)}`,
  });
  return changeTo(file, after, { backup: true });
}

export async function removeServer(client: McpClient, file: string): Promise<FileChange | undefined> {
  const text = readExactText(file);
  if (text === undefined) return undefined;
  const fix = `Take the entry "${NAME}" out yourself.`;
  if (client === 'codex') {
    const { removeTable } = await import('../../files/edit-toml.ts');
    return changeTo(
      file,
      tomlEdited(file, () => removeTable(text, TABLE), fix),
      { backup: true },
    );
  }
  const after =
    asBefore(client, file, text) ??
    jsonEdited(file, text, {
      edit: (before) => removeFromJson(before, [SECTION[client], NAME]),
      section: SECTION[client],
      fix: `Correct it, or: ${fix}`,
    });
  return changeTo(file, after, { backup: true });
}

const TABLE = [SECTION.codex, NAME] as const;
const entryFor = (client: McpClient, server: McpServer): object => ({
  ...(client === 'vscode' ? { type: 'stdio' } : {}),
  ...server,
});

function tomlEdited(file: string, edit: () => string, fix: string): string {
  try {
    return edit();
  } catch (error) {
    throw notChanged(file, error, fix);
  }
}

/** The file as it was before the entry came, if nothing else has changed in it since. */
function asBefore(client: McpClient, file: string, text: string): string | undefined {
  const old = readExactText(file + BACKUP_SUFFIX);
  if (old === undefined) return undefined;
  try {
    const section = parseCommentedObject(withoutMark(text), file)[SECTION[client]];
    const entry = isObject(section) ? section[NAME] : undefined;
    const again = setInJson(withoutMark(old), [SECTION[client], NAME], entry);
    return entry !== undefined && again === withoutMark(text) ? old : undefined;
  } catch {
    return undefined; // no JSON: said by the edit
  }
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** An empty file counts as `{}`. Comments and commas at the end, which these clients allow, stay where they are. */
function jsonEdited(
  file: string,
  text: string,
  how: { edit: (before: string) => string; section: string; fix: string },
): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const before = withoutMark(text).trim() === '' ? '{}\n' : withoutMark(text);
  try {
    const said = parseCommentedObject(before, file);
    const inner = said[how.section];
    if (inner !== undefined && inner !== null && !isObject(inner)) throw new Error(`"${how.section}" is no object`);
    const after = how.edit(before);
    const now = parseCommentedObject(after, file);
    if (!isDeepStrictEqual(besides(now, how.section), besides(said, how.section)))
      throw new Error('something else in it would change');
    return mark + after;
  } catch (error) {
    throw notChanged(file, error, how.fix);
  }
}

/** What is said besides our entry; a section that is there for its sake alone counts as none. */
function besides(said: JsonObject, section: string): JsonObject {
  const { [section]: inner, ...rest } = said;
  if (!isObject(inner)) return inner === undefined || inner === null ? rest : said;
  const { [NAME]: _, ...others } = inner;
  return Object.keys(others).length === 0 ? rest : { ...rest, [section]: others };
}

const notChanged = (file: string, error: unknown, fix: string): CairnError =>
  new CairnError('CONFIG_ERROR', `${file} was not changed: ${messageOf(error)}`, { cause: error, fix });
