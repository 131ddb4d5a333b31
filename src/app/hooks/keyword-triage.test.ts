import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../config/load.ts';
import { pendingFile } from '../pending-conversations.ts';
import type { HookAnswer, HookContext } from './hook.ts';
import { stop } from './stop.ts';
import { lookThrough } from './stop-transcript.ts';

type Json = { [key: string]: unknown };

/** A folder that is neither a home nor a temporary directory for the hook. */
let outside: string;
let home: string;
let project: string;
let temporary: string;
let problems: unknown[];
let started: string[];
let now: Date;

beforeEach(() => {
  outside = fs.realpathSync(fs.mkdtempSync('/var/tmp/cairn-stop-'));
  home = path.join(outside, 'home');
  project = path.join(outside, 'project');
  temporary = path.join(outside, 'temporary');
  for (const folder of [home, project, temporary]) fs.mkdirSync(folder);
  vi.stubEnv('TMPDIR', temporary);
  problems = [];
  started = [];
  now = new Date();
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(outside, { recursive: true, force: true });
});

const DECIDED = [
  { type: 'human', content: 'We decided on Postgres because it is simple.' },
  { type: 'assistant', content: 'We chose Rust over Go.' },
];
const jsonl = (lines: readonly unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
function transcript(lines: readonly unknown[] = DECIDED, file = path.join(home, 't.jsonl')): string {
  fs.writeFileSync(file, jsonl(lines));
  return file;
}
function configure(settings: Json): void {
  fs.mkdirSync(path.join(project, '.claude/memory'), { recursive: true });
  fs.writeFileSync(path.join(project, '.claude/memory/memory-config.json'), JSON.stringify(settings));
}
const call = async (payload: Json, env: NodeJS.ProcessEnv = {}): Promise<HookAnswer> => stop(payload, contextWith(env));
function contextWith(env: NodeJS.ProcessEnv = {}): HookContext {
  const environment = { HOME: home, CAIRN_TRIAGE_MODE: 'keywords', ...env };
  return {
    env: environment,
    now: () => now,
    config: loadConfig({ cwd: project, env: environment }),
    problem: (cause) => problems.push(cause),
    start: async (worker) => void started.push(worker),
  };
}
const flagFile = () => path.join(project, '.claude/.stop_hook_active');
const dataOf = (answer: HookAnswer) =>
  JSON.parse(/<triage_data>\n([\s\S]*)\n<\/triage_data>/.exec(answer.stderr!)![1]!);
const contextOf = (answer: HookAnswer): string => dataOf(answer).categories[0].context_file;

describe('the Stop hook, by keywords', () => {
  it('has the conversation indexed when the turn is over, and not when it asked for another', async () => {
    const payload = { transcript_path: transcript() };
    expect(await call(payload)).toMatchObject({ exit: 2 });
    expect(started).toEqual([]);
    expect(fs.existsSync(pendingFile(path.join(home, '.cairn'), project))).toBe(true);
    expect(await call({ ...payload, stop_hook_active: true })).toEqual({ exit: 0 });
    expect(started).toEqual(['index-worker']);
  });

  it('blocks once, lets the next stop pass, and looks again after that', async () => {
    const payload = { transcript_path: transcript() };
    const first = await call(payload);
    expect(first).toMatchObject({ exit: 2 });
    expect(first.stdout).toBeUndefined();
    expect(dataOf(first).categories).toMatchObject([{ category: 'decision', score: 0.5263 }]);
    expect(fs.readFileSync(flagFile(), 'utf8')).toMatch(/^\d+\n$/);
    expect(await call(payload)).toEqual({ exit: 0 });
    expect(fs.existsSync(flagFile())).toBe(false);
    expect(await call(payload)).toMatchObject({ exit: 2 });
    expect(problems).toEqual([]);
  });

  it('ignores a flag that is five minutes old, and renews it', async () => {
    const payload = { transcript_path: transcript() };
    await call(payload);
    const flagged = fs.statSync(flagFile()).mtimeMs;
    now = new Date(flagged + 299_000);
    expect(await call(payload)).toEqual({ exit: 0 });
    fs.writeFileSync(flagFile(), 'old');
    fs.utimesSync(flagFile(), now, now);
    now = new Date(now.getTime() + 300_000);
    expect(await call(payload)).toMatchObject({ exit: 2 });
    expect(fs.readFileSync(flagFile(), 'utf8')).toBe(`${Math.floor(now.getTime() / 1_000)}\n`);
  });

  it('never blocks a stop that follows a block, and takes the flag away', async () => {
    const payload = { transcript_path: transcript(), stop_hook_active: true };
    expect(await call(payload)).toEqual({ exit: 0 });
    fs.mkdirSync(path.dirname(flagFile()), { recursive: true });
    fs.writeFileSync(flagFile(), '1');
    fs.utimesSync(flagFile(), 1, 1);
    expect(await call(payload)).toEqual({ exit: 0 });
    expect(fs.existsSync(flagFile())).toBe(false);
  });

  it('still blocks, and reports it, where the flag cannot be written', async () => {
    fs.writeFileSync(path.join(project, '.claude'), 'a file');
    expect(await call({ transcript_path: transcript() })).toMatchObject({ exit: 2 });
    expect(problems).toHaveLength(1);
  });

  it('does not write through a link in place of the flag', async () => {
    const target = path.join(outside, 'precious');
    fs.writeFileSync(target, 'precious');
    fs.utimesSync(target, 1, 1);
    fs.mkdirSync(path.dirname(flagFile()));
    fs.symlinkSync(target, flagFile());
    fs.lutimesSync(flagFile(), 1, 1);
    expect(await call({ transcript_path: transcript() })).toMatchObject({ exit: 2 });
    expect(fs.readFileSync(target, 'utf8')).toBe('precious');
    expect(problems).toHaveLength(1);
  });

  it('is silent when triage is switched off, in plan mode, and while a subagent runs', async () => {
    const payload = { transcript_path: transcript() };
    expect(await call({ ...payload, permission_mode: 'plan' })).toEqual({ exit: 0 });
    const task = { id: 'a', type: 'subagent', status: 'running' };
    expect(await call({ ...payload, background_tasks: [task] })).toEqual({ exit: 0 });
    expect(await call({ ...payload, background_tasks: [{ ...task, type: 'shell' }, null] })).toMatchObject({ exit: 2 });
    fs.rmSync(flagFile());
    configure({ triage: { enabled: false } });
    expect(await call(payload)).toEqual({ exit: 0 });
  });

  it('reads the settings of the project', async () => {
    configure({ triage: { max_messages: 10 }, categories: { session_summary: { enabled: false } } });
    const filler = Array.from({ length: 9 }, () => ({ type: 'human', content: 'Hello.' }));
    expect(await call({ transcript_path: transcript([...DECIDED, ...filler]) })).toEqual({ exit: 0 });
    expect(await call({ transcript_path: transcript([...DECIDED, ...filler.slice(1)]) })).toMatchObject({ exit: 2 });
  });

  it('uses the last answer when the transcript does not hold it yet', async () => {
    const payload = { transcript_path: transcript(DECIDED.slice(0, 1)) };
    expect(await call(payload)).toEqual({ exit: 0 });
    expect(await call({ ...payload, last_assistant_message: 'We chose Rust over Go.' })).toMatchObject({ exit: 2 });
  });

  it('uses the last answer when the client has not written any of the transcript yet', async () => {
    const last_assistant_message = DECIDED.map(({ content }) => content).join('\n');
    for (const transcript_path of [transcript([]), path.join(home, 'none', 'yet.jsonl')]) {
      fs.rmSync(flagFile(), { force: true });
      expect(await call({ transcript_path, last_assistant_message })).toMatchObject({ exit: 2 });
    }
    fs.rmSync(flagFile());
    for (const transcript_path of [path.join(outside, 'none.jsonl'), `${home}/../none.jsonl`, undefined])
      expect(await call({ transcript_path, last_assistant_message })).toEqual({ exit: 0 });
  });

  it('does not offer again what it has offered', async () => {
    const first = await call({ transcript_path: transcript() });
    const client = { uuid: 'u', sessionId: 's' };
    const feedback = `Stop hook feedback:\n[cairn hook stop]: ${first.stderr}`;
    const after = [
      ...DECIDED,
      { ...client, type: 'user', isMeta: true, message: { role: 'user', content: feedback } },
      {
        ...client,
        type: 'assistant',
        message: { id: 'm', content: [{ type: 'text', text: 'Saved what we decided because you chose it.' }] },
      },
      { ...client, type: 'user', message: { role: 'user', content: 'Thanks.' } },
    ];
    fs.rmSync(flagFile());
    expect(await call({ transcript_path: transcript(after) })).toEqual({ exit: 0 });
  });

  describe('reading the transcript', () => {
    it('passes over lines that are not JSON objects in UTF-8', async () => {
      const file = path.join(home, 't.jsonl');
      const bad = Buffer.concat([
        Buffer.from('{"type":"human","content":"picked \xff over"}', 'latin1'),
        Buffer.from('\n'),
      ]);
      const lines = jsonl(DECIDED);
      fs.writeFileSync(
        file,
        Buffer.concat([Buffer.from(`{oops\n[1]\nnull\n"decided"\n\n${lines}`), bad, Buffer.from('{"type"')]),
      );
      expect(dataOf(await call({ transcript_path: file })).categories).toMatchObject([{ score: 0.5263 }]);
    });

    it('takes transcripts in the home, in temporary directories, and where the client keeps its files', async () => {
      for (const folder of [path.join(home, '.claude/projects/x'), temporary, fs.mkdtempSync('/tmp/cairn-stop-')]) {
        fs.mkdirSync(folder, { recursive: true });
        expect(await call({ transcript_path: transcript(DECIDED, path.join(folder, 't.jsonl')) })).toMatchObject({
          exit: 2,
        });
        fs.rmSync(flagFile());
        fs.rmSync(folder === temporary ? path.join(folder, 't.jsonl') : folder, { recursive: true });
      }
      const elsewhere = transcript(DECIDED, path.join(outside, 't.jsonl'));
      expect(await call({ transcript_path: elsewhere })).toEqual({ exit: 0 });
      expect(await call({ transcript_path: elsewhere }, { CLAUDE_CONFIG_DIR: outside })).toMatchObject({ exit: 2 });
    });

    it('judges where a path leads, not what it says', async () => {
      const link = path.join(outside, 'link.jsonl');
      fs.symlinkSync(transcript(), link);
      expect(await call({ transcript_path: link })).toMatchObject({ exit: 2 });
      fs.rmSync(flagFile());
      const leading = path.join(home, 'leading.jsonl');
      fs.symlinkSync(transcript(DECIDED, path.join(outside, 't.jsonl')), leading);
      expect(await call({ transcript_path: leading })).toEqual({ exit: 0 });
      const sibling = `${home}-not`;
      fs.mkdirSync(sibling);
      expect(await call({ transcript_path: transcript(DECIDED, path.join(sibling, 't.jsonl')) })).toEqual({ exit: 0 });
      expect(await call({ transcript_path: `${home}/../t.jsonl` })).toEqual({ exit: 0 });
    });

    it('is silent about paths that lead to nothing it could read', async () => {
      execFileSync('mkfifo', [path.join(home, 'pipe')]);
      for (const odd of [
        undefined,
        null,
        7,
        '',
        home,
        path.join(home, 'none'),
        path.join(home, 'pipe'),
        `${home}/t\0.jsonl`,
      ])
        expect(await call({ transcript_path: odd })).toEqual({ exit: 0 });
      fs.writeFileSync(path.join(home, 'empty'), '');
      expect(await call({ transcript_path: path.join(home, 'empty') })).toEqual({ exit: 0 });
    });

    it('reads the end of a huge file, past lines that are too long', async () => {
      const file = path.join(home, 'huge.jsonl');
      fs.writeFileSync(file, '');
      fs.truncateSync(file, 80 * 1024 * 1024); // one line of NULs, without a block on the disk
      fs.appendFileSync(file, `\n${jsonl(DECIDED)}`);
      const long = {
        uuid: 'u',
        type: 'user',
        message: { content: [{ type: 'tool_result', content: 'decided '.repeat(1_200_000) }] },
      };
      fs.appendFileSync(file, jsonl([long]));
      expect(dataOf(await call({ transcript_path: file })).categories).toMatchObject([{ score: 0.5263 }]);
    });
  });

  describe('the context files', () => {
    it('are for nobody else to read, in a folder of their own for each project and session', async () => {
      const one = contextOf(await call({ transcript_path: transcript(), session_id: 'one' }));
      fs.rmSync(flagFile());
      const two = contextOf(await call({ transcript_path: transcript(), session_id: 'two' }));
      expect(path.dirname(one)).not.toBe(path.dirname(two));
      expect(path.dirname(path.dirname(one))).toBe(path.join(temporary, `cairn-triage-${process.getuid!()}`));
      const modeOf = (file: string) => (fs.statSync(file).mode & 0o777).toString(8);
      expect([modeOf(one), modeOf(path.dirname(one)), modeOf(path.dirname(path.dirname(one)))]).toEqual([
        '600',
        '700',
        '700',
      ]);
      expect(fs.readFileSync(one, 'utf8')).toContain(
        'We decided on Postgres because it is simple.\nWe chose Rust over Go.',
      );
    });

    it('replace older ones and follow no link', async () => {
      const payload = { transcript_path: transcript(), session_id: 's' };
      const file = contextOf(await call(payload));
      const target = path.join(outside, 'precious');
      fs.writeFileSync(target, 'precious');
      fs.rmSync(file);
      fs.symlinkSync(target, file);
      fs.chmodSync(path.dirname(file), 0o755);
      fs.rmSync(flagFile());
      expect(contextOf(await call(payload))).toBe(file);
      expect(fs.lstatSync(file).isFile()).toBe(true);
      expect(fs.readFileSync(target, 'utf8')).toBe('precious');
      expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    });

    it('are left out, and that is reported, where their folder is not to be trusted', async () => {
      const elsewhere = path.join(outside, 'elsewhere');
      fs.mkdirSync(elsewhere);
      fs.symlinkSync(elsewhere, path.join(temporary, `cairn-triage-${process.getuid!()}`));
      const answer = await call({ transcript_path: transcript() });
      expect(answer.exit).toBe(2);
      expect(dataOf(answer).categories).toEqual([{ category: 'decision', score: 0.5263 }]);
      expect(fs.readdirSync(elsewhere)).toEqual([]);
      expect(problems).toHaveLength(1);
    });

    it('mask what was given away before, however often the transcript was looked through', async () => {
      const password = `kR${'7!x'.repeat(3)}qz`;
      const file = transcript();
      const say = (...lines: unknown[]) => fs.appendFileSync(file, jsonl(lines));
      const stopped = async () => {
        fs.rmSync(path.join(project, '.claude', '.stop_hook_active'), { force: true });
        return call({ session_id: 's1', transcript_path: file });
      };
      const note = path.join(path.dirname(contextOf(await stopped())), 'looked-through.json');
      const looked = () => JSON.parse(fs.readFileSync(note, 'utf8')).upTo;
      expect(looked()).toBe(fs.statSync(file).size);
      expect(fs.statSync(note).mode & 0o777).toBe(0o600);
      const filler = { type: 'human', content: 'We decided to go on with what was planned. '.repeat(40) };
      // The name in half a line, which somebody is still writing: what comes next belongs to it.
      const half = JSON.stringify({ type: 'human', content: `The database has DB_PASSWORD=${password} in it.` });
      fs.appendFileSync(file, half.slice(0, -24));
      await stopped();
      fs.appendFileSync(file, `${half.slice(-24)}\n`);
      say(...Array.from({ length: 30 }, () => filler));
      say({ type: 'human', content: `We decided on ${password} because it is long.` });
      for (const _ of [1, 2]) {
        const answer = await stopped();
        expect(answer.stderr).not.toContain(password);
        expect(fs.readFileSync(contextOf(answer), 'utf8')).not.toContain(password);
        expect(fs.readFileSync(contextOf(answer), 'utf8')).toContain('[redacted:');
      }
      // Where something was given away is noted, not what; those places are looked at each time.
      expect(looked()).toBe(fs.statSync(file).size);
      expect(fs.readFileSync(note, 'utf8')).not.toContain(password);
      const { places } = JSON.parse(fs.readFileSync(note, 'utf8'));
      expect(places).toHaveLength(1);
      expect(fs.readFileSync(file).subarray(places[0].from, places[0].to).toString()).toContain(
        `DB_PASSWORD=${password}`,
      );
      // Far behind them, in letters of two bytes, and with nothing beside it that would tell what it is.
      say(
        ...Array.from({ length: 30 }, () => ({
          type: 'human',
          content: 'Wir haben für später beschlossen. '.repeat(60),
        })),
      );
      await stopped();
      say({ type: 'human', content: `We decided on ${password} because it is long.` });
      expect(fs.readFileSync(contextOf(await stopped()), 'utf8')).not.toContain(password);
      expect(looked()).toBe(fs.statSync(file).size);
      // Another transcript under the same name: what was noted does not count for it.
      fs.writeFileSync(file, jsonl([JSON.parse(half), ...Array.from({ length: 60 }, () => filler)]));
      say({ type: 'human', content: `We decided on ${password} because it is long.` });
      expect(fs.readFileSync(contextOf(await stopped()), 'utf8')).not.toContain(password);
    });

    it('do not wait for a long transcript that the worker behind a stop has looked through', async () => {
      const password = `kR${'7!x'.repeat(3)}qz`;
      const said = (content: string) => ({ type: 'human', content });
      const long = Array.from({ length: 200 }, () => said('We decided to go on with what was planned. '.repeat(60)));
      const file = transcript([said(`The database has DB_PASSWORD=${password} in it.`), ...long, ...DECIDED]);
      const payload = { session_id: 's1', transcript_path: file };
      await lookThrough(payload, contextWith());
      const [folder = ''] = fs
        .readdirSync(temporary, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('s1'));
      const note = path.join(temporary, folder, 'looked-through.json');
      const { upTo, places } = JSON.parse(fs.readFileSync(note, 'utf8'));
      expect([upTo, places.length]).toEqual([fs.statSync(file).size, 1]);
      // A little more is left to the stop.
      fs.appendFileSync(file, jsonl([said(`We decided on ${password} because it is long.`)]));
      await lookThrough(payload, contextWith());
      expect(JSON.parse(fs.readFileSync(note, 'utf8')).upTo).toBe(upTo);
      expect(fs.readFileSync(contextOf(await call(payload)), 'utf8')).not.toContain(password);
      expect(JSON.parse(fs.readFileSync(note, 'utf8')).upTo).toBe(fs.statSync(file).size);
      // Of a short one nothing is left behind.
      await lookThrough({ session_id: 's2', transcript_path: transcript() }, contextWith());
      expect(fs.readdirSync(path.dirname(path.dirname(note)))).toHaveLength(1);
      expect(problems).toEqual([]);
    });

    it('hold no secrets, and neither does the message', async () => {
      const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
      const lines = [{ type: 'human', content: `We decided on the token ${secret} because.` }, DECIDED[1]];
      const answer = await call({ transcript_path: transcript(lines) });
      expect(answer.stderr).not.toContain(secret);
      expect(fs.readFileSync(contextOf(answer), 'utf8')).not.toContain(secret);
    });

    it('tell of a session what was done and how it ended', async () => {
      const tools = Array.from({ length: 12 }, () => ({ type: 'tool_use', name: 'Read' }));
      const answer = await call({ transcript_path: transcript([{ type: 'human', content: 'Go on.' }, ...tools]) });
      const text = fs.readFileSync(contextOf(answer), 'utf8');
      expect(text).toMatch(
        /^Category: session_summary\nScore: 0\.72\nTool uses: 12\nDistinct tools: 1\nExchanges: 1\n/,
      );
      expect(text).toContain('Go on.');
    });

    it('of sessions before yesterday are removed when a new one begins', async () => {
      const file = contextOf(await call({ transcript_path: transcript(), session_id: 'old' }));
      fs.rmSync(flagFile());
      now = new Date(now.getTime() + 25 * 3_600_000);
      const next = contextOf(await call({ transcript_path: transcript(), session_id: 'new' }));
      expect([fs.existsSync(file), fs.existsSync(next)]).toEqual([false, true]);
    });
  });

  it('answers any payload with 0 or 2 and throws nothing', async () => {
    const file = transcript();
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(file, home, '/dev/zero', '/etc/passwd', '../t.jsonl', true));
    const keys = [
      'transcript_path',
      'session_id',
      'stop_hook_active',
      'last_assistant_message',
      'background_tasks',
      'permission_mode',
    ];
    const payload = fc.dictionary(fc.constantFrom(...keys), value);
    await fc.assert(
      fc.asyncProperty(payload, async (fields) => {
        fs.rmSync(flagFile(), { force: true });
        expect([0, 2]).toContain((await call(fields)).exit);
      }),
      { numRuns: 300 },
    );
  });
});
