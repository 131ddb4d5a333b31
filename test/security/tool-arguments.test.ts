// Arguments of tools come from a model, which may have read anything: they name memories, never files, and never more than one
// answer's worth.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ServerSession } from '../../src/faces/mcp/server-session.ts';
import { callTool } from '../../src/faces/mcp/tool.ts';
import { TOOLS } from '../../src/faces/mcp/tools.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { put, snapshot, temporaryFolder } from '../fixtures/temporary.ts';

let base: string;
let session: ServerSession;

beforeEach(async () => {
  base = temporaryFolder();
  const project = path.join(base, 'project');
  put(path.join(base, 'secret.json'), { title: 'top secret', content: {} });
  put(path.join(base, 'secret.md'), '---\nid: secret\ntype: decision\n---\n# top secret\n');
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
  fs.mkdirSync(path.join(base, 'home'));
  const env = { HOME: path.join(base, 'home'), CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  session = new ServerSession({ env, cwd: project, now: () => new Date() });
  await call('save', { category: 'decision', text: 'Use SQLite because it needs no server' });
});

async function call(name: string, input: unknown): Promise<string> {
  const tool = TOOLS.find((each) => each.name === name)!;
  return JSON.stringify(await callTool(tool, input as JsonObject, session, new AbortController().signal));
}

const outside = (): object =>
  Object.fromEntries(Object.entries(snapshot(base)).filter(([name]) => !/^(?:home|project)\b/.test(name)));

const PATHS = [
  '../../../secret',
  '/etc/passwd',
  'decisions/../../../../secret',
  '..\\..\\secret',
  '\0',
  '.',
  '',
  '~/x',
  '%2e%2e/x',
];

describe('a tool', () => {
  it.each(PATHS)('reads and changes no file that is named instead of a memory: %j', async (name) => {
    const before = outside();
    for (const prefix of ['', 'record:', 'note:', 'idea:', 'span:']) {
      const ref = prefix + name;
      const answers = [
        await call('get', { ref }),
        await call('related', { ref }),
        await call('update', { ref, summary: 's', content: { decision: 'x' } }),
        await call('retire', { ref, reason: 'r' }),
        await call('feedback', { ref, verdict: 'useful' }),
      ];
      expect(answers.join()).not.toContain('top secret');
      expect(answers.join()).not.toContain('root:');
    }
    await call('save', { category: name, text: 'x', title: name });
    expect(outside()).toEqual(before);
  });

  it('takes no argument that its schema does not know, of no other type, and no endless one', async () => {
    const odd: unknown[] = [
      null,
      [],
      'text',
      7,
      { query: 7 },
      { query: 'x'.repeat(1_000_000) },
      { query: 'x', limit: 1e9 },
    ];
    for (const tool of TOOLS)
      for (const input of odd) expect((await call(tool.name, input)).length).toBeLessThan(60_000);
    await call(
      'recall',
      JSON.parse('{"query": "x", "__proto__": {"polluted": true}, "constructor": {"prototype": 1}}'),
    );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
