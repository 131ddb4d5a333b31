// Trust follows a project to another place: after `mv` by the folder itself, to a second clone where everything in its memory was
// agreed to already, because a trusted clone of the same project has it now or had it in its history. Who only claims to be
// that project, or brings anything else along, is asked about. Commands and workers do this; hooks see the mark that it leaves.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import { askGit } from '../files/ask-git.ts';
import { commitIds } from '../files/git-files.ts';
import { readBytes } from '../files/json-file.ts';
import { type ProjectFacts, projectFacts, wasMovedFrom } from '../files/project-identity.ts';
import type { Project } from '../files/project-registry.ts';
import { gitBlobId } from '../model/hash.ts';
import type { Trust } from './trust.ts';
import {
  dropMark,
  folderAround,
  hasMark,
  listMarks,
  markOf,
  movedMark,
  type TrustMark,
  writeMark,
} from './trust-mark.ts';

type Asked = { readonly userRoot: string; readonly trust: Trust; readonly project: Project; readonly now: Date };

const MOST_FILES = 5_000;
const MAX_FILE = 8 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
/** Made anew from the files; what a clone brings of it is not looked at but thrown away. */
const DERIVED = 'graph.json';

/** Whether something changed: what was asked about before is trusted now. */
export function followTrust(asked: Asked): boolean {
  const { userRoot, trust } = asked;
  const { key, leadsOut, byUser, state } = trust;
  if (leadsOut || byUser) return false;
  try {
    if (state === 'agreed') keepUp(asked);
    if (state !== 'untrusted' || markOf(userRoot, key)?.by === 'revoked') return false;
    const from = movedFromOlder(asked) ?? cloneOfTrusted(asked);
    if (!from) return false;
    fs.rmSync(path.join(key.root, DERIVED), { force: true });
    writeMark(userRoot, key, { by: 'followed', from: from.root, now: asked.now });
    return true;
  } catch (error) {
    if (error instanceof CairnError || isSystemError(error)) return false; // the user is asked, as before
    throw error;
  }
}

/** Marks of older versions name a path alone; those of a folder that was moved name the old one. */
function keepUp({ userRoot, trust: { key }, now }: Asked): void {
  const own = markOf(userRoot, key);
  if (own && own.stamp === undefined && folderAround(key.root).stamp !== undefined)
    writeMark(userRoot, key, {
      by: own.by,
      now: new Date(own.time),
      ...(own.from === undefined ? {} : { from: own.from }),
    });
  const moved = own ? undefined : movedMark(userRoot, key);
  if (!moved) return;
  writeMark(userRoot, key, { by: moved.by, now, ...(moved.from === undefined ? {} : { from: moved.from }) });
  dropMark(userRoot, moved);
}

/** A mark without a folder, whose path is gone since the very moment at which this folder was moved. */
function movedFromOlder({ userRoot, trust: { key } }: Asked): TrustMark | undefined {
  const { within } = folderAround(key.root);
  if (within === undefined || within.startsWith('..')) return undefined;
  const { place } = projectFacts(path.dirname(key.root));
  return listMarks(userRoot).find((mark) => {
    const top = mark.root.endsWith(path.sep + within) ? mark.root.slice(0, -within.length - 1) : undefined;
    return top !== undefined && mark.stamp === undefined && wasMovedFrom(top, place);
  });
}

function cloneOfTrusted({ userRoot, trust: { key }, project }: Asked): TrustMark | undefined {
  const trusted = listMarks(userRoot).filter(
    ({ root, project: only }) =>
      only === undefined && root !== key.root && project.memories.includes(root) && hasMark(userRoot, { root }),
  );
  if (trusted.length === 0) return undefined;
  const files = filesBelow(key.root);
  const facts = projectFacts(path.dirname(key.root));
  return files && trusted.find(({ root }) => isKnownThere(files, facts, { root: key.root, trusted: root }));
}

type Roots = { readonly root: string; readonly trusted: string };

function isKnownThere(files: readonly string[], here: ProjectFacts, { root, trusted }: Roots): boolean {
  let history: ReadonlySet<string> | undefined;
  return files.every((name) => {
    const bytes = readBytes(path.join(root, name), MAX_FILE);
    if (!bytes) return false;
    const same = path.join(trusted, name);
    if (fs.lstatSync(same, { throwIfNoEntry: false })?.isFile() && readBytes(same, MAX_FILE)?.equals(bytes))
      return true;
    history ??= blobsOf(here, { root, trusted });
    return (
      history.has(`${path.join(root, name)}\0${gitBlobId(bytes, 'sha1')}`) ||
      history.has(`${path.join(root, name)}\0${gitBlobId(bytes, 'sha256')}`)
    );
  });
}

/** The files of the memory as they were in the commit that is checked out here, if the trusted clone has passed it. */
function blobsOf(here: ProjectFacts, { root, trusted }: Roots): ReadonlySet<string> {
  const there = projectFacts(path.dirname(trusted)).common;
  const head = here.common === undefined ? undefined : commitIds(here.common)[0];
  if (there === undefined || head === undefined) return new Set();
  if (askGit(there, ['merge-base', '--is-ancestor', head, 'HEAD']) === undefined) return new Set();
  const within = path.relative(here.place, root).split(path.sep).join('/');
  const listed = askGit(there, ['ls-tree', '-r', '-z', '--full-tree', head, '--', within]) ?? '';
  return new Set(
    [...listed.matchAll(/100\d{3} blob ([0-9a-f]{40,64})\t([^\0]+)\0/g)].map(
      ([, id, name = '']) => `${path.join(here.place, name)}\0${id}`,
    ),
  );
}

/** Relative; nothing where there is a link, or too much to be looked at. */
function filesBelow(root: string): string[] | undefined {
  const files: string[] = [];
  let bytes = 0;
  for (const entry of fs.readdirSync(root, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(root, file);
    if (entry.isDirectory() || name === DERIVED || name === '.gitignore') continue;
    bytes += entry.isFile() ? fs.statSync(file).size : Number.POSITIVE_INFINITY;
    if (files.push(name) > MOST_FILES || bytes > MAX_BYTES) return undefined;
  }
  return files;
}
