// `cairn inbox`: drafts that nobody saved, memories that double or contradict each other, memories whose files changed; and settling them.

import type { Command } from 'commander';
import { type Draft, dropDraft, saveDraft } from '../../../app/drafts.ts';
import { type Inbox, type InboxEntry, type InboxPair, inboxOf } from '../../../app/inbox.ts';
import { type InboxReport, keep, merge, supersede } from '../../../app/inbox-settle.ts';
import { Memory } from '../../../app/memory.ts';
import type { RecallMemory } from '../../../app/recall-memory.ts';
import { readable } from '../../../model/readable.ts';
import { stripUnsafe } from '../../../model/text.ts';
import { localDay } from '../../../model/timestamp.ts';
import { type Io, widthOf } from '../io.ts';
import { plural } from '../open.ts';
import { withFreshMemory } from '../with-fresh-memory.ts';
import { wrap } from '../wrap-text.ts';

const ROWS = 3;

export function inboxCommand(program: Command, io: Io): void {
  const inbox = program
    .command('inbox')
    .description('List what waits for your decision: drafts, memories that double or contradict each other, stale ones')
    .option('--json', 'print data instead of text')
    .addHelpText(
      'after',
      '\nExamples:\n  cairn inbox\n  cairn inbox supersede use-redis use-postgres\n  cairn inbox save d-1f3a',
    )
    .action((options: { json?: true }) =>
      withFreshMemory(io, async (memory) => {
        const found = await inboxOf(memory);
        io.out(options.json ? JSON.stringify(found) : inboxText(found, widthOf(io)));
      }),
    );
  const pairs: [name: string, says: string, work: typeof merge][] = [
    ['merge', 'Make one of two records or notes: the first, with what both say', merge],
    ['supersede', 'Let the first take the place of the second', supersede],
  ];
  for (const [name, says, work] of pairs)
    inbox
      .command(name)
      .description(says)
      .argument('<ref>', 'what holds')
      .argument('<other>', name === 'merge' ? 'what goes into it' : 'what holds no more')
      .option('--json', 'print data instead of text')
      .action((ref: string, other: string, _: object, command: Command) =>
        settle(io, command, (memory) => work(memory, ref, other)),
      );
  inbox
    .command('keep')
    .description('Leave two as they are, or one whose files changed; they are not listed again until one changes')
    .argument('<ref>', 'what holds')
    .argument('[other]', 'what holds too')
    .option('--json', 'print data instead of text')
    .action((ref: string, other: string | undefined, _: object, command: Command) =>
      settle(io, command, (memory) => keep(memory, ref, other)),
    );
  registerDrafts(inbox, io);
}

function registerDrafts(inbox: Command, io: Io): void {
  inbox
    .command('save')
    .description('Save a draft as it is; `cairn save --draft` saves it corrected')
    .argument('<draft>', 'its id')
    .option('--json', 'print data instead of text')
    .action((id: string, _: object, command: Command) =>
      withFreshMemory(io, async (memory) => {
        const { result } = await saveDraft(new Memory(memory.config), id);
        io.out(isJson(command) ? JSON.stringify(result) : `Saved ${result.target}: ${result.title}`);
      }),
    );
  inbox
    .command('drop')
    .description('Throw a draft away')
    .argument('<draft>', 'its id')
    .option('--json', 'print data instead of text')
    .action((id: string, _: object, command: Command) =>
      withFreshMemory(io, async (memory) => {
        const draft = dropDraft(new Memory(memory.config), id);
        io.out(
          isJson(command) ? JSON.stringify({ dropped: draft }) : `Dropped ${draft.id}: ${stripUnsafe(draft.title)}`,
        );
      }),
    );
}

const isJson = (command: Command): boolean => command.optsWithGlobals<{ json?: true }>().json === true;

function settle(io: Io, command: Command, work: (memory: RecallMemory) => Promise<InboxReport>): Promise<void> {
  return withFreshMemory(io, async (memory) => {
    const report = await work(memory);
    for (const note of report.notes) io.err(note);
    io.out(isJson(command) ? JSON.stringify(report) : reportText(report));
  });
}

function reportText({ action, ref, other }: InboxReport): string {
  if (action === 'kept') return `Kept: ${[ref, ...(other === null ? [] : [other])].join(' and ')}`;
  return action === 'merged'
    ? `Merged: ${other} is part of ${ref} now`
    : `Superseded: ${ref} holds instead of ${other}`;
}

function inboxText({ drafts, pairs, stale }: Inbox, width: number): string {
  const of = (kind: InboxPair['kind']): InboxPair[] => pairs.filter((pair) => pair.kind === kind);
  const sections = [
    section(`Contradictions (${of('contradiction').length})`, of('contradiction').map(pairText(width))),
    section(`Doubles (${of('double').length})`, of('double').map(pairText(width))),
    section(
      `Stale (${stale.length})`,
      stale.map((each) => {
        const files = each.files.map(({ path, is }) => `${path} is ${is === 'gone' ? 'gone' : 'another now'}`);
        return [
          ...entryText(each, width),
          ...rows(files.join(', '), width, 4),
          `    Still true: cairn inbox keep ${each.ref}`,
        ].join('\n');
      }),
    ),
    section(`Drafts (${drafts.length})`, drafts.map(draftText(width))),
  ].filter((text) => text !== '');
  const total = drafts.length + pairs.length + stale.length;
  return total === 0
    ? 'The inbox is empty: no drafts, and no memories that double or contradict each other or whose files changed.'
    : [`${plural(total, 'thing')} to decide`, ...sections].join('\n\n');
}

const section = (title: string, parts: readonly string[]): string =>
  parts.length === 0 ? '' : [title, ...parts].join('\n\n');

const rows = (text: string, width: number, indent: number): string[] =>
  wrap(stripUnsafe(text), width - indent, ROWS).map((line) => ' '.repeat(indent) + line);

function entryText({ ref, kind, title, text, at, layer }: InboxEntry, width: number): string[] {
  const said = layer === 'trace' ? readable(text) : title;
  const [first = '', ...more] = rows(`${kind.replaceAll('_', ' ')}: ${said}`, width, 4);
  return [first.slice(2), ...more, `    ${stripUnsafe(ref)}  ${localDay(new Date(at))}`];
}

const pairText =
  (width: number) =>
  ({ a, b, why, kind }: InboxPair): string => {
    const canMerge = a.layer !== 'trace' && b.layer !== 'trace' && (a.kind === b.kind || a.layer !== b.layer);
    const others = kind === 'double' && canMerge ? 'merge, keep' : 'keep';
    return [
      ...entryText(a, width),
      ...entryText(b, width),
      ...rows(`(${why})`, width, 4),
      stripUnsafe(`    cairn inbox supersede ${a.ref} ${b.ref}  (or ${others})`),
    ].join('\n');
  };

const draftText =
  (width: number) =>
  ({ id, category, title, created_at: at, session }: Draft): string =>
    [
      ...rows(`${category.replaceAll('_', ' ')}: ${title}`, width, 2),
      `    ${id}  ${at.slice(0, 10)}  session ${stripUnsafe(session).slice(0, 8)}`,
      `    cairn inbox save ${id}, or cairn inbox drop ${id}`,
    ].join('\n');
