// `cairn save`: a record from a category and plain text. Asks for what is missing when somebody is there to answer, and
// shows the record that the text seems to belong to before it makes a second one.

import type { Command } from 'commander';
import type { Choice, Plan } from '../../../app/memory.ts';
import { CairnError } from '../../../errors.ts';
import { expectation, type Schema } from '../../../model/schema.ts';
import type { Io } from '../io.ts';
import { open } from '../open.ts';

type Options = {
  title?: string;
  tags?: string;
  field?: string[];
  file?: string[];
  confidence?: string;
  update?: true;
  new?: true;
  dryRun?: true;
  json?: true;
};

export function saveCommand(program: Command, io: Io): void {
  const collect = (value: string, all: string[] = []): string[] => [...all, value];
  program
    .command('save')
    .description('Save a memory from plain text')
    .argument('<category>', 'decision, runbook, constraint, tech_debt, preference, session_summary, or one of your own')
    .argument('<text...>', 'what to remember; - reads standard input')
    .option('--title <title>', 'one line that names it (default: the first sentence)')
    .option('--tags <a,b>', 'words to find it by (default: from the title)')
    .option('--field <name=value>', 'a field of the content; repeat it for lists', collect)
    .option('--file <path>', 'a file it is about; may be repeated', collect)
    .option('--confidence <0..1>', 'how sure you are')
    .option('--update', 'update the record it seems to belong to')
    .option('--new', 'create a new record even if there is a similar one')
    .option('--dry-run', 'show the record, write nothing')
    .option('--json', 'print data instead of text')
    .addHelpText('after', '\nExample:\n  cairn save decision "Use SQLite because it needs no server" --tags storage')
    .action(async (name: string, words: string[], options: Options) => {
      const memory = open(io);
      const category = memory.category(name);
      const text = words.length === 1 && words[0] === '-' ? await io.readStdin() : words.join(' ');
      if (text.trim() === '')
        throw new CairnError('INPUT_ERROR', 'There is no text to save.', {
          fix: 'Say what to remember after the category.',
        });
      const { result, notes, choice, plan } = await memory.save({
        ...given(text, options),
        category,
        ask: (field, schema) => askFor(io, field, schema),
        choose: (found) => choose(io, found, options),
        dryRun: options.dryRun === true,
      });
      if (options.dryRun) {
        io.out(JSON.stringify({ would: choice, candidate: plan.similar, record: plan.record }, null, 2));
        return;
      }
      if (choice === 'leave') return;
      for (const note of notes.filter((each) => !each.startsWith('[AUTO-FIX]'))) io.err(note);
      io.out(
        options.json
          ? JSON.stringify(result)
          : `${choice === 'update' ? 'Updated' : 'Saved'} ${result.target}: ${result.title}`,
      );
    });
}

function given(text: string, options: Options) {
  const fields: { [name: string]: string[] } = Object.create(null); // so that no field is there before it is given
  for (const each of options.field ?? []) {
    const at = each.indexOf('=');
    if (at < 1)
      throw new CairnError('USAGE_ERROR', `--field ${JSON.stringify(each)} has no "=".`, {
        fix: 'Write --field name=value.',
      });
    const name = each.slice(0, at);
    fields[name] = [...(fields[name] ?? []), each.slice(at + 1)];
  }
  const confidence = options.confidence === undefined ? undefined : Number(options.confidence.trim() || NaN);
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1)) {
    throw new CairnError(
      'USAGE_ERROR',
      `--confidence ${JSON.stringify(options.confidence)} is not a number of 0 to 1.`,
    );
  }
  const { title, tags, file: relatedFiles } = options;
  return { text, fields, title, tags: tags?.split(','), relatedFiles, confidence };
}

async function askFor(io: Io, field: string, schema: Schema): Promise<string | undefined> {
  if (!io.interactive) return undefined;
  const what = schema.describe ?? expectation(schema);
  return io.ask(`${field} (${what}; Enter = not stated): `);
}

async function choose(io: Io, { similar, assumed }: Plan, options: Options): Promise<Choice> {
  if (!io.interactive && assumed.length > 0)
    io.err(`Not stated, so marked as such: ${assumed.join(', ')} (give them with --field name=value)`);
  if (options.update) return 'update';
  if (!similar || options.new || options.dryRun) return 'create';
  const lines = [
    `This looks like ${similar.path}: ${similar.title}`,
    ...Object.entries(similar.excerpt?.key_fields ?? {}).map(([field, value]) => `  ${field}: ${value}`),
  ];
  if (!io.interactive) {
    throw new CairnError('CREATE_ERROR', `A similar record exists.\n${lines.join('\n')}`, {
      fix: 'Add --update to change that record, or --new to make another one.',
    });
  }
  for (const line of lines) io.err(line);
  const answer = (await io.ask('[u]pdate it, [c]reate a new one, or [q]uit? '))?.trim().toLowerCase() ?? 'q';
  return answer.startsWith('u') ? 'update' : answer.startsWith('c') ? 'create' : 'leave';
}
