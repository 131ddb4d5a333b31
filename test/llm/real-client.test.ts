// The real client as a model, against a scripted endpoint on loopback. Its home is full of traps: hooks, an MCP server
// and a memory file would all leave a mark if the child let them take part.

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { spanLines } from '../../src/indexing/transcripts/span-lines.ts';
import { openClaude } from '../../src/llm/claude.ts';
import { readLedger, useOn } from '../../src/llm/ledger.ts';
import { openLlm } from '../../src/llm/open-llm.ts';
import { localDay } from '../../src/model/timestamp.ts';
import { refineSpans } from '../../src/refine/refine-spans.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { openArchive } from '../../src/transcripts/archive/archive.ts';
import { CLIENT_VERSION, findClient, makePlace, type Place } from '../e2e/client.ts';
import { indexConversation, NOW, spansOf, VIEWER_ANSWER, writeConversation } from './conversation.ts';
import { failureOf, llmSettings } from './llm-settings.ts';
import { apiForTest, type ScriptedApi, type Step } from './scripted-api.ts';

const client = findClient();
let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => removeBusyFolder(place.base));

const trap = (name: string): string => path.join(place.base, `trap-${name}`);

function setTraps(): void {
  const command = (name: string) => ({ type: 'command', command: `env > '${trap(name)}'` });
  const events = ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'];
  const hooks = Object.fromEntries(events.map((event) => [event, [{ hooks: [command(event)] }]]));
  const claude = path.join(place.home, '.claude');
  fs.mkdirSync(claude, { recursive: true });
  fs.writeFileSync(path.join(claude, 'settings.json'), JSON.stringify({ hooks }));
  fs.writeFileSync(path.join(claude, 'CLAUDE.md'), '# THE MEMORY OF THE USER\n');
  const server = { command: 'sh', args: ['-c', `touch '${trap('server')}'; cat`] };
  fs.writeFileSync(path.join(place.home, '.claude.json'), JSON.stringify({ mcpServers: { trapped: server } }));
}

const environment = (api: ScriptedApi) => ({
  PATH: process.env.PATH,
  HOME: place.home,
  LANG: 'C.UTF-8',
  ANTHROPIC_BASE_URL: api.url,
  ANTHROPIC_API_KEY: 'dummy-key',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
});

async function ask(step: Step, timeout_seconds = 100) {
  setTraps();
  const api = await apiForTest([step]);
  const parent = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: '11111111-1111-4111-8111-111111111111' };
  const settings = llmSettings({ provider: 'claude', timeout_seconds });
  const llm = openClaude({ settings, env: { ...environment(api), ...parent }, claudeBinary: client! });
  return { api, answer: llm.complete({ system: 'You read notes.', prompt: 'THE PROMPT OF THE TEST', maxTokens: 777 }) };
}

const sprung = (): string[] => fs.readdirSync(place.base).filter((name) => name.startsWith('trap-'));

const below = (folder: string): string[] =>
  fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true }).map(String) : [];

describe.skipIf(!client)(`on Claude Code ${CLIENT_VERSION}`, { timeout: 120_000 }, () => {
  it('answers, and nothing of the user but the login takes part in it', async () => {
    const { api, answer } = await ask({ say: '{"name":"x"}' });
    expect(await answer).toEqual({ text: '{"name":"x"}', tokensIn: 112, tokensOut: 20 });
    expect(api.requests).toHaveLength(1);
    const [{ body, headers }] = api.requests as [(typeof api.requests)[number]];
    expect(headers['x-api-key']).toBe('dummy-key');
    expect(body.max_tokens).toBe(777);
    expect(body.tools ?? []).toEqual([]);
    expect(body.thinking).toBeUndefined();
    expect(body.model).toContain('haiku');
    const seen = JSON.stringify(body);
    expect(seen).toContain('THE PROMPT OF THE TEST');
    expect(seen).toContain('You read notes.');
    expect(seen).not.toContain('THE MEMORY OF THE USER');
    expect(sprung()).toEqual([]);
    expect(below(path.join(place.home, '.claude/projects')).filter((file) => file.endsWith('.jsonl'))).toEqual([]);
    expect(below(place.project).filter((file) => !file.startsWith('.git'))).toEqual([]);
  });

  it('refines a topic', async () => {
    setTraps();
    const file = writeConversation(path.join(place.base, 'talk.jsonl'));
    const store = await openSqliteStore(path.join(place.base, 'memory.db'));
    try {
      await indexConversation(store, file);
      const api = await apiForTest([{ say: JSON.stringify(VIEWER_ANSWER) }]);
      const ledgerFile = path.join(place.base, 'ledger.json');
      const settings = llmSettings({ provider: 'claude', timeout_seconds: 100 });
      const options = { env: environment(api), ledgerFile, now: () => NOW, claudeBinary: client! };
      const llm = await openLlm(settings, options);
      const archive = openArchive(path.join(place.base, 'archive'), { maxBytes: 1e9, now: () => NOW });
      const report = await refineSpans(store, llm!, {
        linesOf: spanLines(archive),
        refinementsDir: path.join(place.base, 'refinements'),
        now: () => NOW,
        limit: 1,
      });
      expect(report).toEqual({ refined: 1, replayed: 0, refused: 0, failed: 0, left: 1 });
      const [, viewer] = await spansOf(store);
      expect(viewer).toMatchObject({ title: VIEWER_ANSWER.title, meta: { refined: 'claude:haiku' } });
      expect(useOn(readLedger(ledgerFile), localDay(NOW))).toMatchObject({ calls: 1, tokensIn: 112, tokensOut: 20 });
      expect(sprung()).toEqual([]);
    } finally {
      await store.close();
    }
  });

  it('would be caught by the traps: a plain run is', async () => {
    setTraps();
    const api = await apiForTest([{ say: 'hello' }]);
    const env = { ...environment(api), CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };
    await new Promise((resolve) =>
      spawn(client!, ['-p', 'hi'], { cwd: place.project, env, stdio: 'ignore' }).on('close', resolve),
    );
    expect(sprung()).toEqual(expect.arrayContaining(['trap-SessionStart', 'trap-server']));
    expect(JSON.stringify(api.requests)).toContain('THE MEMORY OF THE USER');
    expect(below(path.join(place.home, '.claude/projects')).some((file) => file.endsWith('.jsonl'))).toBe(true);
  });

  it('is ended when time is up', async () => {
    const { answer } = await ask({ hang: true }, 3);
    expect(await failureOf(answer)).toMatchObject({ failure: 'timeout' });
    const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(stdout.split('\n').filter((line) => line.includes('You read notes.'))).toEqual([]);
  });

  it.each([
    [429, 'busy'],
    [529, 'busy'],
    [401, 'setup'],
    [404, 'setup'],
    [500, 'unavailable'],
    [400, 'rejected'],
  ] as const)('tells %i as %s', async (status, failure) => {
    const { api, answer } = await ask({ status, headers: { 'retry-after': '1' } });
    expect(await failureOf(answer)).toMatchObject({ failure });
    expect(api.requests.length).toBeLessThanOrEqual(3);
  });

  it('tells a refusal, and an answer that is too long, with what all the tries cost', async () => {
    const refusal = await ask({ say: 'no', stop: 'refusal' });
    expect(await failureOf(refusal.answer)).toMatchObject({ failure: 'refused' });
    const cut = await ask({ say: '{"na', stop: 'max_tokens' });
    const error = await failureOf(cut.answer);
    expect(error.failure).toBe('cut');
    expect(cut.api.requests.length).toBeLessThanOrEqual(4); // what `costs.mostRequests` says
    expect(error.use?.tokensOut).toBe(20 * cut.api.requests.length);
  });
});
