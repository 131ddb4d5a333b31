// Other clients that speak MCP, and where each keeps the servers it starts. One entry is put in or taken out; the rest of their
// files is theirs and stays as it is. A file that cannot be read safely is not touched: the user is told what to add.

import path from 'node:path';
import { CairnError, messageOf } from '../errors.ts';
import { removeFromJson, setInJson } from '../files/edit-json.ts';
import { isObject, parseJsonObject, readText } from '../files/json-file.ts';
import type { Scope } from './claude-client.ts';
import { otherwiseSaid, removeTable, setTable } from './edit-toml.ts';
import { changeTo, type FileChange } from './file-change.ts';

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
export function addServer(client: McpClient, file: string, server: McpServer): FileChange | undefined {
  const text = readText(file);
  if (client === 'codex') {
    const entry = { command: server.command, args: server.args };
    const name = `${SECTION.codex}.${NAME}`;
    const line = otherwiseSaid(text ?? '', name);
    if (line !== undefined)
      throw new CairnError(
        'CONFIG_ERROR',
        `${file} was not changed: a table [${name}] would not go together with its line ${line}.`,
        { fix: `Write that line as a table, or add this in its way: ${setTable('', name, entry).trim()}` },
      );
    return changeTo(file, setTable(text ?? '', name, entry), { backup: true });
  }
  const entry = { ...(client === 'vscode' ? { type: 'stdio' } : {}), ...server };
  const edit = (before: string): string => setInJson(before, [SECTION[client], NAME], entry);
  return changeTo(file, edited(file, text ?? '{}\n', { edit, say: { [SECTION[client]]: { [NAME]: entry } } }), {
    backup: true,
  });
}

export function removeServer(client: McpClient, file: string): FileChange | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  const after =
    client === 'codex'
      ? removeTable(text, `${SECTION.codex}.${NAME}`)
      : edited(file, text, { edit: (before) => removeFromJson(before, [SECTION[client], NAME]) });
  return changeTo(file, after, { backup: true });
}

/** An empty file counts as `{}`; comments, which some of these clients allow, do not: they would be in the way of the edit. */
function edited(file: string, text: string, how: { edit: (before: string) => string; say?: object }): string {
  const before = text.trim() === '' ? '{}\n' : text;
  try {
    const section = Object.values(how.say ?? {}).length > 0 ? Object.keys(how.say!)[0]! : undefined;
    const value = parseJsonObject(before, file);
    if (section !== undefined && value[section] !== undefined && value[section] !== null && !isObject(value[section]))
      throw new Error(`"${section}" is no object`);
    return how.edit(before);
  } catch (error) {
    throw new CairnError('CONFIG_ERROR', `${file} was not changed, because it is no plain JSON: ${messageOf(error)}`, {
      cause: error,
      fix: how.say
        ? `Correct it, or add this yourself: ${JSON.stringify(how.say)}`
        : `Correct it, or take the entry "${NAME}" out yourself.`,
    });
  }
}
