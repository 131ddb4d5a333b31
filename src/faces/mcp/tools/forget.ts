// `forget`: the user wants something gone for good. Two steps: without `confirm` it only tells what would go, with a token; the token
// names exactly that, and a call with it removes it. Whole projects and spans of time are for the command line.

import { CairnError } from '../../../errors.ts';
import { list, number, object, optional, text } from '../../../model/schema.ts';
import { stripUnsafe } from '../../../model/text.ts';
import { defineTool } from '../tool.ts';

const SHOWN = 20;

export const forgetTool = defineTool({
  name: 'forget',
  title: 'Forget for good',
  description:
    'Remove a conversation, a memory or every mention of a text for good, only when the user asks for it. Call it without confirm first, show the user what would go, and call it again with the token as confirm once they agree. It cannot be undone.',
  traits: { destroys: true, repeats: true },
  hints: {
    OCC_CONFLICT: '',
    NOT_FOUND: '`recall` finds memories with their refs, `topics` conversations with their ids.',
  },
  input: object({
    name: optional(
      text({ minLength: 4, maxLength: 300, describe: 'A ref as recall gives it, or the id of a conversation.' }),
    ),
    text: optional(text({ minLength: 3, maxLength: 2_000, describe: 'Instead of a name: every mention of it goes.' })),
    confirm: optional(
      text({ minLength: 12, maxLength: 12, describe: 'The token of the preview that the user agreed to.' }),
    ),
  }),
  output: object({
    done: text({ describe: '"no": this is a preview; "yes": it is gone.' }),
    token: text(),
    goes: list(object({ name: text(), title: text() })),
    counts: list(object({ place: text(), count: number() })),
    stays: list(text()),
    left: list(text(), { describe: 'Where something of it was still found.' }),
  }),
  async run({ name, text: named, confirm }, session) {
    // A schema of what may be left out takes null too, which callTool has removed.
    if ((name === undefined) === (named === undefined))
      throw new CairnError('INPUT_ERROR', 'forget needs a name or a text, and not both.', {
        fix: 'For a whole project or a span of time, the user runs `cairn forget` in a terminal.',
      });
    const { finishForgetting, forget, planForget } = await import('../../../app/forget.ts');
    const { countWords } = await import('../../../app/forget-words.ts');
    const { OF_TOOLS } = await import('../../../app/forget-stays.ts');
    const config = await session.config();
    const { now } = session;
    const request =
      name === undefined
        ? ({ what: 'text', texts: [named ?? ''], as: 'remove' } as const)
        : ({ what: 'name', name: name ?? '' } as const);
    const plan = await planForget(config, request, { now, words: OF_TOOLS });
    if (confirm !== undefined && confirm !== plan.token)
      throw new CairnError('OCC_CONFLICT', 'What would go is not what was shown: nothing was removed.', {
        fix: 'Call forget without confirm, show the user what it says now, and ask again.',
      });
    const goes = plan.goes.slice(-SHOWN).map((each) => ({ name: each.name, title: stripUnsafe(each.title) }));
    if (confirm === undefined) {
      const counts = countsOf(plan.counts);
      const data = { done: 'no', token: plan.token, goes, counts, stays: plan.stays.map(stripUnsafe), left: [] };
      return {
        text: [
          goes.length > 0
            ? 'Nothing was removed yet. This would go for good:'
            : 'Nothing was removed yet, and nothing of it is listed.',
          ...goes.map((each) => `- ${each.name}: ${each.title}`),
          ...(plan.goes.length > goes.length ? [`- and ${plan.goes.length - goes.length} more`] : []),
          `${name === undefined ? 'Mentioned in' : 'In all'}: ${countWords(plan.counts).join(', ') || 'nothing that is stored'}.`,
          `This stays: ${data.stays.join('; ')}.`,
          `Show this to the user. If they agree: forget with the same arguments and "confirm": "${plan.token}".`,
        ].join('\n'),
        data,
      };
    }
    await session.release();
    await finishForgetting(config, now);
    const report = await forget(config, plan, { now });
    const data = {
      done: 'yes',
      token: plan.token,
      goes,
      counts: countsOf(report.counts),
      stays: plan.stays.map(stripUnsafe),
      left: [...report.left, ...report.problems].map(stripUnsafe),
    };
    const left = data.left.length > 0 ? ` Not everything: ${data.left.join('; ')}.` : '';
    return {
      text: `Forgotten, and not read in again.${left} Tell the user what stays: ${data.stays.join('; ')}.`,
      data,
    };
  },
});

const countsOf = (counts: { readonly [place: string]: number }): { place: string; count: number }[] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([place, count]) => ({ place, count }));
