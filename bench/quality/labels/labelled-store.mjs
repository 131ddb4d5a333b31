// A store of the labelled conversations as this build makes it, without vectors and without a model, and what a user could get
// out of it: the rows of `cairn export --json --layer trace --all-projects`, the relations, and the list of what is open.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bundleWith } from '../../bundle.mjs';
import { weightsByFold } from './fold-weights.mjs';
import { LABELLED_SETS } from './read-labels.mjs';

const MINUTE = 60_000;
const LINKS_AT_ONCE = 500;

export const loadCairn = (replaced = {}) =>
  bundleWith(
    replaced,
    'store/sqlite/sqlite-store.ts',
    'indexing/transcripts/backfill.ts',
    'transcripts/locate.ts',
    'app/export.ts',
    'app/open-items.ts',
  );

/**
 * The same, with everything of a conversation from a store whose weights were made without it: what the build would make of
 * conversations that it never saw. A store for each fold.
 */
export async function readHeldOut(data, say = () => {}) {
  const { texts, foldOf } = await weightsByFold(data, say);
  const whole = { rows: [], links: [], open: {} };
  for (const [fold, text] of texts.entries()) {
    say(`labels: fold ${fold + 1} of ${texts.length}`);
    const stored = await readLabelledStore(data, { 'extraction/labels/weights.ts': text });
    const isHere = (row) => foldOf(row.in) === fold;
    const rows = stored.rows.filter(isHere);
    const refs = new Set(rows.map(({ ref }) => ref));
    whole.rows.push(...rows);
    whole.links.push(...stored.links.filter(({ from }) => refs.has(from)));
    for (const [set, open] of Object.entries(stored.open))
      whole.open[set] = [...(whole.open[set] ?? []), ...open.filter(isHere)];
  }
  return whole;
}

/** { rows, links, open: { set: rows } }: all that is scored. */
export async function readLabelledStore(data, replaced) {
  const cairn = await loadCairn(replaced);
  const home = mkdtempSync(path.join(os.tmpdir(), 'cairn-labels-'));
  const store = await cairn.openSqliteStore(path.join(home, 'memory.db'));
  try {
    const found = LABELLED_SETS.flatMap((set) =>
      cairn.transcriptsAt(path.resolve(data, set, 'transcripts')).map((transcript) => ({ ...transcript, set })),
    ).sort((a, b) => a.began - b.began || (a.file < b.file ? -1 : 1));
    const report = await cairn.backfill(store, found, { projectOf: (cwd, file) => cwd ?? path.dirname(file) });
    if (report.failed.length > 0) throw new Error(`${report.failed[0].file}: ${report.failed[0].why}`);
    const rows = await exportedRows(cairn, store);
    const open = {};
    for (const set of LABELLED_SETS)
      open[set] = await openAtEnd(
        cairn,
        store,
        found.filter((each) => each.set === set),
        rows,
      );
    return { rows, links: await linksOf(store, rows), open };
  } finally {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** With the session as the labels name it: by its file. */
export async function exportedRows(cairn, store) {
  const memories = await cairn.memoriesFor({ store }, '', { layer: ['trace'], allProjects: true });
  return memories.map((memory) => ({ ...memory, in: sessionIn(memory), line: memory.source?.line }));
}

const sessionIn = ({ source, session }) =>
  source ? path.basename(source.file).replace(/\.jsonl.*$/, '') : (session ?? '');

/** The one place that knows how a build lists what is open: everything it would list right after the last conversation. */
async function openAtEnd(cairn, store, transcripts, rows) {
  const files = new Set(transcripts.map(({ file }) => file));
  const projects = [...new Set(rows.filter(({ source }) => files.has(source?.file)).map(({ project }) => project))];
  const now = new Date(Math.max(...transcripts.map(({ ended }) => ended)) + MINUTE);
  const listed = await cairn.openIn(store, projects, { now });
  const known = new Map(rows.map((row) => [`${row.project} ${row.ref}`, row]));
  return listed.map((item) => ({ ...known.get(`${item.project} ${item.ref}`), ref: item.ref, text: item.text }));
}

async function linksOf(store, rows) {
  const links = [];
  for (let from = 0; from < rows.length; from += LINKS_AT_ONCE) {
    const refs = rows.slice(from, from + LINKS_AT_ONCE).map(({ ref }) => ref);
    links.push(...(await store.links({ refs, direction: 'out' })));
  }
  return links;
}
