// `npm run demo`: the main job in a temporary project with a temporary home. A conversation of last week is read, asked about,
// and brought back by the next prompt; a decision is saved, found, taken away and put back. Each command is shown, run for real,
// and its answer printed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { writeConversation } from './demo-conversation.mjs';

const binary = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../dist/faces/cli/main.js');
const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'cairn-demo-')));
const project = path.join(home, 'shop');
const { CAIRN_DISABLE: _, ...inherited } = process.env;
const env = {
  ...inherited,
  HOME: home,
  USERPROFILE: home,
  CAIRN_HOME: path.join(home, '.cairn'),
  CLAUDE_PROJECT_DIR: '',
};

function cairn(args, { input = '', shownInput = '' } = {}) {
  const shown = args.map((arg) => (/^[\w./:=,-]+$/.test(arg) ? arg : JSON.stringify(arg))).join(' ');
  console.log(`$ cairn ${shown}${shownInput === '' ? '' : `   < ${shownInput}`}`);
  const out = execFileSync(process.execPath, [binary, ...args], { cwd: project, env, input, encoding: 'utf8' });
  console.log(out.trim() === '' ? '(nothing)\n' : `${out.trimEnd()}\n`);
  return out;
}

function title(text) {
  console.log(`\n── ${text} ${'─'.repeat(Math.max(0, 76 - text.length))}\n`);
}

try {
  mkdirSync(project, { recursive: true });
  writeConversation(home, project);

  title('A conversation of last week is read, without a model');
  cairn(['backfill']);
  cairn(['topics']);
  cairn(['remember', 'why are sessions in redis', '--limit', '1']);
  cairn(['remember', 'open questions about the mobile app', '--limit', '1']);

  title('The next prompt gets what fits it, before the model sees it');
  const prompt = 'Make logging out end the session on all other devices';
  const payload = { hook_event_name: 'UserPromptSubmit', session_id: 'demo', cwd: project, prompt };
  const answer = cairn(['hook', 'user-prompt-submit'], {
    input: JSON.stringify(payload),
    shownInput: JSON.stringify(prompt),
  });
  if (!answer.includes('<memory-context')) throw new Error('The prompt got nothing back.');

  title('What you want to keep for good is a file of the project');
  cairn([
    ...['save', 'decision', 'Sign releases on macos-latest because notarisation needs Xcode'],
    ...['--tags', 'release,ci', '--field', 'context=The notary tool runs on macOS only'],
  ]);
  cairn(['search', 'release']);
  cairn(['retire', 'sign-releases-on-macos-latest', '--yes', '--reason', 'we sign in the cloud now']);
  cairn(['restore', 'sign-releases-on-macos-latest']);
  cairn(['status']);
} finally {
  await removeHome();
}

/** The worker of a hook may still be writing there; Node's own retries would not remove what came meanwhile. */
async function removeHome() {
  for (let left = 100; ; left--)
    try {
      return rmSync(home, { recursive: true, force: true });
    } catch (error) {
      if (left === 0) throw error;
      await setTimeout(100);
    }
}
