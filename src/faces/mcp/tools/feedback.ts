// `feedback`: what a memory was worth, said by the model for its user. Later ranks follow it a little; nothing is hidden by it.

import { factorOf, judgeMemory, namedMemory, VERDICTS } from '../../../app/learn-from-answers.ts';
import { choice, number, object, text } from '../../../model/schema.ts';
import { stripUnsafe } from '../../../model/text.ts';
import { defineTool } from '../tool.ts';

export const feedbackTool = defineTool({
  name: 'feedback',
  title: 'Judge a memory',
  description:
    'Tell whether a recalled memory was useful, wrong or stale. Use it when the user confirms or corrects one. A wrong record should also be updated or retired.',
  traits: { repeats: true },
  input: object({
    ref: text({ minLength: 1, maxLength: 300, describe: 'As recall gives it.' }),
    verdict: choice(VERDICTS),
  }),
  output: object({
    ref: text(),
    title: text(),
    verdict: text(),
    factor: number({ describe: 'What its rank is multiplied by.' }),
  }),
  async run({ ref, verdict }, session) {
    const { value } = await session.recall(async (memory) => {
      await memory.refresh();
      const named = await namedMemory(memory.store, memory.config, ref);
      return { named, learned: await judgeMemory(memory.config, named, verdict, session.now()) };
    });
    const { named, learned } = value;
    const data = { ref: named.ref, title: stripUnsafe(named.title), verdict, factor: factorOf(learned) };
    return { text: `${data.ref} is ${verdict}: its rank is multiplied by ${data.factor}.`, data };
  },
});
