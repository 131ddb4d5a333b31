// What a memory holds, as texts that can be compared: after a fault each must be the old one or the new one, and after recovery all
// must be the new ones. What is derived, or is only about the fault itself, does not count.

import fs from 'node:fs';
import path from 'node:path';
import { openMemory } from '../../src/app/memory.ts';
import { rebuiltIndex } from '../../src/records/repair-records.ts';
import { openArchive } from '../../src/transcripts/archive/archive.ts';
import { cairn, memoryRoot, type Site, userRoot } from './writing-paths.ts';

export type Truth = { readonly [name: string]: string };

/**
 * Made from the rest, or about failures, or not there to stay; a mark of trust that is missing is asked for (`cairn trust`), and the
 * registry of projects notes moments and folders, so no two runs agree on it.
 */
const NOT_TRUTH =
  /(?:^|\/)(?:memory\.db(?:-\w+)?|graph\.json|\.gitignore|log|locks|pending|trust|cache|projects\.json|\.git)(?:\/|$)|\/archive\/transcripts\/|\.unrepaired$/;
/** `.unrepaired` is no litter: it tells the next writer of that memory what to look after, and a memory that was moved away has none. */
export const LITTER =
  /\.cairn-tmp$|lockdir(?!\.unrepaired$)|\.lock(?:\.|$)|\.[0-9a-f]{16}\.new$|\.[0-9a-f]{8}\.gone$|\.break$/;
const OWNER = 'owner.json';

export function truthOf(site: Site): Truth {
  const truth: { [name: string]: string } = {};
  for (const name of namesBelow(site.base)) {
    const file = path.join(site.base, name);
    if (NOT_TRUTH.test(name) || isLitter(name) || !fs.lstatSync(file).isFile()) continue;
    const content = contentOf(file);
    if (content !== '' || !name.endsWith('.jsonl')) truth[timeless(name)] = timeless(content); // begun, and nothing in it yet
  }
  return { ...truth, ...archived(site) };
}

function namesBelow(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true }).map(String);
}

const isLitter = (name: string): boolean => name.split('/').some((part) => LITTER.test(part));

function contentOf(file: string): string {
  if (file.endsWith('.jsonl')) return wholeLines(file);
  const text = fs.readFileSync(file, 'utf8');
  return file.endsWith('.json') && isJson(text) ? inOrder(text) : text;
}

/** Whatever order its keys are in. */
function inOrder(text: string): string {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([key, each]) => [key, sorted(each)]),
          )
        : value;
  return JSON.stringify(sorted(JSON.parse(text)), null, 1);
}

/** Logs are appended to: a line that was not finished is nobody's, and readers pass over it. */
function wholeLines(file: string): string {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  return lines.filter(isJson).join('\n');
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Two runs happen at different times, and a digest over a time is different too. */
const timeless = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\d{4}-\d\d-\d\dT\d{6}Z/g, 'TIME')
    .replace(/^(generated|captured_hash): .*$/gm, '$1: DIGEST');

/** Conversation by conversation, as a reader gets it. */
function archived(site: Site): Truth {
  const archive = openArchive(path.join(userRoot(site), 'archive'), { maxBytes: 1e9, now: () => new Date() });
  return Object.fromEntries(
    archive.entries().map((entry) => [`archive ${entry.source}`, [...archive.lines(entry)].join('\n')]),
  );
}

/** What is neither the old nor the new: half written, or lost. */
export function halfWritten(now: Truth, before: Truth, after: Truth): string[] {
  const names = new Set([...Object.keys(now), ...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => now[name] !== before[name] && now[name] !== after[name]);
}

export const differing = (one: Truth, two: Truth): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(two)])].filter((name) => one[name] !== two[name]);

export function litterIn(site: Site): string[] {
  return namesBelow(site.base).filter((name) => LITTER.test(path.basename(name)));
}

/** The process that made it has ended, and an hour has passed. */
export function letOwnersDie(site: Site): void {
  for (const name of namesBelow(site.base)) {
    if (path.basename(name) !== OWNER) continue;
    const file = path.join(site.base, name);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/"pid":\d+/, `"pid":${DEAD}`));
  }
}

/** Linux gives no process a number so high. */
const DEAD = 2 ** 22 + 7;

export function letTimePass(site: Site): void {
  const then = new Date(Date.now() - 7_200_000);
  for (const name of litterIn(site).sort().reverse()) fs.utimesSync(path.join(site.base, name), then, then);
}

/** index.md says what the files say, and every record is valid. */
export function isIndexTrue(site: Site): boolean {
  const memory = openMemory({ cwd: site.project, env: { HOME: site.home } });
  if (!fs.existsSync(memory.recordStore.root)) return true;
  const { invalid, problems } = memory.validateIndex();
  if (invalid.length + problems.length > 0) return false;
  const file = path.join(memory.recordStore.root, 'index.md');
  if (!fs.existsSync(file)) return memory.list().records.length === 0;
  return fs.readFileSync(file, 'utf8') === rebuiltIndex(memory.recordStore).text;
}

/** All that can be recalled, from a store that was brought up to date. */
export async function recalled(site: Site): Promise<string> {
  if (!fs.existsSync(memoryRoot(site)) && !fs.existsSync(path.join(userRoot(site), 'memory.db'))) return '';
  const { exit, text, out } = await cairn(site, ['export', '--json']);
  if (exit !== 0) return `failed: ${text}`;
  const { memories } = JSON.parse(out) as { memories: { ref: string; text: string }[] };
  return timeless(
    memories
      .map((each) => JSON.stringify(each))
      .sort()
      .join('\n'),
  );
}
