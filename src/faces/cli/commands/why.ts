// `cairn why`: which memories were put into which prompts, for what reasons, and what that cost. Read from the log of injections.

import type { Command } from 'commander';
import { type Injection, readInjections } from '../../../app/learn-from-answers.ts';
import { loadConfig, warningText } from '../../../config/load.ts';
import { stripUnsafe } from '../../../model/text.ts';
import type { Io } from '../io.ts';
import { noMemory, plural } from '../open.ts';
import { positive } from '../positive.ts';

type Options = { last?: number | true; session?: string; limit: number; json?: true };

const OF_ONE_MEMORY = 10;
const REF = /^(?:idea|span|record|note):./;

export function whyCommand(program: Command, io: Io): void {
  program
    .command('why')
    .description('Show what was put into prompts, and why')
    .argument(
      '[ref]',
      'only this memory: idea:…, span:…, record:folder/slug or note:id; without one, the last injection',
    )
    .option('--last [n]', 'the last injections, whatever was in them (1 if n is left out)', positive)
    .option('--session <id>', 'only of this conversation (the beginning of its id will do)')
    .option('--limit <n>', 'at most so many', positive, OF_ONE_MEMORY)
    .option('--json', 'print data instead of text')
    .addHelpText('after', '\nExamples:\n  cairn why\n  cairn why --last 5\n  cairn why record:decisions/use-jwt')
    .action((ref: string | undefined, options: Options) => {
      if (ref !== undefined && !REF.test(ref)) throw noMemory(ref);
      const config = loadConfig({ cwd: io.cwd, env: io.env });
      for (const each of config.warnings) io.err(`WARNING: ${warningText(each)}`);
      const found = find(config.paths.userRoot, ref, options);
      if (options.json) io.out(JSON.stringify(found));
      else io.out(found.length === 0 ? nothing(ref) : found.map((each) => text(each, ref)).join('\n\n'));
    });
}

function find(userRoot: string, ref: string | undefined, { last, session, limit }: Options): Injection[] {
  const isOpen = ref === undefined && session === undefined;
  const most = last === true || (last === undefined && isOpen) ? 1 : (last ?? limit);
  const found: Injection[] = [];
  for (const injection of readInjections(userRoot)) {
    if (found.length >= most) break;
    if (session !== undefined && !injection.session?.startsWith(session)) continue;
    if (ref !== undefined && !injection.entries.some((entry) => entry.ref === ref)) continue;
    found.push(injection);
  }
  return found;
}

const nothing = (ref: string | undefined): string =>
  ref === undefined ? 'Nothing was injected.' : `${stripUnsafe(ref)} was not injected.`;

function text({ time, session, prompt, entries, tokens, project }: Injection, ref: string | undefined): string {
  const shown = ref === undefined ? entries : entries.filter((entry) => entry.ref === ref);
  return [
    `${time.slice(0, 16).replace('T', ' ')}  ${plural(entries.length, 'memory', 'memories')}, ${plural(tokens, 'token')}`,
    `  prompt        ${stripUnsafe(prompt.start)}`,
    ...(session === null ? [] : [`  conversation  ${stripUnsafe(session)}`]),
    `  project       ${stripUnsafe(project)}`,
    ...shown.map(
      (entry) =>
        `  ${stripUnsafe(entry.ref)}  ${whyText(entry)}${entry.relevance > 0 ? `, relevance ${entry.relevance}` : ''}, score ${entry.score}, ${plural(entry.tokens, 'token')}`,
    ),
  ].join('\n');
}

const whyText = ({ why }: Injection['entries'][number]): string =>
  why.map(({ strategy, rank }) => `${stripUnsafe(strategy)} #${rank}`).join(', ') || 'no reason was noted';
