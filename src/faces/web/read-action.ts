// The body of an action: what is to be done with which memory. What is in an edit is checked by the rules of its layer; here only
// that it has the shape of one.

import { VERDICTS, type Verdict } from '../../app/learn-from-answers.ts';
import { CairnError } from '../../errors.ts';
import { MORE_ACTIONS, type MoreAct } from '../../viewer-api/act-more.ts';
import type { Act } from '../../viewer-api/actions.ts';
import type { NoteEdit, RecordEdit } from '../../viewer-api/protocol.ts';
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
    case 'settle':
      return {
        action,
        ...named,
        state: stateIn(body.text('state')),
        ...present({ because: body.maybeText('because') }),
      };
    case 'feedback':
      return { action, ...named, verdict: verdictIn(body.raw('verdict')) };
    default:
      throw new CairnError('INPUT_ERROR', `There is no action ${JSON.stringify(action.slice(0, 40))}.`, {
        fix: 'Use edit, retire, archive, restore, unarchive, settle or feedback.',
      });
  }
}

/** Of what is not about one memory alone; undefined: it is one of the others. */
export function moreIn(body: Body): MoreAct | undefined {
  const action = MORE_ACTIONS.find((each) => each === body.text('action'));
  const project = present({ project: body.maybeText('project') || undefined });
  const tags = present({ tags: body.texts('tags') });
  switch (action) {
    case undefined:
      return undefined;
    case 'create':
      return {
        action,
        category: body.text('category'),
        text: body.text('text'),
        ...present({ title: body.maybeText('title') }),
        ...tags,
      };
    case 'note':
      return {
        action,
        type: body.text('type'),
        title: body.text('title'),
        ...present({ text: body.maybeText('text') }),
        ...tags,
      };
    case 'promote':
      return {
        action,
        ref: body.text('ref'),
        category: body.text('category'),
        ...present({ text: body.maybeText('text') }),
        ...project,
      };
    case 'link':
      return { action, ref: body.text('ref'), to: body.text('to'), ...project };
    case 'forget':
      return { action, ref: body.text('ref'), token: body.text('token') };
    case 'review':
      return {
        action,
        how: oneOf(body.text('how'), ['keep', 'merge', 'supersede']),
        ref: body.text('ref'),
        ...present({ other: body.maybeText('other') }),
      };
    case 'draft':
      return { action, how: oneOf(body.text('how'), ['save', 'drop']), id: body.text('id') };
    case 'setting':
      return { action, key: body.text('key'), value: body.raw('value') === null ? null : body.text('value') };
  }
}

function oneOf<const T extends string>(value: string, choices: readonly T[]): T {
  const found = choices.find((each) => each === value);
  if (found !== undefined) return found;
  throw new CairnError('INPUT_ERROR', `It must be one of ${choices.join(', ')}.`, { fix: 'Correct it and ask again.' });
}

function stateIn(value: string): 'done' | 'dropped' | 'open' {
  if (value === 'done' || value === 'dropped' || value === 'open') return value;
  throw new CairnError('INPUT_ERROR', 'That is no state of an open item.', { fix: 'Use done, dropped or open.' });
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
