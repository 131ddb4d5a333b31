// Settling an open item by hand, and taking that back. What was said in a conversation is settled in settled.json; a task note and a record of a
// debt have a status of their own, which says it.

import { CairnError } from '../errors.ts';
import { changeSettled, readSettled, type SettledState, type Settlement } from '../files/settled.ts';
import { exchangeFields, topicFields } from '../model/span-fields.ts';
import { stripUnsafe } from '../model/text.ts';
import { redact } from '../safety/secrets/redact.ts';
import type { Document } from '../store/store.ts';
import { Memory } from './memory.ts';
import { namedDocument } from './named-memory.ts';
import { sameScopesIn } from './project-scopes.ts';
import type { RecallMemory } from './recall-memory.ts';
import { settledItems } from './settled-items.ts';

export type SettleRequest = { readonly ref: string; readonly state: SettledState; readonly because?: string };

export type SettleReport = {
  readonly ref: string;
  /** `open` after it was taken back. */
  readonly state: SettledState | 'open';
  readonly texts: readonly string[];
  /** False: it was so already. */
  readonly changed: boolean;
};

const OPEN_KINDS = ['question', 'todo', 'problem'];
/** What the status of a note or a record becomes. */
const WRITTEN: { readonly [kind: string]: { readonly [state in SettledState | 'open']: string } } = {
  task: { done: 'completed', dropped: 'cancelled', open: 'pending' },
  tech_debt: { done: 'resolved', dropped: 'wont_fix', open: 'open' },
};

export async function settle(memory: RecallMemory, { ref, state, because }: SettleRequest): Promise<SettleReport> {
  const document = await namedDocument(memory.store, memory.config, ref);
  const reason = because === undefined ? undefined : redact(stripUnsafe(because).trim()).text || undefined;
  const items = settleable(document);
  const known = settledItems(memory.config);
  const fresh = items.filter((item) => known.of(item)?.state !== state);
  const before = WRITTEN[document.kind] === undefined ? undefined : stateOf(document);
  if (before !== undefined) {
    if (before === WRITTEN[document.kind]?.[state]) return report(document, state, items, false);
    await changeWritten(memory, document, { state, ...(reason === undefined ? {} : { because: reason }) });
  }
  const at = memory.now.toISOString();
  const made = fresh.map(
    (item): Settlement => ({
      ref: item.ref,
      project: item.project,
      state,
      text: item.text,
      at,
      ...(item.session === undefined ? {} : { session: item.session }),
      ...(reason === undefined ? {} : { because: reason }),
      ...(before === undefined ? {} : { before }),
    }),
  );
  if (made.length > 0)
    await changeSettled(memory.config.paths.userRoot, (all) => [
      ...all.filter((each) => !made.some((item) => item.ref === each.ref && item.text === each.text)),
      ...made,
    ]);
  return report(document, state, items, made.length > 0 || before !== undefined);
}

/** It is open again. */
export async function unsettle(memory: RecallMemory, ref: string): Promise<SettleReport> {
  const { userRoot } = memory.config.paths;
  const document = await documentOrSettled(memory, ref);
  const items = 'kind' in document ? settleable(document) : [document];
  const known = settledItems(memory.config);
  const same = sameScopesIn(memory.config);
  const covering = new Set(
    items.flatMap((item) => {
      const createdAt = 'createdAt' in item ? item.createdAt : 0;
      return known.of({ ...item, createdAt }) ?? [];
    }),
  );
  const isMeant = (each: Settlement): boolean =>
    covering.has(each) ||
    [...covering].some(({ text, at }) => text === each.text && at === each.at) ||
    (each.ref === document.ref && [document.project, ...same(document.project)].includes(each.project));
  const gone = readSettled(userRoot).filter(isMeant);
  const isOver = 'kind' in document && WRITTEN[document.kind] !== undefined;
  const state = isOver ? stateOf(document) : undefined;
  const back = gone.find(({ before }) => before !== undefined)?.before;
  if (isOver && state !== WRITTEN[document.kind]?.open && isEnd(document.kind, state ?? ''))
    await changeWritten(memory, document, { state: 'open', ...(back === undefined ? {} : { to: back }) });
  else if (gone.length === 0)
    throw new CairnError('NOT_FOUND', `${document.ref} is not settled.`, {
      fix: '`cairn todo --settled` shows what is.',
    });
  if (gone.length > 0) await changeSettled(userRoot, (all) => all.filter((each) => !isMeant(each)));
  return report(document, 'open', items, true);
}

const isEnd = (kind: string, state: string): boolean => [WRITTEN[kind]?.done, WRITTEN[kind]?.dropped].includes(state);

/** Its row may be gone, or be called otherwise now; what was settled is known by its ref all the same. */
async function documentOrSettled(memory: RecallMemory, ref: string): Promise<Document | Settlement> {
  try {
    return await namedDocument(memory.store, memory.config, ref);
  } catch (error) {
    const known = readSettled(memory.config.paths.userRoot).find((each) => each.ref === ref);
    if (known) return known;
    throw error;
  }
}

const report = (
  { ref }: { readonly ref: string },
  state: SettleReport['state'],
  items: readonly { readonly text: string }[],
  changed: boolean,
): SettleReport => ({ ref, state, texts: items.map(({ text }) => text), changed });

/** The items that a memory stands for: itself, or all that an exchange or a topic left. */
function settleable(document: Document): Document[] {
  const { kind, layer, meta, title, ref } = document;
  if (layer !== 'trace' && WRITTEN[kind] !== undefined) return [{ ...document, text: title }];
  if (layer === 'trace' && OPEN_KINDS.includes(kind)) return [document];
  const left = kind === 'span' ? (exchangeFields(meta) ?? topicFields(meta))?.left : undefined;
  if (left !== undefined && left.length > 0) return left.map((text) => ({ ...document, text }));
  throw new CairnError('INPUT_ERROR', `${ref} is nothing that can be open: it is ${kindOf(kind)}.`, {
    fix: '`cairn todo` lists what is open, with refs. What a record or a note says is changed with `cairn note set` and `cairn save --update`.',
  });
}

const kindOf = (kind: string): string =>
  kind === 'span' ? 'a topic or an exchange that left nothing' : `of the kind ${kind.replaceAll('_', ' ')}`;

const stateOf = ({ status, meta }: Document): string => (typeof meta?.state === 'string' ? meta.state : status);

type WrittenChange = { readonly state: SettledState | 'open'; readonly to?: string; readonly because?: string };

async function changeWritten(
  memory: RecallMemory,
  { ref, kind, project }: Document,
  { state, to, because }: WrittenChange,
): Promise<void> {
  const status = to ?? WRITTEN[kind]?.[state] ?? state;
  if (!memory.scopesOf().includes(project))
    throw new CairnError('NOT_FOUND', `${ref} belongs to another project.`, {
      fix: `Run the command there: its memory is in ${project}.`,
    });
  const files = new Memory(memory.config, () => memory.now);
  if (kind === 'task')
    await files.changeNote(ref.replace(/^note:/, ''), {
      status,
      ...(because === undefined ? {} : { sections: { 'Completion Notes': because } }),
    });
  else {
    const words = state === 'open' ? 'Open again' : state === 'done' ? 'Done' : 'Dropped';
    const { file } = files.find(ref);
    await files.revise(file, {
      summary: because === undefined ? `${words}.` : `${words}: ${because}`,
      content: { status },
    });
  }
  await memory.refresh();
}
