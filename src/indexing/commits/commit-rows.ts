// From a commit of the repository's own log to a document of the store, and back. Whatever a message says comes out masked and clean:
// anybody may have written it. Which exchange it comes from is told when it is asked for, because conversations may be read later than commits.

import { keptFile } from '../../extraction/entities/files-in.ts';
import type { GitCommit } from '../../files/git-history.ts';
import { COMMIT_ENTITY, hashName } from '../../model/exchange-work.ts';
import { contentHash } from '../../model/hash.ts';
import { cutCodePoints, stripUnsafe, stripUnsafeText } from '../../model/text.ts';
import { maskText } from '../../safety/mask-text.ts';
import type { Change, Document } from '../../store/store.ts';
import { withoutTrailers } from '../../transcripts/git-actions.ts';
import { embeddedText } from '../vectors/embedded-text.ts';

export const COMMIT_LAYER = 'commit';
const REF_LENGTH = 12;
/** As much of a hash as programs print: whoever asks for one of them finds it. */
const PRINTED = [7, 10, 12, 64];
const TITLE_MAX = 200;
const BODY_MAX = 2_000;
const [FILES_TOLD, FILES_KEPT] = [12, 200];

export const commitRefOf = (hash: string): string => `commit:${hash.slice(0, REF_LENGTH)}`;

export function commitRow(commit: GitCommit, project: string): Extract<Change, { op: 'put' }> {
  const { hash, authored, committed } = commit;
  const files = commit.files.slice(0, FILES_KEPT).map((file) => stripUnsafe(maskText(file)));
  const title = cutCodePoints(stripUnsafe(maskText(commit.subject)).trim(), TITLE_MAX) || 'No subject';
  const text = [bodyOf(commit), filesLine(files)].filter((part) => part !== '').join('\n\n') || title;
  const author = cutCodePoints(stripUnsafe(maskText(commit.author)).trim(), TITLE_MAX);
  const document: Document = {
    ref: commitRefOf(hash),
    project,
    layer: COMMIT_LAYER,
    kind: 'commit',
    status: 'active',
    title,
    text,
    ...(author === '' ? {} : { context: author }),
    tags: [...new Set(PRINTED.map((length) => hash.slice(0, length)))],
    confidence: 0.9,
    createdAt: authored * 1_000,
    updatedAt: committed * 1_000,
    hash: contentHash(embeddedText({ title, text })).slice(0, 32),
    meta: { hash, author, authored, committed, changed: files },
  };
  const named = new Set(files.flatMap((file) => keptFile(file) ?? []));
  return {
    op: 'put',
    document,
    mentions: [
      ...[...named].map((entity) => ({ entity, kind: 'file', count: 1 })),
      { entity: hashName(hash), kind: COMMIT_ENTITY, count: 1 },
    ],
  };
}

const bodyOf = ({ body }: GitCommit): string =>
  cutCodePoints(stripUnsafeText(maskText(withoutTrailers(body))).trim(), BODY_MAX);

function filesLine(files: readonly string[]): string {
  const more = files.length - FILES_TOLD;
  if (files.length === 0) return '';
  return `Files: ${files.slice(0, FILES_TOLD).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** As far as its row keeps it; nothing where the row is no commit's. */
export function commitOf({ layer, title, meta }: Document): GitCommit | undefined {
  if (layer !== COMMIT_LAYER || typeof meta?.hash !== 'string') return undefined;
  const { hash, author, authored, committed, changed } = meta;
  return {
    hash,
    parents: [],
    authored: Number(authored),
    committed: Number(committed),
    author: typeof author === 'string' ? author : '',
    subject: title,
    body: '',
    files: Array.isArray(changed) ? changed.filter((file): file is string => typeof file === 'string') : [],
  };
}
