// `cairn todo`, `cairn done`, `cairn drop`: what is truly open, and settling it by hand.

import path from 'node:path';
import type { Command } from 'commander';
import { plainWords } from '../../../app/plain-words.ts';
import type { RecallMemory } from '../../../app/recall-memory.ts';
import { type SettleReport, settle, unsettle } from '../../../app/settle.ts';
import type { Settlement } from '../../../app/settled-items.ts';
import { settledOf, type Todo, type TodoItem, todoOf } from '../../../app/todo.ts';
import { CairnError } from '../../../errors.ts';
import { readable } from '../../../model/readable.ts';
import { stripUnsafe } from '../../../model/text.ts';
import { localDay } from '../../../model/timestamp.ts';
import { type Io, widthOf } from '../io.ts';
import { plural } from '../open.ts';
import { positive } from '../positive.ts';
import { withFreshMemory } from '../with-fresh-memory.ts';
import { cut, wrap } from '../wrap-text.ts';

type TodoOptions = { allProjects?: true; limit?: number; settled?: true; json?: true };
type SettleOptions = { because?: string; undo?: true; json?: true };

const ROWS = 4;

export function todoCommands(program: Command, io: Io): void {
  program
    .command('todo')
    .description('List what is open: questions and tasks that nothing has settled, task notes, debts')
    .option('--all-projects', 'of all projects, not only of this one')
    .option('--limit <n>', 'at most so many (default: 20)', positive)
    .option('--settled', 'what was settled by hand instead')
    .option('--json', 'print data instead of text')
    .action((options: TodoOptions) => withFreshMemory(io, (memory) => list(memory, options, io)));
  settleCommand(program, io, 'done', 'Say that something open is done');
  settleCommand(program, io, 'drop', 'Say that something open will not be done, and is not to be told again');
}

function settleCommand(program: Command, io: Io, name: 'done' | 'drop', description: string): void {
  program
    .command(name)
    .description(description)
    .argument('<ref...>', 'what `cairn todo` shows; an exchange or topic means all that it left')
    .option('--because <text>', 'why, for later')
    .option('--undo', 'it is open again')
    .option('--json', 'print data instead of text')
    .addHelpText('after', `\nExamples:\n  cairn ${name} idea:1f3a\n  cairn ${name} idea:1f3a --undo`)
    .action((refs: string[], options: SettleOptions) =>
      withFreshMemory(io, async (memory) => {
        if (options.undo && options.because !== undefined)
          throw new CairnError('USAGE_ERROR', '--because says why something is settled: it does not go with --undo.', {
            fix: `cairn ${name} REF --undo`,
          });
        const reports: SettleReport[] = [];
        for (const ref of refs)
          reports.push(
            options.undo
              ? await unsettle(memory, ref)
              : await settle(memory, {
                  ref,
                  state: name === 'done' ? 'done' : 'dropped',
                  ...(options.because === undefined ? {} : { because: options.because }),
                }),
          );
        if (options.json) io.out(JSON.stringify({ settled: reports }));
        else io.out(reports.map((each) => reportText(each, widthOf(io))).join('\n'));
      }),
    );
}

async function list(memory: RecallMemory, options: TodoOptions, io: Io): Promise<void> {
  const { settled, json, limit } = options;
  const allProjects = options.allProjects === true;
  if (settled) {
    const all = settledOf(memory, allProjects);
    const shown = all.slice(0, limit ?? all.length);
    if (json) io.out(JSON.stringify({ settled: shown, total: all.length }));
    else io.out(shown.length === 0 ? 'Nothing was settled by hand.' : shown.map(settledText(io)).join('\n'));
    return;
  }
  const todo = await todoOf(memory, { allProjects, ...(limit === undefined ? {} : { limit }) });
  io.out(
    json ? JSON.stringify(todo) : todoText(todo, { width: widthOf(io), allProjects, home: memory.config.paths.home }),
  );
}

type Place = { readonly width: number; readonly allProjects: boolean; readonly home: string };

function todoText({ items, total }: Todo, place: Place): string {
  if (items.length === 0)
    return `Nothing is known to be open${place.allProjects ? '' : ' in this project'}. \`cairn todo --settled\` shows what was settled by hand.`;
  const more = total - items.length;
  return [
    `${plural(total, 'open item')}${more > 0 ? `, the newest ${items.length}` : ''}:`,
    '',
    ...items.flatMap((item) => itemLines(item, place)),
    ...(more > 0 ? [`… and ${more} more: cairn todo --limit ${total}`] : []),
    'Settle one: cairn done REF, or cairn drop REF',
  ].join('\n');
}

/** What is open, and below it who said it when and where. */
function itemLines(item: TodoItem, { width, allProjects, home }: Place): string[] {
  const { ref, kind, status, text, at, by, project } = item;
  const isPlain = ['open', 'active', 'pending'].includes(status);
  const head = `${kind.replaceAll('_', ' ')}${isPlain ? '' : ` [${status.replaceAll('_', ' ')}]`}`;
  const [first = '', ...rest] = wrap(stripUnsafe(`${head}: ${text}`), width - 2, ROWS);
  const about = [ref, localDay(new Date(at)), by ?? '', ...(allProjects ? [path.basename(project)] : [])];
  return [
    `  ${first}`,
    ...rest.map((line) => `    ${line}`),
    `    ${cut(stripUnsafe(about.filter(Boolean).join('  ')), width - 4)}`,
    ...wrap(stripUnsafe(whereOf(item, home)), width - 4, 2).map((line) => `    ${line}`),
    '',
  ];
}

/** The conversation by its title or by what it was about, with the place in it; of what was written down the file. */
function whereOf({ session, session_title: title, topic, source, layer }: TodoItem, home: string): string {
  if (layer !== 'trace') return (source?.file ?? '').replace(home, '~');
  const place = `session ${(session ?? '').slice(0, 8)}${source?.line === undefined ? '' : `, line ${source.line}`}`;
  const name = title ?? topic?.name ?? '';
  return name === '' ? place : `${name} (${place})`;
}

const settledText =
  (io: Io) =>
  ({ ref, state, text, at, because }: Settlement): string => {
    const why = because === undefined ? '' : ` (${because})`;
    const lines = wrap(
      stripUnsafe(`${localDay(new Date(at))} ${state}${why}: ${plainWords(readable(text))}`),
      widthOf(io) - 2,
      2,
    );
    return [...lines.map((line, row) => `${row === 0 ? '' : '  '}${line}`), `  ${stripUnsafe(ref)}`].join('\n');
  };

function reportText({ ref, state, texts, changed }: SettleReport, width: number): string {
  const [first = ''] = wrap(stripUnsafe(texts.map((text) => plainWords(readable(text))).join('; ')), width - 2, 1);
  const said = state === 'open' ? 'Open again' : state === 'done' ? 'Done' : 'Dropped';
  const undo =
    state === 'open' || !changed ? '' : ` Take it back: cairn ${state === 'done' ? 'done' : 'drop'} ${ref} --undo`;
  return `${changed ? said : `${said} already`}: ${stripUnsafe(ref)}.${undo}\n  ${first}`;
}
