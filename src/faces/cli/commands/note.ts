// `cairn note`: the write path for Markdown notes. `cairn query` finds them.

import fs from 'node:fs';
import { type Command, Option } from 'commander';
import type { Memory, StoredNote } from '../../../app/memory.ts';
import { SINCE_FORMS } from '../../../app/written-time.ts';
import { CairnError } from '../../../errors.ts';
import { NOTE_TYPES, type NoteType } from '../../../model/notes.ts';
import { stripUnsafe, stripUnsafeText } from '../../../model/text.ts';
import { localDay } from '../../../model/timestamp.ts';
import type { Io } from '../io.ts';
import { open, problemText } from '../open.ts';
import { positive } from '../positive.ts';
import { timeOption } from '../time-option.ts';

type Texts = { [name: string]: string };
type NewOptions = {
  id?: string;
  tags?: string;
  related?: string;
  supersedes?: string;
  status?: string;
  section?: string[];
  field?: string[];
  json?: true;
};
type SetOptions = {
  title?: string;
  status?: string;
  tags?: string;
  addTags?: string;
  section?: string[];
  field?: string[];
  unset?: string[];
  json?: true;
};

/** These say what a note is; changing them would make it another note. */
const FIXED = ['id', 'type', 'created', 'updated'];

export function noteCommand(program: Command, io: Io): void {
  const note = program
    .command('note')
    .description('Make, show, change, link and remove notes')
    .action(() => note.help());
  registerNew(note, io);
  registerList(note, io);
  registerShow(note, io);
  registerSet(note, io);
  registerLink(note, io);
  registerRemove(note, io);
}

const collect = (value: string, all: string[] = []): string[] => [...all, value];
const words = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

function registerNew(note: Command, io: Io): void {
  note
    .command('new')
    .description('Make a note')
    .argument('<type>', NOTE_TYPES.join(', '))
    .argument('<title...>', 'its title; for a file-summary the path')
    .option('--id <id>', 'its id (default: from the title)')
    .option('--tags <a,b>', 'tags')
    .option('--related <id,id>', 'notes it belongs with')
    .option('--supersedes <id>', 'the note that it replaces')
    .option('--status <status>', 'its state')
    .option('--section <name=text>', 'a section of the body; text - reads standard input; may be repeated', collect)
    .option('--field <key=value>', 'a property; may be repeated', collect)
    .option('--json', 'print data instead of text')
    .addHelpText(
      'after',
      '\nExample:\n  cairn note new decision "Use Redis for sessions" --tags auth --section "Decision=Sessions live in Redis."',
    )
    .action(async (type: string, title: string[], options: NewOptions) => {
      if (!(NOTE_TYPES as readonly string[]).includes(type)) {
        throw noType(type);
      }
      if (title.join('').trim() === '')
        throw new CairnError('USAGE_ERROR', 'The note has no title.', { fix: 'Say in a few words what it is about.' });
      const fields = pairs(options.field, '--field');
      const fixed = Object.keys(fields).find((key) => FIXED.includes(key));
      if (fixed)
        throw new CairnError('USAGE_ERROR', `${fixed} is not set with --field.`, {
          fix: 'The type is the first argument, --id gives an id, times are set by Cairn.',
        });
      const memory = open(io);
      const older = options.supersedes?.replace(/^note:/, '');
      if (older) sayIfMissing(io, memory, older);
      if (type === 'file-summary' && !fields.path) fields.path = title.join(' ');
      const made = await memory.createNote({
        type: type as NoteType,
        title: title.join(' '),
        tags: words(options.tags),
        related: words(options.related),
        fields,
        sections: await sectionTexts(io, options.section),
        ...(options.id === undefined ? {} : { id: options.id }),
        ...(options.status === undefined ? {} : { status: options.status }),
      });
      if (older) await supersede(memory, made.id, older);
      say(
        io,
        made.notes,
        options.json ? JSON.stringify({ id: made.id, file: made.file }) : `Made ${made.id} (${made.file})`,
      );
    });
}

type ListOptions = { type?: string; status?: string; since?: string; limit?: number; json?: true };

function registerList(note: Command, io: Io): void {
  note
    .command('list')
    .description('List notes, the last changed first')
    .option('--type <type>', `only of this type: ${NOTE_TYPES.join(', ')}`)
    .option('--status <status>', 'only in this state')
    .option('--since <date>', `changed since then: ${SINCE_FORMS}`)
    .option('--limit <n>', 'at most so many', positive)
    .option('--json', 'print data instead of text')
    .action((options: ListOptions) => {
      const { type, status, limit } = options;
      if (type !== undefined && !(NOTE_TYPES as readonly string[]).includes(type)) throw noType(type);
      const since = options.since === undefined ? Number.NEGATIVE_INFINITY : timeOption('--since', options.since);
      const { notes, problems } = open(io).loadNotes();
      const fitting = notes
        .filter((each) => type === undefined || each.kind.type === type)
        .filter((each) => status === undefined || each.status === status.toLowerCase())
        .map((each) => ({ each, at: Date.parse(each.updated) || each.mtimeMs }))
        .filter(({ at }) => at >= since)
        .sort((a, b) => b.at - a.at || (a.each.id < b.each.id ? -1 : 1));
      const shown = fitting.slice(0, limit ?? fitting.length);
      for (const problem of problems) io.err(problemText(problem));
      if (options.json) io.out(JSON.stringify({ notes: shown.map(({ each }) => listed(each)), total: fitting.length }));
      else io.out(shown.length === 0 ? NO_NOTES : shown.map(({ each, at }) => listLine(each, at)).join('\n'));
    });
}

const NO_NOTES = 'No notes. `cairn note new` makes one; capture makes some while you work.';
const noType = (type: string): CairnError =>
  new CairnError('USAGE_ERROR', `There is no note type ${JSON.stringify(type)}.`, {
    fix: `Choose one of ${NOTE_TYPES.join(', ')}.`,
  });

const listed = ({ id, kind, title, gist, status, tags, created, updated, file }: StoredNote) => ({
  ref: `note:${id}`,
  ...{ id, type: kind.type, title, gist, status, tags, created, updated, file },
});

const listLine = ({ id, kind, title, status }: StoredNote, at: number): string =>
  stripUnsafe(
    `${localDay(new Date(at))}  ${kind.type}  ${title}${status === 'active' ? '' : ` [${status}]`}  note:${id}`,
  );

function registerShow(note: Command, io: Io): void {
  note
    .command('show')
    .description('Print a note')
    .argument('<id>', 'its id')
    .option('--json', 'print its properties, links and sections as data')
    .action((id: string, options: { json?: true }) => {
      const found = open(io).noteNamed(id);
      io.out(
        options.json ? JSON.stringify(asData(found)) : stripUnsafeText(fs.readFileSync(found.file, 'utf8')).trimEnd(),
      );
    });
}

const asData = ({ frontMatter, kind, ...note }: StoredNote) => ({
  ref: `note:${note.id}`,
  ...note,
  type: kind.type,
  properties: Object.fromEntries(frontMatter.keys.map((key) => [key, frontMatter.get(key) ?? null])),
});

function registerSet(note: Command, io: Io): void {
  note
    .command('set')
    .description('Change a note')
    .argument('<id>', 'its id')
    .option('--title <title>', 'another title')
    .option('--status <status>', 'another state')
    .option('--tags <a,b>', 'these tags and no others')
    .option('--add-tags <a,b>', 'these tags too')
    .option('--section <name=text>', 'the text of a section; text - reads standard input; may be repeated', collect)
    .option('--field <key=value>', 'a property; may be repeated', collect)
    .option('--unset <key>', 'remove a property; may be repeated', collect)
    .option('--json', 'print data instead of text')
    .action(async (named: string, options: SetOptions) => {
      const fields: { [key: string]: string | undefined } = pairs(options.field, '--field');
      for (const key of options.unset ?? []) fields[key] = undefined;
      const fixed = Object.keys(fields).find((key) => FIXED.includes(key));
      if (fixed)
        throw new CairnError('USAGE_ERROR', `${fixed} cannot be changed.`, {
          fix: 'Make a new note and remove this one.',
        });
      const memory = open(io);
      const { id } = memory.noteNamed(named);
      const done = await memory.changeNote(id, {
        fields,
        sections: await sectionTexts(io, options.section),
        ...(options.title === undefined ? {} : { title: options.title }),
        ...(options.status === undefined ? {} : { status: options.status }),
        ...(options.tags === undefined ? {} : { tags: words(options.tags) }),
        ...(options.addTags === undefined ? {} : { addTags: words(options.addTags) }),
      });
      say(
        io,
        done.notes,
        options.json
          ? JSON.stringify({ id, file: done.file, changed: done.changed })
          : `${done.changed ? 'Changed' : 'Nothing to change in'} ${id}`,
      );
    });
}

function registerLink(note: Command, io: Io): void {
  note
    .command('link')
    .description('Link a note to another note or record')
    .argument('<from>', 'the note that gets the link')
    .argument('<to>', 'what it points to')
    .addOption(
      new Option('--as <relation>', 'what the link means')
        .choices(['related', 'supersedes', 'depends_on'])
        .default('related'),
    )
    .option('--json', 'print data instead of text')
    .action(
      async (named: string, to: string, options: { as: 'related' | 'supersedes' | 'depends_on'; json?: true }) => {
        const memory = open(io);
        const from = memory.noteNamed(named).id;
        const target = to.replace(/^note:/, '');
        if (target === from)
          throw new CairnError('USAGE_ERROR', `${target} cannot be linked to itself.`, {
            fix: 'Name the other note or record second.',
          });
        sayIfMissing(io, memory, target);
        const done =
          options.as === 'supersedes'
            ? await supersede(memory, from, target)
            : await memory.changeNote(from, { addLinks: [{ to: target, relation: options.as }] });
        say(
          io,
          done.notes,
          options.json
            ? JSON.stringify({ from, to: target, as: options.as, changed: done.changed })
            : `${done.changed ? 'Linked' : 'Already linked:'} ${from} -> ${target}`,
        );
      },
    );
}

function registerRemove(note: Command, io: Io): void {
  note
    .command('rm')
    .description('Remove a note; a copy is kept in your own folder')
    .argument('<id>', 'its id')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print data instead of text')
    .action(async (id: string, options: { yes?: true; json?: true }) => {
      const memory = open(io);
      const found = memory.noteNamed(id);
      const pointing = memory
        .loadNotes()
        .notes.filter((each) => each.links.some((link) => link.to.toLowerCase() === found.id.toLowerCase()));
      if (pointing.length > 0)
        io.err(
          `NOTE: ${pointing.length} notes link to it: ${pointing
            .slice(0, 5)
            .map((each) => each.id)
            .join(', ')}`,
        );
      if (
        io.interactive &&
        !options.yes &&
        !/^y/i.test((await io.ask(`Remove ${found.id} (${found.title})? [y/N] `))?.trim() ?? '')
      )
        return;
      const removed = await memory.removeNote(found.id);
      say(
        io,
        removed.notes,
        options.json
          ? JSON.stringify({ id: found.id, ...removed })
          : `Removed ${found.id}; a copy is in ${removed.copy}`,
      );
    });
}

function sayIfMissing(io: Io, memory: Memory, target: string): void {
  if (!memory.findNote(target) && !isRecord(memory, target))
    io.err(`NOTE: there is no ${target} yet; the link is broken until there is.`);
}

/** The new note names the old one, and the old one is marked as superseded, if it is there. */
async function supersede(memory: Memory, id: string, old: string): Promise<{ changed: boolean; notes: string[] }> {
  const done = await memory.changeNote(id, { addLinks: [{ to: old, relation: 'supersedes' }] });
  const replaced = memory.findNote(old);
  if (replaced?.kind.statuses.includes('superseded')) await memory.changeNote(replaced.id, { status: 'superseded' });
  return done;
}

function isRecord(memory: Memory, named: string): boolean {
  const wanted = named.replace(/^record:/, '');
  return memory
    .list()
    .records.some((each) => each.slug === wanted || `${each.category.folder}/${each.slug}` === wanted);
}

function pairs(given: readonly string[] | undefined, flag: string): Texts {
  const found: Texts = {};
  for (const each of given ?? []) {
    const at = each.indexOf('=');
    if (at < 1)
      throw new CairnError('USAGE_ERROR', `${flag} ${JSON.stringify(each)} has no "=".`, {
        fix: `Write ${flag} name=value.`,
      });
    found[each.slice(0, at).trim()] = each.slice(at + 1);
  }
  return found;
}

async function sectionTexts(io: Io, given: readonly string[] | undefined): Promise<Texts> {
  const sections = pairs(given, '--section');
  for (const [name, text] of Object.entries(sections)) if (text === '-') sections[name] = await io.readStdin();
  return sections;
}

function say(io: Io, notes: readonly string[], text: string): void {
  for (const note of notes) io.err(note);
  io.out(text);
}
