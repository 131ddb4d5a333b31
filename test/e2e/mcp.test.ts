// The server on the real client: its tools, and the hooks that come to it. Each claim is shown by what the loopback API
// received or by what is on disk.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CLIENT_VERSION,
  cairnIn,
  findClient,
  makePlace,
  type Place,
  type PluginChange,
  pluginCopy,
  removePlace,
  runClient,
  settled,
} from './client.ts';
import { type ApiRequest, seenByModel } from './loopback-api.ts';

const TOOL = 'mcp__plugin_memory_cairn__';
const client = findClient();

let place: Place;
beforeEach(() => {
  place = makePlace();
  // No model is made for these tests, and what is found for a prompt does not depend on how recall is tuned.
  const config = { embeddings: { provider: 'none' }, retrieval: { match_strategy: 'title_tags' } };
  fs.mkdirSync(path.join(place.home, '.cairn'));
  fs.writeFileSync(path.join(place.home, '.cairn/config.json'), JSON.stringify(config));
});
afterEach(() => removePlace(place));

const cairn = (...args: string[]): string => cairnIn(place, ...args);
const saveDecision = (): string =>
  cairn('save', 'decision', 'The gateway uses JWT tokens because sessions must be stateless', '--tags', 'auth,gateway');

const warmPlugin = (change: PluginChange = {}): string => pluginCopy(place, 'warm', change);
const toolsOf = (request: ApiRequest | undefined): string[] => (request?.tools ?? []).map(({ name }) => name);
const marks = (): string[] => {
  const folder = path.join(place.home, '.cairn/run');
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
};
const failures = (): string => {
  const file = path.join(place.home, '.cairn/log/hooks.log');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
};
/** The one server of this home. */
const PID = '$(ls "$HOME"/.cairn/run | sed s/mcp-//)';
const QUESTION = 'how does the gateway auth work';
const INJECTED = 'the-gateway-uses-jwt-tokens';

describe.skipIf(!client)(`the server on Claude Code ${CLIENT_VERSION}`, { timeout: 180_000 }, () => {
  it('shows recall, save and save_draft at once, the others on demand, and its own tool to no model', async () => {
    const { requests } = await runClient({ place, prompt: 'hello there, my friend', turns: [{ text: 'Hello.' }] });
    const tools = toolsOf(requests[0]).filter((name) => name.startsWith(TOOL));
    expect(tools).toEqual([`${TOOL}recall`, `${TOOL}save`, `${TOOL}save_draft`]);
    const all = JSON.stringify(requests[0]);
    expect(all).toContain(`${TOOL}update`);
    expect(all).not.toContain('cairn_hook');
    expect(all).toContain('Cairn is the long-term memory of this project');
  });

  it('saves what the model saves, and brings it into the next conversation', async () => {
    const saved = await runClient({
      place,
      prompt: 'which tokens shall we take for the gateway?',
      tools: [`${TOOL}save`, `${TOOL}recall`],
      turns: [
        {
          tools: [
            {
              name: `${TOOL}save`,
              input: {
                category: 'decision',
                text: 'The gateway uses JWT tokens because sessions must be stateless',
                tags: ['auth', 'gateway'],
              },
            },
          ],
        },
        { tools: [{ name: `${TOOL}recall`, input: { query: 'gateway tokens' } }] },
        { text: 'Saved.' },
      ],
    });
    expect(seenByModel(saved.requests[1])).toContain('record:decisions/the-gateway-uses-jwt-tokens');
    expect(JSON.stringify(saved.requests[2]?.messages.at(-1))).toContain('sessions must be stateless');
    expect(cairn('index', '--validate')).toContain('Index is valid (1 entries)');
    const next = await runClient({ place, prompt: QUESTION, turns: [{ text: 'With tokens.' }] });
    expect(seenByModel(next.requests[0])).toContain(INJECTED);
  });

  it('ends with the client and leaves no mark', async () => {
    const { requests } = await runClient({
      place,
      prompt: 'look for the server, please',
      turns: [{ tools: [{ name: 'Bash', input: { command: `echo "server <${PID}>"` } }] }, { text: 'Seen.' }],
    });
    const pid = Number(/server <(\d+)>/.exec(seenByModel(requests[1]))?.[1]);
    expect(pid).toBeGreaterThan(1);
    await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false); // it sees the end of its client a moment later
    expect(marks()).toEqual([]);
    expect(failures()).not.toContain('mcp-server');
  });
});

describe.skipIf(!client)(`hooks to the server on Claude Code ${CLIENT_VERSION}`, { timeout: 180_000 }, () => {
  it('brings a saved decision into the prompt without starting a process', async () => {
    saveDecision();
    const plugin = warmPlugin();
    const { requests, debug } = await runClient({ place, plugin, prompt: QUESTION, turns: [{ text: 'With tokens.' }] });
    expect(seenByModel(requests[0])).toContain(INJECTED);
    expect(debug).toContain('mcp_tool calling plugin:memory:cairn/cairn_hook');
    expect(failures()).not.toMatch(/mcp-server|user-prompt-submit|stop/);
  });

  it('refuses a Write into the memory root and tells the model what to do instead', async () => {
    const target = path.join(place.project, '.claude/memory/decisions/forged.json');
    const { requests } = await runClient({
      place,
      plugin: warmPlugin(),
      prompt: 'write it down for me please',
      turns: [{ tools: [{ name: 'Write', input: { file_path: target, content: '{}' } }] }, { text: 'Understood.' }],
    });
    const answer = JSON.stringify(requests[1]?.messages.at(-1));
    expect(answer).toContain('PreToolUse:Write hook error');
    expect(answer).toContain('cairn write');
    expect(fs.existsSync(target)).toBe(false);
  });

  it('quarantines an invalid file that got around the guard', async () => {
    fs.mkdirSync(path.join(place.project, '.claude/memory'), { recursive: true });
    const config = path.join(place.project, '.claude/memory/memory-config.json');
    fs.writeFileSync(config, JSON.stringify({ memory_root: 'memory' }));
    const target = path.join(place.project, 'memory/decisions/broken.json');
    const { requests } = await runClient({
      place,
      plugin: warmPlugin({ without: ['PreToolUse'] }),
      prompt: 'write it down for me please',
      turns: [
        { tools: [{ name: 'Write', input: { file_path: target, content: '{"title": 1}' } }] },
        { text: 'Understood.' },
      ],
    });
    expect(fs.existsSync(target)).toBe(false);
    expect(seenByModel(requests[1])).toMatch(/is not a valid record/i);
  });

  it('blocks the end of a turn exactly once when there is something worth saving, and indexes what was said', async () => {
    const said = [
      'We decided to use PostgreSQL because it has JSONB, rather than MySQL.',
      'We chose the monorepo layout because of shared types, instead of three repositories.',
      'I went with pnpm due to its speed.',
    ].join('\n');
    const { requests, result } = await runClient({
      place,
      plugin: warmPlugin(),
      prompt: 'which database and layout should we take?',
      turns: [{ text: said }, { text: 'Saved nothing, as you wish.' }],
    });
    expect(requests).toHaveLength(2);
    expect(seenByModel(requests[1])).toContain('Stop hook feedback');
    expect(seenByModel(requests[1])).toContain('<triage_data>');
    expect(result.result).toBe('Saved nothing, as you wish.');
    await settled(place);
    expect(cairn('topics', '--json')).toContain('span:');
  });

  it('is silent when it is switched off', async () => {
    saveDecision();
    const { requests } = await runClient({
      place,
      plugin: warmPlugin(),
      prompt: QUESTION,
      turns: [
        { text: 'We decided to use it because it is good.\nWe chose it because of that.\nWe picked it due to this.' },
      ],
      env: { CAIRN_DISABLE: '1' },
    });
    expect(requests).toHaveLength(1);
    expect(seenByModel(requests[0])).not.toContain('memory-context');
    expect(JSON.stringify(requests[0])).not.toContain(`${TOOL}update`);
    expect(toolsOf(requests[0]).filter((name) => name.startsWith(TOOL))).toEqual([]);
  });

  it('waits a little for a server that is not up at the first prompt', async () => {
    saveDecision();
    const plugin = warmPlugin({ before: 'await new Promise((resolve) => setTimeout(resolve, 2_500));' });
    const { requests } = await runClient({ place, plugin, prompt: QUESTION, turns: [{ text: 'With tokens.' }] });
    expect(seenByModel(requests[0])).toContain(INJECTED);
  });

  it('goes on without a server that never comes up, and the next conversation tells of it', async () => {
    saveDecision();
    const plugin = warmPlugin({ before: 'process.exit(1);' });
    const { requests, result } = await runClient({
      place,
      plugin,
      prompt: QUESTION,
      turns: [{ text: 'With tokens.' }],
    });
    expect(result.result).toBe('With tokens.');
    expect(seenByModel(requests[0])).not.toContain('<memory-context');
    const next = await runClient({
      place,
      plugin,
      prompt: 'what happened to memory?',
      turns: [{ text: 'No server.' }],
    });
    expect(seenByModel(next.requests[0])).toContain('The memory server did not run in the conversation that began at');
  });

  it('says nothing where there is nothing to say', async () => {
    const { requests } = await runClient({
      place,
      plugin: warmPlugin(),
      prompt: QUESTION,
      turns: [{ text: 'No idea.' }],
    });
    expect(seenByModel(requests[0])).not.toContain('UserPromptSubmit hook');
  });

  it('has a killed server started again for the next hook, and reports the death', async () => {
    const target = path.join(place.project, '.claude/memory/decisions/forged.json');
    const { requests, result } = await runClient({
      place,
      plugin: warmPlugin(),
      prompt: 'kill it and write it down for me please',
      turns: [
        { tools: [{ name: 'Bash', input: { command: `kill -9 ${PID}; sleep 1` } }] },
        { tools: [{ name: 'Write', input: { file_path: target, content: '{}' } }] },
        { text: 'Understood.' },
      ],
    });
    expect(result.result).toBe('Understood.');
    expect(JSON.stringify(requests[2]?.messages.at(-1))).toContain('PreToolUse:Write hook error');
    expect(failures()).toContain('"event":"mcp-server"');
    expect(failures()).toContain('was ended by something else than its client');
    const next = await runClient({ place, prompt: 'what happened to memory?', turns: [{ text: 'It was killed.' }] });
    expect(seenByModel(next.requests[0])).toContain('Cairn itself failed');
  });

  it('goes on when the server hangs, and nothing of it is left', async () => {
    const { requests, result } = await runClient({
      place,
      plugin: warmPlugin(),
      prompt: 'make it hang, please',
      turns: [
        { tools: [{ name: 'Bash', input: { command: `pid=${PID}; kill -STOP $pid; echo "server <$pid>"` } }] },
        { text: 'It hangs.' },
      ],
    });
    expect(result.result).toBe('It hangs.');
    const pid = Number(/server <(\d+)>/.exec(seenByModel(requests[1]))?.[1]);
    await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
