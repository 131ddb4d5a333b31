// What a shell script does to the history of a project: commits with their message, pull requests, changes that are taken back. Whatever
// is not understood, or hangs on a variable, yields nothing.

import { type Command, commandsOf, isKnown, withoutMarks } from './shell-words.ts';

/** A commit without a subject is one whose message nobody knows here. `what`: the commits, or the files. */
export type GitAction =
  | { readonly did: 'commit'; readonly subject?: string; readonly body?: string }
  | { readonly did: 'pull-request'; readonly title: string; readonly body?: string }
  | { readonly did: 'revert'; readonly what: readonly string[] };

const SUBJECT_LENGTH = 300;
const MOST_BEFORE_PROGRAM = 4;
const PROGRAM = /(?:^|[\\/])(git|gh|glab)(?:\.exe)?$/;
/** These words before a program only talk about it. */
const TALKS = new Set([
  'echo',
  'printf',
  'grep',
  'rg',
  'man',
  'which',
  'type',
  'alias',
  'history',
  'cat',
  'sed',
  'awk',
]);
const WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env']);
/** Flags of `git commit` that may stand before `m` or `F` in one word. */
const MESSAGE_FLAG = /^(?:-[asvqnepoi]*m|--message(?:=|$))([\s\S]*)$/;
const FILE_FLAG = /^(?:-[asvqnepoi]*F|--file(?:=|$))([\s\S]*)$/;
/** What programs put below a message: names with a hyphen, which people who write `Fixes: #12` do not use. */
const TRAILER = /^(?:[A-Za-z]+(?:-[A-Za-z]+)+:\s\S.*|(?:\W{1,4}\s*)?Generated (?:with|by) .*)?$/;

export function gitActions(script: string): GitAction[] {
  return /\b(?:git|gh|glab)\b/.test(script) ? commandsOf(script).flatMap((command) => actionOf(command) ?? []) : [];
}

/** The same for a command whose words are known already. */
export function gitActionsOfWords(words: readonly string[]): GitAction[] {
  return [actionOf({ words })].flatMap((action) => action ?? []);
}

function actionOf({ words, input }: Command): GitAction | undefined {
  const place = words.slice(0, MOST_BEFORE_PROGRAM).findIndex((word) => PROGRAM.test(word));
  const program = PROGRAM.exec(words[place] ?? '')?.[1];
  if (program === undefined || words.slice(0, place).some((word) => TALKS.has(word))) return undefined;
  if (program !== 'git') return pullRequest(program, words.slice(place + 1), input);
  let at = place + 1;
  for (let word = words[at]; word?.startsWith('-'); word = words[at]) at += WITH_VALUE.has(word) ? 2 : 1;
  const options = words.slice(at + 1);
  switch (words[at]) {
    case 'commit':
      return commit(options, input);
    case 'revert':
      return options.some((option) => /^--(?:abort|continue|quit|skip)$/.test(option))
        ? undefined
        : taken(namedIn(options, ['-m', '--mainline']));
    case 'reset':
      return options.includes('--hard') ? taken(namedIn(options, []), 'HEAD') : undefined;
    case 'checkout':
      return taken(options.includes('--') ? behindDashes(options) : options.filter((option) => option === '.'));
    case 'restore':
      return isStagedOnly(options) ? undefined : taken(namedIn(options, ['-s', '--source']));
    default:
      return undefined;
  }
}

function commit(options: readonly string[], input: string | undefined): GitAction {
  const message = commitMessage(options, input)?.replace(/^@\n/, '').replace(/\n@$/, '').trim();
  const [first = '', ...rest] = message?.split('\n') ?? [];
  if (first === '' || !isKnown(first)) return { did: 'commit' };
  const body = withoutTrailers(withoutMarks(rest.join('\n')));
  return {
    did: 'commit',
    subject: first.trim().slice(0, SUBJECT_LENGTH).trim(),
    ...(body === '' ? {} : { body }),
  };
}

/** Several `-m` are paragraphs of one message. */
function commitMessage(options: readonly string[], input: string | undefined): string | undefined {
  const paragraphs: string[] = [];
  for (let at = 0; at < options.length; at += 1) {
    const option = options[at] ?? '';
    if (option === '--') break;
    const message = MESSAGE_FLAG.exec(option);
    const file = message ? undefined : FILE_FLAG.exec(option);
    if (!message && !file) continue;
    const value = (message ?? file)?.[1] || options[++at];
    if (file) return value === '-' ? input : undefined;
    if (value !== undefined) paragraphs.push(value);
  }
  return paragraphs.length === 0 ? undefined : paragraphs.join('\n\n');
}

function pullRequest(program: string, words: readonly string[], input: string | undefined): GitAction | undefined {
  const [object, verb, ...options] = words;
  if (object !== (program === 'gh' ? 'pr' : 'mr') || verb !== 'create') return undefined;
  const [title] = valuesOf(options, ['-t', '--title']);
  if (title === undefined || title.trim() === '' || !isKnown(title)) return undefined;
  const [file] = valuesOf(options, ['-F', '--body-file']);
  const [given = file === '-' ? input : undefined] = valuesOf(
    options,
    program === 'gh' ? ['-b', '--body'] : ['-d', '--description'],
  );
  const body = withoutTrailers(withoutMarks(given ?? ''));
  const line = title.trim().replace(/\s+/g, ' ').slice(0, SUBJECT_LENGTH).trim();
  return { did: 'pull-request', title: line, ...(body === '' ? {} : { body }) };
}

function valuesOf(options: readonly string[], names: readonly string[]): string[] {
  return options.flatMap((option, at): string[] => {
    const value = names.includes(option) ? options[at + 1] : undefined;
    if (value !== undefined) return [value];
    const name = names.find((each) => each.startsWith('--') && option.startsWith(`${each}=`));
    return name === undefined ? [] : [option.slice(name.length + 1)];
  });
}

/** The words that are no options, nor the value of one. */
function namedIn(options: readonly string[], withValue: readonly string[]): string[] {
  const dashes = options.indexOf('--');
  const before = dashes === -1 ? options : options.slice(0, dashes);
  const own = before.filter((option, at) => !option.startsWith('-') && !withValue.includes(options[at - 1] ?? ''));
  return [...own, ...(dashes === -1 ? [] : behindDashes(options))];
}

const behindDashes = (options: readonly string[]): string[] => options.slice(options.indexOf('--') + 1);

const isStagedOnly = (options: readonly string[]): boolean =>
  options.some((option) => /^(?:--staged|-[a-z]*S[a-z]*)$/.test(option)) &&
  !options.some((option) => /^(?:--worktree|-[a-zS]*W[a-zS]*)$/.test(option));

function taken(named: readonly string[], otherwise?: string): GitAction | undefined {
  const known = named.filter((word) => word !== '' && isKnown(word));
  if (known.length > 0) return { did: 'revert', what: known };
  return otherwise !== undefined && named.length === 0 ? { did: 'revert', what: [otherwise] } : undefined;
}

/** What is left of the text below a subject when the lines are gone that the client's own template puts there. */
export function withoutTrailers(text: string): string {
  const lines = text.trim().split('\n');
  while (lines.length > 0 && TRAILER.test(lines.at(-1)?.trim() ?? '')) lines.pop();
  return lines.join('\n').trim();
}
