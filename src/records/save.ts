// Saving what somebody said, in one order for the command line, the server and the API: from words to a draft, the record that it
// resembles, the caller's choice between the two, and then the one or the other on disk. docs/FILE-FORMAT.md tells the rules.

import path from 'node:path';
import { CairnError } from '../errors.ts';
import type { Category } from '../model/categories.ts';
import { withoutMasks } from '../safety/secrets/redact.ts';
import { type Candidate, findCandidate } from './candidate.ts';
import { createRecord } from './create-record.ts';
import type { Outcome } from './critical-section.ts';
import { type Ask, type Draft, draftRecord, type Given } from './draft.ts';
import { fileOfIndexPath, folderOf, type RecordStore } from './record-store.ts';
import { reviseRecord } from './revise.ts';
import { freeSlug, slugOf } from './slug.ts';

/** What would be written, and the record that it resembles. */
export type Plan = Draft & { similar: Candidate | null };
export type Choice = 'create' | 'update' | 'leave';

export type SaveRequest = Given & {
  category: Category;
  ask?: Ask;
  /** Decides when the plan is known, or throws. Without it nobody looks for a similar record: a new one is made. */
  choose?: (plan: Plan) => Choice | Promise<Choice>;
  dryRun?: boolean;
};

/** Nothing is touched where the choice was to leave it, or nothing was to be written. */
export type Saved = Outcome & { choice: Choice; plan: Plan };

export async function saveRecord(recordStore: RecordStore, request: SaveRequest): Promise<Saved> {
  const { category, ask, choose, dryRun = false, ...given } = request;
  const draft = await draftRecord(category, given, ask);
  const plan = { ...draft, similar: choose ? await similarTo(recordStore, category, draft) : null };
  const choice = choose ? await choose(plan) : 'create';
  if (choice === 'update' && !plan.similar)
    throw new CairnError('NOT_FOUND', 'There is no record that this seems to belong to.', {
      fix: 'Leave --update away to create one, or update it by its path with cairn write.',
    });
  if (dryRun || choice === 'leave') return { result: {}, notes: [], touched: [], choice, plan };
  const outcome =
    plan.similar && choice === 'update'
      ? await updateSimilar(recordStore, plan.similar, draft)
      : await createNamed(recordStore, category, draft);
  return { ...outcome, notes: [...draft.notes, ...outcome.notes], choice, plan };
}

async function similarTo(recordStore: RecordStore, category: Category, { record }: Draft): Promise<Candidate | null> {
  const newInfo = `${record.title} ${record.tags.join(' ')}`;
  return (await findCandidate(recordStore, { category, newInfo })).answer.candidate;
}

/** Under a free name that is made from its title, without what is masked in it. */
function createNamed(recordStore: RecordStore, category: Category, { record }: Draft): Promise<Outcome> {
  const folder = folderOf(recordStore, category);
  const slug = freeSlug(folder, slugOf(withoutMasks(record.title)) || category.name.replaceAll('_', '-'));
  const target = path.join(folder, `${slug}.json`);
  return createRecord(recordStore, { category: category.name, target, cwd: recordStore.root, record });
}

/** Only what was said goes in, and the record keeps its title: the new one is in its history. */
function updateSimilar(recordStore: RecordStore, similar: Candidate, { record, stated }: Draft): Promise<Outcome> {
  return reviseRecord(recordStore, fileOfIndexPath(recordStore, similar.path), {
    summary: `Updated by hand: ${record.title}`,
    content: stated,
    moreTags: record.tags,
    moreFiles: record.related_files,
    confidence: record.confidence,
  });
}
