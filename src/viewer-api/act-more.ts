// What a user does in the viewer besides changing one memory: new records and notes, a record made of something that was said, a link
// between two, forgetting with a plan that was seen, settling what the review lists, switches. Each goes the way of its command.

import { dropDraft, saveDraft } from '../app/drafts.ts';
import { forget, planForget } from '../app/forget.ts';
import { keep, merge, supersede } from '../app/inbox-settle.ts';
import { Memory } from '../app/memory.ts';
import { saveFrom } from '../app/save-from.ts';
import { setConfig, unsetConfig } from '../config/edit.ts';
import { CairnError } from '../errors.ts';
import { realPath } from '../files/paths.ts';
import { isObject } from '../model/json.ts';
import { NOTE_KINDS } from '../model/notes.ts';
import { stripUnsafe } from '../model/text.ts';
import type { Outcome } from '../records/critical-section.ts';
import { entityOf, isNote, isOwn, targetOf } from './memory-page.ts';
import type { MoreAction } from './protocol-review.ts';
import { isOffered } from './settings.ts';
import { findMemory, type View } from './viewer.ts';

/** Opening a file changes nothing: the face does that. */
export type MoreAct = Exclude<MoreAction, { action: 'open' }>;

export const MORE_ACTIONS = ['create', 'note', 'promote', 'link', 'forget', 'review', 'draft', 'setting'] as const;

type Answer = {
  ref: string;
  project: string;
  status: string;
  message: string;
  notes: string[];
  version: null;
  undo: { label: string; action: Extract<MoreAct, { action: 'setting' }> } | null;
};

export async function actMore(view: View, wanted: MoreAct): Promise<Answer> {
  const memory = new Memory(view.config, view.now);
  switch (wanted.action) {
    case 'create': {
      const { category, text, title, tags } = wanted;
      const saved = await memory.save({
        category: memory.category(category),
        text,
        ...(title ? { title } : {}),
        ...(tags ? { tags } : {}),
      });
      return made(view, refOf(saved), 'created', `${saved.plan.record.title}: saved as a record.`, saved.notes);
    }
    case 'note':
      return newNote(view, memory, wanted);
    case 'promote': {
      await ownProject(view, wanted);
      const { ref, category, text } = wanted;
      const saved = await saveFrom(view.recall, memory, { ref, category, ...(text ? { text } : {}) });
      return made(view, refOf(saved), 'created', `${saved.plan.record.title}: saved as a record.`, saved.notes);
    }
    case 'link':
      return link(view, memory, wanted);
    case 'forget':
      return forgetIt(view, wanted);
    case 'review':
      return review(view, wanted);
    case 'draft': {
      if (wanted.how === 'drop') {
        const { title } = dropDraft(memory, wanted.id, view.now());
        return made(view, '', 'dropped', `${title}: dropped.`);
      }
      const saved = await saveDraft(memory, wanted.id, {}, view.now());
      return made(view, refOf(saved), 'created', `${saved.draft.title}: saved as a record.`, saved.notes);
    }
    case 'setting':
      return change(view, wanted);
  }
}

async function made(
  view: View,
  ref: string,
  status: string,
  message: string,
  notes: readonly string[] = [],
): Promise<Answer> {
  await view.recall.refresh();
  const told = notes.filter((note) => !note.startsWith('[AUTO-FIX]')).map((note) => stripUnsafe(note));
  return {
    ref,
    project: realPath(view.config.paths.memoryRoot),
    status,
    message: stripUnsafe(message),
    notes: told,
    version: null,
    undo: null,
  };
}

/** `…/decisions/use-jwt.json` → `record:decisions/use-jwt`. */
function refOf({ result }: Pick<Outcome, 'result'>): string {
  const parts = String(result.target ?? '')
    .split(/[\\/]/)
    .slice(-2);
  return `record:${parts.join('/').replace(/\.json$/, '')}`;
}

async function ownProject(view: View, { ref, project }: { readonly ref: string; readonly project?: string }) {
  const document = await findMemory(view, ref, project);
  if (view.recall.scopesOf().includes(document.project)) return document;
  throw new CairnError('USAGE_ERROR', `${ref} belongs to another project.`, { fix: 'Open the viewer there.' });
}

// ---- New notes, links

async function newNote(
  view: View,
  memory: Memory,
  { type, title, text, tags }: Extract<MoreAct, { action: 'note' }>,
): Promise<Answer> {
  const kind = NOTE_KINDS.find((each) => each.type === type);
  if (!kind)
    throw new CairnError('INPUT_ERROR', 'That is no kind of note.', {
      fix: `Use ${NOTE_KINDS.map((each) => each.type).join(', ')}.`,
    });
  const [first] = kind.sections;
  const { id, notes } = await memory.createNote({
    type: kind.type,
    title,
    ...(tags ? { tags } : {}),
    ...(text && first ? { sections: { [first]: text } } : {}),
  });
  return made(view, `note:${id}`, 'created', `${title}: saved as a note.`, notes);
}

/** A note keeps its links beside its text; a record says them in it. */
async function link(view: View, memory: Memory, wanted: Extract<MoreAct, { action: 'link' }>): Promise<Answer> {
  const from = await findMemory(view, wanted.ref, wanted.project);
  const to = await findMemory(view, wanted.to);
  if (from.ref === to.ref)
    throw new CairnError('USAGE_ERROR', 'That is the same memory twice.', { fix: 'Choose another one.' });
  if (![from, to].every((each) => each.ref.startsWith('record:') || isNote(each)))
    throw new CairnError('USAGE_ERROR', 'Only records and notes can be linked by hand.', {
      fix: 'Save what was said as a record first.',
    });
  if (!isOwn(view.config, from))
    throw new CairnError('USAGE_ERROR', `${from.ref} belongs to another project.`, { fix: 'Open the viewer there.' });
  const name = to.ref.slice(to.ref.indexOf(':') + 1);
  if (isNote(from))
    await memory.changeNote(from.ref.slice('note:'.length), { addLinks: [{ to: name, relation: 'related' }] });
  else {
    const { file } = targetOf(memory, from.ref);
    const { record } = memory.find(from.ref);
    const content = isObject(record.content) ? record.content : {};
    const [field, text] =
      Object.entries(content).find(([, value]) => typeof value === 'string' && value.length > 20) ?? [];
    if (field === undefined)
      throw new CairnError('USAGE_ERROR', `${from.ref} has no text to put a link into.`, { fix: 'Edit it.' });
    await memory.revise(file, {
      summary: `Linked to ${name}`,
      content: { [field]: `${String(text).trimEnd()} See [[${name.split('/').at(-1)}]].` },
    });
  }
  return made(view, from.ref, 'linked', `Linked to ${to.title}.`);
}

// ---- Forgetting: what is shown first is what goes

export async function forgetPlan(view: View, ref: string) {
  if (ref.startsWith('entity:')) entityOf(ref);
  const { goes, counts, stays, forks, token } = await planForget(
    view.config,
    { what: 'name', name: ref },
    { now: view.now },
  );
  return {
    goes: goes.map(({ name, title, from, to }) => ({ name, title, from: from ?? null, to: to ?? null })),
    counts: Object.entries(counts).map(([place, count]) => ({ place, count })),
    stays: [...stays],
    forks: [...forks],
    token,
  };
}

async function forgetIt(view: View, { ref, token }: Extract<MoreAct, { action: 'forget' }>): Promise<Answer> {
  const plan = await planForget(view.config, { what: 'name', name: ref }, { now: view.now });
  if (plan.token !== token)
    throw new CairnError('OCC_CONFLICT', 'Something changed since you saw what would go.', {
      fix: 'Look at it once more.',
    });
  const { left, problems } = await forget(view.config, plan, { now: view.now });
  return made(
    view,
    ref,
    'forgotten',
    `Forgotten: ${plan.goes.length === 1 ? plan.goes[0]!.title : `${plan.goes.length} memories`}.`,
    [...left.map((place) => `Something of it is still in ${place}.`), ...problems],
  );
}

// ---- Review, switches

async function review(view: View, { how, ref, other }: Extract<MoreAct, { action: 'review' }>): Promise<Answer> {
  const two = (): string => {
    if (other) return other;
    throw new CairnError('INPUT_ERROR', 'Two memories must be named.', { fix: 'Name the other one too.' });
  };
  const report =
    how === 'keep'
      ? await keep(view.recall, ref, other)
      : how === 'merge'
        ? await merge(view.recall, ref, two())
        : await supersede(view.recall, ref, two());
  const words = {
    merged: 'The two are one now',
    superseded: 'The one holds, the other no more',
    kept: 'Kept as it is',
  }[report.action];
  return made(view, report.ref, report.action, `${words}: ${report.ref}.`, report.notes);
}

async function change(view: View, { key, value }: Extract<MoreAct, { action: 'setting' }>): Promise<Answer> {
  if (!isOffered(key))
    throw new CairnError('INPUT_ERROR', `${JSON.stringify(key.slice(0, 80))} is not changed here.`, {
      fix: 'Use cairn config set.',
    });
  const scope = { scope: 'user' } as const;
  const writing = value === null ? unsetConfig(view.config, key, scope) : setConfig(view.config, key, value, scope);
  const { old } = await writing.catch((error: unknown) => {
    if (!(error instanceof CairnError) || error.code !== 'CONFIG_ERROR') throw error;
    // What was typed is wrong, not what is configured.
    throw new CairnError('INPUT_ERROR', error.message, error.fix === undefined ? {} : { fix: error.fix });
  });
  const done = await made(view, '', 'updated', value === null ? `${key}: as it is by default.` : `${key}: ${value}.`);
  const before = old === undefined ? null : typeof old === 'string' ? old : JSON.stringify(old);
  return { ...done, undo: { label: 'Undo', action: { action: 'setting', key, value: before } } };
}
