// `retire`, `archive` and `restore`: a record out of sight, and back. Nothing is deleted at once.

import { CairnError } from '../../../errors.ts';
import { object, optional, text } from '../../../model/schema.ts';
import { defineTool } from '../tool.ts';
import { changeAnswer, changed, findRecord, refInput } from './record-refs.ts';

const reason = text({ minLength: 1, maxLength: 1_000, describe: 'Why.' });

export const retireTool = defineTool({
  name: 'retire',
  title: 'Retire a memory',
  description:
    'Forget a record that is wrong or no longer true: out of sight at once, deleted after the grace period, restorable until then.',
  traits: { destroys: true, repeats: true },
  input: object({ ref: refInput, reason }),
  output: changed,
  async run({ ref, reason: why }, session) {
    const memory = await session.memory();
    const { file } = findRecord(memory, ref);
    return changeAnswer(await memory.retire({ target: file, cwd: memory.recordStore.root, reason: why }));
  },
});

export const archiveTool = defineTool({
  name: 'archive',
  title: 'Archive a memory',
  description: 'Put a record away that is true but no longer needed. It is kept for good and not injected any more.',
  traits: { destroys: true, repeats: true },
  input: object({ ref: refInput, reason: optional(reason) }),
  output: changed,
  async run({ ref, reason: why }, session) {
    const memory = await session.memory();
    const { file } = findRecord(memory, ref);
    return changeAnswer(
      await memory.archive({ target: file, cwd: memory.recordStore.root, ...(why ? { reason: why } : {}) }),
    );
  },
});

export const restoreTool = defineTool({
  name: 'restore',
  title: 'Restore a memory',
  description: 'Make a retired or archived record active again.',
  traits: { repeats: true },
  input: object({ ref: refInput }),
  output: changed,
  async run({ ref }, session) {
    const memory = await session.memory();
    const { file, status } = findRecord(memory, ref);
    const request = { target: file, cwd: memory.recordStore.root };
    if (status === 'active')
      throw new CairnError('RESTORE_ERROR', `${ref} is active already.`, { fix: 'There is nothing to do.' });
    return changeAnswer(await (status === 'archived' ? memory.unarchive(request) : memory.restore(request)));
  },
});
