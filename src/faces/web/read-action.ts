// The body of an action: what is to be done with which memory. What is in an edit is checked by the rules of its layer; here only
// that it has the shape of one.

import { VERDICTS, type Verdict } from '../../app/learn-from-answers.ts';
import { CairnError } from '../../errors.ts';
import type { Act, NoteEdit, RecordEdit } from '../../viewer-api/actions.ts';
import { type Body, present } from './read-query.ts';

export function actionIn(body: Body): Act {
  const action = body.text('action');
  const named = { ref: body.text('ref'), ...present({ project: body.maybeText('project') || undefined }) };
  switch (action) {
    case 'edit':
      return { action, ...named, version: body.text('version'), edit: editIn(body.object('edit'), named.ref) };
    case 'retire':
    case 'archive':
      return { action, ...named, ...present({ reason: body.maybeText('reason') }) };
    case 'restore':
    case 'unarchive':
      return { action, ...named };
    case 'feedback':
      return { action, ...named, verdict: verdictIn(body.raw('verdict')) };
    default:
      throw new CairnError('INPUT_ERROR', `There is no action ${JSON.stringify(action.slice(0, 40))}.`, {
        fix: 'Use edit, retire, archive, restore, unarchive or feedback.',
      });
  }
}

function verdictIn(value: unknown): Verdict | null {
  if (value === null) return null;
  const found = VERDICTS.find((each) => each === value);
  if (found === undefined)
    throw new CairnError('INPUT_ERROR', 'That is no verdict.', { fix: `Use ${VERDICTS.join(', ')} or null.` });
  return found;
}

function editIn(edit: Body, ref: string): RecordEdit | NoteEdit {
  const common = present({ title: edit.maybeText('title'), tags: edit.texts('tags') });
  if (ref.startsWith('note:'))
    return { ...common, ...present({ status: edit.maybeText('status'), sections: sectionsIn(edit) }) };
  return {
    ...common,
    ...present({
      relatedFiles: edit.texts('relatedFiles'),
      confidence: edit.number('confidence'),
      content: edit.has('content') ? Object.fromEntries(edit.object('content').entries()) : undefined,
      summary: edit.maybeText('summary'),
    }),
  };
}

function sectionsIn(edit: Body): { [name: string]: string | null } | undefined {
  if (!edit.has('sections')) return undefined;
  const sections = edit.object('sections').entries();
  const wrong = sections.find(([, text]) => text !== null && typeof text !== 'string');
  if (wrong) throw new CairnError('INPUT_ERROR', `The section ${JSON.stringify(wrong[0].slice(0, 80))} must be text.`);
  return Object.fromEntries(sections) as { [name: string]: string | null };
}
