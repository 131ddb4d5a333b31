// `inbox`: what waits for a decision, and settling it when the user has decided.

import { inboxOf } from '../../../app/inbox.ts';
import { keep, merge, supersede } from '../../../app/inbox-settle.ts';
import { CairnError } from '../../../errors.ts';
import { any, choice, list, object, optional, text } from '../../../model/schema.ts';
import { cutCodePoints, stripUnsafe } from '../../../model/text.ts';
import { defineTool } from '../tool.ts';

const MOST = 20;
const MAX_TEXT = 300;

const short = (words: string): string => cutCodePoints(stripUnsafe(words), MAX_TEXT);

export const inboxTool = defineTool({
  name: 'inbox',
  title: 'Settle doubled and contradicting memories',
  description:
    'List memories that double or contradict each other, stale ones and drafts (list), or settle two: merge (one, with what both say), supersede (ref takes the place of other), keep. Settle only what the user decided.',
  traits: { repeats: true },
  input: object({
    action: optional(choice(['list', 'merge', 'supersede', 'keep'] as const, 'Default list.')),
    ref: optional(text({ maxLength: 300, describe: 'What holds.' })),
    other: optional(text({ maxLength: 300, describe: 'The other one.' })),
  }),
  output: object({
    pairs: list(any('Two refs with their titles, and why.')),
    stale: list(any('A ref with its title and the files that are gone or changed.')),
    drafts: list(any('An id with its category and title; save_draft saves it.')),
    settled: any('What was done, or null.'),
  }),
  async run(given, session) {
    const { ref, other } = given;
    const action = given.action ?? 'list';
    const { value } = await session.recall(async (memory) => {
      await memory.refresh();
      if (action === 'list') return { inbox: await inboxOf(memory), settled: null };
      if (!ref || (!other && action !== 'keep'))
        throw new CairnError('INPUT_ERROR', `${action} needs ref and other.`, { fix: 'List the inbox first.' });
      const settled =
        action === 'keep'
          ? await keep(memory, ref, other ?? undefined)
          : await (action === 'merge' ? merge : supersede)(memory, ref, other ?? '');
      return { inbox: await inboxOf(memory), settled };
    });
    const { inbox, settled } = value;
    const pairs = inbox.pairs.slice(0, MOST).map(({ kind, why, a, b }) => ({
      kind,
      why: short(why),
      a: { ref: a.ref, text: short(a.layer === 'trace' ? a.text : a.title), at: a.at },
      b: { ref: b.ref, text: short(b.layer === 'trace' ? b.text : b.title), at: b.at },
    }));
    const stale = inbox.stale.slice(0, MOST).map((each) => ({
      ref: each.ref,
      title: short(each.title),
      files: each.files.map(({ path, is }) => ({ path: short(path), is })),
    }));
    const drafts = inbox.drafts
      .slice(0, MOST)
      .map(({ id, category, title }) => ({ id, category, title: short(title) }));
    const done = settled === null ? '' : `${settled.action}: ${settled.ref}. `;
    return {
      text: `${done}${pairs.length} pairs, ${stale.length} stale, ${drafts.length} drafts.`,
      data: { pairs, stale, drafts, settled: settled && { ...settled } },
    };
  },
});
