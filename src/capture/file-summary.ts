// A note about a large file that was read: what it is for, what it offers, what it needs. Made from the file on disk,
// because a tool call may have read a part of it only, and made again only when the file has changed.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../errors.ts';
import { IgnorePatterns } from '../files/ignore-patterns.ts';
import type { CaptureContext, Captured } from './capture-context.ts';
import { fileNote, linkTo } from './file-link.ts';
import { isGitignored } from './gitignored.ts';
import { inlineCode } from './note-text.ts';
import { type ProjectFile, projectFile } from './project-file.ts';
import { putCaptured } from './put-captured.ts';
import { resolveImports } from './resolve-import.ts';
import { isMadePath, isMadeText, isSecretPath } from './sensitive-path.ts';
import { isLanguageWanted, shownLanguage } from './summarise/languages.ts';
import { plainProse } from './summarise/prose.ts';
import { type FileSummary, MAX_TEXT, renderDefinitions, summarise } from './summarise/summarise.ts';

const KB = 1_000;
/** Not a text that people wrote. */
const MAX_BYTES = 64 * 1024 * 1024;
const BLOCK = 1024 * 1024;
const MAX_FILES = 20;
const MAX_PACKAGES = 20;
const MAX_TAGS = 5;

export async function captureFile(context: CaptureContext, given: unknown): Promise<Captured | undefined> {
  const found = projectFile(context, given);
  if (!found) return undefined;
  const size = sizeOf(found.file);
  if (size === undefined || size > MAX_BYTES || size === 0) return undefined;
  const isLarge = size >= context.settings.auto_summarize_threshold_kb * KB;
  const { id, note } = fileNote(context.vault.root, found.relative);
  // A file that became small keeps its note, and the note keeps up with it.
  const known = note?.frontMatter.text('file_hash');
  if (!isLarge && known === undefined) return undefined;
  if (!maySummarise(context, found)) return undefined;
  const content = readContent(found.file);
  if (!content || content.hash === known) return undefined;
  const isProse = /\.(?:md|mdx|markdown|txt|rst)$/i.test(found.relative);
  if (isMadeText(content.text, isProse)) return undefined;
  const summary = summarise(found.relative, content.text);
  return putCaptured(context.vault, {
    type: 'file-summary',
    id,
    title: found.relative,
    tags: tagsFor(found.relative, summary.language),
    fields: {
      path: found.relative,
      file_size: content.size,
      line_count: content.lines,
      language: summary.language,
      file_hash: content.hash,
    },
    sections: {
      Purpose: plainProse(summary.purpose),
      'Key Exports': renderDefinitions(summary),
      Dependencies: dependencies(context, found.relative, summary),
      Notes: notes(content, summary),
    },
  });
}

/** True unless the file may hold secrets, is nobody's work, is hidden, or was not asked for. */
function maySummarise(context: CaptureContext, { names }: ProjectFile): boolean {
  if (names.some((name) => isSecretPath(name) || isMadePath(name))) return false;
  if (!isLanguageWanted(names[0]!, context.settings.auto_summarize_languages)) return false;
  const excluded = new IgnorePatterns(context.settings.exclude ?? []);
  if (names.some((name) => excluded.ignores(name))) return false;
  // A link that git shows may lead to what it hides, and the other way round.
  return !names.some((name) => isGitignored(context.projectRoot, path.join(context.projectRoot, name)));
}

function sizeOf(file: string): number | undefined {
  try {
    const stat = fs.statSync(file);
    return stat.isFile() ? stat.size : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined; // gone, or not for us
    throw error;
  }
}

type Content = { text: string; hash: string; size: number; lines: number };

/** The beginning as text, and what the whole says of itself; `undefined` if it is no text or cannot be read. */
function readContent(file: string): Content | undefined {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
  try {
    const hash = createHash('sha256');
    const kept: Buffer[] = [];
    const block = Buffer.allocUnsafe(BLOCK);
    let size = 0;
    let lines = 0;
    let last = 10;
    for (;;) {
      const count = fs.readSync(descriptor, block, 0, BLOCK, null);
      if (count === 0) break;
      const bytes = block.subarray(0, count);
      if (size <= MAX_TEXT) {
        if (bytes.includes(0)) return undefined; // binary
        kept.push(Buffer.from(bytes));
      }
      hash.update(bytes);
      for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++;
      last = bytes[count - 1]!;
      size += count;
      if (size > MAX_BYTES) return undefined; // it grew
    }
    const text = new TextDecoder('utf-8').decode(Buffer.concat(kept));
    return { text, hash: `sha256-${hash.digest('hex').slice(0, 16)}`, size, lines: lines + (last === 10 ? 0 : 1) };
  } finally {
    fs.closeSync(descriptor);
  }
}

function dependencies(context: CaptureContext, relative: string, summary: FileSummary): string | undefined {
  const { files, packages } = resolveImports(
    fs.realpathSync(context.projectRoot),
    relative,
    summary.language,
    summary.imports,
  );
  const own = files.slice(0, MAX_FILES).map((file) => `- ${linkTo(fileNote(context.vault.root, file).id, file)}`);
  if (files.length > MAX_FILES) own.push(`- … and ${files.length - MAX_FILES} more files`);
  const isPath = (name: string): boolean => /^[."~/]|^@\//.test(name);
  const lines = [
    ...own,
    ...named(
      'Packages',
      packages.filter((name) => !isPath(name)),
    ),
    ...named('Not found', packages.filter(isPath)),
  ];
  return lines.length > 0 ? lines.join('\n') : undefined;
}

function named(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, MAX_PACKAGES).map((name) => inlineCode(name.slice(0, 80)));
  if (names.length > MAX_PACKAGES) shown.push(`… and ${names.length - MAX_PACKAGES} more`);
  return [`- ${what}: ${shown.join(', ')}`];
}

function notes({ size, lines }: Content, summary: FileSummary): string {
  const extent = `${(size / KB).toFixed(1)} KB, ${lines} lines of ${shownLanguage(summary.language)}`;
  const said = [`- ${extent}${summary.cut ? '; only the beginning was looked at' : ''}`];
  for (const { line, text } of summary.todos) said.push(`- Line ${line}: ${plainProse(text)}`);
  return said.join('\n');
}

const COMMON_WORDS =
  /^(?:src|lib|libs|app|apps|pkg|packages|internal|cmd|main|index|mod|init|java|com|org|net|io|include|source|the|and|for|test|tests|spec)$/;

/** The language, and the words of the path that say something. */
function tagsFor(relative: string, language: string): string[] {
  const words = relative
    .replace(/\.[^./]+$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 && word.length <= 30 && !COMMON_WORDS.test(word) && !/^\d+$/.test(word));
  // The words nearest to the file say most.
  return [...new Set([language, ...words.slice(-MAX_TAGS)])];
}
