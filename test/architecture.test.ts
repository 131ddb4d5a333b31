// The directions of ARCHITECTURE.md, held by reading every import from the syntax: a lower layer never imports a higher one, a
// sub-folder is a part of its own, pure folders touch no disk, nothing imports itself in a circle, not even a type.

import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../src');

const BASE = ['model', 'config/settings', 'files', 'safety', 'safety/secrets'];
const TRANSCRIPTS = ['transcripts', 'transcripts/claude-code', 'transcripts/codex', 'transcripts/markdown'];
const EXTRACTION = [
  'extraction',
  'extraction/statements',
  'extraction/labels',
  'extraction/exchanges',
  'extraction/ideas',
  'extraction/entities',
  'extraction/relations',
  'extraction/topics',
];
/** What stands on the base and knows nothing of how it is stored, searched or shown. */
const LAYERS = [
  'records',
  'notes',
  'capture',
  'triage',
  'triage/vocabulary',
  'triage/evidence',
  'graph',
  'store',
  'embed',
  'llm',
  'learning',
];
const MIDDLE = [...BASE, 'config', ...TRANSCRIPTS, 'transcripts/archive', ...EXTRACTION, ...LAYERS];
const STAGES = [
  'indexing/transcripts',
  'indexing/files',
  'indexing/graph',
  'indexing/vectors',
  'indexing/commits',
  'recall',
  'recall/time',
  'inject',
  'refine',
];
const APP = ['app', 'app/hooks', 'app/install'];
/** What reading an exchange stands on. */
const READING = ['model', 'safety', 'extraction', 'extraction/statements', 'extraction/labels'];
const FOR_FACES = [...APP, 'viewer-api', 'model', 'config', 'config/settings'];

/**
 * Each part (a folder, or a folder in a folder) with the parts it may import besides itself. `errors` and `version` are open to all.
 * Only `app` names an implementation of the store.
 */
const ALLOWED: { readonly [part: string]: readonly string[] } = {
  errors: [],
  version: [],
  model: [],
  files: ['model'],
  safety: ['model', 'safety/secrets'],
  'safety/secrets': ['model'],
  'config/settings': ['model'],
  trust: ['model', 'files', 'config/settings'],
  config: ['model', 'files', 'config/settings', 'trust'],
  transcripts: [...BASE, ...TRANSCRIPTS, 'transcripts/archive'],
  'transcripts/claude-code': [...BASE, 'transcripts'],
  'transcripts/codex': [...BASE, 'transcripts'],
  'transcripts/markdown': [...BASE, 'transcripts'],
  'transcripts/archive': [...BASE, 'transcripts'],
  extraction: ['model', 'safety'],
  'extraction/statements': ['model', 'safety', 'extraction'],
  'extraction/labels': ['model', 'safety', 'extraction', 'extraction/statements'],
  'extraction/exchanges': ['model', 'safety', 'extraction', 'extraction/statements', 'extraction/labels'],
  'extraction/ideas': [...READING, 'extraction/exchanges'],
  'extraction/entities': ['model', 'safety', 'extraction'],
  'extraction/relations': [...READING, 'extraction/exchanges', 'extraction/entities', 'extraction/ideas'],
  'extraction/topics': [...READING, 'extraction/exchanges', 'extraction/ideas'],
  records: BASE,
  graph: ['model'],
  notes: [...BASE, 'graph'],
  capture: [...BASE, 'notes', 'capture/summarise'],
  'capture/summarise': ['model', 'safety'],
  triage: ['model', 'config/settings', 'safety', 'transcripts', 'triage/vocabulary'],
  'triage/evidence': ['model', 'safety', 'extraction', 'extraction/exchanges', 'extraction/ideas'],
  'triage/vocabulary': ['model', 'config/settings', 'triage'],
  store: ['model', 'files'],
  'store/sqlite': ['model', 'files', 'store'],
  'store/postgres': ['model', 'store'],
  embed: BASE,
  llm: BASE,
  learning: BASE,
  'indexing/transcripts': [...MIDDLE, 'indexing/files'],
  'indexing/files': [...MIDDLE, 'indexing/graph', 'indexing/vectors'],
  'indexing/graph': MIDDLE,
  'indexing/vectors': MIDDLE,
  'indexing/commits': [...MIDDLE, 'indexing/vectors'],
  'recall/time': BASE,
  recall: [...MIDDLE, 'recall/time'],
  inject: ['model', 'safety', 'store', 'records', 'notes', 'recall'],
  refine: [...MIDDLE, 'indexing/transcripts'],
  sync: ['model', 'files', 'transcripts/archive'],
  app: [...MIDDLE, ...STAGES, 'sync', 'trust', 'store/sqlite', 'store/postgres', ...APP],
  'app/hooks': [...MIDDLE, ...STAGES, 'trust', 'app'],
  'app/install': [...BASE, 'config', 'app'],
  'viewer-api': [...MIDDLE, ...STAGES, 'trust', 'app'],
  'faces/cli': [...FOR_FACES, 'faces/launcher', 'faces/web'],
  'faces/hooks': [...FOR_FACES, 'faces/launcher'],
  'faces/mcp': [...FOR_FACES, 'faces/hooks'],
  'faces/web': FOR_FACES,
  'faces/launcher': ['faces/cli', 'faces/hooks', 'faces/mcp'],
  index: ['app', 'config', 'model'],
};

/** These compute; they read no files, start no processes and open no sockets. */
const PURE = ['model', 'config/settings', 'extraction', 'triage', 'graph', 'inject'];
const PURE_BUILTINS = ['crypto', 'path'];
const MEANINGLESS = ['utils', 'util', 'shared', 'services', 'core', 'manager', 'helpers', 'common', 'lib', 'misc'];
const READS_ENVIRONMENT = /^(?:config|faces)\//;
const ENDS_PROCESS = ['faces/launcher/main.ts'];

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Source = {
  readonly file: string;
  readonly text: string;
  readonly imports: readonly string[];
  readonly reads: readonly string[];
};

function filesBelow(directory: string, wanted: RegExp): string[] {
  return fs
    .readdirSync(directory, { withFileTypes: true, recursive: true })
    .map((entry) => ({ entry, file: path.join(entry.parentPath, entry.name) }))
    .filter(({ entry, file }) => entry.isFile() && wanted.test(file))
    .map(({ file }) => file);
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) walk(each, visit);
  else if (typeof value === 'object' && value !== null) {
    if (typeof (value as Node).type === 'string') visit(value as Node);
    for (const each of Object.values(value)) if (typeof each === 'object') walk(each, visit);
  }
}

const isNamed = (node: unknown, name: string): boolean =>
  (node as Node | undefined)?.type === 'Identifier' && (node as Node).name === name;
const textOf = (node: unknown): string | undefined =>
  (node as Node | undefined)?.type === 'Literal' && typeof (node as Node).value === 'string'
    ? String((node as Node).value)
    : undefined;

/** What of `process` a node reads: `process.env`, `process['env']`, `globalThis.process.env`, `const { env } = process`. */
function readOfProcess(node: Node): string[] {
  const isProcess = (each: unknown): boolean =>
    isNamed(each, 'process') ||
    ((each as Node | undefined)?.type === 'MemberExpression' && isNamed((each as Node).property, 'process'));
  if (node.type === 'MemberExpression' && isProcess(node.object)) {
    const property = node.property as Node;
    return [node.computed ? (textOf(property) ?? '*') : String(property.name)];
  }
  if (node.type === 'VariableDeclarator' && isProcess(node.init) && (node.id as Node).type === 'ObjectPattern')
    return ((node.id as Node).properties as Node[]).map((each) => String((each.key as Node | undefined)?.name ?? '*'));
  return [];
}

function sourceOf(file: string): Source {
  const text = fs.readFileSync(file, 'utf8');
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const imports: string[] = [];
  const reads: string[] = [];
  walk(program, (node) => {
    const from =
      textOf(node.source) ??
      (node.type === 'TSImportType' ? textOf((node.argument as Node).literal ?? node.argument) : undefined);
    if (from !== undefined) imports.push(from);
    reads.push(...readOfProcess(node));
  });
  return { file: path.relative(SRC, file).split(path.sep).join('/'), text, imports, reads };
}

/** `store` for store/store.ts, `store/sqlite` for all below it, `errors` for errors.ts. */
function partOf(file: string): string {
  const folders = file.split('/').slice(0, -1);
  return folders.length === 0 ? file.replace(/\.ts$/, '') : folders.slice(0, 2).join('/');
}

const isInside = (part: string, folders: readonly string[]): boolean =>
  folders.some((folder) => part === folder || part.startsWith(`${folder}/`));
const targetOf = (file: string, to: string): string =>
  path.posix.normalize(path.posix.join(path.posix.dirname(file), to));

const VIEWER = path.resolve(SRC, '../viewer');
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const pageFiles = filesBelow(VIEWER, /\.(?:tsx?|css|html|mjs)$/);
const sources = filesBelow(SRC, /(?<!\.test)\.ts$/).map(sourceOf);
const internal = sources.flatMap(({ file, imports }) =>
  imports.filter((to) => to.startsWith('.')).map((to) => ({ file, to: targetOf(file, to) })),
);

/** Groups of files that import each other, each group in one line. */
function circles(): string[] {
  const next = new Map(sources.map(({ file }) => [file, [] as string[]]));
  for (const { file, to } of internal) next.get(file)?.push(to);
  const order = new Map<string, { index: number; low: number; open: boolean }>();
  const stack: string[] = [];
  const found: string[] = [];
  const enter = (file: string): void => {
    const own = { index: order.size, low: order.size, open: true };
    order.set(file, own);
    stack.push(file);
    for (const to of next.get(file) ?? []) {
      if (!order.has(to)) enter(to);
      const other = order.get(to)!;
      if (other.open) own.low = Math.min(own.low, other.low);
    }
    if (own.low !== own.index) return;
    const group = stack.splice(stack.indexOf(file));
    for (const each of group) order.get(each)!.open = false;
    if (group.length > 1) found.push(group.sort().join(' ↔ '));
  };
  for (const { file } of sources) if (!order.has(file)) enter(file);
  return found.sort();
}

describe('the architecture', () => {
  it('reads every source file', () => {
    expect(sources.length).toBeGreaterThan(400);
    expect(internal.length).toBeGreaterThan(1500);
  });

  it('knows every folder', () => {
    const unknown = new Set(sources.map(({ file }) => partOf(file)).filter((part) => !Object.hasOwn(ALLOWED, part)));
    expect([...unknown]).toEqual([]);
  });

  it('lets imports run in one direction only', () => {
    const wrong = internal
      .map(({ file, to }) => ({ file, from: partOf(file), to, part: partOf(to) }))
      .filter(({ from, part }) => part !== from && part !== 'errors' && part !== 'version')
      .filter(({ from, part }) => !ALLOWED[from]?.includes(part))
      .map(({ file, to }) => `${file} → ${to}`);
    expect([...new Set(wrong)]).toEqual([]);
  });

  it('has no circle of imports, types included', () => {
    expect(circles()).toEqual([]);
  });

  it('keeps the pure folders pure', () => {
    const wrong = sources
      .filter(({ file }) => isInside(partOf(file), PURE))
      .flatMap(({ file, imports }) =>
        imports
          .filter((to) => to.startsWith('node:') || builtinModules.includes(to))
          .map((to) => to.replace(/^node:/, ''))
          .filter((to) => !PURE_BUILTINS.includes(to))
          .map((to) => `${file} imports node:${to}`),
      );
    expect(wrong).toEqual([]);
  });

  it('reads the environment in config and in the faces only', () => {
    const readers = sources.filter(
      ({ file, imports, reads }) =>
        (reads.some((name) => name === 'env' || name === '*') ||
          imports.some((to) => /^(?:node:)?process$/.test(to))) &&
        !READS_ENVIRONMENT.test(file),
    );
    expect(readers.map(({ file }) => file)).toEqual([]);
  });

  it('ends the process in main.ts only', () => {
    const enders = sources.filter(({ reads }) =>
      reads.some((name) => ['exit', 'reallyExit', 'exitCode', 'abort'].includes(name)),
    );
    expect(enders.map(({ file }) => file).filter((file) => !ENDS_PROCESS.includes(file))).toEqual([]);
  });

  it('has no file without an opening comment, and none that is too long', () => {
    const page = pageFiles
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => ({ file, text: fs.readFileSync(file, 'utf8') }));
    const all = [...sources, ...page];
    expect({
      bare: all.filter(({ text }) => !/^(?:#!.*\n)?\/\//.test(text)).map(({ file }) => file),
      long: all.filter(({ text }) => text.split('\n').length > 500).map(({ file }) => file),
    }).toEqual({ bare: [], long: [] });
  });

  it('lets the page import the contract and the model types of the server, and nothing else of it', () => {
    const ROOT = path.dirname(SRC);
    const outside = pageFiles
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) =>
        sourceOf(file)
          .imports.filter((to) => to.startsWith('.'))
          .map((to) => path.relative(ROOT, path.resolve(path.dirname(file), to))),
      )
      .filter((to) => !to.startsWith(`viewer${path.sep}`))
      .map((to) => to.split(path.sep).join('/'));
    expect(pageFiles.length).toBeGreaterThan(20);
    expect(outside.length).toBeGreaterThan(5);
    expect(outside.filter((to) => !to.startsWith('src/viewer-api/protocol') && !to.startsWith('src/model/'))).toEqual(
      [],
    );
    const contract = internal.filter(({ file }) => file.startsWith('viewer-api/protocol'));
    expect(contract.filter(({ to }) => !to.startsWith('viewer-api/protocol') && partOf(to) !== 'model')).toEqual([]);
  });

  it('lets the page show content as text only, and name no other place', () => {
    const forbidden =
      /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?:\/\//;
    const wrong = pageFiles.filter((file) =>
      forbidden.test(fs.readFileSync(file, 'utf8').replaceAll(SVG_NAMESPACE, '')),
    );
    expect(wrong.map((file) => path.basename(file))).toEqual([]);
  });

  it('names folders after what they do', () => {
    const folders = new Set(sources.flatMap(({ file }) => file.split('/').slice(0, -1)));
    expect([...folders].filter((folder) => MEANINGLESS.includes(folder))).toEqual([]);
  });
});
