// `cairn show REF`: one memory whole, with where it comes from. Ideas and topics come with the lines of the transcript
// around them; a record or a note is shown by its own command.

import fs from 'node:fs';
import type { Command } from 'commander';
import { namedMemory } from '../../../app/learn-from-answers.ts';
import { RecallMemory } from '../../../app/recall-memory.ts';
import type { Document, LinesAround, ShownTrace } from '../../../app/trace-memory.ts';
import { originOf, originText } from '../../../model/provenance.ts';
import { exchangeFields, topicFields } from '../../../model/span-fields.ts';
import { stanceWords } from '../../../model/stance-words.ts';
import { stripUnsafe, stripUnsafeText } from '../../../model/text.ts';
import { exchangeLines, fieldLines } from '../exchange-lines.ts';
import type { Io } from '../io.ts';
import { open } from '../open.ts';
import { openTracesFor } from '../open-traces.ts';
import { positive } from '../positive.ts';

type Options = { json?: true; lines: number; full?: true; explain?: true };

const TEXT_LENGTH = 600;

export function showCommand(program: Command, io: Io): void {
  program
    .command('show')
    .description('Show one memory with its source')
    .argument(
      '<ref>',
      'idea:…, span:…, record:folder/slug, note:id or commit:hash; its name alone, or the beginning of it',
    )
    .option('--lines <number>', 'how many turns of the conversation before and after it', positive, 3)
    .option('--full', 'all that was said in its exchange, nothing cut')
    .option('--explain', 'why a statement has its label: what spoke for it and against it')
    .option('--json', 'print data instead of text')
    .action(async (ref: string, options: Options) => {
      const whole = /^(?:record|note|idea|span|commit):/.test(ref) ? ref : await wholeRef(io, ref);
      if (/^(?:record|note):/.test(whole)) showFile(io, whole, options);
      else await showTrace(io, whole, options);
    });
}

/** Which memory a name without its layer means. */
async function wholeRef(io: Io, name: string): Promise<string> {
  const memory = await RecallMemory.open({ cwd: io.cwd, env: io.env });
  try {
    await memory.refresh();
    return (await namedMemory(memory.store, memory.config, name)).ref;
  } finally {
    await memory.close();
  }
}

async function showTrace(io: Io, ref: string, options: Options): Promise<void> {
  const memory = await openTracesFor(io);
  try {
    const { lines, full = false, explain = false } = options;
    const shown = await memory.show(ref, { before: lines, after: lines, full, explain });
    io.out(options.json ? JSON.stringify(shown) : text(shown, full));
  } finally {
    await memory.close();
  }
}

/** The file is the memory: it is shown as it is. */
function showFile(io: Io, ref: string, options: Options): void {
  const memory = open(io);
  const found = ref.startsWith('record:') ? memory.find(ref) : memory.noteNamed(ref);
  const content = fs.readFileSync(found.file, 'utf8');
  io.out(
    options.json ? JSON.stringify({ ref, file: found.file, content }) : `${found.file}\n\n${stripUnsafeText(content)}`,
  );
}

function text(shown: ShownTrace, full: boolean): string {
  const { document, exchange, inside, relations, around } = shown;
  const isTopic = document.kind === 'span' && document !== exchange && document.ref !== exchange?.ref;
  const exchanges = isTopic ? inside.filter(({ kind }) => kind === 'span') : [];
  const ideas = inside.filter(({ kind }) => kind !== 'span');
  return [
    ...headOf(document),
    '',
    ...factsOf(shown).map(([name, value]) => `${name.padEnd(13)} ${stripUnsafe(value)}`),
    ...(document.kind === 'span' ? [] : exchangeAround(exchange)),
    ...section('Why this label', labelLines(shown.label)),
    ...section(
      'Relations',
      relations.map((each) => relationLine(each, document.ref)),
    ),
    ...section(
      'Exchanges',
      exchanges.flatMap((each) => exchangeLines(exchangeFields(each.meta), each, '')),
    ),
    ...section('In it', ideas.map(ideaLine)),
    ...section(
      aroundTitle(around, full),
      (around?.lines ?? []).map(
        ({ line, who, text: said }) =>
          `${String(line).padStart(6)} ${who}: ${full || line === document.source?.line ? oneLine(said) : cut(oneLine(said))}`,
      ),
    ),
  ].join('\n');
}

/** A statement as it was said; a topic or an exchange by its name and what came of it. */
function headOf({ kind, title, text: said, meta }: Document): string[] {
  const fields = exchangeFields(meta) ?? topicFields(meta);
  if (kind === 'commit') return [stripUnsafe(title), '', stripUnsafeText(said)];
  if (kind !== 'span') return [stripUnsafeText(said)];
  if (!fields) return [stripUnsafeText(`${title}\n\n${said}`)];
  const asked = 'asked' in fields && fields.asked !== '' ? [oneLine(`asked: ${fields.asked}`)] : [];
  return [stripUnsafe(title), '', ...asked, ...fieldLines(fields, '')];
}

function factsOf({ document, span, exchange, entities, tie }: ShownTrace): [name: string, value: string][] {
  const { source, meta, kind, confidence, session } = document;
  const origin = originOf(meta);
  const stance = stanceWords(meta?.stance);
  const isSpan = kind === 'span';
  const level = exchange?.ref === document.ref ? 'exchange' : 'topic';
  const facts: [name: string, value: string | undefined][] = [
    ['ref', document.ref],
    ['hash', typeof meta?.hash === 'string' ? meta.hash : undefined],
    ['author', typeof meta?.author === 'string' ? meta.author : undefined],
    [
      'comes from',
      tie === undefined
        ? undefined
        : tie
          ? `${exchange?.session ?? ''}, ${tie.how} (${tie.certainty})`
          : 'no conversation that is known',
    ],
    ['kind', isSpan ? level : `${kind}${stance ? ` (${stance})` : ''}, confidence ${confidence}`],
    ['status', document.status === 'active' ? undefined : document.status],
    ['by', origin && originText(origin)],
    ['when', new Date(document.createdAt).toISOString().slice(0, 16).replace('T', ' ')],
    ['conversation', session],
    ['resume', resumeText(document)],
    ['project', document.project],
    ['source', source && `${source.file}:${meta?.start ?? source.line ?? 1}`],
    ['topic', span && `${span.title} (${span.ref})`],
    [
      'mentions',
      entities
        .slice(0, 12)
        .map(({ name }) => name)
        .join(', ') || undefined,
    ],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]));
}

/** How to go on with the conversation, in the folder where it was held; only the client's own are its to resume. */
function resumeText({ session, source, meta }: Document): string | undefined {
  if (session === undefined || source === undefined || !/\.jsonl$/i.test(source.file)) return undefined;
  if (meta?.agent !== undefined || /[\\/]rollout-[^\\/]*$/.test(source.file)) return undefined;
  return fs.existsSync(source.file)
    ? `claude --resume ${session}`
    : 'not possible: the client has deleted the transcript';
}

/** What the statement belongs to. */
const exchangeAround = (exchange: Document | undefined): string[] =>
  exchange ? section('In the exchange', exchangeLines(exchangeFields(exchange.meta), exchange, '')) : [];

const ideaLine = (idea: Document): string => {
  const stance = stanceWords(idea.meta?.stance);
  return `${idea.kind.padEnd(10)} ${oneLine(idea.title)}  (${[stance, idea.ref].filter(Boolean).join(', ')})`;
};

function relationLine({ link, other }: ShownTrace['relations'][number], ref: string): string {
  const verb = link.relation.replaceAll('_', ' ');
  const where = link.from === ref ? `${verb} ${link.to}` : `${link.from} ${verb} this`;
  return `${where} (${link.confidence}${link.rule ? `, ${link.rule}` : ''})${other ? `: ${oneLine(other.title)}` : ''}`;
}

function aroundTitle(around: LinesAround | undefined, full: boolean): string {
  const title = full ? 'The conversation' : 'In the conversation';
  return around?.from === 'archive' ? `${title} (from the archive; the client has deleted it)` : title;
}
const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
const oneLine = (said: string): string => stripUnsafe(said.replace(/\s+/g, ' ').trim());
const cut = (said: string): string =>
  said.length > TEXT_LENGTH ? `${[...said].slice(0, TEXT_LENGTH).join('')} …` : said;

/** `+1.20  place prompt: decided`; nothing where nobody asked. */
function labelLines(label: ShownTrace['label']): string[] {
  if (label === undefined) return [];
  if (label === null) return ['An event says it, or its transcript is gone: no words were judged.'];
  const sure = Math.round(100 * label.confidence);
  return [
    `${label.label}, right with ${sure} %; worth ${label.worth.toFixed(2)} (0: nothing, 1: to be shown)`,
    ...label.reasons.map(({ name, weight }) => `${weight < 0 ? '' : '+'}${weight.toFixed(2)}  ${stripUnsafe(name)}`),
  ];
}
