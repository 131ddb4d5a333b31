// Older versions stored conversations under the path of their project, and noted nothing else about it. Where such a path is gone, this
// finds out whether the project at hand is what lay there: the same commits were made in those conversations, the same records and
// notes lay beside them, or the folder was moved from there a moment ago. Without a sign of that kind nothing is joined.

import fs from 'node:fs';
import path from 'node:path';
import { askGit } from '../files/ask-git.ts';
import { readBytes } from '../files/json-file.ts';
import { type ProjectFacts, wasMovedFrom } from '../files/project-identity.ts';
import { FILES_PREFIX, filesIn } from '../indexing/files/file-state.ts';
import { OLDER_PREFIX } from '../indexing/transcripts/take-over-rows.ts';
import { bytesHash } from '../model/hash.ts';
import { COMMITTED } from '../model/logged-work.ts';
import type { Store } from '../store/store.ts';

export type Sign = 'commits' | 'memory' | 'moved';

const MOST_COMMITS = 5_000;
const LOOKED_AT = 2_000;
/** A commit is made within this time of the command that makes it. */
const COMMIT_MS = 5 * 60_000;
const MAX_FILE = 4 * 1024 * 1024;
/** What a commit is called, now and by the first builds. */
const COMMIT_KINDS = ['solution', 'conclusion'];

export type HereAndNow = { readonly facts: ProjectFacts; readonly memoryRoot: string };

/** What says that this project is the one whose conversations are stored under `scope`, the path of a folder that is gone. */
export async function signOf(store: Store, scope: string, here: HereAndNow): Promise<Sign | undefined> {
  if (wasMovedFrom(scope, here.facts.place)) return 'moved';
  if (await hasSameMemory(store, scope, here)) return 'memory';
  return (await hasSameCommits(store, scope, here.facts)) ? 'commits' : undefined;
}

/** At least half of the records and notes that the store knows from there are here, byte for byte. */
async function hasSameMemory(store: Store, scope: string, { memoryRoot }: HereAndNow): Promise<boolean> {
  let [known, same] = [0, 0];
  const prefixes = ['', OLDER_PREFIX].flatMap((age) => ['/', '\\'].map((end) => `${age}${FILES_PREFIX}${scope}${end}`));
  for (const prefix of prefixes)
    for (const { key, value } of await store.state({ prefix })) {
      const folder = key.slice(key.lastIndexOf('|') + 1);
      if (folder === key) continue;
      for (const [name, { hash }] of Object.entries(filesIn(value) ?? {})) {
        known += 1;
        if (hash !== '' && hashAt(path.join(memoryRoot, folder, name)) === hash) same += 1;
      }
    }
  return same > 0 && same * 2 >= known;
}

function hashAt(file: string): string | undefined {
  try {
    const bytes = fs.lstatSync(file).isFile() ? readBytes(file, MAX_FILE) : undefined;
    return bytes && bytesHash(bytes);
  } catch {
    return undefined;
  }
}

/** A commit of that conversation is in this repository: the same words at the same time. */
async function hasSameCommits(store: Store, scope: string, { common }: ProjectFacts): Promise<boolean> {
  if (common === undefined) return false;
  const filter = { projects: [scope], layers: ['trace'], kinds: COMMIT_KINDS };
  const { documents } = await store.list({ filter, order: 'newest', limit: LOOKED_AT });
  const said = documents.filter(({ text }) => text.startsWith(COMMITTED));
  if (said.length === 0) return false;
  const made = commitsOf(common);
  return said.some(({ text, createdAt }) =>
    (made.get(text.slice(COMMITTED.length).trim()) ?? []).some((time) => Math.abs(time - createdAt) <= COMMIT_MS),
  );
}

/** Subject → when it was committed, in milliseconds. */
function commitsOf(common: string): Map<string, number[]> {
  const format = ['--branches', '--remotes', `--max-count=${MOST_COMMITS}`, '--format=%at %ct %s'];
  const times = new Map<string, number[]>();
  for (const line of (askGit(common, ['rev-list', ...format]) ?? '').split('\n')) {
    const [, authored, committed, subject] = /^(\d{1,12}) (\d{1,12}) (.+)$/.exec(line) ?? [];
    if (subject === undefined) continue;
    const known = times.get(subject.trim()) ?? [];
    times.set(subject.trim(), [...known, Number(authored) * 1_000, Number(committed) * 1_000]);
  }
  return times;
}
