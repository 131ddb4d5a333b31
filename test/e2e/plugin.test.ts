// The plugin as users get it, on the real client: valid, small, installed by `cairn install` into a fresh home, at work in the next
// conversation, gone after `cairn uninstall`, with the memory still there.

import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_VERSION, findClient, makePlace, PLUGIN, type Place, removePlace } from './client.ts';
import { type ApiRequest, seenByModel, startApi, type ToolCall, type Turn } from './loopback-api.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BINARY = path.join(ROOT, 'dist/faces/cli/main.js');
const client = findClient();

/** Each command, what a model does on reading it, and what comes of that. None of it may need a permission. */
const bash = (command: string): ToolCall => ({ name: 'Bash', input: { command } });
const COMMANDS: { [name: string]: [call: ToolCall, answer: RegExp] } = {
  search: [bash('cairn search "gateway auth"'), /the-gateway-uses-jwt-tokens/],
  save: [
    {
      name: 'mcp__plugin_memory_cairn__save',
      input: { category: 'preference', text: 'Use tabs in the gateway because its linter wants them', tags: ['style'] },
    },
    /record:preferences\//,
  ],
  config: [bash('cairn config set retrieval.max_inject 4'), /retrieval\.max_inject.*4/],
  status: [bash('cairn status'), /decision/i],
  stats: [bash('cairn stats'), /topic/i],
  topics: [bash('cairn topics'), /span:|no topics/i],
  backfill: [bash('cairn backfill'), /\d/],
};

let place: Place;
let environment: { [name: string]: string };

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, [...args], { cwd: place.project, env: environment, encoding: 'utf8', timeout: 120_000 });
const cairn = (...args: string[]): string => run(process.execPath, [BINARY, ...args]);
const claude = (...args: string[]): string => run(client!, args);

/** One conversation with nothing but what is installed. */
async function converse(
  prompt: string,
  turns: readonly Turn[],
  tools: readonly string[] = [],
): Promise<{ requests: ApiRequest[]; result: string }> {
  const api = await startApi(turns);
  try {
    const argv = ['-p', prompt, '--output-format', 'json', '--permission-mode', 'acceptEdits'];
    if (tools.length > 0) argv.push('--allowedTools', ...tools);
    const child = spawn(client!, argv, {
      cwd: place.project,
      env: { ...environment, ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'dummy-key' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 120_000,
    });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (output += chunk));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk));
    await new Promise((resolve) => child.on('close', resolve));
    if (!output.trim().startsWith('{')) throw new Error(`the client said no JSON: ${output}${errors}`);
    return { requests: api.requests, result: (JSON.parse(output) as { result: string }).result };
  } finally {
    await api.close();
  }
}

describe.skipIf(!client)(`the plugin on Claude Code ${CLIENT_VERSION}`, { timeout: 180_000 }, () => {
  beforeAll(() => {
    place = makePlace();
    const bin = path.join(place.base, 'bin');
    fs.mkdirSync(bin);
    fs.symlinkSync(client!, path.join(bin, 'claude'));
    environment = {
      PATH: `${bin}${path.delimiter}${process.env.PATH}`,
      HOME: place.home,
      LANG: 'C.UTF-8',
      TERM: 'xterm',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      CAIRN_EMBEDDINGS_PROVIDER: 'none', // nothing here is about vectors, and their worker would take a core beside each conversation
    };
  });
  afterAll(() => removePlace(place));

  it('is valid without a warning, and so is the marketplace', () => {
    expect(claude('plugin', 'validate', '--strict', PLUGIN)).toContain('Validation passed');
    expect(claude('plugin', 'validate', '--strict', ROOT)).toContain('Validation passed');
  });

  it('changes nothing in a dry run and names every file', () => {
    const said = cairn('install', '--dry-run');
    expect(said).toContain(path.join(place.home, '.cairn/plugin/memory/hooks/hooks.json'));
    expect(said).toContain('claude plugin install memory@cairn --scope user');
    expect(said).toContain(path.join(place.home, '.claude/settings.json'));
    expect(fs.existsSync(path.join(place.home, '.cairn'))).toBe(false);
  });

  it('is installed by one command, once', () => {
    expect(cairn('install')).toContain('Cairn is installed.');
    expect(cairn('install')).toContain('installed already');
    const [listed] = JSON.parse(claude('plugin', 'list', '--json'));
    expect(listed).toMatchObject({ id: 'memory@cairn', scope: 'user', enabled: true });
  });

  it('adds less than 600 tokens to every session', () => {
    const details = claude('plugin', 'details', 'memory@cairn');
    expect(Number(/Always-on:\s+~(\d+) tok/.exec(details)?.[1])).toBeLessThan(600);
    for (const name of [...Object.keys(COMMANDS), 'remember', 'memory-management']) expect(details).toContain(name);
  });

  it('brings a saved decision into the next conversation, and cairn into reach of the model', async () => {
    cairn(
      'save',
      'decision',
      'The gateway uses JWT tokens because sessions must be stateless',
      '--tags',
      'auth,gateway',
    );
    const turns = [{ tools: [bash('cairn search gateway')] }, { text: 'With tokens.' }];
    const { requests } = await converse('how does the gateway auth work', turns, ['Bash']);
    expect(seenByModel(requests[0])).toContain('The gateway uses JWT tokens');
    expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain('the-gateway-uses-jwt-tokens');
  });

  it.each(Object.entries(COMMANDS))('answers /memory:%s, and asks for no permission', async (name, [call, answer]) => {
    const turns = [{ tools: [call] }, { text: 'Here it is.' }];
    const { requests, result } = await converse(`/memory:${name} gateway auth`, turns);
    const body = fs.readFileSync(path.join(PLUGIN, 'commands', `${name}.md`), 'utf8').split('---\n')[2]!;
    const seen = seenByModel(requests[0]);
    expect(seen).toContain(body.trim().split('\n').at(-1)!.replace('$ARGUMENTS', 'gateway auth'));
    expect(seen).toContain('gateway auth');
    const [done] = toolResults(requests[1]);
    expect(done).not.toMatchObject({ is_error: true });
    expect(JSON.stringify(done)).toMatch(answer);
    expect(result).toBe('Here it is.');
  });

  it.each(['stats', 'topics', 'backfill'])('answers /memory-%s, by the name that people know', async (name) => {
    const [call, answer] = COMMANDS[name]!;
    const { requests, result } = await converse(`/memory-${name}`, [{ tools: [call] }, { text: 'Here it is.' }]);
    expect(seenByModel(requests[0])).toContain(`cairn ${name}`);
    const [done] = toolResults(requests[1]);
    expect(done).not.toMatchObject({ is_error: true });
    expect(JSON.stringify(done)).toMatch(answer);
    expect(result).toBe('Here it is.');
  });

  it('answers /remember, bare, in a context of its own', async () => {
    const { requests, result } = await converse('/remember how the gateway authenticates', [
      { tools: [{ name: 'Bash', input: { command: 'cairn remember "how the gateway authenticates" --json' } }] },
      { text: 'With JWT (record:decisions/the-gateway-uses-jwt-tokens).' },
    ]);
    expect(seenByModel(requests[0])).toContain('how the gateway authenticates');
    const [found] = toolResults(requests[1]);
    expect(found).not.toMatchObject({ is_error: true });
    expect(JSON.stringify(found)).toContain('the-gateway-uses-jwt-tokens');
    expect(result).toContain('With JWT');
  });

  it('drafts with its own agent on the model that is asked for', async () => {
    const { requests } = await converse('consolidate', [
      {
        tools: [
          {
            name: 'Agent',
            input: {
              subagent_type: 'memory:memory-drafter',
              description: 'draft a decision',
              prompt: 'DRAFT-THIS decision',
              model: 'haiku',
              run_in_background: false,
            },
          },
        ],
      },
      { when: 'DRAFT-THIS', text: '{"action":"noop"}' },
      { text: 'Nothing to save.' },
    ]);
    const drafted = requests.find(({ messages }) => JSON.stringify(messages[0]).includes('DRAFT-THIS'));
    expect(drafted?.model).toContain('haiku');
    expect(JSON.stringify(drafted?.system)).toContain('You draft at most one memory');
  });

  it('remembers neither what it was asked nor what it answered', () => {
    const { results } = JSON.parse(cairn('remember', 'how the gateway authenticates', '--json')) as {
      results: { ref: string; text: string }[];
    };
    expect(results.map(({ ref }) => ref)).toContain('record:decisions/the-gateway-uses-jwt-tokens');
    expect(results.map(({ text }) => text).join('\n')).not.toMatch(/\/memory:|With JWT \(record:|Here it is/);
  });

  it('is found well by the doctor', () => {
    const { findings } = JSON.parse(doctor()) as { findings: { area: string; level: string; text: string }[] };
    expect(findings.filter(({ area }) => area === 'hooks')).toEqual([
      expect.objectContaining({ level: 'ok', text: expect.stringContaining('registered (user)') }),
    ]);
    expect(findings.filter(({ area, level }) => area === 'failures' && level !== 'ok')).toEqual([]);
  });

  it('goes without the memory', async () => {
    const said = cairn('uninstall');
    expect(said).toContain('Cairn is uninstalled');
    expect(said).toContain(path.join(place.project, '.claude/memory'));
    expect(JSON.parse(claude('plugin', 'list', '--json'))).toEqual([]);
    expect(cairn('search', 'gateway')).toContain('The gateway uses JWT tokens');
    expect(cairn('uninstall')).toContain('not installed');
    const { requests } = await converse('how does the gateway auth work', [{ text: 'No idea.' }]);
    expect(seenByModel(requests[0])).not.toContain('JWT');
  });
});

const toolResults = (request: ApiRequest | undefined): { type: string; is_error?: boolean }[] =>
  (request?.messages ?? []).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result'),
  );

/** Its exit code tells, and is not what is asked here. */
function doctor(): string {
  try {
    return cairn('doctor', '--json');
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
