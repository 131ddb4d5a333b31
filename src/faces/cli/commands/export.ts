// `cairn export`: memories as one JSON object or one Markdown text, all of this project's or what a search finds. For reading elsewhere;
// the files of the memory are the real thing, and a copy of them loses nothing.

import path from 'node:path';
import { type Command, Option } from 'commander';
import { type ExportedMemory, memoriesFor, settledFor, writeExport } from '../../../app/export.ts';
import { RecallMemory } from '../../../app/recall-memory.ts';
import { warningsOf, warningText } from '../../../config/load.ts';
import { CairnError } from '../../../errors.ts';
import { originText } from '../../../model/provenance.ts';
import { stripUnsafe, stripUnsafeText } from '../../../model/text.ts';
import type { Io } from '../io.ts';
import { plural, problemText } from '../open.ts';

type Options = { json?: true; markdown?: true; layer?: string[]; allProjects?: true; output?: string };
const LAYERS = ['record', 'note', 'trace'];

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
        const memories = await memoriesFor(memory, query, options);
        const text = options.json ? asJson(memory, memories, query) : asMarkdown(memories);
        if (options.output === undefined) io.out(text);
        else {
          writeExport(path.resolve(io.cwd, options.output), text);
          io.err(`${plural(memories.length, 'memory', 'memories')} in ${options.output}`);
        }
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

function asJson(memory: RecallMemory, memories: readonly ExportedMemory[], query: string): string {
  const about = { format: 'cairn-export-1', exported_at: new Date().toISOString(), query: query || null };
  return JSON.stringify({ ...about, memories, settled: settledFor(memory, memories) }, null, 2);
}

function asMarkdown(memories: readonly ExportedMemory[]): string {
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
