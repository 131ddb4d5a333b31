// What a failed command said: the message without colours, shortened to what matters, the one line that names the
// error, and a fingerprint under which the same error is known again.

import path from 'node:path';
import { maskText } from '../safety/mask-text.ts';
import { withoutColours } from './note-text.ts';
import { shorten } from './summarise/first-comment.ts';

export type ErrorText = {
  /** At most some forty lines. */
  message: string;
  /** The line that names it; empty if the command said nothing. */
  title: string;
  exit: number | undefined;
};

const MAX_INPUT = 200_000;
const MAX_LINES = 40;
const MAX_LINE = 300;
const MAX_MESSAGE = 1_800;
const MAX_TITLE = 100;

export function readError(text: string, places: { projectRoot: string; home: string }): ErrorText {
  const open = maskText(withoutColours(text.slice(0, MAX_INPUT))); // before anything is cut: half a secret looks like nothing
  const plain = shortPaths(open.replace(/\r\n?/g, '\n'), places);
  const exit = /^(?:Error: )?Exit code (\d{1,3})\b/.exec(plain)?.[1];
  const lines = plain
    .replace(/^(?:Error: )?Exit code \d{1,3}[ \t]*(?:\n|$)/, '')
    .split('\n')
    .map((line) => line.trimEnd().slice(0, MAX_LINE));
  const title = titleOf(lines);
  return { message: excerpt(lines, title.at), title: title.text, exit: exit === undefined ? undefined : Number(exit) };
}

/** Paths of this machine say nothing on another. */
export function shortPaths(text: string, { projectRoot, home }: { projectRoot: string; home: string }): string {
  let short = text;
  if (projectRoot.length > 1) short = short.replaceAll(projectRoot + path.sep, '').replaceAll(projectRoot, '.');
  return home.length > 1 ? short.replaceAll(home + path.sep, `~${path.sep}`) : short;
}

/** From the surest sign to the faintest. */
const SIGNS: readonly RegExp[] = [
  /^\s*(?:Uncaught |Caused by: |E\s+)?(?:[A-Za-z_][\w.$]*)?(?:Error|Exception|Panic|Fault)\b(?: \[[\w-]+\])?(?:: \S| \[)/,
  /\b(?:fatal error|error|fatal|panic)(?:\[\w+\]| [A-Z]+\d+)?: \S|\bpanicked at\b|\bnpm (?:ERR!|error) (?!code\b|errno\b|A complete log)\S/i,
  /^\s*(?:FAIL(?:ED)?|✗|✕|×|not ok|●)(?:\s|:)\s*\S/,
  /\b(?:cannot|can't|could not|couldn't|not found|no such|undefined|unresolved|permission denied|refused|invalid|missing|failed|unexpected)\b/i,
];

function titleOf(lines: readonly string[]): { text: string; at: number } {
  const isPython = lines.some((line) => line.startsWith('Traceback (most recent call last)'));
  for (const [rank, sign] of SIGNS.entries()) {
    // Python says what happened at the end, others at the beginning.
    const at =
      isPython && rank === 0
        ? lines.findLastIndex((line) => sign.test(line))
        : lines.findIndex((line) => sign.test(line));
    if (at !== -1) return { text: titleText(lines[at]!), at };
  }
  const at = lines.findLastIndex((line) => /\p{L}{2}/u.test(line));
  return at === -1 ? { text: '', at: 0 } : { text: titleText(lines[at]!), at };
}

/** `src/a.c:3:5: error: unknown type` → `unknown type` */
function titleText(line: string): string {
  const text = line
    .trim()
    .replace(/^(?:[\w./\\~@+-]+(?::\d+|\(\d+(?:,\d+)?\))+(?::\d+)?\s*[:-]+\s*)/, '')
    .replace(/^(?:(?:Uncaught|Caused by:|E|●|✗|✕|×|not ok \d*|npm (?:ERR!|error))\s+)+/, '')
    .replace(/^(?:fatal |internal )?error:\s+/i, '')
    .replace(/\s+/g, ' ');
  return shorten(text, MAX_TITLE);
}

/** The lines around the one that names it; the beginning and the end of what is longer. */
function excerpt(lines: readonly string[], at: number): string {
  const first = Math.max(
    0,
    lines.findIndex((line) => line !== ''),
  );
  const last = lines.findLastIndex((line) => line !== '');
  if (last < first) return '';
  const from = last - first < MAX_LINES ? first : Math.max(first, Math.min(at - 5, last - MAX_LINES + 1));
  const picked = lines.slice(from, Math.min(last + 1, from + MAX_LINES));
  const text = [...(from > first ? ['…'] : []), ...picked, ...(from + MAX_LINES <= last ? ['…'] : [])].join('\n');
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE).trimEnd()}\n…`;
}

/** Without what differs from run to run: numbers, addresses, times. */
export function fingerprintOf(program: string, title: string): string {
  const stable = title
    .toLowerCase()
    .replace(/0x[0-9a-f]+|\b[0-9a-f]{8,}\b/g, '#')
    .replace(/\d+(?:\.\d+)*/g, '#')
    .replace(/\s+/g, ' ');
  return `${program} ${stable}`.trim();
}

type Cause = { sign: RegExp; says: (match: RegExpExecArray) => string };

/** Only where the message leaves no doubt. */
const CAUSES: readonly Cause[] = [
  {
    sign: /(?:Cannot find (?:module|package)|Module not found: (?:Error: )?Can't resolve) '([^'\n]{1,120})'/,
    says: ([, name]) => `The module \`${name}\` was not there.`,
  },
  {
    sign: /No module named '?([\w.]{1,120})'?/,
    says: ([, name]) => `The Python module \`${name}\` was not installed.`,
  },
  {
    sign: /(?:^|: )(?:line \d+: )?([\w./+-]{1,60}): (?:command )?not found\s*$/m,
    says: ([, name]) => `The program \`${name}\` was not installed or not on the PATH.`,
  },
  { sign: /EADDRINUSE[^\n]{0,80}?:(\d{2,5})\b/, says: ([, port]) => `Port ${port} was in use.` },
  {
    sign: /ENOENT: no such file or directory, \w+ '([^'\n]{1,200})'/,
    says: ([, file]) => `\`${file}\` did not exist.`,
  },
  {
    sign: /EACCES: permission denied, \w+ '([^'\n]{1,200})'/,
    says: ([, file]) => `\`${file}\` may not be used by this user.`,
  },
];

export function evidentCause(message: string): string | undefined {
  for (const { sign, says } of CAUSES) {
    const match = sign.exec(message);
    if (match) return says(match).replaceAll('``', '`');
  }
  return undefined;
}
