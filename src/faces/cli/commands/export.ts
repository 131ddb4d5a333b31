// `cairn export`: memories as one JSON object or one Markdown text, all of this project's or what a search finds. For reading elsewhere;
// the files of the memory are the real thing, and a copy of them loses nothing.

import fs from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { RecallMemory } from '../../../app/recall-memory.ts';
import { warningsOf, warningText } from '../../../config/load.ts';
import { CairnError, isSystemError, messageOf } from '../../../errors.ts';
import { atomicWrite } from '../../../files/atomic-write.ts';
import { originOf, originText, type Provenance, type Speaker } from '../../../model/provenance.ts';
import { stripUnsafe, stripUnsafeText } from '../../../model/text.ts';
import type { Io } from '../io.ts';
import { plural, problemText } from '../open.ts';

type Options = { json?: true; markdown?: true; layer?: string[]; allProjects?: true; output?: string };
type Exported = {
  ref: string;
  project: string;
  layer: string;
  kind: string;
  status: string;
  title: string;
  text: string;
  tags: readonly string[];
  confidence: number;
  session: string | null;
  created_at: string;
  source: { file: string; line?: number } | null;
  /** Of a statement: who said it, and whether they said it themselves. */
  speaker: Speaker | null;
  provenance: Provenance | null;
};

const LAYERS = ['record', 'note', 'trace'];
const PAGE = 500;
const FOUND = 200;

export function exportCommand(program: Command, io: Io): void {
  program
    .command('export')
    .description('Write out what is remembered: everything of this project, or what a search finds')
    .argument('[query...]', 'only what this finds')
    .option('--markdown', 'as Markdown (default)')
    .option('--json', 'as one JSON object')
    .addOption(new Option('--layer <layers>', `only from: ${LAYERS.join(', ')}; a,b means any`).argParser(layersOf))
    .option('--all-projects', 'of all projects')
    .option('-o, --output <file>', 'into a new file instead of standard output')
    .action(async (words: string[], options: Options) => {
      const memory = await RecallMemory.open({ cwd: io.cwd, env: io.env });
      try {
        for (const each of warningsOf(memory.config)) io.err(`WARNING: ${warningText(each)}`);
        await memory.refresh();
        const query = words.join(' ').trim();
        const memories = await select(memory, query, options);
        write(io, options.json ? asJson(memories, query) : asMarkdown(memories), options.output);
        if (options.output !== undefined)
          io.err(`${plural(memories.length, 'memory', 'memories')} in ${options.output}`);
        for (const problem of memory.unreadable)
          io.err(stripUnsafe(`${problemText(problem)}; it is not in the export`));
        for (const problem of memory.problems) io.err(`WARNING: ${problem}`);
      } finally {
        await memory.close();
      }
    });
}

function layersOf(text: string): string[] {
  const layers = text.split(',').map((each) => each.trim());
  const wrong = layers.find((each) => !LAYERS.includes(each));
  if (wrong === undefined) return layers;
  throw new CairnError('USAGE_ERROR', `There is no layer ${JSON.stringify(wrong)}.`, {
    fix: `Use ${LAYERS.join(', ')}.`,
  });
}

async function select(memory: RecallMemory, query: string, options: Options): Promise<Exported[]> {
  const refs = query === '' ? undefined : await found(memory, query, options);
  const projects = options.allProjects ? undefined : memory.scopesOf();
  const filter = {
    ...(projects ? { projects } : {}),
    ...(options.layer ? { layers: options.layer } : {}),
    ...(refs ? { refs } : {}),
  };
  const memories: Exported[] = [];
  let cursor: string | undefined;
  do {
    const page: Awaited<ReturnType<RecallMemory['store']['list']>> = await memory.store.list({
      filter,
      order: 'oldest',
      limit: PAGE,
      ...(cursor ? { cursor } : {}),
    });
    for (const {
      ref,
      project,
      layer,
      kind,
      status,
      title,
      text,
      tags,
      confidence,
      session,
      createdAt,
      source,
      meta,
    } of page.documents)
      memories.push({
        ...{ ref, project, layer, kind, status, title, text, tags, confidence },
        session: session ?? null,
        created_at: new Date(createdAt).toISOString(),
        source: source ?? null,
        speaker: originOf(meta)?.speaker ?? null,
        provenance: originOf(meta)?.provenance ?? null,
      });
    cursor = page.next;
  } while (cursor !== undefined);
  return refs ? memories.sort((a, b) => refs.indexOf(a.ref) - refs.indexOf(b.ref)) : memories;
}

async function found(memory: RecallMemory, query: string, options: Options): Promise<string[]> {
  const { results } = await memory.ask({
    query,
    limit: FOUND,
    ...(options.layer ? { layers: options.layer } : {}),
    ...(options.allProjects ? { allProjects: true } : {}),
  });
  return results.map(({ ref }) => ref);
}

const asJson = (memories: readonly Exported[], query: string): string =>
  JSON.stringify(
    { format: 'cairn-export-1', exported_at: new Date().toISOString(), query: query || null, memories },
    null,
    2,
  );

function asMarkdown(memories: readonly Exported[]): string {
  const parts = memories.map(
    ({ ref, kind, status, title, text, tags, created_at: at, source, speaker, provenance }) => {
      const by = speaker && provenance ? ` · ${originText({ speaker, provenance })}` : '';
      const from = source ? ` · ${source.file}${source.line === undefined ? '' : `:${source.line}`}` : '';
      const tagged = tags.length > 0 ? ` · ${tags.map((tag) => `#${stripUnsafe(tag)}`).join(' ')}` : '';
      const head = `${kind} · ${status} · ${at.slice(0, 10)}${by} · \`${ref}\`${tagged}${from}`;
      return [`## ${stripUnsafe(title)}`, '', stripUnsafe(head), '', stripUnsafeText(text).trim(), ''].join('\n');
    },
  );
  return ['# What is remembered', '', `${plural(memories.length, 'memory', 'memories')}.`, '', ...parts]
    .join('\n')
    .trimEnd();
}

/** A file that is there already is somebody's: it is not replaced. */
function write(io: Io, text: string, output: string | undefined): void {
  if (output === undefined) {
    io.out(text);
    return;
  }
  const file = path.resolve(io.cwd, output);
  if (fs.existsSync(file))
    throw new CairnError('INPUT_ERROR', `${file} exists already.`, { fix: 'Name another file, or remove that one.' });
  try {
    atomicWrite(file, `${text}\n`, { mode: 0o600 });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new CairnError('IO_ERROR', `${file} cannot be written: ${messageOf(error)}`, {
      cause: error,
      fix: 'Name a file in a folder that exists and that you may write to.',
    });
  }
}
