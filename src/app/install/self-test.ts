// A synthetic conversation through every hook of the real program, in a home and a project of its own: what was said in it must
// come out of `cairn remember`. Nothing of the user's is read or written.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../../errors.ts';
import { removeBusyFolder } from '../../files/remove-busy-folder.ts';

export type SelfTestStep = { readonly name: string; readonly ok: boolean; readonly text: string };

type Ran = { code: number | null; out: string; err: string };
type CaptureContext = {
  base: string;
  home: string;
  project: string;
  transcript: string;
  program: string;
  env: NodeJS.ProcessEnv;
};

const SESSION = '5e1f7e57-0000-4000-8000-000000000001';
const DECISION = 'We decided to keep the heron sightings in SQLite because the ferry has no network.';
const QUESTION = 'where do we keep the heron sightings';
const WISH = 'We should count the herons at dawn and not at noon, because they sleep in the shade by then.';
const NOTED = 'The herons are counted at dawn.';
const STEP_MS = 60_000;
const INDEXING_MS = 90_000;

export async function selfTest(program: string, env: NodeJS.ProcessEnv): Promise<SelfTestStep[]> {
  const context = makeScene(program, env);
  const steps: SelfTestStep[] = [];
  try {
    for (const [name, work] of STEPS) {
      try {
        const problem = await work(context);
        steps.push({ name, ok: problem === undefined, text: problem ?? 'ok' });
      } catch (error) {
        steps.push({ name, ok: false, text: messageOf(error) });
      }
    }
    const failures = path.join(context.home, '.cairn', 'log', 'hooks.log');
    const logged = fs.existsSync(failures) ? fs.readFileSync(failures, 'utf8').trim().split('\n') : [];
    steps.push({
      name: 'no hook failed in silence',
      ok: logged.length === 0,
      text: logged.at(-1)?.slice(0, 400) ?? 'ok',
    });
    return steps;
  } finally {
    // The worker of the last hook may still be writing: on a busy machine that takes some seconds.
    await removeBusyFolder(context.base);
  }
}

/** What is wrong, or nothing. */
type Work = (context: CaptureContext) => Promise<string | undefined>;

const STEPS: readonly (readonly [name: string, work: Work])[] = [
  [
    'session-start',
    (context) => hook(context, 'session-start', { hook_event_name: 'SessionStart', source: 'startup' }),
  ],
  ['pre-tool-use refuses a write into the memory', refusesWrite],
  ['post-tool-use', (context) => hook(context, 'post-tool-use', writeEvent(context, 'PostToolUse', 'notes.txt'))],
  ['capture', (context) => hook(context, 'capture', writeEvent(context, 'PostToolUse', 'notes.txt'))],
  ['capture of a failure', (context) => hook(context, 'capture', failureEvent)],
  ['stop notices the decision', asksOnce],
  ['pre-compact', (context) => hook(context, 'pre-compact', { hook_event_name: 'PreCompact', trigger: 'manual' })],
  ['save', savesRecord],
  ['user-prompt-submit brings it back', injects],
  ['session-end', (context) => hook(context, 'session-end', { hook_event_name: 'SessionEnd', reason: 'other' })],
  ['remember finds what was said', remembers],
];

function makeScene(program: string, env: NodeJS.ProcessEnv): CaptureContext {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-self-test-')));
  const home = path.join(base, 'home');
  const project = path.join(base, 'project');
  const temporary = path.join(base, 'temporary');
  const transcript = path.join(home, '.claude', 'projects', project.replace(/[^A-Za-z0-9]/g, '-'), `${SESSION}.jsonl`);
  for (const folder of [path.join(project, '.git'), path.join(home, '.cairn'), path.dirname(transcript), temporary])
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  fs.writeFileSync(path.join(project, 'notes.txt'), 'herons\n');
  // Vectors are another matter, and would keep a worker busy for longer than the test.
  fs.writeFileSync(path.join(home, '.cairn', 'config.json'), '{"embeddings":{"provider":"none"}}\n', { mode: 0o600 });
  fs.writeFileSync(transcript, transcriptText(project));
  const kept = ['PATH', 'LANG', 'LC_ALL', 'SystemRoot', 'NODE_PATH'];
  const own = Object.fromEntries(kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  return {
    ...{ base, home, project, transcript, program },
    env: {
      ...own,
      ...{ HOME: home, USERPROFILE: home, CLAUDE_PROJECT_DIR: project },
      ...{ TMPDIR: temporary, TEMP: temporary, TMP: temporary }, // what triage leaves there goes with the rest
    },
  };
}

function transcriptText(cwd: string): string {
  const lines = [
    { type: 'user', message: { role: 'user', content: `${QUESTION}?` } },
    { type: 'assistant', message: { id: 'msg_1', role: 'assistant', content: [{ type: 'text', text: answerText() }] } },
    { type: 'user', message: { role: 'user', content: WISH } },
    { type: 'assistant', message: { id: 'msg_2', role: 'assistant', content: [{ type: 'text', text: NOTED }] } },
  ];
  const began = Date.now() - 60_000;
  return lines
    .map((line, at) => ({
      ...line,
      uuid: `u${at}`,
      parentUuid: at === 0 ? null : `u${at - 1}`,
      sessionId: SESSION,
      cwd,
      gitBranch: 'main',
      timestamp: new Date(began + at * 1_000).toISOString(),
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

const answerText = (): string =>
  [
    DECISION,
    'We chose one file per season because it is easy to copy, rather than one for each day.',
    'I went with plain dates due to their brevity.',
  ].join('\n');

const failureEvent = {
  hook_event_name: 'PostToolUseFailure',
  tool_name: 'Bash',
  tool_input: { command: 'npm run count-herons' },
  error: 'Exit code 1\nmissing script: count-herons',
};

const writeEvent = ({ project }: CaptureContext, event: string, name: string): object => ({
  hook_event_name: event,
  tool_name: 'Write',
  tool_input: { file_path: path.join(project, name), content: 'herons\n' },
  tool_response: { type: 'create', filePath: path.join(project, name) },
  tool_use_id: 'toolu_1',
});

async function hook(
  context: CaptureContext,
  event: string,
  payload: object,
  expected: readonly number[] = [0],
): Promise<string | undefined> {
  return wrongIn(await runHook(context, event, payload), expected);
}

const wrongIn = ({ code, out, err }: Ran, expected: readonly number[]): string | undefined =>
  code !== null && expected.includes(code) ? undefined : `exit ${code}: ${`${err}${out}`.trim().slice(0, 400)}`;

async function refusesWrite(context: CaptureContext): Promise<string | undefined> {
  const ran = await runHook(
    context,
    'pre-tool-use',
    writeEvent(context, 'PreToolUse', '.claude/memory/decisions/x.json'),
  );
  return wrongIn(ran, [0]) ?? (ran.out.includes('"deny"') ? undefined : 'it was not refused');
}

async function asksOnce(context: CaptureContext): Promise<string | undefined> {
  const payload = { hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: NOTED };
  const ran = await runHook(context, 'stop', payload);
  const wrong = wrongIn(ran, [0]) ?? (ran.out.includes('save_draft') ? undefined : 'it named nothing to save');
  return wrong ?? hook(context, 'stop', { ...payload, stop_hook_active: true });
}

async function savesRecord(context: CaptureContext): Promise<string | undefined> {
  return wrongIn(await cairn(context, ['save', 'decision', DECISION, '--tags', 'herons,storage', '--new']), [0]);
}

async function injects(context: CaptureContext): Promise<string | undefined> {
  const ran = await runHook(context, 'user-prompt-submit', { hook_event_name: 'UserPromptSubmit', prompt: QUESTION });
  return wrongIn(ran, [0]) ?? (/heron/i.test(ran.out) ? undefined : 'the decision was not injected');
}

/** The worker that indexes runs on its own, so this asks until it is done. */
async function remembers(context: CaptureContext): Promise<string | undefined> {
  const deadline = Date.now() + INDEXING_MS;
  for (;;) {
    const ran = await cairn(context, ['remember', QUESTION, '--json']);
    const wrong = wrongIn(ran, [0]);
    if (wrong) return wrong;
    const { results } = JSON.parse(ran.out) as { results: { session?: string }[] };
    if (results.some(({ session }) => session === SESSION)) return undefined;
    if (Date.now() > deadline) return `${results.length} results, none from the conversation`;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function runHook(context: CaptureContext, event: string, payload: object): Promise<Ran> {
  const { project, transcript } = context;
  const common = { session_id: SESSION, transcript_path: transcript, cwd: project, permission_mode: 'default' };
  return cairn(context, ['hook', event], JSON.stringify({ ...common, ...payload }));
}

function cairn(context: CaptureContext, words: readonly string[], input = ''): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const { program, project: cwd, env } = context;
    const child = spawn(process.execPath, [program, ...words], { cwd, env, timeout: STEP_MS });
    const ran: Ran = { code: null, out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (ran.err += text));
    child.stdin.on('error', () => undefined); // a hook that needs no more of its input closes it
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...ran, code }));
    child.stdin.end(input);
  });
}
