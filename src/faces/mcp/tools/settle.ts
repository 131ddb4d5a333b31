// `settle`: something open is done, or will not be done; or that is taken back. The model does it when its user says so.

import { settle, unsettle } from '../../../app/settle.ts';
import { boolean, choice, list, object, optional, text } from '../../../model/schema.ts';
import { cutCodePoints, stripUnsafe } from '../../../model/text.ts';
import { defineTool } from '../tool.ts';

const MAX_TEXT = 300;

export const settleTool = defineTool({
  name: 'settle',
  title: 'Settle something open',
  description:
    'Mark an open question, task or debt as done or dropped, so that it is not told as open any more. Use it when the user says so, or when you finished it in this conversation. Refs come from overview (kind open).',
  traits: { repeats: true },
  input: object({
    ref: text({ minLength: 1, maxLength: 300, describe: 'idea:…, span:…, note:… or record:…' }),
    as: choice(['done', 'dropped', 'open'] as const, 'open: take it back.'),
    because: optional(text({ maxLength: 300, describe: 'Why, in a few words.' })),
  }),
  output: object({
    ref: text(),
    state: text(),
    texts: list(text({ describe: 'What was settled.' })),
    changed: boolean('False: it was so already.'),
  }),
  async run({ ref, as, because }, session) {
    const { value } = await session.recall(async (memory) => {
      await memory.refresh();
      return as === 'open'
        ? unsettle(memory, ref)
        : settle(memory, { ref, state: as, ...(because ? { because } : {}) });
    });
    const texts = value.texts.map((each) => cutCodePoints(stripUnsafe(each), MAX_TEXT));
    return {
      text: `${value.ref} is ${value.state}${value.changed ? '' : ' already'}: ${texts.join('; ')}`,
      data: { ...value, texts },
    };
  },
});
