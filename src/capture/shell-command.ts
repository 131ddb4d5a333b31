// A shell command as something that can be run again: the same command with other decoration (a `cd` before it, the
// environment, a pipe to `tail`) is the same command.

import path from 'node:path';
import { isInside, toPosix } from '../files/paths.ts';
import { cleanLine } from './note-text.ts';

export type ShellCommand = {
  /** Equal for commands that are the same. */
  key: string;
  /** For people: one line, secrets masked. */
  shown: string;
  /** The program that does the work, and what it is told to do. */
  words: string[];
  /** What was set for it: the environment, `sudo`, a time limit. */
  lead: string;
  /** Its success says nothing: the status is that of `tail`, or of `true`. */
  isMasked: boolean;
};

const MAX_COMMAND = 2_000;
const MAX_SHOWN = 300;

const CHANGE_FOLDER = /^cd\s+("[^"]*"|'[^']*'|[^\s;&|<>]+)\s*(?:&&|;|\n)\s*/;
const ENVIRONMENT = /^(?:export\s+)?[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"';&|]*)(?:\s*(?:&&|;)\s*|\s+)/;
const WRAPPER = /^(?:time|sudo|env|nice|command|exec|timeout\s+(?:-\S+\s+)*\d+[smh]?)\s+/;
const HARMLESS_TAIL = /\s*(?:\d?>&\d|\d?&?>\s*\/dev\/null|;)\s*$/;
const MASKING_TAIL =
  /\s*(?:\|\s*(?:tail|head|cat|tee|less|more|grep|egrep|sed|awk|sort|uniq|wc)\b[^|;&\n]*|\|\|\s*(?:true|:|echo\b[^|;&\n]*)|;\s*(?:true|echo\b[^|;&\n]*))\s*$/;
const RUNNERS = /^(?:npx|bunx|pnpm|yarn|bun|uv|poetry|pipenv|bundle|rye|hatch|pdm)$/;

export function readCommand(command: string, projectRoot: string, cwd: string): ShellCommand {
  let text = command.trim().slice(0, MAX_COMMAND);
  let folder = cwd;
  let set = '';
  let isMasked = false;
  for (let steps = 0; steps < 20; steps++) {
    const change = CHANGE_FOLDER.exec(text);
    const lead = change ?? ENVIRONMENT.exec(text) ?? WRAPPER.exec(text);
    if (!lead) break;
    if (change) folder = enter(folder, change[1]!.replace(/^["']|["']$/g, ''));
    else set += lead[0];
    text = text.slice(lead[0].length);
  }
  for (let steps = 0; steps < 8; steps++) {
    const tail = HARMLESS_TAIL.exec(text) ?? MASKING_TAIL.exec(text);
    if (!tail || tail.index === 0) break;
    isMasked ||= !HARMLESS_TAIL.test(text);
    text = text.slice(0, tail.index);
  }
  const plain = text.replace(/\s+/g, ' ').trim();
  return {
    key: cleanLine(`${folderName(projectRoot, folder)} ${plain}`, 600),
    shown: cleanLine(command, MAX_SHOWN),
    words: wordsOf(plain),
    lead: cleanLine(set, MAX_SHOWN),
    isMasked,
  };
}

/** The client may say where it is before the command, or after it: `cd web` in `web` is no way down. */
function enter(folder: string, target: string): string {
  const relative = target.replace(/\/+$/, '');
  if (!path.isAbsolute(relative) && !relative.startsWith('.') && folder.endsWith(path.sep + relative)) return folder;
  return path.resolve(folder, relative);
}

function folderName(projectRoot: string, folder: string): string {
  return isInside(projectRoot, folder) ? toPosix(path.relative(projectRoot, folder)) || '.' : toPosix(folder);
}

/** `npx vitest run` → vitest, run; `python -m pytest -x` → pytest; `./scripts/check.sh` → check.sh */
function wordsOf(text: string): string[] {
  const words = text.split(' ').slice(0, 12);
  if (RUNNERS.test(words[0] ?? '') && words.length > 1) {
    words.shift();
    if (/^(?:run|exec|dlx|x)$/.test(words[0] ?? '')) words.shift();
  }
  const module = words.indexOf('-m');
  if (/^python[\d.]*$/.test(words[0] ?? '') && module !== -1) words.splice(0, module + 1);
  const plain = words.filter((word) => /^[\w@./:+-]+$/.test(word) && !word.startsWith('-'));
  return plain.map((word) => word.split('/').at(-1)!).filter((word) => word !== '' && word !== '.' && word !== '...');
}

/** They look and change nothing. */
const LOOKING =
  /^(?:ls|cat|head|tail|less|more|grep|egrep|rg|ag|find|fd|which|type|file|stat|wc|pwd|echo|printf|env|printenv|date|whoami|uname|tree|du|df|ps|jq|diff|cmp|test|\[|\[\[|true|false|sleep|history|man)$/;
const LOOKING_AT_GIT = /^(?:status|diff|log|show|blame|branch|remote|rev-parse|describe|ls-files|grep|config)$/;

export function isLooking({ words: [program = '', verb = ''] }: ShellCommand): boolean {
  return LOOKING.test(program) || (program === 'git' && LOOKING_AT_GIT.test(verb));
}

/** Of these a failure without a word is an answer: nothing found, files differ. */
const ASKING = /^(?:grep|egrep|rg|ag|diff|cmp|test|\[|\[\[|which|command|type|pgrep|false)$/;

export function isAsking({ words: [program = '', verb = ''] }: ShellCommand): boolean {
  return ASKING.test(program) || (program === 'git' && /^(?:diff|grep|merge-base)$/.test(verb));
}
