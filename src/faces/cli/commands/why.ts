// `cairn why`: which memories were put into which prompts, for what reasons, and what that cost. Read from the log of injections.

import type { Command } from 'commander';
import { type Injection, readInjections, toldTexts } from '../../../app/learn-from-answers.ts';
import { currentScopes } from '../../../app/project-scopes.ts';
import { toldMemories } from '../../../app/told-memories.ts';
import { type Config, loadConfig, warningText } from '../../../config/load.ts';
import { stripUnsafe } from '../../../model/text.ts';
import { localDay } from '../../../model/timestamp.ts';
import { type Io, widthOf } from '../io.ts';
import { plural } from '../open.ts';
import { positive } from '../positive.ts';
import { wrap } from '../wrap-text.ts';

type Options = { last?: number | true; session?: string; allProjects?: true; limit: number; json?: true };

const OF_ONE_MEMORY = 10;

export function whyCommand(program: Command, io: Io): void {
  program
    .command('why')
    .description('Show what was put into prompts, and why')
    .argument(
      '[ref]',
      'only this memory: idea:…, span:…, record:folder/slug or note:id, or its name; without one, the last injection',
    )
    .option('--last [n]', 'the last injections, whatever was in them (1 if n is left out)', positive)
    .option('--session <id>', 'only of this conversation (the beginning of its id will do)')
    .option('--all-projects', 'in all projects, not only in this one')
    .option('--limit <n>', 'at most so many', positive, OF_ONE_MEMORY)
    .option('--json', 'print data instead of text')
    .addHelpText('after', '\nExamples:\n  cairn why\n  cairn why --last 5\n  cairn why record:decisions/use-jwt')
    .action(async (ref: string | undefined, options: Options) => {
      const config = loadConfig({ cwd: io.cwd, env: io.env });
      for (const each of config.warnings) io.err(`WARNING: ${warningText(each)}`);
      const found = find(config, ref, options);
      const told = await toldMemories(
        config,
        found.flatMap(({ entries }) => entries),
      );
      const learned = toldTexts(config);
      if (options.json) io.out(JSON.stringify({ injections: found.map((each) => asData(each, told, learned)) }));
      else {
        const place = { ref, told, learned, width: widthOf(io) };
        io.out(found.length === 0 ? nothing(ref, options) : found.map((each) => text(each, place)).join('\n\n'));
      }
    });
}

type Told = Awaited<ReturnType<typeof toldMemories>>;

type Learned = ReturnType<typeof toldTexts>;

/** With what each says today, and what was learned of it since then. */
const asData = (injection: Injection, told: Told, learned: Learned): object => ({
  ...injection,
  entries: injection.entries.map((entry) => {
    const since = learned(entry);
    return { ...entry, memory: told(entry) ?? null, ...(since === '' ? {} : { learned: since }) };
  }),
});

/** A whole REF, or its name without the layer, or the beginning of it: as it stands in the log. */
const isNamed = (ref: string, name: string): boolean =>
  ref === name ||
  (/^(?:idea|span|record|note):/.test(name) ? false : ref.split(/[:/]/).some((part) => part.startsWith(name)));

function find(config: Config, ref: string | undefined, options: Options): Injection[] {
  const { last, session, limit } = options;
  const allProjects = options.allProjects === true;
  const scopes = new Set(currentScopes(config));
  const isOpen = ref === undefined && session === undefined;
  const most = last === true || (last === undefined && isOpen) ? 1 : (last ?? limit);
  const found: Injection[] = [];
  for (const injection of readInjections(config.paths.userRoot)) {
    if (found.length >= most) break;
    if (!allProjects && !scopes.has(injection.project)) continue;
    if (session !== undefined && !injection.session?.startsWith(session)) continue;
    if (ref !== undefined && !injection.entries.some((entry) => isNamed(entry.ref, ref))) continue;
    found.push(injection);
  }
  return found;
}

const nothing = (ref: string | undefined, { allProjects }: Options): string =>
  `${ref === undefined ? 'Nothing was injected' : `${stripUnsafe(ref)} was not injected`}${allProjects ? '.' : ' in this project; --all-projects looks at the others.'}`;

type Place = {
  readonly ref: string | undefined;
  readonly told: Told;
  readonly learned: Learned;
  readonly width: number;
};

function text(
  { time, session, prompt, entries, tokens, project }: Injection,
  { ref, told, learned, width }: Place,
): string {
  const shown = ref === undefined ? entries : entries.filter((entry) => isNamed(entry.ref, ref));
  return [
    `${time.slice(0, 16).replace('T', ' ')}  ${plural(entries.length, 'memory', 'memories')}, ${plural(tokens, 'token')}`,
    `  prompt        ${stripUnsafe(prompt.start)}`,
    ...(session === null ? [] : [`  conversation  ${stripUnsafe(session)}`]),
    `  project       ${stripUnsafe(project)}`,
    ...shown.flatMap((entry) => [
      `  ${stripUnsafe(entry.ref)}  ${whyText(entry)}${entry.relevance > 0 ? `, relevance ${entry.relevance}` : ''}, score ${entry.score}, ${plural(entry.tokens, 'token')}`,
      ...toldLines(told(entry), width),
      ...(learned(entry) === '' ? [] : [`    since then ${learned(entry)}`]),
    ]),
  ].join('\n');
}

/** What the memory says, or that it is gone. */
export function toldLines(memory: ReturnType<Told>, width: number): string[] {
  if (!memory) return ['    (it is gone since)'];
  const { kind, status, text: said, created_at: at } = memory;
  const state = status === 'active' ? '' : ` [${status}]`;
  const words = `${kind === 'span' ? 'topic' : kind.replaceAll('_', ' ')}${state}, ${localDay(new Date(at))}: ${said}`;
  return wrap(stripUnsafe(words), width - 4, 2).map((line) => `    ${line}`);
}

const whyText = ({ why }: Injection['entries'][number]): string =>
  why.map(({ strategy, rank }) => `${stripUnsafe(strategy)} #${rank}`).join(', ') || 'no reason was noted';
