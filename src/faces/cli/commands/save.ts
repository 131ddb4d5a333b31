// `cairn save`: a record from a category and plain text. Asks for what is missing when somebody is there to answer, and
// shows the record that the text seems to belong to before it makes a second one.

import type { Command } from 'commander';
import type { Memory } from '../../../app/memory.ts';
import { CairnError } from '../../../errors.ts';
import { decodeUtf8, parseJsonObject, readBytes } from '../../../files/json-file.ts';
import { recordMd5 } from '../../../model/hash.ts';
import { isObject, type JsonObject } from '../../../model/json.ts';
import { NOT_STATED } from '../../../model/not-stated.ts';
import { SUMMARY_MAX } from '../../../model/record.ts';
import { expectation, type Schema } from '../../../model/schema.ts';
import { cutCodePoints } from '../../../model/text.ts';
import { timestampOf } from '../../../model/timestamp.ts';
import { growTags } from '../../../records/auto-fix.ts';
import type { Candidate } from '../../../records/candidate.ts';
import { unknownCategory } from '../../../records/create-record.ts';
import type { Outcome } from '../../../records/critical-section.ts';
import { draftRecord } from '../../../records/draft.ts';
import { fileOfIndexPath } from '../../../records/record-store.ts';
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
      const category = memory.kinds.byName(name.replaceAll('-', '_'));
      if (!category) throw unknownCategory(memory.recordStore, name);
      const text = words.length === 1 && words[0] === '-' ? await io.readStdin() : words.join(' ');
      if (text.trim() === '')
        throw new CairnError('INPUT_ERROR', 'There is no text to save.', {
          fix: 'Say what to remember after the category.',
        });
      const draft = await draftRecord(category, given(text, options), (field, schema) => askFor(io, field, schema));
      if (!io.interactive && draft.assumed.length > 0) {
        io.err(`Not stated, so marked as such: ${draft.assumed.join(', ')} (give them with --field name=value)`);
      }
      const newInfo = `${draft.record.title} ${(draft.record.tags as string[]).join(' ')}`;
      const { candidate } = (await memory.candidate({ category, newInfo })).answer;
      if (options.update && !candidate)
        throw new CairnError('NOT_FOUND', 'There is no record that this seems to belong to.', {
          fix: 'Leave --update away to create one, or update it by its path with cairn write.',
        });
      const choice = candidate ? await choose(io, candidate, options) : 'create';
      if (options.dryRun) {
        io.out(JSON.stringify({ would: choice, candidate, record: draft.record }, null, 2));
        return;
      }
      if (choice === 'quit') return;
      const outcome =
        choice === 'update' ? await update(memory, candidate!, draft.record) : await memory.add(category, draft.record);
      for (const note of [...draft.notes, ...outcome.notes].filter((each) => !each.startsWith('[AUTO-FIX]')))
        io.err(note);
      io.out(
        options.json
          ? JSON.stringify(outcome.result)
          : `${choice === 'update' ? 'Updated' : 'Saved'} ${outcome.result.target}: ${outcome.result.title}`,
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
  return {
    text,
    fields,
    ...(options.title === undefined ? {} : { title: options.title }),
    ...(options.tags === undefined ? {} : { tags: options.tags.split(',') }),
    ...(options.file === undefined ? {} : { relatedFiles: options.file }),
    ...(confidence === undefined ? {} : { confidence }),
  };
}

async function askFor(io: Io, field: string, schema: Schema): Promise<string | undefined> {
  if (!io.interactive) return undefined;
  const what = schema.describe ?? expectation(schema);
  return io.ask(`${field} (${what}; Enter = not stated): `);
}

async function choose(io: Io, candidate: Candidate, options: Options): Promise<'create' | 'update' | 'quit'> {
  if (options.update) return 'update';
  if (options.new || options.dryRun) return 'create';
  const lines = [
    `This looks like ${candidate.path}: ${candidate.title}`,
    ...Object.entries(candidate.excerpt?.key_fields ?? {}).map(([field, value]) => `  ${field}: ${value}`),
  ];
  if (!io.interactive) {
    throw new CairnError('CREATE_ERROR', `A similar record exists.\n${lines.join('\n')}`, {
      fix: 'Add --update to change that record, or --new to make another one.',
    });
  }
  for (const line of lines) io.err(line);
  const answer = (await io.ask('[u]pdate it, [c]reate a new one, or [q]uit? '))?.trim().toLowerCase() ?? 'q';
  return answer.startsWith('u') ? 'update' : answer.startsWith('c') ? 'create' : 'quit';
}

/** What was typed goes into the fields of the record that is there; its tags, files and history only grow. */
async function update(memory: Memory, candidate: Candidate, draft: JsonObject): Promise<Outcome> {
  const file = fileOfIndexPath(memory.recordStore, candidate.path);
  const bytes = readBytes(file);
  if (!bytes)
    throw new CairnError('UPDATE_ERROR', `index.md names ${candidate.path}, but there is no such record.`, {
      fix: 'Bring the index in step with: cairn index --rebuild',
    });
  const old = parseJsonObject(decodeUtf8(bytes, candidate.path), candidate.path);
  const changes = Array.isArray(old.changes) ? old.changes : [];
  const entry = {
    date: timestampOf(memory.recordStore.now()),
    summary: cutCodePoints(`Updated by hand: ${String(draft.title)}`, SUMMARY_MAX),
  };
  const stated = Object.entries(isObject(draft.content) ? draft.content : {}).filter(
    ([, value]) => String(value) !== NOT_STATED,
  );
  const { tags, notes } = growTags(old.tags, draft.tags as string[]);
  const record: JsonObject = {
    ...old,
    tags,
    content: { ...(isObject(old.content) ? old.content : {}), ...Object.fromEntries(stated) },
    changes: [...changes, entry],
    ...(draft.confidence === undefined ? {} : { confidence: draft.confidence }),
  };
  if (Array.isArray(draft.related_files))
    record.related_files = [
      ...new Set([...(Array.isArray(old.related_files) ? old.related_files : []), ...draft.related_files]),
    ];
  const outcome = await memory.update({ target: file, cwd: memory.recordStore.root, record, hash: recordMd5(bytes) });
  return { ...outcome, notes: [...notes, ...outcome.notes] };
}
