// When the tags of a repository were made. Tags name releases, and people ask for what was "before the release". Git is asked, which
// takes a process: only a question that names a release pays for it. What git cannot tell is not known; nothing here throws.

import { askGit } from './ask-git.ts';
import { gitFolders } from './git-files.ts';

export type GitTag = {
  readonly name: string;
  /** Milliseconds. */
  readonly time: number;
};

const MOST_TAGS = 500;
/** Of a tag with a message when it was made, of another the date of its commit. */
const FORMAT = '--format=%(creatordate:unix) %(refname:strip=2)';

/** The tags whose time can be told, oldest first; of very many the newest. */
export function gitTags(directory: string): GitTag[] {
  const folders = gitFolders(directory);
  const asked = ['for-each-ref', `--count=${MOST_TAGS}`, '--sort=-creatordate', FORMAT, 'refs/tags'];
  const answer = folders ? (askGit(folders.common, asked) ?? '') : '';
  return [...answer.matchAll(/^(\d{1,12}) (\S+)$/gm)]
    .map(([, seconds, name]) => ({ name: name!, time: Number(seconds) * 1000 }))
    .sort((a, b) => a.time - b.time || (a.name < b.name ? -1 : 1));
}
