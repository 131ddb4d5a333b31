// `cairn show REF`: one memory whole, with where it comes from. Ideas and topics come with the lines of the transcript
// around them; a record or a note is shown by its own command.

import fs from 'node:fs';
import type { Command } from 'commander';
import type { Document, LinesAround, ShownTrace } from '../../../app/trace-memory.ts';
import { CairnError } from '../../../errors.ts';
import { originOf, originText } from '../../../model/provenance.ts';
import { stripUnsafe, stripUnsafeText } from '../../../model/text.ts';
import type { Io } from '../io.ts';
import { noMemory, open } from '../open.ts';
import { openTracesFor } from '../open-traces.ts';
import { positive } from '../positive.ts';

type Options = { json?: true; lines: number };

const TEXT_LENGTH = 600;

export function showCommand(program: Command, io: Io): void {
  program
    .command('show')
    .description('Show one memory with its source')
    .argument('<ref>', 'idea:…, span:…, record:folder/slug or note:id')
    .option('--lines <number>', 'how many turns of the conversation before and after it', positive, 3)
    .option('--json', 'print data instead of text')
    .action(async (ref: string, options: Options) => {
      if (/^(?:record|note):/.test(ref)) showFile(io, ref, options);
      else if (/^(?:idea|span):/.test(ref)) await showTrace(io, ref, options);
      else throw noMemory(ref);
    });
}

async function showTrace(io: Io, ref: string, options: Options): Promise<void> {
  const memory = await openTracesFor(io);
  try {
    const shown = await memory.show(ref, { before: options.lines, after: options.lines });
    io.out(options.json ? JSON.stringify(shown) : text(shown));
  } finally {
    await memory.close();
  }
}

/** The file is the memory: it is shown as it is. */
function showFile(io: Io, ref: string, options: Options): void {
  const memory = open(io);
  const found = ref.startsWith('record:') ? memory.find(ref) : memory.findNote(ref);
  if (!found)
    throw new CairnError('NOT_FOUND', `There is no note ${JSON.stringify(ref)}.`, {
      fix: '`cairn query --recent 20 --json` shows notes with their ids.',
    });
  const content = fs.readFileSync(found.file, 'utf8');
  io.out(
    options.json ? JSON.stringify({ ref, file: found.file, content }) : `${found.file}\n\n${stripUnsafeText(content)}`,
  );
}

function text({ document, span, inside, relations, entities, around }: ShownTrace): string {
  const { source, meta } = document;
  const origin = originOf(meta);
  const facts: [name: string, value: string][] = [
    ['ref', document.ref],
    [
      'kind',
      document.kind === 'span' ? 'topic' : `${document.kind}${stanceOf(document)}, confidence ${document.confidence}`,
    ],
    ...(origin ? [['by', originText(origin)] as [string, string]] : []),
    ['when', new Date(document.createdAt).toISOString().slice(0, 16).replace('T', ' ')],
    ...(document.session === undefined ? [] : [['conversation', document.session] as [string, string]]),
    ['project', document.project],
    ...(source ? [['source', `${source.file}:${meta?.start ?? source.line ?? 1}`] as [string, string]] : []),
    ...(span ? [['topic', `${span.title} (${span.ref})`] as [string, string]] : []),
    ...(entities.length > 0
      ? [
          [
            'mentions',
            entities
              .slice(0, 12)
              .map(({ name }) => name)
              .join(', '),
          ] as [string, string],
        ]
      : []),
  ];
  return [
    stripUnsafeText(document.kind === 'span' ? `${document.title}\n\n${document.text}` : document.text),
    '',
    ...facts.map(([name, value]) => `${name.padEnd(13)} ${stripUnsafe(value)}`),
    ...section(
      'Relations',
      relations.map((each) => relationLine(each, document.ref)),
    ),
    ...section(
      'In it',
      inside.map((each) => `${each.kind.padEnd(10)} ${oneLine(each.title)}  (${each.ref})`),
    ),
    ...section(
      aroundTitle(around),
      (around?.lines ?? []).map(
        ({ line, who, text: said }) => `${String(line).padStart(6)} ${who}: ${cut(oneLine(said))}`,
      ),
    ),
  ].join('\n');
}

const stanceOf = ({ meta }: Document): string =>
  typeof meta?.stance === 'string' && meta.stance !== 'stated' ? ` (${meta.stance.replace('_', ' ')})` : '';

function relationLine({ link, other }: ShownTrace['relations'][number], ref: string): string {
  const verb = link.relation.replaceAll('_', ' ');
  const where = link.from === ref ? `${verb} ${link.to}` : `${link.from} ${verb} this`;
  return `${where} (${link.confidence}${link.rule ? `, ${link.rule}` : ''})${other ? `: ${oneLine(other.title)}` : ''}`;
}

const aroundTitle = (around: LinesAround | undefined): string =>
  around?.from === 'archive'
    ? 'In the conversation (from the archive; the client has deleted it)'
    : 'In the conversation';
const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
const oneLine = (said: string): string => stripUnsafe(said.replace(/\s+/g, ' ').trim());
const cut = (said: string): string =>
  said.length > TEXT_LENGTH ? `${[...said].slice(0, TEXT_LENGTH).join('')} …` : said;
