import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TempProject } from '../../test/fixtures/temp-project.ts';
import type { JsonObject } from '../model/json.ts';
import { captureCommand } from './commands.ts';
import { journalFile, readJournal } from './journal.ts';
import { withoutGivenAway } from './session-secrets.ts';

const TOKEN = 'k3x9vq72mzpw81tbn5rcy6hd';

let project: TempProject;
let transcript: string;
beforeEach(() => {
  project = new TempProject();
  transcript = path.join(project.context().userRoot, '..', 'talk.jsonl');
  fs.writeFileSync(transcript, '');
});
afterEach(() => {
  fs.rmSync(transcript, { force: true });
  project.remove();
});

const say = (text: string): void => fs.appendFileSync(transcript, `${JSON.stringify({ type: 'user', text })}\n`);
let uses = 0;

async function run(command: string, more: JsonObject = {}): Promise<void> {
  const given = {
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: `use-${uses++}`,
    transcript_path: transcript,
    tool_input: { command },
    tool_response: { stdout: 'fine', stderr: '', interrupted: false },
    ...more,
  };
  const { payload, read } = withoutGivenAway(project.context(), given);
  await captureCommand({ ...project.context(), transcriptRead: read }, payload);
}

function journal(): string {
  const { userRoot, projectRoot, sessionId } = project.context();
  return fs.readFileSync(journalFile({ userRoot, projectRoot, sessionId: sessionId! }), 'utf8');
}

describe('what a conversation gave away', () => {
  it('is masked in a later command, although nothing there tells what it is', async () => {
    say(`Use API_TOKEN=${TOKEN} for it.`);
    await run(`./deploy --with ${TOKEN}`);
    expect(journal()).toContain('./deploy --with [redacted:');
    await run('npm test');
    say('And now again.');
    await run(`echo ${TOKEN}`, { tool_response: { stdout: `${TOKEN}\n`, stderr: '', interrupted: false } });
    expect(journal()).not.toContain(TOKEN);
  });

  it('is looked for once, also where a tool call leaves nothing to be noted', () => {
    say('Nothing of interest is said here. '.repeat(2_000));
    const { userRoot, projectRoot, sessionId } = project.context();
    const look = () => withoutGivenAway(project.context(), { tool_name: 'Read', transcript_path: transcript });
    look();
    look();
    const entries = readJournal(userRoot, projectRoot, sessionId!);
    expect(entries).toMatchObject([{ kind: 'looked', read: fs.statSync(transcript).size }]);
    say(`Use API_TOKEN=${TOKEN} for it.`);
    const { payload } = withoutGivenAway(project.context(), {
      transcript_path: transcript,
      tool_response: `: ${TOKEN}`,
    });
    expect(payload.tool_response).toBe(': [redacted:assigned-secret:…y6hd]');
  });

  it('is taken out of what was noted before it was known', async () => {
    await run(`./deploy --with ${TOKEN}`);
    expect(journal()).toContain(TOKEN);
    say(`That was the API_TOKEN=${TOKEN}.`);
    await run('npm test');
    expect(journal()).not.toContain(TOKEN);
  });

  it('is looked for in each part of the transcript once, and half a line waits', async () => {
    say('Hello.');
    await run('npm test');
    const { userRoot, projectRoot, sessionId } = project.context();
    const read = () => readJournal(userRoot, projectRoot, sessionId!).at(-1)?.read;
    expect(read()).toBe(fs.statSync(transcript).size);
    const whole = fs.statSync(transcript).size;
    fs.appendFileSync(transcript, `{"text":"API_TOKEN=${TOKEN}`);
    await run('npm run lint');
    expect(read()).toBe(whole);
    fs.appendFileSync(transcript, '"}\n');
    await run(`echo ${TOKEN}`);
    expect(journal()).not.toContain(TOKEN);
  });

  it('leaves everything as it is where nothing was given away, or the transcript cannot be read', () => {
    const payload = { transcript_path: project.context().userRoot, tool_input: { command: `echo ${TOKEN}` } };
    expect(withoutGivenAway(project.context(), payload).payload).toBe(payload);
    expect(withoutGivenAway(project.context(), { tool_input: {}, transcript_path: 5 }).read).toBeUndefined();
  });
});
