// `cairn save`: a record from a category and plain text. Asks for what is missing when somebody is there to answer, and
// shows the record that the text seems to belong to before it makes a second one. `--draft` saves what triage has prepared,
// `--from` what was found.

import type { Command } from 'commander';
import { saveDraft } from '../../../app/drafts.ts';
import type { Choice, Memory, Plan } from '../../../app/memory.ts';
import { RecallMemory } from '../../../app/recall-memory.ts';
import { type SaveFrom, saveFrom } from '../../../app/save-from.ts';
import { CairnError } from '../../../errors.ts';
import { expectation, type Schema } from '../../../model/schema.ts';
import type { Io } from '../io.ts';
import { open } from '../open.ts';

type Options = {
  draft?: string;
  from?: string;
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
    .argument('[category]', 'decision, runbook, constraint, tech_debt, preference, session_summary, or one of your own')
    .argument('[text...]', 'what to remember; - reads standard input')
    .option('--draft <id>', 'save the draft of this id, as it is or with what the other options correct')
    .option('--from <ref>', 'save what this memory says, with its source: a statement, an exchange, a note')
    .option('--title <title>', 'one line that names it (default: the first sentence)')
    .option('--tags <a,b>', 'words to find it by (default: from the title)')
    .option('--field <name=value>', 'a field of the content; repeat it for lists', collect)
    .option('--file <path>', 'a file it is about; may be repeated', collect)
    .option('--confidence <0..1>', 'how sure you are')
    .option('--update', 'update the record it seems to belong to')
    .option('--new', 'create a new record even if there is a similar one')
    .option('--dry-run', 'show the record, write nothing')
    .option('--json', 'print data instead of text')
    .addHelpText(
      'after',
      '\nExample:\n  cairn save decision "Use SQLite because it needs no server" --tags storage\n  cairn save --from idea:1f3a',
    )
    .action(async (name: string | undefined, words: string[], options: Options, command: Command) => {
      if (options.draft === undefined && options.from === undefined && words.length === 0)
        command.error(`error: missing required argument '${name === undefined ? 'category' : 'text'}'`);
      const memory = open(io);
      const saving = {
        ask: (field: string, schema: Schema) => askFor(io, field, schema),
        choose: (found: Plan) => choose(io, found, options),
        dryRun: options.dryRun === true,
      };
      if (options.draft !== undefined && options.from !== undefined)
        throw new CairnError('USAGE_ERROR', 'Either --draft or --from.', { fix: 'A draft has its source already.' });
      const { result, notes, choice, plan } =
        options.draft !== undefined
          ? await saveDraft(memory, options.draft, { ...saving, ...corrected(name, words), ...given(options) })
          : options.from !== undefined
            ? await savedFrom(io, memory, { ref: options.from, name, words }, { ...saving, ...given(options) })
            : await memory.save({ ...saving, ...(await textIn(io, memory, name, words)), ...given(options) });
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

type Found = { readonly ref: string; readonly name: string | undefined; readonly words: readonly string[] };

/** In other words, where some are given. */
async function savedFrom(io: Io, files: Memory, { ref, name, words }: Found, request: Omit<SaveFrom, 'ref'>) {
  const recall = await RecallMemory.open({ cwd: io.cwd, env: io.env });
  try {
    await recall.refresh();
    const text = words.length > 0 ? { text: words.join(' ') } : {};
    return await saveFrom(recall, files, { ...request, ...text, ref, category: name });
  } finally {
    await recall.close();
  }
}

async function textIn(io: Io, memory: Memory, name = '', words: readonly string[] = []) {
  const category = memory.category(name);
  const text = words.length === 1 && words[0] === '-' ? await io.readStdin() : words.join(' ');
  if (text.trim() === '')
    throw new CairnError('INPUT_ERROR', 'There is no text to save.', {
      fix: 'Say what to remember after the category.',
    });
  return { category, text };
}

/** A draft has its words: only another category can be named. */
function corrected(name: string | undefined, words: readonly string[]): { category?: string } {
  if (words.length > 0)
    throw new CairnError('USAGE_ERROR', 'A draft is saved with the words that it has.', {
      fix: 'Correct it with --title, --tags and --field name=value.',
    });
  return name === undefined ? {} : { category: name };
}

function given(options: Options) {
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
  return { fields, title, tags: tags?.split(','), relatedFiles, confidence };
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
