// Refuses malformed changes before any of a batch is applied, in every store alike and with one message,
// so that no implementation has to trust its database for it. Also cleans text: NUL and halves of surrogate
// pairs cannot be kept by every database, so in free text they become U+FFFD, and in keys they are refused.

import { CairnError } from '../errors.ts';
import { TOKEN_BYTES } from '../model/token-bytes.ts';
import type { Change, Document, Filter, Link, Mention } from './store.ts';

const SUSPECT = /[\0\ud800-\udfff]/; // half a pair or a whole one: nearly no text has either, and this is soon seen
const UNSTORABLE = /[\0\ud800-\udfff]/u; // with `u`, a pair is one character above this range
const EVERY_UNSTORABLE = /[\0\ud800-\udfff]/gu;

/** Free text as every store can keep it. */
export function cleanText(text: string): string {
  return isStorable(text) ? text : text.replace(EVERY_UNSTORABLE, '\uFFFD');
}

const isStorable = (text: string): boolean => !SUSPECT.test(text) || !UNSTORABLE.test(text);

/** Throws STORE_ERROR that names the change and the field, or returns. */
export function checkChanges(changes: readonly Change[]): void {
  changes.forEach((change, index) => {
    const problem = problemOf(change);
    if (problem === undefined) return;
    throw new CairnError(
      'STORE_ERROR',
      `Change ${index + 1} of ${changes.length} (${change.op}) is refused: ${problem}.`,
      {
        fix: 'Nothing of the batch was stored. This is a fault of the program that made the change; please report it.',
      },
    );
  });
}

function problemOf(change: Change): string | undefined {
  switch (change.op) {
    case 'put':
      return (
        documentProblem(change.document) ??
        first(change.links, ownLinkProblem) ??
        first(change.mentions, mentionProblem)
      );
    case 'delete':
      return filterProblem(change.where);
    case 'link':
      return first(change.links, linkProblem);
    case 'vectors':
      return first(change.vectors, ({ hash, model, vector, tokens }) => {
        if (vector.length === 0) return 'a vector must have at least one number';
        if (!vector.every(Number.isFinite)) return `the vector of ${hash} holds a number that is not finite`;
        if (tokens && tokens.length % TOKEN_BYTES !== 0)
          return `the tokens of ${hash} are not of ${TOKEN_BYTES} bytes each`;
        return keyProblem('hash', hash) ?? keyProblem('model', model);
      });
    case 'state':
    case 'expect':
      return keyProblem('key', change.key) ?? textProblem('value', change.value);
    case 'prune':
      return change.vectors === 'unused' ? undefined : keyProblem('model', change.vectors.model);
    case 'clear':
      return undefined;
    default:
      return 'there is no such operation';
  }
}

// One after the other, not as an object to go through: this is done for every row of a backfill.
function documentProblem(document: Document): string | undefined {
  const { session, span, source } = document;
  return (
    keyProblem('ref', document.ref) ??
    keyProblem('project', document.project) ??
    keyProblem('layer', document.layer) ??
    keyProblem('kind', document.kind) ??
    keyProblem('status', document.status) ??
    keyProblem('hash', document.hash) ??
    (session === undefined ? undefined : keyProblem('session', session)) ??
    (span === undefined ? undefined : keyProblem('span', span)) ??
    (source === undefined ? undefined : keyProblem('source.file', source.file)) ??
    fractionProblem('confidence', document.confidence) ??
    wholeProblem('createdAt', document.createdAt) ??
    wholeProblem('updatedAt', document.updatedAt) ??
    (source?.line === undefined ? undefined : wholeProblem('source.line', source.line)) ??
    (Array.isArray(document.tags) ? first(document.tags, (tag) => keyProblem('tag', tag)) : 'tags must be a list')
  );
}

function linkProblem(link: Link): string | undefined {
  return keyProblem('project', link.project) ?? keyProblem('from', link.from) ?? ownLinkProblem(link);
}

/** Of a link that its document brings along, which has been looked at. */
function ownLinkProblem({
  to,
  relation,
  confidence,
}: Pick<Link, 'to' | 'relation' | 'confidence'>): string | undefined {
  return keyProblem('to', to) ?? keyProblem('relation', relation) ?? fractionProblem('confidence', confidence);
}

function mentionProblem({ entity, kind, count }: Pick<Mention, 'entity' | 'kind' | 'count'>): string | undefined {
  return (
    keyProblem('entity', entity) ??
    keyProblem('kind', kind) ??
    (count >= 1 ? wholeProblem('count', count) : 'count must be at least 1')
  );
}

function filterProblem(where: Filter): string | undefined {
  const conditions = Object.values(where).filter((value) => value !== undefined);
  return conditions.length === 0 ? 'a delete needs a condition (to remove everything, use clear)' : undefined;
}

function keyProblem(name: string, value: string): string | undefined {
  if (typeof value !== 'string' || value === '') return `${name} must be a text that is not empty`;
  return isStorable(value) ? undefined : `${name} holds a NUL or half a surrogate pair`;
}

function textProblem(name: string, value: string | null): string | undefined {
  if (value === null) return undefined;
  return typeof value !== 'string' || !isStorable(value) ? `${name} must be a text without NUL` : undefined;
}

function fractionProblem(name: string, value: number): string | undefined {
  return value >= 0 && value <= 1 ? undefined : `${name} must be a number from 0 to 1, not ${value}`;
}

function wholeProblem(name: string, value: number): string | undefined {
  return Number.isSafeInteger(value) ? undefined : `${name} must be a whole number, not ${value}`;
}

function first<T>(items: readonly T[] | undefined, check: (item: T) => string | undefined): string | undefined {
  for (const item of items ?? []) {
    const problem = check(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
