// A recorded conversation for tests of refining: two finished topics with a long pause between them, and one that goes on.

import fs from 'node:fs';
import path from 'node:path';
import { indexTranscript } from '../../src/indexing/transcripts/index-transcript.ts';
import type { Document, Store } from '../../src/store/store.ts';

export const PROJECT = 'git:example';
export const SESSION = '0b54e7a2-5a3f-4f0e-9a4e-3d1c2b3a4f5e';
const START = Date.parse('2026-03-01T09:00:00Z');
const HOUR = 3_600_000;

type Said = readonly [who: 'user' | 'assistant', text: string];

const LOCKS: readonly Said[] = [
  ['user', 'The nightly export of the billing service hangs. Please find out why the export worker never finishes.'],
  ['assistant', 'The worker waits for an advisory lock in PostgreSQL that a dead session still holds.'],
  ['user', 'Should we use Redis for the export lock instead?'],
  ['assistant', 'We will not use Redis for this. I suggest a lease of 90 seconds in the export_jobs table.'],
  ['user', 'Agreed, we use a lease of 90 seconds in the export_jobs table, renewed every 30 seconds.'],
  ['assistant', 'Done: src/export/lease.ts renews the lease. A test for the expiry is still missing.'],
];
const VIEWER: readonly Said[] = [
  ['user', 'The sidebar of the viewer flickers when the theme changes to dark mode. Can you repair the sidebar?'],
  ['assistant', 'The flicker comes from the transition on the background color of the sidebar.'],
  ['user', 'Then drop the transition and keep the colors of the theme as they are.'],
  ['assistant', 'The transition is removed from sidebar.css, and the sidebar no longer flickers.'],
];
const LATER: readonly Said[] = [
  ['user', 'The release notes for version 3 need a section about migrations of the database schema.'],
  ['assistant', 'I will write the section about schema migrations next.'],
];

export const TOPICS: readonly (readonly Said[])[] = [LOCKS, VIEWER, LATER];

export function writeConversation(file: string, topics: readonly (readonly Said[])[] = TOPICS): string {
  const lines = topics.flatMap((topic, day) =>
    topic.map(([who, text], at) => ({
      type: who,
      sessionId: SESSION,
      cwd: '/work/example',
      uuid: `${day}-${at}`,
      timestamp: new Date(START + day * 24 * HOUR + at * 60_000).toISOString(),
      message:
        who === 'user'
          ? { role: who, content: text }
          : { id: `m${day}${at}`, role: who, content: [{ type: 'text', text }] },
    })),
  );
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

/** While the last topic is still warm. */
export const NOW = new Date(START + 2 * 24 * HOUR + 10 * 60_000);

export async function indexConversation(store: Store, file: string): Promise<void> {
  await indexTranscript(store, file, { projectOf: () => PROJECT });
}

/** Its topics, without the exchanges in them. */
export async function spansOf(store: Store): Promise<Document[]> {
  const { documents } = await store.list({ filter: { kinds: ['span'] }, order: 'oldest', limit: 100 });
  return documents.filter(({ meta }) => meta?.level !== 'exchange');
}

/** A good answer about the first topic, whose lines are 1 to 6. */
export const LOCKS_ANSWER = {
  title: 'Hanging nightly export of the billing service',
  summary:
    'The export worker waits for an advisory lock in PostgreSQL held by a dead session. It was agreed to use a lease of 90 seconds in the export_jobs table. A test for the expiry is still missing.',
  ideas: [
    {
      text: 'The export worker waits for an advisory lock in PostgreSQL that a dead session still holds.',
      intent: 'problem',
      confidence: 0.9,
      lines: [2],
    },
    {
      text: 'We use a lease of 90 seconds in the export_jobs table, renewed every 30 seconds.',
      intent: 'decision',
      confidence: 0.95,
      lines: [5],
    },
    {
      text: 'The test for the expiry of the lease is missing.',
      intent: 'todo',
      confidence: 0.8,
      lines: [6],
    },
  ],
  relations: [{ from: 'n2', to: 'n1', relation: 'answers' }],
};

export const VIEWER_ANSWER = {
  title: 'Flickering sidebar in dark mode',
  summary: 'The sidebar flickers because of the transition on its background color. The transition is removed.',
  ideas: [
    {
      text: 'The flicker of the sidebar comes from the transition on its background color.',
      intent: 'conclusion',
      confidence: 0.9,
      lines: [8],
    },
  ],
  relations: [],
};

/** The known statements that a question shows, to be judged by their ids. */
export function knownIn(prompt: string): { id: string; line: number; label: string; text: string }[] {
  const part = prompt.split('\nKnown statements, to be judged:\n')[1] ?? '';
  const rows = part.split('\n');
  return rows.slice(1, rows.indexOf(`${rows[0]?.replace('<', '</')}`)).map((row) => JSON.parse(row));
}
