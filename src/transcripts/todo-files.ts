// Tasks that an agent keeps as Markdown files, one each: `todos/pending/2026-02-21-rotate-keys.md`. Writing one puts a task on the list; moving it
// to a folder of what is done, or removing it, settles it, in whichever conversation that happens.

import { relativeTo } from './relative-path.ts';
import { commandsOf, isKnown } from './shell-words.ts';
import type { Todo } from './todo-list.ts';

const FOLDER = /(?:^|\/)(?:todos?|backlog|tickets|follow-?ups|deferred|parked)\/(?:[\w.-]+\/)*[\w.-]+\.md$/i;
/** Notes about a fault: open as long as they say so. */
const NOTES = /(?:^|\/)(?:debug|bugs|issues)\/(?:[\w.-]+\/)*[\w.-]+\.md$/i;
const STILL_OPEN = /^\W*status\W{1,6}(?:open|pending|parked|deferred|backlog|investigating|to-?do|unresolved)\b/im;
const SETTLED = /\/(?:done|completed?|closed|resolved|archived?|finished)\//i;
const NO_TASK = /\/(?:readme|index|template|contributing|changelog)\.md$/i;
const MAX_HEAD = 1_200;
const MAX_TITLE = 200;

/** `file`: with slashes. The task that it holds; nothing where it is none, or has no title. */
export function todoWritten(file: string, content: string): Todo | undefined {
  if (NO_TASK.test(file) || SETTLED.test(file)) return undefined;
  const head = content.slice(0, MAX_HEAD);
  if (!FOLDER.test(file) && !(NOTES.test(file) && STILL_OPEN.test(head))) return undefined;
  const title = /^title:[ \t]*(\S.*)$/m.exec(head)?.[1] ?? /^#{1,2}[ \t]+(\S.*)$/m.exec(head)?.[1];
  const plain = title
    ?.replace(/^["'](.*)["']\s*$/, '$1')
    .replace(/^(?:to-?do|task|debug|bug|issue|ticket)s?\s*[:—–-]\s*/i, '')
    .trim();
  return plain ? [`${plain.slice(0, MAX_TITLE)} (${file})`, 'pending'] : undefined;
}

/** The tasks whose files a script moves away or removes. */
export function todosMoved(script: string, cwd: string | null): Todo[] {
  if (
    !/\b(?:mv|rm)\b/.test(script) ||
    !/(?:todo|backlog|tickets|follow|deferred|parked|debug|bugs|issues)/i.test(script)
  )
    return [];
  return commandsOf(script).flatMap(({ words }) => {
    const at = words[0] === 'git' ? 1 : 0;
    const program = words[at];
    if (program !== 'mv' && program !== 'rm') return [];
    const paths = words
      .slice(at + 1)
      .filter((word) => !word.startsWith('-'))
      .map((word) => relativeTo(word, cwd));
    const to = program === 'mv' ? `${paths.pop() ?? ''}/` : undefined;
    if (to !== undefined && !SETTLED.test(to.startsWith('/') ? to : `/${to}`)) return [];
    return paths
      .filter(
        (file) =>
          isKnown(file) && (FOLDER.test(file) || NOTES.test(file)) && !SETTLED.test(file) && !NO_TASK.test(file),
      )
      .map((file): Todo => [`${nameOf(file)} (${file})`, 'completed']);
  });
}

/** By its file name, without the date before it. */
const nameOf = (file: string): string =>
  (file.split('/').at(-1) ?? '')
    .replace(/\.md$/i, '')
    .replace(/^\d{4}-\d\d-\d\d-?|^\d+-/, '')
    .replace(/[-_]+/g, ' ');
