// One handler, two ways in: what `cairn hook` answers to a payload, the server's tool answers too, and both leave the same files
// behind. The payload goes through the declaration of the plugin's hooks, filled in as the client fills it in.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { capture } from '../../src/app/hooks/capture.ts';
import type { HookHandler } from '../../src/app/hooks/hook.ts';
import { postToolUse } from '../../src/app/hooks/post-tool-use.ts';
import { preCompact } from '../../src/app/hooks/pre-compact.ts';
import { preToolUse } from '../../src/app/hooks/pre-tool-use.ts';
import { stop } from '../../src/app/hooks/stop.ts';
import { userPromptSubmit } from '../../src/app/hooks/user-prompt-submit.ts';
import { runHook } from '../../src/faces/hooks/run-hook.ts';
import { runWarmHook, WARM_HOOKS } from '../../src/faces/mcp/warm-hook.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { sampleInput } from '../fixtures/sample-records.ts';
import { put, snapshot } from '../fixtures/temporary.ts';
import { makePlace, type Place } from './server-process.ts';

type Declared = { type: string; args?: string[]; input?: { [field: string]: string }; server?: string; tool?: string };
type Hooks = { [event: string]: { matcher?: string; hooks: Declared[] }[] };

const PLUGIN = path.resolve(import.meta.dirname, '../../plugin');
const read = (name: string): JsonObject => JSON.parse(fs.readFileSync(path.join(PLUGIN, name), 'utf8'));
const warm = read('hooks/hooks.warm.json').hooks as Hooks;
const command = read('hooks/hooks.json').hooks as Hooks;
const nameOf = ({ type, args, input }: Declared): string => (type === 'mcp_tool' ? input!.event! : args!.at(-1)!);

const HANDLERS: { [name: string]: HookHandler } = {
  'user-prompt-submit': userPromptSubmit,
  'pre-tool-use': preToolUse,
  'post-tool-use': postToolUse,
  capture,
  stop,
  'pre-compact': preCompact,
};

/** A field of the input as the client writes it: text as it is, everything else as JSON, what is missing as nothing. */
function filledIn(event: string, name: string, payload: JsonObject): JsonObject {
  const { input } = warm[event]!.flatMap(({ hooks }) => hooks).find((each) => nameOf(each) === name)!;
  const fill = (written: string): string =>
    written.replace(/\$\{(\w+)\}/g, (_, field: string) => {
      const value = payload[field];
      return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
    });
  return Object.fromEntries(Object.entries(input!).map(([field, written]) => [field, fill(written)]));
}

const SAID = [
  'We decided to use PostgreSQL because it has JSONB, rather than MySQL.',
  'We chose the monorepo layout because of shared types, instead of three repositories.',
  'I went with pnpm due to its speed.',
].join('\n');

const transcriptOf = ({ home }: Place): string => path.join(home, '.claude/projects/p/s.jsonl');

function furnish(): Place {
  const place = makePlace();
  const config = {
    embeddings: { provider: 'none' },
    retrieval: { match_strategy: 'title_tags' },
    traces: { enabled: false }, // the workers that index are processes of their own
    triage: { mode: 'keywords' }, // a draft that waits already is not prepared again
  };
  put(path.join(place.home, '.cairn/config.json'), config);
  const root = path.join(place.project, '.claude/memory');
  const record = { ...sampleInput('decision'), title: 'The gateway uses JWT tokens', tags: ['auth', 'gateway'] };
  put(path.join(root, 'decisions/jwt.json'), { ...record, id: 'jwt', schema_version: '1.0', record_status: 'active' });
  put(
    path.join(root, 'index.md'),
    '# Memory Index\n\n- [DECISION] The gateway uses JWT tokens -> .claude/memory/decisions/jwt.json #tags:auth,gateway\n',
  );
  put(path.join(root, 'decisions/broken.json'), '{"title": 1}');
  const lines = [
    { type: 'user', message: { role: 'user', content: 'Which database and layout should we take?' } },
    { type: 'assistant', message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: SAID }] } },
  ];
  put(transcriptOf(place), lines.map((line) => JSON.stringify(line)).join('\n'));
  put(path.join(place.project, 'src/auth.ts'), 'export const verify = (token: string): boolean => token !== "";\n');
  return place;
}

type Case = { event: string; name: string; says: RegExp | ''; more(place: Place): JsonObject };
const write = (place: Place, file: string, content = '{}'): JsonObject => ({
  tool_name: 'Write',
  tool_use_id: 'toolu_1',
  tool_input: { file_path: path.join(place.project, file), content },
});
const prompt = (text: string, says: Case['says']): Case => ({
  event: 'UserPromptSubmit',
  name: 'user-prompt-submit',
  says,
  more: () => ({ prompt: text }),
});
const ended = (more: JsonObject, says: Case['says']): Case => ({
  event: 'Stop',
  name: 'stop',
  says,
  more: () => ({ stop_hook_active: false, last_assistant_message: SAID, background_tasks: [], ...more }),
});

const CASES: Case[] = [
  prompt('how does the gateway auth work?', /additionalContext.*<memory-context/s),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a person typed is not filled in
  prompt('"quoted" ${cwd} {"json": true} 12345 gateway\nauth', /memory-context/),
  prompt('1234567890123', ''),
  prompt('<task-notification>the gateway auth is done</task-notification>', ''),
  prompt('/memory:search gateway auth', ''),
  { event: 'PreToolUse', name: 'pre-tool-use', says: /deny/, more: (p) => write(p, '.claude/memory/decisions/x.json') },
  { event: 'PreToolUse', name: 'pre-tool-use', says: '', more: (p) => write(p, 'src/x.ts') },
  { event: 'PreToolUse', name: 'pre-tool-use', says: '', more: (p) => write(p, '.claude/memory/memory-config.json') },
  {
    event: 'PostToolUse',
    name: 'post-tool-use',
    says: /not a valid record/,
    more: (p) => ({ ...write(p, '.claude/memory/decisions/broken.json'), tool_response: { type: 'create' } }),
  },
  {
    event: 'PostToolUse',
    name: 'post-tool-use',
    says: '',
    more: (p) => ({ ...write(p, 'src/auth.ts'), tool_response: 'plain text' }),
  },
  {
    event: 'PostToolUse',
    name: 'capture',
    says: '',
    more: (p) => ({
      tool_name: 'Read',
      tool_input: { file_path: path.join(p.project, 'src/auth.ts') },
      tool_response: { type: 'text', file: { filePath: path.join(p.project, 'src/auth.ts'), numLines: 1 } },
    }),
  },
  {
    event: 'PostToolUseFailure',
    name: 'capture',
    says: '',
    more: () => ({ tool_name: 'Bash', tool_input: { command: 'npm test' }, error: 'Exit code 1', is_interrupt: false }),
  },
  ended({}, /"decision":"block".*triage_data/s),
  ended({ stop_hook_active: true }, ''),
  ended({ permission_mode: 'plan' }, ''),
  ended({ background_tasks: [{ type: 'subagent', status: 'running' }] }, ''),
  { event: 'PreCompact', name: 'pre-compact', says: '', more: () => ({ trigger: 'auto', custom_instructions: null }) },
];

const payloadFor = (place: Place, { event, more }: Case): JsonObject => ({
  session_id: 'a1b2c3d4-0000-4000-8000-000000000000',
  transcript_path: transcriptOf(place),
  cwd: place.project,
  hook_event_name: event,
  permission_mode: 'default',
  ...more(place),
});

async function byCommand(place: Place, each: Case): Promise<{ exit: number; out: string; err: string }> {
  const chunks = [Buffer.from(JSON.stringify(payloadFor(place, each)))];
  let [out, err] = ['', ''];
  const exit = await runHook(each.name, HANDLERS[each.name]!, {
    env: place.env,
    input: (give) => give(chunks.shift()),
    cwd: () => place.project,
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { exit, out: out.trimEnd(), err: err.trimEnd() };
}

async function byServer(place: Place, each: Case): Promise<string> {
  const input = filledIn(each.event, each.name, payloadFor(place, each));
  const own = { env: place.env, cwd: () => place.project, warn: () => undefined };
  const result = await runWarmHook(input, own);
  return (result!.content as { text: string }[])[0]!.text;
}

/** Two runs differ in where they were and when. */
function comparable(text: string, { base }: Place): string {
  return text
    .replaceAll(base, '<base>')
    .replace(/cairn-triage-[^"\s]*\//g, '<triage>/')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/\.invalid\.\d+/g, '.invalid.<time>')
    .replace(/\b\d{10}\b/g, '<time>')
    .replace(/"(?:mtime|hash|size)":\s*("[^"]*"|[\d.]+)/g, '<file state>');
}

const filesOf = (place: Place): { [file: string]: string } =>
  Object.fromEntries(
    Object.entries(snapshot(place.project)).map(([file, content]) => [
      comparable(file, place),
      comparable(content, place),
    ]),
  );

describe('a hook', () => {
  it.each(CASES.map((each, at) => [`${at} ${each.name}`, each] as const))(
    'answers the same both ways: %s',
    async (_, each) => {
      const [here, there] = [furnish(), furnish()];
      const said = await byCommand(here, each);
      const answer = await byServer(there, each);
      const expected =
        said.exit === 2
          ? { decision: 'block', reason: said.err }
          : said.out === ''
            ? {}
            : said.out.startsWith('{')
              ? JSON.parse(said.out)
              : { hookSpecificOutput: { hookEventName: each.event, additionalContext: said.out } };
      expect(JSON.parse(comparable(answer, there))).toEqual(JSON.parse(comparable(JSON.stringify(expected), here)));
      if (each.says === '') expect(answer).toBe('{}');
      else expect(answer).toMatch(each.says);
      expect(filesOf(there)).toEqual(filesOf(here));
    },
  );

  it('of the server refuses what no hook sent', async () => {
    const place = furnish();
    const own = { env: place.env, cwd: () => place.project, warn: () => undefined };
    for (const input of [
      undefined,
      'x',
      {},
      { event: 'stop' },
      { event: 'toString', hook_event_name: 'x', session_id: 'y' },
    ])
      expect(await runWarmHook(input, own)).toBeUndefined();
  });
});

describe('the two declarations', () => {
  it('name the same hooks for the same events and tools', () => {
    const shape = (hooks: Hooks) =>
      Object.entries(hooks).map(([event, groups]) => [
        event,
        groups.map(({ matcher, hooks: own }) => ({ matcher, names: own.map(nameOf) })),
      ]);
    expect(shape(warm)).toEqual(shape(command));
  });

  it('send an event one way only: to the server what it knows, to a process the rest', () => {
    for (const [event, groups] of Object.entries(warm)) {
      const kinds = new Set(groups.flatMap(({ hooks }) => hooks.map(({ type }) => type)));
      expect({ event, kinds: kinds.size }).toEqual({ event, kinds: 1 });
      for (const each of groups.flatMap(({ hooks }) => hooks).filter(({ type }) => type === 'mcp_tool')) {
        expect(each).toMatchObject({ server: 'plugin:memory:cairn', tool: 'cairn_hook' });
        expect(WARM_HOOKS).toContain(nameOf(each));
      }
    }
    expect(Object.keys(warm).filter((event) => warm[event]![0]!.hooks[0]!.type === 'command')).toEqual([
      'SessionStart',
      'SubagentStop',
      'SessionEnd',
    ]);
    const servers = read('.mcp.json').mcpServers as JsonObject;
    expect(read('.claude-plugin/plugin.json').name).toBe('memory');
    expect(Object.keys(servers)).toEqual(['cairn']);
  });
});
