// `cairn graph`: bring graph.json up to date, show it, check it.

import { type Command, Option } from 'commander';
import { type Graph, type GraphCheck, type GraphMemory, openGraph } from '../../../app/graph-memory.ts';
import { warningsOf, warningText } from '../../../config/load.ts';
import { stripUnsafe } from '../../../model/text.ts';
import type { Io } from '../io.ts';

type Options = { rebuild?: true; json?: true; dot?: true; check?: true };

export function graphCommand(program: Command, io: Io, done: (exit: number) => void): void {
  program
    .command('graph')
    .description('Bring the graph of notes and records up to date, show it, check its links')
    .option('--rebuild', 'read every file again')
    .option('--json', 'print the graph (with --check: what was found) as data')
    .addOption(new Option('--dot', 'print it for Graphviz').conflicts(['json', 'check']))
    .option('--check', 'name broken links, orphans, circles of supersession, double ids and unreadable files')
    .addHelpText('after', '\nExit code 1 with --check: there are broken links or circles.')
    .action((options: Options) => {
      const memory = openGraphFor(io);
      const rebuild = { rebuild: options.rebuild === true };
      if (options.check) {
        const { check, faulty } = memory.check(rebuild);
        io.out(options.json ? JSON.stringify(check) : checkText(check));
        done(faulty ? 1 : 0);
        return;
      }
      memory.ask((graph) => {
        warnUnsaved(io, graph.unsaved);
        if (options.json) io.out(graph.toJson());
        else if (options.dot) io.out(memory.dot(graph));
        else io.out(summary(memory, graph));
      }, rebuild);
    });
}

/** Opens the graph alone: it answers before the rest of the memory is loaded. */
export function openGraphFor(io: Io): GraphMemory {
  const memory = openGraph({ cwd: io.cwd, env: io.env });
  for (const each of warningsOf(memory.config)) io.err(`WARNING: ${warningText(each)}`);
  return memory;
}

export function warnUnsaved(io: Io, why: string | undefined): void {
  if (why !== undefined) io.err(`WARNING: graph.json could not be written: ${why}`);
}

function summary(memory: GraphMemory, graph: Graph): string {
  const types = [...graph.types].map(([type, keys]) => `${keys.length} ${type}`);
  const { brokenCount, problemCount } = graph;
  const faults = [
    ...(brokenCount > 0 ? [count(brokenCount, 'broken link')] : []),
    ...(problemCount > 0 ? [count(problemCount, 'file that is no node', 'files that are no nodes')] : []),
  ];
  return [
    `${count(graph.nodeCount, 'node')}${types.length > 0 ? `: ${types.join(', ')}` : ''}`,
    `${count(graph.tagCount, 'tag')}; last change ${graph.updatedAt || 'never'}`,
    ...(faults.length > 0 ? [`${faults.join(', ')}: \`cairn graph --check\` names them`] : []),
    memory.file,
  ].join('\n');
}

function checkText(check: GraphCheck): string {
  const sections: [title: string, lines: string[]][] = [
    ['Broken links', check.broken.map(({ from, to, path }) => `${from} -> ${to} (${path})`)],
    ['Circles of supersession', check.cycles.map((keys) => [...keys, keys[0]].join(' -> '))],
    ['Double ids', check.duplicates.map(({ path, message }) => `${path}: ${message}`)],
    ['Files that cannot be read', check.unreadable.map(({ path, message }) => `${path}: ${message}`)],
    ['Orphans, tied to nothing', [...check.orphans]],
  ];
  const found = sections.filter(([, lines]) => lines.length > 0);
  if (found.length === 0) return 'All links lead somewhere, and every file is a node.';
  return found
    .map(([title, lines]) =>
      [`${title} (${lines.length}):`, ...lines.map((line) => `  ${stripUnsafe(line)}`)].join('\n'),
    )
    .join('\n\n');
}

const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`;
