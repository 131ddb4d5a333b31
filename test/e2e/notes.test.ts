// A working session on the real client, as the notes see it: a large file is read, tasks are kept, a subagent reports, a
// command fails and is put right. Afterwards the vault, the graph and index.md hold it, and the next session begins with it.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_VERSION, findClient, makePlace, type Place, removePlace, runClient, settled } from './client.ts';
import { seenByModel } from './loopback-api.ts';

const BINARY = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
const client = findClient();

let place: Place;

function cairn(...args: string[]): string {
  return execFileSync(process.execPath, [BINARY, ...args], {
    cwd: place.project,
    env: { PATH: process.env.PATH, HOME: place.home },
    encoding: 'utf8',
  });
}

const memory = (...parts: string[]): string => path.join(place.project, '.claude/memory', ...parts);
const notes = (folder: string): string[] =>
  fs.existsSync(memory('nodes', folder))
    ? fs.readdirSync(memory('nodes', folder)).filter((name) => name.endsWith('.md'))
    : [];

/** A module of more than 50 KB that says what it is for. */
function largeModule(): string {
  const rows = Array.from({ length: 900 }, (_, at) => `  // row ${at}: ${'x'.repeat(50)}`).join('\n');
  return `/**\n * JWT authentication: login, token verification and session management.\n */\nimport { config } from './config';\n\nexport async function login(name: string): Promise<string> {\n${rows}\n  return config.secret + name;\n}\n\nexport function verifyToken(token: string): boolean {\n  return token !== '';\n}\n`;
}

describe.skipIf(!client)(`notes on Claude Code ${CLIENT_VERSION}`, { timeout: 240_000 }, () => {
  beforeAll(async () => {
    place = makePlace();
    fs.mkdirSync(path.join(place.project, 'src'));
    fs.writeFileSync(path.join(place.project, 'src/auth.ts'), largeModule());
    fs.writeFileSync(path.join(place.project, 'src/config.ts'), "export const config = { secret: 'x' };\n");
    fs.writeFileSync(
      path.join(place.project, 'check.sh'),
      'test -f fixed.txt || { echo "Error: circular import in auth.ts" >&2; exit 3; }\n',
    );
    cairn('save', 'decision', 'Use JWT with a Redis session store because tokens must be revocable', '--tags', 'auth');
    const agent = {
      description: 'Study the repository pattern',
      prompt: 'How is data accessed?',
      subagent_type: 'general-purpose',
      run_in_background: false,
    };
    await runClient({
      place,
      prompt: 'Please repair the authentication module, step by step',
      tools: ['TaskCreate', 'TaskUpdate', 'Agent', 'Task', 'ToolSearch'],
      turns: [
        {
          when: 'How is data accessed?',
          text: 'All database access goes through repository classes in src/repositories.',
        },
        { tools: [{ name: 'Read', input: { file_path: path.join(place.project, 'src/auth.ts') } }] },
        { tools: [{ name: 'ToolSearch', input: { query: 'select:TaskCreate,TaskUpdate' } }] },
        {
          tools: [
            {
              name: 'TaskCreate',
              input: { subject: 'Fix the auth bug', description: 'Refresh returns 401', activeForm: 'Fixing' },
            },
          ],
        },
        { tools: [{ name: 'TaskUpdate', input: { taskId: '1', status: 'in_progress' } }] },
        { tools: [{ name: 'Agent', input: agent }] },
        { tools: [{ name: 'Bash', input: { command: 'sh check.sh', description: 'Check' } }] },
        { tools: [{ name: 'Write', input: { file_path: path.join(place.project, 'fixed.txt'), content: 'yes\n' } }] },
        { tools: [{ name: 'Bash', input: { command: 'sh check.sh', description: 'Check' } }] },
        { tools: [{ name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } }] },
        { text: 'The authentication module is repaired.' },
        { text: 'Nothing to save.' },
      ],
    });
    await settled(place); // the note of the session, the graph and index.md are a worker's where the transcript is long
  }, 240_000);
  afterAll(() => removePlace(place));

  it('sums up the large file that was read', () => {
    const text = fs.readFileSync(memory('nodes/files/file-src-auth-ts.md'), 'utf8');
    expect(text).toContain('type: file-summary');
    expect(text).toContain('path: src/auth.ts');
    expect(text).toContain('JWT authentication: login, token verification and session management');
    expect(text).toMatch(/## Key Exports[\s\S]*login[\s\S]*verifyToken/);
    expect(text).toContain('[[file-src-config');
  });

  it('keeps the task with its last state', () => {
    const text = fs.readFileSync(memory('nodes/tasks', notes('tasks')[0] ?? 'none'), 'utf8');
    expect(text).toContain('Fix the auth bug');
    expect(text).toContain('status: completed');
  });

  it('keeps what the subagent found', () => {
    const text = fs.readFileSync(memory('nodes/discoveries', notes('discoveries')[0] ?? 'none'), 'utf8');
    expect(text).toContain('All database access goes through repository classes');
  });

  it('keeps the error with what was done about it', () => {
    const text = fs.readFileSync(memory('nodes/errors', notes('errors')[0] ?? 'none'), 'utf8');
    expect(text).toContain('circular import in auth.ts');
    expect(text).toMatch(/## Solution[\s\S]*fixed\.txt/);
    expect(text).toContain('status: resolved');
  });

  it('writes the note of the session, linked to all of them', () => {
    const text = fs.readFileSync(memory('nodes/sessions', notes('sessions')[0] ?? 'none'), 'utf8');
    expect(text).toMatch(/## Tasks Completed\n- \[x\] .*\[\[task-/);
    expect(text).toContain('[[discovery-');
    expect(text).toContain('fixed.txt');
  });

  it('joins notes and records in one graph without a broken link of its own', () => {
    const graph = JSON.parse(cairn('graph', '--json')) as {
      node_count: number;
      nodes: { [id: string]: { type: string; linked_from: string[] } };
    };
    const types = new Set(Object.values(graph.nodes).map((node) => node.type));
    for (const type of ['file-summary', 'task', 'discovery', 'error', 'session', 'decision'])
      expect(types).toContain(type);
    const [task] = Object.entries(graph.nodes).find(([, node]) => node.type === 'task')!;
    expect(graph.nodes[task]?.linked_from.some((id) => id.startsWith('session-'))).toBe(true);
    expect(cairn('query', '--related', task, '--format', 'summary')).toContain('[session]');
  });

  it('shows them in index.md, above the lines of the records', () => {
    const index = fs.readFileSync(memory('index.md'), 'utf8');
    expect(index).toMatch(/^# Memory Index\n/);
    expect(index).toContain('## Recent Sessions');
    expect(index).toContain('## Key Files');
    expect(index).toContain('- [DECISION] Use JWT with a Redis session store -> .claude/memory/decisions/');
  });

  it('begins the next session with what the last one left', async () => {
    const { requests } = await runClient({
      place,
      prompt: 'good morning, what is next?',
      turns: [{ text: 'Rate limits.' }],
    });
    const seen = seenByModel(requests[0]);
    expect(seen).toContain('# Memory Context');
    expect(seen).toContain('Last Session');
    expect(seen).toContain('Use JWT with a Redis session store');
  });
});
