// What an answer says of a memory as it is stored, whatever brought it up.

import { originOf } from '../model/provenance.ts';
import type { Document } from '../store/store.ts';
import type { RecallResult } from './answer.ts';

type StoredFields = Pick<
  RecallResult,
  'confidence' | 'status' | 'project' | 'session' | 'created_at' | 'source' | 'author' | 'speaker' | 'provenance'
>;

export function storedFields(document: Document): StoredFields {
  const { confidence, status, project, session, createdAt, source, author, meta } = document;
  const origin = originOf(meta);
  return {
    confidence,
    status,
    project,
    session: session ?? null,
    created_at: new Date(createdAt).toISOString(),
    source: source ?? null,
    ...(author === undefined ? {} : { author }),
    speaker: origin?.speaker ?? null,
    provenance: origin?.provenance ?? null,
  };
}
