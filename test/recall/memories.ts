// Memories for the tests of recall: a real store in a temporary folder, and a short way to fill it.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Change, Document, Link, Store } from '../../src/store/store.ts';

export const PROJECT = '/projects/one';
export const NOW = Date.parse('2026-11-16T12:00:00Z');
export const DAY = 86_400_000;

export async function openStore(): Promise<{ store: Store; end: () => Promise<void> }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-recall-'));
  const store = await openSqliteStore(path.join(folder, 'memory.db'));
  return {
    store,
    end: async () => {
      await store.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Parts = Partial<Document> & { line?: number; links?: Omit<Link, 'project' | 'from'>[]; entities?: string[] };

let number = 0;

/** A statement of a conversation; every one on a line of its own unless it says where. */
export function idea(ref: string, text: string, { line, links, entities, ...parts }: Parts = {}): Change {
  number++;
  const session = parts.session ?? `session-${ref}`;
  const document: Document = {
    ref: `idea:${ref}`,
    project: PROJECT,
    layer: 'trace',
    kind: 'context',
    status: 'active',
    title: text.slice(0, 120),
    text,
    tags: [],
    confidence: 0.7,
    createdAt: NOW - 10 * DAY,
    updatedAt: NOW - 10 * DAY,
    session,
    source: { file: `/transcripts/${session}.jsonl`, line: line ?? number },
    hash: `hash-${ref}`,
    meta: { role: 'assistant', stance: 'stated' },
    ...parts,
  };
  return {
    op: 'put',
    document,
    ...(links ? { links } : {}),
    ...(entities ? { mentions: entities.map((entity) => ({ entity, kind: 'technology', count: 1 })) } : {}),
  };
}

export const record = (name: string, title: string, text: string, parts: Parts = {}): Change =>
  idea(name, text, {
    ref: `record:decisions/${name}`,
    layer: 'record',
    kind: 'decision',
    title,
    source: { file: `/projects/one/.claude/memory/decisions/${name}.json` },
    meta: {},
    ...parts,
  });
