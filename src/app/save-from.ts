// A record made of something that was found: a statement, an exchange, a note. Its words are those of the source, what was asked is its context,
// and its history says where it comes from.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../errors.ts';
import { isInside } from '../files/paths.ts';
import { NOT_STATED } from '../model/not-stated.ts';
import { originOf, originText } from '../model/provenance.ts';
import { readable, readableOutcome } from '../model/readable.ts';
import { exchangeFields, topicFields } from '../model/span-fields.ts';
import { stripUnsafe } from '../model/text.ts';
import { localDay } from '../model/timestamp.ts';
import { keyOf } from '../recall/candidates.ts';
import { spansAround } from '../recall/expand.ts';
import type { Saved, SaveRequest } from '../records/save.ts';
import { withoutQuotations } from '../safety/quotations.ts';
import type { Document } from '../store/store.ts';
import type { Memory } from './memory.ts';
import { namedDocument } from './named-memory.ts';
import type { RecallMemory } from './recall-memory.ts';

export type SaveFrom = Omit<SaveRequest, 'category'> & {
  readonly ref: string;
  /** Left out where the source is of a kind that is a category too. */
  readonly category?: string | undefined;
};

const MOST_FILES = 10;

export async function saveFrom(
  memory: RecallMemory,
  files: Memory,
  { ref, category: named, ...request }: SaveFrom,
): Promise<Saved & { source: string }> {
  const document = await namedDocument(memory.store, memory.config, ref);
  if (document.layer === 'record')
    throw new CairnError('USAGE_ERROR', `${document.ref} is a record already.`, {
      fix: 'Change it with `cairn save --update`, or the tool update.',
    });
  const category = files.category(named ?? categoryOf(files, document));
  const { exchange } = (await spansAround(memory.store, [document])).get(keyOf(document)) ?? {};
  const fields = exchangeFields((exchange ?? document).meta);
  const asked = readable(fields?.asked ?? '');
  const hasContext = category.content.fields?.context !== undefined && request.fields?.context === undefined;
  const saved = await files.save({
    ...request,
    category,
    text: request.text ?? wordsOf(document),
    relatedFiles: request.relatedFiles ?? filesHere(files, fields?.files ?? []),
    content: {
      ...(hasContext && asked !== '' ? { context: `Asked: ${asked}` } : {}),
      ...request.content,
    },
  });
  const source = sourceText(document);
  if (saved.choice === 'leave' || request.dryRun) return { ...saved, source };
  const slug = String(saved.result.target)
    .split('/')
    .slice(-2)
    .join('/')
    .replace(/\.json$/, '');
  await files.revise(files.find(slug).file, { summary: source });
  return { ...saved, source };
}

/** A decision that was said is a decision; of other statements nobody can say what they are to be kept as. */
function categoryOf(files: Memory, { kind, ref }: Document): string {
  if (files.kinds.byName(kind)) return kind;
  throw new CairnError(
    'USAGE_ERROR',
    `What is ${ref} to be saved as? It is of the kind ${kind}, which is no category.`,
    {
      fix: `Name one: cairn save ${files.kinds.names.slice(0, 3).join('|')}|… --from ${ref}`,
    },
  );
}

/** What was said; of an exchange or a topic what came out; of a note its one sentence. */
function wordsOf({ layer, kind, text, title, meta }: Document): string {
  if (layer === 'note') return typeof meta?.gist === 'string' && meta.gist !== '' ? meta.gist : title;
  if (kind !== 'span') return readable(withoutQuotations(text));
  const fields = exchangeFields(meta) ?? topicFields(meta);
  return readableOutcome(fields?.decided[0] ?? fields?.outcome ?? '') || title || NOT_STATED;
}

/** Those of the project that are there. */
const filesHere = ({ config }: Memory, named: readonly string[]): string[] | undefined => {
  const { projectRoot } = config.paths;
  const here = named.filter((file) => {
    const full = path.resolve(projectRoot, file);
    return isInside(projectRoot, full) && fs.existsSync(full);
  });
  return here.length > 0 ? here.slice(0, MOST_FILES) : undefined;
};

/** `From idea:1f3a: user said, 2026-02-21, conversation 3f2a…, line 12` */
function sourceText({ ref, meta, createdAt, session, source, layer }: Document): string {
  const origin = originOf(meta);
  const parts = [
    origin === undefined ? '' : originText(origin),
    createdAt > 0 ? localDay(new Date(createdAt)) : '',
    session === undefined ? '' : `conversation ${session}`,
    layer === 'trace' && source?.line !== undefined ? `line ${source.line}` : '',
  ];
  return stripUnsafe(`From ${ref}: ${parts.filter(Boolean).join(', ')}`);
}
